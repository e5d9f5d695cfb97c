//! Ratings of puzzles and of their solvers, from games and attempts at once.
//!
//! A puzzle is a player that meets only solvers: an attempt at puzzle i by solver j succeeds with chance `logistic(s_j - d_i)`
//! (Rasch, *Probabilistic Models for Some Intelligence and Attainment Tests*, 1960), and a game between solvers is expected to give
//! `logistic(s_w - s_b + adv)` points, as in [`rating`](super::rating). One likelihood holds both, on one scale. Engines of little
//! randomness solve a puzzle always or never and stretch that scale; compare a fit with games and one without.
//!
//! Few attempts say little about one puzzle, so difficulties have a prior `N(x_i β, τ²)`, whose mean is linear in what is known of
//! the puzzle without trying it. β and τ² are fitted on the same data (empirical Bayes; τ² by the EM algorithm of Dempster, Laird
//! and Rubin, 1977). Attempts of one solver at one puzzle need not be independent: an engine without chance always does the same. The
//! likelihood of attempts is divided by the dispersion φ ≥ 1 of Pearson's statistic (McCullagh and Nelder, *Generalized Linear
//! Models*, section 4.5), which widens all errors.
//!
//! Everything here is in natural log-odds; the public functions speak Elo. Difficulties enter the information matrix
//! only on its diagonal and toward solvers and β, so they are eliminated one by one and thousands of puzzles cost no more than a
//! small dense system (a Schur complement).

use super::elo::{LOG_ODDS_PER_ELO, logistic};
use super::fit::Encounter;
use super::matrix::{Cholesky, Matrix};
use super::pool::Pool;
use serde::Serialize;

/// The standard deviation, in Elo, of the weak prior of a solver about the first one: it matters only where there is no data.
const SOLVER_PRIOR: f64 = 1000.0;
/// The same of a coefficient of β, whose features have unit variance.
const COEFFICIENT_PRIOR: f64 = 1000.0;
/// Rounds of the EM algorithm; each ends with a fit.
const ROUNDS: usize = 60;

/// All attempts of one solver at one puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The solver, from 0.
    pub solver: usize,
    /// The puzzle, from 0.
    pub puzzle: usize,
    /// Attempts, more than 0.
    pub attempts: f64,
    /// Successes.
    pub solved: f64,
}

/// What is to be fitted.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// How many solvers. The first is held at `origin`.
    pub solvers: usize,
    /// The rating of solver 0, in Elo, which fixes the scale.
    pub origin: f64,
    /// Ratings of all solvers in Elo, if they are known: then only puzzles are fitted. Empty otherwise.
    pub known: Vec<f64>,
    /// Games between solvers, who have the same numbers there; an empty pool if there are none.
    pub games: Pool,
    /// Attempts at puzzles.
    pub trials: Vec<Trial>,
    /// What is known of each puzzle: as many numbers for one as for another, in any unit. A constant is added by itself.
    pub features: Vec<Vec<f64>>,
}

/// An estimate with its standard error, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub elo: f64,
    /// Its standard error.
    pub std_error: f64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Ratings of the solvers.
    pub solvers: Vec<Estimate>,
    /// White's advantage between solvers.
    pub white_advantage: Estimate,
    /// Ratings of the puzzles. The error is that of the place on the whole scale, from solver 0 up.
    pub puzzles: Vec<Estimate>,
    /// The standard errors of the puzzles' ratings, in Elo, if those of the solvers were known: what is uncertain of each puzzle alone.
    pub own_errors: Vec<f64>,
    /// The constant, then one coefficient a feature, in Elo for one standard deviation of the feature.
    pub coefficients: Vec<Estimate>,
    /// The standard deviation, in Elo, of difficulties about what the features say.
    pub spread: f64,
    /// The dispersion φ of attempts; 1 = independent.
    pub dispersion: f64,
    scaling: Scaling,
}

/// Means and standard deviations of the features.
#[derive(Clone, Debug)]
struct Scaling(Vec<(f64, f64)>);

impl Scaling {
    fn of(features: &[Vec<f64>]) -> Self {
        let n = features.len().max(1) as f64;
        let columns = features.first().map_or(0, Vec::len);
        let scale = |k: usize| {
            let mean = features.iter().map(|row| row[k]).sum::<f64>() / n;
            let variance = features.iter().map(|row| (row[k] - mean).powi(2)).sum::<f64>() / n;
            // A feature that never varies says nothing; its column becomes zero.
            (mean, if variance > 1e-12 { variance.sqrt() } else { f64::INFINITY })
        };
        Self((0..columns).map(scale).collect())
    }

