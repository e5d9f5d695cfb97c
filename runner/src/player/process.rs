//! A child process that talks in lines: every read and write has a deadline, no line is longer than [`MAX_LINE`], the error
//! stream is drained and its end kept.

use super::guard::Launcher;
use super::stop::Stop;
use super::transcript::{Kept, Transcript};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The longest line that is read; a longer one is a failure.
pub const MAX_LINE: usize = 1 << 20;
/// How much of the error stream is kept.
pub const LAST_WORDS: usize = 4096;
const CHUNK: usize = 16 * 1024;
/// A wait that lasts so much longer than it was to: the runner was suspended, or the machine had no time for it.
const PAUSED: Duration = Duration::from_millis(500);

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it runs; the runner's own directory if absent.
    pub dir: Option<PathBuf>,
}

/// Why a line could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The deadline passed.
    #[error("nothing came in time")]
    Deadline,
    /// The process has closed its stream, as the dead do.
    #[error("the process closed its output")]
    Closed,
    /// A line longer than [`MAX_LINE`].
    #[error("a line of more than {MAX_LINE} bytes")]
    TooLong,
    /// The run is being stopped.
    #[error("the run was stopped")]
    Stopped,
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Times of half a second and more in which the runner did not run although it was to look for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// All of them.
    pub all: Duration,
    /// Those that were no suspension of the runner: the machine had no time for it. Whoever was asked may have run all the while, so
    /// that nobody knows when in this time the answer came.
    pub starved: Duration,
}

/// A running child.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What has been read stands in the first `filled` bytes; the rest is room.
    buffer: Vec<u8>,
    filled: usize,
    /// Where the first unread line begins, and how far the buffer has been looked through for its end.
    start: usize,
    scanned: usize,
    ended: bool,
    reaped: bool,
    /// How long the runner did not run during the waits since [`Process::forget_pauses`].
    pauses: Pauses,
    words: Arc<Mutex<VecDeque<u8>>>,
    drainer: JoinHandle<()>,
    launcher: Arc<Launcher>,
    stop: Stop,
    transcript: Transcript,
}

impl Process {
    /// Starts `program` in a process group of its own.
    ///
    /// # Errors
    /// The operating system does not start it.
    pub fn start(program: &Program, kept: Kept, launcher: &Arc<Launcher>, stop: &Stop) -> io::Result<Self> {
        let mut command = launcher.command(program.path.as_os_str());
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        launcher.watch(child.id());
        let missing = || io::Error::other("a stream of the child is missing");
        let (input, output) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        // A child that reads nothing must not block the runner once the pipe is full.
        rustix::io::ioctl_fionbio(&input, true)?;
        let words = Arc::new(Mutex::new(VecDeque::new()));
        let errors = child.stderr.take().ok_or_else(missing)?;
        let last = Arc::clone(&words);
        let drainer = std::thread::Builder::new().name("stderr".into()).spawn(move || drain(errors, &last))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(missing)?;
        Ok(Self {
            child,
            pid,
            input: Some(input),
            output,
            buffer: Vec::new(),
            filled: 0,
            start: 0,
            scanned: 0,
            ended: false,
            reaped: false,
            pauses: Pauses::default(),
            words,
            drainer,
            launcher: Arc::clone(launcher),
            stop: stop.clone(),
            transcript: Transcript::new(kept),
        })
    }

