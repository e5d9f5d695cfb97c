//! xboard's session: what it has set up so far, and what each command does to it.

use super::command::{Command, parse};
use super::edit::Edit;
use super::features;
use super::record::Record;
use super::thinking::Thought;
use super::time::Clocks;
use crate::protocol::input::Heard;
use crate::protocol::options::{Effect, Options};
use crate::protocol::output::Output;
use crate::rules::fen;
use crate::rules::setup::{Entry, SetupWarning, Strictness};
use crate::rules::table::Rules;
use crate::types::Color;
use crate::types::moves::Move;
use crate::types::score::Score;
use crate::workers::memory;
use crate::workers::worker::Worker;
use std::time::Instant;

/// One session with xboard.
pub(super) struct Face {
    pub(super) options: Options,
    pub(super) worker: Worker,
    pub(super) output: Output,
    pub(super) record: Record,
    pub(super) clocks: Clocks,
    /// The color that the engine plays; none after `force`.
    pub(super) engine: Option<Color>,
    /// Whether a captured pawn that xboard still shows is cleared away at once (see [`super::mirror`]).
    pub(super) null_captures: bool,
    /// Whether thinking is shown.
    pub(super) posts: bool,
    /// What the worker thinks about.
    pub(super) thought: Option<Thought>,
    /// The score of the engine's last series.
    pub(super) last_score: Score,
    /// Pings that wait for the move.
    pub(super) pings: Vec<String>,
    /// Moves of the engine's series that a take-back has removed, and when they are due again.
    pub(super) missing: Vec<Move>,
    pub(super) resend_at: Option<Instant>,
    /// The game is over, for xboard or for us.
    pub(super) over: bool,
    /// The move to come is made by hand, so xboard does not have the pass that may follow it.
    pub(super) by_hand: bool,
    /// The last position was refused, so xboard's board is not ours.
    pub(super) refused: bool,
    edit: Option<Edit>,
    quitting: bool,
}

impl Face {
    pub(super) fn new(worker: Worker, output: Output) -> Self {
        let options = Options::default();
        let record = Record::new(options.rules);
        Self {
            options,
            worker,
            output,
            record,
            clocks: Clocks::default(),
            engine: Some(Color::Black),
            null_captures: false,
            posts: false,
            thought: None,
            last_score: Score::DRAW,
            pings: Vec::new(),
            missing: Vec::new(),
            resend_at: None,
            over: false,
            by_hand: false,
            refused: false,
            edit: None,
            quitting: false,
        }
    }

    /// Whether xboard wants more, and is there to get it.
    pub(super) const fn is_open(&self) -> bool {
        !self.quitting && !self.output.is_closed()
    }

    pub(super) fn say(&mut self, line: &str) {
        self.output.line(&line);
    }

    pub(super) fn say_all(&mut self, lines: Vec<String>) {
        lines.iter().for_each(|line| self.say(line));
    }

    /// Acts on a line.
    pub(super) fn hear(&mut self, heard: &Heard) {
        self.output.heard(&heard.text);
        if self.edit.is_some() {
            return self.edit_line(heard.text.trim());
        }
        match parse(&heard.text) {
            Command::Unknown => self.error("unknown command", &heard.text),
            Command::Bad(usage) => self.error(&format!("expected {usage}"), &heard.text),
            command => self.act(command, &heard.text),
        }
    }

    /// `Error (what): the line`, on one line of readable length.
    fn error(&mut self, what: &str, line: &str) {
        let plain: String = line.trim().chars().take(200).map(|c| if c.is_control() { '?' } else { c }).collect();
        self.say(&format!("Error ({what}): {plain}"));
    }

