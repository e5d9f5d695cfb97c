//! Ratings of many players from all their games at once.
//!
//! One joint fit of all ratings and of White's advantage: the expected score of White is the plain logistic of the rating
//! difference plus the advantage, a draw counts half (Bradley–Terry on points, the default of Ordo). Ratings per
//! engine from its own score alone are not comparable when opponents differ; these are. A build is its own player,
//! so nothing depends on the order of the games.
//!
//! Errors come from the sandwich over clusters (game pairs) by default: the model's own covariance takes draws for more
//! random than they are and knows nothing of the correlation within a pair.
//!
//! Intervals hold the truth as often as they claim if pairings do not follow the luck of the games. Pairing neighbors of
//! the standings keeps lucky players away from those who would show it and costs a few percent of coverage; choose
//! pairings by the variance of differences instead.

use serde::Serialize;
use thiserror::Error;

use super::connectivity::Connectivity;
use super::elo::{Interval, LOG_ODDS_PER_ELO, expected_score};
use super::fit::{Encounter, Posterior, SoftAnchor};
use super::matrix::Matrix;
use super::numeric::{Z95, normal_cdf};
use super::pool::Pool;
use super::sandwich::sandwich;

/// Real information below this multiple of the prior's own leaves a rating to the prior.
const DOMINANCE: f64 = 3.0;

/// What the advantage of the White pieces is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum WhiteAdvantage {
    /// Fitted together with the ratings.
    Estimate,
    /// Known, in Elo; 0 where sides have no colors.
    Fixed(f64),
}

/// A player whose rating is known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Anchor {
    /// The player, from 0.
    pub player: usize,
    /// The known rating, in Elo.
    pub rating: f64,
    /// Its standard error, in Elo: `None` holds the rating fast, otherwise the games may move it.
    pub std_error: Option<f64>,
}

/// Where the scale has its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Origin {
    /// The mean rating of the pool is this many Elo.
    Mean(f64),
    /// Some players' ratings are known.
    Anchors(Vec<Anchor>),
}

/// Where standard errors come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ErrorSource {
    /// The inverse information matrix: right if there are no draws and games are independent.
    Model,
    /// The sandwich `H⁻¹ (Σ g gᵀ) H⁻¹` over clusters: right for any draws and any dependence within a cluster. Where clusters are
    /// few, what the model expects has a share in it, for the scatter of few says little.
    Sandwich,
}

/// How to fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitOptions {
    /// Virtual draws of every player without an anchor against the pool mean, and of White against Black. 0 or more;
    /// 1 is weak and keeps every rating finite.
    pub prior_draws: f64,
    /// The advantage of White.
    pub white_advantage: WhiteAdvantage,
    /// The origin of the scale.
    pub origin: Origin,
    /// Where standard errors come from.
    pub errors: ErrorSource,
}

impl Default for FitOptions {
    /// One virtual draw, advantage estimated, mean 0, errors from the sandwich.
    fn default() -> FitOptions {
        FitOptions {
            prior_draws: 1.0,
            white_advantage: WhiteAdvantage::Estimate,
            origin: Origin::Mean(0.0),
            errors: ErrorSource::Sandwich,
        }
    }
}

/// Why a pool cannot be rated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// An option is out of range.
    #[error("{0}")]
    Option(&'static str),
    /// Without a prior, some ratings would be infinite or undetermined; the groups tell which.
    #[error("ratings without a prior need every group of players to have taken points from every other")]
    NotConnected(Connectivity),
    /// Without a prior, the advantage of White would be infinite: the color explains results completely.
    #[error("the advantage of White has no bound: the color alone decides these games")]
    Unbounded,
}

/// A difference of two ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference, in Elo.
    pub elo: f64,
    /// Its standard error, in Elo.
    pub std_error: f64,
}

impl Difference {
    /// The 95 % interval, in Elo.
    pub fn interval(&self) -> Interval {
        Interval { low: self.elo - Z95 * self.std_error, high: self.elo + Z95 * self.std_error }
    }

    /// The confidence, in \[0, 1\], that the true difference is positive.
    pub fn los(&self) -> f64 {
        if self.std_error > 0.0 {
            normal_cdf(self.elo / self.std_error)
        } else if self.elo == 0.0 {
            0.5
        } else {
            f64::from(u8::from(self.elo > 0.0))
        }
    }
}

