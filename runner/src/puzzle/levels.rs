//! How the levels err: which mates they solve, by length and by kind of move, and how often their turns leave one.

use super::item::Puzzle;
use super::judge::judge;
use super::source::SelfPlay;
use super::themes::pattern;
use crate::opening::suite::SuiteError;
use crate::report::html::parts::{Cell, ShadedRow, Shades, fill};
use crescendo::rules::game::Game;
use crescendo::rules::midturn::SeriesEnd;
use crescendo::rules::notation::pgn::PgnGame;
use crescendo::rules::position::Position;
use crescendo::search::levels::Level;
use crescendo::search::limits::Limits;
use crescendo::search::sight::Pattern;
use crescendo::search::think::{Searcher, Settings};
use crescendo::solver::{self, Solver, Verdict};
use crescendo::types::series::Series;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// The memory of the players and of the judge.
const PLAYER_MIB: usize = 16;
const SOLVER_BYTES: usize = 16 << 20;
/// Nodes within which it is found out whether a turn left a mate.
const LEFT_NODES: u64 = 2_000_000;

/// What is to be found out, and how.
#[derive(Debug)]
pub struct Wish<'a> {
    /// The sample games: rules, openings, nodes and seed; the players are each level in turn.
    pub play: SelfPlay,
    /// The puzzles; kinds other than mates are left out.
    pub puzzles: &'a [Puzzle],
    /// Attempts at each puzzle.
    pub seeds: u32,
    /// Games of each level against itself.
    pub games: u64,
}

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Share {
    /// How many did.
    pub did: u32,
    /// Of how many.
    pub of: u32,
}

impl Share {
    fn add(&mut self, did: bool) {
        self.did += u32::from(did);
        self.of += 1;
    }

    /// In percent; none of nothing.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        (self.of > 0).then(|| 100.0 * f64::from(self.did) / f64::from(self.of))
    }
}

/// What one level did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Errs {
    /// The level.
    pub level: &'static str,
    /// Attempts solved.
    pub solved: Share,
    /// The same by the length of the mate, in moves.
    pub by_length: BTreeMap<u8, Share>,
    /// The same by what the key shows; a puzzle counts under each of its kinds.
    pub by_kind: BTreeMap<&'static str, Share>,
    /// Turns of its games that left the opponent a mate, of those of which it is known.
    pub leaves_mate: Share,
    /// Its games as PGN.
    #[serde(skip)]
    pub pgn: String,
}

/// The kinds of move that are told apart, besides the length.
pub const KINDS: [&str; 11] = [
    "oneMan",
    "allQuiet",
    "backward",
    "underPromotion",
    "castling",
    "enPassant",
    "discoveredCheck",
    "doubleCheck",
    "italianMate",
    "kingMarch",
    "plain",
];

/// The kinds of a mate; `plain` if it is of none of the others that are hard to see.
fn kinds(pattern: &Pattern) -> impl Iterator<Item = &'static str> {
    let hard = [
        pattern.backward > 0,
        pattern.under_promotes,
        pattern.castles,
        pattern.en_passant,
        pattern.is_discovered,
        pattern.is_double,
        pattern.is_italian,
        pattern.marches,
    ];
    let is_quiet = pattern.quiet + 1 >= pattern.length;
    let shown = [pattern.men == 1, is_quiet].into_iter().chain(hard).chain([!hard.contains(&true)]);
    KINDS.into_iter().zip(shown.collect::<Vec<_>>()).filter(|(_, shown)| *shown).map(|(kind, _)| kind)
}

/// A puzzle made ready.
struct Task<'a> {
    puzzle: &'a Puzzle,
    position: Position,
    key: Series,
    pattern: Pattern,
}

fn task(puzzle: &Puzzle) -> Option<Task<'_>> {
    let (position, key): (_, Series) = (puzzle.position().ok()?, puzzle.key.parse().ok()?);
    let pattern = pattern(puzzle)?;
    puzzle.kind.is_mate().then_some(Task { puzzle, position, pattern, key })
}

/// Finds out what every level and personality does. `on_level` is told each as it is done.
///
/// # Errors
/// The suite has changed since it was opened, or there is not enough memory.
pub fn study(mut wish: Wish<'_>, on_level: &mut dyn FnMut(&Errs)) -> Result<Vec<Errs>, StudyError> {
    let tasks: Vec<Task<'_>> = wish.puzzles.iter().filter_map(task).collect();
    let mut searcher = Searcher::new(PLAYER_MIB).map_err(|_| StudyError::Memory)?;
    let mut solver = Solver::new(SOLVER_BYTES);
    let mut found = Vec::new();
    for level in Level::all().iter().chain(Level::personalities()) {
        let mut errs = Errs {
            level: level.name,
            solved: Share::default(),
            by_length: BTreeMap::new(),
            by_kind: BTreeMap::new(),
            leaves_mate: Share::default(),
            pgn: String::new(),
        };
        for task in &tasks {
            attempt(&wish, level, task, &mut searcher, &mut solver, &mut errs);
        }
        wish.play.levels = vec![level];
        games(&wish, &mut searcher, &mut solver, &mut errs)?;
        on_level(&errs);
        found.push(errs);
    }
    Ok(found)
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The openings.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The tables do not fit.
    #[error("not enough memory")]
    Memory,
}

