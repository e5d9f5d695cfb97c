//! Formulas of other tools that the product does not use, to show where their numbers come from.

use crescendo_runner::stats::counts::Wdl;
use crescendo_runner::stats::elo::{elo_of_score, expected_score};
use crescendo_runner::stats::sprt::{EloScale, Sprt};

use super::matches::Table;
use super::{Case, numbers};

const Z95: f64 = 1.959_963_984_540_054;

/// Losses, draws and wins with an empty cell set to a thousandth of a game, as fishtest does.
pub(crate) fn regularized(games: &Wdl) -> [f64; 3] {
    [games.losses, games.draws, games.wins].map(|n| if n == 0 { 1e-3 } else { n as f64 })
}

fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / 2f64.sqrt())
}

/// Mean and variance of the scores of one observation.
fn moments(counts: &[f64]) -> (f64, f64, f64) {
    let n: f64 = counts.iter().sum();
    let steps = (counts.len() - 1) as f64;
    let score = |k: usize| k as f64 / steps;
    let mean = counts.iter().enumerate().map(|(k, c)| c * score(k)).sum::<f64>() / n;
    let variance = counts.iter().enumerate().map(|(k, c)| c * (score(k) - mean).powi(2)).sum::<f64>() / n;
    (n, mean, variance)
}

fn clamped_elo(score: f64) -> f64 {
    elo_of_score(score.clamp(1e-3, 1.0 - 1e-3))
}

/// cutechess leaves draws out of its likelihood of superiority.
pub(crate) fn elo_cutechess(case: &Case) {
    let counts = numbers(&case.input()["counts_low_to_high"]);
    let elo = Table::new(&case.input()["counts_low_to_high"]).elo();
    case.check("elo", elo.elo);
    case.check("elo_err", elo.interval.margin());
    let (losses, wins) = (counts[0], counts[2]);
    case.check("los_percent", 100.0 * normal_cdf((wins - losses) / (wins + losses).sqrt()));
}

/// fishtest fills empty cells and clamps scores.
pub(crate) fn elo_regularized(case: &Case) {
    let fill = case.input()["regularize"].as_f64().expect("a count");
    let counts = numbers(&case.input()["counts_low_to_high"]);
    let counts: Vec<f64> = counts.into_iter().map(|n| if n == 0.0 { fill } else { n }).collect();
    let (n, mean, variance) = moments(&counts);
    let error = (variance / n).sqrt();
    case.check("elo", clamped_elo(mean));
    case.check("elo_err", 0.5 * (clamped_elo(mean + Z95 * error) - clamped_elo(mean - Z95 * error)));
    case.check("los", normal_cdf((mean - 0.5) / error));
}

/// OpenBench takes Student's law; here by the first two terms of its expansion about the normal one (Fisher 1925), exact to
/// ten digits for the thousands of games of the cases.
pub(crate) fn elo_student_t(case: &Case) {
    let (n, mean, variance) = moments(&numbers(&case.input()["counts_low_to_high"]));
    let (z, freedom) = (Z95, n - 1.0);
    let t = z
        + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom * freedom);
    let error = (variance / n).sqrt();
    case.check("elo", clamped_elo(mean));
    case.check("lo", clamped_elo(mean - t * error));
    case.check("hi", clamped_elo(mean + t * error));
}

/// The draw parameter of BayesElo's model (Rao and Kupper), in Elo.
pub(crate) struct DrawElo(f64);

impl DrawElo {
    /// From losses, draws and wins.
    pub(crate) fn of_counts(counts: [f64; 3]) -> DrawElo {
        let n: f64 = counts.iter().sum();
        let (loss, win) = (counts[0] / n, counts[2] / n);
        DrawElo(200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10())
    }

    /// Chances of a loss, a draw and a win at a difference in BayesElo.
    fn chances(&self, elo: f64) -> [f64; 3] {
        let win = expected_score(elo - self.0);
        let loss = expected_score(-elo - self.0);
        [loss, 1.0 - win - loss, win]
    }

    /// The logistic Elo of a difference in BayesElo.
    pub(crate) fn logistic_elo(&self, elo: f64) -> f64 {
        let [_, draw, win] = self.chances(elo);
        elo_of_score(win + 0.5 * draw)
    }

    /// BayesElo to one logistic Elo near equality, the other way round: 4x / (1 + x)², x = 10^(-drawelo/400).
    fn scale(&self) -> f64 {
        let x = 10f64.powf(-self.0 / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    }

    fn llr(&self, counts: [f64; 3], elo0: f64, elo1: f64) -> f64 {
        let (p0, p1) = (self.chances(elo0), self.chances(elo1));
        (0..3).map(|k| counts[k] * (p1[k] / p0[k]).ln()).sum()
    }
}

/// Ratios under BayesElo's model.
pub(crate) fn llr(case: &Case, model: &str) {
    let input = case.input();
    let value = |name: &str| input[name].as_f64().expect("a number");
    let (elo0, elo1) = (value("elo0"), value("elo1"));
    match model {
        "bayesian_as_score" => {
            let counts: [f64; 3] = numbers(&input["counts_low_to_high"]).try_into().expect("3 counts");
            let draw_elo = DrawElo::of_counts(counts);
            let (low, high) = (draw_elo.logistic_elo(elo0), draw_elo.logistic_elo(elo1));
            let sprt = Sprt::new(low, high, EloScale::Logistic, 0.05, 0.05).expect("a sound test");
            case.check("llr", Table::new(&input["counts_low_to_high"]).llr(&sprt));
        }
        "bayesian_openbench" => {
            let counts: [f64; 3] = numbers(&input["counts_low_to_high"]).try_into().expect("3 counts");
            case.check("llr", DrawElo::of_counts(counts).llr(counts, elo0, elo1));
        }
        "cutechess_jeffreys" => {
            let counts = ["losses", "draws", "wins"].map(|name| value(name) + 0.5);
            let draw_elo = DrawElo::of_counts(counts);
            let scale = draw_elo.scale();
            case.check("llr", draw_elo.llr(counts, elo0 / scale, elo1 / scale));
            let sprt = Sprt::new(elo0, elo1, EloScale::Logistic, value("alpha"), value("beta")).expect("a sound test");
            case.check("lower", sprt.lower_bound());
            case.check("upper", sprt.upper_bound());
        }
        other => panic!("{}: no model {other}", case.id()),
    }
}
