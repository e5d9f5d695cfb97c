//! Crescendo: the engine for progressive chess.
//!
//! The floors, from the ground up; imports go down, never up:
//!
//! | floor | module | what it is |
//! |---|---|---|
//! | 0 | [`types`] | squares, moves, turns, series, scores |
//! | 1 | [`board`] | men on squares for one side that moves many times in a row |
//! | 2 | [`rules`] | the games: table of rule sets, positions, turns, outcomes, notation |
//! | 3 | [`solver`] | can the mover mate in this turn? |
//! | 3 | [`eval`] | the static score of a finished series |
//! | 4 | [`search`] | choosing a series |

pub mod board;
pub mod eval;
pub mod rules;
pub mod search;
pub mod solver;
pub mod types;
