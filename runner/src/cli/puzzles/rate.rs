//! `puzzles rate`.

use super::{bad, file_failed, write_failed};
use crate::cli::{Failed, IO_FAILED, complain, print};
use crate::collect::Collection;
use crate::puzzle::attempts::{Todo, Tried, Trying, attempt_all, solvers};
use crate::puzzle::files;
use crate::puzzle::item::Puzzle;
use crate::puzzle::journal::{Journal, JournalError};
use crate::puzzle::rate::page::page;
use crate::puzzle::rate::{Games, rate};
use crate::stats::pool::Pool;
use anyhow::anyhow;
use clap::Args;
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the progress is shown.
const SHOW_EVERY: Duration = Duration::from_secs(30);

/// Arguments of `puzzles rate`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles rate italian.jsonl --out rated.csv.gz --report r.html

The attempts go to a file (--attempts, default: the puzzles' name with .attempts
behind it) as they are made; the same command goes on where it was interrupted,
and with more --seeds it makes those that are missing.
Ratings, level ratings and what the features of a puzzle say come from one fit
of all attempts and games; the weakest level has 500 points.")]
pub(in crate::cli) struct Arguments {
    /// The puzzles: JSON lines
    puzzles: PathBuf,
    /// The rated puzzles: JSON lines, or CSV in Lichess' columns if the name ends in .csv; packed if it ends in .gz
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    out: Vec<PathBuf>,
    /// Games between levels: games.jsonl or PGN with the levels' names as players
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Hold the levels at what their games alone say, so that attempts rate only the puzzles; for levels of little randomness,
    /// whose attempts would stretch the scale
    #[arg(long, requires = "games")]
    hold_levels: bool,
    /// What was tried so far
    #[arg(long, value_name = "FILE")]
    attempts: Option<PathBuf>,
    /// Attempts of each level that errs at each puzzle; Full makes one
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: u32,
    /// Most nodes of an attempt
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Puzzles tried at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The report as a page for a browser, which needs nothing else
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Rates.
///
/// # Errors
/// Bad input or a failed output.
pub(in crate::cli) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let mut puzzles = files::puzzles(&arguments.puzzles).map_err(file_failed)?;
    if puzzles.is_empty() {
        return Err(bad(anyhow!("{}: no puzzle in it", arguments.puzzles.display())));
    }
    let (games, count) = games(&arguments.games)?;
    let tried = attempts(arguments, &puzzles)?;
    let games = if arguments.hold_levels {
        let text = "--hold-levels: the games do not join all levels; give --games";
        Games::held(&games, count).ok_or_else(|| bad(anyhow!(text)))?
    } else {
        Games::joint(&games, count)
    };
    let report = rate(&mut puzzles, &tried, &games);
    for path in &arguments.out {
        files::write_puzzles(path, &puzzles).map_err(|error| write_failed(path, error))?;
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(bad)? + "\n";
        files::write(path, text.as_bytes()).map_err(|error| write_failed(path, error))?;
    }
    if let Some(path) = &arguments.report {
        let name = arguments.puzzles.file_name().unwrap_or_default().to_string_lossy();
        page(&format!("Puzzle ratings: {name}"), &report)
            .and_then(|page| files::write(path, page.as_bytes()))
            .map_err(|error| write_failed(path, error))?;
    }
    print(&report.text())
}

/// The games between levels, and how many. Other players' games are left out.
fn games(paths: &[PathBuf]) -> Result<(Pool, u64), Failed> {
    let mut found = Collection::default();
    for path in paths {
        found.read(path).map_err(bad)?;
    }
    let level = |name: &str| solvers().iter().position(|level| level.name.eq_ignore_ascii_case(name));
    let places: Vec<Option<usize>> = found.names().iter().map(|name| level(name)).collect();
    Ok(found.pool_of(solvers().len(), &places))
}

/// All attempts: those on disk, and those that are missing there.
fn attempts(arguments: &Arguments, puzzles: &[Puzzle]) -> Result<Vec<Tried>, Failed> {
    let path = arguments.attempts.clone().unwrap_or_else(|| arguments.puzzles.with_added_extension("attempts"));
    let settings = format!("attempts of {} nodes by {} levels", arguments.nodes, solvers().len());
    let mut tried: HashMap<String, Tried> = HashMap::new();
    let mut journal = Journal::open(&path, &settings, &mut |line: Tried| drop(tried.insert(line.id.clone(), line)))
        .map_err(|error| journal_failed(&path, error))?;
    let known = puzzles.iter().filter_map(|puzzle| tried.get(&puzzle.id));
    if let Some(more) = known.into_iter().find(|tried| tried.attempts > arguments.seeds) {
        let text = format!("has {} attempts at {}: ask for no fewer with --seeds", more.attempts, more.id);
        return Err(bad(anyhow!("{}: {text}", path.display())));
    }
    let todo = |puzzle| Todo { puzzle, before: tried.get(&puzzle.id).cloned() };
    let is_open = |todo: &Todo<'_>| todo.before.as_ref().is_none_or(|tried| tried.attempts < arguments.seeds);
    let missing: Vec<Todo<'_>> = puzzles.iter().map(todo).filter(is_open).collect();
    let bar = ProgressBar::new(missing.len() as u64);
    let (mut failed, mut shown) = (None, Instant::now());
    let trying = Trying { seeds: arguments.seeds, nodes: arguments.nodes };
    attempt_all(&missing, trying, arguments.threads, &mut |one| {
        bar.inc(1);
        if bar.is_hidden() && shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            complain(&format!("{} of {} puzzles tried", bar.position(), missing.len()));
        }
        failed = journal.append(&one).err();
        tried.insert(one.id.clone(), one);
        failed.is_none()
    })
    .map_err(bad)?;
    bar.finish_and_clear();
    match failed {
        Some(error) => Err(journal_failed(&path, error)),
        None => Ok(tried.into_values().collect()),
    }
}

fn journal_failed(path: &Path, error: JournalError) -> Failed {
    match error {
        JournalError::Io { .. } => Failed::new(IO_FAILED, anyhow!("{}: {error}", path.display())),
        other => bad(other),
    }
}
