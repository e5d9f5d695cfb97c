//! A puzzle as a row of Lichess' puzzle database: <https://database.lichess.org/#puzzles>.
//!
//! The columns and their meaning are those of Lichess; only the unit differs, a series for a move. `FEN` is before the opponent's series;
//! the first item of `Moves` is that series, the second the solution; the moves of a series have commas between. The rule
//! set, the kind, the class of uniqueness and the length are themes.

use super::item::{Kind, Puzzle, Rating};
use serde::{Deserialize, Serialize};

/// The columns, in their order.
pub const COLUMNS: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// One row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Row {
    /// The name of the puzzle.
    pub puzzle_id: String,
    /// The position before the opponent's series.
    #[serde(rename = "FEN")]
    pub fen: String,
    /// The opponent's series and the key.
    pub moves: String,
    /// The rating, in points.
    pub rating: u32,
    /// The rating deviation, in points.
    pub rating_deviation: u32,
    /// 100 × (up − down) / (up + down) of people's votes; 0 without votes.
    pub popularity: i32,
    /// Attempts by people.
    pub nb_plays: u64,
    /// Words with blanks between.
    pub themes: String,
    /// The game it comes from.
    pub game_url: String,
    /// The first move of that game.
    pub opening_tags: String,
}

/// A field that is not of its form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {text}")]
pub struct FieldFault {
    /// The column.
    pub field: &'static str,
    /// What is wrong.
    pub text: String,
}

impl FieldFault {
    pub(super) fn new(field: &'static str, text: impl Into<String>) -> Self {
        Self { field, text: text.into() }
    }
}

impl Row {
    /// The row of a puzzle. One that was never rated gets Lichess' start, 1500 ± 500.
    #[must_use]
    pub fn of(puzzle: &Puzzle) -> Self {
        let Rating { rating, deviation, plays } =
            puzzle.rating.unwrap_or(Rating { rating: 1500.0, deviation: 500.0, plays: 0 });
        Self {
            puzzle_id: puzzle.id.clone(),
            fen: puzzle.fen.clone(),
            moves: format!("{} {}", puzzle.before, puzzle.key),
            // Ratings are far from the ends of the type.
            rating: rating.round().max(0.0) as u32,
            rating_deviation: deviation.round().max(0.0) as u32,
            popularity: 0,
            nb_plays: plays,
            themes: puzzle.themes.join(" "),
            game_url: puzzle.source.clone(),
            opening_tags: puzzle.opening.clone(),
        }
    }

    /// The row of these fields.
    ///
    /// # Errors
    /// All fields that are not of their form.
    pub fn parse(fields: &[&str]) -> Result<Self, Vec<FieldFault>> {
        let Ok(fields) = <&[&str; 10]>::try_from(fields) else {
            let text = format!("{} fields instead of {}", fields.len(), COLUMNS.len());
            return Err(vec![FieldFault::new(COLUMNS[fields.len().min(COLUMNS.len() - 1)], text)]);
        };
        let mut faults = Vec::new();
        let row = Self {
            puzzle_id: fields[0].to_owned(),
            fen: fields[1].to_owned(),
            moves: fields[2].to_owned(),
            rating: number(fields, 3, 0, 5000, &mut faults),
            rating_deviation: number(fields, 4, 0, 1000, &mut faults),
            popularity: number(fields, 5, -100, 100, &mut faults),
            nb_plays: number(fields, 6, 0, u64::MAX, &mut faults),
            themes: fields[7].to_owned(),
            game_url: fields[8].to_owned(),
            opening_tags: fields[9].to_owned(),
        };
        if faults.is_empty() { Ok(row) } else { Err(faults) }
    }

    /// The opponent's series and the key.
    ///
    /// # Errors
    /// There are not two items.
    pub fn series(&self) -> Result<(&str, &str), FieldFault> {
        let mut items = self.moves.split(' ');
        match (items.next(), items.next(), items.next()) {
            (Some(before), Some(key), None) if !before.is_empty() && !key.is_empty() => Ok((before, key)),
            _ => Err(FieldFault::new("Moves", "expected the opponent's series, a blank, and the solution")),
        }
    }

    /// The name of the rule set, which is one of the themes.
    ///
    /// # Errors
    /// None is, or several are.
    pub fn rules(&self) -> Result<&'static str, FieldFault> {
        let all = crescendo::rules::table::ALL;
        one("rule set", all.into_iter().map(|rules| rules.name).filter(|name| self.has_theme(name)))
    }

    /// The kind, which is one of the themes.
    ///
    /// # Errors
    /// None is, or several are.
    pub fn kind(&self) -> Result<Kind, FieldFault> {
        one("kind", Kind::ALL.into_iter().filter(|kind| self.has_theme(kind.word())))
    }

    /// Whether this word is among the themes.
    #[must_use]
    pub fn has_theme(&self, word: &str) -> bool {
        self.themes.split(' ').any(|theme| theme == word)
    }
}

/// The only one of these.
fn one<T>(what: &str, mut found: impl Iterator<Item = T>) -> Result<T, FieldFault> {
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(FieldFault::new("Themes", format!("no {what} among the themes"))),
        _ => Err(FieldFault::new("Themes", format!("more than one {what} among the themes"))),
    }
}

/// A number in a range; a field that is none adds a fault, and the value is the lower end.
fn number<T>(fields: &[&str; 10], column: usize, low: T, high: T, faults: &mut Vec<FieldFault>) -> T
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    match fields[column].parse::<T>() {
        Ok(value) if value >= low && value <= high => value,
        _ => {
            let text = format!("'{}' is not a whole number from {low} to {high}", fields[column]);
            faults.push(FieldFault::new(COLUMNS[column], text));
            low
        }
    }
}
