//! What is mined is proved, varied, and the same however often the work was interrupted.

use super::brute;
use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};
use crescendo::search::levels::Level;
use crescendo_runner::puzzle::candidates::Wanted;
use crescendo_runner::puzzle::check::Checker;
use crescendo_runner::puzzle::files::Entry;
use crescendo_runner::puzzle::item::{Class, Kind, Puzzle};
use crescendo_runner::puzzle::journal::{Journal, Line};
use crescendo_runner::puzzle::mates::Bounds;
use crescendo_runner::puzzle::mine::{Games, mine};
use crescendo_runner::puzzle::row::Row;
use crescendo_runner::puzzle::select::{Quotas, Selection};
use crescendo_runner::puzzle::source::SelfPlay;
use std::collections::HashSet;
use std::path::Path;

/// The puzzles of the first games, in the order of the journal.
fn mined(rules: &'static Rules, state: &Path, threads: usize, games: u64) -> Vec<Vec<Puzzle>> {
    let levels = Level::all()[1..4].iter().collect();
    let play = SelfPlay { rules, suite: None, levels, nodes: 2000, last_turn: 5, seed: 3 };
    let bounds = Bounds { find_nodes: 20_000, list_nodes: 100_000, ..Bounds::default() };
    let wanted = Wanted { bounds, lengths: 2..=5, kinds: vec![Kind::Mate, Kind::ItalianMate] };
    let mut all = Vec::new();
    let mut journal = Journal::open(state, "test", &mut |line: Line| all.push(line.found)).unwrap();
    if journal.lines() < games {
        mine(&Games::SelfPlay(play), &wanted, &mut journal, threads, &mut |line| {
            all.push(line.found);
            line.game + 1 < games
        })
        .unwrap();
    }
    all
}

#[test]
fn interrupted_work_and_more_threads_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let whole = mined(&SCOTTISH, &folder.path().join("whole"), 1, 24);
    let parts = folder.path().join("parts");
    for games in [5, 6, 15] {
        assert_eq!(mined(&SCOTTISH, &parts, 1, games).len() as u64, games);
    }
    assert_eq!(mined(&SCOTTISH, &parts, 2, 24), whole);
    assert!(whole.iter().flatten().count() >= 8, "{}", whole.iter().flatten().count());
}

#[test]
fn what_was_mined_is_proved_again_by_the_checker_and_by_brute_force() {
    let folder = tempfile::tempdir().unwrap();
    for rules in [&ITALIAN, &SCOTTISH] {
        let mut selection = Selection::new(Quotas::usual(1000));
        for found in mined(rules, &folder.path().join(rules.name), 1, 40) {
            selection.offer(found);
        }
        let puzzles = selection.puzzles();
        assert!(puzzles.len() >= 10, "{}: {}", rules.name, puzzles.len());
        let mut checker = Checker::default();
        for (line, puzzle) in (1..).zip(puzzles) {
            let entry = Entry { line, row: Row::of(puzzle), puzzle: Some(Box::new(puzzle.clone())) };
            assert_eq!(checker.check(&entry), vec![], "{puzzle:?}");
            if puzzle.length() <= 4 {
                prove(puzzle);
            }
        }
        let games: HashSet<&str> = puzzles.iter().map(|puzzle| puzzle.source.as_str()).collect();
        let signatures: HashSet<String> = puzzles.iter().map(Puzzle::signature).collect();
        assert_eq!((games.len(), signatures.len()), (puzzles.len(), puzzles.len()));
    }
}

/// Holds what a puzzle claims to what trying everything finds.
pub(crate) fn prove(puzzle: &Puzzle) {
    let position = puzzle.position().unwrap();
    let found = brute::mates(&position.begin(), puzzle.length()).unwrap();
    let due =
        brute::Mates { length: puzzle.length(), series: puzzle.counts.series, positions: puzzle.counts.positions };
    assert_eq!(found, due, "{puzzle:?}");
    assert_eq!(puzzle.class == Class::UniqueSeries, found.series == 1);
}

#[test]
fn quotas_hold_and_a_game_gives_one_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let found = mined(&SCOTTISH, &folder.path().join("state"), 1, 40);
    let quotas = Quotas { count: 10, length: 0.3, several: 0.5, theme: 0.5 };
    let mut selection = Selection::new(quotas);
    found.into_iter().for_each(|found| selection.offer(found));
    assert!(selection.puzzles().len() <= 10);
    let mut lengths = [0; 10];
    selection.puzzles().iter().for_each(|puzzle| lengths[puzzle.length()] += 1);
    assert!(lengths.iter().all(|&count| count <= 3), "{lengths:?}");
    assert!(selection.count("several") <= 5 && selection.count("promotion") <= 5);
}
