//! What an attempt at a puzzle is worth.

use super::item::{Kind, SeriesFault, end_of};
use super::rescue::{END_NODES, Worth, worth};
use crescendo::rules::midturn::SeriesEnd;
use crescendo::rules::outcome::Outcome;
use crescendo::rules::position::Position;
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::series::Series;
use serde::Serialize;

/// The verdict on an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "camelCase")]
pub enum Judgment {
    /// Solved.
    Solved {
        /// With the key itself, and not with another solution.
        key: bool,
    },
    /// A move is not legal.
    Illegal {
        /// Which, from 1.
        leg: usize,
        /// Why.
        why: String,
    },
    /// Moves after the end of the turn.
    TooLong {
        /// The move that ended it, from 1.
        leg: usize,
    },
    /// Legal so far, but moves are missing.
    Incomplete {
        /// How many are due.
        left: u8,
    },
    /// A whole series that does not mate.
    NoMate,
    /// A whole series after which the opponent mates.
    Lost {
        /// With this series.
        refutation: String,
    },
    /// A whole series of which the solver cannot say whether the opponent mates.
    Undecided,
}

impl Judgment {
    /// Whether the puzzle is solved.
    #[must_use]
    pub const fn is_solved(&self) -> bool {
        matches!(self, Self::Solved { .. })
    }
}

/// Judges an attempt at the puzzle of this position and kind. Any mate solves a mate; of the rescue kinds any series solves after
/// which the opponent has no mate.
pub fn judge(solver: &mut Solver, position: &Position, kind: Kind, key: &Series, attempt: &Series) -> Judgment {
    let end = match end_of(&position.begin(), attempt) {
        Ok(end) => end,
        Err(SeriesFault::Illegal { leg, why }) => return Judgment::Illegal { leg, why },
        Err(SeriesFault::Long(leg)) => return Judgment::TooLong { leg },
        Err(SeriesFault::Short(left)) => return Judgment::Incomplete { left },
    };
    let solved = Judgment::Solved { key: attempt == key };
    if is_win(&end, position) {
        return solved;
    }
    if kind.is_mate() {
        return Judgment::NoMate;
    }
    match worth(solver, &end, END_NODES) {
        Worth::Safe | Worth::Stalemate => solved,
        Worth::Unknown => Judgment::Undecided,
        Worth::Lost => Judgment::Lost { refutation: refutation(solver, &end) },
    }
}

fn is_win(end: &SeriesEnd, position: &Position) -> bool {
    end.outcome().and_then(Outcome::winner) == Some(position.color())
}

fn refutation(solver: &mut Solver, end: &SeriesEnd) -> String {
    let SeriesEnd::Turn(next) = end else { return String::new() };
    match solver.solve(&next.begin(), &Limits::nodes(END_NODES)).verdict {
        Verdict::Mate(series) => series.to_string(),
        Verdict::NoMate | Verdict::Unknown(_) => String::new(),
    }
}