    /// A constant and the scaled features.
    fn row(&self, features: &[f64]) -> Vec<f64> {
        let scaled = features.iter().zip(&self.0).map(|(value, (mean, deviation))| (value - mean) / deviation);
        std::iter::once(1.0).chain(scaled).collect()
    }
}

impl Fitted {
    /// What the features alone say of a puzzle, and how far it may be off.
    pub fn predict(&self, features: &[f64]) -> Estimate {
        let row = self.scaling.row(features);
        let elo = row.iter().zip(&self.coefficients).map(|(x, b)| x * b.elo).sum();
        Estimate { elo, std_error: self.spread }
    }

    /// The chance, in \[0, 1\], that solver `solver` solves a puzzle of this difficulty at the first attempt. The error of the difficulty
    /// pulls it toward ½ (MacKay, *The Evidence Framework Applied to Classification Networks*, 1992, equation 21).
    pub fn chance(&self, solver: usize, puzzle: &Estimate) -> f64 {
        let variance = (puzzle.std_error * LOG_ODDS_PER_ELO).powi(2);
        let odds = (self.solvers[solver].elo - puzzle.elo) * LOG_ODDS_PER_ELO;
        logistic(odds / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt())
    }
}

/// The state of a fit. The dense variables are solvers 1 …, then White's advantage, then β.
struct Fit<'a> {
    data: &'a Data,
    rows: Vec<Vec<f64>>,
    by_puzzle: Vec<Vec<Trial>>,
    games: Vec<Encounter>,
    origin: f64,
    dense: Vec<f64>,
    difficulty: Vec<f64>,
    /// τ², in squared log-odds.
    variance: f64,
    dispersion: f64,
    /// The slope of Laplace's term, one a dense variable; see [`Fit::next_tilt`].
    tilt: Vec<f64>,
}

/// Where the maximum is and how sharp.
struct Curvature {
    /// The inverse of the information of the dense variables, difficulties eliminated.
    dense: Matrix,
    /// Of each puzzle: its own information, and its row toward the dense variables.
    own: Vec<(f64, Vec<f64>)>,
}

impl Curvature {
    fn new(dense: Matrix, puzzles: Vec<PuzzleSlope>) -> Self {
        Self { dense, own: puzzles.into_iter().map(|one| (one.own, one.row)).collect() }
    }
}

/// Gradient and information.
struct Slopes {
    /// Of the dense variables.
    gradient: Vec<f64>,
    information: Matrix,
    puzzles: Vec<PuzzleSlope>,
}

/// Those of one difficulty, and its row of the information matrix toward the dense variables.
struct PuzzleSlope {
    gradient: f64,
    own: f64,
    row: Vec<f64>,
}

impl Slopes {
    /// Eliminates the difficulties: what is left is for the dense variables with every difficulty at its best.
    fn eliminate(&mut self) {
        for one in &self.puzzles {
            let touched: Vec<usize> = (0..one.row.len()).filter(|&k| one.row[k] != 0.0).collect();
            for &i in &touched {
                self.gradient[i] -= one.row[i] * one.gradient / one.own;
                for &j in &touched {
                    self.information.add(i, j, -one.row[i] * one.row[j] / one.own);
                }
            }
        }
    }
}

/// Fits. Without puzzles or with one solver the answer is that of the priors.
pub fn fit(data: &Data) -> Fitted {
    let scaling = Scaling::of(&data.features);
    let mut fit = Fit::new(data, &scaling);
    let mut curvature = fit.maximize();
    for _ in 0..ROUNDS {
        let before = (fit.variance, fit.dispersion);
        fit.variance = fit.next_variance(&curvature);
        fit.dispersion = fit.next_dispersion(&curvature);
        fit.tilt = fit.next_tilt(&curvature);
        curvature = fit.maximize();
        let ratios = [fit.variance / before.0, fit.dispersion / before.1];
        if ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4) {
            break;
        }
    }
    fit.result(&curvature, scaling)
}

