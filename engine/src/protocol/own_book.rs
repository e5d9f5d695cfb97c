//! `OwnBook` and `Book File`: series played from a book, without a search.

use super::options::Options;
use crate::rules::midturn::Midturn;
use crate::search::book::{Book, Claim};
use crate::search::info::Choice;
use crate::search::levels::Level;
use crate::search::safety::Safety;
use crate::search::sight::luck;
use std::fs;
use std::sync::Arc;

impl Options {
    /// Takes a book from a file instead of the one that the engine is built with; an empty path goes back to that.
    ///
    /// # Errors
    /// There is no such file or it is no book; the book in use stays.
    pub(super) fn read_book(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.book = None;
            return Ok(());
        }
        let named = |error: &dyn std::fmt::Display| format!("Book File '{path}': {error}");
        let text = fs::read_to_string(path).map_err(|error| named(&error))?;
        self.book = Some(Arc::new(Book::parse(&text).map_err(|fault| named(&fault))?));
        Ok(())
    }

    /// The series that the book gives here, chosen by seed and position. Only at full strength: the levels are measured without a book. And not
    /// in analysis, nor where several lines are wanted.
    pub(super) fn book_choice(&self, midturn: &Midturn, level: &Level, seed: u64) -> Option<Choice> {
        let is_full = level.name == Level::full().name && !self.limits_strength();
        if !self.own_book || !is_full || self.is_analysis() || self.multi_pv > 1 {
            return None;
        }
        let book = match &self.book {
            Some(book) => book,
            None => Book::shipped(self.rules)?,
        };
        let position = midturn.position().filter(|position| position.rules() == book.rules())?;
        let line = book.pick(&position, luck(seed, midturn.key()))?;
        let safety = match line.claim {
            Claim::Wins => Safety::Won,
            Claim::Draws => Safety::Drawn,
            Claim::Safe => Safety::Safe,
            Claim::Loses(_) | Claim::Open => Safety::Unknown,
        };
        Some(Choice { series: Some(line.series.clone()), safety, ..Choice::none(line.score) })
    }
}
