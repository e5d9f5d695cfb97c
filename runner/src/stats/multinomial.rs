//! How far an observed table is from a hypothesis, in likelihood.
//!
//! For the observed frequencies `q` the divergence from a hypothesis is `max Σ q ln q - max Σ q ln p`, the second
//! maximum taken over all distributions `p` on the table's scores that satisfy the hypothesis. It is zero for the
//! hypothesis the data fit best; `n` times a difference of two is a log-likelihood ratio.
//!
//! Source: Van den Bergh, *Comparing the approximations for the GLLR of a multinomial* and *Comments on normalized Elo*.
//! His fixed point for the normalized case does not converge far from zero; here both cases are solved through their
//! convex duals, which always have an answer.

use super::counts::Cells;
use super::numeric::falling_root;

/// Divergence from "the mean score is `mean`", for `mean` strictly between 0 and 1.
///
/// Empty cells may stay empty: the best distribution may put weight on the lowest and the highest score even
/// where none was observed, which is what gives all-win tables a finite lower bound.
pub(super) fn mean_divergence(cells: &Cells, mean: f64) -> f64 {
    let total = cells.observations();
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        let terms = cells.scores.iter().zip(&cells.counts).filter(|(_, count)| **count > 0.0);
        terms.map(|(&score, &count)| count / total * value(score)).sum()
    };
    // The dual: maximize Σ q ln(1 + θ(a - mean)) over θ in [-1/(1 - mean), 1/mean]. Its slope falls.
    let slope = |theta: f64| sum(&|a| (a - mean) / (1.0 + theta * (a - mean)));
    let value = |theta: f64| sum(&|a| (theta * (a - mean)).ln_1p());
    // At an end of the range an extreme score drops out of the sum. If the slope has not changed sign by then, that
    // score is unobserved and takes the rest of the weight.
    if cells.counts[0] == 0.0 && sum(&|a| (a - mean) * mean / a) >= 0.0 {
        return sum(&|a| (a / mean).ln());
    }
    if cells.counts[cells.counts.len() - 1] == 0.0 && sum(&|a| (a - mean) * (1.0 - mean) / (1.0 - a)) <= 0.0 {
        return sum(&|a| ((1.0 - a) / (1.0 - mean)).ln());
    }
    value(falling_root(-1.0 / (1.0 - mean), 1.0 / mean, slope)).max(0.0)
}

/// Divergence from "(mean - ½)/σ is `t`", σ being the standard deviation of one observation. No cell may be empty.
///
/// With σ given the hypothesis is two linear constraints, E(a) = ½ + tσ =: m and E(a - m)² = σ²; the inner problem is a
/// smooth concave dual in two variables, the outer one a search over the σ that are possible at all.
pub(super) fn t_divergence(cells: &Cells, t: f64) -> f64 {
    if t == 0.0 {
        return mean_divergence(cells, 0.5);
    }
    let total = cells.observations();
    let mut weights: Vec<f64> = cells.counts.iter().map(|count| count / total).collect();
    if t < 0.0 {
        weights.reverse();
    }
    let dual = Dual { scores: cells.scores, weights: &weights, t: t.abs() };
    let ranges = dual.possible_sigmas();
    ranges.into_iter().map(|range| dual.least_within(range)).fold(f64::INFINITY, f64::min)
}

/// The dual of the normalized problem, `t` positive.
struct Dual<'a> {
    scores: &'a [f64],
    weights: &'a [f64],
    t: f64,
}

