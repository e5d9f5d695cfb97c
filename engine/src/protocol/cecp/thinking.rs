//! xboard's searches: for the engine's series, or for a hint.

use super::face::Face;
use super::show;
use crate::rules::midturn::Midturn;
use crate::search::info::Choice;
use crate::search::levels::Level;
use crate::search::think::Settings;
use crate::workers::clock::{Budget, Clock, Control};
use crate::workers::worker::{Report, Task};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What the worker thinks about, and how to stop it.
pub(super) struct Thought {
    control: Arc<Control>,
    midturn: Midturn,
    /// For a hint, not for a move.
    is_hint: bool,
}

/// A hint must come soon.
const HINT_TIME: Duration = Duration::from_secs(2);

impl Face {
    /// Whether the engine thinks about its series.
    pub(super) fn is_to_move(&self) -> bool {
        self.thought.as_ref().is_some_and(|thought| !thought.is_hint)
    }

    /// Begins to think about the engine's series.
    pub(super) fn think(&mut self) {
        let midturn = *self.record.game().current();
        let budget = self.clocks.budget(&midturn, self.options.overhead);
        self.start(midturn, budget, None, self.clocks.depth, false);
    }

    /// Begins to think about a hint, unless the engine is to move or the game is over.
    pub(super) fn hint(&mut self) {
        if self.thought.is_none() && !self.over && self.record.game().outcome().is_none() {
            let midturn = *self.record.game().current();
            self.start(midturn, Budget::Time(HINT_TIME), Some(Level::full()), None, true);
        }
    }

    /// Without a `level` it is the one of the options.
    fn start(
        &mut self,
        midturn: Midturn,
        budget: Budget,
        level: Option<&'static Level>,
        depth: Option<u16>,
        is_hint: bool,
    ) {
        self.abort();
        let control = Control::new(false);
        let seed = match self.options.seed {
            0 => SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64),
            seed => seed,
        };
        let level = level.copied().unwrap_or_else(|| self.options.level(&midturn, seed));
        let book = if is_hint { None } else { self.options.book_choice(&midturn, &level, seed) };
        self.worker.think(Task {
            midturn,
            book,
            settings: Settings { level, seed },
            hash_mib: self.options.hash_mib,
            threads: self.options.threads,
            nodes: None,
            depth,
            mate: None,
            prefixes: Vec::new(),
            multi_pv: if is_hint { 1 } else { self.options.multi_pv },
            clock: Clock::new(Instant::now(), budget, control.clone()),
        });
        self.thought = Some(Thought { control, midturn, is_hint });
    }

    /// `?`: the engine answers with what it has.
    pub(super) fn move_now(&mut self) {
        if let Some(thought) = self.thought.as_ref().filter(|thought| !thought.is_hint) {
            thought.control.stop();
        }
    }

    /// Ends a search whose answer nobody wants any more.
    pub(super) fn abort(&mut self) {
        let Some(thought) = self.thought.take() else { return };
        thought.control.stop();
        // The worker answers at once; without it there is nothing to wait for.
        while let Ok(report) = self.worker.reports().recv() {
            if matches!(report, Report::Chosen(..)) {
                break;
            }
        }
        self.pong();
    }

    /// Answers the pings that waited for the move.
    fn pong(&mut self) {
        for number in std::mem::take(&mut self.pings) {
            self.say(&format!("pong {number}"));
        }
    }

    /// Acts on what the search thread tells.
    pub(super) fn on_report(&mut self, report: Report) {
        match report {
            Report::Chosen(choice, _) => self.on_choice(choice),
            Report::Line(info, elapsed) => {
                if let Some(thought) = self.thought.as_ref().filter(|thought| self.posts && !thought.is_hint) {
                    let line = show::thinking(&thought.midturn, &info, elapsed);
                    self.say(&line);
                }
            }
            Report::Prepared { hash_mib, .. } => self.options.hash_mib = hash_mib.max(1),
            Report::Note(text) => self.say(&format!("# {text}")),
            Report::Text(_) | Report::ChoreDone { .. } => {}
        }
    }

    fn on_choice(&mut self, choice: Choice) {
        let Some(thought) = self.thought.take() else { return };
        let series = choice.series.unwrap_or_default();
        if thought.is_hint {
            if let Some(mv) = series.first() {
                self.say(&format!("Hint: {mv}"));
            }
        } else {
            self.last_score = choice.score;
            self.play(&series);
        }
        self.pong();
    }
}
