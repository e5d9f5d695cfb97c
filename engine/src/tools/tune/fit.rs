//! Logistic regression on the terms.

use super::samples::Sample;
use crate::eval::terms::COUNT;
use crate::eval::weights::{CLASSIC, Phases, Weights};
use argmin::core::{CostFunction, Error, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use std::fmt;

/// Numbers that a sample is described by: two phases of two sides of all terms, and what it means to have moved, early and late.
const WIDTH: usize = 4 * COUNT + 2;
/// Steps of L-BFGS at most, and earlier steps that it remembers.
const STEPS: u64 = 500;
const MEMORY: usize = 10;

type Row = [f64; WIDTH];

/// The logarithm of the odds that the mover scores is the product of this and a sample's row.
#[derive(Clone)]
pub(super) struct Model(Row);

/// How well a model foretells results.
#[derive(Clone, Copy)]
pub(super) struct Quality {
    /// Mean of the negative logarithm of the chance that it gave to what happened.
    pub(super) loss: f64,
    /// The share of decided games in which it was right about the winner.
    accuracy: f64,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "log loss {:.4}, accuracy {:.1} %", self.loss, 100.0 * self.accuracy)
    }
}

/// A sample as numbers: early ours, early theirs, late ours, late theirs, with the opponent's terms negative; the first to move at last.
fn row(sample: &Sample) -> Row {
    let late = f64::from(Phases::lateness(sample.reply)) / f64::from(Phases::LATE - Phases::EARLY);
    let mut row = [0.0; WIDTH];
    for (phase, share) in [1.0 - late, late].into_iter().enumerate() {
        for term in 0..COUNT {
            row[2 * phase * COUNT + term] = share * f64::from(sample.features.ours[term]);
            row[(2 * phase + 1) * COUNT + term] = -share * f64::from(sample.features.theirs[term]);
        }
        row[4 * COUNT + phase] = share;
    }
    row
}

/// The weights in the order of a row.
fn weights_of(phases: &Phases) -> Row {
    let mut row = [0.0; WIDTH];
    for (phase, weights) in [phases.early, phases.late].iter().enumerate() {
        for term in 0..COUNT {
            row[2 * phase * COUNT + term] = f64::from(weights.ours[term]);
            row[(2 * phase + 1) * COUNT + term] = f64::from(weights.theirs[term]);
        }
    }
    row
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A problem for the optimizer: odds are `offset + row · x`, and `l2 · x²` is added to the loss but for the last two.
struct Problem {
    rows: Vec<Vec<f64>>,
    offsets: Vec<f64>,
    results: Vec<f64>,
    l2: f64,
}

impl Problem {
    fn penalized<'a>(&self, x: &'a [f64]) -> &'a [f64] {
        &x[..x.len() - 2]
    }

    fn odds<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        let odds = self.rows.iter().zip(&self.offsets).map(|(row, offset)| offset + dot(row, x));
        odds.zip(self.results.iter().copied())
    }

    fn solve(self, start: Vec<f64>) -> Result<Vec<f64>, String> {
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY);
        let executor = Executor::new(self, solver).configure(|state| state.param(start).max_iters(STEPS));
        let result = executor.run().map_err(|error| error.to_string())?;
        result.state.best_param.ok_or_else(|| "the optimizer found nothing".into())
    }
}

/// The negative logarithm of the chance given to a result by odds.
fn loss(odds: f64, result: f64) -> f64 {
    // ln(1 + e^odds) - result * odds, without overflow.
    odds.max(0.0) + (-odds.abs()).exp().ln_1p() - result * odds
}

impl CostFunction for Problem {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        let sum: f64 = self.odds(x).map(|(odds, result)| loss(odds, result)).sum();
        let penalized = self.penalized(x);
        Ok(sum / self.rows.len() as f64 + self.l2 * dot(penalized, penalized))
    }
}

