//! Ratings of resampled pools: intervals that need no formula for the error.
//!
//! Every replicate draws as many clusters as there are, with replacement, and fits again; the percentiles of the fitted
//! values are the interval. Replicate k has its own stream of the generator, so the result depends on the seed alone and not
//! on how the work is divided.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::elo::{Interval, LOG_ODDS_PER_ELO};
use super::fit::Posterior;
use super::numeric::quantile_of_sorted;
use super::pool::{GameTally, Pool};
use super::rating::{FitError, FitOptions, prepare, to_elo};

/// What the replicates say.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// 95 % percentile interval of each player's rating, in Elo.
    pub ratings: Vec<Interval>,
    /// 95 % percentile interval of White's advantage, in Elo.
    pub white_advantage: Interval,
    /// Replicates that went into the intervals.
    pub replicates: usize,
    /// Replicates left out because the pool drawn had no finite ratings; 0 whenever there is a prior.
    pub failed: usize,
}

/// Draws `replicates` pools and fits each. An error if the pool itself, or none of the replicates, can be
/// rated. Panics if `replicates` is 0.
pub fn bootstrap(pool: &Pool, options: &FitOptions, replicates: usize, seed: u64) -> Result<Bootstrap, FitError> {
    assert!(replicates > 0, "a bootstrap needs replicates");
    let (posterior, _) = prepare(pool, options)?;
    let center = posterior.maximize(None).ok_or(FitError::Unbounded)?.x;
    let sampler = Sampler::new(pool, &posterior);
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(replicates); pool.players() + 1];
    let mut failed = 0;
    for replicate in 0..replicates {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(replicate as u64);
        let drawn = sampler.draw(&posterior, &mut random);
        match drawn.maximize(Some(&center)) {
            Some(maximum) => {
                let advantage = maximum.x[pool.players()] / LOG_ODDS_PER_ELO;
                let values = to_elo(&maximum.x, options).into_iter().chain([advantage]);
                for (sample, value) in samples.iter_mut().zip(values) {
                    sample.push(value);
                }
            }
            None => failed += 1,
        }
    }
    if failed == replicates {
        return Err(FitError::Unbounded);
    }
    let mut intervals: Vec<Interval> = samples.iter_mut().map(|sample| percentiles(sample)).collect();
    let white_advantage = intervals.pop().expect("the last sample is White's advantage");
    Ok(Bootstrap { ratings: intervals, white_advantage, replicates: replicates - failed, failed })
}

fn percentiles(sample: &mut [f64]) -> Interval {
    sample.sort_by(f64::total_cmp);
    Interval { low: quantile_of_sorted(sample, 0.025), high: quantile_of_sorted(sample, 0.975) }
}

/// Games and points that one cluster adds to one encounter.
#[derive(Clone, Copy)]
struct Share {
    encounter: u32,
    games: f64,
    points: f64,
}

/// The clusters of a pool, ready to be drawn.
struct Sampler {
    shares: Vec<Share>,
    /// Where each cluster's shares start; one more at the end.
    starts: Vec<u32>,
    /// One entry for each unit that can be drawn: its cluster. Independent games of equal result are one cluster, drawn
    /// as often as it was seen.
    units: Vec<u32>,
}

impl Sampler {
    fn new(pool: &Pool, posterior: &Posterior) -> Sampler {
        let place = |tally: &GameTally| {
            let key = (tally.white, tally.black);
            posterior.encounters.binary_search_by_key(&key, |e| (e.white, e.black)).ok()
        };
        let mut sampler = Sampler { shares: Vec::new(), starts: vec![0], units: Vec::new() };
        let mut clustered = pool.clustered.clone();
        clustered.sort_by_key(|(cluster, tally)| (*cluster, tally.white, tally.black));
        for cluster in clustered.chunk_by(|a, b| a.0 == b.0) {
            for (_, tally) in cluster {
                if let Some(encounter) = place(tally) {
                    sampler.share(encounter, tally.results.games() as f64, tally.results.points());
                }
            }
            sampler.close(1);
        }
        for tally in &pool.independent {
            if let Some(encounter) = place(tally) {
                let counts = [tally.results.losses, tally.results.draws, tally.results.wins];
                for (count, points) in counts.into_iter().zip([0.0, 0.5, 1.0]) {
                    sampler.share(encounter, 1.0, points);
                    sampler.close(count);
                }
            }
        }
        sampler
    }

    fn share(&mut self, encounter: usize, games: f64, points: f64) {
        self.shares.push(Share { encounter: encounter as u32, games, points });
    }

    fn close(&mut self, times: u64) {
        let cluster = self.starts.len() as u32 - 1;
        self.starts.push(self.shares.len() as u32);
        self.units.extend((0..times).map(|_| cluster));
    }

    /// The same pool with other games.
    fn draw(&self, posterior: &Posterior, random: &mut ChaCha8Rng) -> Posterior {
        let mut drawn = posterior.clone();
        for encounter in &mut drawn.encounters {
            (encounter.games, encounter.points) = (0.0, 0.0);
        }
        for _ in 0..self.units.len() {
            let cluster = self.units[random.random_range(0..self.units.len())] as usize;
            for share in &self.shares[self.starts[cluster] as usize..self.starts[cluster + 1] as usize] {
                let encounter = &mut drawn.encounters[share.encounter as usize];
                encounter.games += share.games;
                encounter.points += share.points;
            }
        }
        drawn
    }
}
