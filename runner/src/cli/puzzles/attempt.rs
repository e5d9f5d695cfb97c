//! `puzzles judge` and `puzzles next`.

use super::{SHIPPED, bad, file_failed};
use crate::cli::{Failed, print};
use crate::puzzle::files;
use crate::puzzle::item::{mating_rules, position};
use crate::puzzle::judge::{Judgment, judge as judge_attempt};
use crate::puzzle::next::{next as next_puzzle, seen};
use crate::puzzle::row::Row;
use anyhow::anyhow;
use clap::Args;
use crescendo::solver::Solver;
use crescendo::types::series::Series;
use std::path::PathBuf;

/// Arguments of `puzzles judge`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles judge --id Yq0LyAyH d1h5 f1c4 h5f7

Exit codes: 0 solved, 1 not solved, 2 bad input.

Any mate solves a mate. A legal attempt with moves missing is incomplete, one
that does not mate is no mate.")]
pub(in crate::cli) struct Judge {
    /// The name of the puzzle
    #[arg(long)]
    id: String,
    /// The moves, with commas or blanks between
    #[arg(required = true)]
    moves: Vec<String>,
    /// Where the puzzle is
    #[arg(long, value_name = "FILE", num_args = 1.., default_values_t = SHIPPED.map(String::from))]
    files: Vec<String>,
    /// JSON instead of words
    #[arg(long)]
    json: bool,
}

/// Arguments of `puzzles next`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles next --rating 1200 --theme italian --seen seen.txt

Prints the row of a puzzle, with the header, chosen at random among the unseen
ones nearest to the rating.")]
pub(in crate::cli) struct Next {
    /// Of the person who is to solve it
    #[arg(long)]
    rating: f64,
    /// Puzzles already seen: a name at the beginning of each line
    #[arg(long, value_name = "FILE")]
    seen: Option<PathBuf>,
    /// Source of the choice; with the same seen puzzles the answer is the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only puzzles with this theme; italian and scottish are themes
    #[arg(long)]
    theme: Option<String>,
    /// The puzzles
    #[arg(long, value_name = "FILE", num_args = 1.., default_values_t = SHIPPED.map(String::from))]
    files: Vec<String>,
}

fn rows(files: &[String]) -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    for file in files {
        rows.extend(files::read(file.as_ref()).map_err(file_failed)?.into_iter().map(|entry| entry.row));
    }
    Ok(rows)
}

/// Judges an attempt.
///
/// # Errors
/// Bad input or a failed output.
pub(in crate::cli) fn judge(arguments: &Judge) -> Result<u8, Failed> {
    let rows = rows(&arguments.files)?;
    let row = rows.iter().find(|row| row.puzzle_id == arguments.id);
    let row =
        row.ok_or_else(|| bad(anyhow!("--id: no puzzle '{}' in {}", arguments.id, arguments.files.join(", "))))?;
    let named = |error: anyhow::Error| bad(error.context(format!("puzzle {}", row.puzzle_id)));
    let rules = mating_rules(row.rules().map_err(|error| named(error.into()))?).map_err(|error| named(error.into()))?;
    let kind = row.kind().map_err(|error| named(error.into()))?;
    let (before, key) = row.series().map_err(|error| named(error.into()))?;
    let start = position(rules, &row.fen, before).map_err(|error| named(error.into()))?;
    let key: Series = key.parse().map_err(|_| named(anyhow!("Moves: '{key}' is no series")))?;
    let text = arguments.moves.join(",");
    let attempt: Series = text
        .split([',', ' '])
        .filter(|mv| !mv.is_empty())
        .map(|mv| mv.parse().map_err(|error| bad(anyhow!("MOVES: '{mv}': {error}"))))
        .collect::<Result<_, _>>()?;
    let judgment = judge_attempt(&mut Solver::proving(16 << 20), &start, kind, &key, &attempt);
    if arguments.json {
        print(&(serde_json::to_string(&judgment).map_err(bad)? + "\n"))?;
    } else {
        print(&(words(&judgment) + "\n"))?;
    }
    Ok(u8::from(!judgment.is_solved()))
}

fn words(judgment: &Judgment) -> String {
    match judgment {
        Judgment::Solved { key: true } => "solved".to_owned(),
        Judgment::Solved { key: false } => "solved, with another solution than the key".to_owned(),
        Judgment::Illegal { leg, why } => format!("leg {leg} is illegal: {why}"),
        Judgment::TooLong { leg } => format!("the series is over with leg {leg}"),
        Judgment::Incomplete { left } => format!("incomplete: legal so far, {left} more moves are due"),
        Judgment::NoMate => "complete, no mate".to_owned(),
        Judgment::Lost { refutation } => format!("complete, but the opponent mates with {refutation}"),
        Judgment::Undecided => "complete, but not decided whether the opponent mates".to_owned(),
    }
}

/// Picks a puzzle.
///
/// # Errors
/// Bad input or a failed output; no puzzle is left.
pub(in crate::cli) fn next(arguments: &Next) -> Result<u8, Failed> {
    if !arguments.rating.is_finite() {
        return Err(bad(anyhow!("--rating: not a number")));
    }
    let mut rows = rows(&arguments.files)?;
    if let Some(theme) = &arguments.theme {
        rows.retain(|row| row.has_theme(theme));
    }
    let text = arguments.seen.as_ref().map_or(Ok(String::new()), |file| files::text(file)).map_err(file_failed)?;
    match next_puzzle(&rows, arguments.rating, &seen(&text), arguments.seed) {
        None => Err(Failed::new(1, anyhow!("no puzzle is left"))),
        Some(row) => print(&String::from_utf8_lossy(&files::csv([row]).map_err(bad)?)),
    }
}
