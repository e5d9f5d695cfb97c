//! `openings make`, `check`, `stats` and `balance`: suites of openings with a proof for every line.

mod balance;

use super::{BAD_INPUT, Failed, IO_FAILED, complain, print};
use crate::collect::Collection;
use crate::maker::{Proved, Prover, check, make, safe_comment};
use crate::opening::suite::rules_in_head;
use crate::opening::summary::Summary;
use crate::opening::{Opening, content};
use crate::stats::elo::{expected_score, match_elo};
use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

/// Commands about suites.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crescendo-runner openings make --count 200 --out suite.txt
  crescendo-runner openings check suite.txt
  crescendo-runner openings balance suite.txt --games games.jsonl --out even.txt")]
pub(super) enum Command {
    /// Make a suite of openings in which nobody mates at once
    Make(Make),
    /// Prove every line of a suite again: no series-mate, and a series after which the opponent has none
    Check(Check),
    /// Count openings, positions and first moves of a suite
    Stats(Stats),
    /// Keep the openings that give both colors a chance, by played games
    Balance(balance::Arguments),
}

/// Arguments of `openings make`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner openings make --rules scottish --count 200 --out suite.txt

Every opening is proved by the solver: the side to move has no series-mate, and
has a series after which the opponent has none.")]
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
#[command(after_help = "Example:
  crescendo-runner openings check openings/scottish.txt

Exit codes: 0 every line is an opening and proved, 1 flaws were found (each is
named), 2 a line is no opening.")]
pub(super) struct Check {
    /// The suite
    file: PathBuf,
    /// The game [default: the one that the head of the file names as `--rules NAME`, or italian]
    #[arg(long)]
    rules: Option<String>,
    /// Prove only so many lines, evenly spread over the file; the form of all is checked
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
}

/// Arguments of `openings stats`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner openings stats openings/italian.txt

With --games also White's score in games that began with these openings, each
played twice by equal players with colors swapped. Its error is that of pairs:
the two games of an opening are no two witnesses.")]
pub(super) struct Stats {
    /// The suite
    file: PathBuf,
    /// Journals or PGN files of games that began with these openings
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The game [default: the one that the head of the file names as `--rules NAME`, or italian]
    #[arg(long)]
    rules: Option<String>,
}

/// Runs one of the commands.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    match command {
        Command::Make(arguments) => write_suite(arguments),
        Command::Check(arguments) => check_suite(arguments),
        Command::Stats(arguments) => summarize(arguments),
        Command::Balance(arguments) => balance::run(arguments),
    }
}

/// The game of a suite: as told, or as its head says, or italian.
///
/// # Errors
/// There is no such game or no such file.
pub(super) fn rules_of(file: &Path, told: Option<&str>) -> Result<&'static Rules, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    match told {
        Some(name) => Rules::by_name(name).ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
            bad(anyhow!("--rules: unknown '{name}'; one of {}", known.join(", ")))
        }),
        None => {
            let found = rules_in_head(file).with_context(|| file.display().to_string()).map_err(bad)?;
            Ok(found.unwrap_or(&ITALIAN))
        }
    }
}

/// Those of them in which there is a mate to be proved.
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

/// Tells of every opening of a suite: its line from 1, the opening, and the line itself. Other lines are an error.
fn each(file: &Path, rules: &'static Rules, visit: &mut dyn FnMut(usize, &Opening, &str)) -> Result<u64, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let context = || file.display().to_string();
    let mut reader = BufReader::new(File::open(file).with_context(context).map_err(bad)?);
    let (mut bytes, mut count) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).with_context(context).map_err(bad)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let Some(moves) = content(&line) else { continue };
        let opening = Opening::parse(moves, rules).map_err(|fault| bad(anyhow!("{}:{number}: {fault}", context())))?;
        visit(number, &opening, &line);
        count += 1;
    }
    if count == 0 {
        return Err(bad(anyhow!("{}: no opening in the file; expected lines such as e2e4 e7e5,f7f6", context())));
    }
    Ok(count)
}

fn check_suite(arguments: &Check) -> Result<u8, Failed> {
    let file: &Path = &arguments.file;
    let rules = rules(rules_of(file, arguments.rules.as_deref())?.name)?;
    // What is wrong with the form of any line comes before the first proof.
    let all = each(file, rules, &mut |_, _, _| {})?;
    let step = all.div_ceil(arguments.sample.unwrap_or(all)).max(1);
    let (mut nth, mut proved) = (0, 0);
    let mut prover = Prover::default();
    let mut seen = HashMap::new();
    let mut flaws = 0;
    let count = each(file, rules, &mut |number, opening, line| {
        let comment = line.split_once(';').map_or("", |(_, comment)| comment);
        let place = format!("{}:{number}", file.display());
        if let Some(first) = seen.insert(opening.game().current().key(), number) {
            complain(&format!("{place}: the same position as line {first}"));
            flaws += 1;
        }
        nth += 1;
        if (nth - 1) % step != 0 {
            return;
        }
        proved += 1;
        if let Err(flaw) = check(opening, comment, &mut prover) {
            complain(&format!("{place}: {flaw}"));
            flaws += 1;
        }
    })?;
    let proved = if proved == count { String::new() } else { format!("{proved} proved again, ") };
    complain(&format!("{}: {count} openings for {}, {proved}{flaws} flaws", file.display(), rules.name));
    Ok(u8::from(flaws > 0))
}

fn summarize(arguments: &Stats) -> Result<u8, Failed> {
    let rules = rules_of(&arguments.file, arguments.rules.as_deref())?;
    let mut summary = Summary::default();
    each(&arguments.file, rules, &mut |_, opening, _| summary.add(opening))?;
    let mut games = Collection::default();
    for file in &arguments.games {
        games.read(file).map_err(|error| Failed::new(BAD_INPUT, anyhow::Error::from(error)))?;
    }
    let score = if arguments.games.is_empty() { String::new() } else { white_score(&games) };
    print(&format!("{} ({})\n{}{score}", arguments.file.display(), rules.name, summary.text()))
}

/// White's score in a line.
fn white_score(games: &Collection) -> String {
    let pairs = games.pairs_of_white();
    match match_elo(&pairs) {
        None => "White's score: no complete pair of games\n".into(),
        Some(elo) => {
            let (low, high) = (expected_score(elo.interval.low), expected_score(elo.interval.high));
            format!(
                "White's score: {:.1} % (95 %: {:.1} to {:.1}) in {} pairs of games\n",
                100.0 * elo.score,
                100.0 * low,
                100.0 * high,
                pairs.pairs()
            )
        }
    }
}
