//! The likelihood of a pool of players and its maximum.
//!
//! Everything here is in natural log-odds. The variables are the ratings x₀ … xₙ₋₁ and, last, the advantage of White. A
//! game of i (White) against j is expected to give i `E = logistic(xᵢ - xⱼ + adv)` points and the log-likelihood is
//! `points·ln E + (1 - points)·ln(1 - E)`: Bradley and Terry's model, a draw counting as half a win and half a loss.
//! It is concave, so Newton's method with a line search finds the one maximum.

use super::elo::logistic;
use super::matrix::{Cholesky, Matrix};

/// A direction with less information than this (a millionth of a drawn game's) is one the data do not bound: the maximum
/// lies at infinity.
const LEAST_INFORMATION: f64 = 1e-6;

/// All games of one White player against one Black player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Encounter {
    pub(super) white: usize,
    pub(super) black: usize,
    pub(super) games: f64,
    /// White's points.
    pub(super) points: f64,
}

/// The information of a draw between equals: E(1 - E).
fn spread(x: f64) -> f64 {
    let e = logistic(x);
    e * (1.0 - e)
}

/// ln logistic(x), without overflow.
fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// A Gaussian prior for one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SoftAnchor {
    pub(super) player: usize,
    pub(super) rating: f64,
    /// 1 / variance.
    pub(super) precision: f64,
}

/// Likelihood and prior of a pool.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    pub(super) players: usize,
    pub(super) encounters: Vec<Encounter>,
    /// Virtual draws of each free player against the pool mean, and of White against Black.
    pub(super) prior: f64,
    pub(super) soft: Vec<SoftAnchor>,
    /// Variables that are held at a value.
    pub(super) held: Vec<Option<f64>>,
}

/// The place of the maximum and the information matrix there (the negated Hessian, inverted).
pub(super) struct Maximum {
    pub(super) x: Vec<f64>,
    pub(super) inverse: Matrix,
}

impl Posterior {
    fn advantage(&self) -> usize {
        self.players
    }

    /// Whether anything ties the ratings to a fixed scale. If not, they are relative to their mean.
    pub(super) fn is_anchored(&self) -> bool {
        !self.soft.is_empty() || self.held[..self.players].iter().any(Option::is_some)
    }

    /// Whether the prior of virtual draws is for this player: anchors have their own.
    fn has_virtual_draws(&self, player: usize) -> bool {
        self.held[player].is_none() && self.soft.iter().all(|anchor| anchor.player != player)
    }

    fn mean(&self, x: &[f64]) -> f64 {
        x[..self.players].iter().sum::<f64>() / self.players as f64
    }

    /// Expected score of White, as log-odds.
    pub(super) fn log_odds(&self, x: &[f64], white: usize, black: usize) -> f64 {
        x[white] - x[black] + x[self.advantage()]
    }

    /// The log-likelihood of the games alone.
    pub(super) fn log_likelihood(&self, x: &[f64]) -> f64 {
        let term = |e: &Encounter| {
            let odds = self.log_odds(x, e.white, e.black);
            e.points * ln_logistic(odds) + (e.games - e.points) * ln_logistic(-odds)
        };
        self.encounters.iter().map(term).sum()
    }

    fn value(&self, x: &[f64]) -> f64 {
        let virtual_draw = |d: f64| 0.5 * self.prior * (ln_logistic(d) + ln_logistic(-d));
        let mean = self.mean(x);
        let free = (0..self.players).filter(|&i| self.has_virtual_draws(i));
        let draws: f64 = free.map(|i| virtual_draw(x[i] - mean)).sum();
        let pull = |anchor: &SoftAnchor| 0.5 * anchor.precision * (x[anchor.player] - anchor.rating).powi(2);
        let pulls: f64 = self.soft.iter().map(pull).sum();
        self.log_likelihood(x) + draws + virtual_draw(x[self.advantage()]) - pulls
    }

    fn gradient(&self, x: &[f64]) -> Vec<f64> {
        let mut g = vec![0.0; self.players + 1];
        for e in &self.encounters {
            let surplus = e.points - e.games * logistic(self.log_odds(x, e.white, e.black));
            g[e.white] += surplus;
            g[e.black] -= surplus;
            g[self.advantage()] += surplus;
        }
        let virtual_draw = |d: f64| self.prior * (0.5 - logistic(d));
        let mean = self.mean(x);
        let mut sum = 0.0;
        for i in (0..self.players).filter(|&i| self.has_virtual_draws(i)) {
            let pull = virtual_draw(x[i] - mean);
            g[i] += pull;
            sum += pull;
        }
        // The mean moves with every player, so each one feels the others' pulls a little.
        for cell in &mut g[..self.players] {
            *cell -= sum / self.players as f64;
        }
        g[self.advantage()] += virtual_draw(x[self.advantage()]);
        for anchor in &self.soft {
            g[anchor.player] -= anchor.precision * (x[anchor.player] - anchor.rating);
        }
        for (cell, held) in g.iter_mut().zip(&self.held) {
            if held.is_some() {
                *cell = 0.0;
            }
        }
        g
    }

    /// Information of the games.
    pub(super) fn data_information(&self, x: &[f64]) -> Matrix {
        let mut h = Matrix::zero(self.players + 1);
        for e in &self.encounters {
            let weight = e.games * spread(self.log_odds(x, e.white, e.black));
            let signs = [(e.white, 1.0), (e.black, -1.0), (self.advantage(), 1.0)];
            for (i, a) in signs {
                for (j, b) in signs {
                    h.add(i, j, weight * a * b);
                }
            }
        }
        h
    }