impl Gradient for Problem {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut gradient = vec![0.0; x.len()];
        for ((odds, result), row) in self.odds(x).zip(&self.rows) {
            let error = (1.0 / (1.0 + (-odds).exp()) - result) / self.rows.len() as f64;
            gradient.iter_mut().zip(row).for_each(|(sum, value)| *sum += error * value);
        }
        let penalized = self.penalized(x);
        gradient.iter_mut().zip(penalized).for_each(|(sum, x)| *sum += 2.0 * self.l2 * x);
        Ok(gradient)
    }
}

impl Model {
    /// The weights by hand with the scale, and the worth of having moved, that suit the samples best.
    pub(super) fn classic(samples: &[Sample]) -> Result<Self, String> {
        let classic = weights_of(&CLASSIC);
        let rows =
            samples.iter().map(row).map(|row| vec![dot(&row, &classic) / 1000.0, row[WIDTH - 2], row[WIDTH - 1]]);
        let problem = Problem {
            rows: rows.collect(),
            offsets: vec![0.0; samples.len()],
            results: samples.iter().map(|sample| sample.result).collect(),
            l2: 0.0,
        };
        let best = problem.solve(vec![1.0, 0.0, 0.0])?;
        let mut model = classic.map(|weight| weight * best[0] / 1000.0);
        model[WIDTH - 2..].copy_from_slice(&best[1..]);
        Ok(Self(model))
    }

    /// The model that suits the samples best, each number held to that of this one as strongly as it moves the odds: `l2` times the variance that
    /// the change brings into them is added to the loss. The terms `frozen` stay as they are.
    pub(super) fn fitted(&self, samples: &[Sample], l2: f64, frozen: &[usize]) -> Result<Self, String> {
        let rows: Vec<Row> = samples.iter().map(row).collect();
        let spread: Vec<f64> =
            (0..WIDTH).map(|i| if i < 4 * COUNT { deviation(rows.iter().map(|row| row[i])) } else { 1.0 }).collect();
        let is_free = |i: usize| i >= 4 * COUNT || spread[i] > 0.0 && !frozen.contains(&(i % COUNT));
        let free: Vec<usize> = (0..WIDTH).filter(|&i| is_free(i)).collect();
        let problem = Problem {
            rows: rows.iter().map(|row| free.iter().map(|&i| row[i] / spread[i]).collect()).collect(),
            offsets: rows.iter().map(|row| dot(row, &self.0)).collect(),
            results: samples.iter().map(|sample| sample.result).collect(),
            l2,
        };
        let best = problem.solve(vec![0.0; free.len()])?;
        let mut model = self.0;
        for (&i, x) in free.iter().zip(best) {
            model[i] += x / spread[i];
        }
        Ok(Self(model))
    }

    /// How well it foretells the results of these samples.
    pub(super) fn quality(&self, samples: &[Sample]) -> Quality {
        let odds: Vec<(f64, f64)> = samples.iter().map(|sample| (dot(&row(sample), &self.0), sample.result)).collect();
        let sum: f64 = odds.iter().map(|&(odds, result)| loss(odds, result)).sum();
        let decided = odds.iter().filter(|(_, result)| *result != 0.5).count();
        let right = odds.iter().filter(|(odds, result)| *result != 0.5 && (*odds > 0.0) == (*result > 0.5)).count();
        Quality { loss: sum / odds.len() as f64, accuracy: right as f64 / decided.max(1) as f64 }
    }

    /// The weights in hundredths of a pawn, of a size that the scores of these samples are spread as those by hand are: all else in the search that
    /// is measured in pawns goes on to fit.
    pub(super) fn phases(&self, samples: &[Sample]) -> Phases {
        let mut own = self.0;
        own[4 * COUNT..].fill(0.0);
        let classic = weights_of(&CLASSIC);
        let spread = |weights: &Row| deviation(samples.iter().map(|sample| dot(&row(sample), weights)));
        let scale = spread(&classic) / spread(&own);
        let side = |start: usize| std::array::from_fn(|term| (own[start + term] * scale).round() as i32);
        let phase = |start: usize| Weights { ours: side(start), theirs: side(start + COUNT) };
        Phases { early: phase(0), late: phase(2 * COUNT) }
    }
}

/// The standard deviation.
fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}
