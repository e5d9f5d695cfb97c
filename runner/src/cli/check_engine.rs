//! `check-engine`: whether an engine keeps the protocol, step by step.

use super::{BAD_INPUT, Failed, IO_FAILED, print, signals};
use crate::conform::{Checked, Subject, Verdict, check};
use crate::plan::program::executable;
use crate::player::guard::Launcher;
use crate::player::process::Program;
use crate::player::stop::Stop;
use anyhow::{Context, anyhow};
use clap::Args;
use crescendo::rules::table::{ALL, Rules};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `check-engine`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  crescendo-runner check-engine ./my-engine --its-own-flag
  crescendo-runner check-engine --rules scottish ./my-engine
  crescendo-runner check-engine            (the built-in engine)

Exit codes: 0 every step passed or does not concern the engine, 1 some failed,
2 it does not start.")]
pub(super) struct Arguments {
    /// The game it is to play
    #[arg(long, default_value = "italian")]
    rules: String,
    /// Seconds that it may take for what needs no thinking
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    patience: f64,
    /// The engine and its arguments [default: the built-in engine]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Checks.
///
/// # Errors
/// The engine does not start, or an output failed.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
    let io = |error: anyhow::Error| Failed::new(IO_FAILED, error);
    let rules = Rules::by_name(&arguments.rules).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
        bad(anyhow!("--rules: unknown '{}'; one of {}", arguments.rules, known.join(", ")))
    })?;
    let patience = Duration::try_from_secs_f64(arguments.patience).context("--patience").map_err(bad)?;
    let helper = std::env::current_exe().context("the runner's own binary").map_err(io)?;
    let program = match arguments.command.split_first() {
        Some((command, args)) => {
            let path = executable(Path::new(""), &command.to_string_lossy()).map_err(|text| bad(anyhow!(text)))?;
            Program { path, args: args.to_vec(), dir: None }
        }
        None => Program { path: helper.clone(), args: vec!["engine".into()], dir: None },
    };
    let stop = Stop::default();
    signals::register(&stop).context("signals").map_err(io)?;
    let launcher = Arc::new(Launcher::new(helper).context("the guard process").map_err(io)?);
    let (mut counts, mut failed) = ([0; 3], Ok(0));
    let subject = Subject { program, rules, patience };
    let tell = &mut |checked: &Checked| {
        let Checked { number, what, verdict } = checked;
        let (word, kind, reason) = match verdict {
            Verdict::Pass => ("pass", 0, String::new()),
            Verdict::Skipped(why) => ("skip", 1, format!(": {why}")),
            Verdict::Fail(why) => ("FAIL", 2, format!(": {why}")),
        };
        counts[kind] += 1;
        let printed = print(&format!("{number:>3} {word}  {what}{reason}\n"));
        if failed.is_ok() {
            failed = printed;
        }
    };
    check(&subject, &launcher, &stop, tell).with_context(|| subject.program.path.display().to_string()).map_err(bad)?;
    failed?;
    let [passed, skipped, wrong] = counts;
    print(&format!("{} steps: {passed} passed, {skipped} skipped, {wrong} failed\n", passed + skipped + wrong))?;
    match stop.signal() {
        Some(signal) => Ok(u8::try_from(128 + signal).unwrap_or(BAD_INPUT)),
        None => Ok(u8::from(wrong > 0)),
    }
}
