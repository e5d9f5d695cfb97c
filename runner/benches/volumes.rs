//! Large numbers, each part in a process of its own: games a second of players that are no processes, with the journal on disk;
//! memory after 100,000 games and with the page of them; ratings of a million games; an index of five million openings.
//!
//! `cargo bench -p crescendo-runner --bench volumes [-- PART]` with PART one of games, rate, suite. Needs about 1.2 GB in the
//! folder for temporary files.
//!
//! Measured on a machine of two cores (AMD EPYC) with other programs' load of 7: a million games of a hundred players are rated in 2.42 s,
//! 2.12 s of it reading 616 MB (median of three), in 130 MiB. The goal for an idle machine is less than 2 s.

#![allow(clippy::print_stdout)]

mod readers;

use crescendo::rules::table::ITALIAN;
use crescendo_runner::collect::Collection;
use crescendo_runner::event::Event;
use crescendo_runner::opening::suite::{Order, Suite};
use crescendo_runner::player::stop::Stop;
use crescendo_runner::record::{GameEnd, GameRecord};
use crescendo_runner::report::journal::Journal;
use crescendo_runner::report::{Report, html};
use crescendo_runner::scheduler::run;
use crescendo_runner::stats::rating::{FitOptions, fit};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use readers::{Readers, TURNS, contest, series};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;
use std::time::Instant;

type Outcome = Result<(), Box<dyn std::error::Error>>;
/// The name of a part and what does it.
type Part = (&'static str, fn() -> Outcome);

fn main() -> Outcome {
    let parts: [Part; 3] = [("games", games), ("rate", rate), ("suite", suite)];
    let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    for (name, part) in parts.iter().filter(|(name, _)| asked.is_empty() || asked.iter().any(|arg| arg == name)) {
        if asked.len() == 1 {
            return part();
        }
        // The greatest memory of a process is the measure, so each part has its own.
        let status = Command::new(std::env::current_exe()?).arg(name).status()?;
        if !status.success() {
            return Err(format!("{name}: {status}").into());
        }
    }
    Ok(())
}

/// The most memory that this process has held, in MiB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// A match of so many pairs of games at two a time.
fn play(rounds: u64, series: Vec<String>, report: &mut dyn FnMut(&Event<'_>) -> Outcome) -> Outcome {
    run(&contest(rounds, 2), &Readers(series), &Stop::default(), report).map(|_| ())
}

fn games() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.jsonl");
    let (mut journal, _) = Journal::open(&path)?;
    let (count, began) = (100_000, Instant::now());
    play(count / 2, series(0), &mut |event| Ok(journal.on(event)?))?;
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{count} games of {TURNS} turns with their journal: {:.0} a second, {:.1} MiB",
        count as f64 / seconds,
        peak()
    );
    let began = Instant::now();
    html::write(
        &path,
        &html::Heading { title: "Volumes".into(), test: None, course: None },
        &folder.path().join("report.html"),
    )?;
    println!("the page of them: {:.2} s, {:.1} MiB", began.elapsed().as_secs_f64(), peak());
    Ok(())
}

fn rate() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.jsonl");
    // Lines as long as they are in a real journal.
    let mut records: Vec<GameRecord> = Vec::new();
    for seed in 0..50 {
        play(1, series(seed), &mut |event| {
            if let Event::GameEnded { record, .. } = event {
                records.push((*record).clone());
            }
            Ok(())
        })?;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut file = BufWriter::new(File::create(&path)?);
    for id in 0..1_000_000u64 {
        let record = &mut records[(id % 100) as usize];
        let white = rng.random_range(0..100);
        let black = (white + rng.random_range(1..100)) % 100;
        (record.white, record.black) = (format!("Player {white}"), format!("Player {black}"));
        (record.id, record.pair, record.round) = (id, id / 2, id / 2 + 1);
        let score = 0.5 + f64::from(black - white) / 400.0 + rng.random_range(-0.5..0.5);
        record.result = if score > 0.55 {
            "1-0"
        } else if score > 0.45 {
            "1/2-1/2"
        } else {
            "0-1"
        }
        .into();
        debug_assert!(matches!(record.end, GameEnd::Adjudicated { .. }));
        serde_json::to_writer(&mut file, record)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let began = Instant::now();
    let mut found = Collection::default();
    found.read(&path)?;
    let read = began.elapsed().as_secs_f64();
    fit(&found.pool(), &FitOptions::default()).map_err(|error| error.to_string())?;
    let all = began.elapsed().as_secs_f64();
    let games = found.games();
    println!(
        "{games} games of 100 players rated: {all:.2} s, of which reading {megabytes:.0} MB {read:.2} s; {:.1} MiB",
        peak()
    );
    Ok(())
}

fn suite() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("suite.txt");
    let lines: Vec<String> = (0..1000).map(|seed| series(seed)[..4].join(" ")).collect();
    let mut file = BufWriter::new(File::create(&path)?);
    for number in 0..5_000_000 {
        writeln!(file, "{} ; {number}", lines[number % lines.len()])?;
    }
    file.flush()?;
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    for order in [Order::Sequential, Order::Random(1)] {
        let began = Instant::now();
        let suite = Suite::open(&path, &ITALIAN, order)?;
        let seconds = began.elapsed().as_secs_f64();
        let last = suite.opening(suite.len() as u64 - 1)?.line.unwrap_or(0);
        let kind = if order == Order::Sequential { "in order" } else { "shuffled" };
        println!(
            "{} openings ({megabytes:.0} MB) indexed {kind}: {seconds:.2} s, {:.1} MiB (the last is line {last})",
            suite.len(),
            peak()
        );
    }
    Ok(())
}
