//! The engine's binary: hands arguments and streams to the library.
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