    fn act(&mut self, command: Command, line: &str) {
        match command {
            Command::Features => self.say_all(features::lines()),
            Command::New => self.begin(),
            Command::Variant(name) => self.set_variant(&name, line),
            Command::Level(base, increment) => self.clocks.level(base, increment),
            Command::FixedTime(ms) => self.clocks.fix(ms),
            Command::Depth(depth) => self.clocks.depth = Some(depth),
            Command::OwnTime(ms) => self.clocks.own = Some(ms),
            Command::TheirTime(ms) => self.clocks.theirs = Some(ms),
            Command::Post(on) => self.posts = on,
            Command::Force => self.force(),
            Command::Go => self.play_as(self.record.side_in_gui()),
            Command::PlayOther => self.play_as(!self.record.side_in_gui()),
            Command::UserMove(text) => self.user_move(&text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) if self.is_to_move() => self.pings.push(number),
            Command::Ping(number) => self.say(&format!("pong {number}")),
            Command::Result => {
                self.abort();
                self.over = true;
            }
            Command::Draw => self.consider_draw(),
            Command::Lift(square) => self.lift(square),
            Command::Put(square) => self.put(square),
            Command::SetBoard(text) => self.set_board(&text),
            Command::Edit => {
                self.abort();
                self.edit = Some(Edit::new(self.record.game().current()));
            }
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Hint => self.hint(),
            Command::Memory(mib) => self.set_option("Hash", Some(&mib), line),
            Command::Cores(count) => self.set_option("Threads", Some(&count), line),
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref(), line),
            Command::Quit => self.quitting = true,
            Command::Nothing | Command::Bad(_) | Command::Unknown => {}
        }
    }

    // Games and positions.

    fn begin(&mut self) {
        self.start_from(Record::new(self.options.rules));
        self.worker.clear();
        self.engine = Some(Color::Black);
        self.clocks.depth = None;
    }

    fn start_from(&mut self, record: Record) {
        self.abort();
        self.record = record;
        self.missing.clear();
        self.resend_at = None;
        self.last_score = Score::DRAW;
        (self.over, self.refused, self.by_hand) = (false, false, false);
    }

    fn set_variant(&mut self, name: &str, line: &str) {
        match Rules::by_name(name).filter(|rules| features::variants().contains(rules)) {
            Some(rules) => {
                self.options.rules = rules;
                self.start_from(Record::new(rules));
                self.say(&features::setup(rules));
            }
            None => self.error("unsupported variant", line),
        }
    }

    fn set_board(&mut self, text: &str) {
        let read = fen::read(text, self.options.rules, Strictness::Lenient);
        self.set_up(read.map_err(|error| error.to_string()));
    }

    /// A position is taken whole or refused whole.
    fn set_up(&mut self, read: Result<(Entry, Vec<SetupWarning>), String>) {
        match read {
            Ok((entry, warnings)) => {
                self.start_from(Record::from_entry(entry));
                warnings.iter().for_each(|warning| self.say(&format!("# {warning}")));
            }
            Err(reason) => {
                self.abort();
                self.refused = true;
                self.say(&format!("tellusererror Illegal position: {reason}"));
            }
        }
    }

    fn edit_line(&mut self, line: &str) {
        let Some(edit) = &mut self.edit else { return };
        if line != "." {
            return edit.line(line);
        }
        let setup = edit.setup(self.record.side_in_gui());
        self.edit = None;
        let rules = self.options.rules;
        self.set_up(setup.place(rules, Strictness::Lenient).map_err(|error| error.to_string()));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        if let (true, Some(flag)) = (name.eq_ignore_ascii_case(features::NULL_CAPTURES), value) {
            self.null_captures = flag == "1";
            return;
        }
        // xboard says 1 and 0 where the other face says true and false.
        let flags = |value: &str| value.replace('1', "true").replace('0', "false");
        let plain = self.options.clone();
        let (mut effect, mut replies) = self.options.set(name, value);
        if replies.iter().any(|reply| reply.to_string().contains("neither true nor false")) {
            self.options = plain;
            (effect, replies) = self.options.set(name, value.map(flags).as_deref());
        }
        for reply in replies {
            let text = reply.to_string();
            match text.strip_prefix("info string error ") {
                Some(reason) => self.error(reason, line),
                None => self.say(&format!("# {text}")),
            }
        }
        match effect {
            Effect::Hash(mib) if memory::available_mib().is_some_and(|free| mib as u64 > free) => {
                self.error("more than the memory that is free", line);
            }
            Effect::Hash(mib) => self.options.hash_mib = mib,
            Effect::ClearHash => self.worker.clear(),
            Effect::LogFile(path) => {
                if let Err(error) = self.output.log_to(&path) {
                    self.error(&error.to_string(), line);
                }
            }
            Effect::BookFile(path) => {
                if let Err(error) = self.options.read_book(&path) {
                    self.error(&error, line);
                }
            }
            // The variant has a command of its own.
            Effect::None | Effect::NewVariant => {}
        }
    }

    // Moves.

    fn force(&mut self) {
        self.abort();
        self.engine = None;
        self.by_hand = false;
        self.forget_missing();
    }

    pub(super) fn forget_missing(&mut self) {
        self.missing.clear();
        self.resend_at = None;
    }

    fn play_as(&mut self, color: Color) {
        self.abort();
        self.forget_missing();
        if self.refused {
            return self.say("tellusererror The position was refused; set up another one");
        }
        self.engine = Some(color);
        self.proceed();
    }
}
