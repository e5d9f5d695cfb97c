//! Where the players stand: the tally of all games so far, and ratings of it.

use crate::record::{FaultKind, GameEnd, GameRecord, Side};
use crate::stats::counts::{Penta, Points, Wdl};
use crate::stats::pool::{GameTally, Pool};
use crate::stats::rating::{FitOptions, Ratings, fit};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One player's part.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// With White, from his own side.
    pub white: Wdl,
    /// With Black, from his own side.
    pub black: Wdl,
    /// Games lost by a fault, by kind.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Things that were odd but cost nothing.
    pub warnings: u64,
}

impl Tally {
    /// Both colors together.
    #[must_use]
    pub fn both(&self) -> Wdl {
        let mut sum = self.white;
        sum += self.black;
        sum
    }
}

/// A game that counts, as small as can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counted {
    id: u64,
    white: u32,
    black: u32,
    /// White's half points.
    halves: u8,
}

/// The tally of a run.
#[derive(Clone, Debug)]
pub struct Standing {
    names: Vec<String>,
    tallies: Vec<Tally>,
    games: Vec<Counted>,
    /// Of two players: their complete pairs, from the first one's side, and his points in pairs of which one game is missing.
    pairs: Penta,
    halves: BTreeMap<u64, Points>,
    /// Hashes of the games that count, players and colors among it.
    distinct: HashSet<u64>,
    /// Games that count but repeat another one of the same players and colors move by move.
    pub repeats: u64,
    /// Games with an end of any kind.
    pub ended: u64,
    /// Games that were not played since a player did not start.
    pub not_played: u64,
    /// Games lost to the runner's own faults.
    pub harness_errors: u64,
    /// Games cut off by a stop.
    pub aborted: u64,
    /// How often each player has crashed or fallen silent, attempts at games that were played again included.
    pub crashes: Vec<u64>,
}

impl Standing {
    /// No games yet.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        let tallies = vec![Tally::default(); names.len()];
        let crashes = vec![0; names.len()];
        Self {
            names,
            tallies,
            games: Vec::new(),
            pairs: Penta::default(),
            halves: BTreeMap::new(),
            distinct: HashSet::new(),
            repeats: 0,
            ended: 0,
            not_played: 0,
            harness_errors: 0,
            aborted: 0,
            crashes,
        }
    }

    /// The number of the player of this name, who is entered if he is new.
    pub fn enter(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.tallies.push(Tally::default());
            self.crashes.push(0);
            self.names.len() - 1
        })
    }

    /// The players' names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The players' tallies, in the order of their names.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// How many games count.
    #[must_use]
    pub const fn counted(&self) -> usize {
        self.games.len()
    }

    /// The complete pairs of a match of two players, from the first one's side; empty with more players.
    #[must_use]
    pub const fn pairs(&self) -> &Penta {
        &self.pairs
    }

    /// Books a game between these players.
    pub fn book(&mut self, record: &GameRecord, white: usize, black: usize) {
        self.ended += 1;
        for side in record.crashed.iter().copied().chain(record.end.crashed()) {
            self.crashes[if side == Side::White { white } else { black }] += 1;
        }
        for warning in &record.warnings {
            self.tallies[if warning.player == Side::White { white } else { black }].warnings += 1;
        }
        match &record.end {
            GameEnd::NotPlayed { .. } => self.not_played += 1,
            GameEnd::HarnessError { .. } => self.harness_errors += 1,
            GameEnd::Aborted => self.aborted += 1,
            GameEnd::Forfeit { loser, fault } => {
                let loser = if *loser == Side::White { white } else { black };
                *self.tallies[loser].faults.entry(fault.kind).or_default() += 1;
            }
            GameEnd::Played(_) | GameEnd::Adjudicated { .. } => {}
        }
        let Some(points) = record.end.points() else { return };
        let (theirs, halves) = (points.reversed(), points.halves());
        // Two games of equal hash that differ are rarer than anything else that can go wrong.
        if record.plies > 0 && !self.distinct.insert(game_hash(record, white, black)) {
            self.repeats += 1;
        }
        self.tallies[white].white.record(points);
        self.tallies[black].black.record(theirs);
        if self.names.len() == 2 {
            let first = if white == 0 { points } else { theirs };
            match self.halves.remove(&record.pair) {
                Some(other) => self.pairs.record(other, first),
                None => {
                    self.halves.insert(record.pair, first);
                }
            }
        }
        // Player numbers are small: they count lines of a plan.
        self.games.push(Counted { id: record.id, white: white as u32, black: black as u32, halves });
    }

    /// Ratings by one joint fit of all games that count; `None` without any. The two games of a pair are one cluster. The
    /// answer does not depend on the order in which the games ended.
    #[must_use]
    pub fn ratings(&self) -> Option<Ratings> {
        self.ratings_after(self.games.len())
    }

    /// The ratings as they were after so many of the games that count, in the order in which they were booked.
    #[must_use]
    pub fn ratings_after(&self, count: usize) -> Option<Ratings> {
        let mut games = self.games.get(..count)?.to_vec();
        if games.is_empty() {
            return None;
        }
        games.sort_unstable();
        let mut pool = Pool::new(self.names.len());
        pool.reserve(games.len());
        for game in games {
            let mut results = Wdl::default();
            results.record(match game.halves {
                2 => Points::One,
                1 => Points::Half,
                _ => Points::Zero,
            });
            pool.add(game.id / 2, GameTally { white: game.white as usize, black: game.black as usize, results });
        }
        fit(&pool, &FitOptions::default()).ok()
    }
}

/// A hash of who played what: the same for two games only if they are the same, but for chances of one in 2^64.
fn game_hash(record: &GameRecord, white: usize, black: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (white, black, &record.fen, &record.moves).hash(&mut hasher);
    hasher.finish()
}
