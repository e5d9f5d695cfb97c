//! What is in a suite of openings, in numbers.

use super::Opening;
use crescendo::types::Color;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

/// How many first series are named in the text.
const NAMED: usize = 20;

/// Counts over the openings of a suite.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    openings: u64,
    from_fen: u64,
    white_to_move: u64,
    legal: u64,
    keys: HashSet<u64>,
    turns: BTreeMap<u16, u64>,
    first: BTreeMap<String, u64>,
}

impl Summary {
    /// Counts an opening.
    pub fn add(&mut self, opening: &Opening) {
        let game = opening.game();
        let now = game.current();
        self.openings += 1;
        self.from_fen += u64::from(opening.fen.is_some());
        self.white_to_move += u64::from(now.color() == Color::White);
        self.legal += now.legal().len() as u64;
        self.keys.insert(now.key());
        *self.turns.entry(now.turn().number()).or_default() += 1;
        if let Some((_, series)) = game.turns().first() {
            *self.first.entry(series.to_string()).or_default() += 1;
        }
    }

    /// The counts in lines.
    #[must_use]
    pub fn text(&self) -> String {
        let different = self.keys.len() as u64;
        let mut text = format!("{} openings, {different} different positions", self.openings);
        if different < self.openings {
            let _ = write!(text, " ({} of them more than once)", self.openings - different);
        }
        let _ = writeln!(text, "\nfrom a FEN: {}, from the start: {}", self.from_fen, self.openings - self.from_fen);
        let _ = writeln!(
            text,
            "White to move: {}, Black to move: {}",
            self.white_to_move,
            self.openings - self.white_to_move
        );
        let mean = self.legal as f64 / self.openings.max(1) as f64;
        let _ = writeln!(text, "legal first moves: {mean:.1} on average");
        for (turn, count) in &self.turns {
            let _ = writeln!(text, "play begins with turn {turn}: {count}");
        }
        let mut first: Vec<_> = self.first.iter().collect();
        // A stable sort: equal counts stay in the order of the alphabet.
        first.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let _ = writeln!(text, "first series: {} different", first.len());
        for (series, count) in first.iter().take(NAMED) {
            let _ = writeln!(text, "  {series}: {count}");
        }
        if first.len() > NAMED {
            let _ = writeln!(text, "  and {} more", first.len() - NAMED);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::ITALIAN;

    #[test]
    fn everything_is_counted_once() {
        let mut summary = Summary::default();
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
        for line in ["e2e4", "d2d4", fen, "d2d4 e7e5,f7f6"] {
            summary.add(&Opening::parse(line, &ITALIAN).unwrap());
        }
        let text = summary.text();
        assert!(text.starts_with("4 openings, 3 different positions (1 of them more than once)\n"), "{text}");
        assert!(text.contains("from a FEN: 1, from the start: 3\nWhite to move: 1, Black to move: 3\n"), "{text}");
        assert!(
            text.contains("turn 2: 3\nplay begins with turn 3: 1\nfirst series: 2 different\n  d2d4: 2\n"),
            "{text}"
        );
    }
}
