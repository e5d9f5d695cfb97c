//! Whether an engine keeps the protocol: a list of numbered steps, each with a verdict and a reason.

mod session;
mod steps;

use crate::player::guard::Launcher;
use crate::player::process::Program;
use crate::player::stop::Stop;
use crescendo::rules::table::Rules;
use session::Session;
use std::sync::Arc;
use std::time::Duration;

/// After so many greetings without an answer on end, nothing more is tried.
const MUTE: u32 = 3;

/// What is checked.
#[derive(Debug)]
pub struct Subject {
    /// The engine.
    pub program: Program,
    /// The game it is to play.
    pub rules: &'static Rules,
    /// How long it may take for what needs no thinking.
    pub patience: Duration,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Pass,
    /// The engine does not claim to have what the step is about.
    Skipped(String),
    /// Not as it should be.
    Fail(String),
}

/// A step and its verdict.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Its number, from 1.
    pub number: usize,
    /// What should be so.
    pub what: &'static str,
    /// Whether it is.
    pub verdict: Verdict,
}

/// Checks every step in order and tells of each as it is done. After a failure the engine is started afresh, so that one
/// fault does not bring on others.
///
/// # Errors
/// The engine cannot be started at all.
pub fn check(
    subject: &Subject,
    launcher: &Arc<Launcher>,
    stop: &Stop,
    tell: &mut dyn FnMut(&Checked),
) -> std::io::Result<()> {
    let mut session = Session::start(subject, launcher, stop)?;
    let mut mute = 0;
    for (number, (what, step)) in steps::STEPS.iter().enumerate() {
        if stop.is_set() {
            break;
        }
        let given_up = || Verdict::Fail(format!("not tried: no answer to {MUTE} greetings"));
        let verdict = if mute < MUTE { step(&mut session).unwrap_or_else(Verdict::Fail) } else { given_up() };
        if matches!(verdict, Verdict::Fail(_)) && mute < MUTE {
            mute = if session.is_greeted() { 0 } else { mute + 1 };
            session.restart()?;
        }
        tell(&Checked { number: number + 1, what, verdict });
    }
    Ok(())
}
