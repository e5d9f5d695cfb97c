//! Odd but harmless text changes nothing: the games are those of the clean stub.

use super::support::{Done, QUICK, Run, forfeit, stub, tournament};
use std::time::Duration;

fn moves(modes: &[&str]) -> (Vec<String>, Done) {
    let done = tournament(&format!("{QUICK}{}{}", stub("clean", &["seed=3"]), stub("odd", modes)));
    assert_eq!(done.code, Some(0), "{modes:?}: {}", done.err);
    let games = done.games();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| forfeit(game).is_none()), "{modes:?}: {:?}", games[0].end);
    (games.into_iter().map(|game| game.moves).collect(), done)
}

// 16, 17, 20 to 23, 33
#[test]
fn the_same_games_whatever_the_text_looks_like() {
    let (clean, _) = moves(&["ok"]);
    let odd: [&[&str]; 14] = [
        &["crlf"],
        &["lead-blank"],
        &["tab"],
        &["upper"],
        &["split-bytes"],
        &["blank-lines"],
        &["banner=2000"],
        &["binary"],
        &["stderr=1000000"],
        &["stderr-fake-uci"],
        &["double-bestmove"],
        &["bestmove-before-go"],
        &["burst=20000"],
        &["crlf", "lead-blank", "tab", "upper", "blank-lines", "split-bytes"],
    ];
    for modes in odd {
        assert_eq!(moves(modes).0, clean, "{modes:?}");
    }
}

// 32: the order of the first commands, and no command twice.
#[test]
fn transcript_of_a_start() {
    let plan = format!(
        "{}{}[players.options]\nHash = 8\nSeed = 5\n\"Clear Hash\" = true\n",
        QUICK.replace("nodes = 100", "tc = \"10+1\""),
        stub("a", &["transcript=FOLDER/said"])
    );
    let done = tournament(&format!("{plan}{}", stub("b", &[])));
    assert_eq!(done.code, Some(0), "{}", done.err);
    let said = done.text("said");
    let session = said.split("quit\n").nth(1).unwrap();
    let lines: Vec<&str> = session.lines().take(10).collect();
    assert_eq!(lines[0], "uci");
    assert_eq!(lines[1], "setoption name UCI_Variant value progressive");
    assert_eq!(
        lines[2..5],
        ["setoption name Clear Hash", "setoption name Hash value 8", "setoption name Seed value 5"]
    );
    assert_eq!((lines[5], lines[6], lines[8]), ("isready", "ucinewgame", "isready"));
    assert!(lines[7].starts_with("setoption name Seed value "), "{session}");
    assert!(session.contains("\nposition startpos\ngo wtime 11000 btime 11000 winc 1000 binc 1000\n"), "{session}");
}

// 16: a million bytes on the error stream: the end is kept, the rest is not.
#[test]
fn the_last_words_are_kept() {
    let plan = format!("{QUICK}{}{}", stub("good", &[]), stub("bad", &["stderr=1000000", "move-then-exit"]));
    let run = Run::start(&plan);
    let games = run.finish().games();
    let crescendo_runner::record::GameEnd::Forfeit { fault, .. } = &games[0].end else { panic!("{:?}", games[0].end) };
    assert!(fault.stderr.ends_with("the very last words"), "{}", fault.stderr);
    assert!((3000..=4096).contains(&fault.stderr.len()));
}

// 2: patience belongs to the turn, not to the line.
#[test]
fn a_burst_costs_little_time() {
    let (_, done) = moves(&["burst=50000"]);
    assert!(done.took < Duration::from_secs(30), "{:?}", done.took);
}
