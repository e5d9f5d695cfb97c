//! `games stats`, `games explore` and `openings balance`, black box.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(args: &[&str], files: &[&Path]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo-runner"));
    let Output { status, stdout, stderr } = command.arg("games").args(args).args(files).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

const PGN: &str = "\
1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0

[Variant \"Scottish Progressive\"]

1. e3 2. f6 g5 3. Qh5# 1-0

1. e4 2. Nf6 e5 3. a3 b3 c3 0-1

1. e4 2. e5 e6 *

[Termination \"time forfeit\"]

1. e4 2. d5 Nc6 1/2-1/2
";

const JOURNAL: &str = "{\"v\":1,\"id\":0,\"rules\":\"italian\",\"moves\":\"e2e4 e7e5,g8f6 f1c4,d1h5,h5f7\",\"result\":\"1-0\",\
    \"end\":{\"kind\":\"played\",\"result\":\"1-0\",\"reason\":\"mate\"}}\n";

/// A folder with both files.
fn files() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, journal) = (folder.path().join("some.pgn"), folder.path().join("games.jsonl"));
    std::fs::write(&pgn, PGN).unwrap();
    std::fs::write(&journal, JOURNAL).unwrap();
    (folder, pgn, journal)
}

#[test]
fn stats_of_two_files() {
    let (_folder, pgn, journal) = files();
    let (code, out, errors) = run(&["stats"], &[&pgn, &journal]);
    assert_eq!(code, Some(0), "{errors}");
    for part in [
        "italian: 4 games\nWhite won 2, drawn 1, Black won 1, unfinished 0\nWhite scores 62.5 % (95 %: ",
        "on average 2.8 turns, 5.2 moves\n",
        "last turn              games    White    drawn    Black     open\n\
         2                          1        0        1        0        0\n\
         3                          3        2        0        1        0\n",
        "mate                       2        2        0        0        0\n\
         agreed or resigned         1        0        0        1        0\n\
         time forfeit               1        0        1        0        0\n",
        "scottish: 1 games\n",
        "left out: 0 of other rule sets, 1 unreadable\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(errors.contains("some.pgn: game 4 line 9 turn 2 leg 2: 'e6'"), "{errors}");
    assert!(errors.contains("warning: 1 games cannot be read"), "{errors}");
    let (_, out, _) = run(&["stats", "--json", "--rules", "scottish"], &[&pgn, &journal]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["other_rules"], &value["rules"]["scottish"]["white"]), (&1.into(), &2.into()), "{value}");
}

#[test]
fn explore_merges_orders_and_proves_losses() {
    let (_folder, pgn, journal) = files();
    let (code, out, errors) = run(&["explore", "--position", "e2e4"], &[&pgn, &journal]);
    assert_eq!(code, Some(0), "{errors}");
    let expected = "\
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2
italian, turn 2, Black to move: 4 of 4 games, 2 distinct series
   games  score      won    drawn     lost  next   series
       3  33.3%        1        0        2  loses  2.e5 Nf6 (and 1 other orders), 3.Bc4 Qh5 Qxf7#
       1  50.0%        0        1        0  safe   2.d5 Nc6
";
    assert_eq!(out, expected);
    let (_, out, _) = run(&["explore", "--json", "--top", "1", "--position", "e2e4 g8f6,e7e5"], &[&journal, &pgn]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["games"], &value["distinct"]), (&3.into(), &2.into()), "{value}");
    assert_eq!(value["played"].as_array().unwrap().len(), 1);
    let first = &value["played"][0];
    assert_eq!((&first["series"], &first["known"]), (&"f1c4,d1h5,h5f7".into(), &"wins".into()), "{value}");
}

/// A suite of four openings, the last of them a longer form of the third, and games: White wins all after the first, 1.5 of 4 after the second (once by
/// other moves), the third has one game that counts, the fourth a lost one; another game has none of them.
const SUITE: &str = "; Four openings.\ne2e4 a7a6,h7h6 ; the first\nd2d4 a7a6,h7h6\n  c2c4 a7a6,h7h6 ; safe d2d4\n\
                     c2c4 a7a6,h7h6 a2a3,b2b3,c1b2\n";
const PLAYED: &str = "\
1. e4 2. a6 h6 3. a3 b3 c3 1-0

1. e4 2. a6 h6 3. a3 b3 d3 1-0

1. e4 2. h6 a6 3. a3 b3 h3 1-0

1. e4 2. h6 a6 3. a3 b3 h4 1-0

1. d4 2. a6 h6 3. a3 b3 c3 1-0

1. d4 2. a6 h6 3. a3 b3 e3 0-1

1. d4 2. a6 h6 3. a3 b3 g3 1/2-1/2

1. d4 2. h6 a6 3. a3 b3 h3 0-1

1. c4 2. a6 h6 3. a3 b3 h3 1/2-1/2

1. c4 2. a6 h6 3. a3 b3 h4 *

1. c4 2. a6 h6 3. b3 Bb2 a3 4. a5 b6 c6 d6 0-1

1. f4 2. a6 h6 3. a3 b3 h3 1-0
";

