//! The games of a pool of players, ready to be rated.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::Wdl;
use super::fit::Encounter;

/// Results of one White player against one Black player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GameTally {
    /// The player with White, from 0.
    pub white: usize,
    /// The player with Black, from 0.
    pub black: usize,
    /// The results, from White's side.
    pub results: Wdl,
}

/// The games to be rated.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    players: usize,
    pub(super) clustered: Vec<(u64, GameTally)>,
    pub(super) independent: Vec<GameTally>,
}

impl Pool {
    /// A pool of `players` players, numbered from 0, without games.
    pub fn new(players: usize) -> Pool {
        Pool { players, ..Pool::default() }
    }

    /// Makes room for so many more calls of [`Pool::add`].
    pub fn reserve(&mut self, games: usize) {
        self.clustered.reserve_exact(games);
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games that belong to `cluster`: all games under one number may depend on each other, as the two of a pair do.
    /// Panics if a player is not in the pool.
    pub fn add(&mut self, cluster: u64, tally: GameTally) {
        self.check(&tally);
        self.clustered.push((cluster, tally));
    }

    /// Adds games each of which is independent of all others. Panics if a player is not in the pool.
    pub fn add_independent(&mut self, tally: GameTally) {
        self.check(&tally);
        self.independent.push(tally);
    }

    fn check(&self, tally: &GameTally) {
        let last = tally.white.max(tally.black);
        assert!(last < self.players, "player {last} is not in a pool of {}", self.players);
    }

    /// All games by White and Black, in ascending order, so that the sum does not depend on the order of input.
    pub(super) fn encounters(&self) -> Vec<Encounter> {
        let mut sums: BTreeMap<(usize, usize), Wdl> = BTreeMap::new();
        for tally in self.clustered.iter().map(|(_, tally)| tally).chain(&self.independent) {
            *sums.entry((tally.white, tally.black)).or_default() += tally.results;
        }
        let encounter = |((white, black), results): ((usize, usize), Wdl)| Encounter {
            white,
            black,
            games: results.games() as f64,
            points: results.points(),
        };
        sums.into_iter().filter(|(_, results)| results.games() > 0).map(encounter).collect()
    }
}
