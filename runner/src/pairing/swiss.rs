//! Swiss tournaments: in each round everybody meets somebody of about his own score whom he has not met yet.
//!
//! A meeting is a number of pairs of games, each opening with both colors, so colors are balanced by themselves, and scores
//! are game points. With an odd number of players one has a bye, which counts as if he had won every game of a meeting.
//!
//! Each round is the best of all ways to pair everybody, found as a perfect matching of least cost (crate `integer-blossom`).
//! What counts, in this order: as few meetings again and second byes as can be; the least sum of squared differences in score, so
//! that players of one score meet each other and as few as possible are moved to another group, as near as can be (the bye
//! counts as an opponent of the lowest score); within a group, the upper half meets the lower half in order, as in FIDE's
//! Dutch system, the order being that of the plan.
//!
//! Pairing by standings costs a little of the honesty of error bars: see [`crate::stats::rating`].

use super::Meeting;
use super::course::{Course, SwissRow};
use super::stages::{Director, PairPoints, Stage};
use integer_blossom::min_weight_perfect_matching;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a player has done.
#[derive(Clone, Debug, Default)]
struct Past {
    halves: u64,
    byes: u64,
    /// By opponent: meetings, and half points taken from him.
    met: BTreeMap<usize, (u64, u64)>,
}

/// The state of a Swiss tournament.
#[derive(Debug)]
pub(super) struct Swiss {
    pairs: u64,
    rounds: u64,
    begun: u64,
    ended: u64,
    past: Vec<Past>,
    /// Who has nobody to play against in the round that is being played.
    bye: Option<usize>,
}

impl Swiss {
    /// A tournament of so many players over so many rounds, with meetings of `pairs` pairs.
    pub(super) fn new(players: usize, pairs: u64, rounds: u64) -> Self {
        Self { pairs, rounds, begun: 0, ended: 0, past: vec![Past::default(); players], bye: None }
    }

    /// The players, best first; equals in the order of the plan.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.past.len()).collect();
        order.sort_by_key(|&player| Reverse(self.past[player].halves));
        order
    }

    /// The best partner of everybody, all by their places in `order`; one place more than players stands for the bye.
    fn partners(&self, order: &[usize]) -> Vec<usize> {
        let count = order.len();
        let size = count.next_multiple_of(2);
        let scores: Vec<u64> = order.iter().map(|&player| self.past[player].halves).collect();
        let (best, lowest) = (scores.first().copied().unwrap_or(0), scores.last().copied().unwrap_or(0));
        // Each criterion outweighs all sums of the next.
        let place_weight = (size * size) as i128;
        let score_weight = place_weight * (size as i128) * i128::from(best - lowest + 1).pow(2);
        let mut costs = vec![0; size * size];
        for above in 0..count {
            for below in above + 1..size {
                let player = &self.past[order[above]];
                let (again, score) = if below < count {
                    (player.met.get(&order[below]).map_or(0, |(meetings, _)| *meetings), scores[below])
                } else {
                    (player.byes, lowest)
                };
                let group = scores.iter().filter(|&&score| score == scores[above]).count();
                let ideal = if scores[above] == score && below < count { group / 2 } else { 1 };
                let places = (below - above).abs_diff(ideal);
                let difference = i128::from(scores[above] - score);
                costs[above * size + below] = i128::from(again) * score_weight
                    + difference.pow(2) * place_weight
                    + i128::try_from(places).unwrap_or(i128::MAX);
            }
        }
        min_weight_perfect_matching(&costs, size)
    }

    fn row(&self, player: usize) -> SwissRow {
        let past = &self.past[player];
        let opponents = past.met.iter().map(|(&other, &(meetings, taken))| (self.past[other].halves, meetings, taken));
        let (mut buchholz, mut sonneborn_berger) = (past.byes * past.halves, 0);
        for (theirs, meetings, taken) in opponents {
            buchholz += theirs * meetings;
            sonneborn_berger += theirs * taken;
        }
        SwissRow { player, halves: past.halves, byes: past.byes, buchholz, sonneborn_berger }
    }
}

impl Director for Swiss {
    fn next(&mut self) -> Option<Stage> {
        if self.begun == self.rounds {
            return None;
        }
        let order = self.order();
        let partners = self.partners(&order);
        let mut meetings = Vec::new();
        self.bye = None;
        for (above, &below) in partners.iter().enumerate().filter(|(above, below)| above < *below) {
            match order.get(below) {
                Some(&second) => meetings.push(Meeting { first: order[above], second }),
                None => self.bye = Some(order[above]),
            }
        }
        self.begun += 1;
        Some(Stage { round: self.begun - 1, pairs: self.pairs, meetings })
    }

    fn absorb(&mut self, results: &[(Meeting, Vec<PairPoints>)]) {
        for (meeting, pairs) in results {
            let all = 4 * pairs.len() as u64;
            let first: u64 = pairs.iter().flatten().map(|points| u64::from(points.halves())).sum();
            for (player, other, taken) in
                [(meeting.first, meeting.second, first), (meeting.second, meeting.first, all - first)]
            {
                let past = &mut self.past[player];
                past.halves += taken;
                let met = past.met.entry(other).or_default();
                *met = (met.0 + 1, met.1 + taken);
            }
        }
        if let Some(bye) = self.bye.take() {
            self.past[bye].byes += 1;
            self.past[bye].halves += 4 * self.pairs;
        }
        self.ended += 1;
    }

    fn course(&self) -> Course {
        let mut table: Vec<SwissRow> = (0..self.past.len()).map(|player| self.row(player)).collect();
        table.sort_by_key(|row| (Reverse((row.halves, row.buchholz, row.sonneborn_berger)), row.player));
        Course::Swiss { rounds: self.ended, table }
    }
}
