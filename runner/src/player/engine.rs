//! A child process that speaks the protocol, as a player.

use super::dialect::{Dialect, goes_on};
use super::guard::Launcher;
use super::process::{LineError, Process, Program};
use super::reply::{Advertised, Kind, Reply, Report, read};
use super::stop::Stop;
use super::transcript::Kept;
use super::{Answer, Failure, Player, Question};
use crescendo::rules::table::Rules;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for what is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start of the process to its first `readyok`.
    pub start: Duration,
    /// For any later `readyok`.
    pub ping: Duration,
    /// From `quit` to the end of the process.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(5), ping: seconds(5), quit: seconds(2) }
    }
}

/// How long after a deadline lines are still looked through that came before it.
const GRACE: Duration = Duration::from_millis(20);

/// An engine to start.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The program.
    pub program: Program,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// The game to play.
    pub rules: &'static Rules,
    /// How long to wait.
    pub patience: Patience,
    /// How it is asked for a series.
    pub dialect: Dialect,
    /// The share of turns, 0 to 1, in which it is not asked: a random series is played.
    pub random: f64,
    /// Which lines to and from it are kept.
    pub transcript: Kept,
}

/// What an engine says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its options.
    pub options: Vec<Advertised>,
}

impl Identity {
    /// The option of this name; case does not matter.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&Advertised> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// An engine that has said `readyok` at least once.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    identity: Identity,
    patience: Patience,
    dialect: Dialect,
    /// The lines of the last question; its memory serves the next one.
    lines: String,
    /// Whether an answer may still be on its way.
    owes: bool,
    quitting: Option<Instant>,
    /// When it was last asked whether it is ready.
    pinged: Instant,
}

impl Engine {
    /// Starts an engine, sets its options and waits for its first `readyok`.
    ///
    /// # Errors
    /// It does not start, or not in time: it has not played and so loses nothing.
    pub fn start(spec: &Spec, launcher: &Arc<Launcher>, stop: &Stop) -> Result<Self, Failure> {
        let began = Instant::now();
        let (mut engine, deadline) = Self::open(spec, launcher, stop)?;
        let mut lines = String::new();
        let mut set = |name: &str, value: &str| {
            if let Some(option) = engine.identity.option(name) {
                lines += &set_option(option, value);
            }
        };
        set("UCI_Variant", spec.rules.variant);
        // Threads before the rest, Hash among it: some engines share the memory out when they are told the number.
        let (first, rest): (Vec<_>, Vec<_>) =
            spec.options.iter().partition(|(name, _)| name.eq_ignore_ascii_case("threads"));
        first.into_iter().chain(rest).for_each(|(name, value)| set(name, value));
        engine.process.write(&(lines + "isready\n"), deadline).map_err(|error| engine.failure(error, began))?;
        engine.await_reply(began, deadline, |reply, _| matches!(reply, Reply::ReadyOk).then_some(()))?;
        Ok(engine)
    }

    /// Starts an engine only to hear what options it has.
    ///
    /// # Errors
    /// It does not start, or says no `uciok` in time.
    pub fn identify(spec: &Spec, launcher: &Arc<Launcher>, stop: &Stop) -> Result<Identity, Failure> {
        let (mut engine, _) = Self::open(spec, launcher, stop)?;
        engine.begin_quit();
        Ok(std::mem::take(&mut engine.identity))
    }

