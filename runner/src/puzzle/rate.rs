//! Ratings of puzzles from the attempts of the levels and from games between them, with a check on puzzles left out of the fit.

use super::attempts::{Tried, solvers};
use super::item::{Kind, Puzzle, Rating};
use super::themes::MEANINGS;
use crate::stats::attempts::{Data, Estimate, Fitted, Trial, fit};
use crate::stats::calibration::{Decile, Forecast, brier, deciles};
use crate::stats::pool::Pool;
use crate::stats::quantile::Sample;
use crate::stats::rating::{self, FitOptions};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The weakest level's rating, which fixes the scale.
pub const ORIGIN: f64 = 500.0;
/// In how many parts the puzzles are left out of the fit, one after the other.
const FOLDS: usize = 5;
/// The rating deviation of a puzzle: somewhat more than the standard error, since people are no engines, and not under the least.
const WIDENED: f64 = 1.2;
const LEAST_DEVIATION: f64 = 60.0;

/// What ties the levels together besides their attempts.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    /// Games between levels, numbered as in [`solvers`].
    pub pool: &'a Pool,
    /// How many.
    pub count: u64,
    /// The levels' ratings, if attempts are not to move them; otherwise empty.
    pub known: Vec<f64>,
}

impl<'a> Games<'a> {
    /// Games that are fitted together with the attempts.
    #[must_use]
    pub const fn joint(pool: &'a Pool, count: u64) -> Self {
        Self { pool, count, known: Vec::new() }
    }

    /// Levels held at what their games alone say. `None` if these do not join all levels.
    #[must_use]
    pub fn held(pool: &'a Pool, count: u64) -> Option<Self> {
        let ratings = rating::fit(pool, &FitOptions::default()).ok()?;
        if ratings.connectivity().weak.len() > 1 {
            return None;
        }
        let known = (0..pool.players()).map(|level| ORIGIN + ratings.rating(level) - ratings.rating(0)).collect();
        Some(Self { pool, count, known })
    }
}

/// What is known of a puzzle without trying it, by name.
#[must_use]
pub fn features(puzzle: &Puzzle) -> Vec<(String, f64)> {
    let log = |count: u64| (count.max(1) as f64).ln();
    let counts = &puzzle.counts;
    let flag = |shown: bool| f64::from(u8::from(shown));
    let mut features = vec![
        ("length".to_owned(), puzzle.length() as f64),
        ("ln nodes".to_owned(), log(puzzle.nodes)),
        ("ln series".to_owned(), log(counts.series)),
        ("ln moveSets".to_owned(), log(counts.move_sets)),
        ("ln positions".to_owned(), log(counts.positions)),
        ("ln 1+longer".to_owned(), log(counts.longer + 1)),
    ];
    let kinds = Kind::ALL.iter().skip(1).map(|kind| (kind.word().to_owned(), flag(puzzle.kind == *kind)));
    features.extend(kinds);
    let has = |word: &str| puzzle.themes.iter().any(|theme| theme == word);
    features.extend(MEANINGS.iter().map(|(word, _)| ((*word).to_owned(), flag(has(word)))));
    features
}

/// The length alone, one indicator a length, so that any dependence on it can be learned.
fn lengths(puzzle: &Puzzle) -> Vec<f64> {
    (1..=12).map(|length| f64::from(u8::from(puzzle.length() == length))).collect()
}

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

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the schema.
    pub v: u32,
    /// Puzzles rated.
    pub puzzles: usize,
    /// Attempts of each level at each.
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

/// Rates the puzzles that were tried; the others keep what they have.
pub fn rate(puzzles: &mut [Puzzle], tried: &[Tried], games: &Games<'_>) -> Report {
    let by_id: HashMap<&str, &Tried> = tried.iter().map(|tried| (tried.id.as_str(), tried)).collect();
    let mut found: Vec<(&mut Puzzle, &Tried)> =
        puzzles.iter_mut().filter_map(|puzzle| by_id.get(puzzle.id.as_str()).map(|&tried| (puzzle, tried))).collect();
    let known: Vec<(&Puzzle, &Tried)> = found.iter().map(|(puzzle, tried)| (&**puzzle, *tried)).collect();
    let rich = |puzzle: &Puzzle| features(puzzle).into_iter().map(|(_, value)| value).collect();
    let fitted = fit(&data(&known, games, &rich));
    let forecasts = held_out(&known, games, &rich);
    let plain = held_out(&known, games, &lengths);
    let report = Report {
        v: 1,
        puzzles: known.len(),
        attempts: known.first().map_or(0, |(_, tried)| tried.attempts),
        games: games.count,
        levels_held: !games.known.is_empty(),
        levels: named(solvers().iter().map(|level| level.name.to_owned()), &fitted.solvers),
        coefficients: coefficients(&known, &fitted),
        spread: fitted.spread,
        dispersion: fitted.dispersion,
        percentiles: [0.1, 0.5, 0.9].map(|p| percentile(fitted.puzzles.iter().map(|e| e.elo), p)),
        median_error: percentile(fitted.own_errors.iter().copied(), 0.5),
        solved_by_all: share(&known, |tried| tried.solved.iter().all(|&count| count == tried.attempts)),
        solved_by_none: share(&known, |tried| tried.solved.iter().all(|&count| count == 0)),
        solve_rates: solve_rates(&known),
        deciles: deciles(&forecasts),
        brier: brier(&forecasts).unwrap_or(0.0),
        brier_length: brier(&plain).unwrap_or(0.0),
    };
    for ((puzzle, _), (estimate, own_error)) in found.iter_mut().zip(fitted.puzzles.iter().zip(&fitted.own_errors)) {
        // An error of the whole scale is no doubt about this puzzle.
        let deviation = (WIDENED * own_error).max(LEAST_DEVIATION);
        let plays = puzzle.rating.map_or(0, |rating| rating.plays);
        puzzle.rating = Some(Rating { rating: estimate.elo.round(), deviation: deviation.round(), plays });
    }
    report
}

