//! `crescendo analyze` on small games. Scores are the search's business; held here is what is proved, and that nodes make it the same every time.

use super::client::ENGINE;
use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::movelist::play_items;
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::notation::pgn::{Nag, PgnGame};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::Rules;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/analyze.pgn");

/// Runs the command with this standard input: exit code, output, errors.
fn analyze(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    run(&[&["analyze"], args].concat(), input)
}

fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(ENGINE);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the engine starts");
    // It may be gone before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(args: &[&str], input: &str) -> Vec<Value> {
    let (code, out, errors) = analyze(&[&["--json", "--nodes", "60000"], args].concat(), input);
    assert_eq!(code, Some(0), "{errors}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays series from the start of a turn and tells how the game then stands.
fn outcome(rules: &str, turn: &Value, series: &[&Value]) -> Option<String> {
    let entry = fen::read(turn["fen"].as_str().unwrap(), Rules::by_name(rules).unwrap(), Strictness::Strict).unwrap().0;
    let mut game = Game::from_entry(entry);
    play_items(&mut game, series.iter().map(|series| series.as_str().unwrap())).unwrap();
    game.outcome().map(|outcome| outcome.reason().to_owned())
}

#[test]
fn what_is_missed_is_proved() {
    let found = json(&[DATA], "");
    let turns: Vec<&Value> = found.iter().flat_map(|game| game["turns"].as_array().unwrap()).collect();
    let facts: Vec<String> = turns
        .iter()
        .map(|turn| format!("{} {} {} {}", turn["turn"], turn["missed"], turn["played"]["known"], turn["mark"]))
        .map(|text| text.replace('"', ""))
        .filter(|text| !text.contains("null safe"))
        .collect();
    let expected = [
        // A published game: White lets Black mate, and need not; Black does.
        "3 refutation lets-mate ??",
        "4 null wins null",
        // A mate left, and missed.
        "2 refutation lets-mate ??",
        "3 mate lets-mate ??",
        // The draw missed, and found.
        "4 draw lets-mate ??",
        "4 null draws null",
    ];
    assert_eq!(facts, expected);
    for turn in turns {
        let rules = "italian";
        if turn["missed"] == "mate" {
            assert_eq!(outcome(rules, turn, &[&turn["best"]["series"]]).as_deref(), Some("mate"));
        }
        if turn["missed"] == "draw" {
            assert_eq!(outcome(rules, turn, &[&turn["best"]["series"]]).as_deref(), Some("stalemate"));
        }
        if turn["played"]["known"] == "lets-mate" {
            let mate = outcome(rules, turn, &[&turn["played"]["series"], &turn["played"]["reply"]]);
            assert!(matches!(mate.as_deref(), Some("mate" | "italian-mate")), "{turn}");
            assert!(turn["accuracy"].as_f64().unwrap() < 100.0, "{turn}");
        }
    }
}

#[test]
fn accuracy_is_the_mean_of_a_sides_turns() {
    for game in json(&[DATA], "") {
        for color in ["white", "black"] {
            let turns: Vec<f64> = game["turns"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|turn| turn["color"] == color)
                .map(|turn| turn["accuracy"].as_f64().unwrap())
                .collect();
            let mean = turns.iter().sum::<f64>() / turns.len().max(1) as f64;
            match game["accuracy"][color].as_f64() {
                Some(accuracy) => assert!((accuracy - mean).abs() < 0.02, "{game}"),
                None => assert!(turns.is_empty(), "{game}"),
            }
        }
    }
}

#[test]
fn nodes_make_it_the_same_and_forms_of_input_agree() {
    let text = std::fs::read_to_string(DATA).unwrap();
    let all = json(&[DATA], "");
    assert_eq!(all, json(&["-"], &text));
    // The turn that is not complete is not judged.
    assert_eq!(all[4]["turns"].as_array().unwrap().len(), 2);
    let journal = "{\"v\":1,\"id\":0,\"white\":\"Galvin\",\"black\":\"Gordon\",\"rules\":\"italian\",\
        \"moves\":\"d2d4 c7c5,c5d4 e2e4,f1d3,e1e2 d4e3,d8c7,c7f4,f4f2\",\"result\":\"0-1\",\"end\":{}}\n{\"torn";
    assert_eq!(json(&["-"], journal), all[..1]);
}

#[test]
fn text_keeps_to_80_columns() {
    let (code, out, errors) = analyze(&["--nodes", "60000", DATA], "");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    for part in [
        "Game 1: Galvin - Gordon 0-1, italian\n",
        "3.e4 Bd3 Ke2 ??\n",
        "lets the opponent mate by 4.dxe3 Qc7 Qf4 Qxf2# (proved)",
        "missed mate: 3.Bc4 Qh5 Qxf7# (proved)",
        "draws by stalemate (proved)",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn pgn_with_comments_is_read_again() {
    let (code, out, _) = analyze(&["--nodes", "60000", "--pgn", DATA], "");
    assert_eq!(code, Some(0));
    let italian = Rules::by_name("italian").unwrap();
    let read: Vec<_> = games(&out, italian).map(|game| game.expect("a game")).collect();
    assert_eq!(read.len(), 5);
    // What is proved; a `?` is the search's judgment.
    let blunders = |nags: &[Nag]| nags.iter().filter(|nag| nag.code == 4).map(|nag| nag.after).collect();
    let found: Vec<Vec<usize>> = read.iter().map(|game| blunders(&game.nags)).collect();
    assert_eq!(found, [vec![6], vec![3, 6], vec![4], vec![], vec![]]);
    assert!(read[1].comments.iter().any(|comment| comment.after == 1 && comment.text == "best by test"));
    assert!(read.iter().all(|game| game.comments.last().unwrap().text.starts_with("Accuracy: ")));
    let again: String = read.iter().map(PgnGame::canonical).collect();
    assert_eq!(again, out);
}

#[test]
fn time_instead_of_nodes() {
    let (code, out, _) = analyze(&["--time", "0.05", "--json", "-"], "1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0");
    let game: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, game["turns"].as_array().unwrap().len(), &game["seconds"]), (Some(0), 3, &Value::from(0.05)));
}

#[test]
fn what_cannot_be_read() {
    let (code, out, errors) = analyze(&["--nodes", "1000", "-"], "1. e4 2. e5 e6 *\n\n1. e4 2. e5 d6 *\n");
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.starts_with("Game 1: ? - ? *, italian\n"), "{out}");
    assert!(errors.contains("-: game 1 line 1 turn 2 leg 2: 'e6'"), "{errors}");
    assert!(errors.contains("1 games analyzed, 1 left out"), "{errors}");
    for (args, input, why) in [
        (&["-"][..], "", "no game that can be read"),
        (&["-"], "{\"v\":1}\n", "line 1: missing field"),
        (&["no-such-file.pgn"], "", "no-such-file.pgn: "),
        (&["--nodes", "x", "-"], "", "--nodes"),
        (&["--json", "--pgn", "-"], "", "cannot be used with"),
        (&["--rules", "crazyhouse", "-"], "", "not one of"),
    ] {
        let (code, out, errors) = analyze(args, input);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(errors.contains(why), "{args:?}: {errors}");
    }
}

