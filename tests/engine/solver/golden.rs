//! The golden data: verdicts, counts, published mates; every mate replayed by both generators, every prefix of one put to the bound.

use super::support::{
    LONG, TABLE, check_prefixes, mate, mates, questions, read, replay_slowly, rows, rule_sets, rules,
};
use crescendo::rules::fen;
use crescendo::rules::notation::san;
use crescendo::rules::setup::Strictness;
use crescendo::solver::all::{End, Go, Tally};
use crescendo::solver::{Limits, Solver, Tricks};
use crescendo::types::series::Series;
use serde_json::Value;

const MATES: &str = include_str!("../../data/mates.jsonl");
const HARD: &str = include_str!("../../data/solver_hard.tsv");
const PROBLEMS: &str = include_str!("../../data/problems.tsv");
const OLD_PUZZLES: &str = include_str!("../../data/old_puzzles.tsv");

#[test]
fn golden_mates() {
    let mut solver = Solver::new(TABLE);
    let mut streaming = Solver::new(TABLE);
    // All of them one by one, but only the first of very many.
    let most = if LONG { 200 } else { 4 };
    for line in MATES.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let midturn = read(rules(record["rules"].as_str().unwrap()), record["fen"].as_str().unwrap());
        let expected = record["mates"].as_u64().unwrap();
        assert_eq!(mates(&mut solver, &midturn), expected > 0, "{record}");
        assert_eq!(solver.count(&midturn, &Limits::default()), (expected.into(), End::Complete), "{record}");
        let mut tally = Tally::default();
        let (end, nodes) = streaming.all(&midturn, None, &Limits::default(), &mut |solution| {
            check_prefixes(&mut solver, &midturn, &solution.series);
            if LONG {
                replay_slowly(&midturn, &solution.series);
            }
            tally.add(solution);
            if tally.series() < most { Go::On } else { Go::Stop }
        });
        assert_eq!(tally.series(), expected.min(most), "{record}");
        assert_eq!(end == End::Complete, expected < most, "{record}");
        assert!(nodes >= tally.series(), "{record}");
        assert!(tally.positions() <= tally.series() as usize && tally.move_sets() <= tally.series() as usize);
    }
}

#[test]
fn golden_questions() {
    let mut solver = Solver::new(TABLE);
    for (text, quota, expected) in questions() {
        let midturn = read(rules("italian"), text);
        assert_eq!(midturn.left(), quota, "{text}");
        if !LONG && quota > 9 {
            continue;
        }
        let found = mate(&mut solver, &midturn);
        assert_eq!(found.is_some(), expected, "{text}");
        if let Some(series) = found {
            check_prefixes(&mut solver, &midturn, &series);
        }
    }
}

#[test]
fn hard_questions_are_decided() {
    let mut solver = Solver::new(TABLE);
    for row in rows(HARD).take(if LONG { usize::MAX } else { 1 }) {
        let midturn = read(rules("italian"), row[0]);
        if let Some(series) = mate(&mut solver, &midturn) {
            check_prefixes(&mut solver, &midturn, &series);
        }
    }
}

#[test]
fn published_problems_are_solved() {
    let mut solver = Solver::new(TABLE);
    let mut solved = 0;
    for row in rows(PROBLEMS) {
        let [text, quota, sets, published] = row[..] else { panic!("{row:?}") };
        for rules in rule_sets(sets) {
            let midturn = read(rules, text);
            assert_eq!(midturn.left().to_string(), quota, "{text}");
            // 1. The solution in print.
            let (_, words) = published.split_once('.').unwrap();
            let mut now = midturn;
            let read_word = |word| {
                let mv = san::read(&now, word).unwrap_or_else(|e| panic!("{published}: {e}"));
                now.play_unchecked(mv);
                mv
            };
            let series: Series = words.split(' ').map(read_word).collect();
            replay_slowly(&midturn, &series);
            check_prefixes(&mut solver, &midturn, &series);
            // 2. The solver's own.
            let found = mate(&mut solver, &midturn).unwrap_or_else(|| panic!("{} {text}: none", rules.name));
            check_prefixes(&mut solver, &midturn, &found);
            solved += 1;
        }
    }
    assert_eq!(solved, 13);
}

#[test]
fn old_puzzles_are_solved_and_counted() {
    let mut solver = Solver::new(TABLE);
    let puzzles: Vec<_> = rows(OLD_PUZZLES).collect();
    for (name, counts) in [("italian", [39, 39, 786]), ("scottish", [39, 39, 794])] {
        for (row, expected) in puzzles.iter().zip(counts) {
            let midturn = read(rules(name), row[0]);
            assert_eq!(midturn.left().to_string(), row[1]);
            let found = mate(&mut solver, &midturn).unwrap_or_else(|| panic!("{name} {}: none", row[0]));
            check_prefixes(&mut solver, &midturn, &found);
            // The last is the quickest to count.
            if !LONG && expected == 39 {
                continue;
            }
            assert_eq!(solver.count(&midturn, &Limits::default()), (expected, End::Complete), "{name} {}", row[0]);
            // The same without any bound: some million positions.
            if LONG && midturn.left() == 8 {
                let mut plain = Solver::proving(1 << 30);
                plain.tricks = Tricks { bound: false, four: false, three: false, two: false, ..Tricks::default() };
                assert_eq!(plain.count(&midturn, &Limits::default()), (expected, End::Complete), "{name} {}", row[0]);
            }
        }
    }
}

/// The same with the colors exchanged. The turn number must have the other parity, so the moves left are given.
fn mirrored(text: &str, quota: u8) -> Option<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [men, side, castling, "-", quiet, number] = fields[..] else { return None };
    let swap = |text: &str| -> String {
        text.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
    };
    let men: Vec<&str> = men.split('/').rev().collect();
    let side = if side == "w" { "b" } else { "w" };
    let number = number.parse::<u16>().unwrap() + 1;
    Some(format!("{} {side} {} - {quiet} {number} {quota}", swap(&men.join("/")), swap(castling)))
}

#[test]
fn colors_make_no_difference() {
    let mut solver = Solver::new(TABLE);
    let mut asked = 0;
    for (text, quota, expected) in questions() {
        if quota > if LONG { 20 } else { 7 } {
            continue;
        }
        let Some(mirrored) = mirrored(text, quota) else { continue };
        // Nobody is in check inside a turn, so questions that begin in check have no mirror.
        let Ok((entry, _)) = fen::read(&mirrored, rules("italian"), Strictness::Lenient) else { continue };
        let midturn = entry.midturn();
        assert_eq!(midturn.left(), quota, "{mirrored}");
        assert_eq!(mates(&mut solver, &midturn), expected, "{text} as {mirrored}");
        asked += 1;
    }
    assert!(asked > 100, "{asked}");
}
