//! Who plays whom, with which opening and color.
//!
//! A [`Schedule`] says what a plan wants; an [`agenda::Agenda`] hands its games out. In the fixed formats the
//! schedule is arithmetic: game number → pairing. In the others ([`Format::Knockout`], [`Format::Swiss`],
//! [`Format::Adaptive`]) games come in *stages*, and who meets in a stage follows from the schedule and the results of the
//! stages before it, from nothing else: not from the order in which games end, how many are played at a time, or where a
//! run was interrupted. So every game can be found again by its number and the results of those before it, and the
//! journal of results is the whole state.

pub mod adaptive;
pub mod agenda;
pub mod course;
pub mod knockout;
pub mod schedule;
mod stages;
pub mod swiss;

use crate::stats::design::Wanted;

/// Which players meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// Each of the first `seeds` players meets everybody after them; seeds do not meet.
    Gauntlet {
        /// How many.
        seeds: usize,
    },
    /// Everybody meets all players before him, one newcomer after the other.
    Pyramid,
    /// The two players meet.
    Match,
    /// Whoever loses a tie is out; see [`knockout`].
    Knockout {
        /// At most so many further pairs for a tie that is level after the planned ones.
        extra: u64,
    },
    /// In each round everybody meets somebody of about his own score; see [`swiss`].
    Swiss {
        /// How many rounds.
        rounds: u64,
    },
    /// Those meet whose games tell most; see [`adaptive`].
    Adaptive {
        /// What is to be known, and how well.
        wanted: Wanted,
        /// At most so many games.
        max_games: u64,
    },
}

/// How openings are dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// All encounters of a round have the same opening.
    Round,
    /// Every encounter has the next one.
    Encounter,
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number, from 0.
    pub id: u64,
    /// Its round, from 0.
    pub round: u64,
    /// The pair of games with one opening and swapped colors that it belongs to.
    pub pair: u64,
    /// Which opening in the order of play, before going round.
    pub opening: u64,
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
}

/// Two players who meet for a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// One of them.
    pub first: usize,
    /// The other.
    pub second: usize,
}

impl Meeting {
    /// White and Black of one game of pair number `pair`; `swapped` for the pair's second game. Who begins with White
    /// alternates from pair to pair, so that neither half of the field always does.
    #[must_use]
    pub const fn seats(self, pair: u64, swapped: bool) -> (usize, usize) {
        if swapped == (pair % 2 == 1) { (self.first, self.second) } else { (self.second, self.first) }
    }
}
