//! How White fared after each opening of a suite, and which openings give both colors a chance.
//!
//! In progressive chess many openings are won for one color between equals: both games of a pair end alike, whoever plays it, and the pair tells
//! nothing of the players. A match on openings that are balanced by played games needs fewer pairs.

use super::Opening;
use crate::stats::counts::Points;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::SeriesEnd;
use std::collections::HashMap;

/// White's results after one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fared {
    /// Games with a result.
    pub games: u64,
    /// White's half points in them.
    pub halves: u64,
}

impl Fared {
    /// White's share of the points, from 0 to 1; 0.5 without games.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games == 0 { 0.5 } else { self.halves as f64 / (2 * self.games) as f64 }
    }

    /// How far the score is from even, from 0 to 0.5.
    #[must_use]
    pub fn tilt(&self) -> f64 {
        (self.score() - 0.5).abs()
    }
}

/// White's results by opening. Games are matched by the position after the opening, however they came there.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    by_position: HashMap<u64, usize>,
    fared: Vec<Fared>,
    /// The most series an opening has: no game is looked at beyond.
    longest: usize,
    /// Games that began with none of the openings.
    pub strangers: u64,
}

impl Balance {
    /// Adds an opening; they are numbered from 0. Of openings with one position the first counts.
    pub fn add_opening(&mut self, opening: &Opening) {
        self.longest = self.longest.max(opening.series());
        self.by_position.entry(opening.game().current().key()).or_insert(self.fared.len());
        self.fared.push(Fared::default());
    }

    /// Counts a game with White's points.
    pub fn add_game(&mut self, game: &Game, points: Points) {
        match self.opening_of(game) {
            Some(number) => {
                self.fared[number].games += 1;
                self.fared[number].halves += u64::from(points.halves());
            }
            None => self.strangers += 1,
        }
    }

    fn opening_of(&self, game: &Game) -> Option<usize> {
        let mut now = *game.start();
        if let Some(&number) = self.by_position.get(&now.key()) {
            return Some(number);
        }
        for (_, series) in game.turns().iter().take(self.longest) {
            let Some(SeriesEnd::Turn(next)) = now.end_of(series) else { return None };
            now = next.begin();
            if let Some(&number) = self.by_position.get(&now.key()) {
                return Some(number);
            }
        }
        None
    }

    /// The results by opening.
    #[must_use]
    pub fn fared(&self) -> &[Fared] {
        &self.fared
    }

    /// The numbers of at most `most` openings of at least `least` games in which White's score is at most `within` from even: the most even, in
    /// the order of the suite.
    #[must_use]
    pub fn even(&self, least: u64, within: f64, most: usize) -> Vec<usize> {
        let is_even = |&i: &usize| self.fared[i].games >= least && self.fared[i].tilt() <= within;
        let mut even: Vec<usize> = (0..self.fared.len()).filter(is_even).collect();
        // A stable sort: of equals the first of the suite.
        even.sort_by(|&a, &b| self.fared[a].tilt().total_cmp(&self.fared[b].tilt()));
        even.truncate(most);
        even.sort_unstable();
        even
    }
}
