//! Proves a file of puzzles again: every field of every line.

use super::candidates::{mate_kind, mated};
use super::files::{Entry, LineFault};
use super::item::{Class, Counts, Kind, Puzzle, id, mating_rules, position};
use super::judge::judge;
use super::mates::{Bounds, Found, list};
use super::pattern;
use super::rescue::{final_board, rescue};
use super::row::{FieldFault, Row};
use super::themes::themes;
use crescendo::rules::position::Position;
use crescendo::solver::Solver;
use crescendo::types::series::Series;
use std::collections::HashMap;

/// Checking may take ten times the work of mining.
const LIST_NODES: u64 = 20_000_000;

/// Checks puzzles one after the other, and against each other.
pub struct Checker {
    solver: Solver,
    /// The lines of names, of signatures and of games.
    ids: HashMap<String, u64>,
    signatures: HashMap<String, u64>,
    sources: HashMap<String, u64>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").finish_non_exhaustive()
    }
}

impl Default for Checker {
    fn default() -> Self {
        let (ids, signatures, sources) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { solver: Solver::proving(64 << 20), ids, signatures, sources }
    }
}

/// What the solver says of a puzzle.
struct Proved {
    counts: Counts,
    kind: Kind,
    pattern: String,
}

impl Checker {
    /// All that is wrong with a line.
    pub fn check(&mut self, entry: &Entry) -> Vec<LineFault> {
        let mut faults = Vec::new();
        if let Err(fault) = self.row(entry, &mut faults) {
            faults.push(fault);
        }
        faults.into_iter().map(|fault| LineFault { line: entry.line, fault }).collect()
    }

    /// Faults that leave nothing else to ask are errors, the others are collected.
    fn row(&mut self, entry: &Entry, faults: &mut Vec<FieldFault>) -> Result<(), FieldFault> {
        let row = &entry.row;
        // 1. The form: a position, and two series from it.
        let rules = mating_rules(row.rules()?).map_err(|error| FieldFault::new("Themes", error.to_string()))?;
        let kind = row.kind()?;
        let (before, key) = row.series()?;
        let position = position(rules, &row.fen, before).map_err(|fault| {
            let field = if matches!(fault, super::item::SetupFault::Before(_)) { "Moves" } else { "FEN" };
            FieldFault::new(field, fault.to_string())
        })?;
        let key: Series = key.parse().map_err(|_| FieldFault::new("Moves", format!("'{key}' is no series")))?;
        // 2. The name.
        let due = id(&position, kind);
        if row.puzzle_id != due {
            faults
                .push(FieldFault::new("PuzzleId", format!("'{}', but the position's name is '{due}'", row.puzzle_id)));
        }
        // 3. The solution, and all others.
        let judgment = judge(&mut self.solver, &position, kind, &key, &key);
        if !judgment.is_solved() {
            return Err(FieldFault::new("Moves", format!("the solution is none: {judgment:?}")));
        }
        let proved = self.prove(&position, kind, &key)?;
        if proved.kind != kind {
            faults.push(FieldFault::new("Themes", format!("'{}', but it is '{}'", kind.word(), proved.kind.word())));
        }
        let themes = themes(&position.begin(), proved.kind, proved.counts.class(), &key);
        compare_themes(row, &themes, faults);
        if let Some(puzzle) = &entry.puzzle {
            compare(puzzle, &proved, faults);
        }
        // 4. Against the lines before.
        let signature = pattern::signature(kind, &proved.pattern, position.color(), &key);
        let signature = format!("{} {signature}", rules.name);
        note(&mut self.ids, row.puzzle_id.clone(), entry.line, "PuzzleId", "the same puzzle", faults);
        note(&mut self.signatures, signature, entry.line, "Moves", "the same final picture by the same moves", faults);
        note(&mut self.sources, row.game_url.clone(), entry.line, "GameUrl", "from the same game", faults);
        Ok(())
    }

    fn prove(&mut self, position: &Position, kind: Kind, key: &Series) -> Result<Proved, FieldFault> {
        let bounds = Bounds { series: u64::MAX, positions: u64::MAX, list_nodes: LIST_NODES, ..Bounds::default() };
        let midturn = position.begin();
        let bad = |text: &str| FieldFault::new("Moves", text);
        if !kind.is_mate() {
            let found = rescue(&mut self.solver, &midturn, &Bounds::default());
            let found = found.ok_or_else(|| bad("not proved that nearly every other series loses"))?;
            let end = final_board(&midturn, &found.key).ok_or_else(|| bad("the solution cannot be played"))?;
            return Ok(Proved { counts: found.counts, kind: found.kind, pattern: pattern::whole(&end) });
        }
        match list(&mut self.solver, &midturn, &bounds) {
            Found::Mates(mates) if mates.key.len() < key.len() => {
                Err(bad(&format!("there is a shorter mate: {}", mates.key)))
            }
            Found::Mates(mates) => {
                let end = mated(position, key).ok_or_else(|| bad("the solution does not mate"))?;
                let kind = mate_kind(&mut self.solver, position, &mates.key, &bounds);
                Ok(Proved { counts: mates.counts, kind, pattern: pattern::pattern(end.board()) })
            }
            Found::None => Err(bad("the solver finds no mate")),
            Found::TooMany | Found::Undecided => Err(bad("not all mates could be listed within the node limit")),
        }
    }
}

/// Remembers a text with its line; a fault if an earlier line has it.
fn note(
    seen: &mut HashMap<String, u64>,
    text: String,
    line: u64,
    field: &'static str,
    what: &str,
    faults: &mut Vec<FieldFault>,
) {
    if text.is_empty() {
        return;
    }
    if let Some(first) = seen.get(&text) {
        faults.push(FieldFault::new(field, format!("{what} as line {first}")));
    } else {
        seen.insert(text, line);
    }
}

/// Themes this program gives must be right; others, a site's own, may stand beside them.
fn compare_themes(row: &Row, due: &[String], faults: &mut Vec<FieldFault>) {
    for theme in due.iter().filter(|theme| !row.has_theme(theme)) {
        faults.push(FieldFault::new("Themes", format!("'{theme}' is missing")));
    }
    let ours = |word: &str| {
        let classes = [Class::UniqueSeries, Class::UniqueMoves, Class::UniquePosition, Class::Several];
        super::themes::MEANINGS.iter().any(|(name, _)| *name == word)
            || classes.iter().any(|class| class.word() == word)
            || ["mateIn", "movesIn"].iter().any(|start| word.starts_with(start))
    };
    for theme in row.themes.split(' ').filter(|theme| ours(theme) && !due.iter().any(|word| word == theme)) {
        faults.push(FieldFault::new("Themes", format!("'{theme}' does not apply")));
    }
}

/// The fields that only JSON lines have.
fn compare(puzzle: &Puzzle, proved: &Proved, faults: &mut Vec<FieldFault>) {
    if puzzle.counts != proved.counts {
        faults.push(FieldFault::new("counts", format!("{:?}, but proved are {:?}", puzzle.counts, proved.counts)));
    }
    if puzzle.class != proved.counts.class() {
        faults.push(FieldFault::new("class", format!("{:?}, but it is {:?}", puzzle.class, proved.counts.class())));
    }
    if puzzle.pattern != proved.pattern {
        faults.push(FieldFault::new("pattern", format!("'{}', but it is '{}'", puzzle.pattern, proved.pattern)));
    }
}
