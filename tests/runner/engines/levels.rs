//! The example tournament: its plan is good, and the built-in engine plays it.

use super::support::{RUNNER, forfeit};
use crescendo_runner::record::GameRecord;
use std::process::Command;

/// The example with fewer rounds and one core, so that it is quick.
#[test]
fn the_example_plays_with_the_built_in_engine() {
    let folder = tempfile::tempdir().unwrap();
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/smoke.toml");
    let run = Command::new(RUNNER).args(["run", plan, "--out"]).arg(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let text = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let games: Vec<GameRecord> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!games.is_empty());
    assert!(games.iter().all(|game| forfeit(game).is_none()));
}
