//! Commands, one file each.
//!
//! Exit codes: 0 done, 1 the answer is no, 2 usage or bad input, 3 undecided or stopped after crashes, 4 input or output failed, 5 games are missing, 130 interrupted,
//! 143 terminated.

mod calibrate;
mod check_engine;
mod engine;
mod files;
mod games;
mod list;
mod manual;
mod openings;
mod puzzles;
mod rate;
mod report;
mod roster;
mod run;
mod signals;
mod sprt;

use crate::player::guard;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Usage or bad input.
const BAD_INPUT: u8 = 2;
/// Undecided.
const UNDECIDED: u8 = 3;
/// A player has crashed too often.
const TOO_MANY_FAILURES: u8 = 3;
/// Input or output failed.
const IO_FAILED: u8 = 4;
/// Games are missing.
const INCOMPLETE: u8 = 5;

const EXAMPLES: &str = "Examples:
  crescendo-runner run runner/examples/levels.toml --out out/levels
  crescendo-runner resume out/levels
  crescendo-runner rate out/levels/games.jsonl --anchor Novice=800
  crescendo-runner sprt --penta 10,52,130,70,16 --elo0 0 --elo1 5
  crescendo-runner check-engine ./my-engine
  crescendo-runner calibrate levels --out out/italian --table engine/levels.toml
  crescendo-runner games stats out/levels/games.jsonl
  crescendo-runner openings stats openings/italian.txt
  crescendo-runner completions bash > crescendo-runner.bash

Exit codes: 0 done, 1 the answer is no, 2 usage or bad input, 3 undecided (a
sequential test without a verdict) or stopped after crashes, 4 input or output
failed, 5 games are missing, 130 interrupted, 143 terminated.";

/// Plays tournaments of progressive chess and reports Elo with honest error bars.
#[derive(Debug, Parser)]
#[command(name = "crescendo-runner", version, about, arg_required_else_help = true, max_term_width = 80)]
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
    /// Rate all players of journals and PGN files by one fit of all games
    Rate(rate::Arguments),
    /// Say what a sequential test makes of counts or of the games of a match
    Sprt(sprt::Arguments),
    /// Measure how strong the engine's levels are, or fit their scale to that of people
    #[command(subcommand)]
    Calibrate(calibrate::Command),
    /// Check whether an engine keeps the protocol, in numbered steps
    CheckEngine(check_engine::Arguments),
    /// List rule sets, players, openings or games
    #[command(subcommand)]
    List(list::Command),
    /// Count a collection of games, or say what was played in a position
    #[command(subcommand)]
    Games(games::Command),
    /// Make, check, count or balance a suite of openings
    #[command(subcommand)]
    Openings(openings::Command),
    /// Find, rate, check and judge puzzles
    #[command(subcommand)]
    Puzzles(puzzles::Command),
    /// Print the completions for a shell
    Completions(manual::Completions),
    /// Write the manual pages
    Man(manual::Man),
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
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            return ExitCode::from(match printed {
                _ if error.use_stderr() => BAD_INPUT,
                Ok(()) => 0,
                Err(error) => {
                    complain(&format!("error: standard output: {error}"));
                    IO_FAILED
                }
            });
        }
    };
    let done = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Resume(arguments) => run::resume(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Sprt(arguments) => sprt::run(&arguments),
        Command::Calibrate(command) => calibrate::run(&command),
        Command::CheckEngine(arguments) => check_engine::run(&arguments),
        Command::List(command) => list::run(&command),
        Command::Games(command) => games::run(&command),
        Command::Openings(command) => openings::run(&command),
        Command::Puzzles(command) => puzzles::run(&command),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Man(arguments) => manual::pages(&arguments),
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
        complain(&format!("error: {}", told(&error)));
        code
    }))
}

/// An error and what caused it. Many errors say their cause themselves, and nobody wants to hear it twice.
fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// One line to the error stream; nobody can be told if that fails.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Text to the standard output.
fn print(text: &str) -> Result<u8, Failed> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map(|()| 0).map_err(|error| Failed::new(IO_FAILED, anyhow::anyhow!("standard output: {error}")))
}
