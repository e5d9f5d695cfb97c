//! `calibrate report`: how the levels err.

use super::{Games, bad, io};
use crate::cli::{Failed, complain, print};
use crate::opening::suite::{Order, Suite};
use crate::puzzle::files;
use crate::puzzle::item::Puzzle;
use crate::puzzle::levels::{Errs, Wish, page, study};
use crate::puzzle::source::SelfPlay;
use crate::report::result::replace;
use anyhow::Context;
use clap::Args;
use crescendo::rules::table::Rules;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Sample games end here at the latest.
const LAST_TURN: u16 = 20;

/// Arguments of `calibrate report`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    crescendo-runner calibrate report runner/puzzles/italian.jsonl.gz --out errs\n\n\
    Leaves levels.html, levels.json and, for each level, its games against itself\n\
    (LEVEL.pgn) in the folder. Every other game begins with one of the openings. The\n\
    same arguments give the same files.")]
pub(in crate::cli) struct Report {
    /// A set of puzzles as JSON lines; kinds other than mates are left out
    puzzles: PathBuf,
    #[command(flatten)]
    play: Games,
    /// Folder for the report
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Puzzles of each length at most
    #[arg(long, value_name = "N", default_value_t = 25)]
    each: usize,
    /// Attempts of each level at each puzzle
    #[arg(long, value_name = "N", default_value_t = 2)]
    seeds: u32,
    /// Sample games of each level
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,
}

pub(super) fn run(arguments: &Report) -> Result<u8, Failed> {
    let rules = arguments.play.rules()?;
    let all = files::puzzles(&arguments.puzzles).map_err(bad)?;
    let puzzles = chosen(all, rules, arguments.each);
    let open = |file: PathBuf| Suite::open(&file, rules, Order::Sequential);
    let suite = arguments.play.openings(rules).map(open).transpose().map_err(bad)?;
    let Report { seeds, games, play: Games { nodes, seed, .. }, .. } = *arguments;
    let play = SelfPlay { rules, suite, levels: Vec::new(), nodes, last_turn: LAST_TURN, seed };
    let wish = Wish { play, puzzles: &puzzles, seeds, games };
    std::fs::create_dir_all(&arguments.out).with_context(|| arguments.out.display().to_string()).map_err(io)?;
    let found = study(wish, &mut |errs| complain(&line(errs))).map_err(bad)?;
    write(arguments, &puzzles, &found)?;
    print(&table(&found)).map(|_| 0)
}

/// The mates of these rules, at most `each` of a length, in the order of the file.
fn chosen(all: Vec<Puzzle>, rules: &Rules, each: usize) -> Vec<Puzzle> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut is_wanted = |puzzle: &Puzzle| {
        let count = counts.entry(puzzle.length()).or_default();
        let is_wanted = puzzle.kind.is_mate() && puzzle.rules == rules.name && *count < each;
        *count += usize::from(is_wanted);
        is_wanted
    };
    all.into_iter().filter(|puzzle| is_wanted(puzzle)).collect()
}

fn write(arguments: &Report, puzzles: &[Puzzle], found: &[Errs]) -> Result<(), Failed> {
    let file = |name: &str, content: &[u8]| {
        replace(&arguments.out.join(name), content).with_context(|| name.to_owned()).map_err(io)
    };
    let html = page(&arguments.play.rules, puzzles.len(), found).map_err(io)?;
    file("levels.html", html.as_bytes())?;
    let json = serde_json::json!({
        "rules": arguments.play.rules,
        "puzzles": puzzles.len(),
        "seeds": arguments.seeds,
        "nodes": arguments.play.nodes,
        "games": arguments.games,
        "seed": arguments.play.seed,
        "levels": found,
    });
    file("levels.json", format!("{json:#}").as_bytes())?;
    for errs in found {
        file(&format!("{}.pgn", errs.level), errs.pgn.as_bytes())?;
    }
    Ok(())
}

fn line(errs: &Errs) -> String {
    let percent = |share: Option<f64>| share.map_or_else(|| "–".into(), |share| format!("{share:.0}"));
    let (solved, leaves) = (percent(errs.solved.percent()), percent(errs.leaves_mate.percent()));
    format!("{:<14} solves {solved:>3} %, leaves a mate in {leaves:>3} % of its turns", errs.level)
}

/// Percent solved by length, in at most 80 columns for up to eight lengths.
fn table(found: &[Errs]) -> String {
    let mut lengths: Vec<u8> = found.iter().flat_map(|errs| errs.by_length.keys().copied()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut text = format!("{:<14}", "% solved in");
    lengths.iter().for_each(|length| text += &format!(" {length:>4}"));
    text += "   leaves a mate\n";
    for errs in found {
        let _ = write!(text, "{:<14}", errs.level);
        let shares = lengths.iter().map(|length| errs.by_length.get(length).copied().unwrap_or_default());
        for share in shares.chain([errs.leaves_mate]) {
            text += &share.percent().map_or_else(|| "    –".into(), |percent| format!(" {percent:>4.0}"));
        }
        text.push('\n');
    }
    text
}
