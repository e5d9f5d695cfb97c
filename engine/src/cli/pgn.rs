//! `crescendo pgn`: checks the games of a file by replaying them, or converts them.

use super::{Failure, parse_rules};
use crate::rules::notation::pgn::read::games;
use crate::rules::table::Rules;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Arguments of `crescendo pgn`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo pgn --check games.pgn
  crescendo pgn --convert padded games.pgn > padded.pgn

Exit codes: 0 no fault, 1 faults (each is named), 2 the file cannot be read.")]
pub(super) struct Args {
    /// Replay every game and report each fault with game, turn, leg and reason
    #[arg(long, required_unless_present = "convert", conflicts_with = "convert")]
    check: bool,
    /// Write the games in another form to the standard output; faults are reported and their games left out
    #[arg(long, value_enum)]
    convert: Option<Form>,
    /// The rule set of games without a Variant tag
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// The file
    file: PathBuf,
}

/// How games can be written.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// One number a series: 1. e4 2. e5 Nf6
    Canonical,
    /// For ordinary PGN readers, the other side passing: 1. e4 e5 2. -- Nf6
    Padded,
}

/// Checks or converts; whether every game was without fault.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<bool, Failure> {
    let file = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|error| Failure::Usage(format!("{file}: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut output = BufWriter::new(output);
    let good = match args.convert {
        None => check(&text, args.rules, &mut output)?,
        Some(form) => convert(&text, args.rules, form, &mut output)?,
    };
    output.flush()?;
    Ok(good)
}

/// A line for each fault and each warning, and a last one that counts them.
fn check(text: &str, rules: &'static Rules, output: &mut impl Write) -> Result<bool, Failure> {
    let (mut count, mut faults, mut warnings) = (0, 0, 0);
    for game in games(text, rules) {
        count += 1;
        match game {
            Err(fault) => {
                faults += 1;
                writeln!(output, "fault: {fault}")?;
            }
            Ok(game) => {
                for warning in &game.warnings {
                    let is_fault = warning.kind.is_fault();
                    *(if is_fault { &mut faults } else { &mut warnings }) += 1;
                    let word = if is_fault { "fault" } else { "warning" };
                    writeln!(output, "{word}: game {count} {warning}")?;
                }
            }
        }
    }
    writeln!(output, "{count} games, {faults} faults, {warnings} warnings")?;
    Ok(faults == 0)
}

fn convert(text: &str, rules: &'static Rules, form: Form, output: &mut impl Write) -> Result<bool, Failure> {
    let mut good = true;
    for game in games(text, rules) {
        match (game, form) {
            (Err(fault), _) => {
                good = false;
                eprintln!("crescendo: {fault}");
            }
            (Ok(game), Form::Canonical) => output.write_all(game.canonical().as_bytes())?,
            (Ok(game), Form::Padded) => output.write_all(game.padded().as_bytes())?,
        }
    }
    Ok(good)
}
