//! Models with a draw parameter (Rao and Kupper, Davidson, Ordo's `-M`), fitted by brute force.
//!
//! The product rates on points and forecasts no draws; these fits only show that the numbers of BayesElo and Ordo are
//! understood. Derivatives are taken numerically: the pools are tiny.

use crescendo_runner::stats::elo::expected_score;

use super::Case;
use super::pools::{Meetings, meetings};

/// Chances of White's win, a draw and White's loss, given White's lead in Elo and the draw parameter.
type DrawModel = fn(f64, f64) -> [f64; 3];

/// Ratings, White's advantage and the draw parameter at the maximum of a likelihood.
pub(crate) struct DrawFit {
    pub(crate) ratings: Vec<f64>,
    pub(crate) advantage: f64,
    pub(crate) draw: f64,
    pub(crate) log_likelihood: f64,
    /// The negated Hessian for ratings, advantage and draw parameter.
    information: Vec<Vec<f64>>,
}

fn rao_kupper_chances(lead: f64, draw_elo: f64) -> [f64; 3] {
    let (win, loss) = (expected_score(lead - draw_elo), expected_score(-lead - draw_elo));
    [win, 1.0 - win - loss, loss]
}

/// The draw parameter is 1000 ν, to be of the size of ratings.
fn davidson_chances(lead: f64, draw: f64) -> [f64; 3] {
    let (g, nu) = (10f64.powf(lead / 800.0), draw / 1000.0);
    let sum = g + 1.0 / g + nu;
    [g / sum, nu / sum, 1.0 / g / sum]
}

/// Logistic score and Davidson's shape of draws; the parameter is 1000 times the draw rate of equals.
pub(crate) fn shaped_chances(lead: f64, draw: f64) -> [f64; 3] {
    let (e, even) = (expected_score(lead), draw / 1000.0);
    let phi = (1.0 - even) / (2.0 * even);
    let (a, c) = (4.0 * phi * phi - 1.0, 4.0 * (e * e - e));
    // a D² + 2 D + c = 0, in the form that survives a = 0.
    let d = -2.0 * c / (2.0 + (4.0 - 4.0 * a * c).sqrt());
    [e - 0.5 * d, d, 1.0 - e - 0.5 * d]
}

/// Maximizes the likelihood of all games, `prior` being virtual draws of each player spread over its pairings.
pub(crate) fn fit(games: &Meetings, model: DrawModel, prior: f64, start_draw: f64) -> DrawFit {
    let n = games.names.len();
    let target = |x: &[f64]| {
        let term = |&(white, black, wins, draws, losses): &(usize, usize, f64, f64, f64)| {
            let [w, d, l] = model(x[white] - x[black] + x[n], x[n + 1]);
            let wanted = |count: f64, chance: f64| {
                if count > 0.0 { count * chance.ln() } else { 0.0 }
            };
            wanted(wins, w) + wanted(draws, d) + wanted(losses, l)
        };
        let played: f64 = games.results.iter().map(term).sum();
        let imagined: f64 = virtual_draws(games, prior).iter().map(term).sum();
        // Only differences count, so the mean may be held at zero.
        let mean = x[..n].iter().sum::<f64>() / n as f64;
        played + imagined - 1e-4 * mean * mean
    };
    let mut x = vec![0.0; n];
    x.extend([50.0, start_draw]);
    for _ in 0..60 {
        let (gradient, information) = derivatives(&target, &x);
        let step = solve(information, gradient);
        let largest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let mut length = (200.0 / largest).min(1.0);
        let value = target(&x);
        let mut moved = || {
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x + length * s).collect();
            length *= 0.5;
            next
        };
        let better = (0..30).map(|_| moved()).find(|next| target(next) >= value - 1e-10);
        x = better.expect("a step that does not go down");
        if largest < 1e-6 {
            break;
        }
    }
    let (_, information) = derivatives(&target, &x);
    DrawFit { ratings: x[..n].to_vec(), advantage: x[n], draw: x[n + 1], log_likelihood: target(&x), information }
}

/// BayesElo's prior: each player's virtual draws go to its pairings in proportion to the games, half to each color.
fn virtual_draws(games: &Meetings, prior: f64) -> Vec<(usize, usize, f64, f64, f64)> {
    let n = games.names.len();
    let mut met = vec![vec![0.0; n]; n];
    for &(white, black, wins, draws, losses) in &games.results {
        met[white][black] += wins + draws + losses;
        met[black][white] += wins + draws + losses;
    }
    let mut draws = Vec::new();
    for (i, opponents) in met.iter().enumerate() {
        let all: f64 = opponents.iter().sum();
        for (j, games) in opponents.iter().enumerate().filter(|(_, games)| **games > 0.0) {
            let share = 0.25 * prior * games / all;
            draws.push((i, j, 0.0, share, 0.0));
            draws.push((j, i, 0.0, share, 0.0));
        }
    }
    draws
}

/// Gradient and negated Hessian by central differences.
fn derivatives(target: &dyn Fn(&[f64]) -> f64, x: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let at = |moves: &[(usize, f64)]| {
        let mut y = x.to_vec();
        for &(k, change) in moves {
            y[k] += change;
        }
        target(&y)
    };
    let (small, h) = (0.01, 0.2);
    let gradient = (0..x.len()).map(|i| (at(&[(i, small)]) - at(&[(i, -small)])) / (2.0 * small)).collect();
    let second = |i: usize, j: usize| {
        let corner = |a: f64, b: f64| at(&[(i, a * h), (j, b * h)]);
        -(corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0) + corner(-1.0, -1.0)) / (4.0 * h * h)
    };
    let hessian = (0..x.len()).map(|i| (0..x.len()).map(|j| second(i, j)).collect()).collect();
    (gradient, hessian)
}

