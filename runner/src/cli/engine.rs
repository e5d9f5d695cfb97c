//! The built-in engine: the runner's binary hands over to the engine library, so that a tournament needs nothing else installed.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the engine on the standard streams until its input ends.
pub(super) fn run(args: Vec<OsString>) -> ExitCode {
    let args = std::iter::once("crescendo".into()).chain(args);
    crescendo::run(args, std::io::stdin(), std::io::stdout())
}
