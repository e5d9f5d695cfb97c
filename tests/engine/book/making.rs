//! `crescendo book make` and `check`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_crescendo");

fn make(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(ENGINE);
    command.args(["book", "make", "--turns", "3", "--lines", "20,2,2", "--nodes", "20000", "--seed", "3", "--out"]);
    command.arg(out).args(more).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn check(file: &Path) -> Output {
    Command::new(ENGINE).args(["book", "check"]).arg(file).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn killed_and_started_again_it_makes_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole.tsv"), folder.path().join("killed.tsv"));
    let done = make(&whole, &[]).output().unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("turn 3: 1 of "), "progress is shown");
    let partial = folder.path().join("killed.tsv.partial");
    // 1. Killed somewhere on the way.
    let mut child = make(&killed, &[]).spawn().unwrap();
    let begun = Instant::now();
    // Read once: the file may come into being between two looks.
    while fs::read_to_string(&partial).unwrap_or_default().matches("\n\n").count() < 5 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no progress");
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // 2. Killed in the middle of a line, too.
    let found = fs::read_to_string(&partial).expect("it was killed before its end");
    let cut = found.trim_end().len() - 20;
    fs::write(&partial, &found[..cut]).unwrap();
    // 3. Other arguments do not go on with it.
    let other = make(&killed, &["--losing", "1"]).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("other arguments"), "{}", text(&other.stderr));
    // 4. The same do, and nothing is left over.
    let again = make(&killed, &[]).output().unwrap();
    assert!(again.status.success() && text(&again.stderr).contains("are done already"), "{}", text(&again.stderr));
    assert_eq!(fs::read_to_string(&killed).unwrap(), fs::read_to_string(&whole).unwrap());
    assert!(!partial.exists());
}

#[test]
fn check_names_every_flaw() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.tsv");
    let made = make(&file, &["--rules", "scottish"]).output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    let fine = check(&file);
    assert_eq!(fine.status.code(), Some(0), "{}", text(&fine.stderr));
    assert!(text(&fine.stdout).ends_with(" 428 of them losing to a mate, 0 flaws\n"), "{}", text(&fine.stdout));
    // A losing series that is called safe, and one of another position that is left out.
    let book = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<String> = book.lines().map(String::from).collect();
    let losing: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].contains("\tloses ")).collect();
    let position = |i: usize| lines[i].split('\t').next().unwrap();
    let elsewhere = *losing.iter().find(|&&i| position(i) != position(losing[0])).unwrap();
    lines[losing[0]] = lines[losing[0]].split("loses").next().unwrap().to_string() + "safe";
    lines.remove(elsewhere);
    fs::write(&file, lines.join("\n")).unwrap();
    let bad = check(&file);
    let said = text(&bad.stderr);
    assert_eq!((bad.status.code(), said.matches("'safe' is not so").count()), (Some(1), 1), "{said}");
    assert_eq!(said.matches("1 losing series are missing").count(), 2, "{said}");
    // What is no book is bad input.
    fs::write(&file, "e2e4").unwrap();
    assert_eq!(check(&file).status.code(), Some(2));
    assert_eq!(check(&folder.path().join("none.tsv")).status.code(), Some(2));
}

#[test]
fn losing_counts_every_distinct_end() {
    let ask =
        |rules: &str, fen: &str| Command::new(ENGINE).args(["book", "losing", "--rules", rules, fen]).output().unwrap();
    for rules in ["italian", "scottish"] {
        let done = ask(rules, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        let out = text(&done.stdout);
        assert!(out.ends_with("138 of 269 distinct ends lose to a mate in the next turn\n"), "{out}");
        assert_eq!(out.lines().count(), 139);
    }
    assert_eq!(ask("italian", "8/8/8/8/8/8/8/8 w - - 0 1").status.code(), Some(2));
}
