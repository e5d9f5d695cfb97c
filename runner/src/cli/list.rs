//! `list`: what there is to play with.

use super::openings::rules_of;
use super::{BAD_INPUT, Failed, print};
use crate::opening::suite::{Order, Suite};
use crate::pairing::agenda::Agenda;
use crate::plan::{Overrides, Plan};
use clap::{Args, Subcommand};
use crescendo::rules::table::ALL;
use crescendo::search::levels::{LADDER, Level};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Things to list.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crescendo-runner list rules
  crescendo-runner list games runner/examples/levels.toml")]
pub(super) enum Command {
    /// The rule sets, by the names that plans, the protocol and PGN have for them
    #[command(after_help = "Example:\n  crescendo-runner list rules")]
    Rules,
    /// The players of a plan with their limits, or the built-in engine's levels
    #[command(
        after_help = "Examples:\n  crescendo-runner list players            (the levels of the built-in engine)\n  \
            crescendo-runner list players runner/examples/levels.toml"
    )]
    Players {
        /// The plan
        plan: Option<PathBuf>,
    },
    /// The openings of a suite, by line, as `position` commands
    Openings(Openings),
    /// The games of a plan in the order in which they begin
    #[command(after_help = "Example:\n  crescendo-runner list games runner/examples/levels.toml")]
    Games {
        /// The plan
        plan: PathBuf,
    },
}

/// Arguments of `list openings`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crescendo-runner list openings openings/italian.txt")]
pub(super) struct Openings {
    /// The suite
    file: PathBuf,
    /// The game [default: the one that the head of the file names as `--rules NAME`, or italian]
    #[arg(long)]
    rules: Option<String>,
}

/// Lists.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let read = |plan: &PathBuf| Plan::read(plan, &Overrides::default()).map_err(|error| bad(error.into()));
    let mut text = String::new();
    match command {
        Command::Rules => {
            for rules in ALL {
                let _ = writeln!(text, "{:<18} {:<28} {}", rules.name, rules.variant, rules.pgn);
            }
        }
        Command::Players { plan: None } => {
            for (at, level) in Level::all().iter().enumerate().rev() {
                let _ = write!(text, "{:<16}", level.name);
                for (rules, measured) in &LADDER.measured {
                    let _ = write!(text, "  {rules} {:.0} ± {:.0}", measured.elo[at], measured.error95[at]);
                }
                text.push('\n');
            }
            for personality in Level::personalities() {
                let _ = writeln!(text, "{:<16}  a personality, not on the ladder", personality.name);
            }
            text += "Elo on an internal scale: Novice has 500 by definition; no human rating.\n";
        }
        Command::Players { plan: Some(plan) } => {
            let plan = read(plan)?;
            for (entrant, spec) in plan.contest.entrants.iter().zip(&plan.specs) {
                let limits = &entrant.limits;
                let mut limit = limits.tag();
                let _ = limits.nodes.map(|nodes| write!(limit, " nodes {nodes}"));
                let _ = limits.depth.map(|depth| write!(limit, " depth {depth}"));
                let limit = limit.trim_start_matches("- ");
                let _ = writeln!(text, "{:<24} {limit:<24} {}", entrant.name, spec.program.path.display());
            }
        }
        Command::Openings(Openings { file, rules }) => {
            let rules = rules_of(file, rules.as_deref())?;
            let suite = Suite::open(file, rules, Order::Sequential).map_err(|error| bad(error.into()))?;
            for number in 0..suite.len() as u64 {
                let opening = suite.opening(number).map_err(|error| bad(error.into()))?;
                let _ = writeln!(text, "{:>5}  {}", opening.line.unwrap_or(0), opening.position_line());
            }
        }
        Command::Games { plan } => {
            let contest = read(plan)?.contest;
            let name = |player: usize| &contest.entrants[player].name;
            let agenda = Agenda::new(contest.schedule);
            for game in (0..).map_while(|id| agenda.find(id)) {
                let line = format!("{:>6}  {} - {}\n", game.id + 1, name(game.white), name(game.black));
                text += &line;
                // A billion rounds are listed in pieces.
                if text.len() > 1 << 16 {
                    print(&text)?;
                    text.clear();
                }
            }
            if !contest.schedule.is_fixed() {
                text += "   ...  who meets next depends on results\n";
            }
        }
    }
    print(&text)
}
