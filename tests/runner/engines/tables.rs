//! `rate` and `list`.

use super::support::{QUICK, RUNNER, stub, tournament};
use std::fmt::Write as _;
use std::process::{Command, Output};
use std::time::Instant;

fn runner(args: &[&str]) -> Output {
    Command::new(RUNNER).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn fine(args: &[&str]) -> String {
    let output = runner(args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_journal_and_its_pgn_give_the_ratings_of_the_run() {
    let head = QUICK.replace("seed = 1\nconcurrency = 1", "seed = 1\nrounds = 4\nconcurrency = 2");
    let plan = format!("{head}{}{}{}", stub("a", &["seed=1"]), stub("b", &["mate"]), stub("c", &["illegal@2"]));
    let done = tournament(&plan);
    let path = |name: &str| done.folder.path().join(name).to_str().unwrap().to_owned();
    let [journal, pgn] = ["out/games.jsonl", "out/games.pgn"]
        .map(|file| -> serde_json::Value { serde_json::from_str(&fine(&["rate", "--json", &path(file)])).unwrap() });
    let result: serde_json::Value = serde_json::from_str(&done.text("out/result.json")).unwrap();
    let close = |a: &serde_json::Value, b: &serde_json::Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-6;
    for player in result["players"].as_array().unwrap() {
        for list in [&journal, &pgn] {
            // By name, since equals may stand in any order.
            let rated =
                list["players"].as_array().unwrap().iter().find(|rated| rated["name"] == player["name"]).unwrap();
            assert!(close(&rated["rating"]["elo"], &player["rating"]["elo"]), "{rated} {player}");
            assert!(close(&rated["rating"]["error95"], &player["rating"]["error95"]), "{rated} {player}");
        }
    }
    // 96: an anchor holds; a wrong one is an error and not ignored.
    let anchored = fine(&["rate", &path("out/games.jsonl"), "--anchor", "a=2000"]);
    assert!(anchored.contains("2000.0"), "{anchored}");
    assert!(anchored.lines().all(|line| line.chars().count() <= 80));
    let file = path("out/games.jsonl");
    // The same from a file; with an error the games may move it.
    let file_of = |text: &str| {
        let file = path("anchors.toml");
        std::fs::write(&file, text).unwrap();
        file
    };
    let from_file = fine(&["rate", &path("out/games.jsonl"), "--anchors", &file_of("[anchors]\na = 2000\n")]);
    assert_eq!(from_file, anchored);
    let soft = ["rate", &path("out/games.jsonl"), "--anchors", &file_of("[anchors]\na = \"2000±50\"\nb = 1500.0\n")];
    assert!(!fine(&soft).contains("2000.0"));
    for (text, part) in [
        ("", "no table [anchors]"),
        ("[anchors]\n", "no table [anchors]"),
        ("a = 2000\n", "unknown 'a'; only a table [anchors] is read"),
        ("[anchors]\nx = 1\n", "no games of 'x'"),
        ("[anchors]\na = true\n", "anchors.a: write an Elo"),
        ("[anchors]\na = \"high\"\n", "'high' is no number"),
        ("[anchors\n", "anchors.toml"),
    ] {
        let refused = runner(&["rate", &path("out/games.jsonl"), "--anchors", &file_of(text)]);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && errors.contains(part), "{text}: {errors}");
    }
    for (anchors, part) in [
        (vec!["--anchor", "x=1"], "no games of 'x'"),
        (vec!["--anchor", "a"], "write NAME=ELO"),
        (vec!["--anchor", "a=1", "--anchor", "a=2"], "anchored twice"),
    ] {
        let refused = runner(&[&["rate", &file], anchors.as_slice()].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(part), "{}", text(&refused.stderr));
    }
    let missing = runner(&["rate", "no-such-file"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("no-such-file: No such file"));
}

// 44: two machines' journals of one match, on one of which the second player loses most games on time.
#[test]
fn a_bad_machine_is_flagged() {
    let folder = tempfile::tempdir().unwrap();
    let journal = |name: &str, late: usize| {
        let mut text = String::new();
        for game in 0..400 {
            let (white, black) = if game % 2 == 0 { ("a", "b") } else { ("b", "a") };
            let is_late = game * 7 % 100 < late;
            let (result, end) = match (is_late, white) {
                (true, "a") => ("1-0", r#"{"kind":"forfeit","fault":{"kind":"time"}}"#),
                (true, _) => ("0-1", r#"{"kind":"forfeit","fault":{"kind":"time"}}"#),
                _ => (["1-0", "0-1", "1/2-1/2"][game * 11 % 3], r#"{"kind":"played"}"#),
            };
            let (pair, moves) = (game / 2, format!("e2e4 {game}{name}"));
            let _ = writeln!(
                text,
                r#"{{"white":"{white}","black":"{black}","result":"{result}","pair":{pair},"moves":"{moves}","end":{end}}}"#
            );
        }
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (north, south, bad) = (journal("north", 0), journal("south", 1), journal("bad", 60));
    let told = fine(&["rate", &north, &south, &bad, "--shards"]);
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    let flags: Vec<bool> = [&north, &south, &bad]
        .map(|path| {
            let name = path.rsplit('/').next().unwrap();
            told.lines().find(|line| line.contains(&format!("/{name} "))).unwrap().ends_with('!')
        })
        .to_vec();
    assert_eq!(flags, [false, false, true], "{told}");
    assert!(told.contains("1200 games.") && told.contains("Without it:") && told.contains("800 games."), "{told}");
    let list: serde_json::Value =
        serde_json::from_str(&fine(&["rate", &north, &south, &bad, "--shards", "--json"])).unwrap();
    assert_eq!((&list["games"], &list["without_flagged"]["games"]), (&1200.into(), &800.into()));
    assert_eq!((&list["shards"][2]["flagged"], &list["shards"][2]["faults"]), (&true.into(), &240.into()));
    // Sound machines are no alarm, one file alone is no test, and PGN has no pairs of this kind.
    let sound = fine(&["rate", &north, &south, "--shards"]);
    assert!(!sound.contains('!') && sound.contains("faults"), "{sound}");
    for (files, part) in
        [(vec![&north], "at least two journals"), (vec![&north, &pgn(&folder)], "journals (games.jsonl) only")]
    {
        let files: Vec<&str> = files.into_iter().map(String::as_str).collect();
        let refused = runner(&[&["rate", "--shards"], files.as_slice()].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(part), "{}", text(&refused.stderr));
    }
}

/// A file of two games.
fn pgn(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("two.pgn");
    let game = |white, black, result| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    std::fs::write(&path, game("a", "b", "1-0") + &game("b", "c", "1/2-1/2")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn resampling_and_the_matrix_of_confidences() {
    let folder = tempfile::tempdir().unwrap();
    let file = pgn(&folder);
    let told = fine(&["rate", &file, "--bootstrap", "50", "--matrix"]);
    assert_eq!(told, fine(&["rate", &file, "--matrix", "--bootstrap", "50"]));
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    assert!(told.contains("95 % intervals of 50 times") && told.matches(" to ").count() >= 3, "{told}");
    assert!(told.contains("Confidence in %"), "{told}");
    let list: serde_json::Value =
        serde_json::from_str(&fine(&["rate", &file, "--bootstrap", "50", "--matrix", "--json"])).unwrap();
    for (row, player) in list["players"].as_array().unwrap().iter().enumerate() {
        let [low, high] = [0, 1].map(|end| player["bootstrap95"][end].as_f64().unwrap());
        assert!(low <= high);
        assert!(list["los"][row][row].is_null());
        for column in (0..3).filter(|&column| column != row) {
            let [one, other] = [(row, column), (column, row)].map(|(a, b)| list["los"][a][b].as_f64().unwrap());
            assert!((one + other - 1.0).abs() < 1e-9);
        }
    }
    // More players than columns fit.
    let many = folder.path().join("many.pgn");
    let game = |white| format!("[White \"{white}\"]\n[Black \"0\"]\n[Result \"1-0\"]\n\n1-0\n\n");
    std::fs::write(&many, (1..30).map(game).collect::<String>()).unwrap();
    let told = fine(&["rate", many.to_str().unwrap(), "--matrix"]);
    assert!(told.lines().all(|line| line.chars().count() <= 80) && told.matches("Confidence").count() == 3, "{told}");
    assert_eq!(runner(&["rate", &file, "--bootstrap", "0"]).status.code(), Some(2));
}

/// A million games of a hundred players; the goal for an optimized build is two seconds.
#[test]
fn a_million_games_are_rated_in_seconds() {
    let mut pgn = String::with_capacity(120 << 20);
    let mut random = 1u64;
    for game in 0..1_000_000u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (white, black) = ((random >> 33) % 100, (random >> 43) % 99);
        let black = if black >= white { black + 1 } else { black };
        let result = if (random >> 53) % 100 < 50 + white / 4 - black / 4 { "1-0" } else { "0-1" };
        let _ = writeln!(
            pgn,
            "[White \"Player {white}\"]\n[Black \"Player {black}\"]\n[Round \"1.{}\"]\n[Result \"{result}\"]\n",
            game + 1
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, pgn).unwrap();
    let began = Instant::now();
    let table = fine(&["rate", path.to_str().unwrap()]);
    assert!(table.contains("1000000 games."), "{table}");
    // The tests' build is hardly optimized and shares its machine, so this only says that nothing hangs.
    assert!(began.elapsed().as_secs() < 90, "{:?}", began.elapsed());
}

#[test]
fn lists() {
    assert!(fine(&["list", "rules"]).lines().any(|line| line.starts_with("scottish ")));
    assert!(fine(&["list", "players"]).starts_with("Full  "));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("suite"), "; head\ne2e4\nd2d4 d7d5,e7e6\n").unwrap();
    let openings = fine(&["list", "openings", &path("suite")]);
    assert_eq!(openings, "    2  position startpos moves e2e4\n    3  position startpos moves d2d4 d7d5,e7e6\n");
    std::fs::write(path("plan"), format!("{QUICK}{}{}", stub("a", &[]), stub("b", &[]))).unwrap();
    assert!(fine(&["list", "players", &path("plan")]).starts_with("a                        nodes 100 "));
    assert_eq!(fine(&["list", "games", &path("plan")]), "     1  a - b\n     2  b - a\n");
}
