//! `crescendo tune`: fits the weights of the static score to played games.

use super::games::each;
use super::{Failure, parse_rules};
use crate::eval::terms::TERMS;
use crate::eval::weights::{self, CLASSIC, Fitted};
use crate::rules::notation::pgn::PgnResult;
use crate::rules::table::Rules;
use crate::solver::Solver;
use crate::tools::tune::{Options, Samples, fit};
use std::collections::BTreeMap;
use std::io::{Write, empty};
use std::path::PathBuf;

/// The end of the help.
const HELP: &str = "Example:
  crescendo tune out/*/games.jsonl --date 2026-11-30 --write engine/weights.toml

Each rule set is fitted by itself. Its terms and what they mean stand in
engine/src/eval/terms.rs; each has a weight for the side that has just moved and
one for the other, early (the opponent answers with 4 moves or fewer) and late
(10 or more). The engine is built with the file: build it anew, and play it
against the old one.

Exit codes: 0 done, 2 bad input, 4 output failed.";

/// Arguments of `crescendo tune`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// Files of games: the games.jsonl of tournaments, or PGN
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The rule set of PGN games without a Variant tag
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Leave the first turns of each game out: those of its opening, which no player chose
    #[arg(long, value_name = "TURNS", default_value_t = 2)]
    opening: usize,
    /// The source of the choice of games that are held out
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The share of games that are held out to judge the fit by
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    held_out: f64,
    /// How strongly the weights are held to those by hand
    #[arg(long, default_value_t = 0.002)]
    l2: f64,
    /// Fit to whether the opponent mates, by the solver, after some ends of each turn: those drawn at random, not those played
    #[arg(long)]
    safety: bool,
    /// Fit only these terms; the others stay as they are by hand
    #[arg(long, value_name = "TERM,...", value_delimiter = ',', value_parser = term)]
    only: Vec<usize>,
    /// Write the weights by hand and this share of the fitted ones on top, instead of the fitted ones alone
    #[arg(long, value_name = "SHARE", value_parser = share)]
    blend: Option<f64>,
    /// Also fit without each of the terms, to see what it is worth
    #[arg(long)]
    each: bool,
    /// Write the weights into this table, in place of those of the same rule sets
    #[arg(long, value_name = "FILE", requires = "date")]
    write: Option<PathBuf>,
    /// The day that is noted with them
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
}

/// Memory of the solver's table.
const TABLE_BYTES: usize = 16 << 20;

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..1.0).contains(share)).ok_or_else(|| "not from 0 up to 1".into())
}

fn term(name: &str) -> Result<usize, String> {
    TERMS.iter().position(|known| *known == name).ok_or_else(|| format!("not one of: {}", TERMS.join(", ")))
}

/// Fits, says what came out, and writes it down.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let mut samples = BTreeMap::<&'static str, Samples>::new();
    let (mut solver, mut seed) = (Solver::new(TABLE_BYTES), args.seed);
    each(&args.files, args.rules, &mut empty(), &mut |_, game| {
        if args.safety {
            seed += 1;
            let samples = samples.entry(game.game.start().rules().name).or_default();
            samples.add_ends(&game.game, &mut solver, seed, args.opening);
            return Ok(());
        }
        let result = match game.result {
            PgnResult::White => 1.0,
            PgnResult::Black => 0.0,
            PgnResult::Draw => 0.5,
            PgnResult::Open => return Ok(()),
        };
        let rules = game.game.start().rules().name;
        samples.entry(rules).or_default().add(&game.game, result, args.opening);
        Ok(())
    })?;
    let mut table = match &args.write {
        Some(path) if path.exists() => {
            let text = std::fs::read_to_string(path)?;
            weights::parse(&text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?
        }
        _ => BTreeMap::new(),
    };
    let is_frozen = |term: &usize| !args.only.is_empty() && !args.only.contains(term);
    let frozen = (0..TERMS.len()).filter(is_frozen).collect();
    let options = Options { seed: args.seed, held_out: args.held_out, l2: args.l2, frozen, each: args.each };
    for (rules, samples) in &samples {
        let outcome = fit(samples, &options).map_err(|error| Failure::Usage(format!("{rules}: {error}")))?;
        writeln!(output, "{rules}: {}", outcome.lines.join(&format!("\n{rules}: ")))?;
        if let Some(date) = &args.date {
            let fitted = Fitted {
                phases: args.blend.map_or(outcome.phases, |share| CLASSIC.plus(share, &outcome.phases)),
                date: date.clone(),
                games: samples.games(),
                seed: args.seed,
                l2: args.l2,
            };
            table.insert((*rules).to_owned(), fitted);
        }
    }
    if let Some(path) = &args.write {
        std::fs::write(path, weights::write(&table))?;
    }
    output.flush()?;
    Ok(())
}
