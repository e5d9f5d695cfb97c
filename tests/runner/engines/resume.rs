//! Runs that go on after whatever ended them: each game exactly once, and the results of a run that nothing ended.

use super::support::{Done, QUICK, RUNNER, Run, STUB, stub, tournament};
use crescendo_runner::record::GameRecord;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

/// Twenty pairs at four games a time by engines that need a few milliseconds for a series, and sometimes die.
fn plan() -> String {
    let head = QUICK.replace("seed = 1\nconcurrency = 1", "seed = 1\nrounds = 20\nconcurrency = 4");
    format!("{head}{}{}", stub("a", &["seed=1", "late=4"]), stub("b", &["seed=2", "late=4", "mate"]))
}

fn resume(folder: &Path, flags: &[&str]) -> Output {
    Command::new(RUNNER).args(["resume", "out"]).args(flags).current_dir(folder).output().unwrap()
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

type Row = (u64, String, String, String, u64);

fn rows(done: &Done) -> Vec<Row> {
    done.games().into_iter().map(|game| (game.id, game.white, game.moves, game.result, game.seed)).collect()
}

/// What two runs must agree on, but for the order in which games ended.
fn same(done: &Done, whole: &Done) {
    assert_eq!(rows(done), rows(whole));
    assert_eq!(done.text("out/result.json"), whole.text("out/result.json"));
    let sorted = |done: &Done| {
        let text = done.text("out/games.pgn");
        let mut games: Vec<String> = text.split("[Event ").map(str::to_owned).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(done), sorted(whole));
}

/// How many random moments; many in the long tier.
fn moments() -> u32 {
    let default = if cfg!(feature = "long") { 30 } else { 5 };
    std::env::var("CRESCENDO_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

// 54, 55, 57, 59, 60: killed again and again, by signals that ask and by the one that does not.
#[test]
fn a_run_killed_at_random_moments_ends_like_one_that_was_not() {
    let whole = Run::start(&plan()).finish();
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    let span = u64::try_from(whole.took.as_millis()).unwrap().clamp(100, 3000);
    let (mut random, mut folder, mut interrupted) = (2_463_534_242u32, None, 0);
    for moment in 0..moments() {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let mut run = Run::start_in(folder.take(), &plan(), &["--resume"]);
        std::thread::sleep(Duration::from_millis(u64::from(random) % (span * 2 / 3)));
        if !run.is_over() {
            super::support::signal(run.pid(), ["KILL", "INT", "KILL", "TERM"][moment as usize % 4]);
            interrupted += 1;
        }
        let done = run.finish();
        assert!(matches!(done.code, None | Some(0 | 130 | 143)), "{:?} {}", done.code, done.err);
        folder = Some(done.folder);
    }
    assert!(interrupted > 0);
    let done = Run::start_in(folder, &plan(), &["--resume"]).finish();
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(done.games().len(), 40);
    same(&done, &whole);
}

// 57: who meets whom depends on results, and yet a killed run goes on as if nothing had happened.
#[test]
fn formats_in_stages_survive_kills() {
    let players: String = (1..=5).map(|n| stub(&format!("p{n}"), &[&format!("seed={n}"), "late=4"])).collect();
    for (format, table) in [
        ("knockout", "[knockout]\nextra = 2\n"),
        ("swiss", "[swiss]\nrounds = 3\n"),
        ("adaptive", "[adaptive]\nmax_games = 40\n"),
    ] {
        let head = QUICK.replace("concurrency = 1", "rounds = 1\nconcurrency = 3");
        let plan = format!("format = \"{format}\"\n{head}{table}{players}");
        let whole = Run::start(&plan).finish();
        assert_eq!(whole.code, Some(0), "{}", whole.err);
        let (mut folder, mut interrupted) = (None, 0);
        for (moment, share) in [3, 1, 2].into_iter().enumerate() {
            let mut run = Run::start_in(folder.take(), &plan, &["--resume"]);
            std::thread::sleep(whole.took * share / 8);
            if !run.is_over() {
                super::support::signal(run.pid(), ["KILL", "INT"][moment % 2]);
                interrupted += 1;
            }
            folder = Some(run.finish().folder);
        }
        assert!(interrupted > 0);
        let done = Run::start_in(folder, &plan, &["--resume"]).finish();
        assert_eq!(done.code, Some(0), "{format}: {}", done.err);
        same(&done, &whole);
    }
}

// 60, 61: no room on the disk in the middle of a line: exit code 4 and the path; with room again, the run goes on.
#[test]
fn a_full_disk_ends_the_run_and_room_lets_it_go_on() {
    let whole = Run::start(&plan()).finish();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), plan()).unwrap();
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" run plan.toml --out out";
    let output = Command::new("sh").args(["-c", script, RUNNER]).current_dir(folder.path()).output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{err}");
    assert!(err.contains("out/games.jsonl: ") && err.contains("what was written before is whole"), "{err}");
    let journal = std::fs::read(folder.path().join("out/games.jsonl")).unwrap();
    assert_ne!(journal.last(), Some(&b'\n'), "the test means to tear a line");
    let done = Run::start_in(Some(folder), &plan(), &["--resume"]).finish();
    assert_eq!(done.code, Some(0), "{}", done.err);
    same(&done, &whole);
}

#[test]
fn a_full_disk_under_another_output_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("out/games.pgn")).unwrap();
    let done = Run::start_in(Some(folder), &plan(), &[]).finish();
    assert_eq!(done.code, Some(4));
    assert!(done.err.contains("out/games.pgn: No space left on device"), "{}", done.err);
}

