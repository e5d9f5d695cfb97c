//! Ratings of puzzles from the attempts of the levels and from games between them, with a check on puzzles left out of the fit.

pub mod page;
pub mod report;

use super::attempts::{Tried, solvers};
use super::item::{Kind, Puzzle, Rating};
use super::themes::{MEANINGS, pattern};
use crate::stats::attempts::{Data, Estimate, Fitted, Trial, fit};
use crate::stats::calibration::{Forecast, brier, deciles};
use crate::stats::pool::Pool;
use crate::stats::quantile::Sample;
use crate::stats::rating::{self, FitOptions};
use report::{Bin, Named, Report, SolveRates};
use std::collections::HashMap;

/// The weakest level's rating, which fixes the scale.
pub const ORIGIN: f64 = 500.0;
/// In how many parts the puzzles are left out of the fit, one after the other.
const FOLDS: usize = 5;
/// The rating deviation of a puzzle: somewhat more than the standard error, since people are no engines, and not under the least.
const WIDENED: f64 = 1.2;
const LEAST_DEVIATION: f64 = 60.0;
/// The middle of the lengths, in moves, from which their square is counted.
const MIDDLE: f64 = 5.0;
/// The width of the histogram's steps, in points.
const STEP: f64 = 100.0;

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
    // How a line bends is seen from its square, about the middle of the lengths.
    let bend = (puzzle.length() as f64 - MIDDLE).powi(2);
    let seen = pattern(puzzle).unwrap_or_default();
    features.extend([
        ("length squared".to_owned(), bend),
        ("quiet moves".to_owned(), f64::from(seen.quiet)),
        ("backward moves".to_owned(), f64::from(seen.backward)),
        ("men moved".to_owned(), f64::from(seen.men)),
    ]);
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
        histogram: histogram(fitted.puzzles.iter().map(|e| e.elo)),
        median_error: percentile(fitted.own_errors.iter().copied(), 0.5),
        solved_by_all: share(&known, |tried| {
            (0..solvers().len()).all(|level| tried.solved[level] == tried.attempts_of(level))
        }),
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
    let trial = move |(solver, &solved): (usize, &u32)| {
        let attempts = f64::from(tried.attempts_of(solver));
        Trial { solver, puzzle, attempts, solved: f64::from(solved) }
    };
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

/// How many values there are in each step, without gaps.
fn histogram(values: impl Iterator<Item = f64>) -> Vec<Bin> {
    let steps: Vec<i64> = values.map(|value| (value / STEP).floor() as i64).collect();
    let (Some(&first), Some(&last)) = (steps.iter().min(), steps.iter().max()) else { return Vec::new() };
    let bin = |step: i64| Bin { from: step as f64 * STEP, puzzles: steps.iter().filter(|&&one| one == step).count() };
    (first..=last).map(bin).collect()
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
                let attempts: u32 = chosen.iter().map(|tried| tried.attempts_of(level)).sum();
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
