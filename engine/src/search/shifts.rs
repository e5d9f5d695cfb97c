//! Checks by several workers at a time: each takes the next position that is worth asking about, asks its own solver, and notes the answer. What
//! is worth asking next depends on all answers so far, so the choice is made by one worker at a time; the long part, the solver's, is not.

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

/// What is shared out.
pub(super) trait Shifts<'a>: Send {
    /// To which candidate or reply a question belongs.
    type Task: Send;

    /// The budget of the whole search.
    fn budget(&mut self) -> &mut Budget<'a>;

    /// The next question, if there is one now.
    fn next(&mut self) -> Option<(Self::Task, Question)>;

    /// Notes an answer; its nodes are counted already. Says whether all else has become pointless.
    fn note(&mut self, task: Self::Task, answer: &Answer) -> bool;
}

/// Works until there is no question any more. With one worker the questions and answers alternate, always in the same order.
pub(super) fn run<'a>(shifts: &mut impl Shifts<'a>, solvers: &mut [Solver], crew: &dyn Crew) {
    let limits = shifts.budget().limits();
    let size = crew.size() as u64;
    let solvers: Vec<Mutex<&mut Solver>> = solvers.iter_mut().map(Mutex::new).collect();
    let shifts = Mutex::new(shifts);
    let over = AtomicBool::new(false);
    crew.work(&|k| {
        let Some(solver) = solvers.get(k) else { return };
        let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
        while !over.load(Ordering::Relaxed) {
            let (task, question, mut budget) = {
                let mut shifts = shifts.lock().unwrap_or_else(PoisonError::into_inner);
                let Some((task, question)) = shifts.next() else { return };
                (task, question, Budget::part(limits, shifts.budget().nodes(), size))
            };
            let answer = budget.solve_unless(&mut solver, &question.midturn, question.nodes, question.share, &over);
            let mut shifts = shifts.lock().unwrap_or_else(PoisonError::into_inner);
            shifts.budget().spend(answer.nodes);
            if shifts.note(task, &answer) {
                over.store(true, Ordering::Relaxed);
            }
        }
    });
}
