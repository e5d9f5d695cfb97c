//! Engines that play a series move by move: what they are told and asked instead.
//!
//! `flat` writes all moves in one row and asks again for each move of a series. `fairy` is what engines for many variants make of
//! progressive chess: ordinary alternate moves, where the opponent has to pass (`0000`) between two moves of a series. Turn n
//! then begins after (n − 1)² single moves, which is what the full-move number of a FEN says.

use crescendo::rules::game::Game;
use crescendo::rules::midturn::Progress;
use crescendo::rules::outcome::Outcome;
use std::fmt::Write as _;
use std::str::FromStr;

/// How a series is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Whole, as our protocol has it.
    #[default]
    Series,
    /// One move at a time.
    Flat,
    /// One move at a time, with passes of the opponent between them.
    Fairy,
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "series" => Ok(Self::Series),
            "flat" => Ok(Self::Flat),
            "fairy" => Ok(Self::Fairy),
            other => Err(format!("unknown '{other}'; one of series, flat, fairy")),
        }
    }
}

impl Dialect {
    /// A `position` line of our protocol in this dialect, with the moves of a series in progress after it.
    #[must_use]
    pub fn position(self, line: &str, begun: &[String]) -> String {
        if self == Self::Series {
            return line.to_owned();
        }
        let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let place = if self == Self::Fairy { fairy_place(place) } else { place.to_owned() };
        let between = if self == Self::Fairy { " 0000 " } else { " " };
        let mut row: Vec<String> = moves.split_whitespace().map(|series| series.replace(',', between)).collect();
        if !begun.is_empty() {
            // After the last move so far the opponent passes too: the same player is to move.
            let pass = if self == Self::Fairy { " 0000" } else { "" };
            row.push(begun.join(between) + pass);
        }
        if row.is_empty() { place } else { format!("{place} moves {}", row.join(" ")) }
    }
}

/// A FEN of ours as engines with alternate moves read it: one en passant square and their full-move number.
fn fairy_place(place: &str) -> String {
    let Some(fen) = place.strip_prefix("position fen ") else { return place.to_owned() };
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    if let Some(targets) = fields.get_mut(3) {
        *targets = targets.split(',').next().unwrap_or("-").chars().take(2).collect();
    }
    if let Some(turn) = fields.get(5).and_then(|turn| turn.parse::<u64>().ok()) {
        fields[5] = (turn.saturating_sub(1).pow(2) / 2 + 1).to_string();
    }
    let mut line = "position fen".to_owned();
    for field in fields.iter().take(6) {
        let _ = write!(line, " {field}");
    }
    line
}

/// Whether the series goes on after this move; an illegal move ends it, for the referee to see.
#[must_use]
pub fn goes_on(game: &mut Game, leg: &str) -> bool {
    let before: Option<Outcome> = game.outcome();
    let progress = leg.parse().ok().and_then(|mv| game.play(mv).ok());
    before.is_none() && progress == Some(Progress::More)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_stand_between_the_moves_of_a_series() {
        let line = "position startpos moves e2e4 e7e5,g8f6";
        let begun = ["f1c4".to_owned(), "d1h5".to_owned()];
        assert_eq!(Dialect::Series.position(line, &[]), line);
        assert_eq!(Dialect::Flat.position(line, &begun), "position startpos moves e2e4 e7e5 g8f6 f1c4 d1h5");
        assert_eq!(
            Dialect::Fairy.position(line, &begun),
            "position startpos moves e2e4 e7e5 0000 g8f6 f1c4 0000 d1h5 0000"
        );
        assert_eq!(Dialect::Fairy.position("position startpos", &[]), "position startpos");
        // Turn 4 begins after nine single moves.
        let fen = "position fen 4k3/8/8/8/8/8/8/4K3 b - e3,d3 0 4 2";
        assert_eq!(Dialect::Fairy.position(fen, &[]), "position fen 4k3/8/8/8/8/8/8/4K3 b - e3 0 5");
    }
}
