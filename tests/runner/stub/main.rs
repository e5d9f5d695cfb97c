//! The engine of the tests: plays random legal series at once and misbehaves on demand.
//!
//! `crescendo-stub MODE…`; without modes it behaves. The modes stand in [`modes::Modes`].

#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

mod modes;
mod session;

use std::process::ExitCode;

fn main() -> ExitCode {
    match modes::Modes::read(std::env::args().skip(1)) {
        Ok(modes) => session::run(modes),
        Err(unknown) => {
            eprintln!("crescendo-stub: unknown mode '{unknown}'");
            ExitCode::from(2)
        }
    }
}
