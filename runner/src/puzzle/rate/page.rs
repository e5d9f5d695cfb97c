//! What rating a set of puzzles found out, as a page that needs nothing else.

use super::report::{Report, SolveRates};
use super::{ORIGIN, STEP};
use crate::puzzle::attempts::attempts_of;
use crate::report::html::parts::{Cell, ShadedRow, Shades, fill};
use crate::report::html::plot::{Axis, Data, Labels, Plot, plot};
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::io;

/// What the template is given.
#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    facts: Vec<(&'static str, String)>,
    report: &'a Report,
    origin: f64,
    ratings: Option<Plot>,
    forecasts: Option<Plot>,
    by_length: Shades,
    by_theme: Shades,
    levels: Vec<Row>,
    features: Vec<Row>,
    histogram: Vec<Row>,
    deciles: Vec<Row>,
}

/// A row: a name and its cells.
#[derive(Serialize)]
struct Row {
    name: String,
    cells: Vec<String>,
}

/// The page, with this heading.
///
/// # Errors
/// The template and the values do not fit.
pub fn page(title: &str, report: &Report) -> io::Result<String> {
    let (by_length, by_theme): (Vec<_>, Vec<_>) =
        report.solve_rates.iter().skip(1).partition(|rates| is_length(&rates.name));
    let overall = report.solve_rates.first().map_or(&[][..], |all| &all.rates);
    let page = Page {
        title,
        facts: facts(report),
        report,
        origin: ORIGIN,
        ratings: ratings(report),
        forecasts: forecasts(report),
        by_length: shades("Solve rates by length", "length", report, &by_length),
        by_theme: shades("Solve rates by kind and theme", "theme", report, &by_theme),
        levels: levels(report, overall),
        features: features(report),
        histogram: histogram(report),
        deciles: deciles(report),
    };
    fill(include_str!("page.html"), minijinja::context! { page => Value::from(Serde(page)) })
}

/// Whether a theme says how long the solution is, as `mateIn5`.
fn is_length(theme: &str) -> bool {
    theme.strip_prefix("mateIn").or_else(|| theme.strip_prefix("movesIn")).is_some()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let [low, middle, high] = report.percentiles;
    let held = if report.levels_held { ", which alone rate the levels" } else { "" };
    vec![
        ("Puzzles", report.puzzles.to_string()),
        ("Attempts", format!("{} by each of {} levels at each, 1 by Full", report.attempts, report.levels.len())),
        ("Games between levels", format!("{}{held}", report.games)),
        ("Ratings: 10th percentile, median, 90th", format!("{low:.0}, {middle:.0}, {high:.0}")),
        ("Median standard error", format!("{:.0}", report.median_error)),
        ("Solved by all levels every time", percent(report.solved_by_all)),
        ("Solved by none ever", percent(report.solved_by_none)),
        ("Brier score, held out", format!("{:.4}", report.brier)),
        ("Brier score, by length alone", format!("{:.4}", report.brier_length)),
        ("Dispersion of attempts", format!("{:.2}", report.dispersion)),
        ("Spread about the features", format!("{:.0}", report.spread)),
    ]
}

/// The histogram as the outline of its columns.
fn ratings(report: &Report) -> Option<Plot> {
    let mut points = Vec::new();
    for bin in &report.histogram {
        let height = bin.puzzles as f64;
        points.extend([(bin.from, height, None), (bin.from + STEP, height, None)]);
    }
    let (first, last) = (points.first()?.0, points.last()?.0);
    points.insert(0, (first, 0.0, None));
    points.push((last, 0.0, None));
    let y = Axis::around(points.iter().map(|point| point.1));
    let data = [Data { name: "puzzles".into(), color: 0, points, is_faint: false }];
    let description = format!("How many puzzles have a rating in each step of {STEP} points");
    let labels = Labels { title: "Ratings", description, x: "rating", y: "puzzles" };
    plot(labels, &data, Axis::around([first, last].into_iter()), y, &[])
}

/// Forecast against outcome, in percent, with the line of perfect forecasts.
fn forecasts(report: &Report) -> Option<Plot> {
    let points = report.deciles.iter().map(|one| (100.0 * one.predicted, 100.0 * one.actual, None)).collect();
    let data = [
        Data { name: "puzzles left out of the fit".into(), color: 0, points, is_faint: false },
        Data { name: "perfect".into(), color: 7, points: vec![(0.0, 0.0, None), (100.0, 100.0, None)], is_faint: true },
    ];
    let description =
        "Solve rate by decile of its forecast: predicted to the right, actual upward; dashed where forecasts \
                       would be perfect"
            .to_owned();
    let labels = Labels { title: "Predicted against actual", description, x: "% predicted", y: "% solved" };
    let axis = Axis::counting(0.0, 100.0);
    // Without deciles the dashed line alone would say nothing.
    (!report.deciles.is_empty()).then(|| plot(labels, &data, axis, axis, &[]))?
}

/// A row for each kind of puzzle, after one for all, and a column for each level.
fn shades(label: &'static str, corner: &'static str, report: &Report, kinds: &[&SolveRates]) -> Shades {
    let row = |kind: &SolveRates| {
        let cell = |(level, &rate): (usize, &f64)| {
            let attempts = kind.puzzles as f64 * f64::from(attempts_of(level, report.attempts));
            Cell::percent(Some(100.0 * rate), format!("{:.0} of {attempts}", rate * attempts))
        };
        let cells = std::iter::once(Cell::plain(kind.puzzles)).chain(kind.rates.iter().enumerate().map(cell)).collect();
        ShadedRow { name: kind.name.clone(), cells, is_soft: false }
    };
    let levels = report.levels.iter().map(|level| level.name.clone());
    Shades {
        label,
        corner,
        columns: std::iter::once("puzzles".to_owned()).chain(levels).collect(),
        rows: report.solve_rates.iter().take(1).chain(kinds.iter().copied()).map(row).collect(),
    }
}

fn levels(report: &Report, overall: &[f64]) -> Vec<Row> {
    let row = |(place, level): (usize, &super::report::Named)| Row {
        name: level.name.clone(),
        cells: vec![
            format!("{:.0}", level.estimate.elo),
            format!("{:.0}", level.estimate.std_error),
            overall.get(place).map_or_else(|| "–".into(), |&rate| percent(rate)),
        ],
    };
    report.levels.iter().enumerate().map(row).collect()
}

fn features(report: &Report) -> Vec<Row> {
    let row = |one: &super::report::Named| Row {
        name: one.name.clone(),
        cells: vec![format!("{:.0}", one.estimate.elo), format!("{:.0}", one.estimate.std_error)],
    };
    report.coefficients.iter().map(row).collect()
}

fn histogram(report: &Report) -> Vec<Row> {
    let share = |puzzles: usize| percent(puzzles as f64 / report.puzzles.max(1) as f64);
    let row = |bin: &super::report::Bin| Row {
        name: format!("{:.0} to {:.0}", bin.from, bin.from + STEP - 1.0),
        cells: vec![bin.puzzles.to_string(), share(bin.puzzles)],
    };
    report.histogram.iter().map(row).collect()
}

fn deciles(report: &Report) -> Vec<Row> {
    let row = |(number, one): (usize, &crate::stats::calibration::Decile)| Row {
        name: number.to_string(),
        cells: vec![percent(one.predicted), percent(one.actual), format!("{:.0}", one.trials)],
    };
    (1..).zip(&report.deciles).map(row).collect()
}
