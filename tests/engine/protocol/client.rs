//! A client of the engine's binary: sends lines, reads lines, never waits for ever.

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::movelist::play_items;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::ITALIAN;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The engine's binary.
pub(crate) const ENGINE: &str = env!("CARGO_BIN_EXE_crescendo");

/// No answer takes so long unless something hangs.
pub(crate) const HANG: Duration = Duration::from_secs(20);

/// A running engine.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// How a session ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    /// What came out after the last line that was read.
    pub(crate) rest: Vec<String>,
    pub(crate) errors: String,
    pub(crate) took: Duration,
}

pub(crate) fn milliseconds(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Client {
    pub(crate) fn start() -> Self {
        Self::spawn(&mut Command::new(ENGINE))
    }

    /// An engine under a limit that a shell sets.
    pub(crate) fn limited(limit: &str) -> Self {
        Self::spawn(Command::new("sh").arg("-c").arg(format!("{limit}; exec '{ENGINE}'")))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("output is UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    /// An engine that has been sent these lines.
    pub(crate) fn told(lines: &[&str]) -> Self {
        let mut client = Self::start();
        lines.iter().for_each(|line| client.send(line));
        client
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. An engine that has gone does not read them.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// The next line, if one comes in time. A line that admits an error of the engine's own fails every test.
    pub(crate) fn line_within(&mut self, limit: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(limit).ok()?;
        assert!(!line.contains("error internal"), "{line}");
        Some(line)
    }

    pub(crate) fn line(&mut self) -> String {
        self.line_within(HANG).expect("a line")
    }

    /// All lines up to the first that begins so, and that one.
    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        self.until_within(prefix, HANG)
    }

    pub(crate) fn until_within(&mut self, prefix: &str, limit: Duration) -> Vec<String> {
        let deadline = Instant::now() + limit;
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with(prefix)) {
            match self.line_within(deadline.saturating_duration_since(Instant::now())) {
                Some(line) => lines.push(line),
                None => panic!("no line '{prefix}…' within {limit:?}, only {lines:#?}"),
            }
        }
        lines
    }

    /// What has been said up to now: everything before the answer to `isready`.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The series of the next `bestmove`.
    pub(crate) fn best(&mut self) -> String {
        best_of(&self.until("bestmove"))
    }

    /// Sends a question and reads its one line.
    pub(crate) fn ask(&mut self, question: &str) -> String {
        self.send(question);
        self.line()
    }

    /// Asserts that the engine is alive and has nothing to say.
    pub(crate) fn assert_quiet(&mut self) {
        assert_eq!(self.sync(), Vec::<String>::new());
    }

    pub(crate) fn quit(mut self) -> Ended {
        self.send("quit");
        self.end()
    }

    /// Closes the input.
    pub(crate) fn hang_up(mut self) -> Ended {
        self.input = None;
        self.end()
    }

    /// Waits for the end, which something has brought about.
    pub(crate) fn end(mut self) -> Ended {
        let start = Instant::now();
        let mut rest = Vec::new();
        // The output closes when the process is gone.
        loop {
            match self.lines.recv_timeout(HANG) {
                Ok(line) => rest.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            }
        }
        let took = start.elapsed();
        let code = self.child.wait().unwrap().code();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        Ended { code, rest, errors, took }
    }

    /// Processor time used so far, in milliseconds, where the system tells.
    pub(crate) fn processor_ms(&self) -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks = |i: usize| fields.get(i)?.parse::<u64>().ok();
        Some((ticks(11)? + ticks(12)?) * 10)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    pub(crate) fn assert_clean(&self) {
        assert_eq!((self.code, self.errors.as_str()), (Some(0), ""), "{:?}", self.rest);
    }
}

/// The series of the `bestmove` line that ends these lines.
pub(crate) fn best_of(lines: &[String]) -> String {
    let last = lines.last().expect("a line");
    let best = last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("no bestmove: {last}"));
    best.split(' ').next().unwrap().to_owned()
}

/// What comes after `pv` in the line.
pub(crate) fn pv_of(line: &str) -> Option<&str> {
    line.starts_with("info ").then(|| line.split_once(" pv ").map(|(_, pv)| pv)).flatten()
}

/// The word after `key` in the line.
pub(crate) fn word_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != key).nth(1)
}

/// A game under the Italian rules from `startpos` or a FEN.
pub(crate) fn game(start: &str) -> Game {
    match start {
        "startpos" => Game::new(&ITALIAN),
        text => Game::from_entry(fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().0),
    }
}

/// Asserts that these items can be played in turn, and returns the game after them.
pub(crate) fn replay(start: &Game, items: &str) -> Game {
    let mut game = start.clone();
    if let Err(error) = play_items(&mut game, items.split(' ')) {
        panic!("{}: {items}: {error}", start.current().fen());
    }
    game
}

/// Asserts that `series` is legal here and complete.
pub(crate) fn assert_complete(start: &Game, series: &str) {
    let after = replay(start, series);
    assert!(
        after.outcome().is_some() || after.current().is_fresh(),
        "{}: {series} is not complete",
        start.current().fen()
    );
}
