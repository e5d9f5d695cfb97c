//! The runner's own processor time for an exchange with engines in child processes: one `go` and its `bestmove`, the series
//! refereed leg by leg, everything that a run writes included.
//!
//! Plays a match of two stubs that answer at once with a random legal series, 2,000 games of at most 8 turns at two a time, and
//! reads off the kernel what the runner's process has used, without its children. `--games N` and `--concurrency N` play others.

#![allow(clippy::print_stdout)]

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNNER: &str = env!("CARGO_BIN_EXE_crescendo-runner");
const STUB: &str = env!("CARGO_BIN_EXE_crescendo-stub");

/// What a process has used: user and system time in microseconds.
struct Used {
    user: f64,
    system: f64,
}

fn main() -> io::Result<()> {
    let games = flag("--games").unwrap_or(2000).max(2);
    let concurrency = flag("--concurrency").unwrap_or(2);
    let folder = tempfile::tempdir()?;
    let plan = format!(
        "rounds = {}\nconcurrency = {concurrency}\nseed = 1\nmax_turns = 8\n[defaults]\nnodes = 1\n\
         [[players]]\nname = \"a\"\ncommand = \"{STUB}\"\n[[players]]\nname = \"b\"\ncommand = \"{STUB}\"\nargs = [\"seed=7\"]\n",
        games / 2
    );
    std::fs::write(folder.path().join("plan.toml"), plan)?;
    let began = Instant::now();
    let used = run(folder.path())?;
    let seconds = began.elapsed().as_secs_f64();
    let journal = std::fs::read_to_string(folder.path().join("out/games.jsonl"))?;
    // One record of a turn an exchange.
    let (played, exchanges) = (journal.lines().count() as f64, journal.matches("\"turn\":").count() as f64);
    let [user, system, all] = [used.user, used.system, used.user + used.system].map(|time| time / exchanges);
    println!("{played} games, {exchanges} exchanges in {seconds:.2} s ({:.0} games a second)", played / seconds);
    println!("the runner's own time for an exchange: {all:.1} us (user {user:.1}, system {system:.1})");
    Ok(())
}

fn flag(name: &str) -> Option<u64> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1)?.parse().ok()
}

/// Runs the plan of a folder.
fn run(folder: &Path) -> io::Result<Used> {
    let mut command = Command::new(RUNNER);
    command.args(["run", "plan.toml", "--out", "out", "--quiet"]).current_dir(folder).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(|| io::Error::other("no process"))?;
    // Its numbers are those of the whole process as long as it is dead and not yet waited for.
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id()))?;
    let status = child.wait()?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Fields 14 and 15 of proc(5), in ticks of which every Linux has a hundred a second; the first two stand before the name's end.
    let time = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok()).map(|ticks| ticks * 1e4);
    match (status.success(), time(14), time(15)) {
        (true, Some(user), Some(system)) => Ok(Used { user, system }),
        _ => Err(io::Error::other(format!("the run has failed: {status}"))),
    }
}