impl<'a> Fit<'a> {
    fn new(data: &'a Data, scaling: &Scaling) -> Self {
        let rows: Vec<Vec<f64>> = data.features.iter().map(|features| scaling.row(features)).collect();
        let mut by_puzzle = vec![Vec::new(); rows.len()];
        for trial in &data.trials {
            by_puzzle[trial.puzzle].push(*trial);
        }
        let origin = data.origin * LOG_ODDS_PER_ELO;
        let columns = scaling.0.len() + 1;
        let mut dense = vec![origin; data.solvers.max(1) - 1];
        dense.push(0.0);
        dense.resize(dense.len() + columns, 0.0);
        let constant = data.solvers.max(1);
        dense[constant] = origin;
        let difficulty = vec![origin; rows.len()];
        let games = data.games.encounters();
        let tilt = vec![0.0; dense.len()];
        Self { data, rows, by_puzzle, games, origin, dense, difficulty, variance: 1.0, dispersion: 1.0, tilt }
    }

    fn advantage(&self) -> usize {
        self.data.solvers.max(1) - 1
    }

    fn solver(&self, solver: usize) -> f64 {
        if solver == 0 { self.origin } else { self.dense[solver - 1] }
    }

    /// x_i β.
    fn expected(&self, puzzle: usize) -> f64 {
        let beta = &self.dense[self.advantage() + 1..];
        self.rows[puzzle].iter().zip(beta).map(|(x, b)| x * b).sum()
    }

    /// The logarithm of the posterior, up to a constant.
    fn value(&self) -> f64 {
        let mut sum = 0.0;
        for game in &self.games {
            let odds = self.solver(game.white) - self.solver(game.black) + self.dense[self.advantage()];
            sum += game.points * ln_logistic(odds) + (game.games - game.points) * ln_logistic(-odds);
        }
        for (puzzle, trials) in self.by_puzzle.iter().enumerate() {
            for trial in trials {
                let odds = self.solver(trial.solver) - self.difficulty[puzzle];
                let failed = trial.attempts - trial.solved;
                sum += (trial.solved * ln_logistic(odds) + failed * ln_logistic(-odds)) / self.dispersion;
            }
            sum -= (self.difficulty[puzzle] - self.expected(puzzle)).powi(2) / (2.0 * self.variance);
        }
        sum += self.dense.iter().zip(&self.tilt).map(|(x, t)| x * t).sum::<f64>();
        let priors = self.priors();
        sum - self.dense.iter().zip(&priors).map(|(x, (at, precision))| 0.5 * precision * (x - at).powi(2)).sum::<f64>()
    }

    /// Center and precision of the weak prior of each dense variable.
    fn priors(&self) -> Vec<(f64, f64)> {
        let precision = |deviation: f64| (deviation * LOG_ODDS_PER_ELO).powi(-2);
        let constant = self.advantage() + 1;
        let prior = |k: usize| match k {
            k if k < constant - 1 && k + 1 < self.data.known.len() => {
                // As good as fixed, and the information stays regular.
                (self.data.known[k + 1] * LOG_ODDS_PER_ELO, precision(0.01))
            }
            k if k < constant - 1 => (self.origin, precision(SOLVER_PRIOR)),
            // White's advantage is worth a few hundred points at most.
            k if k == constant - 1 => (0.0, precision(200.0)),
            k if k == constant => (self.origin, precision(SOLVER_PRIOR)),
            _ => (0.0, precision(COEFFICIENT_PRIOR)),
        };
        (0..self.dense.len()).map(prior).collect()
    }

    /// Gradient and information here.
    fn slopes(&self) -> Slopes {
        let size = self.dense.len();
        let mut slopes = Slopes { gradient: vec![0.0; size], information: Matrix::zero(size), puzzles: Vec::new() };
        for (k, (at, precision)) in self.priors().into_iter().enumerate() {
            slopes.gradient[k] += self.tilt[k] - precision * (self.dense[k] - at);
            slopes.information.add(k, k, precision);
        }
        let advantage = self.advantage();
        for game in &self.games {
            let e = logistic(self.solver(game.white) - self.solver(game.black) + self.dense[advantage]);
            let (surplus, weight) = (game.points - game.games * e, game.games * e * (1.0 - e));
            // Solver j > 0 is variable j - 1, and White's advantage comes right after the last.
            let signs = [(game.white, 1.0), (game.black, -1.0), (advantage + 1, 1.0)];
            let free: Vec<(usize, f64)> =
                signs.into_iter().filter(|(j, _)| *j > 0).map(|(j, sign)| (j - 1, sign)).collect();
            for &(i, a) in &free {
                slopes.gradient[i] += a * surplus;
                for &(j, b) in &free {
                    slopes.information.add(i, j, weight * a * b);
                }
            }
        }
        for puzzle in 0..self.rows.len() {
            let own = self.puzzle_slopes(puzzle, &mut slopes);
            slopes.puzzles.push(own);
        }
        slopes
    }

