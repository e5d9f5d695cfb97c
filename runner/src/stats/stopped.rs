//! The Elo after a sequential test.
//!
//! A test stops when the score happens to be far out, so the plain Elo of a stopped test is biased away from the
//! middle. The estimate here is median-unbiased: the difference at which the outcome seen would have been the
//! median. The log-likelihood ratio is taken for a Brownian motion between two absorbing bounds; outcomes are ordered from a
//! quick acceptance of H0, through undecided ratios, to a quick acceptance of H1.
//!
//! Sources: fishtest for the idea and the ordering; Siegmund, *Sequential Analysis*; Van den Bergh,
//! *GSPRT approximation*, for drift and variance of the ratio.

use std::f64::consts::PI;

use serde::Serialize;

use super::counts::{Cells, Tally};
use super::elo::{Interval, NORMALIZED_ELO_PER_SIGMA, expected_score, game_deviation};
use super::numeric::{exp_times_normal_cdf, falling_root, normal_cdf};
use super::sprt::{EMPTY_CELL, EloScale, Sprt};

/// Estimates are sought within ± this many Elo; at the limit the data give no bound.
pub const SEARCH_LIMIT: f64 = 1000.0;

/// The Elo of a match that a sequential test watched, stopped or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StoppedElo {
    /// The median-unbiased difference in logistic Elo, within ± [`SEARCH_LIMIT`].
    pub elo: f64,
    /// Its 95 % interval in logistic Elo; an end at ± [`SEARCH_LIMIT`] is no bound.
    pub interval: Interval,
    /// The confidence, in \[0, 1\], that the first player is the stronger one.
    pub los: f64,
}

/// Estimates the difference from the table at which `sprt` was stopped (or is now), without the bias of stopping.
pub fn elo_after_sprt(sprt: &Sprt, tally: &impl Tally) -> StoppedElo {
    let path = Path::new(sprt, &tally.cells().with_empty_set_to(EMPTY_CELL));
    let elo_at = |chance: f64| {
        falling_root(-SEARCH_LIMIT, SEARCH_LIMIT, |elo| path.chance_of_worse(expected_score(elo)) - chance)
    };
    StoppedElo {
        elo: elo_at(0.5),
        interval: Interval { low: elo_at(0.975), high: elo_at(0.025) },
        los: path.chance_of_worse(0.5),
    }
}

/// The path of the log-likelihood ratio, as far as it was seen.
struct Path {
    score0: f64,
    score1: f64,
    mean: f64,
    variance: f64,
    lower: f64,
    upper: f64,
    /// Where the ratio ended, inside or on the bounds.
    end: f64,
    /// Observations until then.
    time: f64,
}

impl Path {
    fn new(sprt: &Sprt, cells: &Cells) -> Path {
        let score_of = |elo: f64| match sprt.scale() {
            EloScale::Logistic => expected_score(elo),
            EloScale::Normalized => 0.5 + elo / NORMALIZED_ELO_PER_SIGMA * game_deviation(cells),
        };
        let mut path = Path {
            score0: score_of(sprt.elo0()),
            score1: score_of(sprt.elo1()),
            mean: cells.mean(),
            variance: cells.variance(),
            lower: sprt.lower_bound(),
            upper: sprt.upper_bound(),
            end: 0.0,
            time: cells.observations(),
        };
        let slope = path.drift_and_variance(path.mean).0;
        // The last step overshot the bound: put the end on it, at the time the path met it.
        path.end = (slope * path.time).clamp(path.lower, path.upper);
        if path.end == path.lower || path.end == path.upper {
            path.time = path.end / slope;
        }
        path
    }

    /// Drift and variance of the ratio per observation if the true score is `score`.
    fn drift_and_variance(&self, score: f64) -> (f64, f64) {
        let width = self.score1 - self.score0;
        let drift = (score - 0.5 * (self.score0 + self.score1)) * width / self.variance;
        (drift, width * width / self.variance)
    }

