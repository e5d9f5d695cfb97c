//! Turns that are hard to survive: in how many does the search find a series after which the opponent is proved to have no mate?

use super::mate_suite::{TABLE_BYTES, thread_time};
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::rules::position::Position;
use crate::search::beam::enumerate;
use crate::search::limits::Pace;
use crate::solver::{Limits, Solver, Verdict};
use crate::types::series::Series;
use std::time::Duration;

/// A pace by the processor time of the thread that searches, so that a loaded machine measures the same.
pub(crate) struct ThreadPace {
    begun: Duration,
    budget: Duration,
}

impl ThreadPace {
    /// A budget that begins now; for a search on the thread that calls.
    pub(crate) fn new(budget: Duration) -> Self {
        Self { begun: thread_time(), budget }
    }
}

impl Pace for ThreadPace {
    fn used(&self) -> f64 {
        thread_time().saturating_sub(self.begun).as_secs_f64() / self.budget.as_secs_f64().max(1e-6)
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Whether the opponent has a mate after this series. `None`: the node limit came first. False, if the game is over then and not lost.
pub(crate) fn leaves_mate(midturn: &Midturn, series: &Series, nodes: u64) -> Option<bool> {
    match midturn.end_of(series) {
        Some(SeriesEnd::Turn(position)) => has_mate(&position, nodes),
        Some(SeriesEnd::Game(_)) | None => Some(false),
    }
}

fn has_mate(position: &Position, nodes: u64) -> Option<bool> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome.winner() == Some(position.color()));
    }
    match Solver::new(TABLE_BYTES).solve(&position.begin(), &Limits::nodes(nodes)).verdict {
        Verdict::Mate(_) => Some(true),
        Verdict::NoMate => Some(false),
        Verdict::Unknown(_) => None,
    }
}

/// What trying every series says about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    /// After each of so many distinct ends the opponent mates.
    Lost(usize),
    /// This many ends were judged before one was safe.
    Savable(usize),
    /// There are more ends than were to be tried, or one resisted the solver.
    Open,
}

/// Tries every distinct end of the turn, if there are at most `most`, within `nodes` for each.
pub(crate) fn truth(midturn: &Midturn, most: usize, nodes: u64) -> Truth {
    let Some(ends) = enumerate(midturn, most) else { return Truth::Open };
    let mut is_open = false;
    for (i, end) in ends.iter().enumerate() {
        match if end.is_drawn { Some(false) } else { has_mate(&end.next_position(), nodes) } {
            Some(true) => {}
            Some(false) => return Truth::Savable(i + 1),
            None => is_open = true,
        }
    }
    if is_open { Truth::Open } else { Truth::Lost(ends.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    fn midturn(text: &str) -> Midturn {
        fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().0.midturn()
    }

    #[test]
    fn a_mate_that_is_left_shows() {
        let after_e4 = midturn("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        assert_eq!(leaves_mate(&after_e4, &"e7e5,g8f6".parse().unwrap(), u64::MAX), Some(true));
        assert_eq!(leaves_mate(&after_e4, &"d7d5,b8c6".parse().unwrap(), u64::MAX), Some(false));
        assert_eq!(leaves_mate(&after_e4, &"e7e5,g8f6".parse().unwrap(), 1), None);
    }

    #[test]
    fn the_truth_is_told_only_where_everything_was_tried() {
        // One of the hard turns of the golden data; a queen against a bare king.
        let lost = midturn("8/8/8/1Q6/8/4K3/1k6/6N1 b - - 0 12");
        assert!(matches!(truth(&lost, 100_000, u64::MAX), Truth::Lost(ends) if ends > 1));
        assert_eq!(truth(&lost, 1, u64::MAX), Truth::Open);
        assert!(matches!(truth(&midturn("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 100, u64::MAX), Truth::Savable(1)));
    }
}
