//! How many files the runner may have open: each engine takes three.

use crate::plan::Plan;
use anyhow::{Result, anyhow};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The runner's own: outputs, the openings, the guard, some to spare.
const OWN: u64 = 40;
/// The pipes of an engine.
const PIPES: u64 = 3;
/// A worker keeps so many engines at most, the two that play included.
const KEPT: u64 = 14;

/// Raises the limit as far as it goes and sees whether it is enough for a plan.
///
/// # Errors
/// It is not.
pub(super) fn reserve(plan: &Plan) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    // Where that is refused, the old limit may still be enough.
    let current = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    let workers = u64::try_from(plan.contest.concurrency).unwrap_or(u64::MAX);
    let engines = KEPT.min(plan.contest.entrants.len() as u64).saturating_mul(workers);
    let needed = engines.saturating_mul(PIPES).saturating_add(OWN);
    match current {
        Some(current) if current < needed => Err(anyhow!(
            "{workers} games at a time may need {needed} open files, but only {current} are allowed; lower concurrency, or raise \
             the limit (ulimit -n)"
        )),
        _ => Ok(()),
    }
}
