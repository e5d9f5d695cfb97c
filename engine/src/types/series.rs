//! A series: the moves played in one turn, or in what is left of it.

use super::moves::{Move, MoveSyntax};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// The moves of one turn in the order played, in White's view. Written with commas: `f1c4,d1h5,h5f7`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Series(Vec<Move>);

impl Series {
    /// A series of these moves.
    #[must_use]
    pub const fn new(moves: Vec<Move>) -> Self {
        Self(moves)
    }

    /// Adds a move at the end.
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

impl Deref for Series {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl FromIterator<Move> for Series {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mv) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            fmt::Display::fmt(mv, f)?;
        }
        Ok(())
    }
}

impl FromStr for Series {
    type Err = MoveSyntax;

    fn from_str(text: &str) -> Result<Self, MoveSyntax> {
        text.split(',').map(str::parse).collect::<Result<Vec<_>, _>>().map(Self)
    }
}