#[test]
fn study_of_the_check_rules() {
    // A game of two levels: the only parry of Black's last check gives check itself.
    let journal = "{\"white\":\"a\",\"black\":\"b\",\"rules\":\"italian\",\"moves\":\"f2f3 f7f5,b7b5 e2e4,f1b5,e4f5 \
        e7e6,f8c5,c5g1,g1h2 h1h2,f5f6,f6g7,g7h8q,h8h7 d8g5,g5g2,b8c6,c6e5,e8f8,e5f3\",\"result\":\"0-1\"}\n";
    let (code, out, errors) = run(&["study", "rules", "--each", "-", DATA], journal);
    assert_eq!(code, Some(0), "{errors}");
    let expected = "-: r1b2kn1/p1pp3Q/4p3/1B6/8/5n2/PPPP2qR/RNBQK3 w Q - 0 7: 1 parry, a mate follows\n\
        games under rules with the Italian check: 6\nmates: 2 (33.3 %)\nItalian mates: 1 (50.0 %), in 1 positions\n";
    assert!(out.starts_with(expected), "{out}");
    let (code, out, _) = run(&["study", "rules", "--nodes", "0", "-"], journal);
    assert_eq!(code, Some(3), "{out}");
    assert_eq!(run(&["study", "rules", "no-such-file"], "").0, Some(2));
}
