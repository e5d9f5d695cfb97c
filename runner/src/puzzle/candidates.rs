//! Every turn of a game, asked whether it is a puzzle.

use super::item::{Kind, Puzzle, id};
use super::mates::{Bounds, Found, mates};
use super::pattern;
use super::rescue::{is_small, rescue};
use super::themes::themes;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::SeriesEnd;
use crescendo::rules::outcome::{Outcome, WinBy};
use crescendo::rules::position::Position;
use crescendo::solver::all::Go;
use crescendo::solver::{Limits, Solver};
use crescendo::types::series::Series;
use std::ops::RangeInclusive;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Limits of the proofs.
    pub bounds: Bounds,
    /// Moves of the key.
    pub lengths: RangeInclusive<usize>,
    /// Kinds.
    pub kinds: Vec<Kind>,
}

/// A turn and how it came about.
struct Turn {
    before: Position,
    series: Series,
    position: Position,
}

/// The turns of a game that begin with a whole series of the opponent.
fn turns(game: &Game) -> Vec<Turn> {
    let Some(mut before) = game.start().position() else { return Vec::new() };
    let mut found = Vec::new();
    for (_, series) in game.turns() {
        let Some(SeriesEnd::Turn(position)) = before.begin().end_of(series) else { break };
        if position.outcome().is_some() {
            break;
        }
        found.push(Turn { before, series: series.clone(), position });
        before = position;
    }
    found
}

/// The puzzles in a game, in its order; `source` names it.
pub fn candidates(solver: &mut Solver, game: &Game, source: &str, wanted: &Wanted) -> Vec<Puzzle> {
    let opening = game.turns().first().map(|(_, series)| series.to_string()).unwrap_or_default();
    turns(game).iter().filter_map(|turn| puzzle(solver, turn, source, &opening, wanted)).collect()
}

fn puzzle(solver: &mut Solver, turn: &Turn, source: &str, opening: &str, wanted: &Wanted) -> Option<Puzzle> {
    let midturn = turn.position.begin();
    let quota = usize::from(turn.position.quota());
    if quota < *wanted.lengths.start() || quota > *wanted.lengths.end() && midturn.rules().is_italian() {
        return None;
    }
    let (kind, key, counts, nodes, pattern) = match mates(solver, &midturn, &wanted.bounds) {
        Found::Mates(mates) => {
            let kind = mate_kind(solver, &turn.position, &mates.key, &wanted.bounds);
            let end = mated(&turn.position, &mates.key)?;
            (kind, mates.key, mates.counts, mates.nodes, pattern::pattern(end.board()))
        }
        Found::None if wanted.kinds.iter().any(|kind| !kind.is_mate()) && is_small(&midturn) => {
            let rescue = rescue(solver, &midturn, &wanted.bounds)?;
            let end = super::rescue::final_board(&midturn, &rescue.key)?;
            (rescue.kind, rescue.key, rescue.counts, rescue.ends, pattern::whole(&end))
        }
        _ => return None,
    };
    if !wanted.kinds.contains(&kind) || !wanted.lengths.contains(&key.len()) {
        return None;
    }
    Some(Puzzle {
        id: id(&turn.position, kind),
        rules: midturn.rules().name.to_owned(),
        kind,
        fen: turn.before.fen(),
        before: turn.series.to_string(),
        themes: themes(&midturn, kind, counts.class(), &key),
        key: key.to_string(),
        class: counts.class(),
        counts,
        nodes,
        pattern,
        source: source.to_owned(),
        opening: opening.to_owned(),
        rating: None,
    })
}

/// The position of the mated side after a mating series.
#[must_use]
pub fn mated(position: &Position, series: &Series) -> Option<Position> {
    match position.begin().end_of(series)? {
        SeriesEnd::Turn(end) => Some(end),
        SeriesEnd::Game(_) => None,
    }
}

/// The kind of a mate: Italian if every mate of the turn is.
#[must_use]
pub fn mate_kind(solver: &mut Solver, position: &Position, key: &Series, bounds: &Bounds) -> Kind {
    let is_italian = |series: &Series| {
        let end = mated(position, series).and_then(|end| end.outcome());
        matches!(end, Some(Outcome::Win { by: WinBy::ItalianMate, .. }))
    };
    if !position.rules().is_italian() || !is_italian(key) {
        return Kind::Mate;
    }
    let mut all = true;
    solver.all(&position.begin(), None, &Limits::nodes(bounds.list_nodes), &mut |solution| {
        all = is_italian(&solution.series);
        if all { Go::On } else { Go::Stop }
    });
    if all { Kind::ItalianMate } else { Kind::Mate }
}
