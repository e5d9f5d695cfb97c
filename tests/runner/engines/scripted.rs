//! The scheduler with players that are no processes: panics, stops, errors of a report, speed.

use crescendo::rules::table::ITALIAN;
use crescendo_runner::adjudicate::Adjudication;
use crescendo_runner::clock::Limits;
use crescendo_runner::event::Event;
use crescendo_runner::pairing::schedule::Schedule;
use crescendo_runner::pairing::{Format, Policy};
use crescendo_runner::player::scripted::Scripted;
use crescendo_runner::player::stop::Stop;
use crescendo_runner::player::transcript::Kept;
use crescendo_runner::player::{Failure, Player};
use crescendo_runner::record::{GameEnd, GameRecord};
use crescendo_runner::scheduler::{Contest, Entrant, Finish, OnCrash, Roster, run};
use crescendo_runner::stats::sprt::{EloScale, Sprt, SprtVerdict};
use std::convert::Infallible;
use std::time::{Duration, Instant};

/// A roster of one function.
struct Script<F>(F);

impl<F: Fn(usize) -> Result<Scripted, Failure> + Sync> Roster for Script<F> {
    fn start(&self, player: usize) -> Result<Box<dyn Player>, Failure> {
        Ok(Box::new((self.0)(player)?))
    }
}

fn contest(rounds: u64, concurrency: usize) -> Contest {
    let limits = Limits { nodes: Some(1), ..Limits::NONE };
    Contest {
        rules: &ITALIAN,
        schedule: Schedule::new(Format::Match, 2, rounds, Policy::Round, 0),
        entrants: ["a", "b"].map(|name| Entrant { name: name.into(), limits, restart: false }).to_vec(),
        openings: None,
        adjudication: Adjudication { max_turns: Some(6), ..Adjudication::default() },
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

fn games(contest: &Contest, roster: &dyn Roster) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let done = run::<Infallible>(contest, roster, &Stop::default(), &mut |event| {
        if let Event::GameEnded { record, .. } = event {
            games.push((*record).clone());
        }
        Ok(())
    });
    let Ok(Finish { standing, .. }) = done;
    assert_eq!(standing.ended, games.len() as u64);
    games.sort_by_key(|game| game.id);
    games
}

// 12
#[test]
fn a_panic_is_a_harness_error_of_one_game() {
    let roster = Script(|player| {
        Ok(Scripted::new(move |question| {
            assert!(player == 0 || question.game.turns().len() < 3, "a bug of ours");
            Scripted::random(player as u64).choose(question).map(|answer| answer.series)
        }))
    });
    let games = games(&contest(3, 2), &roster);
    assert_eq!(games.len(), 6);
    for game in &games {
        let GameEnd::HarnessError { text } = &game.end else { panic!("{:?}", game.end) };
        assert!(text.contains(&format!("game {}", game.id)) && text.contains("a bug of ours"), "{text}");
    }
}

#[test]
fn a_player_that_never_starts_is_given_up() {
    let starts = std::sync::atomic::AtomicU32::new(0);
    let roster = Script(|player| {
        if player == 1 {
            starts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return Err(Failure::Crash("no".into()));
        }
        Ok(Scripted::random(1))
    });
    let games = games(&contest(20, 1), &roster);
    assert!(games.iter().all(|game| matches!(game.end, GameEnd::NotPlayed { .. })));
    assert_eq!((games.len(), starts.into_inner()), (40, 3));
}

#[test]
fn a_time_overrun_is_judged_by_the_clock() {
    let mut contest = contest(1, 1);
    contest.entrants[1].limits =
        Limits { series_time: Some(Duration::from_millis(100)), margin: Duration::ZERO, ..Limits::NONE };
    let roster =
        Script(|player| Ok(Scripted::random(3).taking(Duration::from_millis(if player == 0 { 500 } else { 150 }))));
    for game in games(&contest, &roster) {
        assert_eq!(game.end.reason(), "time");
        assert_eq!(game.result, if game.white == "b" { "0-1" } else { "1-0" });
    }
}

// 61: an output that fails stops the run.
#[test]
fn the_first_error_of_a_report_stops_the_run() {
    let roster = Script(|_| Ok(Scripted::random(2)));
    let mut told = 0;
    let error = run(&contest(1_000_000, 2), &roster, &Stop::default(), &mut |event| {
        if let Event::GameEnded { .. } = event {
            told += 1;
            return if told == 5 { Err("disk full") } else { Ok(()) };
        }
        Ok(())
    });
    assert_eq!(error.unwrap_err(), "disk full");
    assert_eq!(told, 5);
}

// 71: a billion rounds start at once.
#[test]
fn a_stop_ends_a_run_of_any_length() {
    let (stop, roster) = (Stop::default(), Script(|_| Ok(Scripted::random(2))));
    let began = Instant::now();
    let mut first = None;
    let finish = run::<Infallible>(&contest(1_000_000_000, 2), &roster, &stop, &mut |event| {
        if let Event::GameEnded { .. } = event {
            first.get_or_insert(began.elapsed());
            stop.set(Stop::INTERNAL);
        }
        Ok(())
    });
    let Ok(Finish { standing, .. }) = finish;
    assert!(first.unwrap() < Duration::from_secs(1) && standing.counted() < 1000);
}

/// A player that loses every game by saying nothing sensible.
fn loser() -> Scripted {
    Scripted::new(|_| Ok("a1a1".into()))
}

// 52, 88: the test ends the match; each game ends once, and what ends after the verdict does not count.
#[test]
fn a_sequential_test_ends_the_match() {
    for (winner, verdict) in [(0, SprtVerdict::AcceptH1), (1, SprtVerdict::AcceptH0)] {
        let mut contest = contest(1000, 8);
        let sprt = Sprt::new(0.0, 50.0, EloScale::Normalized, 0.05, 0.05).unwrap();
        contest.sprt = Some(sprt);
        let roster = Script(move |player| Ok(if player == winner { Scripted::random(3) } else { loser() }));
        let games = games(&contest, &roster);
        let ids: std::collections::BTreeSet<u64> = games.iter().map(|game| game.id).collect();
        assert_eq!(ids.len(), games.len());
        let mut standing = crescendo_runner::standing::Standing::new(vec!["a".into(), "b".into()]);
        for game in &games {
            let white = usize::from(game.white == "b");
            standing.book(game, white, 1 - white);
        }
        assert_eq!(sprt.verdict(standing.pairs()), verdict);
        assert!(standing.counted() < 200, "{}", standing.counted());
        // Games that ended before the owner came to them: the channel and the workers hold some.
        assert!(games.iter().filter(|game| game.result == "*").count() <= 80);
    }
}
