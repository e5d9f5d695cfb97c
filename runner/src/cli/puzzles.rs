//! `puzzles`: finding, rating and judging puzzles.

mod attempt;
mod file;
mod mine;
mod rate;

use super::{BAD_INPUT, Failed, IO_FAILED};
use crate::puzzle::files::FileError;
use clap::Subcommand;

/// Commands about puzzles.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crescendo-runner puzzles mine --count 50 --out mined.jsonl
  crescendo-runner puzzles check runner/puzzles/italian.csv.gz --sample 100
  crescendo-runner puzzles next --rating 1200 --theme italian")]
pub(super) enum Command {
    /// Look for puzzles in games of the levels or in given games, and write a varied set
    Mine(mine::Arguments),
    /// Let every level try every puzzle, and rate the puzzles by one fit
    Rate(rate::Arguments),
    /// Take attempts of people into account
    Update(file::Update),
    /// Prove every line of a file of puzzles again
    Check(file::Check),
    /// Say what an attempt at a puzzle is worth
    Judge(attempt::Judge),
    /// Pick the next puzzle for somebody of this rating
    Next(attempt::Next),
}

/// Runs one of the commands.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    match command {
        Command::Mine(arguments) => mine::run(arguments),
        Command::Rate(arguments) => rate::run(arguments),
        Command::Update(arguments) => file::update(arguments),
        Command::Check(arguments) => file::check(arguments),
        Command::Judge(arguments) => attempt::judge(arguments),
        Command::Next(arguments) => attempt::next(arguments),
    }
}

/// The sets that this repository ships.
const SHIPPED: [&str; 2] = ["runner/puzzles/italian.csv.gz", "runner/puzzles/scottish.csv.gz"];

fn bad(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(BAD_INPUT, error)
}

fn file_failed(error: FileError) -> Failed {
    bad(error)
}

fn write_failed(path: &std::path::Path, error: std::io::Error) -> Failed {
    Failed::new(IO_FAILED, anyhow::Error::from(error).context(format!("cannot write {}", path.display())))
}
