//! Commands, one file each.
//!
//! Exit codes: 0 done, 1 the answer is no, 2 usage or bad input, 4 input or output failed, 5 games are missing, 130 interrupted,
//! 143 terminated.

mod engine;
mod openings;
mod report;
mod roster;
mod run;
mod signals;

use crate::player::guard;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Usage or bad input.
const BAD_INPUT: u8 = 2;
/// Input or output failed.
const IO_FAILED: u8 = 4;
/// Games are missing.
const INCOMPLETE: u8 = 5;

const EXAMPLES: &str = "Examples:
  crescendo-runner run runner/examples/levels.toml --out out/levels
  crescendo-runner resume out/levels

Exit codes: 0 done, 1 the answer is no, 2 usage or bad input, 4 input or output
failed, 5 games are missing, 130 interrupted, 143 terminated.";

/// Plays tournaments of progressive chess and reports Elo with honest error bars.
#[derive(Debug, Parser)]
#[command(name = "crescendo-runner", version, about, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the tournament of a file
    Run(run::Arguments),
    /// Go on with a tournament that was interrupted, whatever interrupted it
    Resume(run::Resume),
    /// Write the page report.html from a journal
    Report(report::Arguments),
    /// Make or check a suite of openings
    #[command(subcommand)]
    Openings(openings::Command),
    /// The built-in engine, for the runner's own use
    #[command(hide = true, trailing_var_arg = true, disable_help_flag = true)]
    Engine {
        /// Its arguments
        #[arg(allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Become an engine that dies with the runner
    #[command(name = guard::EXEC, hide = true, trailing_var_arg = true, disable_help_flag = true)]
    Exec {
        /// The runner's process number
        runner: u32,
        /// The engine
        program: OsString,
        /// Its arguments
        #[arg(allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// End the engines that the runner leaves behind
    #[command(name = guard::GUARD, hide = true)]
    Guard,
}

/// What a command that cannot go on says, and with which exit code.
#[derive(Debug)]
struct Failed {
    code: u8,
    error: anyhow::Error,
}

impl Failed {
    fn new(code: u8, error: impl Into<anyhow::Error>) -> Self {
        Self { code, error: error.into() }
    }
}

/// Runs the command of these arguments, the first of which is the program's name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => {
            // A closed stream is nothing to complain about on that same stream.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { 0 });
        }
    };
    let done = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Resume(arguments) => run::resume(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Openings(command) => openings::run(&command),
        Command::Engine { args } => return engine::run(args),
        Command::Exec { runner, program, args } => {
            complain(&format!("cannot start {}: {}", program.to_string_lossy(), guard::exec(runner, &program, &args)));
            return ExitCode::from(127);
        }
        Command::Guard => {
            guard::guard(std::io::stdin().lock());
            Ok(0)
        }
    };
    ExitCode::from(done.unwrap_or_else(|Failed { code, error }| {
        complain(&format!("error: {error:#}"));
        code
    }))
}

/// One line to the error stream; nobody can be told if that fails.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
