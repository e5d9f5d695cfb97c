//! Ends of games that are no result over the board. Everything here is off unless the plan asks for it, and nothing here
//! believes what a player claims.

use crescendo::rules::game::Game;
use serde::{Deserialize, Serialize};

/// What the plan asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A game in which this turn has been played is a draw.
    pub max_turns: Option<u16>,
}

/// Why a game was ended by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// A draw, since the last turn that the plan allows has been played.
    MaxTurns,
}

impl Ruling {
    /// The word for reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::MaxTurns => "max-turns",
        }
    }
}

impl Adjudication {
    /// Judges a game that is not over, between turns.
    #[must_use]
    pub fn judge(&self, game: &Game) -> Option<Ruling> {
        let next = game.current().turn().number();
        self.max_turns.is_some_and(|max| next > max).then_some(Ruling::MaxTurns)
    }
}
