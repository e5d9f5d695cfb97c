//! How much a search may still spend, in nodes and by its pace.

use super::limits::Limits;
use crate::rules::midturn::Midturn;
use crate::solver;
use crate::solver::Solver;
use crate::solver::all::{Go, Solution};
use crate::solver::{Answer, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};

/// The budget of one search. Shares are fractions of the whole: 0.5 is "until half of it is used".
pub struct Budget<'a> {
    limits: &'a Limits<'a>,
    nodes: u64,
    /// What was spent when this part began, and of how many parts of the rest it is one.
    begun: u64,
    parts: u64,
}

impl<'a> Budget<'a> {
    /// A fresh budget.
    #[must_use]
    pub const fn new(limits: &'a Limits<'a>) -> Self {
        Self { limits, nodes: 0, begun: 0, parts: 1 }
    }

    /// One of `parts` equal parts of what is left when `nodes` are used.
    #[must_use]
    pub(super) const fn part(limits: &'a Limits<'a>, nodes: u64, parts: u64) -> Self {
        Self { limits, nodes, begun: nodes, parts }
    }

    /// The limits.
    #[must_use]
    pub(super) const fn limits(&self) -> &'a Limits<'a> {
        self.limits
    }

    /// Moves made so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts moves made.
    pub const fn spend(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The share used so far; 1 or more = answer now.
    #[must_use]
    pub fn used(&self) -> f64 {
        if self.limits.pace.is_stopped() {
            return f64::INFINITY;
        }
        let by_nodes = self.limits.nodes.map_or(0.0, |limit| self.spent_by_all() as f64 / limit.max(1) as f64);
        self.limits.pace.used().max(by_nodes)
    }

    /// What is spent if all parts spend as much as this one.
    const fn spent_by_all(&self) -> u64 {
        self.begun + (self.nodes - self.begun) * self.parts
    }

    /// Whether this share of the budget is used up.
    #[must_use]
    pub fn is_past(&self, share: f64) -> bool {
        self.used() >= share
    }

    /// Nodes that may still be spent before the node limit's `share` is used up.
    pub(super) fn nodes_until(&self, share: f64) -> u64 {
        self.limits
            .nodes
            .map_or(u64::MAX, |limit| ((limit as f64 * share) as u64).saturating_sub(self.spent_by_all()) / self.parts)
    }

    /// Nodes that will probably be spent until `share` of the budget is used, if the search goes on as fast as so far.
    pub(super) fn likely_nodes_until(&self, share: f64) -> u64 {
        let by_limit = self.nodes_until(share);
        match self.limits.pace.used() {
            used if used > 0.0 => by_limit.min((self.nodes as f64 * (share / used - 1.0)) as u64),
            _ => by_limit,
        }
    }

    /// Asks the solver within `nodes` and until `share` of the budget is used.
    pub fn solve(&mut self, solver: &mut Solver, midturn: &Midturn, nodes: u64, share: f64) -> Answer {
        self.solve_unless(solver, midturn, nodes, share, &AtomicBool::new(false))
    }

    /// The same, but the solver stops when `over` becomes true.
    pub(super) fn solve_unless(
        &mut self,
        solver: &mut Solver,
        midturn: &Midturn,
        nodes: u64,
        share: f64,
        over: &AtomicBool,
    ) -> Answer {
        let answer = self.within(nodes, share, over, |limits| {
            let answer = solver.solve(midturn, limits);
            let nodes = answer.nodes;
            (answer, nodes)
        });
        answer.unwrap_or(Answer { verdict: Verdict::Unknown(solver::Limit::Nodes), nodes: 0 })
    }

    /// Shows mating series to `visit` within `nodes` and until `share` of the budget is used.
    pub(super) fn each_mate(
        &mut self,
        solver: &mut Solver,
        midturn: &Midturn,
        nodes: u64,
        share: f64,
        visit: &mut dyn FnMut(&Solution) -> Go,
    ) {
        self.within(nodes, share, &AtomicBool::new(false), |limits| solver.all(midturn, None, limits, visit));
    }

    /// Puts a question that may take `nodes`, until `share` of the budget is used or `over` becomes true, and counts what it took: the second
    /// part of the answer. No answer, if nothing is left for it.
    fn within<T>(
        &mut self,
        nodes: u64,
        share: f64,
        over: &AtomicBool,
        ask: impl FnOnce(&solver::Limits<'_>) -> (T, u64),
    ) -> Option<T> {
        let pace = self.limits.pace;
        let stop = || pace.is_stopped() || pace.used() >= share || over.load(Ordering::Relaxed);
        let nodes = nodes.min(self.nodes_until(share));
        if nodes == 0 || stop() {
            return None;
        }
        let (answer, nodes) = ask(&solver::Limits { nodes, stop: Some(&stop) });
        self.nodes += nodes;
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Pace;

    /// A quarter of the time is over.
    struct Quarter;

    impl Pace for Quarter {
        fn used(&self) -> f64 {
            0.25
        }

        fn is_stopped(&self) -> bool {
            false
        }
    }

    #[test]
    fn what_is_left_by_the_clock_and_by_the_node_limit() {
        let mut limits = Limits { pace: &Quarter, ..Limits::nodes(1_000_000) };
        let mut budget = Budget::new(&limits);
        budget.spend(1000);
        assert_eq!(budget.likely_nodes_until(1.0), 3000);
        assert_eq!(budget.likely_nodes_until(0.25), 0);
        limits.nodes = Some(2000);
        let mut budget = Budget::new(&limits);
        budget.spend(1000);
        assert_eq!(budget.likely_nodes_until(1.0), 1000);
    }
}