/// The fitted ratings. Players are numbered as in the [`Pool`]; asking for another one panics. No value is `NaN` or
/// infinite.
#[derive(Clone, Debug)]
pub struct Ratings {
    ratings: Vec<f64>,
    white_advantage: f64,
    /// In Elo², the last row being White's advantage.
    covariance: Matrix,
    prior_dominated: Vec<bool>,
    games: Vec<f64>,
    points: Vec<f64>,
    /// The weak component of each player.
    group: Vec<usize>,
    connectivity: Connectivity,
    log_likelihood: f64,
}

impl Ratings {
    /// The number of players.
    pub fn players(&self) -> usize {
        self.ratings.len()
    }

    /// A player's rating, in Elo.
    pub fn rating(&self, player: usize) -> f64 {
        self.ratings[player]
    }

    /// The standard error of a rating, in Elo: about the pool mean, or against the anchors. 0 for a fast anchor.
    pub fn std_error(&self, player: usize) -> f64 {
        self.covariance.at(player, player).max(0.0).sqrt()
    }

    /// The 95 % interval of a rating, in Elo.
    pub fn interval(&self, player: usize) -> Interval {
        let estimate = Difference { elo: self.rating(player), std_error: self.std_error(player) };
        estimate.interval()
    }

    /// The advantage of White, in Elo, with its standard error (0 if it was given).
    pub fn white_advantage(&self) -> Difference {
        let last = self.players();
        Difference { elo: self.white_advantage, std_error: self.covariance.at(last, last).max(0.0).sqrt() }
    }

    /// The rating of `i` less that of `j`; `None` if no chain of games or anchors joins them, for then it means nothing.
    pub fn difference(&self, i: usize, j: usize) -> Option<Difference> {
        (self.group[i] == self.group[j]).then(|| Difference {
            elo: self.ratings[i] - self.ratings[j],
            std_error: self.variance_of_difference(i, j).max(0.0).sqrt(),
        })
    }

    /// The confidence that `i` is stronger than `j`, for every `i` (row) and `j` (column); `None` where they cannot be
    /// compared, and on the diagonal.
    pub fn los_matrix(&self) -> Vec<Vec<Option<f64>>> {
        let all = 0..self.players();
        let los = |i: usize, j: usize| {
            if i == j { None } else { self.difference(i, j).map(|d| d.los()) }
        };
        all.clone().map(|i| all.clone().map(|j| los(i, j)).collect()).collect()
    }

    /// The covariance of two ratings, in Elo².
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        assert!(i.max(j) < self.players(), "no such player");
        self.covariance.at(i, j)
    }

    /// Whether the rating rests on the prior more than on games: it should not be printed as a measurement.
    pub fn is_prior_dominated(&self, player: usize) -> bool {
        self.prior_dominated[player]
    }

    /// The number of games of a player.
    pub fn games(&self, player: usize) -> f64 {
        self.games[player]
    }

    /// The points a player took.
    pub fn points(&self, player: usize) -> f64 {
        self.points[player]
    }

    /// The expected score, in \[0, 1\], of `white` against `black` in one game.
    pub fn expected_score(&self, white: usize, black: usize) -> f64 {
        expected_score(self.ratings[white] - self.ratings[black] + self.white_advantage)
    }

    /// The groups of players that can be compared. Anchored players count as joined.
    pub fn connectivity(&self) -> &Connectivity {
        &self.connectivity
    }

    /// The log-likelihood of the games, draws counted as half a win and half a loss, without the prior.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }

    fn variance_of_difference(&self, i: usize, j: usize) -> f64 {
        let c = &self.covariance;
        c.at(i, i) + c.at(j, j) - 2.0 * c.at(i, j)
    }
}

/// Fits the ratings of a pool.
pub fn fit(pool: &Pool, options: &FitOptions) -> Result<Ratings, FitError> {
    let (posterior, connectivity) = prepare(pool, options)?;
    let maximum = posterior.maximize(None).ok_or(FitError::Unbounded)?;
    let natural = match options.errors {
        ErrorSource::Model => maximum.inverse.clone(),
        ErrorSource::Sandwich => sandwich(pool, &posterior, &maximum),
    };
    let players = pool.players();
    let (mut games, mut points) = (vec![0.0; players], vec![0.0; players]);
    for e in &posterior.encounters {
        games[e.white] += e.games;
        games[e.black] += e.games;
        points[e.white] += e.points;
        points[e.black] += e.games - e.points;
    }
    let mut group = vec![0; players];
    for (k, members) in connectivity.weak.iter().enumerate() {
        for &player in members {
            group[player] = k;
        }
    }
    let data = posterior.data_information(&maximum.x);
    let is_dominated = |i: usize| data.at(i, i) < DOMINANCE * posterior.own_prior_information(i);
    Ok(Ratings {
        ratings: to_elo(&maximum.x, options),
        white_advantage: maximum.x[players] / LOG_ODDS_PER_ELO,
        covariance: natural.scaled(LOG_ODDS_PER_ELO.powi(-2)),
        prior_dominated: (0..players).map(is_dominated).collect(),
        games,
        points,
        group,
        log_likelihood: posterior.log_likelihood(&maximum.x),
        connectivity,
    })
}

