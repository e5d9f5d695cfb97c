//! Floor 3: the exact series-mate solver. Can the mover mate in this turn, and how?
//!
//! [`Solver::solve`] walks the moves of one side depth first. One-sided moves commute, so a seen-table of positions and moves left
//! removes most of the tree. What remains is cut by asking which squares around the enemy king can be covered at all: with five
//! and more moves left by the [`bound`], with four to two by plans that list only the moves worth making. The last move is generated
//! as a check and judged by [`mated::is_mate`]. [`Solver::all`] shows every mate, [`Solver::count`] counts them; [`pieces`] cuts a question
//! for several threads.
//! Architecture invariant: no clock, no thread; limits come as a number of nodes and a stop hook.

pub mod all;
pub mod bound;
mod cover;
mod family;
mod keys;
pub mod mated;
mod order;
pub mod pieces;
mod plan;
mod reach;
mod seen;
mod shared;
mod solve;
mod verdict;
mod walk;
mod zone;

pub use solve::{Solver, Tricks};
pub use verdict::{Answer, Grade, Limit, Limits, MAX_LEFT, Verdict};
