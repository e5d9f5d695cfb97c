//! What ships with the runner: the examples are played by the built-in engine, the suites hold what they promise.

use super::support::{RUNNER, forfeit};
use crescendo::rules::table::Rules;
use crescendo_runner::opening::suite::{Order, Suite};
use crescendo_runner::plan::{Overrides, Plan};
use crescendo_runner::record::GameRecord;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn play(plan: &Path, flags: &[&str]) -> Vec<GameRecord> {
    play_in(tempfile::tempdir().unwrap().path(), plan, flags)
}

/// The same, with all that is left of it in this folder.
fn play_in(folder: &Path, plan: &Path, flags: &[&str]) -> Vec<GameRecord> {
    let run = Command::new(RUNNER).arg("run").arg(plan).arg("--out").arg(folder).args(flags).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_built_in_engine_plays_the_examples() {
    for (example, games) in [("smoke.toml", 4), ("every-key.toml", 4)] {
        let played = play(&repository("runner/examples").join(example), &[]);
        assert_eq!(played.len(), games, "{example}");
        for game in &played {
            assert!(forfeit(game).is_none(), "{example}: {:?}", game.end);
            assert!(game.warnings.is_empty(), "{example}: {:?}", game.warnings);
        }
    }
}

#[test]
fn the_tournament_of_levels_is_a_good_plan() {
    let plan = Plan::read(&repository("runner/examples/levels.toml"), &Overrides::default()).unwrap();
    let levels: Vec<&str> = crescendo::search::levels::Level::all().iter().rev().map(|level| level.name).collect();
    let names: Vec<&str> = plan.contest.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    assert_eq!(names, levels);
}

/// Full strength against the weakest level: at least 95 %, and nobody forfeits.
#[test]
fn full_strength_beats_the_weakest_level() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("match.toml");
    let suite = repository("openings/italian.txt");
    let players =
        ["Full", "Novice"].map(|level| format!("[[players]]\nname = \"{level}\"\noptions.Level = \"{level}\"\n"));
    let text = format!(
        "format = \"match\"\nrounds = 10\nseed = 3\n[openings]\nfile = \"{}\"\n[defaults]\nnodes = 20000\n{}",
        suite.display(),
        players.concat()
    );
    std::fs::write(&plan, text).unwrap();
    let games = play(&plan, &[]);
    assert_eq!(games.len(), 20);
    let points: f64 = games.iter().map(|game| points(game, "Full")).sum();
    assert!(points >= 19.0, "{points} of 20");
}

/// The ladder's order again, by other games than it was calibrated with: levels well apart, 204 games for each check rule at few nodes.
#[test]
fn the_ladder_rises() {
    let text = std::fs::read_to_string(repository("runner/examples/ladder.toml")).unwrap();
    for rules in ["italian", "scottish"] {
        let folder = tempfile::tempdir().unwrap();
        let openings = repository(&format!("openings/{rules}.txt"));
        let plan = text
            .replace("../../openings/italian.txt", openings.to_str().unwrap())
            .replace("\"italian\"", &format!("\"{rules}\""));
        std::fs::write(folder.path().join("ladder.toml"), plan).unwrap();
        let games = play_in(&folder.path().join("out"), &folder.path().join("ladder.toml"), &["--quiet"]);
        assert_eq!(games.len(), 204);
        assert!(games.iter().all(|game| game.rules == rules && forfeit(game).is_none()));
        let result = std::fs::read_to_string(folder.path().join("out/result.json")).unwrap();
        let result: serde_json::Value = serde_json::from_str(&result).unwrap();
        // The players, best first, by their Elo.
        let players: Vec<(&str, f64)> = result["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| (player["name"].as_str().unwrap(), player["rating"]["elo"].as_f64().unwrap()))
            .collect();
        let is_player = |name: &&str| players.iter().any(|(player, _)| player == name);
        let levels: Vec<&str> =
            crescendo::search::levels::Level::all().iter().rev().map(|level| level.name).filter(is_player).collect();
        assert_eq!(levels.len(), 4);
        assert_eq!(players.iter().map(|(name, _)| *name).collect::<Vec<_>>(), levels, "{rules}: {players:?}");
        assert!(players.is_sorted_by(|(_, better), (_, worse)| better > worse), "{rules}: {players:?}");
    }
}

/// Every level scores more than the one below it. In the long tier, since it takes many games to be sure of that.
#[cfg(feature = "long")]
#[test]
fn every_level_scores_more_than_the_one_below() {
    let games = play(&repository("runner/examples/levels.toml"), &["--rounds", "40"]);
    let score = |name: &str| -> f64 {
        let own: Vec<f64> =
            games.iter().filter(|g| g.white == name || g.black == name).map(|g| points(g, name)).collect();
        own.iter().sum::<f64>() / own.len() as f64
    };
    let scores: Vec<f64> = crescendo::search::levels::Level::all().iter().map(|level| score(level.name)).collect();
    assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
}

fn points(game: &GameRecord, name: &str) -> f64 {
    assert!(forfeit(game).is_none(), "{:?}", game.end);
    match (game.result.as_str(), game.white == name) {
        ("1-0", true) | ("0-1", false) => 1.0,
        ("1/2-1/2", _) => 0.5,
        _ => 0.0,
    }
}

/// 500 openings, all different positions, every first move equally often among them; lines proved again, in the long tier each.
#[test]
fn the_suites_hold_what_they_promise() {
    for name in ["italian", "scottish"] {
        let (path, rules) = (repository(&format!("openings/{name}.txt")), Rules::by_name(name).unwrap());
        let suite = Suite::open(&path, rules, Order::Sequential).unwrap();
        assert_eq!(suite.len(), 500);
        let openings: Vec<_> = (0..suite.len() as u64).map(|number| suite.opening(number).unwrap().game()).collect();
        let keys: HashSet<u64> = openings.iter().map(|game| game.current().key()).collect();
        assert_eq!(keys.len(), suite.len());
        let mut first = HashMap::new();
        openings.iter().for_each(|game| *first.entry(game.turns()[0].1[0]).or_insert(0) += 1);
        assert!(first.len() == 20 && first.values().all(|&count| count == 25), "{first:?}");
        let sample = if cfg!(feature = "long") { "500" } else { "50" };
        let check = Command::new(RUNNER).args(["openings", "check", "--sample", sample]).arg(&path).output().unwrap();
        assert!(String::from_utf8_lossy(&check.stderr).contains(&format!("500 openings for {name}, ")));
        assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stderr));
    }
}
