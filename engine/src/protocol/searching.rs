//! The session's searches: from `go` to exactly one `bestmove`, given neither too early nor too late.

use super::go::Go;
use super::reply::{Line, Reply};
use super::session::{Session, no_position};
use crate::rules::game::Game;
use crate::rules::movelist::read_prefix;
use crate::search::info::{Choice, Info};
use crate::search::think::Settings;
use crate::tools::bench::bench;
use crate::tools::counting::{MAX_DEPTH, Unit, count};
use crate::types::series::Series;
use crate::types::{Color, score::Score};
use crate::workers::budget::Times;
use crate::workers::clock::{Budget, Clock, Control};
use crate::workers::worker::Task;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What the search thread is doing for the client.
pub(super) struct Running {
    control: Arc<Control>,
    kind: Kind,
}

enum Kind {
    /// A count or the bench.
    Chore,
    /// A search.
    Search(Search),
}

/// A search that has not been answered yet; it may be over.
#[derive(Default)]
struct Search {
    /// `go infinite`: no answer before `stop`.
    infinite: bool,
    /// `go ponder`: no answer before `stop` or `ponderhit`.
    pondering: bool,
    /// The first series of the last best line printed.
    shown: Option<Series>,
    /// The answer, once it is there.
    choice: Option<(Choice, Duration)>,
}

impl Session {
    /// Stops what runs and waits for its answer, so that the next command acts on a quiet session.
    pub(super) fn settle(&mut self) {
        self.stop();
        while self.running.is_some() {
            match self.worker.reports().recv() {
                Ok(report) => self.on_report(report),
                // Without its thread the search will never answer; the client still gets one.
                Err(_) => self.on_choice(nothing(), Duration::ZERO),
            }
        }
    }

