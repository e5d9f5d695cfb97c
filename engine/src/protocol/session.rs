//! The session: what the client has set up so far, and what each command does to it.

use super::command::{Command, PositionText, parse};
use super::input::Heard;
use super::options::{Effect, Options, declarations};
use super::output::Output;
use super::queries;
use super::reply::Reply;
use super::searching::Running;
use crate::rules::fen;
use crate::rules::game::Game;
use crate::rules::movelist::play_items;
use crate::rules::setup::Strictness;
use crate::workers::memory;
use crate::workers::worker::{Report, Worker};
use std::time::{Duration, Instant};

/// How long a search may take to answer when the program ends.
const FAREWELL: Duration = Duration::from_millis(150);

/// One client's session.
pub(super) struct Session {
    pub(super) options: Options,
    /// The game so far; none after a refused `position`.
    pub(super) game: Option<Game>,
    pub(super) worker: Worker,
    pub(super) output: Output,
    /// What runs, or has an answer that must not be given yet.
    pub(super) running: Option<Running>,
    /// `debug on`: each search says what it was given.
    pub(super) debug: bool,
    quitting: bool,
}

impl Session {
    pub(super) fn new(worker: Worker, output: Output) -> Self {
        let options = Options::default();
        let game = Some(Game::new(options.rules));
        Self { options, game, worker, output, running: None, debug: false, quitting: false }
    }

    /// Whether the client wants more, and is there to get it.
    pub(super) const fn is_open(&self) -> bool {
        !self.quitting && !self.output.is_closed()
    }

    /// Ends a search with its answer and leaves. A search that does not answer in time is left alone.
    pub(super) fn close(&mut self) {
        let deadline = Instant::now() + FAREWELL;
        self.stop();
        while self.running.is_some() && !self.output.is_closed() {
            match self.worker.reports().recv_deadline(deadline) {
                Ok(report) => self.on_report(report),
                Err(_) => break,
            }
        }
    }

    pub(super) fn say(&mut self, reply: &Reply) {
        self.output.line(reply);
    }

    fn say_all(&mut self, replies: &[Reply]) {
        replies.iter().for_each(|reply| self.say(reply));
    }

    /// Acts on a line.
    pub(super) fn hear(&mut self, heard: &Heard) {
        self.output.heard(&heard.text);
        let parsed = parse(&heard.text);
        for word in &parsed.skipped {
            self.say(&Reply::error("unknown-command", format_args!("'{word}'")));
        }
        if heard.too_long {
            self.say(&Reply::error("unknown-command", "the line is longer than 1 MiB"));
            if let Some(Command::Position(_)) = parsed.command {
                // Half a move list is another position.
                self.settle();
                self.game = None;
            }
        } else if let Some(command) = parsed.command {
            self.act(command, heard.at);
        }
    }

