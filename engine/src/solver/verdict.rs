//! What the solver is asked within, and what it answers.

use crate::types::series::Series;
use std::fmt;

/// The most moves left in a turn that the solver takes on. Above that it has no verdict but by luck: [`Limit::Quota`].
pub const MAX_LEFT: u8 = 30;

/// The answer to "can the mover mate in this turn?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes: with these moves (White's view) from here on.
    Mate(Series),
    /// No series from here mates. This is a proof, not a failure to find one.
    NoMate,
    /// A limit was reached first.
    Unknown(Limit),
}

/// Why there is no verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The node limit.
    Nodes,
    /// The stop hook said so.
    Stopped,
    /// More than [`MAX_LEFT`] moves are left.
    Quota,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "node limit",
            Self::Stopped => "stopped",
            Self::Quota => "too many moves left",
        })
    }
}

/// How sure a "none" must be; the seen-table says what the odds are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Grade {
    /// Positions are told apart by 64 bits: for play.
    #[default]
    Play,
    /// By 128 bits: where a verdict is published. It takes twice the memory for as many positions.
    Proof,
}

/// What bounds the solver.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Moves made in search.
    pub nodes: u64,
    /// Asked every few hundred nodes; true ends the search.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl Default for Limits<'_> {
    /// No limits.
    fn default() -> Self {
        Self { nodes: u64::MAX, stop: None }
    }
}

impl Limits<'_> {
    /// No limit but this number of nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, stop: None }
    }
}

/// A verdict and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Mate, none, or unknown.
    pub verdict: Verdict,
    /// Moves made.
    pub nodes: u64,
}

impl Answer {
    /// The mating series, if there is one.
    #[must_use]
    pub const fn series(&self) -> Option<&Series> {
        match &self.verdict {
            Verdict::Mate(series) => Some(series),
            Verdict::NoMate | Verdict::Unknown(_) => None,
        }
    }
}
