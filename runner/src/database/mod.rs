//! A collection of games as a database: files of any program, read game by game, replayed, counted.
//!
//! [`read`] reads, [`summary`] counts results and ends, [`explore`] tells what was played in a position.

pub mod explore;
pub mod read;
pub mod summary;
