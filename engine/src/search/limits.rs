//! What bounds a search.

use super::crew::{Alone, Crew};
use crate::types::series::Series;

/// How far the budget of a turn is used up. The clock lives elsewhere; a pace of a node-limited search needs none.
pub trait Pace: Sync {
    /// The share of the budget used so far: 0 at the start, 1 or more = answer at once. Never decreases.
    /// A search without an end (`go infinite`) approaches 1 without reaching it.
    fn used(&self) -> f64;

    /// Whether the search was told to stop, whatever its budget.
    fn is_stopped(&self) -> bool;
}

/// A pace without clock and without end: only node limits end the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unhurried;

impl Pace for Unhurried {
    fn used(&self) -> f64 {
        0.0
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// The limits of one search. All that are given hold; the first to be reached ends it.
#[derive(Clone)]
pub struct Limits<'a> {
    /// Moves made in search, the unit of nodes everywhere.
    pub nodes: Option<u64>,
    /// Series looked ahead, from 1.
    pub depth: Option<u16>,
    /// Within so many own series a forced win was looked for already (see [`super::prove`]): the search does not look for a mate again.
    pub mate: Option<u16>,
    /// Only series that begin with one of these prefixes; empty = all.
    pub prefixes: Vec<Series>,
    /// How many best series to report, from 1.
    pub multi_pv: usize,
    /// How far the search looks around itself: with each step up twice as many candidates and replies are weighed. 0 in play; a search without
    /// an end begins there and goes on with the next step.
    pub effort: u8,
    /// Time and the stop flag.
    pub pace: &'a dyn Pace,
    /// Who does the work. With more than one worker what is found depends on who comes first.
    pub crew: &'a dyn Crew,
}

impl Limits<'static> {
    /// No limit but this number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            depth: None,
            mate: None,
            prefixes: Vec::new(),
            multi_pv: 1,
            effort: 0,
            pace: &Unhurried,
            crew: &Alone,
        }
    }
}
