//! The opening book: for positions at the start of a turn the series worth playing, with scores, and those that lose by force, with the mate.
//!
//! A book is text, one series a line, columns parted by tabs:
//!
//! ```text
//! # Crescendo book 1
//! # rules: italian
//! # losing: 2
//! fen   series   score   weight   proof
//! ```
//!
//! `fen` is the key: the position before the series. `score` is the mover's, as the protocol writes it (`cp 31`, `mate -1`). Of the series of a
//! position one is chosen at random by `weight`; those of weight 0 are never played. `proof` is a [`Claim`], which [`check`] proves again.
//! `losing: N` promises that for each position of turns 1 to N **all** series are there after which the opponent mates in the next
//! turn, one for each distinct end. Lines with `#` before the columns are remarks.
//!
//! Architecture invariant: no file is read or written here.

pub mod check;
pub mod make;
mod text;

pub use text::Fault;

use crate::rules::position::Position;
use crate::rules::table::Rules;
use crate::types::score::{Score, ScoreText};
use crate::types::series::Series;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// What is proved of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It mates. Written `wins`.
    Wins,
    /// It ends the game as a draw. Written `draws`.
    Draws,
    /// The opponent has no mate in the next turn. Written `safe`.
    Safe,
    /// The opponent mates in the next turn, with this series. Written `loses SERIES`.
    Loses(Series),
    /// Nothing: the solver's limit came first. Written `open`.
    Open,
}

/// A series of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The series, complete.
    pub series: Series,
    /// What it is worth to its mover.
    pub score: Score,
    /// How often it is chosen, compared with the others of the position; 0 = never.
    pub weight: u32,
    /// What is proved of it.
    pub claim: Claim,
}

impl Line {
    /// A line without a weight yet.
    #[must_use]
    pub const fn new(series: Series, score: Score, claim: Claim) -> Self {
        Self { series, score, weight: 0, claim }
    }

    /// Whether it is proved to lose to a mate in the next turn.
    #[must_use]
    pub const fn is_losing(&self) -> bool {
        matches!(self.claim, Claim::Loses(_))
    }
}

/// A position of a book.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The start of a turn; the game is not over.
    pub position: Position,
    /// Its series, the best first.
    pub lines: Vec<Line>,
}

/// A book for one rule set.
#[derive(Clone, Debug)]
pub struct Book {
    rules: &'static Rules,
    losing: u16,
    entries: Vec<Entry>,
    /// Place of each position by its key.
    places: FxHashMap<u64, usize>,
}

/// How many hundredths of a pawn make a series e times rarer than another.
const TEMPERATURE: f64 = 150.0;
/// The weight of the best series of a position.
const MOST: f64 = 1000.0;

impl Book {
    /// A book of these positions. Of several entries for one position the first counts.
    #[must_use]
    pub fn new(rules: &'static Rules, losing: u16, entries: Vec<Entry>) -> Self {
        let mut places = FxHashMap::default();
        for (place, entry) in entries.iter().enumerate() {
            places.entry(entry.position.key()).or_insert(place);
        }
        Self { rules, losing, entries, places }
    }

    /// The book that the engine is built with, if there is one for these rules.
    #[must_use]
    pub fn shipped(rules: &Rules) -> Option<&'static Self> {
        static BOOKS: OnceLock<Vec<Book>> = OnceLock::new();
        let read = || SHIPPED.iter().filter_map(|text| Book::parse(text).ok()).collect();
        BOOKS.get_or_init(read).iter().find(|book| book.rules.name == rules.name)
    }

    /// The rule set.
    #[must_use]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Up to this turn all losing series are named.
    #[must_use]
    pub const fn losing(&self) -> u16 {
        self.losing
    }

    /// The positions, as made: turn by turn.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What the book has on a position. The count of quiet turns does not matter.
    #[must_use]
    pub fn find(&self, position: &Position) -> Option<&Entry> {
        let entry = &self.entries[*self.places.get(&position.key())?];
        // A key may, however rarely, belong to two positions.
        (entry.position.board() == position.board()).then_some(entry)
    }

    /// Chooses a line at random by the weights: the same `luck`, the same line. None, if the book has nothing to play here.
    #[must_use]
    pub fn pick(&self, position: &Position, luck: u64) -> Option<&Line> {
        let lines = &self.find(position)?.lines;
        let total: u64 = lines.iter().map(|line| u64::from(line.weight)).sum();
        // The high half of the product: below `total`, and even.
        let mut rest = ((u128::from(luck) * u128::from(total)) >> 64) as u64;
        lines.iter().find(|line| {
            let is_it = rest < u64::from(line.weight);
            rest = rest.saturating_sub(u64::from(line.weight));
            is_it
        })
    }
}

