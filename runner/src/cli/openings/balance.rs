//! `openings balance`: the openings of a suite that give both colors a chance, by played games.

use super::{each, rules_of};
use crate::cli::{BAD_INPUT, Failed, IO_FAILED, complain};
use crate::database::read;
use crate::opening::balance::{Balance, Fared};
use crate::report::result::replace;
use anyhow::{Context, anyhow};
use clap::Args;
use crescendo::rules::table::Rules;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Arguments of `openings balance`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner run runner/examples/balance.toml --out out/balance
  crescendo-runner openings balance openings/italian.txt \\
    --games out/balance/games.jsonl --out openings/italian-even.txt

Between equal players many openings are won for one color: whoever has it wins,
and a pair of games tells nothing. What is kept are the openings after which
White took between 30 and 70 percent of the points (--within 0.2), the most even
first if there are more than --count. The players should be equal, and not play
an opening twice alike: give them different nodes.")]
pub(in crate::cli) struct Arguments {
    /// The suite
    file: PathBuf,
    /// Journals or PGN files of games that began with its openings
    #[arg(long, num_args = 1.., required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep at most so many [default: all that are even]
    #[arg(long)]
    count: Option<usize>,
    /// How far White's share of the points may be from a half, from 0 to 0.5
    #[arg(long, default_value_t = 0.2)]
    within: f64,
    /// An opening of fewer games is not kept
    #[arg(long, default_value_t = 8)]
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
    let Arguments { file, out, count, within, least, .. } = arguments;
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
    add_games(arguments, rules, &mut balance)?;
    let even = balance.even(*least, *within, count.unwrap_or(usize::MAX));
    if even.is_empty() {
        let most = balance.fared().iter().map(|fared| fared.games).max().unwrap_or(0);
        let text = format!(
            "none has {least} games (--least) and a score within {within} of a half (--within); the most of one is {most} games, {} games are of \
             other openings",
            balance.strangers
        );
        return Err(bad(anyhow!("{}: {text}", file.display())));
    }
    let text =
        head(arguments, rules, &balance, &even) + &even.iter().map(|&i| lines[i].clone() + "\n").collect::<String>();
    replace(out, text.trim_end().as_bytes())
        .with_context(|| format!("cannot write {}", out.display()))
        .map_err(|error| Failed::new(IO_FAILED, error))?;
    complain(&format!("{}: {} of {} openings kept, {}", out.display(), even.len(), lines.len(), tilts(&balance)));
    Ok(0)
}

fn add_games(arguments: &Arguments, rules: &'static Rules, balance: &mut Balance) -> Result<(), Failed> {
    for path in &arguments.games {
        let visit = &mut |game| match game {
            Ok(read::StoredGame { game, points: Some(points), .. }) => balance.add_game(&game, points),
            Ok(_) => {}
            Err(read::Unreadable { text, .. }) => complain(&format!("{}: {text}", path.display())),
        };
        read::each(path, rules, visit).map_err(|error| Failed::new(BAD_INPUT, anyhow::Error::from(error)))?;
    }
    Ok(())
}

/// What the file says of itself.
fn head(arguments: &Arguments, rules: &Rules, balance: &Balance, even: &[usize]) -> String {
    let Arguments { file, within, least, .. } = arguments;
    let all = even.iter().map(|&i| balance.fared()[i]).fold(Fared::default(), |sum, fared| Fared {
        games: sum.games + fared.games,
        halves: sum.halves + fared.halves,
    });
    let mut text = String::new();
    let _ = write!(
        text,
        "; Openings for {} chess that give both colors a chance: {} of {}, those with White's score within {within} of a\n\
         ; half by at least {least} games each of equal players. White scored {:.1} % in {} games on them. Made by:\n\
         ; crescendo-runner openings balance {} --rules {} --within {within} --least {least}\n",
        rules.pgn,
        even.len(),
        file.display(),
        100.0 * all.score(),
        all.games,
        file.display(),
        rules.name,
    );
    text
}

/// How even the openings are, in words.
fn tilts(balance: &Balance) -> String {
    let known: Vec<_> = balance.fared().iter().filter(|fared| fared.games > 0).collect();
    let decided = known.iter().filter(|fared| fared.tilt() >= 0.35).count();
    let games: u64 = known.iter().map(|fared| fared.games).sum();
    let strangers =
        if balance.strangers > 0 { format!(", {} others left out", balance.strangers) } else { String::new() };
    format!("{decided} give one color 85 % or more ({games} games{strangers})")
}
