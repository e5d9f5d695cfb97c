//! `crescendo bench safe`: in how many turns that are hard to survive does the engine find a series that is proved safe?

use super::mate::read;
use super::{Failure, NO, exit, parse_rules};
use crate::rules::midturn::Midturn;
use crate::rules::table::Rules;
use crate::search::levels::Level;
use crate::search::limits::Limits;
use crate::search::safety::Safety;
use crate::search::think::{Searcher, Settings};
use crate::tools::safe_suite::{ThreadPace, Truth, leaves_mate, truth};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `crescendo bench safe`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo bench safe tests/data/nosafe.tsv --time 1")]
pub(super) struct Args {
    /// A file of positions, one a line
    file: PathBuf,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Processor time for each position in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, conflicts_with = "nodes", value_parser = seconds)]
    time: f64,
    /// A number of nodes for each position instead
    #[arg(long)]
    nodes: Option<u64>,
    /// Of positions where nothing was found, try every series if they have at most so many distinct ends; 0 = do not
    #[arg(long, value_name = "ENDS", default_value_t = 0)]
    prove: usize,
    /// The seed of the searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The level
    #[arg(long, default_value = "Full", value_parser = level)]
    level: &'static Level,
}

/// A time for the command line.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|s| (0.001..=86_400.0).contains(s)).ok_or_else(|| "not from 0.001 to 86400".into())
}

fn level(name: &str) -> Result<&'static Level, String> {
    Level::by_name(name).ok_or_else(|| "no such level".into())
}

/// Nodes within which the claim that a series is safe must be proved once more, and each end of an enumeration judged.
const JUDGE_NODES: u64 = 1 << 32;

/// How many positions had which answer.
#[derive(Default)]
struct Tally {
    safe: usize,
    lost: usize,
    /// Answers that claimed to be safe and were not.
    wrong: usize,
}

/// Measures. The exit code: 1 if a claim was wrong.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let questions = read(&args.file, args.rules)?;
    let mut tally = Tally::default();
    for question in &questions {
        let said = one(args, &question.midturn, &mut tally)?;
        writeln!(output, "{said}  {}", question.fen)?;
        output.flush()?;
    }
    let open = questions.len() - tally.safe - tally.lost;
    writeln!(output, "{} of {} safe, {} proved lost, {open} open", tally.safe, questions.len(), tally.lost)?;
    exit(if tally.wrong > 0 { NO } else { 0 })
}

fn one(args: &Args, midturn: &Midturn, tally: &mut Tally) -> Result<String, Failure> {
    let memory = |_| Failure::Usage("not enough memory".into());
    let mut searcher = Searcher::new(64).map_err(memory)?;
    let settings = Settings { level: *args.level, seed: args.seed };
    let pace = ThreadPace::new(Duration::from_secs_f64(args.time));
    let limits = match args.nodes {
        Some(nodes) => Limits::nodes(nodes),
        None => Limits { nodes: None, pace: &pace, ..Limits::nodes(0) },
    };
    let choice = searcher.think(midturn, &settings, &limits, &mut |_| {});
    let series = choice.series.unwrap_or_default();
    let work = format!("{:9} nodes", choice.nodes);
    if choice.safety >= Safety::Safe {
        tally.safe += 1;
        if leaves_mate(midturn, &series, JUDGE_NODES) != Some(false) {
            tally.wrong += 1;
            return Ok(format!("WRONG     {work}  {series}"));
        }
        return Ok(format!("safe      {work}  {series}"));
    }
    let said = match if args.prove == 0 { Truth::Open } else { truth(midturn, args.prove, JUDGE_NODES) } {
        Truth::Lost(ends) => {
            tally.lost += 1;
            format!("lost      {work}  all {ends} ends")
        }
        Truth::Savable(_) => format!("missed    {work}  {series}"),
        Truth::Open => format!("open      {work}  {series}"),
    };
    Ok(said)
}
