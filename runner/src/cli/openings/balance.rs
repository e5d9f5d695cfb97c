//! `openings balance`: the openings of a suite that give both colors a chance, by played games.

use super::{each, rules_of};
use crate::cli::games::read;
use crate::cli::{BAD_INPUT, Failed, IO_FAILED, complain};
use crate::database::read::StoredGame;
use crate::opening::balance::{Balance, tilt};
use crate::report::result::replace;
use crate::stats::counts::Wdl;
use anyhow::{Context, anyhow};
use clap::Args;
use crescendo::rules::table::Rules;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Arguments of `openings balance`.
#[derive(Debug, Args)]
#[command(override_usage = "crescendo-runner openings balance --games FILE... --out FILE SUITE")]
#[command(after_help = "Example:
  crescendo-runner run runner/examples/balance.toml --out out/balance
  crescendo-runner openings balance openings/italian.txt \\
    --games out/balance/games.jsonl --out out/italian-even.txt

Between equal players many openings are won for one color: whoever has it wins,
and a pair of games tells nothing. What is kept are the openings after which
White took between 30 and 70 percent of the points (--within 0.2), the most even
first if there are more than --count. The players should be equal, as strong as
those whose match it is for (which color an opening favors depends on strength),
and not play an opening twice alike: give them time, not nodes.")]
pub(in crate::cli) struct Arguments {
    /// The suite
    #[arg(value_name = "SUITE")]
    file: PathBuf,
    /// Journals or PGN files of games that began with its openings
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep at most so many [default: all that are even]
    #[arg(long)]
    count: Option<NonZeroUsize>,
    /// How far White's share of the points may be from a half, from 0 to 0.5
    #[arg(long, default_value_t = 0.2)]
    within: f64,
    /// An opening of fewer games is not kept
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    least: u64,
    /// The game [default: the one that the head of the file names as `--rules NAME`, or italian]
    #[arg(long)]
    rules: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Bad input, no opening is even, or a failed output.
pub(in crate::cli) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let Arguments { file, games, out, count, within, least, .. } = arguments;
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    if !(0.0..=0.5).contains(within) {
        return Err(bad(anyhow!("--within: {within}; from 0 to 0.5")));
    }
    let rules = rules_of(file, arguments.rules.as_deref())?;
    let (mut balance, mut lines) = (Balance::default(), Vec::new());
    each(file, rules, &mut |_, opening, line| {
        balance.add_opening(opening);
        lines.push(line.trim().to_owned());
    })?;
    let mut open = 0;
    let counts = read(games, Some(rules), &mut |StoredGame { game, book, points, .. }| match points {
        Some(points) => balance.add_game(game, *book, *points),
        None => open += 1,
    })?;
    let even = balance.even(*least, *within, count.map_or(usize::MAX, NonZeroUsize::get));
    let left_out = format!(
        "games left out: {} of other openings, {} of other rule sets, {open} without a result",
        balance.strangers, counts.other
    );
    if even.is_empty() {
        let most = balance.white().iter().map(Wdl::games).max().unwrap_or(0);
        let text = format!(
            "none has {least} games (--least) and a score within {within} of a half (--within); the most of one is {most} games; {left_out}"
        );
        return Err(bad(anyhow!("{}: {text}", file.display())));
    }
    let kept = even.iter().map(|&i| lines[i].clone() + "\n").collect::<String>();
    replace(out, (head(arguments, rules, &balance, &even) + &kept).trim_end().as_bytes())
        .with_context(|| format!("cannot write {}", out.display()))
        .map_err(|error| Failed::new(IO_FAILED, error))?;
    let known: Vec<_> = balance.white().iter().filter(|white| white.games() >= *least).collect();
    let decided = known.iter().filter(|white| tilt(white) >= 0.35).count();
    complain(&format!(
        "{}: {} of {} openings kept; {decided} of the {} with {least} games or more give one color 85 % or more; {left_out}",
        out.display(),
        even.len(),
        lines.len(),
        known.len()
    ));
    Ok(0)
}

/// What the file says of itself.
fn head(arguments: &Arguments, rules: &Rules, balance: &Balance, even: &[usize]) -> String {
    let Arguments { file, games, out, count, within, least, .. } = arguments;
    let all: Wdl = even.iter().map(|&i| balance.white()[i]).sum();
    let games: String = games.iter().map(|path| format!(" {}", path.display())).collect();
    let (which, count) = match count {
        Some(count) => (format!("the {} most even of those", even.len()), format!(" --count {count}")),
        None => ("those".to_owned(), String::new()),
    };
    format!(
        "; Openings for {} chess that give both colors a chance, {} of {}: {which} with White's score\n\
         ; within {within} of a half in {least} games or more. White scored {:.1} % in {} games that began with them. Made by:\n\
         ; crescendo-runner openings balance {} --games{games} --rules {} --within {within} --least {least}{count} --out {}\n",
        rules.pgn,
        even.len(),
        file.display(),
        100.0 * all.points() / all.games().max(1) as f64,
        all.games(),
        file.display(),
        rules.name,
        out.display(),
    )
}
