//! The second generator: slow, simple, and written from the text of the rules alone.
//!
//! It exists to disagree with the engine. Every test that compares the two is worth as much as they are independent, so:
//!
//! Architecture Invariant: nothing here uses the engine library. The board is an array of 64 squares, a position is copied
//! for every move, and a move is legal if the position after it says so. No bitboards, no attack tables, no make and unmake,
//! no pin masks, no hash keys.
//!
//! Comments that cite a rule mean the numbered text of the games' rules: "common rule 6" is en passant, and so on.
//!
//! The tree: `man` (men, squares) < `ruleset` (the nine games as answers to questions) < `position` (what a move does) <
//! `attack` < `moves` (what is legal) < `verdict` (how a game ends) < `fen`, `state` (the face to the tests) < `count`, `walk`.
//!
//! A test binary includes it with `#[path = "../reference/mod.rs"] mod reference;`.

#![allow(dead_code, reason = "each test binary that includes the module uses its own part of it")]

mod attack;
pub(crate) mod count;
mod fen;
mod man;
mod moves;
mod position;
mod ruleset;
mod state;
mod verdict;
pub(crate) mod walk;

#[allow(unused_imports, reason = "as above")]
pub(crate) use ruleset::NAMES;
pub(crate) use state::State;
