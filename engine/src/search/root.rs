//! Where a search starts: the turn as it stands, or what follows the prefixes it is restricted to.

use crate::rules::midturn::{Midturn, Step};
use crate::types::moves::Move;
use crate::types::series::Series;

/// A start with the moves (the mover's view) that lead to it from the position searched.
#[derive(Clone, Debug)]
pub struct Root {
    /// Moves already decided.
    pub prefix: Vec<Move>,
    /// What is left of the turn.
    pub state: Midturn,
    /// Whether the prefix is a complete series.
    pub is_complete: bool,
}

/// The roots of a search: one for each legal prefix, or the position itself without prefixes.
#[must_use]
pub fn roots(midturn: &Midturn, prefixes: &[Series]) -> Vec<Root> {
    if prefixes.is_empty() {
        return vec![Root { prefix: Vec::new(), state: *midturn, is_complete: false }];
    }
    prefixes.iter().filter_map(|prefix| root(midturn, prefix)).collect()
}

fn root(midturn: &Midturn, prefix: &Series) -> Option<Root> {
    let mut root = Root { prefix: Vec::new(), state: *midturn, is_complete: false };
    for mv in prefix.iter().map(|mv| mv.seen_by(midturn.color())) {
        if root.is_complete || !root.state.legal_seen_by_mover().contains(&mv) {
            return None;
        }
        root.is_complete = root.state.step(mv) == Step::TurnOver;
        root.prefix.push(mv);
    }
    Some(root)
}
