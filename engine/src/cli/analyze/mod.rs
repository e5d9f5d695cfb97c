//! `crescendo analyze`: what was best in each turn of a game, what was missed, and how accurate the players were.

mod annotate;
mod json;
mod text;
mod words;

use super::games::{self, each};
use super::{Failure, parse_rules};
use crate::rules::table::Rules;
use crate::search::think::Searcher;
use crate::tools::analysis::{self, Budget, TurnReport};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The end of the help.
const HELP: &str = "Examples:
  crescendo analyze game.pgn
  crescendo analyze --nodes 2000000 --pgn game.pgn > annotated.pgn
  crescendo analyze --json games.jsonl | jq .accuracy
  crescendo analyze --time 10 - < game.pgn

Scores are in hundredths of a pawn for the side that moves. What is called
proved is the exact solver's; the rest is the search's judgment. ?? marks what
was missed by proof, ? a loss of 10 % and more of the winning chances, ! the one
series looked at that holds. Winning chances and accuracy by the formulas of
https://lichess.org/page/accuracy; a side's accuracy is the mean over its turns.

Exit codes: 0 done (games that cannot be read are named and left out), 2 bad
input, 4 input or output failed.";

/// Arguments of `crescendo analyze`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// PGN files or journals of tournaments (games.jsonl); - is the standard input
    #[arg(required = true, value_name = "GAME.pgn")]
    files: Vec<PathBuf>,
    /// The rule set of games without a Variant tag
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Nodes for each turn: the same analysis on every machine
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Processor time for each turn in seconds instead
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = seconds)]
    time: Option<f64>,
    /// Memory for the tables
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// One line of JSON for each game
    #[arg(long)]
    json: bool,
    /// The games in PGN with comments
    #[arg(long, conflicts_with = "json")]
    pgn: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|s| (0.001..=86_400.0).contains(s)).ok_or_else(|| "not from 0.001 to 86400".into())
}

/// Analyses every game of the files and writes each as it is done.
pub(super) fn run(args: &Args, input: &mut dyn Read, output: &mut dyn Write) -> Result<(), Failure> {
    let mut searcher = Searcher::new(args.hash as usize)
        .map_err(|_| Failure::Usage(format!("--hash {}: not enough memory", args.hash)))?;
    let budget = args.time.map_or(Budget::Nodes(args.nodes), |time| Budget::Time(Duration::from_secs_f64(time)));
    let mut number = 0;
    let games::Counts { read, unreadable } = each(&args.files, args.rules, input, &mut |_, mut game| {
        number += 1;
        let (mut turns, mut written): (Vec<TurnReport>, _) = (Vec::new(), Ok(()));
        if !args.json && !args.pgn {
            writeln!(output, "{}", text::head(number, &game))?;
        }
        analysis::game(&mut searcher, &game.game.clone(), budget, &mut |turn| {
            if !args.json && !args.pgn {
                written = output.write_all(text::turn(turn).as_bytes()).and_then(|()| output.flush());
            }
            turns.push(turn.clone());
            written.is_ok()
        });
        written?;
        if args.json {
            writeln!(output, "{}", json::line(number, &game, &turns, budget))?;
        } else if args.pgn {
            annotate::annotate(&mut game, &turns);
            output.write_all(game.canonical().as_bytes())?;
        } else {
            writeln!(output, "{}\n", text::foot(&turns))?;
        }
        Ok(output.flush()?)
    })?;
    if unreadable > 0 {
        eprintln!("crescendo: {read} games analyzed, {unreadable} left out");
    }
    Ok(())
}
