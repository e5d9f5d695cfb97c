//! Whole tournaments: counts, colors, files, and the same games with any number of workers.

use super::support::{Done, QUICK, Run, eventually, forfeit, pids, stub, tournament};
use crescendo::rules::notation::pgn::read;
use crescendo::rules::table::ITALIAN;
use crescendo_runner::record::{FaultKind, GameEnd};
use std::collections::BTreeMap;

/// The head of a plan with so many rounds and workers.
fn head(rounds: u32, concurrency: u32) -> String {
    QUICK.replace("seed = 1\nconcurrency = 1", &format!("seed = 1\nrounds = {rounds}\nconcurrency = {concurrency}"))
}

fn three() -> String {
    stub("a", &["seed=1"]) + &stub("b", &["seed=2", "mate"]) + &stub("c", &["seed=3", "die-on-go@3"])
}

#[test]
fn one_worker_and_two_workers_give_the_same_tournament() {
    let [one, two] = [1, 2].map(|workers| {
        let done = tournament(&format!("{}{}", head(3, workers), three()));
        assert_eq!(done.code, Some(0), "{}", done.err);
        let games: Vec<_> =
            done.games().into_iter().map(|game| (game.id, game.white, game.moves, game.result)).collect();
        (games, done.text("out/result.json"), done.out)
    });
    assert_eq!(one.0.len(), 18);
    assert_eq!(one, two);
}

#[test]
fn what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.txt");
    std::fs::write(&suite, "e2e4 e7e5,g8f6\nd2d4\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\n")
        .unwrap();
    let plan = format!(
        "name = \"Autumn \\\"cup\\\"\"\n{}[openings]\nfile = \"{}\"\norder = \"sequential\"\n{}",
        head(3, 2),
        suite.display(),
        three()
    );
    let done = tournament(&plan);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let games = done.games();
    assert_eq!(games.iter().map(|game| game.id).collect::<Vec<_>>(), (0..18).collect::<Vec<_>>());
    let mut colors = BTreeMap::new();
    for game in &games {
        *colors.entry((game.white.clone(), game.black.clone(), game.opening)).or_insert(0) += 1;
    }
    assert_eq!(colors.len(), 18, "each pair with each opening in both colors: {colors:?}");
    let text = done.text("out/games.pgn");
    let read: Vec<_> = read::games(&text, &ITALIAN).map(|game| game.unwrap()).collect();
    assert_eq!(read.len(), 18);
    for game in &read {
        let id: usize = game.tag("Round").unwrap().split('.').nth(1).unwrap().parse().unwrap();
        let record = &games[id - 1];
        assert_eq!(game.game.turns(), record.game().unwrap().turns());
        assert_eq!(game.result.text(), record.result);
        for tag in ["Event", "Variant", "Termination", "TimeControl", "SeriesCount", "PlyCount"] {
            assert!(game.tag(tag).is_some(), "{tag}");
        }
        assert_eq!(game.tag("Event"), Some("Autumn \"cup\""));
    }
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    assert_eq!(result["games"], 18);
    assert_eq!(result["players"].as_array().unwrap().len(), 3);
    assert_eq!(result["players"][2]["name"], "c");
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    assert_eq!(done.text("out/plan.toml"), done.text("plan.toml"));
}

#[test]
fn gauntlet_and_long_names() {
    let long = "A name that is longer than any table \u{1f600} can show in its column";
    let plan = format!("format = \"gauntlet\"\n{}{}{}{}", head(2, 2), stub(long, &[]), stub("b", &[]), stub("c", &[]));
    let done = tournament(&plan);
    assert_eq!(done.games().len(), 8);
    assert!(done.games().iter().all(|game| game.white == long || game.black == long));
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
}

// 5, 6: an engine that dies in every game, several at a time.
#[test]
fn crashes_cost_games_but_no_workers() {
    let plan = format!("{}{}{}", head(10, 4), stub("good", &[]), stub("bad", &["die-on-go@2"]));
    let done = tournament(&plan);
    let games = done.games();
    assert_eq!((done.code, games.len()), (Some(0), 20));
    assert!(
        games.iter().all(|game| forfeit(game).is_some_and(|(who, kind, _)| who == "bad" && kind == FaultKind::Crash))
    );
}

/// The 40-game tournament whose engines are killed from outside, also between their turns and while they start.
#[test]
fn engines_killed_at_random_from_outside() {
    let modes = ["late=3", "pid-file=FOLDER/pids"];
    let plan = format!("{}{}{}", head(20, 2), stub("a", &modes), stub("b", &modes));
    let mut run = Run::start(&plan);
    let path = run.path("pids");
    // Until then the engines are only asked for their options, and an engine that dies at that is an error of the plan.
    eventually("the first game begins", 30, || run.path("out/games.jsonl").exists());
    let (mut random, mut killed) = (12345u32, 0);
    eventually("the run ends by itself", 45, || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // The last few are those alive; any of them may be hit.
        let pids = pids(&path);
        if let Some(pid) = pids.iter().rev().nth(random as usize >> 16 & 3)
            && random >> 28 < 5
            && std::process::Command::new("kill")
                .args(["-9", &pid.to_string()])
                .output()
                .is_ok_and(|o| o.status.success())
        {
            killed += 1;
        }
        run.is_over()
    });
    let done: Done = run.finish();
    let games = done.games();
    assert_eq!(games.iter().map(|game| game.id).collect::<Vec<_>>(), (0..40).collect::<Vec<_>>(), "{}", done.err);
    let crashes = games.iter().filter_map(forfeit).filter(|(_, kind, why)| {
        assert_eq!(*kind, FaultKind::Crash, "{why}");
        why.contains("signal: 9")
    });
    let (crashes, unplayed) =
        (crashes.count(), games.iter().filter(|game| !game.end.result().contains(['0', '1'])).count());
    assert!(killed > 0 && crashes + unplayed <= killed, "{killed} killed, {crashes} crashes, {unplayed} unplayed");
    assert!(games.iter().all(|game| !matches!(game.end, GameEnd::HarnessError { .. } | GameEnd::Aborted)));
    assert_eq!(done.code, Some(if unplayed == 0 { 0 } else { 5 }), "{}", done.err);
}
