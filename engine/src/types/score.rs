//! Scores: centipawns from the side to move, or a forced mate counted in the winner's series.

use std::fmt;
use std::ops::Neg;

/// A score from the side to move. Higher is better; mates lie outside the range of centipawns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i16);

/// What a score says, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreText {
    /// A static judgment in hundredths of a pawn.
    Cp(i16),
    /// A forced mate in so many series of the winner; negative when the side to move is mated, 0 when it is mated now.
    Mate(i16),
}

impl Score {
    /// The largest centipawn value; beyond it lie the mates.
    pub const CP_LIMIT: i16 = 29_000;
    /// A drawn game.
    pub const DRAW: Self = Self(0);
    /// The side to move is mated now.
    pub const MATED: Self = Self(-32_000);

    /// A static score; clamped so that it can never be taken for a mate.
    #[must_use]
    pub const fn cp(centipawns: i32) -> Self {
        let limit = Self::CP_LIMIT as i32;
        let value = if centipawns > limit {
            limit
        } else if centipawns < -limit {
            -limit
        } else {
            centipawns
        };
        Self(value as i16)
    }

    /// The side to move mates with its `series`-th series from now (1 = this one). Clamped to 1..=500.
    #[must_use]
    pub const fn mate_in(series: u16) -> Self {
        Self(32_000 - Self::clamp_series(series))
    }

    /// The side to move is mated by the opponent's `series`-th series from now. Clamped to 1..=500.
    #[must_use]
    pub const fn mated_in(series: u16) -> Self {
        Self(-32_000 + Self::clamp_series(series))
    }

    const fn clamp_series(series: u16) -> i16 {
        if series < 1 {
            1
        } else if series > 500 {
            500
        } else {
            series as i16
        }
    }

    /// Whether this is a forced mate for either side.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 > Self::CP_LIMIT || self.0 < -Self::CP_LIMIT
    }

    /// Centipawns or mate distance.
    #[must_use]
    pub const fn text(self) -> ScoreText {
        if self.0 > Self::CP_LIMIT {
            ScoreText::Mate(32_000 - self.0)
        } else if self.0 < -Self::CP_LIMIT {
            ScoreText::Mate(-32_000 - self.0)
        } else {
            ScoreText::Cp(self.0)
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// The protocol's form: `cp 34`, `mate 2`, `mate -1`, `mate 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            ScoreText::Cp(cp) => write!(f, "cp {cp}"),
            ScoreText::Mate(series) => write!(f, "mate {series}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_and_centipawns_stay_apart() {
        assert!(!Score::cp(i32::MAX).is_mate());
        assert!(!Score::cp(i32::MIN).is_mate());
        assert!(Score::mate_in(500) > Score::cp(i32::MAX));
        assert!(Score::mate_in(1) > Score::mate_in(2));
        assert_eq!(-Score::mate_in(3), Score::mated_in(3));
        assert_eq!(Score::mate_in(2).to_string(), "mate 2");
        assert_eq!(Score::mated_in(1).to_string(), "mate -1");
        assert_eq!(Score::MATED.to_string(), "mate 0");
        assert_eq!(Score::cp(-34).to_string(), "cp -34");
    }
}
