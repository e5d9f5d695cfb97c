//! Suites of openings: text files with an opening a line.
//!
//! A line is `series series … [; comment]`, or a FEN, perhaps with `moves series series …` behind it. Lines that are empty or
//! begin with `;` or `#` are comments. EPD with the number of the turn (`fmvn 4;`) is read as the FEN that it is.

pub mod balance;
mod epd;
mod games;
pub mod suite;
pub mod summary;

use crescendo::rules::fen;
use crescendo::rules::game::{Game, PlayError};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::Rules;
use crescendo::types::moves::Move;

/// The moves before the first question of a game.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The line of the file, or the number of its game, from 1.
    pub line: Option<usize>,
    /// The position it is told from, if not the start of the game.
    pub fen: Option<String>,
    game: Game,
}

/// Why a line is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// The FEN is bad.
    #[error("{0}; a FEN here has 6 fields, the last the turn number (odd = White to move)")]
    Fen(fen::FenError),
    /// The EPD is bad.
    #[error("EPD: {0}")]
    Epd(String),
    /// Text that is no move.
    #[error("'{0}' is no move; write the moves of a turn with commas and blanks between turns, as in e2e4 e7e5,f7f6")]
    Syntax(String),
    /// A move the rules do not allow.
    #[error("turn {0} leg {1} '{2}': {3}")]
    Illegal(u16, usize, Move, PlayError),
    /// A turn with too few moves.
    #[error("turn {0} ends after {1} moves, but {2} more are due; openings end with a whole turn")]
    Short(u16, usize, u8),
    /// A turn with too many moves.
    #[error("turn {0} is over with leg {1}; write a blank, not a comma, before the next turn")]
    Long(u16, usize),
    /// Nothing would be left to play.
    #[error("the game is over with this opening ({0}); an opening must leave something to play")]
    Over(crescendo::rules::outcome::Outcome),
}

impl Opening {
    /// The start of the game.
    #[must_use]
    pub fn none(rules: &'static Rules) -> Self {
        Self { line: None, fen: None, game: Game::new(rules) }
    }

    /// Reads one line without its comment.
    ///
    /// # Errors
    /// See [`LineFault`].
    pub fn parse(text: &str, rules: &'static Rules) -> Result<Self, LineFault> {
        if epd::is_epd(text) {
            // What comes back has a number where EPD has a name.
            return Self::parse(&epd::fen(text)?, rules);
        }
        let (fen, moves) = match text.split_once(" moves ") {
            Some((fen, moves)) => (Some(fen.trim()), moves),
            None if text.contains('/') => (Some(text.trim()), ""),
            None => (None, text),
        };
        let fen = fen.filter(|fen| *fen != "startpos");
        let mut game = match fen {
            None => Game::new(rules),
            Some(fen) => Game::from_entry(fen::read(fen, rules, Strictness::Strict).map_err(LineFault::Fen)?.0),
        };
        for series in moves.split_whitespace() {
            play_series(&mut game, series)?;
        }
        match game.outcome() {
            Some(outcome) => Err(LineFault::Over(outcome)),
            None => Ok(Self { line: None, fen: fen.map(str::to_owned), game }),
        }
    }

    /// The game after the opening.
    #[must_use]
    pub fn game(&self) -> Game {
        self.game.clone()
    }

    /// How many series it has.
    #[must_use]
    pub fn series(&self) -> usize {
        self.game.turns().len()
    }

    /// The protocol's `position` line.
    #[must_use]
    pub fn position_line(&self) -> String {
        let mut line = match &self.fen {
            None => "position startpos".to_owned(),
            Some(fen) => format!("position fen {fen}"),
        };
        for (number, (_, series)) in self.game.turns().iter().enumerate() {
            line += if number == 0 { " moves " } else { " " };
            line += &series.to_string();
        }
        line
    }
}

/// Plays one whole turn.
fn play_series(game: &mut Game, series: &str) -> Result<(), LineFault> {
    let turn = game.current().turn();
    let mut legs = 0;
    for text in series.split(',') {
        if game.current().turn() != turn {
            return Err(LineFault::Long(turn.number(), legs));
        }
        legs += 1;
        let mv: Move = text.parse().map_err(|_| LineFault::Syntax(text.to_owned()))?;
        game.play(mv).map_err(|error| LineFault::Illegal(turn.number(), legs, mv, error))?;
    }
    if game.outcome().is_none() && game.current().turn() == turn {
        return Err(LineFault::Short(turn.number(), legs, game.current().left()));
    }
    Ok(())
}

/// The text of a line that counts, without its comment; of EPD, the line.
#[must_use]
pub fn content(line: &str) -> Option<&str> {
    let line = line.trim();
    let text = if epd::is_epd(line) { line } else { line.split(';').next().unwrap_or_default().trim() };
    (!text.is_empty() && !text.starts_with('#')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::SCOTTISH;

    #[test]
    fn a_check_may_end_a_turn_early() {
        assert!(Opening::parse("e2e4 f7f5,e7e6 d1h5", &SCOTTISH).is_ok());
    }
}
