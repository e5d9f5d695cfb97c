//! Players that read a random game from a list, and a match of them: what the runner itself costs, without a search.

use crescendo::rules::game::Game;
use crescendo::rules::table::ITALIAN;
use crescendo_runner::adjudicate::Adjudication;
use crescendo_runner::clock::Limits;
use crescendo_runner::game::referee;
use crescendo_runner::pairing::schedule::Schedule;
use crescendo_runner::pairing::{Format, Policy};
use crescendo_runner::player::scripted::{Scripted, random_series};
use crescendo_runner::player::transcript::Kept;
use crescendo_runner::player::{Failure, Player};
use crescendo_runner::scheduler::{Contest, Entrant, OnCrash, Roster};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Turns of a game.
pub(crate) const TURNS: u16 = 8;

pub(crate) const LIMITS: Limits = Limits { nodes: Some(1), ..Limits::NONE };

pub(crate) fn adjudication() -> Adjudication {
    Adjudication { max_turns: Some(TURNS), ..Adjudication::default() }
}

/// A random game of [`TURNS`] turns, as series.
pub(crate) fn series(seed: u64) -> Vec<String> {
    for seed in seed << 20.. {
        let (mut game, mut rng) = (Game::new(&ITALIAN), ChaCha8Rng::seed_from_u64(seed));
        while game.outcome().is_none() && game.turns().len() < usize::from(TURNS) {
            let series = random_series(game.current(), &mut rng).to_string();
            if referee(&mut game, &series).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game.turns().iter().map(|(_, series)| series.to_string()).collect();
        }
    }
    Vec::new()
}

/// A player that reads his series from a list.
pub(crate) fn reader(series: &[String]) -> Scripted {
    let series = series.to_vec();
    Scripted::new(move |question| {
        let turn = usize::from(question.game.current().turn().number());
        series.get(turn - 1).cloned().ok_or(Failure::Stopped)
    })
}

/// A roster of such players.
pub(crate) struct Readers(pub(crate) Vec<String>);

impl Roster for Readers {
    fn start(&self, _: usize) -> Result<Box<dyn Player>, Failure> {
        Ok(Box::new(reader(&self.0)))
    }
}

/// A match of so many pairs of games, `concurrency` at a time.
pub(crate) fn contest(rounds: u64, concurrency: usize) -> Contest {
    Contest {
        rules: &ITALIAN,
        schedule: Schedule::new(Format::Match, 2, rounds, Policy::Round, 0),
        entrants: ["a", "b"].map(|name| Entrant { name: name.into(), limits: LIMITS, restart: false }).to_vec(),
        openings: None,
        adjudication: adjudication(),
        seed: 1,
        concurrency,
        sprt: None,
        on_crash: OnCrash::Lose,
        max_crashes: None,
        cpus: Vec::new(),
        wait: Duration::ZERO,
        transcripts: Kept::Last,
    }
}
