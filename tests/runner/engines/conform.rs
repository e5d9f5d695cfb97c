//! `check-engine`: our own engine passes everything, and a fault is found by the step that looks for it.

use super::support::{RUNNER, STUB};
use std::process::{Command, Output};

fn check(args: &[&str]) -> (Output, String) {
    let output = Command::new(RUNNER).arg("check-engine").args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

#[test]
fn our_own_engine_passes_all() {
    let (output, text) = check(&[]);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.lines().count() > 50, "{text}");
    assert!(text.ends_with(" 0 skipped, 0 failed\n"), "{text}");
}

#[test]
fn faults_are_found_and_named() {
    for (mode, step) in [
        ("double-bestmove", "plays a legal first move"),
        ("illegal@1", "plays a legal first move"),
        ("no-readyok", "answers uci with uciok"),
        ("die-on-go", "plays a legal first move"),
        ("no-options", "gives every check"),
    ] {
        let (output, text) = check(&["--patience", "1", STUB, mode]);
        let line = text.lines().find(|line| line.contains(step)).unwrap_or_else(|| panic!("{mode}: {text}"));
        if mode == "no-options" || mode == "double-bestmove" {
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{mode}: {text}");
        assert!(line.contains(" FAIL "), "{mode}: {text}");
    }
    for (command, part) in [("./no-such-engine", "no file './no-such-engine'"), ("/tmp", "is a folder")] {
        let (output, text) = check(&[command]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part) && text.is_empty(), "{said}");
    }
    let (output, _) = check(&["--rules", "chess"]);
    assert_eq!(output.status.code(), Some(2));
}
