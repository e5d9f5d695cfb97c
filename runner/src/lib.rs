//! The tournament runner.
//!
//! The floors, from the ground up; imports go down, never up:
//!
//! | floor | modules | what they are |
//! |---|---|---|
//! | 0 | [`stats`], [`lines`] | counts, Elo, ratings, knows no chess; long files by all processors |
//! | 1 | [`opening`], [`player`], [`clock`], [`adjudicate`] | where games begin, who plays, how long, when to stop |
//! | 2 | [`game`], [`record`], [`pairing`], [`maker`], [`collect`] | one game with its referee, what is kept of it, who meets whom, new openings, results out of files |
//! | 3 | [`event`], [`standing`], [`scheduler`] | many games at a time |
//! | 4 | [`report`], [`conform`], [`calibrate`], [`puzzle`] | one file per output, which sees events only; whether an engine keeps the protocol; how strong the levels are; puzzles |
//! | 5 | [`plan`], [`cli`] | files and flags, commands |
//!
//! Rules come from the engine *library*; play comes from engine *processes*.

pub mod adjudicate;
pub mod calibrate;
pub mod cli;
pub mod clock;
pub mod collect;
pub mod conform;
pub mod database;
pub mod event;
pub mod game;
pub mod lines;
pub mod maker;
pub mod opening;
pub mod pairing;
pub mod plan;
pub mod player;
pub mod puzzle;
pub mod record;
pub mod report;
pub mod scheduler;
pub mod shards;
pub mod standing;
pub mod stats;
pub mod variation;