    /// Writes `text`, which ends with a line feed.
    ///
    /// # Errors
    /// The child has closed its input, or does not read until the deadline.
    pub fn write(&mut self, text: &str, deadline: Instant) -> Result<(), LineError> {
        let Some(input) = &mut self.input else { return Err(LineError::Closed) };
        self.transcript.sent(text);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match input.write(rest) {
                Ok(0) => return Err(LineError::Closed),
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(LineError::Closed),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(&*input, PollFlags::OUT, deadline, &self.stop, &mut self.pauses)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The next line, without its end, badly encoded bytes replaced (other lines are not copied). At the end of the output the last line needs no line feed.
    ///
    /// # Errors
    /// See [`LineError`].
    pub fn read(&mut self, deadline: Instant) -> Result<Cow<'_, str>, LineError> {
        loop {
            if let Some(line) = self.buffered() {
                let line = String::from_utf8_lossy(&self.buffer[line]);
                self.transcript.came(&line);
                return Ok(line);
            }
            if self.ended {
                return Err(LineError::Closed);
            }
            if self.filled - self.start > MAX_LINE {
                return Err(LineError::TooLong);
            }
            wait(&self.output, PollFlags::IN, deadline, &self.stop, &mut self.pauses)?;
            self.fill()?;
        }
    }

    /// How long the runner did not run while it waited. Deadlines are later by as much: nobody is charged for that time.
    #[must_use]
    pub const fn pauses(&self) -> Pauses {
        self.pauses
    }

    /// Begins to count pauses anew.
    pub fn forget_pauses(&mut self) {
        self.pauses = Pauses::default();
    }

    /// Throws away all output that has come so far.
    pub fn discard(&mut self) {
        // Before nearly every question there is nothing, and this is the cheapest way to see it.
        if self.start == self.filled && matches!(rustix::io::ioctl_fionread(&self.output), Ok(0)) {
            return;
        }
        let now = Instant::now();
        // A child that writes faster than this reads is not waited for.
        while self.read(now).is_ok() && now.elapsed() < Duration::from_millis(20) {}
    }

    fn fill(&mut self) -> Result<(), LineError> {
        self.buffer.copy_within(self.start..self.filled, 0);
        (self.filled, self.scanned, self.start) = (self.filled - self.start, self.scanned - self.start, 0);
        if self.buffer.len() < self.filled + CHUNK {
            self.buffer.resize(self.filled + CHUNK, 0);
        } else if self.filled == 0 {
            // After a line of a megabyte, no process keeps a megabyte.
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to(CHUNK);
        }
        let read = self.output.read(&mut self.buffer[self.filled..]);
        self.filled += *read.as_ref().unwrap_or(&0);
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Where in the buffer the next line stands, which is taken for read.
    fn buffered(&mut self) -> Option<Range<usize>> {
        let end = match self.buffer[self.scanned..self.filled].iter().position(|&byte| byte == b'\n') {
            Some(at) => self.scanned + at,
            None => {
                self.scanned = self.filled;
                if !self.ended || self.start == self.filled {
                    return None;
                }
                self.filled
            }
        };
        let line = self.start..end;
        self.start = (end + 1).min(self.filled);
        self.scanned = self.start;
        Some(line)
    }

    /// The process number.
    #[must_use]
    pub const fn pid(&self) -> Pid {
        self.pid
    }

    /// A new game begins, for the transcript.
    pub fn begin_game(&mut self) {
        self.transcript.begin_game();
    }

    /// The last lines in both directions.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The end of what the child wrote to its error stream.
    #[must_use]
    pub fn last_words(&self) -> String {
        // What a dead child has written is in the pipe, but perhaps not read yet.
        let deadline = Instant::now() + Duration::from_millis(200);
        while self.reaped && !self.drainer.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let (front, back) = words.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).trim_end().to_owned()
    }

    /// Closes the child's input, which also means `quit`.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process, kills what is left of its group and says how it ended; `None` if it still runs.
    pub fn wait_end(&mut self, deadline: Instant) -> Option<ExitStatus> {
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reap()
    }

    /// Ends the process group by force.
    pub fn kill(&mut self) {
        if !self.reaped {
            let _ = kill_process_group(self.pid, Signal::KILL);
            self.reap();
        }
    }

    /// Asks the process group politely to end.
    pub fn terminate(&self) {
        if !self.reaped {
            let _ = kill_process_group(self.pid, Signal::TERM);
        }
    }

    /// Whether the process has ended. Leaves it unreaped, so that its number is not given to another process before the rest of
    /// the group is killed.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.reaped || !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            let _ = kill_process_group(self.pid, Signal::KILL);
            self.reaped = true;
            self.launcher.forget(self.child.id());
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until the stream is ready, the deadline passes or the run is stopped. Pauses of the runner are added to `pauses` and to the
/// deadline.
fn wait(
    stream: &impl AsFd,
    flags: PollFlags,
    deadline: Instant,
    stop: &Stop,
    pauses: &mut Pauses,
) -> Result<(), LineError> {
    loop {
        if stop.is_set() {
            return Err(LineError::Stopped);
        }
        let (began, continued) = (Instant::now(), stop.continued());
        let left = (deadline + pauses.all).saturating_duration_since(began);
        let slice = left.min(Stop::INTERVAL);
        let limit = Timespec::try_from(slice).map_err(io::Error::other)?;
        let ready = poll(&mut [PollFd::new(stream, flags)], Some(&limit));
        let late = began.elapsed().saturating_sub(slice);
        if late > PAUSED {
            pauses.all += late;
            if !stop.was_suspended_since(continued) {
                pauses.starved += late;
            }
        }
        match ready {
            Ok(0) if left.is_zero() => return Err(LineError::Deadline),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(LineError::Io(error.into())),
        }
    }
}

/// Reads the error stream to its end and keeps the last of it.
fn drain(mut errors: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; LAST_WORDS];
    while let Ok(read) = errors.read(&mut chunk) {
        if read == 0 {
            break;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..read]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}
