//! `crescendo bench turns`: does the engine play the mates of a file within a normal turn?

use super::games::each;
use super::mate::{in_san, read};
use super::{Failure, NO, exit, parse_rules};
use crate::rules::midturn::SeriesEnd;
use crate::rules::table::Rules;
use crate::search::levels::Level;
use crate::search::limits::Limits;
use crate::search::safety::Safety;
use crate::search::think::{Searcher, Settings};
use crate::tools::mate_suite::{Question, thread_time};
use crate::tools::safe_suite::ThreadPace;
use std::io::{Write, empty};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `crescendo bench turns`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo bench turns mates.tsv --time 1
  crescendo bench turns --games tests/data/games.tsv --nodes 1000000")]
pub(super) struct Args {
    /// A file of positions with a mate in this turn, one a line; after a tab a line may say `none`: then there is no mate
    file: PathBuf,
    /// The file is of games (PGN, games.jsonl, or a table of rule set, result, name and series): their mates are asked for
    #[arg(long)]
    games: bool,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Processor time for each turn in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, conflicts_with = "nodes", value_parser = super::safe::seconds)]
    time: f64,
    /// A number of nodes for each turn instead
    #[arg(long)]
    nodes: Option<u64>,
}

/// Measures. The exit code: 1 if a mate was not played.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let mut questions = if args.games { mates_of_games(args)? } else { read(&args.file, args.rules)? };
    questions.retain(|question| question.expected != Some(false));
    let (mut found, mut slowest) = (0, Duration::ZERO);
    for question in &questions {
        let mut searcher = Searcher::new(64).map_err(|_| Failure::Usage("not enough memory".into()))?;
        let settings = Settings { level: *Level::full(), seed: 1 };
        let begun = thread_time();
        let pace = ThreadPace::new(Duration::from_secs_f64(args.time));
        let limits = match args.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None => Limits { nodes: None, pace: &pace, ..Limits::nodes(0) },
        };
        let choice = searcher.think(&question.midturn, &settings, &limits, &mut |_| {});
        let took = thread_time().saturating_sub(begun);
        let series = choice.series.unwrap_or_default();
        if choice.safety == Safety::Won {
            found += 1;
            slowest = slowest.max(took);
            writeln!(output, "mate {:8.2} ms  {}", took.as_secs_f64() * 1000.0, in_san(&question.midturn, &series))?;
        } else {
            writeln!(output, "none {:8.2} ms  {}", took.as_secs_f64() * 1000.0, question.fen)?;
        }
        output.flush()?;
    }
    let ms = slowest.as_secs_f64() * 1000.0;
    writeln!(output, "{found} of {} mates played, the slowest after {ms:.0} ms", questions.len())?;
    exit(if found < questions.len() { NO } else { 0 })
}

/// The positions before the last series of all games that end by a mate of their last mover.
fn mates_of_games(args: &Args) -> Result<Vec<Question>, Failure> {
    let mut questions = Vec::new();
    each(std::slice::from_ref(&args.file), args.rules, &mut empty(), &mut |_, game| {
        let (mut state, turns) = (*game.game.start(), game.game.turns());
        for (i, (_, series)) in turns.iter().enumerate() {
            match state.end_of(series) {
                Some(SeriesEnd::Turn(next)) if i + 1 < turns.len() => state = next.begin(),
                Some(SeriesEnd::Turn(next)) => {
                    if next.outcome().and_then(|outcome| outcome.winner()) == Some(state.color()) {
                        let fen = state.fen();
                        questions.push(Question { fen, midturn: state, expected: Some(true) });
                    }
                }
                Some(SeriesEnd::Game(_)) | None => break,
            }
        }
        Ok(())
    })?;
    Ok(questions)
}
