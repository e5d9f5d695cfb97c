//! How games end.

use crate::types::Color;
use std::fmt;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Somebody has won.
    Win {
        /// Who.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// Nobody has won.
    Draw(DrawBy),
}

/// Ways to win over the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinBy {
    /// In check at the start of a turn, and no move ends the check.
    Mate,
    /// In check, and every parry would itself give check too early (Italian check rule).
    ItalianMate,
    /// Every enemy man has been captured (take-all).
    TakeAll,
}

/// Ways to draw over the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawBy {
    /// No legal move and not in check, also in mid-series.
    Stalemate,
    /// Too few men are left for anybody to mate.
    Material,
    /// Ten turns (Marseillais: 100) without a capture or a pawn move, and the turn granted for a mate is over.
    TenTurns,
    /// The position stood for the third time (Marseillais).
    Repetition,
    /// Turn 255 has been completed.
    TurnLimit,
}

impl Outcome {
    /// Who has won, if anybody.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw(_) => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The reason in the protocol's word: `mate`, `italian-mate`, `takeall`, `stalemate`, `material`, `ten-turns`, `repetition`, `turn-limit`.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Win { by: WinBy::Mate, .. } => "mate",
            Self::Win { by: WinBy::ItalianMate, .. } => "italian-mate",
            Self::Win { by: WinBy::TakeAll, .. } => "takeall",
            Self::Draw(DrawBy::Stalemate) => "stalemate",
            Self::Draw(DrawBy::Material) => "material",
            Self::Draw(DrawBy::TenTurns) => "ten-turns",
            Self::Draw(DrawBy::Repetition) => "repetition",
            Self::Draw(DrawBy::TurnLimit) => "turn-limit",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.result(), self.reason())
    }
}
