//! The events for other programs, and the form of games.pgn.

use crate::support::{QUICK, RUNNER, Run, stub, tournament};
use serde_json::Value;
use std::process::Command;

fn plan() -> String {
    QUICK.to_owned() + &stub("one", &["seed=1"]) + &stub("two", &["seed=2", "die-on-go@3"])
}

#[test]
fn every_line_is_an_event_and_the_last_one_says_how_it_ended() {
    let done = Run::start_in(None, &plan(), &["--events", "events.jsonl"]).finish();
    assert_eq!(done.code, Some(0), "{}", done.err);
    let lines: Vec<Value> = done.text("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> =
        lines.iter().map(|line| line["event"].as_str().unwrap()).filter(|k| *k != "standing").collect();
    assert_eq!(kinds, ["began", "game-began", "game-ended", "game-began", "game-ended", "ended"]);
    assert_eq!((&lines[0]["v"], &lines[0]["games"]), (&1.into(), &2.into()));
    let told: Vec<&Value> =
        lines.iter().filter(|line| line["event"] == "game-ended").map(|line| &line["game"]).collect();
    let journal = done.text("out/games.jsonl");
    let kept: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told, kept.iter().collect::<Vec<_>>());
    let result: Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    let ended = lines.last().unwrap();
    for field in ["games", "not_played", "harness_errors", "aborted", "white_advantage", "players"] {
        assert_eq!(ended[field], result[field], "{field}");
    }
}

#[test]
fn the_standard_output_is_for_events_alone() {
    let done = Run::start_in(None, &plan(), &["--events", "-"]).finish();
    assert!(done.out.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{}", done.out);
    assert!(done.out.lines().count() >= 6);
    assert!(done.err.contains("player"), "the table: {}", done.err);
    let help = Command::new(RUNNER).args(["run", "--help"]).output().unwrap();
    assert!(String::from_utf8_lossy(&help.stdout).contains("game-began"));
}

#[test]
fn games_that_go_wrong_have_transcripts() {
    let done = tournament(&plan());
    let wrong: Vec<_> = done.games().into_iter().filter(|game| game.result != "1/2-1/2").collect();
    assert!(!wrong.is_empty());
    for game in &wrong {
        let text = done.text(&format!("out/transcripts/{}.txt", game.id + 1));
        assert!(text.contains(&format!("White: {}\n> ", game.white)) && text.contains("< bestmove "), "{text}");
    }
    let files = std::fs::read_dir(done.folder.path().join("out/transcripts")).unwrap().count();
    assert_eq!(files, wrong.len());
}

#[test]
fn games_can_be_padded_for_other_programs() {
    let padded = tournament(&format!("pgn = \"padded\"\n{}", plan()));
    assert_eq!(padded.code, Some(0), "{}", padded.err);
    let text = padded.text("out/games.pgn");
    assert!(text.contains(" -- ") && !text.contains("[Variant "), "{text}");
    let wrong = tournament(&format!("pgn = \"both\"\n{}", plan()));
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains(":1: pgn: unknown 'both'"), "{}", wrong.err);
}
