//! No engine outlives the runner, and no engine holds up its end.

use super::support::{QUICK, Run, all_gone, eventually, is_alive, pids, signal, stub};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Starts a run whose engines think for long, write down their numbers and do not go by themselves; waits until they think.
fn stubborn(extra: &[&str]) -> (Run, Vec<u32>) {
    let mut modes = vec!["never-move", "ignore-eof", "ignore-quit", "pid-file=FOLDER/pids"];
    modes.extend(extra);
    let run =
        Run::start(&format!("{}{}{}", QUICK.replace("turn = 10", "turn = 60"), stub("a", &modes), stub("b", &modes)));
    let path = run.path("pids");
    // One process for the question about options, two to play; each with its grandchild, if there are any.
    let expected = 3 * (1 + extra.len());
    eventually("the engines play", 30, || pids(&path).len() >= expected && run.path("out/games.jsonl").exists());
    std::thread::sleep(Duration::from_millis(300));
    let pids = pids(&path);
    (run, pids)
}

// 48, 49, 50
#[test]
fn an_interrupt_stops_the_run_within_five_seconds_and_scores_nothing() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let (run, pids) = stubborn(&[]);
        let before = std::time::Instant::now();
        signal(run.pid(), name);
        let done = run.finish();
        assert!(before.elapsed() < Duration::from_secs(5), "{:?}", before.elapsed());
        assert_eq!(done.code, Some(code), "{}", done.err);
        assert!(done.games().iter().all(|game| game.result == "*"));
        assert!(done.text("out/games.pgn").is_empty());
        assert_eq!(done.out.matches("player").count(), 1, "{}", done.out);
        all_gone(&pids);
    }
}

#[test]
fn a_second_interrupt_ends_it_at_once() {
    let (run, pids) = stubborn(&[]);
    signal(run.pid(), "INT");
    std::thread::sleep(Duration::from_millis(200));
    signal(run.pid(), "INT");
    let before = std::time::Instant::now();
    assert_eq!(run.finish().code, Some(130));
    assert!(before.elapsed() < Duration::from_millis(800), "{:?}", before.elapsed());
    all_gone(&pids);
}

// 46: also when the runner has no chance to do anything, and grandchildren too.
#[test]
fn a_killed_runner_leaves_nobody_behind() {
    let (run, pids) = stubborn(&["spawn-grandchild"]);
    assert!(pids.iter().filter(|&&pid| is_alive(pid)).count() >= 2);
    signal(run.pid(), "KILL");
    assert_eq!(run.finish().code, None);
    all_gone(&pids);
}

// 18: engines that do not leave are ended, all together and not one after the other.
#[test]
fn engines_that_do_not_quit_are_ended() {
    let modes = ["ignore-quit", "ignore-eof", "pid-file=FOLDER/pids"];
    let plan = format!("{QUICK}{}{}{}", stub("a", &modes), stub("b", &modes), stub("c", &modes));
    let run = Run::start(&plan);
    let path = run.path("pids");
    let done = {
        let mut run = run;
        let mut pids_seen = Vec::new();
        eventually("the run ends", 20, || {
            pids_seen = pids(&path);
            run.is_over()
        });
        all_gone(&pids_seen);
        run.finish()
    };
    assert_eq!((done.code, done.games().len()), (Some(0), 6), "{}", done.err);
    assert!(done.took < Duration::from_secs(15), "{:?}", done.took);
}

/// What a process has open, by number. What the runner itself was started with is among it.
fn open_files(pid: u32) -> Vec<(String, PathBuf)> {
    let folder = std::fs::read_dir(format!("/proc/{pid}/fd"));
    let entries = folder.into_iter().flatten().flatten();
    let named =
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read_link(entry.path())));
    named.filter_map(|(name, target)| Some((name, target.ok()?))).collect()
}

// 47: eight engines at a time hold their own three streams and none of another's, or no engine would ever see the end of its input.
#[test]
fn engines_hold_no_streams_of_each_other() {
    let modes = ["late=1500", "pid-file=FOLDER/pids"];
    let head = QUICK.replace("concurrency = 1", "rounds = 4\nconcurrency = 4");
    let run = Run::start(&format!("{head}{}{}", stub("a", &modes), stub("b", &modes)));
    let path = run.path("pids");
    eventually("eight engines with three streams each", 30, || {
        let alive: Vec<u32> = pids(&path).into_iter().filter(|&pid| is_alive(pid)).collect();
        let files: Vec<_> = alive.iter().map(|&pid| open_files(pid)).collect();
        let streams = files.iter().flatten().filter(|(number, _)| ["0", "1", "2"].contains(&number.as_str()));
        let streams: BTreeSet<&PathBuf> = streams.map(|(_, target)| target).collect();
        let holders = |stream: &Path| files.iter().flatten().filter(|(_, target)| target == stream).count();
        alive.len() == 8 && streams.len() == 24 && streams.iter().all(|stream| holders(stream) == 1)
    });
    signal(run.pid(), "INT");
    let done = run.finish();
    assert_eq!(done.code, Some(130), "{}", done.err);
    all_gone(&pids(&done.folder.path().join("pids")));
}
