//! No engine outlives the runner, however it dies.
//!
//! Two nets. On Linux every engine is started through the runner's own binary, which asks the kernel for a death signal and
//! then becomes the engine. And one *guard* process, the same binary again, is told of every engine; when the pipe from the
//! runner closes, it kills the process groups that are left, grandchildren included.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

/// The hidden command that becomes an engine: `EXEC runner-pid program arguments…`.
pub const EXEC: &str = "__exec";
/// The hidden command that guards the engines.
pub const GUARD: &str = "__guard";

/// Starts engines so that they die with the runner.
#[derive(Debug)]
pub struct Launcher {
    helper: PathBuf,
    guard: Mutex<Guard>,
}

#[derive(Debug)]
struct Guard {
    process: Child,
    /// `None` once it is closed.
    pipe: Option<ChildStdin>,
}

impl Launcher {
    /// A launcher whose hidden commands are those of the binary `helper`.
    ///
    /// # Errors
    /// The guard process does not start.
    pub fn new(helper: PathBuf) -> io::Result<Self> {
        // A group of its own: a signal to the terminal's foreground group must not take the guard first.
        let mut process =
            Command::new(&helper).arg(GUARD).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0).spawn()?;
        let pipe = process.stdin.take();
        Ok(Self { helper, guard: Mutex::new(Guard { process, pipe }) })
    }

    /// The binary with the hidden commands.
    #[must_use]
    pub fn helper(&self) -> &Path {
        &self.helper
    }

    /// A command that becomes `program` in a process group of its own.
    #[must_use]
    pub fn command(&self, program: &OsStr) -> Command {
        let mut command = Command::new(&self.helper);
        command.arg(EXEC).arg(std::process::id().to_string()).arg(program).process_group(0);
        command
    }

    /// Puts the process group of this engine under guard.
    pub fn watch(&self, pid: u32) {
        self.tell('+', pid);
    }

    /// The group is gone.
    pub fn forget(&self, pid: u32) {
        self.tell('-', pid);
    }

    fn tell(&self, sign: char, pid: u32) {
        let mut guard = self.guard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(pipe) = &mut guard.pipe {
            // A guard that somebody has killed is not worth ending the run: the death signal is still there.
            let _ = pipe.write_all(format!("{sign}{pid}\n").as_bytes());
        }
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        let guard = self.guard.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        guard.pipe = None;
        let _ = guard.process.wait();
    }
}

/// The body of the guard: reads `+pid` and `-pid` lines; at the end of input, kills the groups that are left.
pub fn guard(input: impl BufRead) {
    let mut live = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let Some(pid) = line.get(1..).and_then(|pid| pid.parse::<i32>().ok()).and_then(Pid::from_raw) else { continue };
        if line.starts_with('+') {
            live.insert(pid.as_raw_nonzero());
        } else {
            live.remove(&pid.as_raw_nonzero());
        }
    }
    for pid in live {
        let _ = Pid::from_raw(pid.get()).map(|pid| kill_process_group(pid, Signal::KILL));
    }
}

/// The body of the hidden command `EXEC`: becomes `program`, to die with the process `runner`. Returns only if it cannot.
#[must_use]
pub fn exec(runner: u32, program: &OsStr, arguments: &[std::ffi::OsString]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
            return error.into();
        }
        // The runner may have died before the signal was asked for.
        let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
        if parent != Some(runner) {
            return io::Error::other("the runner is gone");
        }
    }
    Command::new(program).args(arguments).exec()
}
