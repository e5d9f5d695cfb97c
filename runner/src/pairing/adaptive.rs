//! Adaptive tournaments: those meet whose games tell most about what is wanted.
//!
//! First everybody meets everybody. Then, always, the quantity that is known worst among those wanted (ratings about the pool's
//! mean or about players whose ratings are known, or gaps between neighbors) is looked up, and the pair of games is played that is
//! expected to shrink its variance most ([`crate::stats::design`]). Only how much is known steers the choice, never who leads:
//! pairing by standings keeps lucky players away from those who would show it, and intervals become too narrow. For the same
//! reason neighbors are those of the plan's order, not of the standings.
//!
//! Games are chosen in batches, each by the results of all batches but the one before it, whose games count as planned: so nobody
//! waits for the last game of a batch, and yet the choice follows from the results alone.

use super::Meeting;
use super::course::Course;
use super::stages::{Director, PairPoints, Stage};
use crate::stats::counts::Wdl;
use crate::stats::design::{Design, Wanted, widest_margin};
use crate::stats::pool::{GameTally, Pool};
use crate::stats::rating::{Anchor, ErrorSource, FitOptions, Origin, Ratings, fit};
use std::collections::VecDeque;

/// A batch has at least as many pairs as the past divided by this, so that choosing costs little next to playing.
const PART: u64 = 16;

/// The state of an adaptive tournament.
#[derive(Debug)]
pub(super) struct Adaptive {
    wanted: Wanted,
    /// Pairs of everybody against everybody to begin with.
    first: u64,
    /// How many pairs of games may still be planned.
    left: u64,
    planned: u64,
    /// Games of complete stages, each pair a cluster.
    pool: Pool,
    pairs: u64,
    /// Stages without results so far.
    pending: VecDeque<Stage>,
    is_known: bool,
}

impl Adaptive {
    /// A tournament of so many players that begins with `first` pairs of everybody against everybody.
    pub(super) fn new(players: usize, first: u64, wanted: Wanted, max_pairs: u64) -> Self {
        Self {
            wanted,
            first,
            left: max_pairs,
            planned: 0,
            pool: Pool::new(players),
            pairs: 0,
            pending: VecDeque::new(),
            is_known: false,
        }
    }

    /// Everybody against everybody, but for those among themselves whose ratings are known; cut off at the budget.
    fn everybody(&self) -> Stage {
        let players = self.pool.players();
        let all: Vec<Meeting> = (self.wanted.quantity.known()..players)
            .flat_map(|second| (0..second).map(move |first| Meeting { first, second }))
            .collect();
        let (pairs, count) = (self.first.min(self.left / (all.len() as u64).max(1)), all.len());
        if pairs > 0 {
            return Stage { round: 0, pairs, meetings: all };
        }
        let meetings = all.into_iter().take(usize::try_from(self.left).unwrap_or(count)).collect();
        Stage { round: 0, pairs: 1, meetings }
    }

    /// The next batch by what is known and what is planned.
    fn batch(&self, ratings: &Ratings) -> Vec<Meeting> {
        let mut design = Design::new(ratings, self.wanted.quantity);
        for stage in &self.pending {
            for meeting in &stage.meetings {
                design.add_pairs(meeting.first, meeting.second, stage.pairs as f64);
            }
        }
        let size = (self.pool.players() as u64 / 2).max(self.planned / PART).clamp(1, self.left);
        let choose = |_| {
            let (first, second) = design.most_telling();
            design.add_pairs(first, second, 1.0);
            Meeting { first, second }
        };
        (0..size).map(choose).collect()
    }

    /// The ratings of complete stages. Players whose ratings are known are held where the games put them: where that is hardly changes how much
    /// the games tell of the others.
    fn ratings(&self, errors: ErrorSource) -> Option<Ratings> {
        // Fails only without a prior.
        let known = self.wanted.quantity.known();
        if known == 0 {
            return fit(&self.pool, &FitOptions { errors, ..FitOptions::default() }).ok();
        }
        let free = fit(&self.pool, &FitOptions { errors: ErrorSource::Model, ..FitOptions::default() }).ok()?;
        let held = |player| Anchor { player, rating: free.rating(player), std_error: None };
        let origin = Origin::Anchors((0..known).map(held).collect());
        fit(&self.pool, &FitOptions { errors, origin, ..FitOptions::default() }).ok()
    }
}

impl Director for Adaptive {
    fn ahead(&self) -> usize {
        2
    }

    fn next(&mut self) -> Option<Stage> {
        if self.left == 0 || self.is_known {
            return None;
        }
        let stage = if self.planned == 0 {
            self.everybody()
        } else {
            // The model's own errors depend on how much was played, not on luck.
            let ratings = self.ratings(ErrorSource::Model)?;
            let round = self.pending.back().map_or(0, |stage| stage.round) + 1;
            Stage { round, pairs: 1, meetings: self.batch(&ratings) }
        };
        let pairs = stage.pairs * stage.meetings.len() as u64;
        (self.left, self.planned) = (self.left - pairs, self.planned + pairs);
        self.pending.push_back(stage.clone());
        Some(stage)
    }

    fn absorb(&mut self, results: &[(Meeting, Vec<PairPoints>)]) {
        self.pending.pop_front();
        for (meeting, pairs) in results {
            for [with_white, with_black] in pairs {
                let Meeting { first, second } = *meeting;
                for (white, black, points) in [(first, second, *with_white), (second, first, with_black.reversed())] {
                    let mut results = Wdl::default();
                    results.record(points);
                    self.pool.add(self.pairs, GameTally { white, black, results });
                }
                self.pairs += 1;
            }
        }
        if let Some(within) = self.wanted.within {
            let ratings = self.ratings(FitOptions::default().errors);
            self.is_known = ratings.is_some_and(|ratings| widest_margin(&ratings, self.wanted.quantity) <= within);
        }
    }

    fn course(&self) -> Course {
        Course::Adaptive { wanted: self.wanted, is_known: self.is_known }
    }
}