    fn open(spec: &Spec, launcher: &Arc<Launcher>, stop: &Stop) -> Result<(Self, Instant), Failure> {
        let began = Instant::now();
        let deadline = began + spec.patience.start;
        let process = Process::start(&spec.program, spec.transcript, launcher, stop)
            .map_err(|error| Failure::Crash(format!("cannot start {}: {error}", spec.program.path.display())))?;
        let (patience, identity, dialect) = (spec.patience, Identity::default(), spec.dialect);
        let mut engine = Self {
            process,
            identity,
            patience,
            dialect,
            lines: String::new(),
            owes: false,
            quitting: None,
            pinged: Instant::now(),
        };
        engine.process.write("uci\n", deadline).map_err(|error| engine.failure(error, began))?;
        let mut identity = Identity::default();
        engine.await_reply(began, deadline, |reply, _| {
            match reply {
                Reply::UciOk => return Some(()),
                Reply::Name(name) => identity.name = name,
                // No engine has thousands of options; one that pretends to must not fill the memory.
                Reply::Option(option) if identity.options.len() < 1000 => identity.options.push(option),
                _ => {}
            }
            None
        })?;
        engine.identity = identity;
        Ok((engine, deadline))
    }

    /// Reads lines until one is what the caller has been waiting for since `began`.
    fn await_reply<T>(
        &mut self,
        began: Instant,
        deadline: Instant,
        mut want: impl FnMut(Reply, &str) -> Option<T>,
    ) -> Result<T, Failure> {
        loop {
            match self.process.read(deadline) {
                Ok(line) => {
                    if let Some(found) = want(read(&line), &line) {
                        return Ok(found);
                    }
                    // A flood of other lines must not carry the wait past its end; what had come in time was read above.
                    if Instant::now() > deadline + self.process.pauses().all + GRACE {
                        return Err(Failure::Silence(self.since(began)));
                    }
                }
                Err(error) => return Err(self.failure(error, began)),
            }
        }
    }

    fn failure(&mut self, error: LineError, began: Instant) -> Failure {
        match error {
            LineError::Deadline => Failure::Silence(self.since(began)),
            LineError::Stopped => Failure::Stopped,
            LineError::TooLong => Failure::Garbage(error.to_string()),
            LineError::Io(error) => Failure::Harness(format!("pipe to the engine: {error}")),
            LineError::Closed => {
                let end = self.process.wait_end(Instant::now() + Duration::from_millis(200));
                let how = end.map_or_else(
                    || "closed its output but runs on".to_owned(),
                    |status| format!("the process ended: {status}"),
                );
                Failure::Crash(format!("{how} (pid {})", self.process.pid().as_raw_nonzero()))
            }
        }
    }

    /// The time since then, but for that in which the runner did not run.
    fn since(&self, began: Instant) -> Duration {
        began.elapsed().saturating_sub(self.process.pauses().all)
    }

    /// Asks on a position at this time; the answer is the text of `bestmove`. What comes before it goes into `told`.
    fn ask(&mut self, question: Ask<'_>, told: &mut Told) -> Result<String, Failure> {
        let Ask { position, go, asked, deadline } = question;
        self.lines.clear();
        for part in [position, "\n", go, "\n"] {
            self.lines.push_str(part);
        }
        self.process.write(&self.lines, deadline).map_err(|error| self.failure(error, asked))?;
        self.owes = true;
        let series = self.await_reply(asked, deadline, |reply, line| match reply {
            Reply::BestMove(series) => Some(series),
            other => {
                told.first.get_or_insert_with(|| asked.elapsed());
                if let Reply::Info(info) = other {
                    (told.report, told.line) = (info, line.to_owned());
                }
                None
            }
        })?;
        self.owes = false;
        Ok(series)
    }

    fn answer(&self, series: String, sent: Instant, told: Told) -> Answer {
        // The moves of a series that was asked for one by one are no line of play of ours.
        let shown = told.line.split_once(" pv ").filter(|_| self.dialect == Dialect::Series);
        let variation = shown.map_or(String::new(), |(_, moves)| moves.trim().to_owned());
        let (elapsed, unsure) = (self.since(sent), self.process.pauses().starved);
        let first = told.first.map(|first| first.min(elapsed));
        Answer { series, elapsed, unsure, first, report: told.report, variation }
    }

    /// Sends these lines and waits for the engine to be ready.
    fn ping(&mut self, lines: &str) -> Result<(), Failure> {
        self.ask_whether_ready(lines)?;
        self.await_ready()
    }

