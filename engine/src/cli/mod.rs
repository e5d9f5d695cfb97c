//! Floor 6: the one-shot commands. Without one, the program speaks the protocol.

#![allow(clippy::print_stderr, reason = "the command line is one of the places that may talk")]

mod analyze;
mod book;
mod ending;
mod fen;
mod games;
mod left;
mod manual;
mod mate;
mod perft;
mod pgn;
mod play;
mod safe;
mod study;
mod tune;
mod turns;

use crate::rules::table::{self, Rules};
use crate::search::limits::Unhurried;
use crate::tools::bench;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  crescendo                                (the protocol, on standard input)
  crescendo mate \"7k/8/5K2/8/8/8/8/6R1 w - - 0 3\"
  crescendo play --black Casual
  crescendo analyze game.pgn

Exit codes: 0 done (a mate found, all well), 1 the answer is no, 2 bad input,
3 a limit came first, 4 input or output failed.";

/// Engine for progressive chess. Without a command it reads the protocol from standard input.
#[derive(Parser, Debug)]
#[command(name = "crescendo", version, about, disable_help_subcommand = true, max_term_width = 80)]
#[command(after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<OneShot>,
}

#[derive(Subcommand, Debug)]
enum OneShot {
    /// Run a fixed workload; the last line is the signature of the engine's behavior
    Bench(BenchArgs),
    /// Find out whether the side to move can mate in this turn
    Mate(mate::Args),
    /// Count the sequences of moves from a position
    Perft(perft::Args),
    /// Check a FEN, play moves from it, and print the position as the engine writes it
    Fen(fen::Args),
    /// Check the games of a PGN file, or convert them
    Pgn(pgn::Args),
    /// Make an opening book, or check one
    #[command(subcommand)]
    Book(book::Command),
    /// Say for each turn of a game what was best, what was missed and how accurate it was
    Analyze(analyze::Args),
    /// Studies of the rules by games
    #[command(subcommand)]
    Study(study::Command),
    /// Fit the weights of the static score to played games
    Tune(tune::Args),
    /// Say the exact result of a position with at most four men from turn 8 on
    Ending(ending::Args),
    /// Play in the terminal, against the engine or another person
    Play(play::Args),
    /// Print the completions for a shell
    #[command(after_help = manual::COMPLETIONS)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    #[command(after_help = manual::PAGES)]
    Man {
        /// The folder to write them into
        folder: PathBuf,
    },
}

#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo bench                          (the signature of the build)
  crescendo bench mates tests/data/solver.tsv --each")]
struct BenchArgs {
    #[command(subcommand)]
    workload: Option<Workload>,
}

#[derive(Subcommand, Debug)]
enum Workload {
    /// Solve a file of series-mate questions and sum up the times
    Mates(mate::SuiteArgs),
    /// Count in how many turns that are hard to survive a series is found that is proved safe
    Safe(safe::Args),
    /// Count how many mates of a file are played within a normal turn
    Turns(turns::Args),
    /// Count the turns of played games that left the opponent a mate
    Left(left::Args),
}

/// What the arguments ask for.
pub(crate) enum Asked {
    /// The protocol.
    Protocol,
    /// Something that needs the input: see [`reading()`].
    Reading(Reading),
    /// Something that has been done, with its exit code.
    Done(ExitCode),
}

/// A command that reads the standard input.
pub(crate) enum Reading {
    /// A game in the terminal.
    Play(play::Args),
    /// Games to be looked at.
    Analyze(analyze::Args),
    /// Games to be counted.
    StudyRules(study::Args),
}

/// The answer is no: faults were found.
const NO: u8 = 1;
/// Bad input.
const USAGE: u8 = 2;
/// A limit came before the answer.
const UNKNOWN: u8 = 3;
/// The output cannot be written.
const IO: u8 = 4;

/// Why a one-shot command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The input makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing failed, but the answer is no; it has been given.
    #[error("no")]
    No,
    /// Nothing failed, but a limit came before the answer; that has been said.
    #[error("unknown")]
    Unknown,
}

