//! `crescendo bench left`: after how many turns of played games has the opponent a mate, and could that be avoided?

use super::games::each;
use super::{Failure, parse_rules};
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::rules::notation::pgn::PgnGame;
use crate::rules::position::Position;
use crate::rules::table::Rules;
use crate::tools::safe_suite::{Truth, leaves_mate, truth};
use crate::types::Color;
use crate::types::series::Series;
use std::collections::BTreeMap;
use std::io::{Write, empty};
use std::path::PathBuf;

/// Arguments of `crescendo bench left`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo bench left out/levels/games.jsonl --player Full --opening 3")]
pub(super) struct Args {
    /// Files of games: PGN, or the games.jsonl of a tournament
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The rule set of PGN games without a Variant tag
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Up to this turn every series is tried where a mate was left
    #[arg(long, value_name = "TURN", default_value_t = 4)]
    prove: u16,
    /// Leave the first turns of each game out: those of its opening, which no player chose
    #[arg(long, value_name = "TURNS", default_value_t = 0)]
    opening: usize,
    /// Only the turns of this player
    #[arg(long)]
    player: Option<String>,
    /// Also print the position before each turn that left a mate, with the turn's player
    #[arg(long)]
    list: bool,
}

/// Nodes for each question of the solver, and distinct ends that are tried at most.
const NODES: u64 = 1 << 30;
const ENDS: usize = 200_000;

/// What came out for one player.
#[derive(Default)]
struct Tally {
    turns: usize,
    left: usize,
    early: usize,
    early_left: usize,
    avoidable: usize,
    open: usize,
}

/// Counts for each player the turns that did not end the game, and those after which the opponent had a mate.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let mut tallies = BTreeMap::<String, Tally>::new();
    each(&args.files, args.rules, &mut empty(), &mut |_, game| one(args, &game, &mut tallies, output))?;
    for (name, tally) in &tallies {
        let Tally { turns, left, early, early_left, avoidable, open } = tally;
        let share = 100.0 * *left as f64 / (*turns).max(1) as f64;
        writeln!(output, "{name}: {left} of {turns} turns left a mate, {share:.1} %; {open} open")?;
        writeln!(
            output,
            "{name}: up to turn {}: {early_left} of {early} turns left a mate, {avoidable} could be avoided",
            args.prove
        )?;
    }
    output.flush()?;
    Ok(())
}

/// The next turn, if the game goes on after this series.
fn after(before: &Midturn, series: &Series) -> Option<Position> {
    match before.end_of(series)? {
        SeriesEnd::Turn(position) if position.outcome().is_none() => Some(position),
        SeriesEnd::Turn(_) | SeriesEnd::Game(_) => None,
    }
}

fn one(
    args: &Args,
    game: &PgnGame,
    tallies: &mut BTreeMap<String, Tally>,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let mut now: Midturn = *game.game.start();
    for (i, (_, series)) in game.game.turns().iter().enumerate() {
        let before = now;
        // The turn that ends the game, or that is not complete, leaves nothing.
        let Some(next) = after(&before, series) else { break };
        now = next.begin();
        let color = if before.color() == Color::White { "White" } else { "Black" };
        let name = game.tag(color).unwrap_or(color);
        if i < args.opening || args.player.as_deref().is_some_and(|player| player != name) {
            continue;
        }
        let tally = tallies.entry(name.to_owned()).or_default();
        let is_early = before.turn().number() <= args.prove;
        tally.turns += 1;
        tally.early += usize::from(is_early);
        let left = leaves_mate(&before, series, NODES);
        tally.open += usize::from(left.is_none());
        if left != Some(true) {
            continue;
        }
        tally.left += 1;
        if is_early {
            tally.early_left += 1;
            match truth(&before, ENDS, NODES) {
                Truth::Savable(_) => tally.avoidable += 1,
                Truth::Lost(_) => {}
                Truth::Open => tally.open += 1,
            }
        }
        if args.list {
            writeln!(output, "{}\t{name}\t{series}", before.fen())?;
        }
    }
    Ok(())
}
