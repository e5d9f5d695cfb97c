//! The runner's own cost of an exchange: one question, its answer, and the referee leg by leg.
//!
//! The players are scripts that read their answers from a list, so nearly all the time is the runner's. One item is one
//! exchange. Pipes and processes are not part of it.

use crescendo::rules::game::Game;
use crescendo::rules::table::ITALIAN;
use crescendo_runner::adjudicate::Adjudication;
use crescendo_runner::clock::Limits;
use crescendo_runner::game::{Setting, play, referee};
use crescendo_runner::opening::Opening;
use crescendo_runner::pairing::schedule::Schedule;
use crescendo_runner::pairing::{Format, Policy};
use crescendo_runner::player::scripted::{Scripted, random_series};
use crescendo_runner::player::stop::Stop;
use crescendo_runner::player::{Failure, Player};
use crescendo_runner::record::GameRecord;
use crescendo_runner::report::pgn;
use crescendo_runner::scheduler::{Contest, Entrant, OnCrash, Roster, run};
use divan::Bencher;
use divan::counter::ItemsCount;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;

const TURNS: u16 = 8;

fn main() {
    divan::main();
}

/// A random game of eight turns, as series.
fn series() -> Vec<String> {
    for seed in 0.. {
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

fn reader(series: &[String]) -> Scripted {
    let series = series.to_vec();
    Scripted::new(move |question| {
        let turn = usize::from(question.game.current().turn().number());
        series.get(turn - 1).cloned().ok_or(Failure::Stopped)
    })
}

const LIMITS: Limits = Limits { nodes: Some(1), ..Limits::NONE };

fn adjudication() -> Adjudication {
    Adjudication { max_turns: Some(TURNS), ..Adjudication::default() }
}

#[divan::bench]
fn referee_alone(bencher: Bencher<'_, '_>) {
    let series = series();
    bencher.counter(ItemsCount::new(TURNS)).bench(|| {
        let mut game = Game::new(&ITALIAN);
        series.iter().filter(|series| referee(&mut game, series).is_ok()).count()
    });
}

#[divan::bench]
fn game(bencher: Bencher<'_, '_>) {
    let (series, opening) = (series(), Opening::none(&ITALIAN));
    let (mut white, mut black) = (reader(&series), reader(&series));
    bencher.counter(ItemsCount::new(TURNS)).bench_local(|| {
        let setting = Setting { opening: &opening, limits: [LIMITS; 2], adjudication: adjudication(), seed: 1 };
        play(&setting, &mut white, &mut black).turns.len()
    });
}

/// A roster of readers.
struct Readers(Vec<String>);

impl Roster for Readers {
    fn start(&self, _: usize) -> Result<Box<dyn Player>, Failure> {
        Ok(Box::new(reader(&self.0)))
    }
}

fn contest(rounds: u64) -> Contest {
    Contest {
        rules: &ITALIAN,
        schedule: Schedule::new(Format::Match, 2, rounds, Policy::Round, 0),
        entrants: ["a", "b"].map(|name| Entrant { name: name.into(), limits: LIMITS, restart: false }).to_vec(),
        openings: None,
        adjudication: adjudication(),
        seed: 1,
        concurrency: 1,
        sprt: None,
        on_crash: OnCrash::Lose,
        max_crashes: None,
        cpus: Vec::new(),
    }
}

fn records(rounds: u64, series: &[String]) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let Ok(_) = run::<Infallible>(&contest(rounds), &Readers(series.to_vec()), &Stop::default(), &mut |event| {
        if let crescendo_runner::event::Event::GameEnded { record, .. } = event {
            records.push((*record).clone());
        }
        Ok(())
    });
    records
}

/// A thousand games with everything but the disk: scheduler, records, journal line and PGN.
#[divan::bench(sample_count = 10)]
fn run_with_reports(bencher: Bencher<'_, '_>) {
    let series = series();
    bencher.counter(ItemsCount::new(1000 * usize::from(TURNS))).bench(|| {
        let mut bytes = 0;
        let Ok(_) = run::<Infallible>(&contest(500), &Readers(series.clone()), &Stop::default(), &mut |event| {
            if let crescendo_runner::event::Event::GameEnded { record, .. } = event {
                bytes += serde_json::to_vec(record).map_or(0, |line| line.len());
                bytes += pgn::text(record, "bench", pgn::Form::Canonical).map_or(0, |text| text.len());
            }
            Ok(())
        });
        bytes
    });
}

#[divan::bench]
fn pgn_text(bencher: Bencher<'_, '_>) {
    let records = records(1, &series());
    bencher.counter(ItemsCount::new(TURNS)).bench(|| pgn::text(&records[0], "bench", pgn::Form::Canonical));
}

#[divan::bench]
fn journal_line(bencher: Bencher<'_, '_>) {
    let records = records(1, &series());
    bencher.counter(ItemsCount::new(TURNS)).bench(|| serde_json::to_vec(&records[0]));
}