/// Does what the arguments say; the first is the program's name.
pub(crate) fn run<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, output: &mut dyn Write) -> Asked {
    let command = match Cli::try_parse_from(args) {
        Ok(Cli { command: None }) => return Asked::Protocol,
        Ok(Cli { command: Some(OneShot::Play(args)) }) => return Asked::Reading(Reading::Play(args)),
        Ok(Cli { command: Some(OneShot::Analyze(args)) }) => return Asked::Reading(Reading::Analyze(args)),
        Ok(Cli { command: Some(OneShot::Study(study::Command::Rules(args))) }) => {
            return Asked::Reading(Reading::StudyRules(args));
        }
        Ok(Cli { command: Some(command) }) => command,
        Err(error) if error.use_stderr() => {
            eprint!("{error}");
            return Asked::Done(ExitCode::from(USAGE));
        }
        Err(help) => return Asked::Done(exit_code(write!(output, "{help}").map_err(Into::into))),
    };
    Asked::Done(exit_code(dispatch(&command, output)))
}

/// Runs a command that reads the standard input.
pub(crate) fn reading(command: &Reading, mut input: impl Read, output: &mut dyn Write) -> ExitCode {
    match command {
        Reading::Play(args) => play::run(args, input, output),
        Reading::Analyze(args) => exit_code(analyze::run(args, &mut input, output)),
        Reading::StudyRules(args) => exit_code(study::run(args, &mut input, output)),
    }
}

fn dispatch(command: &OneShot, output: &mut dyn Write) -> Result<(), Failure> {
    match command {
        OneShot::Bench(BenchArgs { workload: Some(Workload::Mates(args)) }) => mate::suite(args, output),
        OneShot::Bench(BenchArgs { workload: Some(Workload::Safe(args)) }) => safe::run(args, output),
        OneShot::Bench(BenchArgs { workload: Some(Workload::Turns(args)) }) => turns::run(args, output),
        OneShot::Bench(BenchArgs { workload: Some(Workload::Left(args)) }) => left::run(args, output),
        OneShot::Bench(BenchArgs { workload: None }) => {
            let mut written = Ok(());
            bench::bench(&Unhurried, &mut |line| written = writeln!(output, "{line}").and_then(|()| output.flush()));
            Ok(written?)
        }
        OneShot::Mate(args) => mate::run(args, output),
        OneShot::Perft(args) => perft::run(args, output),
        OneShot::Fen(args) => fen::run(args, output),
        OneShot::Pgn(args) => {
            if pgn::run(args, output)? {
                Ok(())
            } else {
                Err(Failure::No)
            }
        }
        OneShot::Book(command) => book::run(command, output),
        OneShot::Ending(args) => ending::run(args, output),
        OneShot::Tune(args) => tune::run(args, output),
        OneShot::Completions { shell } => manual::completions(*shell, output),
        OneShot::Man { folder } => manual::pages(folder),
        // They need the input, so the caller of `run` does them.
        OneShot::Play(_) | OneShot::Analyze(_) | OneShot::Study(_) => Ok(()),
    }
}

fn exit(code: u8) -> Result<(), Failure> {
    match code {
        0 => Ok(()),
        UNKNOWN => Err(Failure::Unknown),
        _ => Err(Failure::No),
    }
}

fn exit_code(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough.
        Err(Failure::Io(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::No) => ExitCode::from(NO),
        Err(Failure::Unknown) => ExitCode::from(UNKNOWN),
        Err(failure) => {
            eprintln!("crescendo: {failure}");
            ExitCode::from(if matches!(failure, Failure::Io(_)) { IO } else { USAGE })
        }
    }
}

/// A rule set by any of its names.
fn parse_rules(name: &str) -> Result<&'static Rules, String> {
    Rules::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = table::ALL.iter().map(|rules| rules.name).collect();
        format!("not one of: {}", names.join(", "))
    })
}
