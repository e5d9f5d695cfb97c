//! `report`: the page of a tournament, from its journal.

use super::{BAD_INPUT, Failed, IO_FAILED, complain};
use crate::plan::error::PlanError;
use crate::plan::manner;
use crate::plan::seal::PLAN;
use crate::report::course::CourseSummary;
use crate::report::html::{self, Heading};
use anyhow::anyhow;
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  crescendo-runner report out/levels\n  \
    crescendo-runner report games.jsonl --out page.html --title \"Autumn cup\"")]
pub(super) struct Arguments {
    /// The folder of a tournament, or its games.jsonl
    #[arg(value_name = "FOLDER|FILE")]
    journal: PathBuf,
    /// The page to write [default: report.html beside the journal]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The heading [default: the tournament's name, or its folder's]
    #[arg(long)]
    title: Option<String>,
}

/// Writes the page.
///
/// # Errors
/// There is no journal, or a line of it is no game; the page cannot be written.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let given = &arguments.journal;
    let journal = if given.is_dir() { given.join("games.jsonl") } else { given.clone() };
    if !journal.is_file() {
        let text = "no such journal; give the folder of a tournament or its games.jsonl";
        return Err(Failed::new(BAD_INPUT, anyhow!("{}: {text}", journal.display())));
    }
    let folder = journal.parent().unwrap_or(Path::new("."));
    let title = arguments.title.clone().or_else(|| name(folder)).unwrap_or_else(|| "Tournament".into());
    let out = arguments.out.clone().unwrap_or_else(|| folder.join("report.html"));
    let test = test(folder).map_err(|error| Failed::new(BAD_INPUT, error))?;
    let heading = Heading { title, test, course: course(folder) };
    html::write(&journal, &heading, &out).map_err(|error| {
        let code = if error.path == journal { BAD_INPUT } else { IO_FAILED };
        Failed::new(code, error)
    })?;
    complain(&format!("the report is in {}", out.display()));
    Ok(0)
}

/// The sequential test that the plan beside the journal has, if there is one.
fn test(folder: &Path) -> Result<Option<html::Test>, PlanError> {
    let path = folder.join(PLAN);
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    Ok(manner::test(&path, &text)?.map(|(sprt, player)| html::Test { sprt, player }))
}

/// The tournament's name: from its results, or from its plan if it has not ended, or that of its folder.
fn name(folder: &Path) -> Option<String> {
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
    let result =
        || serde_json::from_str::<serde_json::Value>(&text("result.json")?).ok()?["name"].as_str().map(Into::into);
    let plan = || toml::from_str::<toml::Table>(&text(PLAN)?).ok()?.get("name")?.as_str().map(Into::into);
    let own = || Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned());
    result().or_else(plan).or_else(own)
}

/// Bracket, Swiss table or gaps, from the results of the last session.
fn course(folder: &Path) -> Option<CourseSummary> {
    let text = std::fs::read_to_string(folder.join("result.json")).ok()?;
    let mut result: serde_json::Value = serde_json::from_str(&text).ok()?;
    serde_json::from_value(result.get_mut("course")?.take()).ok()
}