// 58: what has changed is refused, and named.
#[test]
fn a_changed_plan_engine_or_suite_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::copy(STUB, path("engine")).unwrap();
    std::fs::write(path("suite.txt"), "e2e4\nd2d4\n").unwrap();
    let plan = format!("{QUICK}[openings]\nfile = \"suite.txt\"\n{}", stub("a", &[]) + &stub("b", &[]));
    std::fs::write(path("plan.toml"), plan.replacen(STUB, "./engine", 1)).unwrap();
    let run = |flags: &[&str]| {
        let mut command = Command::new(RUNNER);
        command.args(["run", "plan.toml", "--out", "out"]).args(flags).current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(resume(folder.path(), &[]).status.code(), Some(2));
    assert!(text(&resume(folder.path(), &[]).stderr).contains("out: no run to go on with"));
    let fine = |output: Output| assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    fine(run(&["--seed", "5"]));
    // A run that is whole has nothing to play, and says the same again.
    fine(resume(folder.path(), &["--concurrency", "2"]));
    let refused = |output: Output, part: &str| {
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(part) && err.contains("since the run began"), "{err}");
    };
    refused(run(&["--resume", "--seed", "6"]), "the seed has changed from 5 to 6");
    refused(run(&["--resume", "--rounds", "3"]), "the number of rounds has changed from 1 to 3");
    for (name, old) in ["engine", "suite.txt", "plan.toml"].map(|name| (name, std::fs::read(path(name)).unwrap())) {
        std::fs::write(path(name), [old.as_slice(), b"\n"].concat()).unwrap();
        refused(resume(folder.path(), &[]), &format!("{name} has changed"));
        refused(run(&["--resume"]), &format!("{name} has changed"));
        std::fs::write(path(name), old).unwrap();
        fine(resume(folder.path(), &[]));
    }
    std::fs::write(path("out/plan.toml"), "rounds = 3\n").unwrap();
    refused(resume(folder.path(), &[]), "out/plan.toml has changed");
}

