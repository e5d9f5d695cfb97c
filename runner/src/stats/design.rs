//! Which games tell most: the choice of pairings that shrinks the widest error.
//!
//! A pair of games between `a` and `b` adds `w = Σ p (1 - p)` (in log-odds) of information on their difference. Its effect on the
//! covariance `C` is the rank-one update of Sherman and Morrison, so the variance of a quantity `cᵀr` drops by
//! `w (cᵀC d)² / (1 + w dᵀC d)` with `d` the difference of `a` and `b`. The best pairing for a quantity is the one
//! with the greatest drop; the quantity is the one of greatest variance among those wanted.

use serde::Serialize;

use super::elo::{LOG_ODDS_PER_ELO, expected_score};
use super::numeric::Z95;
use super::rating::Ratings;

/// What is to be known of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Quantity {
    /// The rating of every player but the first so many, whose ratings are known; about the mean of the pool, if nobody's is.
    Ratings {
        /// How many.
        known: usize,
    },
    /// The difference of every player and the next in the order of their numbers.
    Gaps,
}

/// What is to be known, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wanted {
    /// What.
    pub quantity: Quantity,
    /// Half the width in Elo that no 95 % interval should exceed; `None` is as well as the games allow.
    pub within: Option<f64>,
}

impl Quantity {
    /// How many quantities a pool of so many players has.
    const fn count(self, players: usize) -> usize {
        match self {
            Self::Ratings { known } => players.saturating_sub(known),
            Self::Gaps => players.saturating_sub(1),
        }
    }

    /// How many of the first players' ratings are known.
    pub const fn known(self) -> usize {
        match self {
            Self::Ratings { known } => known,
            Self::Gaps => 0,
        }
    }
}

/// What is known of a pool, and what games would add to it.
#[derive(Clone, Debug)]
pub struct Design {
    quantity: Quantity,
    ratings: Vec<f64>,
    advantage: f64,
    /// By rows, in Elo².
    covariance: Vec<f64>,
}

impl Design {
    /// What is known by a fit. Its errors should be the model's own, which depend on how much was played and not on luck.
    pub fn new(ratings: &Ratings, quantity: Quantity) -> Design {
        let n = ratings.players();
        let covariance = (0..n).flat_map(|i| (0..n).map(move |j| ratings.covariance(i, j))).collect();
        let advantage = ratings.white_advantage().elo;
        Design { quantity, ratings: (0..n).map(|i| ratings.rating(i)).collect(), advantage, covariance }
    }

    fn players(&self) -> usize {
        self.ratings.len()
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.covariance[i * self.players() + j]
    }

    /// The covariance of quantity `k` with the difference of `a` and `b`, in Elo².
    fn shared(&self, k: usize, a: usize, b: usize) -> f64 {
        let with = |i: usize| self.at(i, a) - self.at(i, b);
        match self.quantity {
            Quantity::Ratings { known } => with(known + k),
            Quantity::Gaps => with(k + 1) - with(k),
        }
    }

    /// The variance of quantity `k`, in Elo².
    fn variance(&self, k: usize) -> f64 {
        match self.quantity {
            Quantity::Ratings { known } => self.at(known + k, known + k),
            Quantity::Gaps => self.variance_of_difference(k, k + 1),
        }
    }

    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        self.at(a, a) + self.at(b, b) - 2.0 * self.at(a, b)
    }

    /// The information of a pair of games, in 1/Elo².
    fn information(&self, a: usize, b: usize) -> f64 {
        let difference = self.ratings[a] - self.ratings[b];
        let spread = |elo: f64| {
            let p = expected_score(elo);
            p * (1.0 - p)
        };
        let both = spread(difference + self.advantage) + spread(self.advantage - difference);
        both * LOG_ODDS_PER_ELO * LOG_ODDS_PER_ELO
    }

    /// The two players, the lower number first, whose pair of games is expected to shrink the widest interval most. Of
    /// equals the first is taken. Panics with fewer than two players.
    pub fn most_telling(&self) -> (usize, usize) {
        let n = self.players();
        assert!(n >= 2, "a pairing needs two players");
        let first_of_greatest = |best: (f64, usize), k: usize| {
            let variance = self.variance(k);
            if variance > best.0 { (variance, k) } else { best }
        };
        let (_, widest) = (0..self.quantity.count(n)).fold((f64::NEG_INFINITY, 0), first_of_greatest);
        let mut best = (f64::NEG_INFINITY, (0, 1));
        for b in 1..n {
            for a in 0..b {
                let w = self.information(a, b);
                let drop = w * self.shared(widest, a, b).powi(2) / (1.0 + w * self.variance_of_difference(a, b));
                if drop > best.0 {
                    best = (drop, (a, b));
                }
            }
        }
        best.1
    }

    /// Takes `pairs` pairs of games of these two as played, without a result. Panics if a player is not in the pool.
    pub fn add_pairs(&mut self, a: usize, b: usize, pairs: f64) {
        let n = self.players();
        let w = pairs * self.information(a, b);
        let column: Vec<f64> = (0..n).map(|i| self.at(i, a) - self.at(i, b)).collect();
        let factor = w / (1.0 + w * self.variance_of_difference(a, b));
        for i in 0..n {
            for j in 0..n {
                self.covariance[i * n + j] -= factor * column[i] * column[j];
            }
        }
    }
}

/// Half the width of the widest 95 % interval of what is wanted, in Elo; infinite where something cannot be compared.
pub fn widest_margin(ratings: &Ratings, quantity: Quantity) -> f64 {
    let margin = |k: usize| match quantity {
        Quantity::Ratings { known } => Z95 * ratings.std_error(known + k),
        Quantity::Gaps => ratings.difference(k, k + 1).map_or(f64::INFINITY, |gap| Z95 * gap.std_error),
    };
    (0..quantity.count(ratings.players())).map(margin).fold(0.0, f64::max)
}