/// Gauss elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).expect("a row");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in 0..n {
            if i != k {
                let factor = a[i][k] / a[k][k];
                let pivot_row = a[k].clone();
                for (cell, above) in a[i].iter_mut().zip(pivot_row) {
                    *cell -= factor * above;
                }
                b[i] -= factor * b[k];
            }
        }
    }
    (0..n).map(|k| b[k] / a[k][k]).collect()
}

impl DrawFit {
    /// Half the 95 % interval of each rating about the mean, from the first `variables` of the fit, the others fixed.
    fn margins(&self, variables: usize) -> Vec<f64> {
        let n = self.ratings.len();
        let block: Vec<Vec<f64>> = self.information[..variables].iter().map(|row| row[..variables].to_vec()).collect();
        let margin = |i: usize| {
            let contrast: Vec<f64> = (0..variables)
                .map(|k| if k < n { f64::from(u8::from(k == i)) - 1.0 / n as f64 } else { 0.0 })
                .collect();
            let solved = solve(block.clone(), contrast.clone());
            let variance: f64 = solved.iter().zip(&contrast).map(|(a, b)| a * b).sum();
            1.959_964 * variance.sqrt()
        };
        (0..n).map(margin).collect()
    }
}

pub(crate) fn rao_kupper(case: &Case) {
    let games = meetings(case);
    let prior = case.input()["prior_virtual_draws"].as_f64().expect("a prior");
    let fit = fit(&games, rao_kupper_chances, prior, 60.0);
    let x = 10f64.powf(-fit.draw / 400.0);
    let display = 4.0 * x / (1.0 + x).powi(2);
    case.check_loosely("elo_advantage", fit.advantage);
    case.check_loosely("elo_draw", fit.draw);
    case.check("loglik_incl_prior", fit.log_likelihood);
    for ((name, rating), margin) in games.names.iter().zip(&fit.ratings).zip(fit.margins(games.names.len())) {
        case.compare(
            &["ratings_unscaled", name],
            *rating,
            case.0["precise"]["ratings_unscaled"][name].as_f64().unwrap(),
            0.01,
        );
        case.check_at(&["ratings_rounded", name], rating * display);
        case.check_at(&["err95_rounded", name], margin * display);
    }
}

pub(crate) fn davidson(case: &Case) {
    let games = meetings(case);
    let fit = fit(&games, davidson_chances, 0.0, 250.0);
    case.check("white_advantage", fit.advantage);
    case.check("nu", fit.draw / 1000.0);
    case.check("loglik", fit.log_likelihood);
    for ((name, rating), margin) in games.names.iter().zip(&fit.ratings).zip(fit.margins(games.names.len() + 2)) {
        case.check_at(&["ratings", name], *rating);
        let precise = case.0["precise"]["ci95_halfwidth"][name].as_f64().expect("a margin");
        case.compare(&["ci95_halfwidth", name], margin, precise, 0.02);
    }
}

pub(crate) fn davidson_shaped(case: &Case) {
    let games = meetings(case);
    let mean = case.input()["mean"].as_f64().expect("a mean");
    let fit = fit(&games, shaped_chances, 0.0, 120.0);
    case.check_loosely("white_advantage", fit.advantage);
    case.check_loosely("draw_rate_even", fit.draw / 1000.0);
    let precise = case.0["precise"]["loglik"].as_f64().expect("a likelihood");
    case.compare(&["loglik"], fit.log_likelihood, precise, 1e-4);
    for (name, rating) in games.names.iter().zip(&fit.ratings) {
        let expected = case.expected()["ratings"][name].as_f64().expect("a rating");
        case.compare(&["ratings", name], rating + mean, expected, 0.02);
    }
}

/// BayesElo's display of a pool that needs a prior.
pub(crate) fn displayed_bayes_elo(games: &Meetings, prior: f64) -> (Vec<f64>, Vec<f64>) {
    let fit = fit(games, rao_kupper_chances, prior, 60.0);
    let x = 10f64.powf(-fit.draw / 400.0);
    let display = 4.0 * x / (1.0 + x).powi(2);
    let margins = fit.margins(games.names.len());
    let scaled = |values: &[f64]| values.iter().map(|v| v * display).collect();
    (scaled(&fit.ratings), scaled(&margins))
}

/// Difficulty and discrimination of a puzzle: a logistic regression on the solvers' ratings. The product takes
/// discrimination for 1; this is the test of that assumption.
pub(crate) fn puzzle_2pl(case: &Case) {
    let attempts = super::pools::attempts(case);
    let (mut level, mut slope) = (0.0, 1.0);
    let mut error = 0.0;
    let unit = std::f64::consts::LN_10 / 400.0;
    for _ in 0..30 {
        let (mut g, mut h) = ([0.0; 2], [0.0; 3]);
        for &(rating, solved, tried) in &attempts {
            let z = (rating - 1400.0) * unit;
            let p = 1.0 / (1.0 + (-(level + slope * z)).exp());
            let (surplus, weight) = (solved - tried * p, tried * p * (1.0 - p));
            g = [g[0] + surplus, g[1] + surplus * z];
            h = [h[0] + weight, h[1] + weight * z, h[2] + weight * z * z];
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        level += (h[2] * g[0] - h[1] * g[1]) / determinant;
        slope += (h[0] * g[1] - h[1] * g[0]) / determinant;
        error = (h[0] / determinant).sqrt();
    }
    case.check("discrimination", slope);
    case.check("difficulty", 1400.0 - level / slope / unit);
    case.check("se_discrimination", error);
}