/// Ratings in Elo from the variables of the fit.
pub(super) fn to_elo(x: &[f64], options: &FitOptions) -> Vec<f64> {
    let shift = match options.origin {
        Origin::Mean(mean) => mean,
        Origin::Anchors(_) => 0.0,
    };
    x[..x.len() - 1].iter().map(|x| x / LOG_ODDS_PER_ELO + shift).collect()
}

/// Checks the options and the existence of the ratings.
pub(super) fn prepare(pool: &Pool, options: &FitOptions) -> Result<(Posterior, Connectivity), FitError> {
    check(pool, options)?;
    let players = pool.players();
    let encounters = pool.encounters();
    let mut held = vec![None; players + 1];
    let mut soft = Vec::new();
    let anchors: &[Anchor] = match &options.origin {
        Origin::Mean(_) => &[],
        Origin::Anchors(anchors) => anchors,
    };
    for anchor in anchors {
        let rating = anchor.rating * LOG_ODDS_PER_ELO;
        match anchor.std_error {
            None => held[anchor.player] = Some(rating),
            Some(error) => {
                soft.push(SoftAnchor { player: anchor.player, rating, precision: (error * LOG_ODDS_PER_ELO).powi(-2) })
            }
        }
    }
    match options.white_advantage {
        WhiteAdvantage::Fixed(elo) => held[players] = Some(elo * LOG_ODDS_PER_ELO),
        // Nothing to estimate it from, not even a prior.
        WhiteAdvantage::Estimate if encounters.is_empty() && options.prior_draws == 0.0 => held[players] = Some(0.0),
        WhiteAdvantage::Estimate => {}
    }
    let connectivity = groups(players, &encounters, anchors);
    if options.prior_draws == 0.0 && !connectivity.is_strong() {
        return Err(FitError::NotConnected(connectivity));
    }
    let posterior = Posterior { players, encounters, prior: options.prior_draws, soft, held };
    Ok((posterior, connectivity))
}

fn check(pool: &Pool, options: &FitOptions) -> Result<(), FitError> {
    if !(options.prior_draws >= 0.0 && options.prior_draws.is_finite()) {
        return Err(FitError::Option("the number of virtual draws must be 0 or more"));
    }
    if matches!(options.white_advantage, WhiteAdvantage::Fixed(elo) if !elo.is_finite()) {
        return Err(FitError::Option("the advantage of White must be a number"));
    }
    let anchors = match &options.origin {
        Origin::Mean(mean) if mean.is_finite() => return Ok(()),
        Origin::Mean(_) => return Err(FitError::Option("the mean must be a number")),
        Origin::Anchors(anchors) => anchors,
    };
    if anchors.is_empty() {
        return Err(FitError::Option("a scale tied to anchors needs at least one"));
    }
    let mut seen = vec![false; pool.players()];
    for anchor in anchors {
        if anchor.player >= pool.players() {
            return Err(FitError::Option("an anchor is not a player of the pool"));
        }
        if std::mem::replace(&mut seen[anchor.player], true) {
            return Err(FitError::Option("a player is anchored twice"));
        }
        let is_fine = anchor.rating.is_finite() && anchor.std_error.is_none_or(|e| e > 0.0 && e.is_finite());
        if !is_fine {
            return Err(FitError::Option("an anchor needs a rating and, if any, a positive error"));
        }
    }
    Ok(())
}

fn groups(players: usize, encounters: &[Encounter], anchors: &[Anchor]) -> Connectivity {
    let mut took = Vec::new();
    for e in encounters {
        if e.points > 0.0 {
            took.push((e.white, e.black));
        }
        if e.points < e.games {
            took.push((e.black, e.white));
        }
    }
    // A known rating is as good as games against every other known rating.
    for two in anchors.windows(2) {
        took.push((two[0].player, two[1].player));
        took.push((two[1].player, two[0].player));
    }
    Connectivity::new(players, &took)
}
