//! PGN for games of series: one number a series, and the padded form for ordinary readers.
//!
//! [`read::games`] reads a text game by game and never gives up on the rest because of one; [`PgnGame::canonical`] and
//! [`PgnGame::padded`] write. A game that was read is a game that was replayed: an illegal move is a [`PgnError`].

pub mod error;
pub mod read;
mod token;
mod write;

pub use error::{PgnError, PgnWarning, Place, WarningKind};

use crate::rules::game::Game;
use crate::rules::outcome::Outcome;
use std::fmt;

/// A game with what PGN says about it.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Tag pairs as read or set. `Result`, `Variant`, `SetUp`, `FEN`, `SeriesCount` and `PlyCount` are written from the game.
    pub tags: Vec<(String, String)>,
    /// The moves, from the start or a position.
    pub game: Game,
    /// Comments; any order, written in the order of their places.
    pub comments: Vec<Comment>,
    /// Annotation glyphs; any order, written in the order of their places, before the comments there.
    pub nags: Vec<Nag>,
    /// The result: of the game, or by resignation, forfeit, agreement.
    pub result: PgnResult,
    /// What was odd about the text.
    pub warnings: Vec<PgnWarning>,
}

/// A comment and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// How many single moves of the game stand before it.
    pub after: usize,
    /// The text. Line breaks and runs of blanks count as one blank; braces become parentheses when written.
    pub text: String,
}

/// A numeric annotation glyph, `$4`, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nag {
    /// How many single moves of the game stand before it.
    pub after: usize,
    /// PGN's number: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, and so on to 255.
    pub code: u8,
}

/// A result as PGN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    Open,
}

impl PgnResult {
    /// The result of this text, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "1-0" => Self::White,
            "0-1" => Self::Black,
            "1/2-1/2" | "1/2" | "½-½" => Self::Draw,
            "*" => Self::Open,
            _ => return None,
        })
    }

    /// PGN's text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }
}

impl From<Option<Outcome>> for PgnResult {
    fn from(outcome: Option<Outcome>) -> Self {
        outcome.and_then(|outcome| Self::parse(outcome.result())).unwrap_or(Self::Open)
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl PgnGame {
    /// A game without tags and comments; the result is that of the board.
    #[must_use]
    pub fn new(game: Game) -> Self {
        let result = game.outcome().into();
        let (tags, comments, nags, warnings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { tags, game, comments, nags, result, warnings }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in place if it is there.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.into(), value.into())),
        }
    }

    /// Adds a comment after so many single moves (0 = before the first).
    pub fn add_comment(&mut self, after: usize, text: impl Into<String>) {
        self.comments.push(Comment { after, text: text.into() });
    }
}

#[cfg(test)]
mod tests;
