//! Single elimination: who loses a tie is out.
//!
//! Players are seeded in the order of the plan. The bracket is the usual one: the first seed can meet the second only in the
//! final, and either of them the third or fourth only in the semi-final. Where the number of players is no power of two, the first
//! seeds have a bye in the first round.
//!
//! A tie is a number of pairs of games. If it is level, further pairs are played one by one, at most as many as the plan grants;
//! if it is level still, the player with more wins with Black goes on, and if that is level, too, the higher seed.

use super::Meeting;
use super::course::{Course, Decision, Tie};
use super::stages::{Director, PairPoints, Stage};
use crate::stats::counts::Points;

/// The state of a knockout.
#[derive(Debug)]
pub(super) struct Knockout {
    pairs: u64,
    extra: u64,
    /// The rounds so far, each a list of ties in the order of the bracket.
    rounds: Vec<Vec<Tie>>,
    /// Pairs that have been played in this round's ties that are still level.
    played: u64,
}

impl Knockout {
    /// A knockout of so many players, with ties of `pairs` pairs and at most `extra` more.
    pub(super) fn new(players: usize, pairs: u64, extra: u64) -> Self {
        let seeds = bracket(players.next_power_of_two());
        let (ties, _) = seeds.as_chunks::<2>();
        // A seed beyond the players stands for nobody; he always comes second, since seeds are paired best against worst.
        let first = ties.iter().map(|&[first, second]| Tie::new(first, Some(second).filter(|&s| s < players)));
        Self { pairs, extra, rounds: vec![first.collect()], played: 0 }
    }

    fn ties(&self) -> &[Tie] {
        self.rounds.last().map_or(&[], Vec::as_slice)
    }
}

impl Director for Knockout {
    fn next(&mut self) -> Option<Stage> {
        let winners: Vec<usize> = self.ties().iter().filter_map(|tie| tie.winner).collect();
        if winners.len() == self.ties().len() {
            let (ties, _) = winners.as_chunks::<2>();
            if ties.is_empty() {
                return None;
            }
            self.rounds.push(ties.iter().map(|&[a, b]| Tie::new(a.min(b), Some(a.max(b)))).collect());
            self.played = 0;
        }
        let meeting = |tie: &Tie| Some(Meeting { first: tie.first, second: tie.second? });
        let open: Vec<Meeting> = self.ties().iter().filter(|tie| tie.winner.is_none()).filter_map(meeting).collect();
        let pairs = if self.played == 0 { self.pairs } else { 1 };
        self.played += pairs;
        Some(Stage { round: self.rounds.len() as u64 - 1, pairs, meetings: open })
    }

    fn absorb(&mut self, results: &[(Meeting, Vec<PairPoints>)]) {
        let further = self.played.saturating_sub(self.pairs);
        let is_last_chance = further >= self.extra;
        for (meeting, pairs) in results {
            let ties = self.rounds.last_mut().into_iter().flatten();
            let Some(tie) = ties.into_iter().find(|tie| tie.first == meeting.first) else { continue };
            for points in pairs {
                tie.add(*points);
            }
            tie.extra = further;
            tie.decide(is_last_chance);
        }
    }

    fn course(&self) -> Course {
        Course::Knockout { rounds: self.rounds.clone() }
    }
}

impl Tie {
    /// A tie that has not begun; without a second player it is a bye.
    fn new(first: usize, second: Option<usize>) -> Self {
        let bye = second.is_none();
        Self {
            first,
            second,
            halves: [0; 2],
            black_wins: [0; 2],
            extra: 0,
            winner: bye.then_some(first),
            decided_by: bye.then_some(Decision::Bye),
        }
    }

    fn add(&mut self, [white, black]: PairPoints) {
        for points in [white, black] {
            self.halves[0] += u64::from(points.halves());
            self.halves[1] += u64::from(points.reversed().halves());
        }
        // When the first player loses with White, the second one has won with Black.
        self.black_wins[0] += u64::from(black == Points::One);
        self.black_wins[1] += u64::from(white == Points::Zero);
    }

    fn decide(&mut self, is_last_chance: bool) {
        let (first, second) = (self.first, self.second.unwrap_or(self.first));
        let by = if self.extra == 0 { Decision::Score } else { Decision::FurtherPairs };
        let (winner, by) = match self.halves[0].cmp(&self.halves[1]) {
            std::cmp::Ordering::Greater => (first, by),
            std::cmp::Ordering::Less => (second, by),
            std::cmp::Ordering::Equal if !is_last_chance => return,
            std::cmp::Ordering::Equal => match self.black_wins[0].cmp(&self.black_wins[1]) {
                std::cmp::Ordering::Greater => (first, Decision::BlackWins),
                std::cmp::Ordering::Less => (second, Decision::BlackWins),
                std::cmp::Ordering::Equal => (first, Decision::Seed),
            },
        };
        (self.winner, self.decided_by) = (Some(winner), Some(by));
    }
}

/// The seeds, from 0, in the order of a bracket of this size, a power of two.
fn bracket(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    order
}
