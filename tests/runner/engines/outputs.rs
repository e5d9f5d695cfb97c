//! What is left of a run: files and their hashes, transcripts, a reader that goes away, games that are the same again.

use super::support::{QUICK, RUNNER, all_gone, pids, stub, tournament};
use crescendo_runner::record::Side;
use std::io::Read;
use std::process::{Command, Stdio};

// 51: who reads our output is gone: the run stops, says why in a line, and leaves nobody behind.
#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let modes = ["late=20", "ignore-eof", "pid-file=FOLDER/pids"];
    let plan = format!("rounds = 500\n{QUICK}{}{}", stub("a", &modes), stub("b", &modes));
    let plan = plan.replace("FOLDER", folder.path().to_str().unwrap());
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let mut command = Command::new(RUNNER);
    command.args(["run", "plan.toml", "--out", "out", "--events", "-"]).current_dir(folder.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 200]).unwrap();
    drop(out);
    let done = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(4), "{err}");
    assert!(err.contains("error: -: Broken pipe") && !err.contains("panicked"), "{err}");
    assert!(err.lines().count() <= 2, "{err}");
    all_gone(&pids(&folder.path().join("pids")));
}

// 64: only games that went wrong have transcripts.
#[test]
fn one_crash_among_many_games_has_one_transcript() {
    let plan = format!("rounds = 20\n{QUICK}{}{}", stub("a", &[]), stub("b", &["die-once=FOLDER/died"]));
    let done = tournament(&plan);
    assert_eq!((done.code, done.games().len()), (Some(0), 40), "{}", done.err);
    let files = std::fs::read_dir(done.folder.path().join("out/transcripts")).unwrap();
    let lost: Vec<u64> =
        done.games().iter().filter(|game| game.end.crashed().is_some()).map(|game| game.id + 1).collect();
    let names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, [format!("{}.txt", lost[0])]);
    assert_eq!(lost.len(), 1);
}

// On request every game has its transcript, from the first line of the game to the last.
#[test]
fn transcripts_of_all_games() {
    let plan = format!("transcripts = \"all\"\nrounds = 2\n{QUICK}{}{}", stub("a", &[]), stub("b", &["seed=2"]));
    let done = tournament(&plan);
    assert_eq!((done.code, done.games().len()), (Some(0), 4), "{}", done.err);
    for game in done.games() {
        let text = done.text(&format!("out/transcripts/{}.txt", game.id + 1));
        assert_eq!(text.matches("> ucinewgame").count(), 2, "{text}");
        assert_eq!(text.matches("< bestmove").count(), game.turns.len(), "{text}");
    }
    let wrong = tournament(&plan.replace("\"all\"", "\"some\""));
    assert!(wrong.err.contains("transcripts: unknown 'some'; abnormal or all"), "{}", wrong.err);
}

// A pause between games, with colors reversed: an interrupt does not wait for its end.
#[test]
fn a_wait_between_games() {
    let players = format!("{}{}", stub("a", &[]), stub("b", &["seed=2"]));
    let done = tournament(&format!("wait = 0.3\nreverse = true\n{QUICK}{players}"));
    let games = done.games();
    assert_eq!((done.code, games.len()), (Some(0), 2), "{}", done.err);
    assert_eq!((games[0].white.as_str(), games[1].white.as_str()), ("b", "a"));
    assert!((games[1].began - games[0].began).total(jiff::Unit::Second).unwrap() >= 0.3);
}

// Colors that are not swapped, in a file without moves: the ratings of the file are those of the run, and the console says what they
// are worth.
#[test]
fn games_with_the_same_colors_and_without_moves() {
    let players = format!("{}{}{}", stub("a", &[]), stub("b", &["seed=2"]), stub("c", &["illegal@1"]));
    let done = tournament(&format!("rounds = 2\nswap = false\npgn = \"headers\"\n{QUICK}{players}"));
    let games = done.games();
    assert_eq!((done.code, games.len()), (Some(0), 12), "{}", done.err);
    assert!(games.iter().all(|game| game.white < game.black));
    for name in ["a", "c"] {
        assert!(done.out.contains(&format!("{name} has played one color only")), "{}", done.out);
    }
    assert!(!done.out.contains("b has played one color only"));
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    let pgn = done.text("out/games.pgn");
    assert!(!pgn.contains("1. ") && pgn.matches("[Variant \"Progressive\"]\n").count() == 12, "{pgn}");
    assert_eq!(pgn.matches("]\n\n").count(), 12);
    let rate = |file: &str| {
        let rated = Command::new(RUNNER).args(["rate", file]).current_dir(done.folder.path()).output().unwrap();
        String::from_utf8_lossy(&rated.stdout).into_owned()
    };
    assert!(rate("out/games.pgn").contains("12 games."));
    assert_eq!(rate("out/games.pgn"), rate("out/games.jsonl"));
}

