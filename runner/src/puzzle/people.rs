//! Attempts of people: Glicko-2 as Lichess does it for puzzles.
//!
//! An attempt is a game of the solver (who has won if it is solved) against the puzzle. Only the first attempt of a person at a puzzle
//! counts. Weights and ranges are those of lila's `PuzzleFinisher`: a theme that was announced makes an attempt count less, a
//! provisional puzzle moves its solver less, and a solver of whom nothing is known moves no puzzle.

use super::row::Row;
use crate::stats::glicko2::{Glicko2, LICHESS_TAU};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The person.
    pub solver: String,
    /// The puzzle.
    pub puzzle: String,
    /// Whether it was solved.
    pub solved: bool,
    /// The theme that was announced beforehand, if one was.
    pub theme: Option<String>,
}

/// Why a line of attempts is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {field}: {text}")]
pub struct AttemptFault {
    /// The line, from 1.
    pub line: u64,
    /// The column.
    pub field: &'static str,
    /// What is wrong.
    pub text: String,
}

/// The columns of a file of attempts; the last may be missing.
pub const COLUMNS: [&str; 4] = ["PuzzleId", "Solver", "Solved", "Theme"];

/// Reads attempts in the order in which they were made: CSV with the header `PuzzleId,Solver,Solved` and perhaps `Theme`; `Solved` is 1 or 0.
///
/// # Errors
/// The first line that is no attempt.
pub fn parse(text: &str) -> Result<Vec<Attempt>, AttemptFault> {
    let fault = |line, field, text: String| AttemptFault { line, field, text };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut attempts = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record =
            record.map_err(|error| fault(error.position().map_or(0, csv::Position::line), "CSV", error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Vec<&str> = record.iter().map(str::trim).collect();
        if number == 0 {
            if fields != COLUMNS && fields != COLUMNS[..3] {
                return Err(fault(line, "header", format!("expected {}", COLUMNS.join(","))));
            }
            continue;
        }
        let &[puzzle, solver, solved, ref theme @ ..] = &fields[..] else {
            return Err(fault(line, COLUMNS[fields.len().min(2)], "missing".into()));
        };
        let solved = match solved {
            "1" => true,
            "0" => false,
            other => return Err(fault(line, "Solved", format!("'{other}' is neither 1 nor 0"))),
        };
        if let Some(field) = [puzzle, solver].iter().position(|field| field.is_empty()) {
            return Err(fault(line, COLUMNS[field], "empty".into()));
        }
        let theme = theme.first().filter(|theme| !theme.is_empty()).map(|theme| (*theme).to_owned());
        attempts.push(Attempt { solver: solver.to_owned(), puzzle: puzzle.to_owned(), solved, theme });
    }
    Ok(attempts)
}

/// What became of the attempts.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// The people, by name.
    pub solvers: BTreeMap<String, Glicko2>,
    /// Attempts that counted.
    pub counted: usize,
    /// Later attempts of a person at the same puzzle.
    pub repeated: usize,
    /// Attempts at puzzles that are not in the file.
    pub unknown: usize,
}

/// Themes that tell nothing, and themes that tell nearly everything.
const SILENT: [&str; 3] = ["mix", "italian", "scottish"];
const OBVIOUS: [&str; 3] = ["enPassant", "doubleCheck", "castling"];

/// How much an attempt counts, by the theme that was announced.
fn weight(theme: Option<&str>, solved: bool) -> f64 {
    let (won, lost) = match theme {
        None | Some("mix") => return 1.0,
        Some(theme) if OBVIOUS.contains(&theme) => (0.1, 0.4),
        Some(theme) if SILENT.contains(&theme) => (0.7, 0.8),
        Some(_) => (0.2, 0.7),
    };
    if solved { won } else { lost }
}

/// The ratings of solver and puzzle after an attempt.
#[must_use]
pub fn after(solver: &Glicko2, puzzle: &Glicko2, solved: bool, theme: Option<&str>) -> (Glicko2, Glicko2) {
    let points = f64::from(u8::from(solved));
    // Lichess leaves out the growth of the deviation with time.
    let new_solver = solver.after(&[(*puzzle, points)], LICHESS_TAU, 0.0).capped(solver);
    let new_puzzle = puzzle.after(&[(*solver, 1.0 - points)], LICHESS_TAU, 0.0).capped(puzzle);
    let weight = weight(theme, solved);
    let doubt = match (puzzle.is_provisional(), solved) {
        (false, _) => 0.0,
        (true, true) => 0.2,
        (true, false) => 0.7,
    };
    let solver_after = solver.toward(&new_solver, (weight - doubt).max(0.1));
    let puzzle_after = if solver.is_clueless() { *puzzle } else { puzzle.toward(&new_puzzle, weight) };
    (solver_after, puzzle_after)
}

/// Takes attempts into account, in their order; `rows` get their new ratings. People begin with Lichess' start.
pub fn update(rows: &mut [Row], attempts: &[Attempt]) -> Updated {
    let start = |row: &Row| Glicko2 {
        rating: f64::from(row.rating),
        deviation: f64::from(row.rating_deviation).max(1.0),
        volatility: Glicko2::NEW.volatility,
    };
    let mut puzzles: Vec<Glicko2> = rows.iter().map(start).collect();
    let places: HashMap<String, usize> =
        rows.iter().enumerate().map(|(place, row)| (row.puzzle_id.clone(), place)).collect();
    let (mut updated, mut tried, mut touched) = (Updated::default(), HashSet::new(), HashSet::new());
    for attempt in attempts {
        let Some(&place) = places.get(&attempt.puzzle) else {
            updated.unknown += 1;
            continue;
        };
        if !tried.insert((attempt.solver.clone(), place)) {
            updated.repeated += 1;
            continue;
        }
        updated.counted += 1;
        rows[place].nb_plays += 1;
        touched.insert(place);
        let solver = updated.solvers.entry(attempt.solver.clone()).or_insert(Glicko2::NEW);
        (*solver, puzzles[place]) = after(solver, &puzzles[place], attempt.solved, attempt.theme.as_deref());
    }
    for place in touched {
        // Ratings are at least 400 and deviations at most 500.
        rows[place].rating = puzzles[place].rating.round() as u32;
        rows[place].rating_deviation = puzzles[place].deviation.round() as u32;
    }
    updated
}