fn balance(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    std::fs::write(folder.join("suite.txt"), SUITE).unwrap();
    std::fs::write(folder.join("played.pgn"), PLAYED).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo-runner"));
    command.current_dir(folder).args(["openings", "balance", "suite.txt", "--out", "even.txt"]);
    if !more.contains(&"--games") {
        command.args(["--games", "played.pgn"]);
    }
    let Output { status, stderr, .. } = command.args(more).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn openings_that_give_both_colors_a_chance_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let even = || std::fs::read_to_string(folder.path().join("even.txt")).unwrap();
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect::<Vec<_>>();
    let (code, errors) = balance(folder.path(), &["--least", "4"]);
    assert_eq!(code, Some(0), "{errors}");
    let told = "1 of 4 openings kept; 1 of the 2 with 4 games or more give one color 85 % or more; games left out: 1 of other openings, 0 of other \
                rule sets, 1 without a result";
    assert!(errors.contains(told), "{errors}");
    assert_eq!(lines(&even()), ["d2d4 a7a6,h7h6"]);
    assert!(even().contains("White scored 37.5 % in 4 games that began with them"), "{}", even());
    assert!(even().contains(
        "openings balance suite.txt --games played.pgn --rules italian --within 0.2 --least 4 --out even.txt"
    ));
    // The whole line is kept, comment and all, in the order of the suite, though the last is the most even. The longest opening counts: not
    // all games after 1.c4 are of the short one.
    let (code, errors) = balance(folder.path(), &["--least", "1", "--rules", "scottish"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(lines(&even()), ["d2d4 a7a6,h7h6", "c2c4 a7a6,h7h6 ; safe d2d4"]);
    // A limit belongs to what is kept.
    assert_eq!(balance(folder.path(), &["--least", "1", "--within", "0.125"]).0, Some(0));
    assert_eq!(lines(&even()).len(), 2);
    assert_eq!(balance(folder.path(), &["--least", "1", "--within", "0.5", "--count", "1"]).0, Some(0));
    assert_eq!(lines(&even()), ["c2c4 a7a6,h7h6 ; safe d2d4"], "the most even");
    // A journal says which opening a game had.
    let game = |book: u32| {
        format!(
            "{{\"rules\":\"italian\",\"book\":{book},\"moves\":\"c2c4 a7a6,h7h6 a2a3,b2b3,c1b2\",\"end\":{{\"kind\":\"played\",\"result\":\"1/2-1/2\",\"reason\":\"stalemate\"}}}}\n"
        )
    };
    for (book, kept) in [(2, "c2c4 a7a6,h7h6 ; safe d2d4"), (3, "c2c4 a7a6,h7h6 a2a3,b2b3,c1b2")] {
        std::fs::write(folder.path().join("games.jsonl"), game(book)).unwrap();
        let (code, errors) = balance(folder.path(), &["--least", "1", "--games", "games.jsonl"]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(lines(&even()).contains(&kept.to_owned()), "{book}: {}", even());
        assert_eq!(lines(&even()).len(), 1, "{book}: {}", even());
    }
    let (code, errors) = balance(folder.path(), &["--rules", "scottish", "--games", "games.jsonl"]);
    assert!(
        code == Some(2) && errors.contains("no game to count in these files (1 of other rule sets: see --rules)"),
        "{errors}"
    );
    let before = even();
    for (more, why) in [
        (
            &["--least", "5"][..],
            "suite.txt: none has 5 games (--least) and a score within 0.2 of a half (--within); the most of one is 4 games; games left out: 1 of other openings",
        ),
        (&["--within", "0.6"], "--within: 0.6; from 0 to 0.5"),
        (&["--rules", "circe-x"], "--rules: unknown 'circe-x'"),
    ] {
        let (code, errors) = balance(folder.path(), more);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(why), "{errors}");
    }
    assert_eq!(even(), before, "a failed command leaves the file alone");
}

#[test]
fn what_is_wrong_is_named_with_the_way_out() {
    let (folder, pgn, journal) = files();
    let empty = folder.path().join("empty.pgn");
    std::fs::write(&empty, "").unwrap();
    let missing = folder.path().join("missing.pgn");
    for (args, files, why) in [
        (&["stats"][..], &[empty.as_path()][..], "empty.pgn: no game in it; expected games.jsonl"),
        (&["stats"], &[&missing], "missing.pgn: "),
        (&["stats", "--rules", "crazyhouse"], &[&pgn], "unknown 'crazyhouse'; one of italian"),
        (&["stats", "--rules", "circe"], &[&journal], "1 of other rule sets: see --rules"),
        (&["explore", "--position", "e2e5"], &[&pgn], "--position: "),
        (&["explore", "--position", "e2e4 e7e5"], &[&pgn], "turn 2 ends after 1 moves, but 1 more are due"),
        (&["explore", "--position", "e2e4 e7e5,g8f6 f1c4,d1h5,h5f7"], &[&pgn], "--position: "),
        (&["stats"], &[], "FILE"),
    ] {
        let (code, out, errors) = run(args, files);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}: {errors}");
        assert!(errors.contains(why), "{args:?}: {errors}");
    }
}
