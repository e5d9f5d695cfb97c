//! `puzzles check` and `puzzles update`.

use super::{bad, file_failed, write_failed};
use crate::cli::{Failed, complain, print};
use crate::puzzle::check::Checker;
use crate::puzzle::files;
use crate::puzzle::people::{parse, update as update_rows};
use crate::puzzle::row::Row;
use anyhow::{Context, anyhow};
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Arguments of `puzzles check`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles check runner/puzzles/italian.csv.gz --sample 100

Exit codes: 0 no fault, 1 faults (each is named), 2 the file cannot be read.")]
pub(in crate::cli) struct Check {
    /// CSV or JSON lines, packed or not
    file: PathBuf,
    /// Only so many puzzles, evenly spread over the file
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,
}

/// Arguments of `puzzles update`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles update set.csv attempts.csv --out updated.csv

The attempts: CSV in the order of time with the header PuzzleId,Solver,Solved
and perhaps Theme (the theme that was announced before the attempt). Solved is 1
or 0. Only the first attempt of a person at a puzzle counts.")]
pub(in crate::cli) struct Update {
    /// The puzzles, CSV
    #[arg(value_name = "SET")]
    puzzles: PathBuf,
    /// The attempts, CSV
    attempts: PathBuf,
    /// The puzzles with new ratings, CSV
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The people's ratings, CSV
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,
}

/// Checks a file.
///
/// # Errors
/// The file cannot be read.
pub(in crate::cli) fn check(arguments: &Check) -> Result<u8, Failed> {
    let file = arguments.file.display();
    let (entries, mut faults) = files::parse(&files::text(&arguments.file).map_err(file_failed)?);
    if entries.is_empty() && faults.is_empty() {
        return Err(bad(anyhow!("{file}: no puzzle in it")));
    }
    let wanted = arguments.sample.unwrap_or(entries.len()).clamp(1, entries.len().max(1));
    let step = entries.len().div_ceil(wanted).max(1);
    let mut checker = Checker::default();
    let mut checked = 0;
    for entry in entries.iter().step_by(step) {
        faults.extend(checker.check(entry));
        checked += 1;
        if checked % 500 == 0 {
            complain(&format!("{checked} of {}", entries.len().div_ceil(step)));
        }
    }
    for fault in &faults {
        complain(&format!("{file}: {fault}"));
    }
    complain(&format!("{file}: {} puzzles, {checked} proved again, {} faults", entries.len(), faults.len()));
    Ok(u8::from(!faults.is_empty()))
}

/// Updates ratings.
///
/// # Errors
/// Bad input or a failed output.
pub(in crate::cli) fn update(arguments: &Update) -> Result<u8, Failed> {
    let mut rows: Vec<Row> =
        files::read(&arguments.puzzles).map_err(file_failed)?.into_iter().map(|entry| entry.row).collect();
    let text = files::text(&arguments.attempts).map_err(file_failed)?;
    let attempts = parse(&text).with_context(|| arguments.attempts.display().to_string()).map_err(bad)?;
    let updated = update_rows(&mut rows, &attempts);
    let content = files::csv(&rows).map_err(bad)?;
    files::write(&arguments.out, &content).map_err(|error| write_failed(&arguments.out, error))?;
    if let Some(path) = &arguments.people {
        let mut text = "Solver,Rating,RatingDeviation,Volatility\n".to_owned();
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for (name, person) in &updated.solvers {
            let numbers = [person.rating, person.deviation].map(|number| format!("{number:.1}"));
            let volatility = format!("{:.5}", person.volatility);
            writer.write_record([name, &numbers[0], &numbers[1], &volatility]).map_err(bad)?;
        }
        let lines = writer.into_inner().map_err(|error| bad(anyhow!("{error}")))?;
        let _ = write!(text, "{}", String::from_utf8_lossy(&lines));
        files::write(path, text.as_bytes()).map_err(|error| write_failed(path, error))?;
    }
    print(&format!(
        "{} attempts of {} people counted; {} repeated, {} at unknown puzzles\n",
        updated.counted,
        updated.solvers.len(),
        updated.repeated,
        updated.unknown
    ))
}