// 9, 55: games that were not played, for want of an engine, are played when it is there; those with a result are not.
#[test]
fn games_without_a_result_are_played_again() {
    let head = QUICK.replace("start = 10", "start = 1.5");
    let plan = format!("{head}{}{}{}", stub("a", &[]), stub("b", &[]), stub("late", &["no-readyok-if=FOLDER/mute"]));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mute"), "").unwrap();
    let first = Run::start_in(Some(folder), &plan, &[]).finish();
    assert_eq!(first.code, Some(5), "{}", first.err);
    assert!(first.err.contains("to go on: crescendo-runner resume out"), "{}", first.err);
    std::fs::remove_file(first.folder.path().join("mute")).unwrap();
    let before: Vec<_> = first.games().into_iter().filter(|game| game.result != "*").collect();
    assert_eq!(before.len(), 2);
    let second = Run::start_in(Some(first.folder), &plan, &["--resume"]).finish();
    assert_eq!((second.code, second.games().len()), (Some(0), 6), "{}", second.err);
    assert!(second.games().iter().all(|game| game.result != "*"));
    assert!(before.iter().all(|game| second.games().contains(game)));
}

// 56: a journal of another tournament is no past of this one.
#[test]
fn a_foreign_journal_is_refused() {
    let first = Run::start(&format!("{QUICK}{}{}", stub("a", &[]), stub("b", &[]))).finish();
    let path = first.folder.path().join("out/games.jsonl");
    let foreign = std::fs::read_to_string(&path).unwrap().replace("\"white\":\"a\"", "\"white\":\"x\"");
    std::fs::write(&path, foreign).unwrap();
    let output = resume(first.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("games.jsonl:1: not a game of this tournament"));
}

// 75: three machines play the parts of one plan; together they have played what one would, and the files can be rated as one.
#[test]
fn slices_of_a_plan_are_the_plan() {
    let plan = |name: &str| {
        format!(
            "name = \"{name}\"\nrounds = 5\n{QUICK}{}{}{}",
            stub("a", &[]),
            stub("b", &["seed=2"]),
            stub("c", &["mate"])
        )
    };
    let whole = tournament(&plan("x"));
    let mut parts = Vec::new();
    let mut folders = Vec::new();
    for number in 1..=3 {
        let slice = format!("{number}/3");
        let run = Run::start_in(None, &plan("x"), &["--slice", &slice]).finish();
        assert_eq!(run.code, Some(0), "{}", run.err);
        parts.extend(run.games());
        // Going on plays nothing, and only the same part can be gone on with.
        let again = Run::start_in(Some(run.folder), &plan("x"), &["--resume"]).finish();
        assert_eq!((again.code, again.games().len()), (Some(0), 10), "{}", again.err);
        let other = Run::start_in(Some(again.folder), &plan("x"), &["--resume", "--slice", "1/2"]).finish();
        assert!(other.code == Some(2) && other.err.contains("the slice has changed from"), "{}", other.err);
        folders.push(other.folder);
    }
    parts.sort_by_key(|game| game.id);
    let told =
        |games: &[GameRecord]| games.iter().map(|game| (game.id, game.seed, game.moves.clone())).collect::<Vec<_>>();
    assert_eq!(told(&parts), told(&whole.games()));
    let files: Vec<_> = folders.iter().map(|folder| folder.path().join("out/games.jsonl")).collect();
    let rated = std::process::Command::new(RUNNER).args(["rate", "--shards"]).args(&files).output().unwrap();
    let text = String::from_utf8_lossy(&rated.stdout);
    assert!(rated.status.success() && text.contains("30 games.") && !text.contains('!'), "{text}");
    for (head, part) in [("format = \"knockout\"\nseed = 1\n", "depends on all results"), ("", "needs a seed")] {
        let plan = format!("{head}{}{}{}", QUICK.replace("seed = 1\n", ""), stub("a", &[]), stub("b", &[]));
        let refused = Run::start_in(None, &plan, &["--slice", "1/2"]).finish();
        assert!(refused.code == Some(2) && refused.err.contains(part), "{}", refused.err);
    }
}
