//! The runner's own cost of an exchange: one question, its answer, and the referee leg by leg.
//!
//! The players are scripts that read their answers from a list, so nearly all the time is the runner's. One item is one
//! exchange. Pipes and processes are not part of it.

mod readers;

use crescendo::rules::game::Game;
use crescendo::rules::table::ITALIAN;
use crescendo_runner::game::{Setting, play, referee};
use crescendo_runner::opening::Opening;
use crescendo_runner::player::stop::Stop;
use crescendo_runner::player::transcript::Kept;
use crescendo_runner::record::GameRecord;
use crescendo_runner::report::pgn;
use crescendo_runner::scheduler::run;
use divan::Bencher;
use divan::counter::ItemsCount;
use readers::{LIMITS, Readers, TURNS, adjudication, contest, reader, series};
use std::convert::Infallible;

fn main() {
    divan::main();
}

#[divan::bench]
fn referee_alone(bencher: Bencher<'_, '_>) {
    let series = series(0);
    bencher.counter(ItemsCount::new(TURNS)).bench(|| {
        let mut game = Game::new(&ITALIAN);
        series.iter().filter(|series| referee(&mut game, series).is_ok()).count()
    });
}

#[divan::bench]
fn game(bencher: Bencher<'_, '_>) {
    let (series, opening) = (series(0), Opening::none(&ITALIAN));
    let (mut white, mut black) = (reader(&series), reader(&series));
    bencher.counter(ItemsCount::new(TURNS)).bench_local(|| {
        let setting = Setting {
            opening: &opening,
            limits: [LIMITS; 2],
            adjudication: adjudication(),
            seed: 1,
            transcripts: Kept::Last,
        };
        play(&setting, &mut white, &mut black).turns.len()
    });
}

fn records(rounds: u64, series: &[String]) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let Ok(_) = run::<Infallible>(&contest(rounds, 1), &Readers(series.to_vec()), &Stop::default(), &mut |event| {
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
    let series = series(0);
    bencher.counter(ItemsCount::new(1000 * usize::from(TURNS))).bench(|| {
        let mut bytes = 0;
        let Ok(_) = run::<Infallible>(&contest(500, 1), &Readers(series.clone()), &Stop::default(), &mut |event| {
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
    let records = records(1, &series(0));
    bencher.counter(ItemsCount::new(TURNS)).bench(|| pgn::text(&records[0], "bench", pgn::Form::Canonical));
}

#[divan::bench]
fn journal_line(bencher: Bencher<'_, '_>) {
    let records = records(1, &series(0));
    bencher.counter(ItemsCount::new(TURNS)).bench(|| serde_json::to_vec(&records[0]));
}
