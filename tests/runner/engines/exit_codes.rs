//! The exit codes that both programs' help promises, by every kind of failure; a message says what is wrong, and says it once.

use super::support::{QUICK, RUNNER, STUB, stub};
use std::path::Path;
use std::process::Command;

/// Runs the runner in a folder: its exit code and what it complains of.
fn runner(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(RUNNER).args(args).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with a plan, its finished run and files that are none.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("plan.toml", &format!("{QUICK}{}{}", stub("a", &[]), stub("b", &[])));
    write("empty", "");
    write("torn", "{\n");
    assert_eq!(runner(folder.path(), &["run", "plan.toml", "--out", "out", "-q"]).0, Some(0));
    folder
}

#[test]
fn bad_input_is_2_and_is_named() {
    let folder = folder();
    let wrong: [(&[&str], &str); 27] = [
        (&[], "Usage"),
        (&["nonsense"], "nonsense"),
        (&["run"], "<FILE>"),
        (&["run", "none.toml"], "none.toml: No such file"),
        (&["run", "."], "Is a directory"),
        (&["run", "plan.toml", "--out", "out"], "holds a tournament already; go on with it by --resume"),
        (&["resume", "none"], "none: no run to go on with"),
        (&["resume", "plan.toml"], "plan.toml: no run to go on with"),
        (&["report", "none"], "none: no such journal"),
        (&["report", "."], "no such journal"),
        (&["rate"], "<FILE>"),
        (&["rate", "none"], "none: No such file"),
        (&["rate", "empty"], "empty: no game in it"),
        (&["rate", "torn"], "torn:1: EOF"),
        (&["sprt", "--penta", "1,2,3,4,5", "--elo0", "0"], "--elo1"),
        (&["sprt", "none", "--elo0", "0", "--elo1", "5"], "none: No such file"),
        (&["check-engine", "./none"], "no file './none'"),
        (&["list", "players", "none"], "none: No such file"),
        (&["list", "openings", "none"], "none: No such file"),
        (&["games", "stats", "none"], "none: No such file"),
        (&["games", "explore", "out/games.jsonl", "--position", "zz"], "'zz' is no move"),
        (&["openings", "check", "none"], "none: No such file"),
        (&["openings", "make", "--rules", "chess", "--out", "x"], "unknown 'chess'; one of italian"),
        (&["puzzles", "check", "none"], "none: No such file"),
        (&["puzzles", "judge", "--id", "x", "e2e4", "--files", "none"], "none: No such file"),
        (&["calibrate", "people", "none"], "none: No such file"),
        (&["completions", "cmd"], "cmd"),
    ];
    for (args, part) in wrong {
        let (code, said) = runner(folder.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
        assert!(said.matches("(os error").count() <= 1, "{args:?}: {said}");
    }
}

#[test]
fn failed_input_and_output_are_4() {
    let folder = folder();
    let outputs: [(&[&str], &str); 6] = [
        (&["run", "plan.toml", "--out", "/proc/x"], "/proc/x"),
        (&["run", "plan.toml", "--out", "empty/x"], "empty/x"),
        (&["run", "plan.toml", "--out", "events", "--events", "/proc/x"], "/proc/x"),
        (&["report", "out", "--out", "/proc/x.html"], "/proc/x.html"),
        (&["openings", "make", "--count", "1", "--out", "/proc/x"], "/proc/x"),
        (&["man", "/proc/x"], "/proc/x"),
    ];
    for (args, part) in outputs {
        let (code, said) = runner(folder.path(), args);
        assert_eq!(code, Some(4), "{args:?}: {said}");
        assert!(said.contains(part) && said.matches("(os error").count() <= 1, "{args:?}: {said}");
    }
    for command in ["list rules", "rate out/games.jsonl", "--help", "sprt out/games.jsonl --elo0 0 --elo1 5"] {
        let script = format!("exec \"$0\" {command} > /dev/full");
        let output = Command::new("sh").args(["-c", &script, RUNNER]).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(4) && said.contains("standard output: No space left"),
            "{command}: {said}"
        );
    }
}

#[test]
fn verdicts_are_0_1_and_3() {
    let folder = folder();
    for (counts, code) in [("1,2,3,4,5", 3), ("1,2,3,400,500", 0), ("500,400,3,2,1", 1)] {
        let args = ["sprt", "--penta", counts, "--elo0", "0", "--elo1", "5"];
        assert_eq!(runner(folder.path(), &args).0, Some(code), "{counts}");
    }
    assert_eq!(runner(folder.path(), &["check-engine", "--patience", "1", STUB, "null-move"]).0, Some(1));
    // Games that could not be played are missing: 5.
    let plan =
        format!("{}{}{}", QUICK.replace("start = 10", "start = 1"), stub("a", &[]), stub("mute", &["no-readyok"]));
    std::fs::write(folder.path().join("mute.toml"), plan).unwrap();
    let (code, said) = runner(folder.path(), &["run", "mute.toml", "--out", "mute", "-q"]);
    assert!(code == Some(5) && said.contains("to go on: crescendo-runner resume mute"), "{said}");
}
