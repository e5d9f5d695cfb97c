//! The levels of the engine try puzzles, each with several seeds; what came of it is kept on disk.

use super::item::Puzzle;
use super::judge::judge;
use crescendo::rules::position::Position;
use crescendo::search::levels::Level;
use crescendo::search::limits::Limits;
use crescendo::search::think::{Searcher, Settings};
use crescendo::solver::Solver;
use crescendo::types::series::Series;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The memory of a thread's players and that of its judge.
const PLAYER_MIB: usize = 16;
const SOLVER_BYTES: usize = 16 << 20;

/// What every level did with one puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The puzzle.
    pub id: String,
    /// Attempts of each level that errs; see [`Tried::attempts_of`].
    pub attempts: u32,
    /// How many of them solved it, in the order of the levels.
    pub solved: Vec<u32>,
}

impl Tried {
    /// Attempts of the level of this number. Who does not err sees a mate each time or never, so one attempt tells all; of the few puzzles
    /// without a mate it tells less.
    #[must_use]
    pub fn attempts_of(&self, level: usize) -> u32 {
        attempts_of(level, self.attempts)
    }
}

/// Attempts of the level of this number, if each that errs makes `seeds`; see [`Tried::attempts_of`].
#[must_use]
pub fn attempts_of(level: usize, seeds: u32) -> u32 {
    if solvers().get(level).is_some_and(Level::is_full) { seeds.min(1) } else { seeds }
}

/// What is still to be tried.
#[derive(Clone, Debug)]
pub struct Todo<'a> {
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// What was tried before; the attempts go on with the next seeds.
    pub before: Option<Tried>,
}

/// How the levels try.
#[derive(Clone, Copy, Debug)]
pub struct Trying {
    /// Attempts of each level at each puzzle, those made before among them.
    pub seeds: u32,
    /// Most nodes of an attempt.
    pub nodes: u64,
}

/// The solvers, the weakest first.
#[must_use]
pub fn solvers() -> &'static [Level] {
    Level::all()
}

/// A puzzle made ready for solvers.
struct Task {
    position: Position,
    key: Series,
}

/// All levels try these puzzles, on several threads. `on_tried` sees each puzzle when it is done, with all that was tried; it ends
/// the work by saying no. A puzzle that cannot be set up is left out.
///
/// # Errors
/// Not enough memory for the tables.
pub fn attempt_all(
    todo: &[Todo<'_>],
    trying: Trying,
    threads: usize,
    on_tried: &mut dyn FnMut(Tried) -> bool,
) -> Result<(), std::collections::TryReserveError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut workers = Vec::new();
    for _ in 0..threads.max(1) {
        workers.push((Searcher::new(PLAYER_MIB)?, Solver::proving(SOLVER_BYTES)));
    }
    std::thread::scope(|scope| {
        let (sender, results) = crossbeam_channel::unbounded();
        for (mut searcher, mut solver) in workers {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(todo) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if let Some(tried) = attempt(&mut searcher, &mut solver, todo, trying)
                        && sender.send(tried).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for tried in results {
            if !on_tried(tried) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// Every level tries one puzzle. `None` if it cannot be set up.
///
/// Where only a mate solves it, an attempt is over when a level has looked for one and gathered the series that come into question: what it makes
/// of these if it sees no mate among them hardly ever is one.
pub fn attempt(searcher: &mut Searcher, solver: &mut Solver, todo: &Todo<'_>, trying: Trying) -> Option<Tried> {
    let Todo { puzzle, before } = todo;
    let task = Task { position: puzzle.position().ok()?, key: puzzle.key.parse().ok()? };
    let limits = Limits { depth: puzzle.kind.is_mate().then_some(1), ..Limits::nodes(trying.nodes) };
    let mut solved = before.as_ref().map(|tried| tried.solved.clone()).unwrap_or_default();
    solved.resize(solvers().len(), 0);
    let made = before.as_ref().map_or(0, |tried| tried.attempts);
    for (number, (level, count)) in solvers().iter().zip(&mut solved).enumerate() {
        for seed in attempts_of(number, made) + 1..=attempts_of(number, trying.seeds) {
            let settings = Settings { level: *level, seed: seed.into() };
            let choice = searcher.think(&task.position.begin(), &settings, &limits, &mut |_| {});
            let answer = choice.series.unwrap_or_default();
            *count += u32::from(judge(solver, &task.position, puzzle.kind, &task.key, &answer).is_solved());
        }
    }
    Some(Tried { id: puzzle.id.clone(), attempts: trying.seeds.max(made), solved })
}
