//! `crescendo fen`: checks a position and prints it as the engine writes it.

use super::{Failure, parse_rules};
use crate::rules::fen;
use crate::rules::game::Game;
use crate::rules::movelist::play_items;
use crate::rules::setup::Strictness;
use crate::rules::table::Rules;
use std::io::Write;

/// Arguments of `crescendo fen`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo fen startpos --moves \"e2e4 e7e5,g8f6\"
  crescendo fen --strict \"7k/8/5K2/8/8/8/8/6R1 w - - 0 3\"")]
pub(super) struct Args {
    /// The position, in one argument or in several; `startpos` is the start of the game
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Refuse whatever would need mending
    #[arg(long)]
    strict: bool,
    /// Play these moves first, in one argument, in any form the protocol reads
    #[arg(long, default_value = "")]
    moves: String,
}

pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let (mut game, warnings) = position(&args.fen.join(" "), args.rules, args.strict)?;
    warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
    play_items(&mut game, args.moves.split_whitespace()).map_err(|e| Failure::Usage(e.to_string()))?;
    writeln!(output, "{}", game.current().fen())?;
    Ok(output.flush()?)
}

/// Reads a position; warnings say what was mended.
pub(super) fn position(text: &str, rules: &'static Rules, strict: bool) -> Result<(Game, Vec<String>), Failure> {
    if text.trim() == "startpos" {
        return Ok((Game::new(rules), Vec::new()));
    }
    let strictness = if strict { Strictness::Strict } else { Strictness::Lenient };
    let (entry, warnings) = fen::read(text, rules, strictness).map_err(|e| Failure::Usage(e.to_string()))?;
    Ok((Game::from_entry(entry), warnings.iter().map(ToString::to_string).collect()))
}
