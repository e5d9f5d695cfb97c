//! What rating a set of puzzles found out, as values, in words and as JSON; [`super::page`] makes a page of it.

use super::ORIGIN;
use crate::stats::attempts::Estimate;
use crate::stats::calibration::Decile;
use serde::Serialize;
use std::fmt::Write as _;

/// A value with its error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// What.
    pub name: String,
    /// The estimate, in Elo.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// How the levels did with some puzzles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveRates {
    /// Which puzzles.
    pub name: String,
    /// How many.
    pub puzzles: usize,
    /// The share of attempts that solved one, for each level.
    pub rates: Vec<f64>,
}

/// How many ratings there are in a step of the scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// Where it begins, in points; it ends where the next does.
    pub from: f64,
    /// Puzzles in it.
    pub puzzles: usize,
}

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the schema.
    pub v: u32,
    /// Puzzles rated.
    pub puzzles: usize,
    /// Attempts of each level that errs at each.
    pub attempts: u32,
    /// Games between levels in the same fit.
    pub games: u64,
    /// Whether the levels have the ratings of their games alone, and attempts do not move them.
    pub levels_held: bool,
    /// The levels.
    pub levels: Vec<Named>,
    /// What a standard deviation of each feature adds to the rating; the first is the mean rating.
    pub coefficients: Vec<Named>,
    /// The standard deviation of ratings about what the features say.
    pub spread: f64,
    /// The dispersion of attempts; 1 = independent.
    pub dispersion: f64,
    /// The 10th, 50th and 90th percentile of the ratings.
    pub percentiles: [f64; 3],
    /// How many ratings lie in each step.
    pub histogram: Vec<Bin>,
    /// The median standard error of a puzzle's rating, those of the levels taken as known.
    pub median_error: f64,
    /// The share of puzzles that every level solved every time, and of those that none ever solved.
    pub solved_by_all: f64,
    /// See above.
    pub solved_by_none: f64,
    /// Solve rates by length and theme.
    pub solve_rates: Vec<SolveRates>,
    /// Held out: forecasts for puzzles that were not in the fit.
    pub deciles: Vec<Decile>,
    /// Held out: the Brier score of these forecasts.
    pub brier: f64,
    /// Held out: that of a model that knows only the length.
    pub brier_length: f64,
}

impl Report {
    /// The report in words.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} puzzles, {} attempts by each of {} levels at each (1 by Full), {} games between levels{}.\n",
            self.puzzles,
            self.attempts,
            self.levels.len(),
            self.games,
            if self.levels_held { ", which are held at the ratings of these" } else { " in the same fit" }
        );
        let [low, middle, high] = self.percentiles;
        let _ = writeln!(
            text,
            "Ratings (Novice = {ORIGIN}): 10th percentile {low:.0}, median {middle:.0}, 90th {high:.0}."
        );
        let _ = writeln!(
            text,
            "Median standard error {:.0}; dispersion of attempts {:.2}; spread about the features {:.0}.",
            self.median_error, self.dispersion, self.spread
        );
        let percent = |share: f64| 100.0 * share;
        let _ = writeln!(
            text,
            "Solved by all levels every time: {:.1} %; by none ever: {:.1} %.",
            percent(self.solved_by_all),
            percent(self.solved_by_none)
        );
        let _ = writeln!(
            text,
            "Held-out puzzles: Brier score {:.4}; of a model that knows only the length {:.4}.\n",
            self.brier, self.brier_length
        );
        self.tables(&mut text);
        text
    }

    fn tables(&self, text: &mut String) {
        text.push_str("decile  predicted  actual  attempts\n");
        for (number, decile) in (1..).zip(&self.deciles) {
            let Decile { predicted, actual, trials } = decile;
            let _ = writeln!(text, "{number:>6}  {predicted:>9.3}  {actual:>6.3}  {trials:>8}");
        }
        for (title, values) in [("level", &self.levels), ("feature (for one standard deviation)", &self.coefficients)] {
            let _ = writeln!(text, "\n{title:<37}     Elo  ±error");
            for Named { name, estimate } in values {
                let _ = writeln!(text, "{name:<37} {:>7.0} {:>7.0}", estimate.elo, estimate.std_error);
            }
        }
        text.push_str("\nsolve rate, %      puzzles");
        for level in &self.levels {
            let short: String = level.name.chars().take(8).collect();
            let _ = write!(text, " {short:>8}");
        }
        text.push('\n');
        for SolveRates { name, puzzles, rates } in &self.solve_rates {
            let _ = write!(text, "{name:<18} {puzzles:>7}");
            for rate in rates {
                let _ = write!(text, " {:>8.0}", 100.0 * rate);
            }
            text.push('\n');
        }
    }
}
