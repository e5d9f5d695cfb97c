//! All mating series of a turn, counted and classed: is it a puzzle worth solving?

use super::item::Counts;
use crescendo::rules::midturn::{Midturn, Progress};
use crescendo::solver::all::{End, Go, Tally};
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::series::Series;
use std::collections::BTreeSet;

/// How many solutions a puzzle may have, and how much work a proof may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most series of the key's length.
    pub series: u64,
    /// Most final positions.
    pub positions: u64,
    /// Most nodes until a mate is found or refuted.
    pub find_nodes: u64,
    /// Most nodes until all mates are listed.
    pub list_nodes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { series: 720, positions: 4, find_nodes: 200_000, list_nodes: 2_000_000 }
    }
}

/// All mates of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mates {
    /// One of the shortest series.
    pub key: Series,
    /// How many there are.
    pub counts: Counts,
    /// Nodes until the first was found.
    pub nodes: u64,
}

/// What a turn holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Mates within the bounds.
    Mates(Mates),
    /// More mates than the bounds allow.
    TooMany,
    /// No mate; proved.
    None,
    /// The proof would take more nodes than allowed.
    Undecided,
}

/// Lists the mates of a turn.
pub fn mates(solver: &mut Solver, midturn: &Midturn, bounds: &Bounds) -> Found {
    // 1. Is there one? The solver's own search is much faster than a list.
    let answer = solver.solve(midturn, &Limits::nodes(bounds.find_nodes));
    let length = match answer.verdict {
        Verdict::Mate(series) => series.len(),
        Verdict::NoMate => return Found::None,
        Verdict::Unknown(_) => return Found::Undecided,
    };
    // 2. Most turns with a mate have far too many; that is seen sooner by looking for one after every first move.
    if has_many(solver, midturn, bounds, length) {
        return Found::TooMany;
    }
    match list(solver, midturn, bounds) {
        Found::Mates(mates) => Found::Mates(Mates { nodes: answer.nodes, ..mates }),
        other => other,
    }
}

/// Nodes for a look at what comes after one first move.
const GLANCE_NODES: u64 = 2000;

/// Whether a glance after each first move finds more final positions than a puzzle may have, of mates in `length` moves. A "no" proves
/// nothing.
fn has_many(solver: &mut Solver, midturn: &Midturn, bounds: &Bounds, length: usize) -> bool {
    let mut ends = BTreeSet::new();
    for first in midturn.legal() {
        let mut now = *midturn;
        if now.play_unchecked(first) != Progress::More {
            continue;
        }
        let answer = solver.solve(&now, &Limits::nodes(GLANCE_NODES));
        let Some(series) = answer.series().filter(|series| series.len() + 1 == length) else { continue };
        for mv in series.iter() {
            now.step(mv.seen_by(midturn.color()));
        }
        ends.insert(now.board().key());
        if ends.len() as u64 > bounds.positions {
            return true;
        }
    }
    false
}

/// Lists the mates of a turn without looking for a first one; `nodes` of the answer is 0.
pub fn list(solver: &mut Solver, midturn: &Midturn, bounds: &Bounds) -> Found {
    let (mut key, mut tally, mut longer) = (None::<Series>, Tally::default(), 0);
    let mut too_many = false;
    let (end, _) = solver.all(midturn, None, &Limits::nodes(bounds.list_nodes), &mut |solution| {
        let shortest = key.get_or_insert_with(|| solution.series.clone()).len();
        if solution.series.len() > shortest {
            // The solver streams the shorter ones first, so the puzzle is complete: this is only for information.
            longer += 1;
            return if longer < Counts::MOST_LONGER { Go::On } else { Go::Stop };
        }
        tally.add(solution);
        too_many = tally.series() > bounds.series || tally.positions() as u64 > bounds.positions;
        if too_many { Go::Stop } else { Go::On }
    });
    if too_many {
        return Found::TooMany;
    }
    match (key, end) {
        (_, End::Limit(_)) => Found::Undecided,
        (None, _) => Found::None,
        (Some(key), _) => {
            let counts = Counts {
                series: tally.series(),
                move_sets: tally.move_sets() as u64,
                positions: tally.positions() as u64,
                longer,
            };
            Found::Mates(Mates { key, counts, nodes: 0 })
        }
    }
}
