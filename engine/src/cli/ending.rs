//! `crescendo ending`: the exact result of a position with few men.

use super::{Failure, fen, parse_rules};
use crate::rules::table::Rules;
use crate::search::ending::{FIRST_TURN, MOST_MEN, Value, applies, solve};
use crate::search::limits::Limits;
use crate::solver::Solver;
use std::io::Write;

/// Arguments of `crescendo ending`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo ending \"8/8/8/8/8/2k5/7R/K7 w - - 0 9\"

Exit codes: 0 the result is known, 2 bad input, 3 it is unknown.")]
pub(super) struct Args {
    /// The position, in one argument or in several
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Give up after so many nodes
    #[arg(long, value_name = "NODES", default_value_t = 1_000_000_000)]
    limit: u64,
}

/// Says the result for the side to move. The exit code: 3 if a limit came first.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let (game, warnings) = fen::position(&args.fen.join(" "), args.rules, false)?;
    warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
    let position = game.current().position().filter(applies).ok_or_else(|| {
        let need =
            format!("at most {MOST_MEN} men, turn {FIRST_TURN} or later, the start of a turn, and the game not over");
        Failure::Usage(format!(
            "no results are claimed here: it takes {need}, under Italian, Scottish or Logical rules"
        ))
    })?;
    let (value, nodes) = solve(&position, &mut Solver::proving(256 << 20), &Limits::nodes(args.limit), 1.0);
    match value {
        Value::Win(own, series) => writeln!(output, "win in {own} {series}")?,
        Value::Draw(series) => writeln!(output, "draw {series}")?,
        Value::Loss(theirs) => writeln!(output, "loss in {theirs}")?,
        Value::Unknown => {
            writeln!(output, "unknown after {nodes} nodes")?;
            return Err(Failure::Unknown);
        }
    }
    writeln!(output, "     {nodes} nodes")?;
    Ok(())
}
