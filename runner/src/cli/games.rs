//! `games stats` and `games explore`: a collection of games as a database.

use super::{BAD_INPUT, Failed, complain, print};
use crate::database::explore::{Explorer, Known, Played};
use crate::database::read::{StoredGame, each};
use crate::database::summary::Summary;
use crate::opening::Opening;
use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use crescendo::rules::table::{ALL, Rules};
use crescendo::types::Color;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Games named on the error stream that cannot be read; further ones are only counted.
const NAMED: usize = 20;

/// Commands about collections of games.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crescendo-runner games stats out/*/games.jsonl
  crescendo-runner games explore games.pgn --position e2e4")]
pub(super) enum Command {
    /// Count results by color and by turn, and how games ended
    Stats(Stats),
    /// Say what was played in a position, how it scored, and what of it loses to a mate by proof
    Explore(Explore),
}

/// Files of games.
#[derive(Debug, Args)]
struct Files {
    /// Journals (games.jsonl) and PGN files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Arguments of `games stats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  crescendo-runner games stats out/*/games.jsonl
  crescendo-runner games stats --rules scottish --json games.pgn

Each rule set is counted for itself. Games that cannot be read are named,
counted and left out.")]
pub(super) struct Stats {
    #[command(flatten)]
    files: Files,
    /// Only games of this rule set, which PGN games without a Variant tag have too [default: all; untagged games are italian]
    #[arg(long)]
    rules: Option<String>,
}

/// Arguments of `games explore`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  crescendo-runner games explore out/*/games.jsonl
  crescendo-runner games explore games.pgn --position \"e2e4\"
  crescendo-runner games explore games.pgn --position \"FEN moves e7e5,g8f6\"

Games that reach the position by other moves count too; series that lead to the
same position are one line. Scores are the mover's. The last column is the
solver's: loses (the opponent mates, by the series shown), safe (proved that he
does not), open (--nodes came first), wins, draws.")]
pub(super) struct Explore {
    #[command(flatten)]
    files: Files,
    /// The position: the series that lead to it, or a FEN, or `FEN moves ...` [default: the start of the game]
    #[arg(long, value_name = "MOVES|FEN", default_value = "startpos")]
    position: String,
    /// The game
    #[arg(long, default_value = "italian")]
    rules: String,
    /// How many series to show
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// The solver's nodes for each series shown; 0 = do not ask
    #[arg(long, default_value_t = 2_000_000)]
    nodes: u64,
}

/// Runs one of the commands.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    match command {
        Command::Stats(arguments) => stats(arguments),
        Command::Explore(arguments) => explore(arguments),
    }
}

fn bad(error: anyhow::Error) -> Failed {
    Failed::new(BAD_INPUT, error)
}

fn rules(name: &str) -> Result<&'static Rules, Failed> {
    Rules::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
        bad(anyhow!("--rules: unknown '{name}'; one of {}", known.join(", ")))
    })
}

/// What happened to the games of the files.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    read: u64,
    unreadable: u64,
    /// Of other rule sets.
    pub(super) other: u64,
}

/// Tells of every game of the files that can be read and has these rules, if some are asked for.
pub(super) fn read(
    files: &[PathBuf],
    only: Option<&'static Rules>,
    visit: &mut dyn FnMut(&StoredGame),
) -> Result<Counts, Failed> {
    let mut counts = Counts::default();
    for file in files {
        let read = each(file, only.unwrap_or(ALL[0]), &mut |game| match game {
            Ok(game) if only.is_some_and(|rules| rules != game.game.rules()) => counts.other += 1,
            Ok(game) => {
                counts.read += 1;
                visit(&game);
            }
            Err(error) => {
                counts.unreadable += 1;
                if counts.unreadable <= NAMED as u64 {
                    complain(&format!("warning: {}: {}; left out", file.display(), error.text));
                }
            }
        });
        read.map_err(|error| bad(error.into()))?;
    }
    if counts.unreadable > 0 {
        complain(&format!(
            "warning: {} games cannot be read and are left out; `crescendo pgn --check FILE` names the faults of a PGN file",
            counts.unreadable
        ));
    }
    if counts.read == 0 {
        let other = if counts.other > 0 {
            format!(" ({} of other rule sets: see --rules)", counts.other)
        } else {
            String::new()
        };
        return Err(bad(anyhow!("no game to count in these files{other}")));
    }
    Ok(counts)
}

