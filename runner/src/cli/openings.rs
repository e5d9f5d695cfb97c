//! `openings make` and `openings check`: suites of openings with a proof for every line.

use super::{BAD_INPUT, Failed, IO_FAILED, complain};
use crate::maker::{Proved, Prover, check, make, safe_comment};
use crate::opening::{Opening, Order, Suite, content};
use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use crescendo::rules::table::{ALL, Rules};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Commands about suites.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a suite of openings in which nobody mates at once
    Make(Make),
    /// Prove every line of a suite again: no series-mate, and a series after which the opponent has none
    Check(Check),
}

/// Arguments of `openings make`.
#[derive(Debug, Args)]
pub(super) struct Make {
    /// The game
    #[arg(long, default_value = "italian")]
    rules: String,
    /// How many openings
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Source of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Arguments of `openings check`.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The suite
    file: PathBuf,
    /// The game
    #[arg(long, default_value = "italian")]
    rules: String,
}

/// Runs one of the commands.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    match command {
        Command::Make(arguments) => write_suite(arguments),
        Command::Check(arguments) => check_suite(arguments),
    }
}

fn rules(name: &str) -> Result<&'static Rules, Failed> {
    let bad = |text| Failed::new(BAD_INPUT, anyhow!("--rules: {text}"));
    let known: Vec<&str> = ALL.iter().filter(|rules| rules.has_mate()).map(|rules| rules.name).collect();
    match Rules::by_name(name) {
        Some(rules) if rules.has_mate() => Ok(rules),
        Some(_) => Err(bad(format!("there is no mate in '{name}', so nothing to prove; one of {}", known.join(", ")))),
        None => Err(bad(format!("unknown '{name}'; one of {}", known.join(", ")))),
    }
}

fn write_suite(arguments: &Make) -> Result<u8, Failed> {
    let rules = rules(&arguments.rules)?;
    let (count, seed, out) = (arguments.count, arguments.seed, arguments.out.display());
    let io = |error: anyhow::Error| Failed::new(IO_FAILED, error);
    // Before the work, not after it.
    let mut file = File::create(&arguments.out).with_context(|| format!("cannot write {out}")).map_err(io)?;
    let mut text = format!(
        "; Openings for {} chess: {count} lines of two or three turns, all different positions, no side more than a pawn up.\n\
         ; The side to move has no series-mate, and has a series after which the opponent has none (the one in the comment);\n\
         ; both are proved by the solver, and proved again by `crescendo-runner openings check`. First moves are dealt out\n\
         ; evenly, the rest is random. Made by:\n\
         ; crescendo-runner openings make --rules {} --count {count} --seed {seed} --out {out}\n",
        rules.pgn, rules.name,
    );
    let mut done = 0;
    let made: Vec<Proved> = make(rules, count, seed, &mut |_| {
        done += 1;
        if done % 10 == 0 {
            complain(&format!("{done} of {count}"));
        }
    });
    for proved in &made {
        let _ = writeln!(text, "{} ; {}", proved.text, safe_comment(proved));
    }
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {out}")).map_err(io)?;
    Ok(0)
}

fn check_suite(arguments: &Check) -> Result<u8, Failed> {
    let rules = rules(&arguments.rules)?;
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let file: &Path = &arguments.file;
    // Opening the suite finds what is wrong with its form.
    let suite = Suite::open(file, rules, Order::Sequential).map_err(|error| bad(error.into()))?;
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string()).map_err(bad)?;
    let mut prover = Prover::default();
    let mut seen = HashMap::new();
    let mut flaws = 0;
    for (number, line) in text.lines().enumerate() {
        let Some(moves) = content(line) else { continue };
        let place = format!("{}:{}", file.display(), number + 1);
        let opening = Opening::parse(moves, rules).map_err(|fault| bad(anyhow!("{place}: {fault}")))?;
        if let Some(first) = seen.insert(opening.game().current().key(), number + 1) {
            complain(&format!("{place}: the same position as line {first}"));
            flaws += 1;
        }
        let comment = line.split_once(';').map_or("", |(_, comment)| comment);
        if let Err(flaw) = check(&opening, comment, &mut prover) {
            complain(&format!("{place}: {flaw}"));
            flaws += 1;
        }
    }
    complain(&format!("{}: {} openings, {flaws} flaws", file.display(), suite.len()));
    Ok(u8::from(flaws > 0))
}