    /// Information a player's own prior claims: that of its virtual draws against an equal, or its soft anchor's. Far from
    /// the mean the virtual draws carry less, but there they also decide more.
    pub(super) fn own_prior_information(&self, player: usize) -> f64 {
        let anchors = self.soft.iter().filter(|anchor| anchor.player == player);
        let soft: f64 = anchors.map(|anchor| anchor.precision).sum();
        if self.has_virtual_draws(player) { 0.25 * self.prior } else { soft }
    }

    /// Information of the prior.
    pub(super) fn prior_information(&self, x: &[f64]) -> Matrix {
        let n = self.players;
        let mut h = Matrix::zero(n + 1);
        let mean = self.mean(x);
        let draw = |i: usize| {
            if self.has_virtual_draws(i) { self.prior * spread(x[i] - mean) } else { 0.0 }
        };
        let draws: Vec<f64> = (0..n).map(draw).collect();
        let sum: f64 = draws.iter().sum();
        for i in 0..n {
            h.add(i, i, draws[i]);
            for j in 0..n {
                h.add(i, j, (sum / n as f64 - draws[i] - draws[j]) / n as f64);
            }
        }
        for anchor in &self.soft {
            h.add(anchor.player, anchor.player, anchor.precision);
        }
        h.add(n, n, self.prior * spread(x[n]));
        h
    }

    /// The information matrix, made regular: held variables are fixed and, without an anchor, so is the mean.
    fn regular_information(&self, x: &[f64]) -> Matrix {
        let n = self.players;
        let mut h = self.data_information(x);
        let prior = self.prior_information(x);
        for i in 0..=n {
            for j in 0..=n {
                h.add(i, j, prior.at(i, j));
            }
        }
        if !self.is_anchored() {
            // Weight on the direction in which all ratings rise together; the gradient has none there.
            let trace: f64 = (0..n).map(|i| h.at(i, i)).sum();
            let weight = if trace > 0.0 { trace } else { 1.0 } / (n * n).max(1) as f64;
            for i in 0..n {
                for j in 0..n {
                    h.add(i, j, weight);
                }
            }
        }
        for (k, held) in self.held.iter().enumerate() {
            if held.is_some() {
                h.fix(k);
            }
        }
        h
    }

    /// Climbs to the maximum from `start` (all zero or an earlier maximum); `None` if it lies at infinity.
    pub(super) fn maximize(&self, start: Option<&[f64]>) -> Option<Maximum> {
        let mut x = start.map_or_else(|| self.start(), <[f64]>::to_vec);
        let mut value = self.value(&x);
        for _ in 0..200 {
            let step = Cholesky::new(&self.regular_information(&x), LEAST_INFORMATION)?.solve(&self.gradient(&x));
            let largest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            let Some((next, higher)) = self.climb(&x, &step, value) else {
                break;
            };
            (x, value) = (next, higher);
            // Newton doubles the digits: the error left is of the order of the square.
            if largest < 1e-9 {
                break;
            }
        }
        let inverse = Cholesky::new(&self.regular_information(&x), LEAST_INFORMATION)?.inverse();
        Some(Maximum { inverse: self.covariance_of(inverse), x })
    }

    /// Everybody at the mean of the anchors, anchors in their places.
    fn start(&self) -> Vec<f64> {
        let held = self.held[..self.players].iter().flatten().copied();
        let anchors: Vec<f64> = held.chain(self.soft.iter().map(|anchor| anchor.rating)).collect();
        let level = anchors.iter().sum::<f64>() / anchors.len().max(1) as f64;
        let mut x = vec![level; self.players];
        x.push(0.0);
        for anchor in &self.soft {
            x[anchor.player] = anchor.rating;
        }
        for (cell, held) in x.iter_mut().zip(&self.held) {
            if let Some(value) = held {
                *cell = *value;
            }
        }
        x
    }

    /// Halves the step until it does not go down; `None` when rounding leaves nothing to gain.
    fn climb(&self, x: &[f64], step: &[f64], value: f64) -> Option<(Vec<f64>, f64)> {
        let mut length = 1.0;
        for _ in 0..40 {
            let next: Vec<f64> = x.iter().zip(step).map(|(x, s)| x + length * s).collect();
            let higher = self.value(&next);
            if higher >= value {
                return Some((next, higher));
            }
            length *= 0.5;
        }
        None
    }

    /// Held variables do not vary, and without an anchor ratings vary about their mean only.
    fn covariance_of(&self, mut inverse: Matrix) -> Matrix {
        for (k, held) in self.held.iter().enumerate() {
            if held.is_some() {
                inverse.fix(k);
                inverse.add(k, k, -1.0);
            }
        }
        if self.is_anchored() {
            return inverse;
        }
        let n = self.players;
        for by_column in [false, true] {
            for i in 0..=n {
                let at = |inverse: &Matrix, j: usize| {
                    if by_column { inverse.at(j, i) } else { inverse.at(i, j) }
                };
                let mean = (0..n).map(|j| at(&inverse, j)).sum::<f64>() / n.max(1) as f64;
                for j in 0..n {
                    let (row, column) = if by_column { (j, i) } else { (i, j) };
                    inverse.add(row, column, -mean);
                }
            }
        }
        inverse
    }
}