// What an engine shows but cannot be played is told of, and costs nothing.
#[test]
fn variations_that_cannot_be_played_are_warnings() {
    let plan = format!("{QUICK}{}{}", stub("shows", &["score=20"]), stub("silent", &["seed=2"]));
    let done = tournament(&plan);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let mut count = 0;
    for game in done.games() {
        assert_ne!(game.result, "*");
        assert!(game.end.crashed().is_none());
        for warning in &game.warnings {
            let name = if warning.player == Side::White { &game.white } else { &game.black };
            assert_eq!(name, "shows");
            assert!(warning.text.starts_with("pv a2a3: it does not begin with the answer "), "{warning:?}");
            count += 1;
        }
    }
    assert!(count >= 4, "{count}");
    assert!(done.out.contains(&format!("shows: {count} warnings (pv), see games.jsonl")), "{}", done.out);
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    let told = |name: &str| result["players"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap().clone();
    assert_eq!((&told("shows")["warnings"], &told("silent")["warnings"]), (&count.into(), &0.into()));
}

// 65: who names no folder is told at once which one it is.
#[test]
fn a_run_without_a_folder_makes_one_and_names_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cup.toml"), format!("{QUICK}{}{}", stub("a", &[]), stub("b", &[]))).unwrap();
    let run = Command::new(RUNNER).args(["run", "cup.toml"]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{said}");
    let name = said.lines().next().unwrap().strip_prefix("games and results go to ").unwrap();
    assert!(name.starts_with("out/cup-") && folder.path().join(name).join("result.json").exists(), "{said}");
    assert!(said.contains(&format!("games and results are in {name}")), "{said}");
}

// 70: the hashes are those of the files as they stand there.
#[test]
fn hashes_are_those_of_the_closed_files() {
    let done = tournament(&format!("{QUICK}{}{}", stub("a", &[]), stub("b", &["seed=2"])));
    let mut check = Command::new("sha256sum");
    let check = check.args(["-c", "SHA256SUMS"]).current_dir(done.folder.path().join("out")).output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{said}");
    for file in ["games.jsonl", "games.pgn", "result.json", "report.html"] {
        assert!(said.contains(&format!("{file}: OK")), "{said}");
    }
}

// 77: engines without randomness play the same two games again and again, and the runner says so.
#[test]
fn the_same_game_again_is_no_new_sample() {
    let folder = tempfile::tempdir().unwrap();
    let plan = format!(
        "rounds = 5\n{}[openings]\nfile = \"{}\"\n{}{}",
        QUICK,
        folder.path().join("suite.txt").display(),
        stub("a", &[&format!("script={}", folder.path().join("mate").display())]),
        stub("b", &[&format!("script={}", folder.path().join("mate").display())]),
    );
    std::fs::write(folder.path().join("suite.txt"), "e2e4 e7e5,g8f6\n").unwrap();
    std::fs::write(folder.path().join("mate"), "f1c4,d1h5,h5f7\n").unwrap();
    let done = tournament(&plan);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("8 of 10 games repeat another one move by move"), "{}", done.out);
    assert!(done.out.lines().all(|line| line.chars().count() <= 80), "{}", done.out);
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    assert_eq!((&result["repeats"], &result["match"]["pairs"]), (&8.into(), &serde_json::json!([0, 0, 5, 0, 0])));
    let journal = done.folder.path().join("out/games.jsonl");
    let rate =
        |file: &std::path::Path| Command::new(RUNNER).args(["rate", "--json", "--dedup"]).arg(file).output().unwrap();
    let rated = rate(&journal);
    assert!(rated.status.success(), "{rated:?}");
    assert!(String::from_utf8_lossy(&rated.stderr).contains("8 games repeat an earlier one and are left out"));
    let list: serde_json::Value = serde_json::from_slice(&rated.stdout).unwrap();
    assert_eq!(list["games"], 2, "{list}");
    let refused = rate(&done.folder.path().join("out/games.pgn"));
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    // Random ones do not.
    let varied = tournament(&format!("rounds = 5\n{QUICK}{}{}", stub("a", &["seed=1"]), stub("b", &["seed=2"])));
    assert!(!varied.out.contains("repeat another"), "{}", varied.out);
}

// Completions and manual pages of both commands are made from their definitions.
#[test]
fn completions_and_manual_pages() {
    let run = |args: &[&str]| Command::new(RUNNER).args(args).output().unwrap();
    for (shell, part) in [("bash", "complete -F"), ("zsh", "#compdef crescendo-runner"), ("fish", "complete -c")] {
        let done = run(&["completions", shell]);
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success() && text.contains(part) && text.contains("check-engine"), "{shell}: {text}");
    }
    assert_eq!(run(&["completions", "cmd"]).status.code(), Some(2));
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    assert!(run(&["man", man.to_str().unwrap()]).status.success());
    let page = |name: &str| std::fs::read_to_string(man.join(name)).unwrap();
    assert!(page("crescendo-runner.1").contains("Exit codes"));
    assert!(page("crescendo-runner-rate.1").contains("\\-\\-anchor"));
    assert!(page("crescendo-runner-openings-stats.1").contains("openings stats openings/italian.txt"));
    assert!(!man.join("crescendo-runner-__guard.1").exists());
    // Every command has its page, is completed, and has a help with examples that fits into 80 columns.
    crate::help::is_complete(RUNNER, "crescendo-runner", 25, &folder.path().join("all"));
}

// A suite tells its rules by its head.
#[test]
fn numbers_of_a_suite() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/scottish.txt");
    let done = Command::new(RUNNER).args(["openings", "stats", suite]).output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && text.lines().next().unwrap().ends_with("(scottish)"), "{text}");
    assert!(text.contains("different positions\n") && text.contains("play begins with turn 3: "), "{text}");
    // White won three of four games: an opening with 2 points, one with 1.
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("games.jsonl");
    let line = |pair, white, result| {
        format!("{{\"white\":\"{white}\",\"black\":\"x\",\"result\":\"{result}\",\"pair\":{pair}}}\n")
    };
    let games = [line(0, "a", "1-0"), line(0, "b", "1-0"), line(1, "a", "0-1"), line(1, "b", "1-0")];
    std::fs::write(&journal, games.concat()).unwrap();
    let done = Command::new(RUNNER).args(["openings", "stats", suite, "--games"]).arg(&journal).output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(text.contains("White's score: 75.0 % (95 %: ") && text.ends_with(" in 2 pairs of games\n"), "{text}");
    assert_eq!(Command::new(RUNNER).args(["openings", "stats", "none.txt"]).output().unwrap().status.code(), Some(2));
}