impl Dual<'_> {
    /// The open ranges of σ for which a distribution with mean ½ + tσ and deviation σ exists.
    ///
    /// A mean m allows at most the variance m(1 - m), all weight on 0 and 1, so σ ≤ ½/√(1 + t²); and at least
    /// (m - c)(d - m), all weight on the neighboring scores c and d: a quadratic inequality for each gap.
    fn possible_sigmas(&self) -> Vec<(f64, f64)> {
        let lead = 1.0 + self.t * self.t;
        let mut ranges = Vec::new();
        let mut start = 0.0;
        for gap in self.scores.windows(2).filter(|gap| gap[0] >= 0.5) {
            let (c, d) = (gap[0] - 0.5, gap[1] - 0.5);
            let half = 0.5 * self.t * (c + d);
            let discriminant = half * half - lead * c * d;
            if discriminant > 0.0 {
                let root = discriminant.sqrt();
                let (from, to) = ((half - root) / lead, (half + root) / lead);
                if from > start {
                    ranges.push((start, from));
                }
                start = to;
            }
        }
        ranges.push((start, 0.5 / lead.sqrt()));
        ranges
    }

    /// The least divergence over one range of σ. It grows without bound toward both ends. The problem is convex on one
    /// side of the data only, so every dip of a coarse scan is followed to its bottom.
    fn least_within(&self, (from, to): (f64, f64)) -> f64 {
        const STEPS: usize = 12;
        let place = |k: usize| from + (to - from) * k as f64 / STEPS as f64;
        let mut slopes = [0.0; STEPS + 1];
        slopes[0] = f64::NEG_INFINITY;
        slopes[STEPS] = f64::INFINITY;
        for (k, slope) in slopes.iter_mut().enumerate().take(STEPS).skip(1) {
            *slope = self.at(place(k)).1;
        }
        let dips = (0..STEPS).filter(|&k| slopes[k] < 0.0 && slopes[k + 1] >= 0.0);
        let bottoms = dips.map(|k| falling_root(place(k), place(k + 1), |sigma| -self.at(sigma).1));
        bottoms.map(|sigma| self.at(sigma).0).fold(f64::INFINITY, f64::min)
    }

    /// The divergence at one σ and its derivative by σ: damped Newton on the concave function Σ q ln(1 + λ·h) with
    /// h = (a - m, (a - m)² - σ²).
    fn at(&self, sigma: f64) -> (f64, f64) {
        let mean = 0.5 + self.t * sigma;
        let features: Vec<[f64; 2]> =
            self.scores.iter().map(|a| [a - mean, (a - mean).powi(2) - sigma * sigma]).collect();
        let mut lambda = [0.0, 0.0];
        let mut value = 0.0;
        for _ in 0..200 {
            let (step, gain) = self.newton_step(&features, lambda);
            if gain <= 1e-19 {
                break;
            }
            let Some((next, higher)) = self.climb(&features, lambda, step, value) else {
                break;
            };
            (lambda, value) = (next, higher);
        }
        // By the envelope theorem only h depends on σ, and E(a - m) = 0 removes the mixed term.
        (value, -lambda[0] * self.t - 2.0 * lambda[1] * sigma)
    }

    /// The Newton step for λ and the gain it promises (gradient times step).
    fn newton_step(&self, features: &[[f64; 2]], lambda: [f64; 2]) -> ([f64; 2], f64) {
        let (mut g, mut h) = ([0.0; 2], [0.0; 3]);
        for (f, q) in features.iter().zip(self.weights) {
            let ratio = 1.0 / (1.0 + lambda[0] * f[0] + lambda[1] * f[1]);
            g[0] += q * f[0] * ratio;
            g[1] += q * f[1] * ratio;
            h[0] += q * (f[0] * ratio).powi(2);
            h[1] += q * f[0] * f[1] * ratio * ratio;
            h[2] += q * (f[1] * ratio).powi(2);
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        if determinant <= 0.0 {
            // Rounding has flattened the curvature; a gradient step is always uphill.
            let scale = 1.0 / (h[0] + h[2]);
            return ([g[0] * scale, g[1] * scale], (g[0] * g[0] + g[1] * g[1]) * scale);
        }
        let step = [(h[2] * g[0] - h[1] * g[1]) / determinant, (h[0] * g[1] - h[1] * g[0]) / determinant];
        (step, g[0] * step[0] + g[1] * step[1])
    }

    /// Halves the step until it stays in the domain and goes up; `None` when rounding leaves nothing to gain.
    fn climb(&self, features: &[[f64; 2]], lambda: [f64; 2], step: [f64; 2], value: f64) -> Option<([f64; 2], f64)> {
        let mut length = 1.0;
        for _ in 0..60 {
            let next = [lambda[0] + length * step[0], lambda[1] + length * step[1]];
            let inside = features.iter().all(|f| 1.0 + next[0] * f[0] + next[1] * f[1] > 0.0);
            if inside {
                let terms = features.iter().zip(self.weights);
                let higher: f64 = terms.map(|(f, q)| q * (next[0] * f[0] + next[1] * f[1]).ln_1p()).sum();
                if higher > value {
                    return Some((next, higher));
                }
            }
            length *= 0.5;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counts::{Penta, Tally, Wdl};

    /// For three cells the hypothesis leaves one degree of freedom, which can simply be scanned.
    fn scanned(cells: &Cells, t: f64) -> f64 {
        let total = cells.observations();
        let least = |delta: f64| {
            let outer = (delta / t).powi(2) + delta * delta;
            let p = [0.5 * (outer - delta), 1.0 - outer, 0.5 * (outer + delta)];
            let terms = cells.counts.iter().zip(p);
            if p.iter().all(|&p| p > 0.0) {
                terms.map(|(n, p)| n / total * (n / total / p).ln()).sum()
            } else {
                f64::INFINITY
            }
        };
        (1..400_000).map(|k| least(f64::from(k) / 400_000.0 * t.signum())).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn dual_finds_what_a_scan_finds() {
        for (wins, draws, losses) in [(5, 3, 9), (40, 1, 2), (1, 90, 1), (20, 60, 0)] {
            let cells = Wdl { wins, draws, losses }.cells().with_empty_set_to(1e-3);
            for t in [-3.0, -0.4, -0.01, 0.02, 0.5, 4.0] {
                let (dual, scan) = (t_divergence(&cells, t), scanned(&cells, t));
                // The scan stops short of an optimum close to the edge, so it may be a little above but never below.
                assert!(dual <= scan + 1e-12 && scan - dual < 1e-5 * scan.max(1.0), "{cells:?} {t}: {dual} {scan}");
            }
        }
    }

    #[test]
    fn no_dip_is_missed() {
        for counts in [[144, 3, 1, 0, 0], [1, 0, 0, 0, 200], [9, 0, 80, 0, 7], [3, 4, 5, 6, 7]] {
            let cells = Penta(counts).cells().with_empty_set_to(1e-3);
            let total = cells.observations();
            let weights: Vec<f64> = cells.counts.iter().map(|n| n / total).collect();
            for t in [0.01, 1.0, 2.9, 6.0, 12.0] {
                let dual = Dual { scores: cells.scores, weights: &weights, t };
                let found = t_divergence(&cells, t);
                for (from, to) in dual.possible_sigmas() {
                    let scan = (1..2000).map(|k| dual.at(from + (to - from) * f64::from(k) / 2000.0).0);
                    let least = scan.fold(f64::INFINITY, f64::min);
                    assert!(found <= least + 1e-9, "{counts:?} {t}: {found} {least}");
                }
            }
        }
    }
}
