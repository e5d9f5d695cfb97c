//! `rate`: ratings of all players in any files, by one joint fit.

use super::{BAD_INPUT, Failed, complain, print};
use crate::collect::Collection;
use crate::report::ratings::RatingList;
use crate::shards::{Shard, compare};
use crate::stats::bootstrap::bootstrap;
use crate::stats::rating::{Anchor, FitOptions, Origin, fit};
use anyhow::{Context, anyhow};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Resampling is the same every time, so that the same games give the same answer.
const RESAMPLING_SEED: u64 = 1;

/// Arguments of `rate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  crescendo-runner rate out/*/games.jsonl other.pgn --anchor Master=2000
  crescendo-runner rate out/levels/games.jsonl --bootstrap 1000 --matrix
  crescendo-runner rate north/games.jsonl south/games.jsonl --shards

All ratings and White's advantage come from one fit of all games (Bradley-Terry
on points); errors allow for draws and for pairs of games with one opening. The
answer does not depend on the order of the games.")]
pub(super) struct Arguments {
    /// Journals (games.jsonl) and PGN files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player whose rating is known; with an error, the games may move it
    #[arg(long, value_name = "NAME=ELO[±ERROR]")]
    anchor: Vec<String>,
    /// A file with a table [anchors] of such players: Master = 2000, or with an error "Club player" = "1200±60"
    #[arg(long, value_name = "FILE")]
    anchors: Option<PathBuf>,
    /// The mean rating of all players, without anchors
    #[arg(long, value_name = "ELO", default_value_t = 0.0, conflicts_with_all = ["anchor", "anchors"], allow_hyphen_values = true)]
    mean: f64,
    /// Leave out games that repeat an earlier one move by move (journals only): they are no new samples
    #[arg(long)]
    dedup: bool,
    /// Also 95 % intervals from N resamplings of the games, which need no formula for the error
    #[arg(long, value_name = "N")]
    bootstrap: Option<NonZeroUsize>,
    /// Also everybody's chance to be stronger than everybody else
    #[arg(long)]
    matrix: bool,
    /// Take each journal for another machine's games of one test, and flag those that are unlike the rest
    #[arg(long)]
    shards: bool,
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
    let mut list = list(arguments, &arguments.files).map_err(bad)?;
    if arguments.shards {
        list = with_shards(list, arguments).map_err(bad)?;
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&list).context("JSON").map_err(bad)? + "\n"
    } else {
        list.text()
    };
    print(&text)
}

/// The players of these files.
fn list(arguments: &Arguments, files: &[PathBuf]) -> Result<RatingList, anyhow::Error> {
    let mut found = if arguments.dedup { Collection::distinct() } else { Collection::default() };
    for file in files {
        found.read(file)?;
    }
    if found.repeats > 0 {
        complain(&format!("{} games repeat an earlier one and are left out", found.repeats));
    }
    let mut anchors = arguments.anchor.iter().map(|text| anchor(text, &found)).collect::<Result<Vec<_>, _>>()?;
    if let Some(file) = &arguments.anchors {
        anchors.extend(anchors_of(file, &found).with_context(|| file.display().to_string())?);
    }
    let origin = if anchors.is_empty() { Origin::Mean(arguments.mean) } else { Origin::Anchors(anchors) };
    let options = FitOptions { origin, ..FitOptions::default() };
    let pool = found.pool();
    let ratings = fit(&pool, &options)?;
    let mut list = RatingList::new(found.names(), &ratings, found.unfinished);
    if let Some(times) = arguments.bootstrap {
        list = list.with_bootstrap(&ratings, &bootstrap(&pool, &options, times.get(), RESAMPLING_SEED)?);
    }
    Ok(if arguments.matrix { list.with_matrix(&ratings) } else { list })
}

/// The list with the files against each other, and a list without those that are flagged, if others are left.
fn with_shards(mut list: RatingList, arguments: &Arguments) -> Result<RatingList, anyhow::Error> {
    if arguments.files.len() < 2 {
        return Err(anyhow!("--shards compares files with each other; give at least two journals"));
    }
    let shards = arguments.files.iter().map(|file| Shard::read(file)).collect::<Result<Vec<_>, _>>()?;
    list.shards = compare(&shards);
    let sound: Vec<PathBuf> =
        list.shards.iter().filter(|shard| !shard.flagged).map(|shard| shard.file.clone()).collect();
    if !sound.is_empty() && sound.len() < list.shards.len() {
        let without = self::list(arguments, &sound).context("without the files that are flagged")?;
        list.without_flagged = Some(Box::new(without));
    }
    Ok(list)
}

/// The anchors of a file: of a site that knows some of its players by games against people, for example.
fn anchors_of(file: &Path, found: &Collection) -> Result<Vec<Anchor>, anyhow::Error> {
    let table: toml::Table = std::fs::read_to_string(file)?.parse()?;
    if let Some(key) = table.keys().find(|key| *key != "anchors") {
        return Err(anyhow!("unknown '{key}'; only a table [anchors] is read"));
    }
    let anchors = table.get("anchors").and_then(toml::Value::as_table).filter(|anchors| !anchors.is_empty());
    let anchors = anchors.ok_or_else(|| anyhow!("no table [anchors] with lines such as Master = 2000"))?;
    let each = |name: &str, value: &toml::Value| match value {
        toml::Value::String(text) => held(name, text, found),
        toml::Value::Integer(_) | toml::Value::Float(_) => held(name, &value.to_string(), found),
        _ => Err(anyhow!("write an Elo, as in 2000, or with its error, as in \"2000±50\"")),
    };
    anchors.iter().map(|(name, value)| each(name, value).with_context(|| format!("anchors.{name}"))).collect()
}

/// Reads `NAME=ELO` or `NAME=ELO±ERROR`. A name may hold equals signs.
fn anchor(text: &str, found: &Collection) -> Result<Anchor, anyhow::Error> {
    let split = text.rsplit_once('=').ok_or_else(|| anyhow!("write NAME=ELO, as in Master=2000"));
    split.and_then(|(name, value)| held(name, value, found)).with_context(|| format!("--anchor {text}"))
}

/// The player of this name at `ELO` or `ELO±ERROR` (also `~` for `±`).
fn held(name: &str, value: &str, found: &Collection) -> Result<Anchor, anyhow::Error> {
    let player = found.player(name).ok_or_else(|| anyhow!("no games of '{name}' in the files"))?;
    let (rating, error) = match value.split_once(['±', '~']) {
        Some((rating, error)) => (rating, Some(error)),
        None => (value, None),
    };
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| anyhow!("'{text}' is no number"));
    Ok(Anchor { player, rating: number(rating)?, std_error: error.map(number).transpose()? })
}
