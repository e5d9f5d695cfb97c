//! The one-shot commands and their exit codes.

use super::client::ENGINE;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(ENGINE).args(args).stdin(Stdio::null()).output().expect("the engine starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn version_and_help() {
    let (code, out, errors) = run(&["--version"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(out, format!("crescendo {}\n", env!("CARGO_PKG_VERSION")));
    let (code, out, _) = run(&["--help"]);
    assert!(code == Some(0) && ["bench", "perft", "fen"].iter().all(|name| out.contains(name)), "{out}");
}

#[test]
fn every_command_has_help_with_examples_a_page_and_completions() {
    let folder = tempfile::tempdir().expect("a folder");
    crate::help::is_complete(ENGINE, "crescendo", 16, folder.path());
}

#[test]
fn wrong_use() {
    let wrong: [&[&str]; 8] = [
        &["nonsense"],
        &["--nonsense"],
        &["perft"],
        &["perft", "x"],
        &["perft", "100"],
        &["perft", "1", "--rules", "crazyhouse"],
        &["perft", "1", "--fen", "blah"],
        &["fen", "8/8/8/8/8/8/8/8", "w", "-", "-"],
    ];
    for args in wrong {
        let (code, out, errors) = run(args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(!errors.is_empty(), "{args:?}");
    }
}

#[test]
fn perft() {
    let (code, out, _) = run(&["perft", "3"]);
    assert_eq!((code, last_line(&out), out.lines().count()), (Some(0), "Nodes searched: 8902", 22));
    let (_, out, _) = run(&["perft", "2", "--series"]);
    assert_eq!(last_line(&out), "Nodes searched: 8902");
    let (_, out, _) = run(&["perft", "1", "--rules", "logical", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]);
    assert_eq!(last_line(&out), "Nodes searched: 5");
}

#[test]
fn fen() {
    const FULL_MOVES: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let mended = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\n";
    let (code, out, errors) = run(&["fen", FULL_MOVES]);
    assert_eq!((code, out.as_str()), (Some(0), mended));
    assert!(errors.contains("fen-parity"), "{errors}");
    let (code, out, errors) = run(&["fen", "--strict", FULL_MOVES]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(errors.contains("fen-parity"), "{errors}");
    let mut args = vec!["fen"];
    args.extend(mended.split_whitespace());
    assert_eq!(run(&args).1, mended);
    assert_eq!(run(&["fen", "startpos", "--moves", "e2e4"]).1, mended);
    let (code, _, errors) = run(&["fen", "startpos", "--moves", "e2e4 e2e4"]);
    assert!(code == Some(2) && errors.contains("move-illegal: turn 2 leg 1"), "{errors}");
}

#[test]
fn bench_is_a_signature() {
    let signature = |(code, out, _): (Option<i32>, String, String)| {
        assert_eq!(code, Some(0));
        let last = last_line(&out).to_owned();
        assert!(last.strip_prefix("Bench: ").is_some_and(|n| n.parse::<u64>().is_ok_and(|n| n > 0)), "{last}");
        last
    };
    assert_eq!(signature(run(&["bench"])), signature(run(&["bench"])));
}

#[test]
fn a_closed_output_ends_it_quietly() {
    let mut child = Command::new(ENGINE)
        .args(["perft", "3", "--series"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn bench_left_counts_mates_that_were_left() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/analyze.pgn");
    let (code, out, errors) = run(&["bench", "left", data, "--list"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    // Held by hand in the file's own titles: after 2.e5 Nf6 White mates in turn 3, after 3.e4 Bd3 Ke2 Black did.
    for part in [
        "R w KQkq - 0 3\tGalvin\te2e4,f1d3,e1e2\n",
        "R b KQkq - 0 2\tBlack\te7e5,g8f6\n",
        "Galvin: 1 of 2 turns left a mate, 50.0 %; 0 open\n",
        "Gordon: 0 of 1 turns left a mate, 0.0 %; 0 open\n",
        "Galvin: up to turn 4: 1 of 2 turns left a mate, 1 could be avoided\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (_, out, _) = run(&["bench", "left", data, "--player", "Gordon"]);
    assert_eq!(out.lines().count(), 2, "{out}");
    let (_, out, _) = run(&["bench", "left", data, "--opening", "3"]);
    assert!(!out.contains("Galvin") && !out.contains("Gordon"), "{out}");
    assert_eq!(run(&["bench", "left", "nowhere.pgn"]).0, Some(2));
}

#[test]
fn bench_turns_counts_mates_that_are_played() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/old_puzzles.tsv");
    let (code, out, _) = run(&["bench", "turns", data, "--nodes", "1000000"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(last_line(&out).starts_with("3 of 3 mates played, "), "{out}");
    let (code, out, _) = run(&["bench", "turns", data, "--nodes", "1"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(last_line(&out).starts_with("0 of 3 "), "{out}");
}

#[test]
fn bench_turns_plays_the_mates_of_published_games() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/games.tsv");
    let (code, out, _) = run(&["bench", "turns", "--games", data, "--nodes", "1000000"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(last_line(&out).starts_with("5 of 5 mates played, "), "{out}");
    assert!(out.contains("4.dxe3 Qc7 Qf4 Qxf2#"), "{out}");
}
