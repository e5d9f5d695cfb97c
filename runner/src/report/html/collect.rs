//! Reads a journal once, game by game, and keeps what the page needs: counts, times, faults, and where each game stands.
//!
//! A report of a million games must not hold a million games, so the games to be replayed are read again by their places.

use crate::record::{GameEnd, GameRecord, Side};
use crate::standing::Standing;
use crate::stats::counts::{Penta, Points, Wdl};
use crate::stats::quantile::Sample;
use crate::stats::sprt::Sprt;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

/// How many faults are listed.
pub(super) const FAULTS: usize = 200;

/// The test whose curve is drawn.
#[derive(Clone, Debug)]
pub struct Test {
    /// Bounds and hypotheses.
    pub sprt: Sprt,
    /// The player whose strength is tested; the other one is whomever he meets.
    pub player: String,
}

/// How often games ended for one reason: White won, drawn, Black won, no result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ways {
    /// Games that count, from White's side.
    pub(super) results: Wdl,
    /// Games that do not count.
    pub(super) open: u64,
}

/// A game that did not end over the board.
#[derive(Clone, Debug)]
pub(super) struct Abnormal {
    pub(super) id: u64,
    /// Who is charged, if it is a player.
    pub(super) player: Option<String>,
    pub(super) end: GameEnd,
}

/// Where a game stands in the journal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    offset: u64,
    pub(super) is_abnormal: bool,
}

/// What is kept of a journal.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) standing: Standing,
    pub(super) rules: String,
    pub(super) began: Option<jiff::Timestamp>,
    pub(super) ended: Option<jiff::Timestamp>,
    /// Row against column, from the row's side.
    pub(super) meetings: BTreeMap<(usize, usize), Wdl>,
    /// By the turn in which the game ended, from White's side.
    pub(super) last_turns: BTreeMap<u16, Wdl>,
    pub(super) reasons: BTreeMap<&'static str, Ways>,
    /// Milliseconds by player and turn.
    pub(super) times: BTreeMap<(usize, u16), Sample>,
    /// Time used in thousandths of what was allowed, by player and turn.
    pub(super) shares: BTreeMap<(usize, u16), Sample>,
    /// Milliseconds beyond the player's own account, by player.
    pub(super) overheads: BTreeMap<usize, Sample>,
    pub(super) abnormal: Vec<Abnormal>,
    pub(super) places: Vec<Place>,
    /// Pairs complete so far and the log-likelihood ratio with each.
    pub(super) curve: Vec<(u64, f64)>,
    pairs: HashMap<u64, Points>,
    penta: Penta,
}

impl Collected {
    /// Reads a journal; a torn last line is left out.
    pub(super) fn read(path: &Path, test: Option<&Test>) -> io::Result<Self> {
        let mut collected = Self::new();
        let mut reader = BufReader::new(File::open(path)?);
        let (mut line, mut offset) = (String::new(), 0);
        let mut number = 0;
        loop {
            line.clear();
            let length = reader.read_line(&mut line)? as u64;
            if !line.ends_with('\n') {
                return Ok(collected);
            }
            number += 1;
            if !line.trim().is_empty() {
                let bad = |error| io::Error::new(io::ErrorKind::InvalidData, format!("line {number}: {error}"));
                collected.add(&serde_json::from_str(&line).map_err(bad)?, offset, test);
            }
            offset += length;
        }
    }

    fn new() -> Self {
        Self {
            standing: Standing::new(Vec::new()),
            rules: String::new(),
            began: None,
            ended: None,
            meetings: BTreeMap::new(),
            last_turns: BTreeMap::new(),
            reasons: BTreeMap::new(),
            times: BTreeMap::new(),
            shares: BTreeMap::new(),
            overheads: BTreeMap::new(),
            abnormal: Vec::new(),
            places: Vec::new(),
            curve: Vec::new(),
            pairs: HashMap::new(),
            penta: Penta::default(),
        }
    }

    fn add(&mut self, record: &GameRecord, offset: u64, test: Option<&Test>) {
        let (white, black) = (self.standing.enter(&record.white), self.standing.enter(&record.black));
        self.standing.book(record, white, black);
        self.rules.clone_from(&record.rules);
        let length = jiff::SignedDuration::from_millis(i64::try_from(record.ms).unwrap_or(0));
        let ended = record.began.checked_add(length).unwrap_or(record.began);
        self.began = Some(self.began.map_or(record.began, |first| first.min(record.began)));
        self.ended = Some(self.ended.map_or(ended, |last| last.max(ended)));
        for turn in &record.turns {
            let player = if turn.turn % 2 == 1 { white } else { black };
            let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
            self.times.entry((player, turn.turn)).or_default().push(narrow(turn.ms));
            if let Some(limit) = turn.limit {
                let share = turn.ms.saturating_mul(1000) / limit.max(1);
                self.shares.entry((player, turn.turn)).or_default().push(narrow(share));
            }
            if let Some(overhead) = turn.overhead() {
                self.overheads.entry(player).or_default().push(narrow(overhead));
            }
        }
        let ways = self.reasons.entry(record.end.reason()).or_default();
        match record.end.points() {
            None => ways.open += 1,
            Some(points) => {
                ways.results.record(points);
                self.last_turns.entry(last_turn(record)).or_default().record(points);
                self.meetings.entry((white, black)).or_default().record(points);
                self.meetings.entry((black, white)).or_default().record(points.reversed());
                if let Some(test) = test {
                    self.test(record, points, test);
                }
            }
        }
        let is_abnormal = !matches!(record.end, GameEnd::Played(_) | GameEnd::Adjudicated { .. });
        if is_abnormal && self.abnormal.len() < FAULTS {
            let player = match &record.end {
                GameEnd::Forfeit { loser: Side::White, .. } => Some(record.white.clone()),
                GameEnd::Forfeit { loser: Side::Black, .. } => Some(record.black.clone()),
                _ => None,
            };
            self.abnormal.push(Abnormal { id: record.id, player, end: record.end.clone() });
        }
        self.places.push(Place { offset, is_abnormal });
    }

    /// Books a game of the tested player; the curve has a point for every complete pair.
    fn test(&mut self, record: &GameRecord, points: Points, test: &Test) {
        let points = if record.white == test.player {
            points
        } else if record.black == test.player {
            points.reversed()
        } else {
            return;
        };
        match self.pairs.remove(&record.pair) {
            None => {
                self.pairs.insert(record.pair, points);
            }
            Some(first) => {
                self.penta.record(first, points);
                self.curve.push((self.penta.pairs(), test.sprt.llr(&self.penta)));
            }
        }
    }
}

/// The turn in which the game ended: that of the fault, or the last one answered, or the last one of the opening.
fn last_turn(record: &GameRecord) -> u16 {
    if let GameEnd::Forfeit { fault, .. } = &record.end {
        return fault.turn;
    }
    let series = || u16::try_from(record.moves.split_whitespace().count()).unwrap_or(u16::MAX);
    record.turns.last().map_or_else(series, |turn| turn.turn)
}

/// Reads the games at these places, one after the other.
pub(super) fn read_at(path: &Path, places: &[Place], visit: &mut dyn FnMut(&GameRecord)) -> io::Result<()> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = String::new();
    for place in places {
        reader.seek(SeekFrom::Start(place.offset))?;
        line.clear();
        reader.read_line(&mut line)?;
        visit(&serde_json::from_str(&line)?);
    }
    Ok(())
}
