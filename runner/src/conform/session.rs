//! A conversation with the engine under check.

use super::Subject;
use crate::game::referee;
use crate::player::guard::Launcher;
use crate::player::process::{LineError, Process};
use crate::player::reply::{Advertised, Reply, read};
use crate::player::stop::Stop;
use crate::player::transcript::Kept;
use crescendo::rules::game::Game;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long is listened for what should not come.
pub(super) const HUSH: Duration = Duration::from_millis(250);

/// The engine, what it has said of itself, and whether the greeting is done.
#[derive(Debug)]
pub(super) struct Session<'a> {
    pub(super) subject: &'a Subject,
    launcher: &'a Arc<Launcher>,
    stop: &'a Stop,
    process: Process,
    /// Everything between `uci` and `uciok`.
    pub(super) greeting: Vec<String>,
    greeted: bool,
}

/// An answer to `go`.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) series: String,
    /// The `info` lines before it.
    pub(super) infos: Vec<String>,
    pub(super) took: Duration,
}

impl<'a> Session<'a> {
    pub(super) fn start(subject: &'a Subject, launcher: &'a Arc<Launcher>, stop: &'a Stop) -> io::Result<Self> {
        let process = Process::start(&subject.program, Kept::Last, launcher, stop)?;
        Ok(Self { subject, launcher, stop, process, greeting: Vec::new(), greeted: false })
    }

    /// Ends the process and starts another.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        self.process.kill();
        self.process = Process::start(&self.subject.program, Kept::Last, self.launcher, self.stop)?;
        self.greeted = false;
        Ok(())
    }

    pub(super) fn send(&mut self, text: &str) -> Result<(), String> {
        let deadline = Instant::now() + self.subject.patience;
        self.process.write(&format!("{text}\n"), deadline).map_err(|error| self.trouble(&error))
    }

    fn trouble(&mut self, error: &LineError) -> String {
        match error {
            LineError::Closed => match self.process.wait_end(Instant::now() + HUSH) {
                Some(status) => format!("the process ended: {status}"),
                None => "the process closed its output".into(),
            },
            _ => error.to_string(),
        }
    }

    /// Greets the engine, if it has not been greeted, and sets the game.
    pub(super) fn greet(&mut self) -> Result<(), String> {
        if self.greeted {
            return Ok(());
        }
        self.send("uci")?;
        self.greeting = self.until("uciok", |reply| *reply == Reply::UciOk)?;
        let rules = self.subject.rules;
        if self.option("UCI_Variant").is_some() {
            self.send(&format!("setoption name UCI_Variant value {}", rules.variant))?;
        }
        self.sync()?;
        self.greeted = true;
        Ok(())
    }

    /// Whether the engine has answered the greeting.
    pub(super) const fn is_greeted(&self) -> bool {
        self.greeted
    }

    /// The lines up to the one that is waited for.
    pub(super) fn until(&mut self, what: &str, is_it: impl Fn(&Reply) -> bool) -> Result<Vec<String>, String> {
        let (began, mut lines) = (Instant::now(), Vec::new());
        let deadline = began + self.subject.patience;
        loop {
            match self.process.read(deadline) {
                Ok(line) => {
                    let found = is_it(&read(&line));
                    lines.push(line.into_owned());
                    if found {
                        return Ok(lines);
                    }
                    if Instant::now() > deadline {
                        return Err(format!("no {what} within {} ms", began.elapsed().as_millis()));
                    }
                }
                Err(LineError::Deadline) => return Err(format!("no {what} within {} ms", began.elapsed().as_millis())),
                Err(error) => return Err(format!("no {what}: {}", self.trouble(&error))),
            }
        }
    }

    /// The lines that come within a time although nothing was asked.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<String>, String> {
        let (deadline, mut lines) = (Instant::now() + time, Vec::new());
        loop {
            match self.process.read(deadline) {
                Ok(line) => lines.push(line.into_owned()),
                Err(LineError::Deadline) => return Ok(lines),
                Err(error) => return Err(self.trouble(&error)),
            }
        }
    }

    /// Asks whether the engine is there; what it says before that must be no answer.
    pub(super) fn sync(&mut self) -> Result<(), String> {
        self.send("isready")?;
        let lines = self.until("readyok", |reply| *reply == Reply::ReadyOk)?;
        match lines.iter().find(|line| matches!(read(line), Reply::BestMove(_))) {
            Some(line) => Err(format!("'{}' although nothing was asked", line.trim())),
            None => Ok(()),
        }
    }

    /// Waits for the answer to a `go` that has been sent.
    pub(super) fn answer(&mut self) -> Result<Answered, String> {
        let began = Instant::now();
        let mut infos = self.until("bestmove", |reply| matches!(reply, Reply::BestMove(_)))?;
        let last = infos.pop().unwrap_or_default();
        let Reply::BestMove(series) = read(&last) else { return Err("no bestmove".into()) };
        Ok(Answered { series, infos, took: began.elapsed() })
    }

    /// Asks on a position.
    pub(super) fn ask(&mut self, moves: &str, go: &str) -> Result<Answered, String> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.send(&format!("position startpos{moves}\ngo {go}"))?;
        self.answer()
    }

    /// Asks on a position after these series and checks that the answer is a whole legal series.
    pub(super) fn ask_legal(&mut self, moves: &str, go: &str) -> Result<Answered, String> {
        let answered = self.ask(moves, go)?;
        self.check_legal(moves, &answered.series)?;
        Ok(answered)
    }

    pub(super) fn check_legal(&self, moves: &str, series: &str) -> Result<(), String> {
        let mut game = self.game(moves)?;
        referee(&mut game, series).map_err(|breach| format!("bestmove {series}: {breach:?}"))
    }

    /// The game after these moves.
    pub(super) fn game(&self, moves: &str) -> Result<Game, String> {
        let mut game = Game::new(self.subject.rules);
        for text in moves.split([' ', ',']).filter(|text| !text.is_empty()) {
            let mv = text.parse().map_err(|_| format!("'{text}' is no move"))?;
            game.play(mv).map_err(|error| format!("'{text}': {error}"))?;
        }
        Ok(game)
    }

    /// The options as advertised.
    pub(super) fn options(&self) -> Vec<Advertised> {
        let option = |line: &String| match read(line) {
            Reply::Option(option) => Some(option),
            _ => None,
        };
        self.greeting.iter().filter_map(option).collect()
    }

    pub(super) fn option(&self, name: &str) -> Option<Advertised> {
        self.options().into_iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Waits for the end of the process.
    pub(super) fn end(&mut self, within: Duration) -> Result<(), String> {
        match self.process.wait_end(Instant::now() + within) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("the process ended with {status}")),
            None => Err(format!("still running after {} ms", within.as_millis())),
        }
    }
}
