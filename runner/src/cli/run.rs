//! `run`: the tournament of a file, from the first check to the exit code.

use super::roster::Processes;
use super::{BAD_INPUT, Failed, INCOMPLETE, IO_FAILED, complain, signals};
use crate::event::Event;
use crate::plan::{Overrides, Plan};
use crate::player::guard::Launcher;
use crate::player::stop::Stop;
use crate::report::console::Console;
use crate::report::journal::Journal;
use crate::report::pgn::PgnFile;
use crate::report::result::ResultFile;
use crate::report::{Report, ReportError};
use crate::scheduler;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The tournament, as TOML
    file: PathBuf,
    /// Folder for games.jsonl, games.pgn and result.json [default: out/NAME-TIME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Games at a time [default: the file's, or the number of cores]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Pairs of games between any two players that meet
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Source of all randomness
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// Plays the tournament.
///
/// # Errors
/// Bad input (nothing was written then) or a failed output.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let overrides = Overrides {
        out: arguments.out.clone(),
        concurrency: arguments.concurrency,
        rounds: arguments.rounds,
        seed: arguments.seed,
    };
    let bad = |error| Failed::new(BAD_INPUT, error);
    // 1. Everything that can be wrong with the input, before anything is written.
    let plan = Plan::read(&arguments.file, &overrides).map_err(|error| bad(error.into()))?;
    if plan.out.join("games.jsonl").exists() {
        let text = "holds a tournament already; name another folder with --out or `out`, or remove it";
        return Err(bad(anyhow!("{}: {text}", plan.out.display())));
    }
    let stop = Stop::default();
    let io = |error| Failed::new(IO_FAILED, error);
    signals::register(&stop).context("signals").map_err(io)?;
    let helper = std::env::current_exe().context("the runner's own binary").map_err(io)?;
    let launcher = Arc::new(Launcher::new(helper).context("the guard process").map_err(io)?);
    let roster = match Processes::meet(&plan, launcher, &stop) {
        Ok(roster) => roster,
        Err(error) => return interrupted(&stop).ok_or_else(|| bad(error)),
    };
    // 2. The outputs.
    let mut reports = open_reports(&plan, arguments.quiet).map_err(io)?;
    // 3. The games.
    let mut emit = |event: &Event<'_>| reports.iter_mut().try_for_each(|report| report.on(event));
    let standing = scheduler::run(&plan.contest, &roster, &stop, &mut emit)
        .map_err(|error: ReportError| io(anyhow!("{error}; what was written before is whole")))?;
    complain(&format!("games and results are in {}", plan.out.display()));
    // 4. How it went.
    let complete = standing.counted() as u64 == plan.contest.schedule.games();
    Ok(interrupted(&stop).unwrap_or(if complete { 0 } else { INCOMPLETE }))
}

/// The exit code after a signal, if there was one.
fn interrupted(stop: &Stop) -> Option<u8> {
    let signal = i32::try_from(stop.signal()?).ok()?;
    u8::try_from(signals::exit_code(signal)).ok()
}

/// Creates the folder and the files in it. The journal comes first: an event is on disk before anybody is told.
fn open_reports(plan: &Plan, quiet: bool) -> Result<Vec<Box<dyn Report>>> {
    let out = &plan.out;
    std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let (journal, _) = Journal::open(&out.join("games.jsonl"))?;
    let copy = out.join("plan.toml");
    std::fs::copy(&plan.file, &copy).with_context(|| format!("cannot write {}", copy.display()))?;
    let contest = &plan.contest;
    Ok(vec![
        Box::new(journal),
        Box::new(PgnFile::create(&out.join("games.pgn"), &plan.name)?),
        Box::new(ResultFile::new(&out.join("result.json"), &plan.name, contest.rules.name, contest.seed)),
        Box::new(Console::new(quiet)),
    ])
}