fn data(known: &[(&Puzzle, &Tried)], games: &Games<'_>, features: &dyn Fn(&Puzzle) -> Vec<f64>) -> Data {
    let trials = known.iter().enumerate().flat_map(|(puzzle, (_, tried))| trials(puzzle, tried)).collect();
    Data {
        solvers: solvers().len(),
        origin: ORIGIN,
        known: games.known.clone(),
        games: games.pool.clone(),
        trials,
        features: known.iter().map(|(puzzle, _)| features(puzzle)).collect(),
    }
}

fn trials(puzzle: usize, tried: &Tried) -> impl Iterator<Item = Trial> {
    let attempts = f64::from(tried.attempts);
    let trial = move |(solver, &solved): (usize, &u32)| Trial { solver, puzzle, attempts, solved: f64::from(solved) };
    tried.solved.iter().take(solvers().len()).enumerate().map(trial)
}

/// Forecasts for each puzzle from a fit that did not see its attempts. Puzzles are dealt out by their place.
fn held_out(known: &[(&Puzzle, &Tried)], games: &Games<'_>, features: &dyn Fn(&Puzzle) -> Vec<f64>) -> Vec<Forecast> {
    let mut forecasts = Vec::new();
    for fold in 0..FOLDS {
        let is_out = |place: usize| place % FOLDS == fold;
        let inside: Vec<(&Puzzle, &Tried)> =
            known.iter().enumerate().filter(|(place, _)| !is_out(*place)).map(|(_, one)| *one).collect();
        let fitted = fit(&data(&inside, games, features));
        for (_, (puzzle, tried)) in known.iter().enumerate().filter(|(place, _)| is_out(*place)) {
            let guess = fitted.predict(&features(puzzle));
            forecasts.extend(trials(0, tried).map(|trial| Forecast {
                chance: fitted.chance(trial.solver, &guess),
                trials: trial.attempts,
                successes: trial.solved,
            }));
        }
    }
    forecasts
}

fn named(names: impl Iterator<Item = String>, estimates: &[Estimate]) -> Vec<Named> {
    names.zip(estimates).map(|(name, estimate)| Named { name, estimate: *estimate }).collect()
}

fn coefficients(known: &[(&Puzzle, &Tried)], fitted: &Fitted) -> Vec<Named> {
    let names = known.first().map(|(puzzle, _)| features(puzzle)).unwrap_or_default();
    let names = std::iter::once("mean".to_owned()).chain(names.into_iter().map(|(name, _)| name));
    let mut all = named(names, &fitted.coefficients);
    // A feature that never varies in this set has no coefficient to speak of.
    all.retain(|one| one.estimate.std_error < 999.0);
    all
}

/// The `p`-quantile of values in Elo; to a hundredth, and 0 without values.
fn percentile(values: impl Iterator<Item = f64>, p: f64) -> f64 {
    const SHIFT: f64 = 100_000.0;
    // The quantile of the statistics takes whole numbers that are not negative.
    let whole: Sample = values.map(|value| ((value + SHIFT) * 100.0).clamp(0.0, 4e9) as u32).collect();
    whole.quantile(p).map_or(0.0, |value| value / 100.0 - SHIFT)
}

fn share(known: &[(&Puzzle, &Tried)], is_so: impl Fn(&Tried) -> bool) -> f64 {
    known.iter().filter(|(_, tried)| is_so(tried)).count() as f64 / known.len().max(1) as f64
}

/// The share of solved attempts by level, for all puzzles, each length and each theme.
fn solve_rates(known: &[(&Puzzle, &Tried)]) -> Vec<SolveRates> {
    let mut names: Vec<String> = (1..=12).flat_map(|n| [format!("mateIn{n}"), format!("movesIn{n}")]).collect();
    names.extend(Kind::ALL.map(|kind| kind.word().to_owned()));
    names.extend(MEANINGS.map(|(word, _)| word.to_owned()));
    let row = |name: &str, chosen: Vec<&Tried>| SolveRates {
        name: name.to_owned(),
        puzzles: chosen.len(),
        rates: (0..solvers().len())
            .map(|level| {
                let solved: u32 = chosen.iter().map(|tried| tried.solved.get(level).copied().unwrap_or(0)).sum();
                let attempts: u32 = chosen.iter().map(|tried| tried.attempts).sum();
                f64::from(solved) / f64::from(attempts.max(1))
            })
            .collect(),
    };
    let mut rows = vec![row("all", known.iter().map(|(_, tried)| *tried).collect())];
    for name in names {
        let has = |puzzle: &Puzzle| puzzle.themes.contains(&name);
        let chosen: Vec<&Tried> = known.iter().filter(|(puzzle, _)| has(puzzle)).map(|(_, tried)| *tried).collect();
        if !chosen.is_empty() {
            rows.push(row(&name, chosen));
        }
    }
    rows
}

impl Report {
    /// The report in words.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} puzzles, {} attempts by each of {} levels at each, {} games between levels{}.\n",
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