fn stats(arguments: &Stats) -> Result<u8, Failed> {
    let only = arguments.rules.as_deref().map(rules).transpose()?;
    let mut summaries: BTreeMap<&str, Summary> = BTreeMap::new();
    let counts =
        read(&arguments.files.files, only, &mut |game| summaries.entry(game.game.rules().name).or_default().add(game))?;
    if arguments.files.json {
        let all: Result<serde_json::Map<_, _>, _> =
            summaries.iter().map(|(name, summary)| Ok(((*name).to_owned(), summary.json()?))).collect();
        let all: serde_json::Result<_> = all;
        let value = json!({
            "v": 1,
            "unreadable": counts.unreadable,
            "other_rules": counts.other,
            "rules": all.context("JSON").map_err(bad)?,
        });
        return print(&format!("{value:#}\n"));
    }
    let texts: Vec<String> = summaries.iter().map(|(name, summary)| summary.text(name)).collect();
    let mut text = texts.join("\n");
    if counts.other + counts.unreadable > 0 {
        let _ = writeln!(text, "left out: {} of other rule sets, {} unreadable", counts.other, counts.unreadable);
    }
    print(&text)
}

fn explore(arguments: &Explore) -> Result<u8, Failed> {
    let rules = rules(&arguments.rules)?;
    let (games, position) = (&arguments.files, arguments.position.trim());
    let game = if position == "startpos" {
        Opening::none(rules).game()
    } else {
        Opening::parse(position, rules).map_err(|fault| bad(anyhow!("--position: {fault}")))?.game()
    };
    let here = game.current().position().filter(|_| game.outcome().is_none());
    let here = here.ok_or_else(|| {
        bad(anyhow!("--position: must be the start of a turn of a game that is not over; complete the last series"))
    })?;
    let mut explorer = Explorer::new(here);
    let counts = read(&games.files, Some(rules), &mut |game| explorer.add(game))?;
    let (played, all) = explorer.played(arguments.top, arguments.nodes);
    let fen = game.current().fen();
    if games.json {
        let value = json!({
            "v": 1,
            "rules": rules.name,
            "fen": fen,
            "games_read": counts.read,
            "unreadable": counts.unreadable,
            "other_rules": counts.other,
            "games": explorer.games(),
            "distinct": all,
            "played": played,
        });
        return print(&format!("{value:#}\n"));
    }
    let side = if here.color() == Color::White { "White" } else { "Black" };
    let mut text = format!(
        "{fen}\n{}, turn {}, {side} to move: {} of {} games, {all} distinct series\n",
        rules.name,
        here.turn(),
        explorer.games(),
        counts.read
    );
    if !played.is_empty() {
        text += "   games  score      won    drawn     lost  next   series\n";
    }
    played.iter().for_each(|played| text += &row(played));
    if all > played.len() {
        let _ = writeln!(text, "and {} more; --top shows them", all - played.len());
    }
    print(&text)
}

fn row(played: &Played) -> String {
    let score = played.score.map_or_else(|| "     -".into(), |score| format!("{:5.1}%", score * 100.0));
    let (known, mate) = match &played.known {
        Known::Wins => ("wins", None),
        Known::Draws => ("draws", None),
        Known::Loses { mate } => ("loses", Some(mate)),
        Known::Safe => ("safe", None),
        Known::Open => ("open", None),
    };
    let mut text = format!(
        "{:8} {score} {:8} {:8} {:8}  {known:5}  {}",
        played.games, played.won, played.drawn, played.lost, played.san
    );
    if played.orders > 1 {
        let _ = write!(text, " (and {} other orders)", played.orders - 1);
    }
    if let Some(mate) = mate {
        let _ = write!(text, ", {mate}");
    }
    text + "\n"
}
