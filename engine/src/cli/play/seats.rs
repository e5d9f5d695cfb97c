//! Who plays: a person or a level of the engine.

use crate::search::levels::Level;
use crate::types::Color;
use std::fmt;

/// Who plays one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Seat {
    /// A person.
    Human,
    /// The engine at this level.
    Engine(&'static Level),
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Human => "human",
            Self::Engine(level) => level.name,
        })
    }
}

/// The names of all levels, the weakest first, and of the personalities.
pub(super) fn names_of_levels() -> String {
    Level::all().iter().chain(Level::personalities()).map(|level| level.name).collect::<Vec<_>>().join(", ")
}

/// `human` or the name of a level.
pub(super) fn parse_seat(text: &str) -> Result<Seat, String> {
    if text.eq_ignore_ascii_case("human") {
        return Ok(Seat::Human);
    }
    let level = Level::by_name(text);
    level.map(Seat::Engine).ok_or_else(|| format!("'{text}' is not human or one of: {}", names_of_levels()))
}

/// The two seats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Seats {
    pub(super) white: Seat,
    pub(super) black: Seat,
}

impl Seats {
    /// Who plays this side.
    pub(super) const fn of(&self, color: Color) -> Seat {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Sets who plays: `white NAME`, `black NAME`, or a name for the one side that the engine plays.
    ///
    /// # Errors
    /// The text says neither; nothing has changed.
    pub(super) fn set(&mut self, text: &str) -> Result<(), String> {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let is_white = first.eq_ignore_ascii_case("white");
        if is_white || first.eq_ignore_ascii_case("black") {
            *(if is_white { &mut self.white } else { &mut self.black }) = parse_seat(rest.trim())?;
            return Ok(());
        }
        let seat = parse_seat(text)?;
        match (self.white, self.black) {
            (Seat::Human, Seat::Engine(_)) => self.black = seat,
            (Seat::Engine(_), Seat::Human) => self.white = seat,
            _ => return Err(format!("say which side: level white {seat} or level black {seat}")),
        }
        Ok(())
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White: {}, Black: {}", self.white, self.black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_for_the_engine() {
        let mut seats = Seats { white: Seat::Human, black: Seat::Engine(Level::full()) };
        seats.set("club player").unwrap();
        assert_eq!(seats.to_string(), "White: human, Black: Club player");
        seats.set("white Novice").unwrap();
        assert!(seats.set("Expert").unwrap_err().contains("level white Expert"));
        assert!(seats.set("black grandmaster").unwrap_err().contains("'grandmaster' is not human or one of: Novice"));
        assert_eq!(seats.to_string(), "White: Novice, Black: Club player");
    }
}
