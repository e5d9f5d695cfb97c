//! `sprt`: what a sequential test says of counts or of games in files.

use super::{BAD_INPUT, Failed, UNDECIDED, print};
use crate::collect::Collection;
use crate::report::sprt::SprtSummary;
use crate::stats::counts::{Penta, Wdl};
use crate::stats::sprt::{EloScale, Sprt};
use anyhow::{Context, anyhow};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `sprt`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  crescendo-runner sprt --penta 10,52,130,70,16 --elo0 0 --elo1 5\n  \
    crescendo-runner sprt out/match/games.jsonl --first New --elo0 0 --elo1 10\n\n\
    Exit codes: 0 H1 accepted, 1 H0 accepted, 3 neither.")]
pub(super) struct Arguments {
    /// Journals (games.jsonl) and PGN files of a match
    #[arg(value_name = "FILE", required_unless_present_any = ["penta", "wdl"])]
    files: Vec<PathBuf>,
    /// Pairs of games in which the first player took 0, ½, 1, 1½ and 2 points
    #[arg(long, value_name = "A,B,C,D,E", value_delimiter = ',', conflicts_with_all = ["files", "wdl"])]
    penta: Option<Vec<u64>>,
    /// Single games that the first player won, drew and lost
    #[arg(long, value_name = "W,D,L", value_delimiter = ',', conflicts_with = "files")]
    wdl: Option<Vec<u64>>,
    /// Of files: the player that is tested [default: White of the first game]
    #[arg(long, value_name = "NAME", requires = "files")]
    first: Option<String>,
    /// His advantage under H0
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// His advantage under H1
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// The chance of accepting H1 wrongly
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// The chance of accepting H0 wrongly
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The scale of the hypotheses: normalized or logistic
    #[arg(long, default_value = "normalized")]
    scale: EloScale,
    /// JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Tests.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let Arguments { elo0, elo1, alpha, beta, scale, .. } = *arguments;
    let test = Sprt::new(elo0, elo1, scale, alpha, beta).map_err(|error| bad(error.into()))?;
    let (summary, first, second) = summary(arguments, &test).map_err(bad)?;
    let text = if arguments.json {
        serde_json::to_string_pretty(&summary).context("JSON").map_err(bad)? + "\n"
    } else {
        summary.text(&first, &second)
    };
    print(&text)?;
    Ok(match summary.verdict {
        "accept-h1" => 0,
        "accept-h0" => 1,
        _ => UNDECIDED,
    })
}

fn summary(arguments: &Arguments, test: &Sprt) -> Result<(SprtSummary, String, String), anyhow::Error> {
    let named = |summary| (summary, "the first player".to_owned(), "the second".to_owned());
    if let Some(counts) = &arguments.penta {
        let cells = counts.as_slice().try_into().map_err(|_| anyhow!("--penta: five counts, not {}", counts.len()))?;
        return Ok(named(SprtSummary::new(test, &Penta(cells))));
    }
    if let Some(counts) = &arguments.wdl {
        let [wins, draws, losses] = counts[..] else {
            return Err(anyhow!("--wdl: three counts, not {}", counts.len()));
        };
        return Ok(named(SprtSummary::of(test, &Wdl { wins, draws, losses })));
    }
    let mut found = Collection::default();
    for file in &arguments.files {
        found.read(file)?;
    }
    let [a, b] = found.names() else {
        return Err(anyhow!("the files have games of {} players; a test is about two", found.names().len()));
    };
    let first = arguments.first.as_ref().unwrap_or(a);
    let number = found.player(first).ok_or_else(|| anyhow!("--first: no games of '{first}' in the files"))?;
    let second = if first == a { b } else { a };
    Ok((SprtSummary::new(test, &found.pairs_of(number)), first.clone(), second.clone()))
}