fn attempt(
    wish: &Wish<'_>,
    level: &Level,
    task: &Task<'_>,
    searcher: &mut Searcher,
    solver: &mut Solver,
    errs: &mut Errs,
) {
    for seed in 1..=u64::from(wish.seeds) {
        let settings = Settings { level: *level, seed: wish.play.seed.wrapping_mul(1000).wrapping_add(seed) };
        let choice = searcher.think(&task.position.begin(), &settings, &Limits::nodes(wish.play.nodes), &mut |_| {});
        let answer = choice.series.unwrap_or_default();
        let is_solved = judge(solver, &task.position, task.puzzle.kind, &task.key, &answer).is_solved();
        errs.solved.add(is_solved);
        errs.by_length.entry(task.pattern.length).or_default().add(is_solved);
        for kind in kinds(&task.pattern) {
            errs.by_kind.entry(kind).or_default().add(is_solved);
        }
    }
}

fn games(wish: &Wish<'_>, searcher: &mut Searcher, solver: &mut Solver, errs: &mut Errs) -> Result<(), StudyError> {
    for number in 0..wish.games {
        let game = wish.play.game(searcher, number)?;
        left_mates(&game, solver, &mut errs.leaves_mate);
        let mut pgn = PgnGame::new(game);
        for (tag, value) in [("Event", "Sample games"), ("White", errs.level), ("Black", errs.level)] {
            pgn.set_tag(tag, value);
        }
        pgn.set_tag("Round", (number + 1).to_string());
        errs.pgn += &pgn.canonical();
        errs.pgn.push('\n');
    }
    Ok(())
}

/// Counts the turns after which the opponent had a mate. The first of a game is chance's and does not count.
fn left_mates(game: &Game, solver: &mut Solver, share: &mut Share) {
    let mut state = *game.start();
    for (number, (_, series)) in game.turns().iter().enumerate() {
        let answer = solver.refute(&state, series, &solver::Limits::nodes(LEFT_NODES));
        let verdict = answer.map(|answer| answer.verdict);
        if number > 0 {
            match verdict {
                Ok(Verdict::Mate(_)) => share.add(true),
                Ok(Verdict::NoMate) => share.add(false),
                Ok(Verdict::Unknown(_)) | Err(_) => {}
            }
        }
        let Some(SeriesEnd::Turn(next)) = state.end_of(series) else { return };
        state = next.begin();
    }
}

/// The column of the turns that leave a mate.
const LEAVES: &str = "leaves a mate";

/// What the template is given.
#[derive(Serialize)]
struct Page<'a> {
    rules: &'a str,
    puzzles: usize,
    by_length: Shades,
    by_kind: Shades,
    /// Level and games.
    games: Vec<(&'static str, &'a str)>,
}

/// The findings as a page that needs nothing else.
///
/// # Errors
/// The template and the values do not fit.
pub fn page(rules: &str, puzzles: usize, found: &[Errs]) -> io::Result<String> {
    let mut lengths: Vec<u8> = found.iter().flat_map(|errs| errs.by_length.keys().copied()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let kinds: Vec<&str> =
        KINDS.into_iter().filter(|kind| found.iter().any(|e| e.by_kind.contains_key(kind))).collect();
    let by_length = |errs: &Errs| {
        let each = lengths.iter().map(|length| errs.by_length.get(length).copied().unwrap_or_default());
        std::iter::once(errs.solved).chain(each).chain([errs.leaves_mate]).collect()
    };
    let by_kind = |errs: &Errs| kinds.iter().map(|kind| errs.by_kind.get(kind).copied().unwrap_or_default()).collect();
    let names = lengths.iter().map(ToString::to_string);
    let names = std::iter::once("all".to_owned()).chain(names).chain([LEAVES.to_owned()]).collect();
    let page = Page {
        rules,
        puzzles,
        by_length: shades("Mates by length", names, found, &by_length),
        by_kind: shades("Mates by kind of move", kinds.iter().map(ToString::to_string).collect(), found, &by_kind),
        games: found.iter().map(|errs| (errs.level, errs.pgn.as_str())).collect(),
    };
    fill(include_str!("levels.html"), minijinja::context! { page => Value::from(Serde(page)) })
}

/// A row for each level, and one that says on how many attempts a column rests, which are the same for all.
fn shades(label: &'static str, columns: Vec<String>, found: &[Errs], shares: &dyn Fn(&Errs) -> Vec<Share>) -> Shades {
    let cell = |share: &Share| Cell::percent(share.percent(), format!("{} of {}", share.did, share.of));
    let row = |errs: &Errs| ShadedRow {
        name: errs.level.to_owned(),
        cells: shares(errs).iter().map(cell).collect(),
        is_soft: false,
    };
    // Turns of games differ from level to level.
    let count = |(share, column): (&Share, &String)| {
        Cell::plain(if column == LEAVES { String::new() } else { share.of.to_string() })
    };
    let counts = |errs: &Errs| shares(errs).iter().zip(&columns).map(count).collect();
    let last = found.first().map(|first| ShadedRow { name: "attempts".into(), cells: counts(first), is_soft: true });
    let rows = found.iter().map(row).chain(last).collect();
    Shades { label, corner: "level", columns, rows }
}
