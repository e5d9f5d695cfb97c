//! `calibrate`: the tournament of the levels by real engines, killed and gone on with, and the line to people's ratings.

use super::support::{RUNNER, signal};
use std::process::{Command, Output, Stdio};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Few nodes and few games: here it only matters that all of it happens.
const ARGUMENTS: [&str; 14] = [
    "calibrate",
    "levels",
    "--out",
    "out",
    "--table",
    "levels.toml",
    "--nodes",
    "150",
    "--max-games",
    "220",
    "--within",
    "400",
    "--concurrency",
    "2",
];

#[test]
fn levels_are_measured_even_if_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("levels.toml"), crescendo::search::levels::TABLE).unwrap();
    let command = || {
        let mut command = Command::new(RUNNER);
        command.args(ARGUMENTS).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut first = command().spawn().unwrap();
    super::support::eventually("some games are played", 40, || {
        std::fs::read_to_string(path("out/games.jsonl")).is_ok_and(|games| games.lines().count() > 10)
    });
    signal(first.id(), "KILL");
    first.wait().unwrap();
    let done = command().output().unwrap();
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    // Whether so few games put the levels in their order is another question; the answer is told either way.
    let is_written = std::fs::read_to_string(path("levels.toml")).unwrap() != crescendo::search::levels::TABLE;
    match done.status.code() {
        Some(0) => assert!(is_written && err.contains("build the engine again"), "{err}"),
        Some(1) => assert!(!is_written && out.contains("is not stronger than"), "{out}{err}"),
        _ => panic!("{out}{err}"),
    }
    let told = std::fs::read_to_string(path("out/calibration.txt")).unwrap();
    assert!(out.contains(&told) && told.contains("Random mover") && told.contains("no human rating"), "{told}");
    let games = std::fs::read_to_string(path("out/games.jsonl")).unwrap();
    let mut ids: Vec<u64> = games
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_u64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..ids.len() as u64).collect::<Vec<_>>());
    // Asked again without playing, the games say the same.
    let again = Command::new(RUNNER).args(ARGUMENTS).arg("--so-far").current_dir(folder.path()).output().unwrap();
    assert_eq!((again.status.code(), text(&again.stdout)), (done.status.code(), told.clone()));
    // Another wish is another calibration.
    let other = Command::new(RUNNER).args(ARGUMENTS).args(["--seed", "2"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("has changed"), "{}", text(&other.stderr));
}

fn people(lines: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.csv"), lines).unwrap();
    let mut command = Command::new(RUNNER);
    command.args(["calibrate", "people", "games.csv"]).args(more).current_dir(folder.path()).output().unwrap()
}

#[test]
fn people_give_the_scale_a_meaning() {
    let lines = "bot,person,rating,deviation,score\nhouse,ann,1200,45,0\nhouse,bob,1300,60,1\nstrong,bob,1500,60,0.5\n";
    let bots = ["--bot", "House=600", "--bot", "Strong=1000"];
    let done = people(lines, &bots);
    let out = text(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(out.contains("3 games of 2 people.") && out.contains("rating among people = "), "{out}");
    for (lines, more, part) in [
        ("bot,rating,score\nhouse,1200,0\n", &[][..], "games.csv: line 2: bot 'house' has no known Elo"),
        (lines, &["--bot", "House"][..], "write NAME=ELO"),
        (lines, &["--rules", "chess"][..], "--rules: unknown 'chess'"),
        (lines, &["--deviation=-1"][..], "--deviation"),
    ] {
        let done = people(lines, more);
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains(part), "{}", text(&done.stderr));
    }
}
