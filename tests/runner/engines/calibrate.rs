//! `calibrate`: the tournament of the levels by real engines, killed and gone on with, and the line to people's ratings.

use super::support::{RUNNER, shipped_lines, signal, well_formed};
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

/// Few puzzles, one game and few nodes: here it only matters that all is told, and told alike twice.
#[test]
fn the_report_shows_how_levels_err() {
    let folder = tempfile::tempdir().unwrap();
    let report = || {
        let mut command = Command::new(RUNNER);
        command.args(["calibrate", "report", "set.jsonl", "--out", "out", "--each", "2", "--seeds", "1"]);
        command.args(["--games", "1", "--nodes", "3000"]).current_dir(folder.path()).output().unwrap()
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    std::fs::write(folder.path().join("set.jsonl"), shipped_lines("italian", 40)).unwrap();
    let done = report();
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let (json, page) = (read("levels.json"), read("levels.html"));
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    let levels = found["levels"].as_array().unwrap();
    assert_eq!(
        (levels.len(), &levels[0]["level"], &levels[10]["level"]),
        (11, &"Novice".into(), &"Mate hunter".into())
    );
    let puzzles = found["puzzles"].as_u64().unwrap();
    assert!(puzzles >= 4, "{puzzles}");
    let solved = |level: usize| levels[level]["solved"]["did"].as_u64().unwrap();
    for level in levels {
        let of = |key: &str| -> u64 {
            level[key].as_object().unwrap().values().map(|share| share["of"].as_u64().unwrap()).sum()
        };
        // Each puzzle has one length and at least one kind.
        assert_eq!((level["solved"]["of"].as_u64(), of("by_length")), (Some(puzzles), puzzles));
        assert!(of("by_kind") >= puzzles);
        let name = level["level"].as_str().unwrap();
        let games = read(&format!("{name}.pgn"));
        assert!(games.matches("[White ").count() == 1 && games.contains(&format!("[White \"{name}\"]")), "{games}");
        assert!(
            page.contains(&format!("<th scope=\"row\">{name}</th>"))
                && page.contains(&format!("{name} against itself"))
        );
    }
    assert!(solved(9) > solved(0), "Full solves {}, Novice {}", solved(9), solved(0));
    let out = text(&done.stdout);
    assert!(out.lines().all(|line| line.chars().count() <= 80) && out.contains("Strong club"), "{out}");
    // The page needs nothing else, and the same arguments give the same files.
    well_formed(&page);
    report();
    assert_eq!((read("levels.json"), read("levels.html")), (json, page));
}

#[test]
fn a_report_without_puzzles_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(RUNNER);
    let done = command
        .args(["calibrate", "report", "none.jsonl", "--out", "out"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("none.jsonl"), "{}", text(&done.stderr));
}
