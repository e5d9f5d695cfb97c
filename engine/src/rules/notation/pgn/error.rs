//! What can be wrong, or odd, in a PGN text.

use super::PgnResult;
use crate::rules::setup::SetupWarning;
use std::fmt;

/// Why a game could not be read. The other games of the text are not concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// The line of the fault, from 1.
    pub line: usize,
    /// Where in the game, if it is about a move.
    pub place: Option<Place>,
    /// The reason, without turn and leg.
    pub reason: String,
}

/// A move's place in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The turn.
    pub turn: u16,
    /// Which move of its series, from 1.
    pub leg: u8,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {} leg {}", self.turn, self.leg)
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} line {}", self.game, self.line)?;
        match self.place {
            Some(place) => write!(f, " {place}: {}", self.reason),
            None => write!(f, ": {}", self.reason),
        }
    }
}

impl std::error::Error for PgnError {}

/// Something odd in a game that could be read all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnWarning {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub kind: WarningKind,
}

impl fmt::Display for PgnWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

/// Kinds of oddities.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WarningKind {
    /// A move number that is not the turn's.
    #[error("{}: the number {written} is wrong", .at)]
    Number {
        /// Before which move.
        at: Place,
        /// The number as written.
        written: u16,
    },
    /// A tag value with quotes that are not escaped.
    #[error("tag {0}: quotes in a value must be escaped")]
    Quotes(String),
    /// A tag that stands twice; the first counts.
    #[error("tag {0} stands twice")]
    TwiceTag(String),
    /// The position was mended.
    #[error(transparent)]
    Setup(SetupWarning),
    /// Tag and end of the moves disagree; the latter counts.
    #[error("the Result tag says {tag}, the moves end with {text}")]
    ResultTag {
        /// The tag.
        tag: PgnResult,
        /// The marker.
        text: PgnResult,
    },
    /// The marker at the end is missing.
    #[error("no result at the end of the moves")]
    NoResult,
    /// The board says otherwise. The result as written is kept.
    #[error("the result is given as {written}, but the board says {played}")]
    Contradiction {
        /// The text's.
        written: PgnResult,
        /// The board's, with its reason.
        played: crate::rules::outcome::Outcome,
    },
    /// Variations are not kept.
    #[error("variations are skipped")]
    Variations,
}

impl WarningKind {
    /// Whether the game says something untrue, so that a checker must not pass it. `*` claims nothing.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        matches!(self, Self::Contradiction { written, .. } if written.is_final())
    }
}
