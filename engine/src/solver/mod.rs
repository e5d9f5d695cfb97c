//! Floor 3: the exact series-mate solver. Can the mover mate in this turn, and how?
//!
//! [`Solver::solve`] walks the moves of one side depth first. One-sided moves commute, so a seen-table of positions and moves left
//! removes most of the tree; the last move is generated as a check and judged by [`mated::is_mate`].
//! Architecture invariant: no clock, no thread; limits come as a number of nodes and a stop hook.

pub mod bound;
mod cover;
mod family;
pub mod mated;
mod order;
mod plan;
mod reach;
mod seen;
mod solve;
mod verdict;
mod walk;
mod zone;

pub use solve::{Solver, Tricks};
pub use verdict::{Answer, Limit, Limits, MAX_LEFT, Verdict};
