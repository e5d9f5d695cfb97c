//! The runner's binary: hands the arguments to the library.
use std::process::ExitCode;

fn main() -> ExitCode {
    crescendo_runner::cli::main(std::env::args_os())
}
