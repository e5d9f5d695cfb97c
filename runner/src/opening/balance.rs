//! How White fared after each opening of a suite, and which openings give both colors a chance.
//!
//! In progressive chess many openings are won for one color between equals: both games of a pair end alike, whoever plays it, and the pair tells
//! nothing of the players. A match on openings that are balanced by played games needs fewer pairs.

use super::Opening;
use crate::stats::counts::{Points, Wdl};
use crescendo::rules::game::Game;
use crescendo::rules::midturn::SeriesEnd;
use std::collections::HashMap;

/// White's results by opening. Games are matched by the position after the opening, however they came there.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    by_position: HashMap<u64, usize>,
    white: Vec<Wdl>,
    /// The most series an opening has.
    longest: usize,
    /// Games that began with none of the openings.
    pub strangers: u64,
}

/// How far White's share of the points is from a half, from 0 to 0.5; 0 without games. Computed from whole numbers, so that openings that are
/// as far from even as each other compare equal.
#[must_use]
pub fn tilt(white: &Wdl) -> f64 {
    match white.games() {
        0 => 0.0,
        games => white.wins.abs_diff(white.losses) as f64 / (2 * games) as f64,
    }
}

impl Balance {
    /// Adds an opening; they are numbered from 0. Of openings with one position the first counts.
    pub fn add_opening(&mut self, opening: &Opening) {
        self.longest = self.longest.max(opening.series());
        self.by_position.entry(opening.game().current().key()).or_insert(self.white.len());
        self.white.push(Wdl::default());
    }

    /// Counts a game with White's points. Its opening has `book` series; where that is not known, it is the longest one with which it begins.
    pub fn add_game(&mut self, game: &Game, book: Option<usize>, points: Points) {
        match self.opening_of(game, book) {
            Some(number) => self.white[number].record(points),
            None => self.strangers += 1,
        }
    }

    fn opening_of(&self, game: &Game, book: Option<usize>) -> Option<usize> {
        let mut now = *game.start();
        let (mut found, mut series) = (self.by_position.get(&now.key()), game.turns().iter());
        for _ in 0..book.unwrap_or(self.longest) {
            let end = series.next().and_then(|(_, series)| now.end_of(series));
            let Some(SeriesEnd::Turn(next)) = end else { break };
            now = next.begin();
            let here = self.by_position.get(&now.key());
            found = if book.is_some() { here } else { here.or(found) };
        }
        found.copied()
    }

    /// White's results by opening.
    #[must_use]
    pub fn white(&self) -> &[Wdl] {
        &self.white
    }

    /// The numbers of at most `most` openings of at least `least` games in which White's score is at most `within` from even: the most even, in
    /// the order of the suite.
    #[must_use]
    pub fn even(&self, least: u64, within: f64, most: usize) -> Vec<usize> {
        let is_even = |&i: &usize| self.white[i].games() >= least && tilt(&self.white[i]) <= within;
        let mut even: Vec<usize> = (0..self.white.len()).filter(is_even).collect();
        // A stable sort: of equals the first of the suite.
        even.sort_by(|&a, &b| tilt(&self.white[a]).total_cmp(&tilt(&self.white[b])));
        even.truncate(most);
        even.sort_unstable();
        even
    }
}
