//! The sequential probability ratio test of two players.
//!
//! Bounds after Wald (1945); the log-likelihood ratio is the generalized one over all result distributions with
//! the hypothetical Elo (Van den Bergh's GSPRT), not a normal approximation, so it is exact and finite for every table.

use serde::Serialize;
use thiserror::Error;

use super::counts::{Cells, Tally};
use super::elo::{NORMALIZED_ELO_PER_SIGMA, expected_score};
use super::multinomial::{mean_divergence, t_divergence};

/// An empty cell counts as this many observations. Without it one unseen result would make a hypothesis impossible; the
/// value is the one fishtest and fastchess use.
pub(super) const EMPTY_CELL: f64 = 1e-3;

/// The largest Elo a hypothesis may name. Beyond it the expected score is too close to 0 or 1 to calculate with.
const LARGEST_ELO: f64 = 4000.0;

/// The scale of the two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EloScale {
    /// Elo of the expected score. Tests of the same width take longer where draws are rare.
    Logistic,
    /// Elo in standard deviations of a game; the length of a test does not depend on the draw rate.
    Normalized,
}

impl EloScale {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            EloScale::Logistic => "logistic",
            EloScale::Normalized => "normalized",
        }
    }
}

/// A name that is no scale's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown '{0}'; normalized or logistic")]
pub struct UnknownScale(String);

impl std::str::FromStr for EloScale {
    type Err = UnknownScale;

    fn from_str(text: &str) -> Result<EloScale, UnknownScale> {
        let scales = [EloScale::Logistic, EloScale::Normalized];
        scales.into_iter().find(|scale| scale.word() == text).ok_or_else(|| UnknownScale(text.to_owned()))
    }
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SprtVerdict {
    /// The lower bound is reached: the difference is taken to be `elo0` or less.
    AcceptH0,
    /// The upper bound is reached: the difference is taken to be `elo1` or more.
    AcceptH1,
    /// Neither: play on. If the games run out here, the test is inconclusive.
    Continue,
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// An error chance is not inside (0, 1).
    #[error("alpha and beta must be greater than 0 and less than 1 (alpha = {alpha}, beta = {beta})")]
    Chance {
        /// The chance given for wrongly accepting H1.
        alpha: f64,
        /// The chance given for wrongly accepting H0.
        beta: f64,
    },
    /// The bounds would change places and end the test at once.
    #[error("alpha + beta must be less than 1 (alpha = {alpha}, beta = {beta})")]
    BoundsCross {
        /// The chance given for wrongly accepting H1.
        alpha: f64,
        /// The chance given for wrongly accepting H0.
        beta: f64,
    },
    /// The hypotheses are the same or in the wrong order, or too far out.
    #[error("elo0 must be less than elo1, both between -4000 and 4000 (elo0 = {elo0}, elo1 = {elo1})")]
    Hypotheses {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
    },
}

/// A sequential test, checked when made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    scale: EloScale,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of "the first player is `elo0` stronger" (H0) against "`elo1` stronger" (H1), on `scale`, that accepts H1
    /// wrongly with chance `alpha` and H0 wrongly with chance `beta`.
    pub fn new(elo0: f64, elo1: f64, scale: EloScale, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let is_chance = |p: f64| p > 0.0 && p < 1.0;
        if !is_chance(alpha) || !is_chance(beta) {
            return Err(SprtError::Chance { alpha, beta });
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::BoundsCross { alpha, beta });
        }
        let is_possible = |elo: f64| (-LARGEST_ELO..=LARGEST_ELO).contains(&elo);
        if !is_possible(elo0) || !is_possible(elo1) || elo0 >= elo1 {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        Ok(Sprt { elo0, elo1, scale, alpha, beta })
    }

    /// The difference under H0, on the test's scale.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, on the test's scale.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of the hypotheses.
    pub fn scale(&self) -> EloScale {
        self.scale
    }

    /// The log-likelihood ratio at which H0 is accepted: ln(β / (1 - α)), negative.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted: ln((1 - β) / α), positive.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 against H0: positive speaks for H1. Always finite; 0 if nothing was played.
    ///
    /// Takes well under a millisecond, so it can be called after every game.
    pub fn llr(&self, tally: &impl Tally) -> f64 {
        let cells = tally.cells();
        if cells.observations() == 0.0 {
            return 0.0;
        }
        let cells = cells.with_empty_set_to(EMPTY_CELL);
        cells.observations() * (self.divergence(&cells, self.elo0) - self.divergence(&cells, self.elo1))
    }

    /// What the table says. At a bound the test accepts.
    pub fn verdict(&self, tally: &impl Tally) -> SprtVerdict {
        self.judge(self.llr(tally))
    }

    /// What a log-likelihood ratio says. At a bound the test accepts.
    pub fn judge(&self, llr: f64) -> SprtVerdict {
        if llr <= self.lower_bound() {
            SprtVerdict::AcceptH0
        } else if llr >= self.upper_bound() {
            SprtVerdict::AcceptH1
        } else {
            SprtVerdict::Continue
        }
    }

    fn divergence(&self, cells: &Cells, elo: f64) -> f64 {
        match self.scale {
            EloScale::Logistic => mean_divergence(cells, expected_score(elo)),
            EloScale::Normalized => {
                // A pair's score has 1/√2 of a game's deviation.
                let t = elo / NORMALIZED_ELO_PER_SIGMA * f64::from(cells.games_each).sqrt();
                t_divergence(cells, t)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counts::{Penta, Wdl};

    fn both_scales(elo0: f64, elo1: f64) -> [Sprt; 2] {
        [EloScale::Logistic, EloScale::Normalized].map(|scale| Sprt::new(elo0, elo1, scale, 0.05, 0.05).unwrap())
    }

    #[test]
    fn every_table_of_one_or_two_cells_has_a_finite_ratio() {
        for sprt in
            both_scales(0.0, 5.0).into_iter().chain(both_scales(-1500.0, -500.0)).chain(both_scales(900.0, 4000.0))
        {
            for i in 0..5 {
                for j in 0..5 {
                    for n in [1, 40, 1_000_000] {
                        let mut cells = [0; 5];
                        cells[i] += n;
                        cells[j] += 3;
                        let llr = sprt.llr(&Penta(cells));
                        assert!(llr.is_finite(), "{sprt:?} {cells:?} {llr}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_other_side_sees_the_mirrored_test() {
        let table = Penta([3, 10, 24, 17, 5]);
        for (test, mirrored) in both_scales(-2.0, 30.0).iter().zip(both_scales(-30.0, 2.0)) {
            assert!((test.llr(&table) + mirrored.llr(&table.reversed())).abs() < 1e-9);
        }
    }

    #[test]
    fn bounds_accept_and_nothing_is_undecided() {
        let [sprt, _] = both_scales(0.0, 5.0);
        assert_eq!(sprt.judge(sprt.upper_bound()), SprtVerdict::AcceptH1);
        assert_eq!(sprt.judge(sprt.lower_bound()), SprtVerdict::AcceptH0);
        assert_eq!(sprt.llr(&Wdl::default()), 0.0);
        assert_eq!(sprt.verdict(&Penta::default()), SprtVerdict::Continue);
    }
}
