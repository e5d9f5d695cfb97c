//! The players of a plan as processes, and the questions put to them before the first game.

use crate::plan::Plan;
use crate::player::blunder::Blundering;
use crate::player::engine::{Engine, Identity, Spec};
use crate::player::guard::Launcher;
use crate::player::stop::Stop;
use crate::player::throttle::Throttle;
use crate::player::{Failure, Player};
use crate::scheduler::Roster;
use anyhow::{Result, anyhow};
use crescendo::rules::table::ITALIAN;
use std::sync::Arc;

/// Starts the engines of a plan.
#[derive(Debug)]
pub(super) struct Processes<'a> {
    specs: &'a [Spec],
    /// Why a player is not to be started, if so: he said nothing when asked before the first game.
    mute: Vec<Option<Failure>>,
    launcher: Arc<Launcher>,
    throttle: Throttle,
    stop: Stop,
}

impl Roster for Processes<'_> {
    fn start(&self, player: usize) -> Result<Box<dyn Player>, Failure> {
        match &self.mute[player] {
            Some(failure) => Err(failure.clone()),
            None => {
                // The clock of the start runs from here, not from the wish to start.
                let _place = self.throttle.enter(&self.stop)?;
                let spec = &self.specs[player];
                let engine = Box::new(Engine::start(spec, &self.launcher, &self.stop)?);
                Ok(if spec.random > 0.0 { Box::new(Blundering::new(engine, spec.random)) } else { engine })
            }
        }
    }
}

impl<'a> Processes<'a> {
    /// Asks every different engine of the plan what it is and checks the plan's options against the answer. An engine that is
    /// merely silent is no mistake of the plan: its games will not be played.
    ///
    /// # Errors
    /// An engine ends at once, or the plan sets options that it does not have or not so.
    pub(super) fn meet(plan: &'a Plan, launcher: Arc<Launcher>, stop: &Stop) -> Result<Self> {
        let mut known: Vec<(&Spec, Result<Identity, Failure>)> = Vec::new();
        let mut mute = Vec::new();
        for (number, spec) in plan.specs.iter().enumerate() {
            let at = match known.iter().position(|(other, _)| other.program == spec.program) {
                Some(at) => at,
                None => {
                    known.push((spec, Engine::identify(spec, &launcher, stop)));
                    known.len() - 1
                }
            };
            mute.push(match &known[at].1 {
                Ok(identity) => {
                    check(plan, number, identity)?;
                    None
                }
                Err(failure @ Failure::Silence(_)) => {
                    let name = &plan.contest.entrants[number].name;
                    super::complain(&format!("warning: {name} says no uciok; its games will not be played"));
                    Some(failure.clone())
                }
                Err(failure) => {
                    let line = plan.player_lines[number];
                    let name = &plan.contest.entrants[number].name;
                    let path = spec.program.path.display();
                    return Err(anyhow!(
                        "{}:{line}: players.command: '{name}' ({path}) does not work: {failure}; give an engine that speaks \
                         the protocol",
                        plan.file.display()
                    ));
                }
            });
        }
        let throttle = Throttle::new(plan.starts);
        Ok(Self { specs: &plan.specs, mute, launcher, throttle, stop: stop.clone() })
    }
}

/// Checks the options of one player.
fn check(plan: &Plan, player: usize, identity: &Identity) -> Result<()> {
    let name = &plan.contest.entrants[player].name;
    let file = plan.file.display();
    for (option, value) in &plan.specs[player].options {
        let line = plan.option_lines[player].get(option).copied().unwrap_or(plan.player_lines[player]);
        match identity.option(option) {
            None => {
                let known: Vec<&str> = identity.options.iter().map(|option| option.name.as_str()).collect();
                let known = if known.is_empty() { "none at all".into() } else { known.join(", ") };
                return Err(anyhow!("{file}:{line}: options.{option}: '{name}' has no such option; it has {known}"));
            }
            Some(advertised) => {
                if let Some(complaint) = advertised.complaint(value) {
                    return Err(anyhow!(
                        "{file}:{line}: options.{option}: '{value}' is no value for it; it {complaint}"
                    ));
                }
            }
        }
    }
    let rules = plan.contest.rules;
    let plays = match identity.option("UCI_Variant") {
        Some(option) => option.complaint(rules.variant).is_none(),
        None => *rules == ITALIAN,
    };
    if plays {
        Ok(())
    } else {
        let line = plan.player_lines[player];
        Err(anyhow!("{file}:{line}: rules: '{name}' does not offer {} in its option UCI_Variant", rules.variant))
    }
}
