//! The scheduler with players that are no processes: panics, stops, errors of a report, speed.

use crescendo::rules::table::{ITALIAN, TAKE_ALL};
use crescendo_runner::adjudicate::Adjudication;
use crescendo_runner::clock::Limits;
use crescendo_runner::event::Event;
use crescendo_runner::opening::suite::{Order, Suite};
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

// 15: when the runner itself could not look for the answer, nobody is charged for what it does not know, and nothing is glossed over.
#[test]
fn an_answer_of_unknown_time_is_judged_only_if_it_matters() {
    let mut contest = contest(1, 1);
    let limits =
        Limits { series_time: Some(Duration::from_secs(1)), margin: Duration::from_millis(500), ..Limits::NONE };
    for entrant in &mut contest.entrants {
        entrant.limits = limits;
    }
    let ms = Duration::from_millis;
    for (taken, unsure, reason) in [(800, 700, "max-turns"), (800, 701, "harness-error"), (1600, 600, "time")] {
        let roster = Script(move |player| Ok(Scripted::random(4 + player as u64).taking(ms(taken)).unsure(ms(unsure))));
        let games = games(&contest, &roster);
        for game in &games {
            assert_eq!(game.end.reason(), reason, "{:?}", game.end);
            let is_known = reason != "harness-error";
            assert_eq!(game.result != "*", is_known);
            let GameEnd::HarnessError { text } = &game.end else { continue };
            assert!(text.contains("the machine had no time for the runner for 701 ms"), "{text}");
        }
    }
}

// Who oversteps against a bare king draws, since that could not have won; with other men on the board it could.
#[test]
fn time_against_a_bare_king_is_a_draw() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, b"4k3/8/8/8/8/8/PPP5/4K3 w - - 0 9\n").unwrap();
    for (rules, drawn) in [(&ITALIAN, true), (&TAKE_ALL, false)] {
        let mut contest = Contest { rules, ..contest(1, 1) };
        contest.openings = Some(Suite::open(file.path(), rules, Order::Sequential).unwrap());
        contest.adjudication = Adjudication::default();
        contest.entrants[0].limits =
            Limits { series_time: Some(Duration::from_millis(100)), margin: Duration::ZERO, ..Limits::NONE };
        let pawns = "a2a3,b2b3,c2c3,a3a4,b3b4,c3c4,a4a5,b4b5,c4c5";
        // 150 ms are past the limit and its patience, so this is silence as well as an overrun.
        let roster = Script(move |player| {
            let script = Scripted::new(move |_| Ok(pawns.into()));
            Ok(script.taking(Duration::from_millis(if player == 0 { 150 } else { 0 })))
        });
        let games = games(&contest, &roster);
        let told: Vec<_> =
            games.iter().map(|game| (game.white.as_str(), game.result.as_str(), game.end.reason())).collect();
        let first = if drawn { ("a", "1/2-1/2", "time-against-bare-king") } else { ("a", "0-1", "time") };
        assert_eq!(told, [first, ("b", "1-0", "time")]);
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

// 53: the end of a match holds nobody up, however often it comes.
#[test]
fn hundreds_of_matches_end() {
    let roster = Script(|player| Ok(Scripted::random(player as u64)));
    let began = Instant::now();
    for concurrency in (1..=3).cycle().take(500) {
        assert_eq!(games(&contest(1, concurrency), &roster).len(), 2);
    }
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}