    /// The chance, if the true score is `score`, of an outcome worse than the one seen: H0 accepted earlier, or a lower
    /// ratio at this time, or (after a pass) everything but an earlier pass.
    fn chance_of_worse(&self, score: f64) -> f64 {
        let (drift, variance) = self.drift_and_variance(score);
        let width = self.upper - self.lower;
        let tilt = drift / variance;
        let is_early = variance * self.time < 1e-2 * width * width;
        let chance = if is_early || (tilt * width).abs() > 15.0 {
            self.by_reflection(drift, variance)
        } else {
            self.by_eigenfunctions(drift, variance)
        };
        chance.clamp(0.0, 1.0)
    }

    /// Sum over the eigenfunctions of the interval, exact; slow for short times.
    fn by_eigenfunctions(&self, drift: f64, variance: f64) -> f64 {
        let width = self.upper - self.lower;
        let (start, end) = (-self.lower, self.end - self.lower);
        let tilt = drift / variance;
        // The chance of ever meeting the lower bound first.
        let ruin = if (tilt * width).abs() < 1e-8 {
            1.0 - start / width
        } else {
            ((-2.0 * tilt * start).exp() - (-2.0 * tilt * width).exp()) / -(-2.0 * tilt * width).exp_m1()
        };
        let scale = 2.0 / width * (tilt * (end - start)).exp();
        let mut sum = 0.0;
        for n in 1..10_000 {
            let k = f64::from(n) * PI / width;
            let rate = 0.5 * variance * (k * k + tilt * tilt);
            let decay = scale * (-rate * self.time).exp();
            sum += decay * (k * start).sin() * (tilt * (k * end).sin() - k * (k * end).cos()) / (k * k + tilt * tilt);
            if decay < 1e-13 * k {
                break;
            }
        }
        ruin + sum
    }

    /// One reflection at each bound (Siegmund): enough while hardly any path has met both.
    fn by_reflection(&self, drift: f64, variance: f64) -> f64 {
        let spread = (variance * self.time).sqrt();
        let middle = drift * self.time;
        let twice_tilt = 2.0 * drift / variance;
        let plain = normal_cdf((self.end - middle) / spread);
        let met_lower = exp_times_normal_cdf(twice_tilt * self.lower, (2.0 * self.lower - self.end + middle) / spread);
        let met_upper = exp_times_normal_cdf(twice_tilt * self.upper, (self.end - 2.0 * self.upper - middle) / spread);
        plain + met_lower - met_upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counts::Penta;

    fn path(end: f64, time: f64) -> Path {
        Path { score0: 0.5, score1: 0.51, mean: 0.505, variance: 0.1, lower: -3.0, upper: 3.0, end, time }
    }

    #[test]
    fn both_ways_to_sum_agree_where_both_hold() {
        for score in [0.497, 0.503, 0.51] {
            let path = path(0.7, 900.0);
            let (drift, variance) = path.drift_and_variance(score);
            let exact = path.by_eigenfunctions(drift, variance);
            assert!((exact - path.by_reflection(drift, variance)).abs() < 1e-6, "{score}");
        }
    }

    #[test]
    fn a_better_player_seldom_ends_worse() {
        let path = path(1.2, 8000.0);
        let chances: Vec<f64> = (0..200).map(|k| path.chance_of_worse(0.4 + 0.001 * f64::from(k))).collect();
        assert!(chances.windows(2).all(|two| two[0] >= two[1] - 1e-9));
    }

    #[test]
    fn empty_and_one_sided_tables_stay_within_the_limit() {
        let sprt = Sprt::new(0.0, 5.0, EloScale::Normalized, 0.05, 0.05).unwrap();
        for cells in [[0; 5], [0, 0, 0, 0, 50], [50, 0, 0, 0, 0], [0, 0, 50, 0, 0]] {
            let elo = elo_after_sprt(&sprt, &Penta(cells));
            assert!(elo.elo.abs() <= SEARCH_LIMIT && elo.los.is_finite(), "{elo:?}");
            assert!(elo.interval.low <= elo.elo && elo.elo <= elo.interval.high);
        }
    }
}
