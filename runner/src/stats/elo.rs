//! Score and Elo of one match, with an honest interval.
//!
//! K = ln 10 / 400 turns Elo into natural log-odds. The formulas are those of the match tools of the field (fastchess,
//! cutechess, OpenBench, fishtest) and agree with their printed numbers; where theirs end in `NaN`, near 0 and 100 %, the
//! interval here comes from the likelihood instead.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::counts::{Cells, Tally};
use super::multinomial::mean_divergence;
use super::numeric::{Z95, falling_root, normal_cdf};

/// Natural log-odds to one Elo: ln 10 / 400.
pub(super) const LOG_ODDS_PER_ELO: f64 = LN_10 / 400.0;

/// Normalized Elo to one standard deviation of a game's score: 800 / ln 10, so that for small differences and no draws
/// the two scales agree.
pub(super) const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// The expected score, in \[0, 1\], of a player who is `elo` points stronger: `1 / (1 + 10^(-elo/400))`.
pub fn expected_score(elo: f64) -> f64 {
    logistic(elo * LOG_ODDS_PER_ELO)
}

/// The Elo difference at which `score` is expected; -∞ at (or below) 0 and ∞ at (or above) 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        (score.ln() - (-score).ln_1p()) / LOG_ODDS_PER_ELO
    }
}

/// `1 / (1 + e^-x)`.
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A 95 % interval; an end may be infinite where the data give no bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the interval holds `value`, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Half the width: the "± error" of the match tools.
    pub fn margin(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// Where an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum IntervalKind {
    /// Mean score ± 1.96 standard errors, each end turned into Elo.
    Normal,
    /// All scores whose best likelihood is within e^(-1.96²/2) of the maximum. Used when the normal interval would leave
    /// (0, 1) or have no width.
    ProfileLikelihood,
}

/// The Elo of one match. All values are from the first player's side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchElo {
    /// Mean score of a game, in \[0, 1\].
    pub score: f64,
    /// Elo difference, infinite when every game was won or every game lost.
    pub elo: f64,
    /// The 95 % interval of `elo`. It is not symmetric.
    pub interval: Interval,
    /// Where `interval` comes from.
    pub kind: IntervalKind,
    /// Normalized Elo: (score - ½) in standard deviations of one game's score, times 800 / ln 10. Infinite when the scores
    /// do not vary and their mean is not ½.
    pub normalized_elo: f64,
    /// Half the 95 % interval of `normalized_elo`; it depends on the number of games only.
    pub normalized_margin: f64,
    /// Likelihood of superiority: the confidence, in \[0, 1\], that the first player is the stronger one.
    pub los: f64,
}

/// Score, Elo and likelihood of superiority of a match; `None` if no game was played.
///
/// For a [`Penta`](super::counts::Penta) the error is that of independent pairs, for a [`Wdl`](super::counts::Wdl)
/// that of independent games.
pub fn match_elo(tally: &impl Tally) -> Option<MatchElo> {
    let cells = tally.cells();
    if cells.observations() == 0.0 {
        return None;
    }
    let score = cells.mean();
    let deviation = cells.variance().sqrt();
    let standard_error = deviation / cells.observations().sqrt();
    let (low, high) = (score - Z95 * standard_error, score + Z95 * standard_error);
    let (interval, kind) = if standard_error > 0.0 && low > 0.0 && high < 1.0 {
        let interval = Interval { low: elo_of_score(low), high: elo_of_score(high) };
        (interval, IntervalKind::Normal)
    } else {
        (profile_interval(&cells), IntervalKind::ProfileLikelihood)
    };
    let los = if standard_error > 0.0 {
        normal_cdf((score - 0.5) / standard_error)
    } else {
        // Without spread there is no standard error, but there still is a likelihood.
        let root = (2.0 * cells.observations() * mean_divergence(&cells, 0.5)).sqrt();
        normal_cdf(root.copysign(score - 0.5))
    };
    Some(MatchElo {
        score,
        elo: elo_of_score(score),
        interval,
        kind,
        normalized_elo: normalized_elo(&cells),
        normalized_margin: Z95 * NORMALIZED_ELO_PER_SIGMA / cells.games().sqrt(),
        los,
    })
}

/// The deviation of one game's score. A pair's score is the mean of two games, so its variance counts twice.
pub(super) fn game_deviation(cells: &Cells) -> f64 {
    (cells.variance() * f64::from(cells.games_each)).sqrt()
}

fn normalized_elo(cells: &Cells) -> f64 {
    let lead = cells.mean() - 0.5;
    if lead == 0.0 { 0.0 } else { lead / game_deviation(cells) * NORMALIZED_ELO_PER_SIGMA }
}

/// The scores whose likelihood ratio is not rejected at 5 % (Wilks), as Elo.
fn profile_interval(cells: &Cells) -> Interval {
    let mean = cells.mean();
    let excess = |score: f64| 2.0 * cells.observations() * mean_divergence(cells, score) - Z95 * Z95;
    let low = if mean > 0.0 { falling_root(0.0, mean, excess) } else { 0.0 };
    let high = if mean < 1.0 { falling_root(mean, 1.0, |score| -excess(score)) } else { 1.0 };
    Interval { low: elo_of_score(low), high: elo_of_score(high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counts::{Penta, Wdl};

    #[test]
    fn all_wins_are_bounded_below_by_their_likelihood() {
        let wins = Wdl { wins: 10, ..Wdl::default() };
        let elo = match_elo(&wins).unwrap();
        assert_eq!(elo.elo, f64::INFINITY);
        assert_eq!(elo.kind, IntervalKind::ProfileLikelihood);
        // A chance s of winning gives ten wins with likelihood s^10.
        let bound = (-0.5 * Z95 * Z95 / 10.0).exp();
        assert!((elo.interval.low - elo_of_score(bound)).abs() < 1e-6);
        assert_eq!(elo.interval.high, f64::INFINITY);
        assert!(elo.los > 0.99 && elo.los < 1.0);
        let losses = match_elo(&wins.reversed()).unwrap();
        assert_eq!(losses.interval.low, f64::NEG_INFINITY);
        assert!((losses.interval.high + elo.interval.low).abs() < 1e-6);
        assert!((losses.los - (1.0 - elo.los)).abs() < 1e-12);
    }

    #[test]
    fn draws_alone_give_a_finite_interval() {
        let elo = match_elo(&Penta([0, 0, 8, 0, 0])).unwrap();
        let bound = 0.5 * (-0.5 * Z95 * Z95 / 8.0).exp();
        assert_eq!((elo.elo, elo.normalized_elo, elo.los), (0.0, 0.0, 0.5));
        assert!((elo.interval.low - elo_of_score(bound)).abs() < 1e-6);
        assert!((elo.interval.low + elo.interval.high).abs() < 1e-6);
    }

    #[test]
    fn near_the_ends_the_interval_is_finite_where_the_data_bound_it() {
        let elo = match_elo(&Penta([0, 0, 0, 1, 19])).unwrap();
        assert_eq!(elo.kind, IntervalKind::ProfileLikelihood);
        assert!(elo.interval.low.is_finite() && elo.interval.high.is_finite());
        assert!(elo.interval.contains(elo.elo));
    }

    #[test]
    fn nothing_played_nothing_said() {
        assert_eq!(match_elo(&Wdl::default()), None);
        assert_eq!(match_elo(&Penta::default()), None);
    }
}
