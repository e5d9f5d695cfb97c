//! `crescendo play`, black box: through a pipe and through a pseudo-terminal.

#![allow(clippy::print_stdout, reason = "a test that is skipped says why")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_crescendo");

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("crescendo-play-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Plays with these arguments and this input.
fn play(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(ENGINE)
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_game_of_two_people_through_a_pipe() {
    let said = text(&play(&["--black", "human"], "e4\r\ne5\nQh9\nNf6\nBc4 Qh5 Qxf7#\nquit\n"));
    assert!(said.contains("White 1, move 1 of 1> "), "{said}");
    assert!(said.contains("'Qh9' is neither a move nor a command"), "{said}");
    assert!(said.ends_with("The game is over: 1-0 mate.\nover> "), "{said}");
    assert!(!said.contains('\x1b') && said.is_ascii(), "no color and no figures off a terminal: {said}");
}

#[test]
fn a_person_and_a_level_of_either_color() {
    let said = text(&play(&["--black", "Novice", "--seed", "5"], "e4\n"));
    assert!(said.contains("Black (Novice) plays 2. "), "{said}");
    let said = text(&play(&["--white", "casual", "--black", "human", "--rules", "scottish", "--board", "unicode"], ""));
    assert!(said.contains("White (Casual) plays 1. "), "{said}");
    // Black's side is at the bottom.
    assert!(said.contains("\n 8  ♜  ♞  ♝  ♚"), "{said}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = || text(&play(&["--white", "Beginner", "--black", "Beginner", "--seed", "3"], ""));
    assert_eq!(game(), game());
}

#[test]
fn full_strength_mates_from_a_position() {
    let fen = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    let said = text(&play(&["--white", "Full", "--black", "human", "--fen", fen], ""));
    assert!(said.contains("The game is over: 1-0 mate."), "{said}");
}

#[test]
fn a_saved_game_is_loaded_and_nothing_is_overwritten() {
    let folder = Folder::new("save");
    let path = folder.file("a game.pgn");
    let said = text(&play(&["--black", "human"], &format!("e4\ne5 Nf6\nsave {path}\nsave {path}\n")));
    assert!(said.contains(&format!("Saved to {path}.")) && said.contains("is there already"), "{said}");
    let pgn = fs::read_to_string(&path).unwrap();
    assert!(pgn.contains("1. e4 2. e5 Nf6 *"), "{pgn}");
    let missing = folder.file("missing.pgn");
    let input = format!("load {missing}\nload {path}\nBc4 Qh5 Qxf7\nsave {}/no/x\n", folder.0.display());
    let said = text(&play(&["--black", "human"], &input));
    assert!(said.contains(&format!("Not loaded: {missing}: ")) && said.contains("Loaded: italian rules."), "{said}");
    assert!(said.contains("1-0 mate") && said.contains("Not saved: "), "{said}");
}

#[test]
fn bad_arguments_are_refused() {
    for args in [["--white", "grandmaster"], ["--rules", "chess"], ["--fen", "8/8 w"], ["--nodes", "0"]] {
        assert_eq!(play(&args, "").status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_reader_who_is_gone_ends_the_game() {
    let mut child = Command::new(ENGINE)
        .args(["play", "--black", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(b"e4\nboard\nboard\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Plays in a pseudo-terminal that Python makes; `None`, with the reason printed, where there is no Python.
fn in_a_terminal(environment: &[(&str, &str)]) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/clients/terminal/play.py");
    let output = Command::new("python3").arg(script).arg(ENGINE).envs(environment.iter().copied()).output();
    match output {
        Err(error) => {
            println!("skipped: python3 makes the pseudo-terminal, and it does not start: {error}");
            None
        }
        Ok(output) => Some(text(&output)),
    }
}

#[test]
fn a_terminal_gets_figures_and_colors() {
    let Some(said) = in_a_terminal(&[("LANG", "C.UTF-8"), ("LC_ALL", "C.UTF-8"), ("TERM", "xterm"), ("NO_COLOR", "")])
    else {
        return;
    };
    assert!(said.contains("\x1b[48;5;180m") && said.contains('♚'), "{said}");
    assert!(said.contains("no knight can go to f4"), "{said}");
    assert!(said.contains("Taken back: 1 move."), "{said}");
    assert!(said.contains("Hint: "), "{said}");
    assert!(said.contains("The game is over: 1-0 mate."), "{said}");
}

#[test]
fn no_color_and_plain_character_sets_are_respected() {
    let Some(said) = in_a_terminal(&[("LC_ALL", "C"), ("TERM", "xterm"), ("NO_COLOR", "1")]) else { return };
    assert!(!said.contains('\x1b') && said.is_ascii(), "{said}");
    assert!(said.contains(" 8  r  n  b  q  k  b  n  r "), "{said}");
}
