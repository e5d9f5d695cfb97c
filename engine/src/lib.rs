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
//! | 5 | `workers` | threads, clock, stop flag: what the search needs of the operating system |
//! | 5 | `tools` | bench, counting |
//! | 6 | `protocol` | UCI for progressive chess |
//! | 6 | `cli` | one-shot commands |
//!
//! Programs that want the engine itself, and not its rules, start it with [`run`].

pub mod board;
mod cli;
pub mod eval;
mod protocol;
pub mod rules;
pub mod search;
pub mod solver;
mod tools;
pub mod types;
mod workers;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;

/// The whole program: a one-shot command, or the protocol until the client has had enough.
///
/// The first argument is the program's name, as in [`std::env::args_os`]. Returns when the session is over, though a thread may
/// still sit in a read of `input` that nothing ends but the end of the process.
pub fn run<A: Into<OsString> + Clone>(
    args: impl IntoIterator<Item = A>,
    input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
) -> ExitCode {
    match cli::run(args, &mut output) {
        cli::Asked::Protocol => protocol::serve(input, output),
        cli::Asked::Reading(command) => cli::reading(&command, input, &mut output),
        cli::Asked::Done(code) => code,
    }
}
