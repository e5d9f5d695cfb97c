//! The line that joins two scales of rating: `theirs = offset + scale · ours`, fitted to games between players of the two.
//!
//! The rating of the other scale is known only to a deviation, which flattens the expected score as in Glicko:
//! `E = L(g (offset + scale · ours - theirs))`, `g = 1 / √(1 + 3 (q RD / π)²)`, `q = ln 10 / 400`. Offset and scale are where the
//! likelihood with a prior for the scale is greatest, and errors are the sandwich over clusters (one person's games).

use std::collections::BTreeMap;
use std::f64::consts::PI;

use serde::Serialize;

use super::elo::{Interval, LOG_ODDS_PER_ELO, logistic};
use super::numeric::Z95;

/// The prior of the scale: about 1, for both scales are logistic; games of one program against itself tend to overstate gaps.
const SCALE_PRIOR: (f64, f64) = (1.0, 0.5);
/// The standard deviation of the prior of the rating at the center about the mean of the people, in Elo: it keeps a bot finite that
/// has only won or only lost.
const CENTER_PRIOR: f64 = 600.0;
/// As if there were this many more clusters of which only what the model says is known; see the sandwich of ratings.
const PRIOR_CLUSTERS: f64 = 2.0;

/// One game between the two scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bridge {
    /// The rating of the player of our scale, in Elo.
    pub ours: f64,
    /// The rating of the other player, in Elo.
    pub theirs: f64,
    /// The deviation (standard error) of the other player's rating, in Elo, 0 or more.
    pub deviation: f64,
    /// The points of our player, 0 to 1.
    pub points: f64,
    /// Games of one number depend on each other.
    pub cluster: u64,
}

/// The line, with errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Link {
    /// The mean of our ratings over the games, where offset and scale hardly depend on each other.
    pub center: f64,
    /// The rating on the other scale of a player of ours at the center, in Elo.
    pub at_center: f64,
    /// Its standard error.
    pub at_center_error: f64,
    /// How many Elo of theirs one of ours is.
    pub scale: f64,
    /// Its standard error.
    pub scale_error: f64,
    /// The covariance of both.
    covariance: f64,
    /// The mean of (points - expected)².
    pub brier: f64,
}

impl Link {
    /// The rating on the other scale of a player with this rating of ours, with the 95 % interval.
    #[must_use]
    pub fn rating(&self, ours: f64) -> (f64, Interval) {
        let x = ours - self.center;
        let elo = self.at_center + self.scale * x;
        let variance = self.at_center_error.powi(2) + 2.0 * x * self.covariance + (x * self.scale_error).powi(2);
        let margin = Z95 * variance.max(0.0).sqrt();
        (elo, Interval { low: elo - margin, high: elo + margin })
    }
}

/// How much a deviation flattens the expected score.
fn flattening(deviation: f64) -> f64 {
    1.0 / (1.0 + 3.0 * (LOG_ODDS_PER_ELO * deviation / PI).powi(2)).sqrt()
}

/// Fits the line; `None` without games.
#[must_use]
pub fn link(games: &[Bridge]) -> Option<Link> {
    if games.is_empty() {
        return None;
    }
    let mean = |of: fn(&Bridge) -> f64| games.iter().map(of).sum::<f64>() / games.len() as f64;
    let (center, middle) = (mean(|game| game.ours), mean(|game| game.theirs));
    let mut at = middle;
    let mut scale = SCALE_PRIOR.0;
    // The log-likelihood is concave in both; steps are cut short where the start is far off.
    for _ in 0..100 {
        let sums = Sums::of(games, center, middle, at, scale);
        let [step_at, step_scale] = sums.solve(sums.gradient)?;
        at += step_at.clamp(-200.0, 200.0);
        scale += step_scale.clamp(-0.5, 0.5);
        if step_at.abs() < 1e-9 && step_scale.abs() < 1e-12 {
            break;
        }
    }
    let sums = Sums::of(games, center, middle, at, scale);
    let [[a, b], [_, d]] = sums.covariance(games, center, at, scale)?;
    Some(Link {
        center,
        at_center: at,
        at_center_error: a.max(0.0).sqrt(),
        scale,
        scale_error: d.max(0.0).sqrt(),
        covariance: b,
        brier: games.iter().map(|game| (game.points - expected(game, center, at, scale)).powi(2)).sum::<f64>()
            / games.len() as f64,
    })
}

fn expected(game: &Bridge, center: f64, at: f64, scale: f64) -> f64 {
    let lead = at + scale * (game.ours - center) - game.theirs;
    logistic(LOG_ODDS_PER_ELO * flattening(game.deviation) * lead)
}

/// First and second derivatives of the log-posterior by the rating at the center and the scale.
struct Sums {
    gradient: [f64; 2],
    information: [[f64; 2]; 2],
}

