//! What is done in the shifts of a check for safety: first the most valuable candidates, then the rounds of the hunt.

use super::beam::Found;
use super::budget::Budget;
use super::hunt::{ALL_AFTER_ROUND, Check, MATE_COST, Spent};
use super::judged::Judged;
use super::pool::{Beams, OwnMate, Pool, share};
use super::safety::Safety;
use super::shifts::{Desk, Question, Shifts};
use crate::solver::{Answer, Verdict};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Nodes spent on checks between two beams.
const ROUND_NODES: u64 = 60_000;
/// Beams without anything new after which the looking ends.
const BARREN_ROUNDS: usize = 6;
/// What a candidate loses for each other one, with our king on the same square, that was mated.
const MATED_NEIGHBOR: i32 = 150;
/// When so many candidates are mated and none is safe, value is not what counts.
const HOPELESS: usize = 24;
/// The part of the budget left that may be used before, while nothing is safe.
const PATIENCE: f64 = 0.3;

/// What is done in the shifts.
pub(super) enum Work {
    /// Look for a mate in this turn.
    Mate(Question),
    /// Check a candidate.
    Check(Check, Question),
    /// Look for candidates, with luck of its own.
    Beams(Beams, Box<ChaCha8Rng>),
}

/// What came of it.
pub(super) enum Done {
    Answer(Answer),
    Found(Vec<Found>),
}

impl Work {
    fn work(&mut self, desk: &mut Desk<'_, '_>) -> Done {
        match self {
            Self::Mate(question) | Self::Check(_, question) => Done::Answer(desk.ask(question)),
            Self::Beams(beams, rng) => Done::Found(beams.find(rng, &mut desk.budget)),
        }
    }
}

/// The first shift: the most valuable candidates, and a mate in this turn if that is still open.
pub(super) struct Valuable<'p, 'a> {
    pub(super) pool: &'p mut Pool<'a>,
    pub(super) spent: &'p mut Spent,
    /// The share of the budget until which value counts, whatever has been mated; not known before candidates are gathered.
    pub(super) patience: Option<f64>,
}

impl<'a> Shifts<'a> for Valuable<'_, 'a> {
    type Task = Work;
    type Done = Done;

    fn budget(&mut self) -> &mut Budget<'a> {
        &mut self.pool.budget
    }

    fn next(&mut self) -> Option<Work> {
        if let OwnMate::Open(midturn) = self.pool.own_mate {
            self.pool.own_mate = OwnMate::Settled;
            return Some(Work::Mate(Question { midturn, nodes: u64::MAX, share: share::MATE }));
        }
        // Others wait meanwhile: there is nothing else to do.
        if !self.pool.is_gathered {
            self.pool.gather();
        }
        if self.pool.is_only {
            return None;
        }
        let begun = self.pool.budget.used();
        let patience = *self.patience.get_or_insert(begun + (share::LAST - begun) * PATIENCE);
        let safe = self.pool.safe();
        let pool = &mut *self.pool;
        let mated = pool.judged.iter().filter(|judged| matches!(judged.safety, Safety::Mated(_))).count();
        let is_hopeless = safe == 0 && (mated >= HOPELESS || pool.budget.is_past(patience));
        let is_won = || pool.judged.iter().any(|judged| judged.safety == Safety::Won);
        if safe >= pool.enough() || is_hopeless || pool.budget.is_past(share::SAFETY) || is_won() {
            return None;
        }
        let mate_cost = pool.mate_cost;
        let next = pool.next_check(self.spent, |judged| judged.value + mate_cost * judged.cost);
        next.map(|(check, question)| Work::Check(check, question))
    }

    fn work(task: &mut Work, desk: &mut Desk<'_, 'a>) -> Done {
        task.work(desk)
    }

    fn note(&mut self, task: Work, done: Done) -> bool {
        match (task, done) {
            (Work::Mate(_), Done::Answer(Answer { verdict: Verdict::Mate(series), .. })) => {
                self.pool.own_mate = OwnMate::Found(series);
                true
            }
            (task, done) => {
                self.pool.note_work(self.spent, task, done);
                false
            }
        }
    }
}

/// The shifts of the hunt, round by round: beams, then checks of candidates that move away from the mates found. Of several workers some are at
/// beams while others are at checks.
pub(super) struct Promising<'p, 'a> {
    pub(super) pool: &'p mut Pool<'a>,
    pub(super) spent: &'p mut Spent,
    /// From 1.
    pub(super) round: i32,
    /// When beams are due again.
    pub(super) until: u64,
    /// How many workers are at beams, and how many at most while there is something to check.
    pub(super) at_beams: usize,
    pub(super) most_at_beams: usize,
    /// Whether all ends are known, and whether it was tried to know them although they are many.
    pub(super) is_complete: bool,
    pub(super) tried_early: bool,
    /// Rounds of beams without anything new.
    pub(super) barren: usize,
}

impl Promising<'_, '_> {
    /// By value, the cost of the mate, and the luck of others with our king on the same square.
    fn next_promising(&mut self) -> Option<Work> {
        let mut mated = [0; 64];
        for judged in self.pool.judged.iter().filter(|judged| matches!(judged.safety, Safety::Mated(_))) {
            mated[judged.king] += 1;
        }
        let promise = |judged: &Judged| {
            judged.value + MATE_COST * judged.cost - i32::min(mated[judged.king], 20) * MATED_NEIGHBOR
        };
        let next = self.pool.next_check(self.spent, promise);
        next.map(|(check, question)| Work::Check(check, question))
    }

    fn next_beams(&mut self) -> Work {
        self.round += 1;
        self.at_beams += 1;
        Work::Beams(self.pool.beams_of(self.round), Box::new(ChaCha8Rng::from_rng(&mut self.pool.rng)))
    }

    /// Whether nothing was checked since the last beams: those of the next rounds will not find anything new either.
    fn is_idle(&self) -> bool {
        self.spent.iter().sum::<u64>() + ROUND_NODES == self.until
    }
}

impl<'a> Shifts<'a> for Promising<'_, 'a> {
    type Task = Work;
    type Done = Done;

    fn budget(&mut self) -> &mut Budget<'a> {
        &mut self.pool.budget
    }

    fn next(&mut self) -> Option<Work> {
        if self.pool.is_settled() {
            return None;
        }
        let are_due = self.spent.iter().sum::<u64>() >= self.until && self.at_beams < self.most_at_beams;
        if are_due && self.round + 1 == ALL_AFTER_ROUND && !std::mem::replace(&mut self.tried_early, true) {
            self.is_complete |= self.pool.collect_early_turn();
        }
        if !are_due || self.is_complete {
            let check = self.next_promising();
            if check.is_some() {
                return check;
            }
        }
        let is_over = self.is_complete || self.barren >= BARREN_ROUNDS && self.is_idle() || self.pool.is_settled();
        (!is_over).then(|| self.next_beams())
    }

    fn work(task: &mut Work, desk: &mut Desk<'_, 'a>) -> Done {
        task.work(desk)
    }

    fn note(&mut self, task: Work, done: Done) -> bool {
        if matches!(task, Work::Beams(..)) {
            self.at_beams -= 1;
            self.until = self.spent.iter().sum::<u64>() + ROUND_NODES;
        }
        if let Some((is_complete, is_barren)) = self.pool.note_work(self.spent, task, done) {
            self.is_complete |= is_complete;
            self.barren = if is_barren { self.barren + 1 } else { 0 };
        }
        false
    }
}
