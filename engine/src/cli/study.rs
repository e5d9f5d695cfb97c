//! `crescendo study rules`: how much the two check rules differ, by games.

use super::games::{self, each};
use super::{Failure, parse_rules};
use crate::rules::table::Rules;
use crate::tools::italian_mates::{Limits, Study};
use std::io::{Read, Write};
use std::path::PathBuf;

/// The end of the help.
const HELP: &str = "Example:
  crescendo study rules out/*/games.jsonl games.pgn

An Italian mate is one only because every parry would give check too early.
Under the Scottish rules such a parry is legal and ends the series, so the game
goes on: is the side that gave the Italian mate then able to mate in its next
turn? Each parry is put to the exact solver. Games under rules with the Scottish
check are left out.

Exit codes: 0 done, 2 bad input, 3 a question was left open by --nodes, 4 input
or output failed.";

/// Studies.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "Example:
  crescendo study rules out/study/games.jsonl")]
pub(super) enum Command {
    /// Count Italian mates, and those after which an ordinary mate follows under the Scottish rules
    Rules(Args),
}

/// Arguments of `crescendo study rules`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Journals of tournaments (games.jsonl) and PGN files; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The rule set of games without a Variant tag
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// The solver's nodes for each parry
    #[arg(long, default_value_t = 100_000_000)]
    nodes: u64,
    /// Also say each Italian mate
    #[arg(long)]
    each: bool,
}

/// Studies the games of the files.
pub(super) fn run(args: &Args, input: &mut dyn Read, output: &mut dyn Write) -> Result<(), Failure> {
    let mut study = Study::new(Limits { nodes: args.nodes });
    let games::Counts { unreadable, .. } = each(&args.files, args.rules, input, &mut |file, game| {
        if let Some(said) = study.add(&game.game)
            && args.each
        {
            writeln!(output, "{file}: {said}")?;
            output.flush()?;
        }
        Ok(())
    })?;
    for line in study.lines() {
        writeln!(output, "{line}")?;
    }
    if unreadable > 0 {
        writeln!(output, "games that cannot be read: {unreadable}")?;
    }
    output.flush()?;
    if study.is_open() { Err(Failure::Unknown) } else { Ok(()) }
}