impl Sums {
    /// The prior's information.
    fn prior() -> [[f64; 2]; 2] {
        [[CENTER_PRIOR.powi(-2), 0.0], [0.0, SCALE_PRIOR.1.powi(-2)]]
    }

    fn of(games: &[Bridge], center: f64, middle: f64, at: f64, scale: f64) -> Sums {
        let prior = Self::prior();
        let gradient = [prior[0][0] * (middle - at), prior[1][1] * (SCALE_PRIOR.0 - scale)];
        let mut sums = Sums { gradient, information: prior };
        for game in games {
            let k = LOG_ODDS_PER_ELO * flattening(game.deviation);
            let e = expected(game, center, at, scale);
            let slopes = [1.0, game.ours - center];
            for i in 0..2 {
                sums.gradient[i] += k * (game.points - e) * slopes[i];
                for j in 0..2 {
                    sums.information[i][j] += k * k * e * (1.0 - e) * slopes[i] * slopes[j];
                }
            }
        }
        sums
    }

    fn solve(&self, right: [f64; 2]) -> Option<[f64; 2]> {
        let [[a, b], [c, d]] = self.information;
        let determinant = a * d - b * c;
        (determinant > 1e-30)
            .then(|| [(d * right[0] - b * right[1]) / determinant, (a * right[1] - c * right[0]) / determinant])
    }

    /// The sandwich over clusters, the prior counted as what it claims.
    fn covariance(&self, games: &[Bridge], center: f64, at: f64, scale: f64) -> Option<[[f64; 2]; 2]> {
        let mut clusters: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
        for game in games {
            let k = LOG_ODDS_PER_ELO * flattening(game.deviation);
            let surplus = k * (game.points - expected(game, center, at, scale));
            let sum = clusters.entry(game.cluster).or_default();
            sum[0] += surplus;
            sum[1] += surplus * (game.ours - center);
        }
        let count = clusters.len() as f64;
        let factor = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
        let share = PRIOR_CLUSTERS / (PRIOR_CLUSTERS + count);
        let mut middle = Self::prior();
        for i in 0..2 {
            for j in 0..2 {
                let seen: f64 = clusters.values().map(|g| factor * g[i] * g[j]).sum();
                let expected = self.information[i][j] - middle[i][j];
                middle[i][j] += (1.0 - share) * seen + share * expected;
            }
        }
        let columns = [self.solve([1.0, 0.0])?, self.solve([0.0, 1.0])?];
        let mut covariance = [[0.0; 2]; 2];
        for (i, row) in covariance.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                for (k, line) in middle.iter().enumerate() {
                    for (l, value) in line.iter().enumerate() {
                        *cell += columns[k][i] * value * columns[l][j];
                    }
                }
            }
        }
        Some(covariance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Games of people, whose ratings are off by their deviations, against bots on a line of offset and scale.
    fn games(seed: u64, people: u64) -> Vec<Bridge> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut all = Vec::new();
        for cluster in 0..people {
            let truth = 1100.0 + 700.0 * random.random::<f64>();
            let luck: f64 = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
            for _ in 0..8 {
                let ours = 500.0 + 150.0 * f64::from(random.random_range(0..9u32));
                let lead = 700.0 + 0.7 * ours - truth;
                let won = random.random::<f64>() < 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
                let points = f64::from(u8::from(won));
                all.push(Bridge { ours, theirs: truth + 60.0 * luck, deviation: 60.0, points, cluster });
            }
        }
        all
    }

    #[test]
    fn the_line_is_found_within_its_errors() {
        let (mut held, mut held_scale) = (0, 0);
        for seed in 0..300 {
            let link = link(&games(seed, 60)).unwrap();
            held += u32::from(link.rating(1000.0).1.contains(1400.0));
            held_scale += u32::from((link.scale - 0.7).abs() < Z95 * link.scale_error);
        }
        assert!((273..=297).contains(&held) && (270..=297).contains(&held_scale), "{held} {held_scale}");
    }

    #[test]
    fn a_bot_that_only_lost_has_a_wide_interval() {
        let game = Bridge { ours: 500.0, theirs: 1200.0, deviation: 45.0, points: 0.0, cluster: 0 };
        let (elo, interval) = link(&[game; 4]).unwrap().rating(500.0);
        assert!((500.0..1000.0).contains(&elo) && interval.margin() > 300.0, "{elo} {interval:?}");
    }

    #[test]
    fn one_bot_leaves_the_scale_to_the_prior() {
        let game = |points, cluster| Bridge { ours: 900.0, theirs: 1500.0, deviation: 50.0, points, cluster };
        let link = link(&[game(1.0, 0), game(0.0, 1), game(0.0, 2), game(1.0, 3)]).unwrap();
        assert!((link.at_center - 1500.0).abs() < 1e-6 && (link.scale - 1.0).abs() < 1e-9, "{link:?}");
        assert!((link.scale_error - SCALE_PRIOR.1).abs() < 1e-9);
        assert_eq!(super::link(&[]), None);
    }
}
