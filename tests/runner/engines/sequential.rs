//! Sequential tests: in a run, and of counts and files.

use super::support::{QUICK, RUNNER, Run, stub, tournament};
use std::process::{Command, Output};

fn sprt(args: &[&str]) -> Output {
    Command::new(RUNNER).arg("sprt").args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn plan(rounds: u32, elo1: u32) -> String {
    let head = QUICK.replace("seed = 1\nconcurrency = 1", &format!("seed = 1\nrounds = {rounds}\nconcurrency = 2"));
    let test = format!("[sprt]\nelo0 = 0\nelo1 = {elo1}\n");
    format!("format = \"match\"\n{head}{test}{}{}", stub("good", &["seed=1"]), stub("bad", &["illegal@1"]))
}

// 52, 90
#[test]
fn the_test_of_a_plan_ends_the_run() {
    let done = tournament(&plan(500, 100));
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("SPRT of good against bad: H1 accepted: at least 100 Elo."), "{}", done.out);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    assert_eq!(result["sprt"]["verdict"], "accept-h1");
    let counted = result["games"].as_u64().unwrap();
    assert!(counted < 200, "{counted}");
    // Who goes on with a decided run plays nothing and hears the same.
    let again = Run::start_in(Some(done.folder), &plan(500, 100), &["--resume"]).finish();
    assert_eq!((again.code, again.games().len() as u64), (Some(0), counted), "{}", again.err);
    assert!(again.out.contains("H1 accepted"));
    // The journal says the same to the command.
    let journal = again.folder.path().join("out/games.jsonl");
    let said = sprt(&[journal.to_str().unwrap(), "--first", "good", "--elo0", "0", "--elo1", "100"]);
    assert_eq!(said.status.code(), Some(0), "{}", text(&said.stderr));
    let tail =
        |text: &str| text.lines().skip_while(|line| !line.starts_with("SPRT")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tail(&text(&said.stdout)), tail(&again.out));
    let bad = sprt(&[journal.to_str().unwrap(), "--first", "bad", "--elo0", "0", "--elo1", "100"]);
    assert_eq!(bad.status.code(), Some(1));
}

// 90
#[test]
fn out_of_games_is_inconclusive() {
    let done = tournament(&plan(2, 5));
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(done.out.contains("inconclusive"), "{}", done.out);
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    assert_eq!((&result["sprt"]["verdict"], &result["games"]), (&"inconclusive".into(), &4.into()));
}

// 87, 89
#[test]
fn counts_and_bad_ones() {
    let fine = sprt(&["--penta", "10,52,130,70,16", "--elo0", "0", "--elo1", "5", "--json"]);
    assert_eq!(fine.status.code(), Some(3));
    let said: serde_json::Value = serde_json::from_slice(&fine.stdout).unwrap();
    assert_eq!((&said["scale"], &said["pairs"][2]), (&"normalized".into(), &130.into()));
    assert!(said["llr"].as_f64().unwrap() > 0.0);
    let single = sprt(&["--wdl", "60,10,50", "--elo0", "-5", "--elo1", "5", "--scale", "logistic"]);
    assert!(text(&single.stdout).contains("H0 -5, H1 5 logistic Elo"), "{}", text(&single.stdout));
    for (args, part) in [
        (["--penta", "1,2,3", "--elo0", "0", "--elo1", "5"], "five counts, not 3"),
        (["--wdl", "1,2,3", "--elo0", "5", "--elo1", "0"], "elo0 must be less than elo1"),
        (["--wdl", "1,2,-3", "--elo0", "0", "--elo1", "5"], "invalid"),
    ] {
        let refused = sprt(&args);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(part), "{}", text(&refused.stderr));
    }
    let crossed = sprt(&["--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "0.6", "--beta", "0.6"]);
    assert!(text(&crossed.stderr).contains("alpha + beta must be less than 1"));
}
