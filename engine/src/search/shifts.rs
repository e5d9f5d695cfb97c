//! Work of several workers at a time: each takes the next task that is worth doing, does it with his own solver, and notes what came of it. What
//! is worth doing next depends on all that is known so far, so the choice is made by one worker at a time; the long part, the work, is not.

use super::budget::Budget;
use super::crew::Crew;
use crate::rules::midturn::Midturn;
use crate::solver::{Answer, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A question for a solver: does the mover mate?
pub(super) struct Question {
    pub(super) midturn: Midturn,
    /// Most nodes.
    pub(super) nodes: u64,
    /// The share of the budget until which it may take.
    pub(super) share: f64,
}

/// What one worker works with.
pub(super) struct Desk<'d, 'a> {
    solver: &'d mut Solver,
    /// His part of what is left of the budget.
    pub(super) budget: Budget<'a>,
    /// Whether all else has become pointless.
    over: &'d AtomicBool,
}

impl Desk<'_, '_> {
    /// Asks the solver.
    pub(super) fn ask(&mut self, question: &Question) -> Answer {
        let Question { midturn, nodes, share } = question;
        self.budget.solve_unless(self.solver, midturn, *nodes, *share, self.over)
    }
}

/// What is shared out.
pub(super) trait Shifts<'a>: Send {
    /// Something to be done, with all that it needs.
    type Task: Send;
    /// What came of it.
    type Done;

    /// The budget of the whole search.
    fn budget(&mut self) -> &mut Budget<'a>;

    /// The next task, if there is one now.
    fn next(&mut self) -> Option<Self::Task>;

    /// Does it, while others do theirs.
    fn work(task: &mut Self::Task, desk: &mut Desk<'_, 'a>) -> Self::Done;

    /// Notes what came of it; its nodes are counted already. Says whether all else has become pointless.
    fn note(&mut self, task: Self::Task, done: Self::Done) -> bool;
}

/// Works until there is no task any more. With one worker the tasks and what comes of them alternate, always in the same order.
pub(super) fn run<'a>(shifts: &mut impl Shifts<'a>, solvers: &mut [Solver], crew: &dyn Crew) {
    let limits = shifts.budget().limits();
    let size = crew.size() as u64;
    let solvers: Vec<Mutex<&mut Solver>> = solvers.iter_mut().map(Mutex::new).collect();
    let shifts = Mutex::new(shifts);
    let over = AtomicBool::new(false);
    crew.work(&|k| work(k, &solvers, &shifts, &over, |nodes| Budget::part(limits, nodes, size)));
}

/// The shift of worker `k`.
fn work<'a, S: Shifts<'a>>(
    k: usize,
    solvers: &[Mutex<&mut Solver>],
    shifts: &Mutex<&mut S>,
    over: &AtomicBool,
    part: impl Fn(u64) -> Budget<'a>,
) {
    let Some(solver) = solvers.get(k) else { return };
    let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
    while !over.load(Ordering::Relaxed) {
        let (mut task, before) = {
            let mut shifts = shifts.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(task) = shifts.next() else { return };
            (task, shifts.budget().nodes())
        };
        let mut desk = Desk { solver: &mut solver, budget: part(before), over };
        let done = S::work(&mut task, &mut desk);
        let nodes = desk.budget.nodes() - before;
        let mut shifts = shifts.lock().unwrap_or_else(PoisonError::into_inner);
        shifts.budget().spend(nodes);
        if shifts.note(task, done) {
            over.store(true, Ordering::Relaxed);
        }
    }
}