    /// The same of one puzzle; its part of the dense variables is added to `slopes`.
    fn puzzle_slopes(&self, puzzle: usize, slopes: &mut Slopes) -> PuzzleSlope {
        let residual = (self.difficulty[puzzle] - self.expected(puzzle)) / self.variance;
        let mut one = PuzzleSlope { gradient: -residual, own: 1.0 / self.variance, row: vec![0.0; self.dense.len()] };
        for trial in &self.by_puzzle[puzzle] {
            let e = logistic(self.solver(trial.solver) - self.difficulty[puzzle]);
            let surplus = (trial.solved - trial.attempts * e) / self.dispersion;
            let weight = trial.attempts * e * (1.0 - e) / self.dispersion;
            one.gradient -= surplus;
            one.own += weight;
            if trial.solver > 0 {
                let k = trial.solver - 1;
                slopes.gradient[k] += surplus;
                slopes.information.add(k, k, weight);
                one.row[k] -= weight;
            }
        }
        let constant = self.advantage() + 1;
        for (a, x) in self.rows[puzzle].iter().enumerate() {
            slopes.gradient[constant + a] += residual * x;
            one.row[constant + a] -= x / self.variance;
            for (b, y) in self.rows[puzzle].iter().enumerate() {
                slopes.information.add(constant + a, constant + b, x * y / self.variance);
            }
        }
        one
    }

    /// Newton's method with a line search: the posterior is concave, so there is one maximum.
    fn maximize(&mut self) -> Curvature {
        let mut value = self.value();
        loop {
            let mut slopes = self.slopes();
            slopes.eliminate();
            let Slopes { gradient, information, puzzles } = slopes;
            // The weak priors keep it regular; should rounding win all the same, the place reached must do.
            let Some(cholesky) = Cholesky::new(&information, 1e-12) else {
                return Curvature::new(Matrix::zero(gradient.len()), puzzles);
            };
            // The step of the dense variables, then of each puzzle.
            let step = cholesky.solve(&gradient);
            let dot = |row: &[f64]| row.iter().zip(&step).map(|(a, b)| a * b).sum::<f64>();
            let steps: Vec<f64> = puzzles.iter().map(|one| (one.gradient - dot(&one.row)) / one.own).collect();
            let largest = step.iter().chain(&steps).fold(0.0, |most: f64, s| most.max(s.abs()));
            // As much of it as does not go down.
            let (dense, difficulty) = (self.dense.clone(), self.difficulty.clone());
            let mut length = 1.0;
            let reached = loop {
                self.dense = dense.iter().zip(&step).map(|(x, s)| x + length * s).collect();
                self.difficulty = difficulty.iter().zip(&steps).map(|(x, s)| x + length * s).collect();
                let reached = self.value();
                if reached >= value || length < 1e-9 {
                    break reached;
                }
                length *= 0.5;
            };
            if reached < value {
                (self.dense, self.difficulty) = (dense, difficulty);
            }
            if largest < 1e-7 || reached <= value {
                return Curvature::new(cholesky.inverse(), puzzles);
            }
            value = reached;
        }
    }

    /// The EM step of τ²: the mean square of d_i - x_i β, its own uncertainty included.
    fn next_variance(&self, curvature: &Curvature) -> f64 {
        let constant = self.advantage() + 1;
        let mut sum = 0.0;
        for (puzzle, (own, row)) in curvature.own.iter().enumerate() {
            // d_i - x_i β as a function of the dense variables, once d_i is at its best for them.
            let mut direction: Vec<f64> = row.iter().map(|value| -value / own).collect();
            for (a, x) in self.rows[puzzle].iter().enumerate() {
                direction[constant + a] -= x;
            }
            let uncertain = 1.0 / own + quadratic(&curvature.dense, &direction);
            sum += (self.difficulty[puzzle] - self.expected(puzzle)).powi(2) + uncertain;
        }
        // Puzzles differ by something, however little data there is: at least 10 Elo.
        (sum / curvature.own.len().max(1) as f64).max((10.0 * LOG_ODDS_PER_ELO).powi(2))
    }