/// The books that the engine is built with.
const SHIPPED: [&str; 2] =
    [include_str!("../../../../openings/italian.book.tsv"), include_str!("../../../../openings/scottish.book.tsv")];

/// Gives the lines of a position their weights by their scores: a series that is [`TEMPERATURE`] hundredths of a pawn worse is e times rarer. What
/// loses has none; what is not proved has none if something else is.
fn weigh(lines: &mut [Line]) {
    let is_better = |line: &Line| matches!(line.claim, Claim::Wins | Claim::Draws | Claim::Safe);
    let has_better = lines.iter().any(is_better);
    let counts = |line: &Line| is_better(line) || !has_better && line.claim == Claim::Open;
    let Some(best) = lines.iter().filter(|line| counts(line)).map(|line| value(line.score)).max() else { return };
    for line in lines {
        let behind = f64::from(best - value(line.score));
        line.weight = if counts(line) { (MOST * (-behind / TEMPERATURE).exp()).round() as u32 } else { 0 };
    }
}

/// A score on one scale with mates far outside.
fn value(score: Score) -> i32 {
    match score.text() {
        ScoreText::Cp(cp) => cp.into(),
        ScoreText::Mate(series) if series > 0 => 100_000 - i32::from(series),
        ScoreText::Mate(series) => -100_000 - i32::from(series),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ITALIAN;

    fn line(series: &str, score: i32, claim: Claim) -> Line {
        Line::new(series.parse().unwrap(), Score::cp(score), claim)
    }

    #[test]
    fn weights_follow_scores_and_proofs() {
        let mut lines = [
            line("e2e4", 30, Claim::Safe),
            line("d2d4", -10, Claim::Safe),
            line("g2g4", 500, Claim::Loses("e7e5,d8h4".parse().unwrap())),
            line("f2f3", 40, Claim::Open),
        ];
        weigh(&mut lines);
        assert_eq!(lines.each_ref().map(|line| line.weight), [1000, 766, 0, 0]);
        weigh(&mut lines[2..]);
        assert_eq!(lines.each_ref().map(|line| line.weight), [1000, 766, 0, 1000]);
    }

    #[test]
    fn luck_chooses_by_weight() {
        let position = Position::start(&ITALIAN);
        let lines = [("a2a3", 0), ("e2e4", 30), ("d2d4", 10)]
            .map(|(series, weight)| Line { weight, ..line(series, 0, Claim::Safe) })
            .to_vec();
        let book = Book::new(&ITALIAN, 0, vec![Entry { position, lines }]);
        let picked: Vec<String> = (0..400u64)
            .map(|n| book.pick(&position, n.wrapping_mul(u64::MAX / 400)).unwrap().series.to_string())
            .collect();
        let count = |series: &str| picked.iter().filter(|known| *known == series).count();
        assert_eq!(count("a2a3"), 0);
        assert!(count("e2e4").abs_diff(300) <= 2 && count("d2d4").abs_diff(100) <= 2);
        let unplayable = Book::new(&ITALIAN, 0, vec![Entry { position, lines: book.entries[0].lines[..1].to_vec() }]);
        assert_eq!(unplayable.pick(&position, 7), None);
    }
}