    fn ask_whether_ready(&mut self, lines: &str) -> Result<(), Failure> {
        self.process.forget_pauses();
        self.pinged = Instant::now();
        let deadline = self.pinged + self.patience.ping;
        self.process.write(&format!("{lines}isready\n"), deadline).map_err(|error| self.failure(error, self.pinged))
    }

    fn await_ready(&mut self) -> Result<(), Failure> {
        let deadline = self.pinged + self.patience.ping;
        self.await_reply(self.pinged, deadline, |reply, _| matches!(reply, Reply::ReadyOk).then_some(()))
    }
}

/// A question on its way.
#[derive(Clone, Copy, Debug)]
struct Ask<'a> {
    position: &'a str,
    go: &'a str,
    asked: Instant,
    deadline: Instant,
}

/// What comes before an answer.
#[derive(Clone, Debug, Default)]
struct Told {
    first: Option<Duration>,
    report: Report,
    /// The line that the report was read from.
    line: String,
}

fn set_option(option: &Advertised, value: &str) -> String {
    match option.kind {
        Kind::Button => format!("setoption name {}\n", option.name),
        _ => format!("setoption name {} value {value}\n", option.name),
    }
}

impl Player for Engine {
    fn announce(&mut self, seed: u64) -> Result<(), Failure> {
        self.process.begin_game();
        let mut lines = "ucinewgame\n".to_owned();
        if let Some(option) = self.identity.option("Seed") {
            // 0 means "from the clock", so it is never sent.
            let max = if let Kind::Spin { max, .. } = option.kind { max.max(1).unsigned_abs() } else { u64::MAX >> 1 };
            lines += &set_option(option, &(seed % max + 1).min(max).to_string());
        }
        self.ask_whether_ready(&lines)
    }

    fn get_ready(&mut self) -> Result<(), Failure> {
        self.await_ready()
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Failure> {
        self.process.discard();
        self.process.forget_pauses();
        let sent = Instant::now();
        let deadline = sent + question.patience;
        let mut told = Told::default();
        if self.dialect == Dialect::Series {
            let ask = Ask { position: question.position, go: question.go, asked: sent, deadline };
            let series = self.ask(ask, &mut told)?;
            return Ok(self.answer(series, sent, told));
        }
        // Move by move; the limits and the deadline are those of the series, whatever its length.
        let (mut game, mut legs) = (question.game.clone(), Vec::new());
        loop {
            let position = self.dialect.position(question.position, &legs);
            let ask = Ask { position: &position, go: question.go, asked: Instant::now(), deadline };
            let leg = self.ask(ask, &mut told)?;
            let more = goes_on(&mut game, &leg);
            legs.push(leg);
            if !more {
                return Ok(self.answer(legs.join(","), sent, told));
            }
        }
    }

    fn recovers(&mut self) -> bool {
        // Whatever is still on its way comes before this `readyok`, so it cannot be taken for an answer of the next game.
        let began = Instant::now();
        let stopped = !self.owes || self.process.write("stop\n", began + self.patience.ping).is_ok();
        self.owes = false;
        stopped && self.ping("").is_ok()
    }

    fn begin_quit(&mut self) {
        if self.quitting.is_none() {
            let now = Instant::now();
            // Only what fits into the pipe: an engine that reads nothing gets nothing.
            let _ = self.process.write("quit\n", now);
            self.process.close_input();
            self.quitting = Some(now + self.patience.quit);
        }
    }

    fn last_words(&self) -> String {
        self.process.last_words()
    }

    fn transcript(&self) -> String {
        self.process.transcript().text()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.begin_quit();
        let deadline = self.quitting.unwrap_or_else(Instant::now);
        if self.process.wait_end(deadline).is_none() {
            self.process.terminate();
            if self.process.wait_end(Instant::now() + Duration::from_millis(200)).is_none() {
                self.process.kill();
            }
        }
    }
}
