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
    /// Attempts of each level.
    pub attempts: u32,
    /// How many of them solved it, in the order of the levels.
    pub solved: Vec<u32>,
}

/// How the levels try.
#[derive(Clone, Copy, Debug)]
pub struct Trying {
    /// Attempts of each level at each puzzle.
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

/// All levels try these puzzles, on several threads. `on_tried` sees each puzzle when it is done, with its place in `puzzles`; it ends
/// the work by saying no. A puzzle that cannot be set up is left out.
///
/// # Errors
/// Not enough memory for the tables.
pub fn attempt_all(
    puzzles: &[&Puzzle],
    trying: Trying,
    threads: usize,
    on_tried: &mut dyn FnMut(usize, Tried) -> bool,
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
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(puzzle) = puzzles.get(number) else { return };
                    if let Some(tried) = attempt(&mut searcher, &mut solver, puzzle, trying)
                        && sender.send((number, tried)).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (number, tried) in results {
            if !on_tried(number, tried) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// Every level tries one puzzle. `None` if it cannot be set up.
pub fn attempt(searcher: &mut Searcher, solver: &mut Solver, puzzle: &Puzzle, trying: Trying) -> Option<Tried> {
    let task = Task { position: puzzle.position().ok()?, key: puzzle.key.parse().ok()? };
    let mut solved = Vec::with_capacity(solvers().len());
    for level in solvers() {
        let mut count = 0;
        for seed in 1..=u64::from(trying.seeds) {
            let settings = Settings { level: *level, seed };
            let limits = Limits::nodes(trying.nodes);
            let choice = searcher.think(&task.position.begin(), &settings, &limits, &mut |_| {});
            let answer = choice.series.unwrap_or_default();
            count += u32::from(judge(solver, &task.position, puzzle.kind, &task.key, &answer).is_solved());
        }
        solved.push(count);
    }
    Some(Tried { id: puzzle.id.clone(), attempts: trying.seeds, solved })
}
