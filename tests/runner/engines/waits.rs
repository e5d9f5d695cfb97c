//! What time means: suspensions, time on the clock, the player's own account of it.

use super::support::{QUICK, Run, eventually, forfeit, pids, signal, stub, tournament};
use std::time::Duration;

fn timed(limit: &str) -> String {
    QUICK.replace("nodes = 100", limit)
}

// 15: a pause of the runner is charged to nobody, whatever the clocks say.
#[test]
fn a_suspended_runner_charges_nobody() {
    let modes = ["late=300", "pid-file=FOLDER/pids"];
    let plan = format!("{}{}{}", timed("st = 2\nmargin = 1"), stub("a", &modes), stub("b", &modes));
    let run = Run::start(&plan);
    let path = run.path("pids");
    // One process tells its options, two play.
    eventually("the engines play", 30, || pids(&path).len() >= 3);
    std::thread::sleep(Duration::from_millis(500));
    signal(run.pid(), "STOP");
    std::thread::sleep(Duration::from_secs(4));
    signal(run.pid(), "CONT");
    let done = run.finish();
    assert_eq!((done.code, done.games().len()), (Some(0), 2), "{}", done.err);
    for game in done.games() {
        assert!(forfeit(&game).is_none(), "{:?}", game.end);
        assert!(game.turns.iter().all(|turn| turn.ms <= turn.limit.unwrap() + 1000), "{:?}", game.turns);
    }
    assert!(done.took > Duration::from_secs(8), "the pause and sixteen answers of 300 ms: {:?}", done.took);
}

// 15: an engine that sleeps for a while, within its limits, has done nothing wrong.
#[test]
fn a_suspended_engine_loses_only_what_its_limits_say() {
    let modes = ["late=50", "pid-file=FOLDER/pids"];
    let run = Run::start(&format!("{QUICK}{}{}", stub("a", &modes), stub("b", &modes)));
    let path = run.path("pids");
    eventually("the engines play", 30, || pids(&path).len() >= 3);
    let engine = pids(&path)[2];
    signal(engine, "STOP");
    std::thread::sleep(Duration::from_millis(1500));
    signal(engine, "CONT");
    let done = run.finish();
    assert_eq!((done.code, done.games().len()), (Some(0), 2), "{}", done.err);
    assert!(done.games().iter().all(|game| forfeit(game).is_none()));
}

// 37: who uses nearly all his time is in time, and who uses more than the margin is not.
#[test]
fn all_the_time_and_more() {
    let plan = |more: &str| format!("{}{}{}", timed("tc = \"1+0.5\"\nmargin = 5"), stub("a", &[]), stub("b", &[more]));
    let done = tournament(&plan("use-time=-400"));
    assert_eq!(done.code, Some(0), "{}", done.err);
    for game in done.games() {
        assert!(forfeit(&game).is_none(), "{:?}", game.end);
        let own = game.turns.iter().filter(|turn| (turn.turn % 2 == 1) == (game.white == "b"));
        // A sleep is never shorter than it should be.
        assert!(own.clone().all(|turn| turn.ms + 400 >= turn.limit.unwrap()), "{:?}", game.turns);
        assert_eq!(game.turns[0].limit, Some(1500));
        assert_eq!(own.count(), 4);
    }
    let plan = format!("{}{}{}", timed("st = 0.2\nmargin = 0.5"), stub("a", &[]), stub("b", &["use-time=900"]));
    for game in tournament(&plan).games() {
        let (who, kind, text) = forfeit(&game).unwrap();
        assert_eq!((who, kind.word()), ("b", "time"));
        assert!(text.contains("time overrun by "), "{text}");
    }
}

// 42: what the engine says of its time stands beside what the runner saw, and the page counts the gaps.
#[test]
fn gaps_between_the_two_accounts_of_time_are_counted() {
    let honest = stub("honest", &["score=1", "time=700", "late=700"]);
    let plan = format!(
        "{}{honest}{}",
        QUICK.replace("max_turns = 8", "max_turns = 4"),
        stub("gap", &["score=1", "time=1", "late=700"])
    );
    let done = tournament(&plan);
    assert_eq!(done.code, Some(0), "{}", done.err);
    for game in done.games() {
        for turn in &game.turns {
            let is_gap = (turn.turn % 2 == 1) == (game.white == "gap");
            assert_eq!(turn.report.time, Some(if is_gap { 1 } else { 700 }));
            assert_eq!(turn.overhead(), Some(turn.ms - turn.report.time.unwrap()));
            assert!(turn.first.unwrap() <= turn.ms && turn.limit.is_none(), "{turn:?}");
            assert!(!is_gap || turn.overhead().unwrap() >= 699, "{turn:?}");
        }
    }
    let page = done.text("out/report.html");
    let row = page.split("<section id=\"time\"").nth(1).unwrap().split(">gap</th>").nth(1).unwrap();
    assert!(row.split("</tr>").next().unwrap().ends_with("<td>4</td>"), "{row:.300}");
    assert!(page.contains("<b>Overhead</b>") && !page.contains("<b>Time used of the limit</b>"));
}

// Answers from a file, one after the other: a game known beforehand, by an engine that holds some memory.
#[test]
fn a_script_is_played_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script"), "e2e4\nf1c4,d1h5,h5f7\n").unwrap();
    std::fs::write(folder.path().join("reply"), "e7e5,g8f6\n").unwrap();
    let (white, black) = (stub("a", &["script=FOLDER/script", "alloc=64"]), stub("b", &["script=FOLDER/reply"]));
    let plan = format!("format = \"match\"\n{QUICK}{white}{black}");
    let done = Run::start_in(Some(folder), &plan, &[]).finish();
    let games = done.games();
    let scripted = games.iter().find(|game| game.white == "a").unwrap();
    assert_eq!((scripted.moves.as_str(), scripted.end.reason()), ("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7", "mate"));
}
