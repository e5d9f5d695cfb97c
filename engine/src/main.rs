//! The engine's binary: hands arguments and streams to the library.
use std::process::ExitCode;

fn main() -> ExitCode {
    crescendo::run(std::env::args_os(), std::io::stdin(), std::io::stdout())
}
