//! Plays the games of a contest: worker threads play, one owner tallies and tells.
//!
//! The owner is the calling thread: it alone books results and emits events, so they come in one order. A worker keeps the
//! players it has started from game to game.

use crate::adjudicate::Adjudication;
use crate::clock::Limits;
use crate::event::Event;
use crate::game::{Played, Setting, play};
use crate::opening::Opening;
use crate::opening::suite::Suite;
use crate::pairing::Pairing;
use crate::pairing::agenda::{Agenda, Next};
use crate::pairing::schedule::Schedule;
use crate::player::affinity;
use crate::player::stop::Stop;
use crate::player::transcript::Kept;
use crate::player::{Failure, Player};
use crate::record::{GameEnd, GameRecord, VERSION};
use crate::standing::Standing;
use crate::stats::sprt::{Sprt, SprtVerdict};
use crescendo::rules::game::Game;
use crescendo::rules::table::Rules;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use std::any::Any;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many players a worker keeps ready at most.
const KEPT: usize = 12;
/// After so many failed starts in a row a player is given up.
const STARTS: u32 = 3;

/// One player, as the scheduler knows him.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// His name.
    pub name: String,
    /// His limits.
    pub limits: Limits,
    /// Whether he is started afresh for every game.
    pub restart: bool,
}

/// What a crash, or silence, of a player means besides the loss of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnCrash {
    /// Nothing: the next game is played.
    #[default]
    Lose,
    /// The game is played again, at most [`REPLAYS`] times; after that it is lost.
    Replay,
    /// The run stops, so that somebody looks.
    Stop,
}

/// How often a game is played again.
pub const REPLAYS: usize = 2;

/// A tournament to be played.
#[derive(Debug)]
pub struct Contest {
    /// The rule set.
    pub rules: &'static Rules,
    /// Who meets whom.
    pub schedule: Schedule,
    /// The players, in the order of the schedule's numbers.
    pub entrants: Vec<Entrant>,
    /// Where games begin; the start of the game without it.
    pub openings: Option<Suite>,
    /// Ends that are no result over the board.
    pub adjudication: Adjudication,
    /// The source of all randomness.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// A match of two players ends with the verdict of this test on the first one.
    pub sprt: Option<Sprt>,
    /// What a crash means.
    pub on_crash: OnCrash,
    /// The run stops when a player has crashed more often than this in one session.
    pub max_crashes: Option<u64>,
    /// The processor of each worker and the players it starts; none = any.
    pub cpus: Vec<usize>,
    /// How long a worker waits after a game before it begins the next.
    pub wait: Duration,
    /// Which games have transcripts.
    pub transcripts: Kept,
}

impl Contest {
    /// Whether the contest's sequential test has its verdict.
    #[must_use]
    pub fn is_decided(&self, standing: &Standing) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict(standing.pairs()) != SprtVerdict::Continue)
    }

    /// The player whose crashes end the run, if so.
    #[must_use]
    pub fn given_up(&self, standing: &Standing) -> Option<usize> {
        let most = if self.on_crash == OnCrash::Stop { Some(0) } else { self.max_crashes };
        standing.crashes.iter().position(|&crashes| most.is_some_and(|most| crashes > most))
    }

    /// The seed of a game: that of the contest and the game's number, well mixed (SplitMix64). Never above 2^31, which every
    /// engine's option takes.
    #[must_use]
    pub const fn game_seed(&self, id: u64) -> u64 {
        let mut z = self.seed.wrapping_add(id.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 33) + 1
    }
}

/// Where players come from.
pub trait Roster: Sync {
    /// Starts a player, ready for a game.
    ///
    /// # Errors
    /// He cannot be started; he has not played and so loses nothing.
    fn start(&self, player: usize) -> Result<Box<dyn Player>, Failure>;
}

/// What earlier sessions of a run have left.
#[derive(Debug)]
pub struct Past {
    /// Where the players stand.
    pub standing: Standing,
    /// What is left to be played.
    pub agenda: Agenda,
}

/// How a session of a run ended.
#[derive(Debug)]
pub struct Finish {
    /// Where the players stand.
    pub standing: Standing,
    /// Whether all that was planned has been played.
    pub is_complete: bool,
}

