//! Errors of a fit that hold whatever the dependence within a cluster.
//!
//! Source: Huber 1967, White 1982; summed over clusters as in Liang and Zeger 1986. For two players it comes to the
//! pentanomial error.

use super::counts::Wdl;
use super::elo::logistic;
use super::fit::{Maximum, Posterior};
use super::matrix::Matrix;
use super::pool::{GameTally, Pool};

/// `H⁻¹ (Σ g gᵀ + prior) H⁻¹`, the sum over clusters of the gradients' outer products; the prior enters as so much more
/// data of exactly the variance it claims.
pub(super) fn sandwich(pool: &Pool, posterior: &Posterior, maximum: &Maximum) -> Matrix {
    let mut scores = ClusterScores::new(pool.players() + 1);
    let surplus =
        |tally: &GameTally, points: f64| points - logistic(posterior.log_odds(&maximum.x, tally.white, tally.black));
    let mut clustered = pool.clustered.clone();
    clustered.sort_by_key(|(cluster, _)| *cluster);
    for cluster in clustered.chunk_by(|a, b| a.0 == b.0) {
        for (_, tally) in cluster {
            let games = tally.results.games() as f64;
            let expected = -surplus(tally, 0.0) * games;
            scores.add(tally, tally.results.points() - expected);
        }
        scores.close(1.0);
    }
    for tally in &pool.independent {
        let Wdl { wins, draws, losses } = tally.results;
        for (count, points) in [(wins, 1.0), (draws, 0.5), (losses, 0.0)] {
            scores.add(tally, surplus(tally, points));
            scores.close(count as f64);
        }
    }
    let mut middle = scores.finish();
    let prior = posterior.prior_information(&maximum.x);
    for i in 0..middle.size() {
        for j in 0..middle.size() {
            middle.add(i, j, prior.at(i, j));
        }
    }
    maximum.inverse.times(&middle).times(&maximum.inverse)
}

/// Sums the outer products of clusters' gradients, touching only the players of each cluster.
struct ClusterScores {
    sum: Matrix,
    gradient: Vec<f64>,
    touched: Vec<usize>,
    clusters: f64,
}

impl ClusterScores {
    fn new(size: usize) -> ClusterScores {
        ClusterScores { sum: Matrix::zero(size), gradient: vec![0.0; size], touched: Vec::new(), clusters: 0.0 }
    }

    /// Adds a surplus of White's points to the open cluster.
    fn add(&mut self, tally: &GameTally, surplus: f64) {
        let advantage = self.gradient.len() - 1;
        for (variable, change) in [(tally.white, surplus), (tally.black, -surplus), (advantage, surplus)] {
            self.gradient[variable] += change;
            if !self.touched.contains(&variable) {
                self.touched.push(variable);
            }
        }
    }

    /// Ends the open cluster, which was seen `times` times.
    fn close(&mut self, times: f64) {
        for &i in &self.touched {
            for &j in &self.touched {
                self.sum.add(i, j, times * self.gradient[i] * self.gradient[j]);
            }
        }
        for variable in self.touched.drain(..) {
            self.gradient[variable] = 0.0;
        }
        self.clusters += times;
    }

    /// The sum, corrected for the residuals being those of the fit itself.
    fn finish(self) -> Matrix {
        let variables = self.sum.size() as f64;
        let factor = if self.clusters > variables { self.clusters / (self.clusters - variables + 1.0) } else { 1.0 };
        self.sum.scaled(factor)
    }
}
