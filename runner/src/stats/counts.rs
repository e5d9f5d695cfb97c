//! Counts of games and of game pairs, as two types.
//!
//! The two games of a pair share an opening and are therefore correlated; a table of pairs carries that correlation and
//! a table of games has lost it. Mixing them up gives wrong error bars and no error message, so they are separate types
//! with no conversion between them.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// What one player takes from one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Points {
    /// 0 points: a loss.
    Zero,
    /// Half a point: a draw.
    Half,
    /// 1 point: a win.
    One,
}

impl Points {
    /// What the other player takes from the same game.
    #[must_use]
    pub const fn reversed(self) -> Points {
        match self {
            Points::Zero => Points::One,
            Points::Half => Points::Half,
            Points::One => Points::Zero,
        }
    }

    /// The points in halves, 0 to 2.
    #[must_use]
    pub const fn halves(self) -> u8 {
        self as u8
    }
}

/// Results of single games, from the first player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wdl {
    /// Games the first player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the first player lost.
    pub losses: u64,
}

impl Wdl {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of the first player.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Counts one game more.
    pub fn record(&mut self, points: Points) {
        match points {
            Points::Zero => self.losses += 1,
            Points::Half => self.draws += 1,
            Points::One => self.wins += 1,
        }
    }

    /// The same games seen from the other side.
    pub fn reversed(&self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(self, other: Wdl) -> Wdl {
        Wdl { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        *self = *self + other;
    }
}

impl Sum for Wdl {
    fn sum<I: Iterator<Item = Wdl>>(tallies: I) -> Wdl {
        tallies.fold(Wdl::default(), Add::add)
    }
}

/// Results of game pairs (one opening, colors swapped), from the first player's side: how many pairs gave
/// 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Penta(pub [u64; 5]);

impl Penta {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games, two to a pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Points of the first player over all games.
    pub fn points(&self) -> f64 {
        (0..5).map(|k| 0.5 * k as f64 * self.0[k] as f64).sum()
    }

    /// Counts one pair more, given what the first player took from its two games.
    pub fn record(&mut self, first: Points, second: Points) {
        self.0[first as usize + second as usize] += 1;
    }

    /// The same pairs seen from the other side.
    pub fn reversed(&self) -> Penta {
        let mut cells = self.0;
        cells.reverse();
        Penta(cells)
    }
}

impl Add for Penta {
    type Output = Penta;

    fn add(self, other: Penta) -> Penta {
        let mut cells = self.0;
        for (cell, more) in cells.iter_mut().zip(other.0) {
            *cell += more;
        }
        Penta(cells)
    }
}

impl AddAssign for Penta {
    fn add_assign(&mut self, other: Penta) {
        *self = *self + other;
    }
}

impl Sum for Penta {
    fn sum<I: Iterator<Item = Penta>>(tallies: I) -> Penta {
        tallies.fold(Penta::default(), Add::add)
    }
}

/// A table of results seen as a multinomial sample: independent observations (games or pairs), each with a score
/// between 0 and 1. Implemented by [`Wdl`] and [`Penta`] and by nothing else.
pub trait Tally: sealed::Sealed {
    /// The cells from the lowest score to the highest.
    fn cells(&self) -> Cells;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Wdl {}
    impl Sealed for super::Penta {}
}

impl Tally for Wdl {
    fn cells(&self) -> Cells {
        Cells {
            scores: &[0.0, 0.5, 1.0],
            counts: [self.losses, self.draws, self.wins].map(|n| n as f64).to_vec(),
            games_each: 1,
        }
    }
}

impl Tally for Penta {
    fn cells(&self) -> Cells {
        Cells { scores: &[0.0, 0.25, 0.5, 0.75, 1.0], counts: self.0.map(|n| n as f64).to_vec(), games_each: 2 }
    }
}

/// The cells of a [`Tally`]: evenly spaced scores from 0 to 1 with their counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    pub(super) scores: &'static [f64],
    pub(super) counts: Vec<f64>,
    pub(super) games_each: u32,
}

impl Cells {
    /// The number of independent observations.
    pub fn observations(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The number of games.
    pub fn games(&self) -> f64 {
        self.observations() * f64::from(self.games_each)
    }

    /// The mean score, in \[0, 1\]. Panics in debug builds if there are no observations.
    pub fn mean(&self) -> f64 {
        debug_assert!(self.observations() > 0.0, "the mean of nothing");
        self.weighted(|score| score) / self.observations()
    }

    /// The variance of one observation's score (divisor n). Panics in debug builds if there are no observations.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.weighted(|score| (score - mean).powi(2)) / self.observations()
    }

    /// Empty cells get `count`, the others stay.
    pub(super) fn with_empty_set_to(mut self, count: f64) -> Cells {
        for cell in &mut self.counts {
            if *cell == 0.0 {
                *cell = count;
            }
        }
        self
    }

    fn weighted(&self, value: impl Fn(f64) -> f64) -> f64 {
        let terms = self.scores.iter().zip(&self.counts);
        terms.map(|(&score, &count)| count * value(score)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_land_in_the_cell_of_their_points() {
        let mut penta = Penta::default();
        penta.record(Points::One, Points::Zero);
        penta.record(Points::Half, Points::Half);
        penta.record(Points::One, Points::Half);
        penta.record(Points::Zero, Points::Zero);
        assert_eq!(penta, Penta([1, 0, 2, 1, 0]));
        assert_eq!(penta.games(), 8);
        assert_eq!(penta.points(), 3.5);
        assert_eq!(penta.reversed(), Penta([0, 1, 2, 0, 1]));
    }

    #[test]
    fn games_add_up() {
        let mut wdl = Wdl::default();
        for points in [Points::One, Points::Half, Points::Zero, Points::One] {
            wdl.record(points);
        }
        let both: Wdl = [wdl, wdl.reversed()].into_iter().sum();
        assert_eq!(both.games(), 8);
        assert_eq!(both.points(), 4.0);
        assert_eq!(both.cells().mean(), 0.5);
    }
}
