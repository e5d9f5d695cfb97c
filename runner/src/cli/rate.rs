//! `rate`: ratings of all players in any files, by one joint fit.

use super::{BAD_INPUT, Failed, complain, print};
use crate::collect::Collection;
use crate::report::ratings::RatingList;
use crate::stats::rating::{Anchor, FitOptions, Origin, fit};
use anyhow::{Context, anyhow};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `rate`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crescendo-runner rate out/*/games.jsonl other.pgn --anchor Master=2000\n\n\
    All ratings and White's advantage come from one fit of all games (Bradley-Terry on points); errors allow for\n\
    draws and for pairs of games with one opening. The answer does not depend on the order of the games.")]
pub(super) struct Arguments {
    /// Journals (games.jsonl) and PGN files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player whose rating is known; with an error, the games may move it
    #[arg(long, value_name = "NAME=ELO[±ERROR]")]
    anchor: Vec<String>,
    /// The mean rating of all players, without anchors
    #[arg(long, value_name = "ELO", default_value_t = 0.0, conflicts_with = "anchor", allow_hyphen_values = true)]
    mean: f64,
    /// Leave out games that repeat an earlier one move by move (journals only): they are no new samples
    #[arg(long)]
    dedup: bool,
    /// JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Rates.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let mut found = if arguments.dedup { Collection::distinct() } else { Collection::default() };
    for file in &arguments.files {
        found.read(file).map_err(|error| bad(error.into()))?;
    }
    if found.repeats > 0 {
        complain(&format!("{} games repeat an earlier one and are left out", found.repeats));
    }
    let anchors =
        arguments.anchor.iter().map(|text| anchor(text, &found)).collect::<Result<Vec<_>, _>>().map_err(bad)?;
    let origin = if anchors.is_empty() { Origin::Mean(arguments.mean) } else { Origin::Anchors(anchors) };
    let options = FitOptions { origin, ..FitOptions::default() };
    let ratings = fit(&found.pool(), &options).map_err(|error| bad(error.into()))?;
    let list = RatingList::new(found.names(), &ratings, found.unfinished);
    let text = if arguments.json {
        serde_json::to_string_pretty(&list).context("JSON").map_err(bad)? + "\n"
    } else {
        list.text()
    };
    print(&text)
}

/// Reads `NAME=ELO` or `NAME=ELO±ERROR` (also `~` for `±`). A name may hold equals signs.
fn anchor(text: &str, found: &Collection) -> Result<Anchor, anyhow::Error> {
    let wrong = |why: String| anyhow!("--anchor {text}: {why}");
    let (name, value) = text.rsplit_once('=').ok_or_else(|| wrong("write NAME=ELO, as in Master=2000".into()))?;
    let player = found.player(name).ok_or_else(|| wrong(format!("no games of '{name}' in the files")))?;
    let (rating, error) = match value.split_once(['±', '~']) {
        Some((rating, error)) => (rating, Some(error)),
        None => (value, None),
    };
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong(format!("'{text}' is no number")));
    Ok(Anchor { player, rating: number(rating)?, std_error: error.map(number).transpose()? })
}
