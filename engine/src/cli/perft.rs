//! `crescendo perft`: counts sequences of moves.

use super::{Failure, fen, parse_rules};
use crate::rules::table::Rules;
use crate::tools::counting::{MAX_DEPTH, Unit, count};
use std::cell::Cell;
use std::io::{self, Write};

/// Arguments of `crescendo perft`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo perft 5
  crescendo perft 3 --series --rules scottish")]
pub(super) struct Args {
    /// How many moves deep, or with --series how many series
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// The position; the default is the start of the game
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Count whole series instead of single moves
    #[arg(long)]
    series: bool,
}

pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let (game, warnings) = fen::position(&args.fen, args.rules, false)?;
    warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
    let unit = if args.series { Unit::Series } else { Unit::Plies };
    // A reader who is gone ends the count.
    let failed: Cell<Option<io::Error>> = Cell::new(None);
    let broken = Cell::new(false);
    count(game.current(), args.depth, unit, &|| broken.get(), &mut |line| {
        if let Err(error) = writeln!(output, "{line}").and_then(|()| output.flush()) {
            broken.set(true);
            failed.set(Some(error));
        }
    });
    failed.into_inner().map_or(Ok(()), |error| Err(error.into()))
}
