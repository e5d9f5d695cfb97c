//! Turns: a player's right to move, numbered 1, 2, 3 …; White has the odd ones.

use super::Color;
use std::fmt;

/// A turn number. The color to move follows from it, so the two cannot disagree.
///
/// Turns 1 to [`Turn::LAST`] are played; turn 256 stands only for "turn 255 has been completed", which is a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn(u16);

impl Turn {
    /// White's first turn.
    pub const FIRST: Self = Self(1);
    /// The last turn that is played.
    pub const LAST: Self = Self(255);

    /// Turn `number`, if it is one that is played (1 to 255).
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number >= 1 && number <= Self::LAST.0 { Some(Self(number)) } else { None }
    }

    /// The number, 1 to 255 (256 after the last turn).
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Who moves in this turn.
    #[inline(always)]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.0 % 2 == 1 { Color::White } else { Color::Black }
    }

    /// The turn after this one; the turn after 255 is 256, and stays there.
    #[inline(always)]
    #[must_use]
    pub const fn next(self) -> Self {
        if self.0 > Self::LAST.0 { self } else { Self(self.0 + 1) }
    }

    /// Whether the game's last turn has been completed.
    #[inline(always)]
    #[must_use]
    pub const fn is_past_last(self) -> bool {
        self.0 > Self::LAST.0
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