impl Past {
    /// Nothing yet.
    #[must_use]
    pub fn none(contest: &Contest) -> Self {
        let names = contest.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        Self { standing: Standing::new(names), agenda: Agenda::new(contest.schedule) }
    }
}

/// What a worker tells the owner.
enum Message {
    Began(u64),
    Ended(Pairing, Box<Told>),
}

/// A game for the record, and as the referee has it, if it was played.
struct Told {
    record: GameRecord,
    game: Option<Game>,
}

impl From<GameRecord> for Told {
    fn from(record: GameRecord) -> Self {
        Self { record, game: None }
    }
}

/// Plays a contest from its beginning; see [`resume`].
///
/// # Errors
/// The first error of `emit`.
pub fn run<E>(
    contest: &Contest,
    roster: &dyn Roster,
    stop: &Stop,
    emit: &mut dyn FnMut(&Event<'_>) -> Result<(), E>,
) -> Result<Finish, E> {
    resume(contest, Past::none(contest), roster, stop, emit)
}

/// Plays what is left of a contest to its end, to the verdict of its sequential test or until `stop` is set. Every event goes to
/// `emit`; if that fails, the run stops. Games still running at the verdict do not count, however they end: the test saw what it
/// saw.
///
/// # Errors
/// The first error of `emit`.
pub fn resume<E>(
    contest: &Contest,
    past: Past,
    roster: &dyn Roster,
    stop: &Stop,
    emit: &mut dyn FnMut(&Event<'_>) -> Result<(), E>,
) -> Result<Finish, E> {
    let Past { mut standing, agenda } = past;
    let failures = counters(contest.entrants.len());
    let hall = Hall { contest, roster, stop, agenda: Mutex::new(agenda), wake: Condvar::new(), failures };
    let games = contest.schedule.games();
    let mut error = emit(&Event::Began { games }).err();
    // A new session is a new chance.
    standing.crashes.fill(0);
    let mut decided = contest.is_decided(&standing);
    if decided {
        stop.set(Stop::INTERNAL);
    }
    let (sender, messages) = bounded(64);
    std::thread::scope(|scope| {
        for worker in 0..u64::try_from(contest.concurrency.max(1)).unwrap_or(1).min(games) {
            let (hall, sender) = (&hall, sender.clone());
            let cpu = contest.cpus.get(usize::try_from(worker).unwrap_or(usize::MAX)).copied();
            scope.spawn(move || {
                // What a worker starts inherits its processor. A machine that refuses plays all the same.
                let _ = cpu.map(affinity::pin);
                hall.work(&sender);
            });
        }
        drop(sender);
        // The workers end by themselves once the stop is set; their last messages are read to the end all the same.
        loop {
            let message = messages.recv_timeout(Stop::INTERVAL);
            if error.is_some() {
                stop.set(Stop::INTERNAL);
            }
            error = match message {
                Err(RecvTimeoutError::Disconnected) => break,
                _ if error.is_some() => continue,
                Err(RecvTimeoutError::Timeout) => emit(&Event::Idle).err(),
                Ok(Message::Began(id)) => emit(&Event::GameBegan { id }).err(),
                Ok(Message::Ended(pairing, told)) => {
                    let Told { mut record, game } = *told;
                    if decided {
                        record.abort();
                    }
                    standing.book(&record, pairing.white, pairing.black);
                    decided = decided || contest.is_decided(&standing);
                    if decided || contest.given_up(&standing).is_some() {
                        stop.set(Stop::INTERNAL);
                    }
                    let error =
                        emit(&Event::GameEnded { record: &record, game: game.as_ref(), standing: &standing }).err();
                    // Only what has been told of may decide on other games: the journal has it before any of them.
                    hall.agenda().book(&pairing, record.end.points());
                    hall.wake.notify_all();
                    error
                }
            };
        }
    });
    let agenda = hall.agenda();
    if error.is_none() {
        error = emit(&Event::Ended { standing: &standing, course: agenda.course().as_ref() }).err();
    }
    let is_complete = decided || agenda.is_complete(standing.counted() as u64);
    drop(agenda);
    error.map_or(Ok(Finish { standing, is_complete }), Err)
}

fn counters(count: usize) -> Vec<AtomicU32> {
    (0..count).map(|_| AtomicU32::new(0)).collect()
}

/// What the workers share.
struct Hall<'a> {
    contest: &'a Contest,
    roster: &'a dyn Roster,
    stop: &'a Stop,
    agenda: Mutex<Agenda>,
    /// Tells workers that wait that a game has been booked.
    wake: Condvar,
    /// Failed starts in a row, by player.
    failures: Vec<AtomicU32>,
}

/// The players a worker keeps ready, the longest unused first.
type Bench = Vec<(usize, Box<dyn Player>)>;

impl Hall<'_> {
    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        // A panic elsewhere leaves it whole: it is held for single calls only.
        self.agenda.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, waiting for it if need be; `None` when there is none or the run is stopped.
    fn next(&self) -> Option<Pairing> {
        let mut agenda = self.agenda();
        while !self.stop.is_set() {
            match agenda.hand_out() {
                Next::Play(pairing) => return Some(pairing),
                Next::Nothing => return None,
                Next::Wait => {
                    let waited = self.wake.wait_timeout(agenda, Stop::INTERVAL);
                    agenda = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    fn work(&self, sender: &Sender<Message>) {
        let mut bench = Bench::new();
        while let Some(pairing) = self.next() {
            if sender.send(Message::Began(pairing.id)).is_err() {
                break;
            }
            // A panic is a fault of ours: the game does not count, the run goes on, with new players for this worker.
            let told = catch_unwind(AssertUnwindSafe(|| self.attempts(&pairing, &mut bench))).unwrap_or_else(|panic| {
                bench.clear();
                let text = format!("game {}: {}", pairing.id, panic_text(panic.as_ref()));
                self.record(&pairing, None, GameEnd::HarnessError { text }).into()
            });
            if sender.send(Message::Ended(pairing, Box::new(told))).is_err() {
                break;
            }
            self.rest();
        }
        // All at once, so that slow leavers are waited for together.
        for (_, player) in &mut bench {
            player.begin_quit();
        }
    }

    /// Waits as long as the plan wants, or until the run is stopped.
    fn rest(&self) {
        let began = Instant::now();
        while !self.stop.is_set() {
            let left = self.contest.wait.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(Stop::INTERVAL));
        }
    }

    /// Plays a game, and again if that is what the plan wants after a crash.
    fn attempts(&self, pairing: &Pairing, bench: &mut Bench) -> Told {
        let mut crashed = Vec::new();
        loop {
            let mut told = self.game(pairing, bench);
            match told.record.end.crashed() {
                Some(side) if self.contest.on_crash == OnCrash::Replay && crashed.len() < REPLAYS => crashed.push(side),
                _ => {
                    told.record.crashed = crashed;
                    return told;
                }
            }
        }
    }

    fn game(&self, pairing: &Pairing, bench: &mut Bench) -> Told {
        let opening = match &self.contest.openings {
            None => Ok(Opening::none(self.contest.rules)),
            Some(suite) => suite.opening(pairing.opening),
        };
        let opening = match opening {
            Ok(opening) => opening,
            Err(error) => return self.record(pairing, None, GameEnd::HarnessError { text: error.to_string() }).into(),
        };
        let seats = [pairing.white, pairing.black];
        let mut players = Vec::new();
        for seat in seats {
            match self.seat(seat, bench) {
                Ok(player) => players.push(player),
                Err(failure) => {
                    bench.extend(seats.into_iter().zip(players));
                    let end = match failure {
                        Failure::Stopped => GameEnd::Aborted,
                        _ => GameEnd::NotPlayed {
                            text: format!("{} did not start: {failure}", self.contest.entrants[seat].name),
                        },
                    };
                    return self.record(pairing, Some(&opening), end).into();
                }
            }
        }
        let setting = Setting {
            opening: &opening,
            limits: seats.map(|seat| self.contest.entrants[seat].limits),
            adjudication: self.contest.adjudication,
            seed: self.contest.game_seed(pairing.id),
            transcripts: self.contest.transcripts,
        };
        let began = (jiff::Timestamp::now(), Instant::now());
        let [white, black] = players.as_mut_slice() else {
            let text = "a seat is empty".to_owned();
            return self.record(pairing, None, GameEnd::HarnessError { text }).into();
        };
        let Played { game, end, turns, warnings, healthy, transcripts } =
            play(&setting, white.as_mut(), black.as_mut());
        let mut record = self.record(pairing, Some(&opening), end);
        (record.began, record.ms) = (began.0, u64::try_from(began.1.elapsed().as_millis()).unwrap_or(u64::MAX));
        (record.moves, record.plies, record.turns) = (moves_text(&game), game.plies(), turns);
        (record.warnings, record.transcripts) = (warnings, transcripts);
        self.leave(seats, players, healthy, bench);
        Told { record, game: Some(game) }
    }

    /// Takes a player from the bench or starts him, at most twice.
    fn seat(&self, player: usize, bench: &mut Bench) -> Result<Box<dyn Player>, Failure> {
        if let Some(at) = bench.iter().position(|(kept, _)| *kept == player) {
            return Ok(bench.remove(at).1);
        }
        let failures = &self.failures[player];
        let mut last = Failure::Crash(format!("given up after {STARTS} failed starts"));
        for _ in 0..2 {
            if failures.load(Ordering::Relaxed) >= STARTS {
                break;
            }
            match self.roster.start(player) {
                Ok(started) => {
                    failures.store(0, Ordering::Relaxed);
                    return Ok(started);
                }
                Err(Failure::Stopped) => return Err(Failure::Stopped),
                Err(failure) => {
                    failures.fetch_add(1, Ordering::Relaxed);
                    last = failure;
                }
            }
        }
        Err(last)
    }

    /// After a game: who can play on stays on the bench.
    fn leave(&self, seats: [usize; 2], players: Vec<Box<dyn Player>>, healthy: [bool; 2], bench: &mut Bench) {
        for ((seat, mut player), healthy) in seats.into_iter().zip(players).zip(healthy) {
            if healthy && !self.contest.entrants[seat].restart {
                bench.push((seat, player));
            } else {
                player.begin_quit();
            }
        }
        let surplus = bench.len().saturating_sub(KEPT);
        for (_, player) in &mut bench[..surplus] {
            player.begin_quit();
        }
        bench.drain(..surplus);
    }

    /// The record of a game of which nothing has been played.
    fn record(&self, pairing: &Pairing, opening: Option<&Opening>, end: GameEnd) -> GameRecord {
        let name = |player: usize| self.contest.entrants[player].name.clone();
        GameRecord {
            v: VERSION,
            id: pairing.id,
            round: pairing.round + 1,
            pair: pairing.pair,
            white: name(pairing.white),
            black: name(pairing.black),
            rules: self.contest.rules.name.to_owned(),
            opening: opening.and_then(|opening| opening.line),
            fen: opening.and_then(|opening| opening.fen.clone()),
            book: opening.map_or(0, Opening::series),
            moves: String::new(),
            result: end.result().to_owned(),
            end,
            plies: 0,
            seed: self.contest.game_seed(pairing.id),
            control: self.control_tag(pairing),
            began: jiff::Timestamp::now(),
            ms: 0,
            turns: Vec::new(),
            warnings: Vec::new(),
            transcripts: Default::default(),
            crashed: Vec::new(),
        }
    }

    fn control_tag(&self, pairing: &Pairing) -> String {
        let tag = |player: usize| self.contest.entrants[player].limits.tag();
        let (white, black) = (tag(pairing.white), tag(pairing.black));
        if white == black { white } else { "?".into() }
    }
}

fn moves_text(game: &Game) -> String {
    // Most moves are four letters, and a comma or a blank.
    let mut text = String::with_capacity(5 * game.plies() + 8);
    for (number, (_, series)) in game.turns().iter().enumerate() {
        let blank = if number == 0 { "" } else { " " };
        let _ = write!(text, "{blank}{series}");
    }
    text
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}
