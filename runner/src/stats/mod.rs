//! Statistics of matches, tests and pools of players.
//!
//! Games enter as counts, never as moves: a result is worth 0, ½ or 1 point to a player and that is all this floor
//! knows. Everything above it gets the numbers it prints from here, so that two reports can never disagree about a formula.
//!
//! Architecture Invariant: this module imports nothing else of the project. It does no input or output, reads no clock,
//! starts no thread and takes its randomness from a seed, so every number can be computed again. No function returns
//! `NaN`: where an estimate does not exist the answer is `None`, an error, or an interval with an infinite end.
//!
//! Ratings and differences are in Elo on the logistic scale where 400 points are odds of 10 to 1 ([`elo::expected_score`]),
//! unless a name says *normalized*.

pub mod attempts;
pub mod bootstrap;
pub mod calibration;
pub mod connectivity;
pub mod counts;
pub mod design;
pub mod elo;
pub mod glicko2;
pub mod link;
pub mod pool;
pub mod quantile;
pub mod rating;
pub mod shards;
pub mod sprt;
pub mod stopped;

mod fit;
mod matrix;
mod multinomial;
mod numeric;
mod sandwich;