    /// Stops what runs. An answer that only waited for this is given.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.control.stop();
            if let Kind::Search(search) = &mut running.kind {
                (search.infinite, search.pondering) = (false, false);
            }
            self.answer_if_due();
        }
    }

    pub(super) fn ponder_hit(&mut self) {
        if let Some(Running { control, kind: Kind::Search(search) }) = &mut self.running {
            search.pondering = false;
            control.ponder_hit();
            self.answer_if_due();
        }
    }

    pub(super) fn bench(&mut self) {
        let control = Control::new(false);
        let pace = Clock::new(Instant::now(), Budget::Unlimited, control.clone());
        let chore = move |_: &Control, say: &mut dyn FnMut(String)| bench(&pace, say).is_some();
        self.worker.chore(Box::new(chore), control.clone());
        self.running = Some(Running { control, kind: Kind::Chore });
    }

    /// `go`: the steps are numbered because their order matters.
    pub(super) fn go(&mut self, go: &Go, at: Instant) {
        // 1. The search before gets its answer first.
        self.settle();
        // 2. What was not understood.
        for word in &go.skipped {
            self.say(&Reply::error("unknown-command", format_args!("go '{word}'")));
        }
        for fault in &go.faults {
            self.say(&Reply::error("option-value", fault));
        }
        // 3. No search without a position, and a count is no search.
        let Some(game) = &self.game else {
            self.say(&no_position());
            if go.perft.is_none() {
                self.say(&best_move(&nothing(), false));
            }
            return;
        };
        if let Some((depth, unit)) = go.perft {
            return self.perft(depth, unit);
        }
        let mut search = Search {
            infinite: go.infinite || go.is_unbounded() && !go.ponder,
            pondering: go.ponder,
            ..Search::default()
        };
        // 4. A finished game has no best move.
        if let Some(outcome) = game.outcome() {
            search.choice = Some((nothing(), Duration::ZERO));
            self.say(&Reply::Ended { won: outcome.winner().is_some() });
            self.running = Some(Running { control: Control::new(false), kind: Kind::Search(search) });
            return self.answer_if_due();
        }
        // 5. Beginnings that are asked for must exist.
        let (prefixes, refused) = read_prefixes(game, go.prefixes.as_deref().unwrap_or_default());
        let control = Control::new(go.ponder);
        let budget = self.budget(game, go);
        let task = self.task(game, go, prefixes, Clock::new(at, budget, control.clone()));
        for refusal in refused {
            self.say(&refusal);
        }
        if go.prefixes.is_some() && task.prefixes.is_empty() {
            return self.say(&best_move(&nothing(), false));
        }
        // 6. Search.
        if self.debug {
            let Settings { level, seed } = task.settings;
            self.say(&Reply::Note(format!("debug budget {budget:?}, level {}, seed {seed}", level.name)));
        }
        self.worker.think(task);
        self.running = Some(Running { control, kind: Kind::Search(search) });
    }

    fn task(&self, game: &Game, go: &Go, prefixes: Vec<Series>, clock: Clock) -> Task {
        let seed = match self.options.seed {
            0 => SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64),
            seed => seed,
        };
        let series = |n: i64| u16::try_from(n.max(1)).unwrap_or(u16::MAX);
        let level = self.options.level(game.current(), seed);
        let is_for_play =
            !go.infinite && !go.ponder && !go.is_unbounded() && go.mate.is_none() && go.prefixes.is_none();
        let book = if is_for_play { self.options.book_choice(game.current(), &level, seed) } else { None };
        Task {
            midturn: *game.current(),
            book,
            settings: Settings { level, seed },
            hash_mib: self.options.hash_mib,
            nodes: go.nodes.map(|n| n.max(1).unsigned_abs()),
            depth: go.depth.map(series),
            mate: go.mate.map(series),
            threads: self.options.threads,
            prefixes,
            multi_pv: self.options.multi_pv,
            clock,
        }
    }

    fn budget(&self, game: &Game, go: &Go) -> Budget {
        let (own, theirs) = match game.color() {
            Color::White => (0, 1),
            Color::Black => (1, 0),
        };
        let times = Times {
            own: go.time[own],
            theirs: go.time[theirs],
            increment: go.increment[own].unwrap_or(0),
            moves_to_go: go.moves_to_go,
            movetime: go.movetime,
            overhead: self.options.overhead,
            ponders: self.options.ponder,
        };
        match times.budget(game.current()) {
            _ if go.infinite => Budget::Endless,
            Some(budget) => budget,
            // Pondered long enough by definition: after `ponderhit` the answer is due at once.
            None if go.ponder && go.is_unbounded() => Budget::Time(Duration::ZERO),
            None if go.depth.is_some() || go.nodes.is_some() => Budget::Unlimited,
            None => Budget::Endless,
        }
    }

    fn perft(&mut self, depth: Option<i64>, unit: Unit) {
        let (Some(depth), Some(game)) = (depth, &self.game) else { return };
        let midturn = *game.current();
        let clamped = depth.clamp(0, i64::from(MAX_DEPTH));
        if clamped != depth {
            self.say(&Reply::warning("option-range", format_args!("perft {depth}; taken as {clamped}")));
        }
        let depth = u32::try_from(clamped).unwrap_or(0);
        let control = Control::new(false);
        let chore = move |control: &Control, say: &mut dyn FnMut(String)| {
            count(&midturn, depth, unit, &|| control.is_stopped(), say).is_some()
        };
        self.worker.chore(Box::new(chore), control.clone());
        self.running = Some(Running { control, kind: Kind::Chore });
    }

    pub(super) fn on_line(&mut self, info: Info, elapsed: Duration) {
        if let Some(Running { kind: Kind::Search(search), .. }) = &mut self.running
            && info.multi_pv == 1
        {
            search.shown = info.pv.first().cloned();
        }
        let line = Line { info, elapsed, wdl: self.options.show_wdl, legs: self.options.legs };
        self.say(&Reply::Line(line));
    }

    pub(super) fn on_choice(&mut self, choice: Choice, elapsed: Duration) {
        match &mut self.running {
            Some(Running { kind: Kind::Search(search), .. }) => search.choice = Some((choice, elapsed)),
            _ => self.running = None,
        }
        self.answer_if_due();
    }

    pub(super) fn on_chore_done(&mut self, completed: bool) {
        self.running = None;
        if !completed {
            self.say(&Reply::Note("stopped".into()));
        }
    }

    /// Gives the answer if it is there and may be given.
    fn answer_if_due(&mut self) {
        let Some(Running { kind: Kind::Search(search), .. }) = &mut self.running else { return };
        if search.infinite || search.pondering {
            return;
        }
        let Some((choice, elapsed)) = search.choice.take() else { return };
        let shown = search.shown.take();
        self.running = None;
        if let Some(series) = &choice.series
            && shown.as_ref() != Some(series)
        {
            // The client must have seen the line that begins with the answer.
            self.on_line(last_line(&choice, series), elapsed);
        }
        self.say(&best_move(&choice, self.options.legs));
    }
}

fn last_line(choice: &Choice, series: &Series) -> Info {
    let pv: Vec<Series> = [series].into_iter().chain(&choice.ponder).cloned().collect();
    let depth = pv.len() as u16;
    Info { depth, seldepth: depth, multi_pv: 1, score: choice.score, nodes: choice.nodes, hashfull: 0, pv }
}

fn nothing() -> Choice {
    Choice::none(Score::DRAW)
}

fn best_move(choice: &Choice, legs: bool) -> Reply {
    Reply::BestMove { series: choice.series.clone(), ponder: choice.ponder.clone(), legs }
}

/// The beginnings that can be played, and warnings about those that cannot.
fn read_prefixes(game: &Game, items: &[String]) -> (Vec<Series>, Vec<Reply>) {
    let (mut prefixes, mut refused) = (Vec::new(), Vec::new());
    for item in items {
        match read_prefix(game.current(), item) {
            Ok(prefix) => prefixes.push(prefix),
            Err(error) => refused.push(Reply::Warning(format!("{error}; dropped from searchmoves"))),
        }
    }
    (prefixes, refused)
}