    fn act(&mut self, command: Command, at: Instant) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::NewGame => {
                self.settle();
                self.worker.clear();
            }
            Command::Debug(on) => self.debug = on,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.go(&go, at),
            Command::Stop => self.settle(),
            Command::PonderHit => self.ponder_hit(),
            Command::Query(_) | Command::Display | Command::Eval | Command::Bench if self.running.is_some() => {
                self.say(&Reply::error("busy", "a search is running; stop it first"));
            }
            Command::Query(topic) => self.ask(|game| queries::query(game, &topic)),
            Command::Display => self.ask(queries::display),
            Command::Eval => self.ask(queries::eval),
            Command::Bench => self.bench(),
            Command::Help => self.say_all(&queries::help()),
            Command::Quit => self.quitting = true,
            Command::Nothing => {}
        }
    }

    fn introduce(&mut self) {
        self.say(&Reply::Text(concat!("id name Crescendo ", env!("CARGO_PKG_VERSION")).into()));
        self.say(&Reply::Text("id author the Crescendo authors".into()));
        declarations().for_each(|line| self.say(&Reply::Text(line)));
        self.say(&Reply::Text("uciok".into()));
    }

    /// While a search runs its tables are there, and the answer is due at once.
    fn get_ready(&mut self) {
        if self.running.is_none() {
            self.worker.prepare(self.options.hash_mib);
            while let Ok(report) = self.worker.reports().recv() {
                let prepared = matches!(report, Report::Prepared { .. });
                self.on_report(report);
                if prepared {
                    break;
                }
            }
        }
        self.say(&Reply::ReadyOk);
    }

    fn ask(&mut self, answer: impl FnOnce(&Game) -> Vec<Reply>) {
        let replies = match &self.game {
            Some(game) => answer(game),
            None => vec![no_position()],
        };
        self.say_all(&replies);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        self.settle();
        let (effect, replies) = self.options.set(name, value);
        self.say_all(&replies);
        match effect {
            Effect::None => {}
            Effect::Hash(mib) => self.set_hash(mib),
            Effect::ClearHash => self.worker.clear(),
            Effect::NewVariant => {
                self.worker.clear();
                self.game = Some(Game::new(self.options.rules));
            }
            Effect::BookFile(path) => {
                if let Err(error) = self.options.read_book(&path) {
                    self.say(&Reply::error("option-value", error));
                }
            }
            Effect::LogFile(path) => {
                if let Err(error) = self.output.log_to(&path) {
                    self.say(&Reply::error("option-value", format_args!("Debug Log File '{path}': {error}")));
                }
            }
        }
    }

    /// The tables themselves are made when they are needed.
    fn set_hash(&mut self, mib: usize) {
        match memory::available_mib() {
            Some(free) if mib as u64 > free && mib > self.options.hash_mib => {
                let kept = self.options.hash_mib;
                let text = format!("Hash {mib}: only {free} MiB of memory are free; {kept} MiB kept");
                self.say(&Reply::error("option-value", text));
            }
            _ => self.options.hash_mib = mib,
        }
    }

    /// A position is taken whole or refused whole.
    fn set_position(&mut self, text: &PositionText) {
        self.settle();
        self.game = None;
        match self.read_position(text) {
            Ok((game, warnings)) => {
                self.say_all(&warnings);
                self.game = Some(game);
            }
            Err(error) => self.say(&Reply::Error(error)),
        }
    }

    fn read_position(&self, text: &PositionText) -> Result<(Game, Vec<Reply>), String> {
        if let Some(fault) = &text.fault {
            return Err(fault.clone());
        }
        let rules = self.options.rules;
        let (mut game, mut warnings) = (Game::new(rules), Vec::new());
        if let Some(text) = &text.fen {
            let (entry, mended) = fen::read(text, rules, Strictness::Lenient).map_err(|e| e.to_string())?;
            warnings.extend(mended.iter().map(|warning| Reply::Warning(warning.to_string())));
            game = Game::from_entry(entry);
        }
        play_items(&mut game, text.items.iter().map(String::as_str)).map_err(|e| e.to_string())?;
        Ok((game, warnings))
    }

    /// Acts on what the search thread tells.
    pub(super) fn on_report(&mut self, report: Report) {
        match report {
            Report::Prepared { hash_mib, wanted_mib } if hash_mib != wanted_mib => {
                self.options.hash_mib = hash_mib.max(1);
                let text = format!("Hash {wanted_mib}: the memory cannot be had; {hash_mib} MiB kept");
                self.say(&Reply::error("option-value", text));
            }
            Report::Prepared { .. } => {}
            Report::Note(text) => self.say(&Reply::Note(text)),
            Report::Text(text) => self.say(&Reply::Text(text)),
            Report::Line(info, elapsed) => self.on_line(info, elapsed),
            Report::Chosen(choice, elapsed) => self.on_choice(choice, elapsed),
            Report::ChoreDone { completed } => self.on_chore_done(completed),
        }
    }
}

/// The answer where a position is needed and there is none.
pub(super) fn no_position() -> Reply {
    Reply::error("no-position", "the last position command was refused")
}
