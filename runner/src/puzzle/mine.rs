//! Mining: games to a journal of puzzles, on several threads, in the order of the games.

use super::candidates::{Wanted, candidates};
use super::item::Puzzle;
use super::journal::{Journal, JournalError, Line};
use super::source::SelfPlay;
use crate::opening::suite::SuiteError;
use crescendo::rules::game::Game;
use crescendo::search::think::Searcher;
use crescendo::solver::Solver;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The memory of a thread's solver and that of its players.
const SOLVER_BYTES: usize = 32 << 20;
const PLAYER_MIB: usize = 8;

/// Where the games come from.
#[derive(Debug)]
pub enum Games {
    /// Played here.
    SelfPlay(SelfPlay),
    /// Read before, with their names.
    Given(Vec<(String, Game)>),
}

impl Games {
    /// How many there are; self-play never ends.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::SelfPlay(_) => None,
            Self::Given(games) => Some(games.len() as u64),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }
}

/// What ended the work.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The openings.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// Not enough memory for another thread's tables.
    #[error("not enough memory for the tables of {0} threads")]
    Memory(usize),
}

struct Worker {
    solver: Solver,
    searcher: Searcher,
}

impl Worker {
    fn work(&mut self, games: &Games, number: u64, wanted: &Wanted) -> Result<Vec<Puzzle>, SuiteError> {
        let played;
        let (name, game) = match games {
            Games::SelfPlay(play) => {
                played = play.game(&mut self.searcher, number)?;
                (play.name(number), &played)
            }
            Games::Given(games) => {
                // Less than the number of games, so it fits.
                let (name, game) = &games[number as usize];
                (name.clone(), game)
            }
        };
        Ok(candidates(&mut self.solver, game, &name, wanted))
    }
}

/// Looks into games, from the first that is not in the journal, until `go_on` says no or there are none left. `go_on` sees every
/// line after it is in the journal.
///
/// # Errors
/// See [`MineError`]. What was found before is in the journal.
pub fn mine(
    games: &Games,
    wanted: &Wanted,
    journal: &mut Journal,
    threads: usize,
    go_on: &mut dyn FnMut(Line) -> bool,
) -> Result<(), MineError> {
    let (next, stop) = (AtomicU64::new(journal.lines()), AtomicBool::new(false));
    let end = games.len().unwrap_or(u64::MAX);
    let mut workers = Vec::new();
    for _ in 0..threads.max(1) {
        let searcher = Searcher::new(PLAYER_MIB).map_err(|_| MineError::Memory(threads))?;
        workers.push(Worker { solver: Solver::proving(SOLVER_BYTES), searcher });
    }
    std::thread::scope(|scope| {
        // Few results wait, so that no thread runs far ahead of a slow game.
        let (sender, results) = crossbeam_channel::bounded(4 * threads.max(1));
        for mut worker in workers {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || sender.send((number, worker.work(games, number, wanted))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let done = collect(&results, journal, go_on);
        stop.store(true, Ordering::Relaxed);
        // Senders that wait for room learn that nobody listens.
        drop(results);
        done
    })
}

/// The number of a game and what is in it.
type Looked = (u64, Result<Vec<Puzzle>, SuiteError>);

/// Puts the results in order and writes them.
fn collect(
    results: &crossbeam_channel::Receiver<Looked>,
    journal: &mut Journal,
    go_on: &mut dyn FnMut(Line) -> bool,
) -> Result<(), MineError> {
    let mut early = BTreeMap::new();
    for (number, found) in results {
        early.insert(number, found?);
        while let Some(found) = early.remove(&journal.lines()) {
            let line = Line { game: journal.lines(), found };
            journal.append(&line)?;
            if !go_on(line) {
                return Ok(());
            }
        }
    }
    Ok(())
}
