//! The tree of turns: what the opponent makes of the safe candidates, and whether we mate in the turn after.
//!
//! A candidate is worth what his best reply leaves us. A reply that loses to a mate is not his best, so the best replies are tried one after
//! the other, those to the most promising candidates first, with little effort for all before much for a few.

use super::budget::Budget;
use super::pool::{Pool, share};
use super::reply::Replies;
use super::safety::{Safety, Threats};
use super::shifts::{self, Desk, Question, Shifts};
use crate::solver::Answer;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Node caps for trying a reply the first time, the second, and so on.
const TIERS: [u64; 3] = [3_000, 30_000, 300_000];
/// Candidates that are so much worse than the best, in hundredths of a pawn, are not looked into.
const MARGIN: i32 = 600;

impl Pool<'_> {
    /// Compares safe candidates by what the opponent makes of them.
    pub(super) fn compare_replies(&mut self) {
        let safe: Vec<usize> = (0..self.judged.len())
            .filter(|&i| self.judged[i].safety == Safety::Safe || self.judged[i].is_trusted)
            .take(self.wider(self.level.replies))
            .collect();
        let mut branches = self.branches(&safe);
        // What was not compared stays behind what was.
        for i in safe.into_iter().filter(|&i| !branches.iter().any(|branch| branch.judged == i)) {
            self.judged[i].value -= 100_000;
        }
        self.refute_replies(&mut branches);
        for Branch { judged, replies, .. } in branches {
            let judged = &mut self.judged[judged];
            judged.value = replies.value() + judged.candidate.score / 4;
            judged.wins_next = replies.are_refuted();
            judged.reply = replies.expected();
        }
    }

    /// The replies to these candidates, or to the first of them if the budget does not last: each worker takes the next.
    fn branches(&mut self, safe: &[usize]) -> Vec<Branch> {
        let limits = self.budget.limits();
        let (next, done) = (AtomicUsize::new(0), Mutex::new((&mut self.budget, Vec::new())));
        let (judged, phases) = (&self.judged, self.phases);
        limits.crew.work(&|_| {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(&i) = safe.get(place) else { return };
                let before = done.lock().unwrap_or_else(PoisonError::into_inner).0.nodes();
                let mut budget = Budget::part(limits, before, limits.crew.size() as u64);
                if place > 0 && budget.is_past(share::REPLY) {
                    return;
                }
                let candidate = &judged[i].candidate;
                let replies = Replies::to(candidate, phases, limits.effort, &mut budget, share::REPLY);
                let branch = Branch { judged: i, own: candidate.score / 4, replies, is_busy: false };
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.0.spend(budget.nodes() - before);
                done.1.push(branch);
            }
        });
        let (_, mut branches) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        branches.sort_by_key(|branch| branch.judged);
        branches
    }

    fn refute_replies(&mut self, branches: &mut [Branch]) {
        let mut hopes = Threats::default();
        for tier in 0..TIERS.len() {
            self.shift(|pool, solvers| {
                let crew = pool.budget.limits().crew;
                let budget = &mut pool.budget;
                shifts::run(&mut Tries { budget, branches, hopes: &mut hopes, tier }, solvers, crew);
            });
        }
    }
}

/// A candidate with its replies.
struct Branch {
    /// Which of the candidates.
    judged: usize,
    /// What it is worth to us apart from the replies.
    own: i32,
    replies: Replies,
    /// Whether somebody is just trying its best reply.
    is_busy: bool,
}

impl Branch {
    fn value(&self) -> i32 {
        self.replies.value() + self.own
    }
}

/// Tries of replies with one cap.
struct Tries<'p, 'a> {
    budget: &'p mut Budget<'a>,
    branches: &'p mut [Branch],
    hopes: &'p mut Threats,
    tier: usize,
}

impl<'a> Shifts<'a> for Tries<'_, 'a> {
    type Task = (usize, Question);
    type Done = Answer;

    fn budget(&mut self) -> &mut Budget<'a> {
        self.budget
    }

    fn next(&mut self) -> Option<(usize, Question)> {
        while !self.budget.is_past(share::LAST) {
            let best = self.branches.iter().map(Branch::value).max()?;
            let is_open = |branch: &Branch| {
                !branch.is_busy
                    && branch.replies.tries().is_some_and(|tries| tries <= self.tier)
                    && branch.value() >= best - MARGIN
            };
            let open = self.branches.iter().enumerate().filter(|(_, branch)| is_open(branch));
            let (i, _) = open.max_by_key(|(_, branch)| branch.value())?;
            let branch = &mut self.branches[i];
            let reply = branch.replies.best()?;
            match self.hopes.without_solver(reply, self.budget) {
                Some(safety) => branch.replies.note(matches!(safety, Safety::Mated(_))),
                None => {
                    let midturn = reply.next_position().begin();
                    branch.is_busy = true;
                    return Some((i, Question { midturn, nodes: TIERS[self.tier], share: share::LAST }));
                }
            }
        }
        None
    }

    fn work((_, question): &mut (usize, Question), desk: &mut Desk<'_, 'a>) -> Answer {
        desk.ask(question)
    }

    fn note(&mut self, (number, _): (usize, Question), answer: Answer) -> bool {
        let branch = &mut self.branches[number];
        branch.is_busy = false;
        if let Some(reply) = branch.replies.best() {
            let safety = self.hopes.note(reply, &answer);
            branch.replies.note(matches!(safety, Safety::Mated(_)));
        }
        false
    }
}