    /// What integrating the difficulties out, and not only taking the best, adds to the slope of the dense variables: that of
    /// Laplace's term −½ Σ ln(own information), with each difficulty following at its best. Without it the best difficulties look
    /// too well known, and the scale shrinks toward the prior.
    fn next_tilt(&self, curvature: &Curvature) -> Vec<f64> {
        let mut tilt = vec![0.0; self.dense.len()];
        for (trials, (puzzle, (own, row))) in self.by_puzzle.iter().zip(curvature.own.iter().enumerate()) {
            let mut total = 0.0;
            for trial in trials {
                let e = logistic(self.solver(trial.solver) - self.difficulty[puzzle]);
                // How the information of this trial changes with the solver's rating.
                let change = trial.attempts * e * (1.0 - e) * (1.0 - 2.0 * e) / self.dispersion;
                total += change;
                if trial.solver > 0 {
                    tilt[trial.solver - 1] -= 0.5 * change / own;
                }
            }
            for (cell, toward) in tilt.iter_mut().zip(row) {
                // The difficulty moves by -row / own, and the information by minus the total change for it.
                *cell -= 0.5 * total * toward / (own * own);
            }
        }
        tilt
    }

    /// Pearson's statistic for each degree of freedom, over the trials whose result was not certain beforehand.
    fn next_dispersion(&self, curvature: &Curvature) -> f64 {
        let (mut statistic, mut cells) = (0.0, 0.0);
        for trial in &self.data.trials {
            let e = logistic(self.solver(trial.solver) - self.difficulty[trial.puzzle]);
            let spread = e * (1.0 - e);
            if spread > 0.02 {
                statistic += (trial.solved - trial.attempts * e).powi(2) / (trial.attempts * spread);
                cells += 1.0;
            }
        }
        // What the difficulties have adapted to: of each, the share of its information that comes from attempts.
        let adapted: f64 = curvature.own.iter().map(|(own, _)| 1.0 - 1.0 / (self.variance * own)).sum();
        let freedom = cells - adapted - self.data.solvers as f64;
        if freedom > 0.0 { (statistic / freedom).max(1.0) } else { 1.0 }
    }

    fn result(&self, curvature: &Curvature, scaling: Scaling) -> Fitted {
        let in_elo = |x: f64, variance: f64| Estimate {
            elo: x / LOG_ODDS_PER_ELO,
            std_error: variance.max(0.0).sqrt() / LOG_ODDS_PER_ELO,
        };
        let dense = |k: usize| in_elo(self.dense[k], curvature.dense.at(k, k));
        let puzzle = |(i, (own, row)): (usize, &(f64, Vec<f64>))| {
            let direction: Vec<f64> = row.iter().map(|value| value / own).collect();
            in_elo(self.difficulty[i], 1.0 / own + quadratic(&curvature.dense, &direction))
        };
        let advantage = self.advantage();
        let first = Estimate { elo: self.data.origin, std_error: 0.0 };
        Fitted {
            solvers: std::iter::once(first).chain((0..advantage).map(dense)).take(self.data.solvers).collect(),
            white_advantage: dense(advantage),
            own_errors: curvature.own.iter().map(|(own, _)| own.powf(-0.5) / LOG_ODDS_PER_ELO).collect(),
            puzzles: curvature.own.iter().enumerate().map(puzzle).collect(),
            coefficients: (advantage + 1..self.dense.len()).map(dense).collect(),
            spread: self.variance.sqrt() / LOG_ODDS_PER_ELO,
            dispersion: self.dispersion,
            scaling,
        }
    }
}

/// vᵀ M v.
fn quadratic(matrix: &Matrix, v: &[f64]) -> f64 {
    let row = |i: usize| v.iter().zip(matrix.row(i)).map(|(x, m)| x * m).sum::<f64>();
    (0..matrix.size()).filter(|&i| v[i] != 0.0).map(|i| v[i] * row(i)).sum()
}

/// ln logistic(x), without overflow.
fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}
