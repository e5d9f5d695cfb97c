//! Several threads on one series-mate question.
//!
//! The verdict does not depend on how many work on it. The series found does: with one thread it is always the same, with more it
//! depends on who comes first, but where a check ends the series it is as short.

use super::crew::Threads;
use crate::rules::midturn::Midturn;
use crate::search::crew::Crew;
use crate::solver::pieces::{Piece, SharedQuestion};
use crate::solver::{Answer, Limit, Limits, MAX_LEFT, Solver, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// What one thread tries first: most questions need no more, and starting threads and clearing a shared table takes about as long.
const ALONE: u64 = 200_000;
/// How many nodes a thread makes between two looks at the stop hook; see the solver's walk.
const STRIDE: u64 = 256;

/// Can the mover mate with what is left of this turn? As [`Solver::solve`], by up to `threads` threads. They share a table of the size and
/// grade of the solver's, and the node limit, which they keep to within 256 nodes each.
pub(crate) fn solve(solver: &mut Solver, midturn: &Midturn, threads: usize, limits: &Limits<'_>) -> Answer {
    solve_after(ALONE, solver, midturn, threads, limits)
}

fn solve_after(alone: u64, solver: &mut Solver, midturn: &Midturn, threads: usize, limits: &Limits<'_>) -> Answer {
    if threads < 2 || limits.nodes <= alone {
        return solver.solve(midturn, limits);
    }
    // 1. Alone.
    let first = solver.solve(midturn, &Limits { nodes: alone, ..*limits });
    if first.verdict != Verdict::Unknown(Limit::Nodes) {
        return first;
    }
    // 2. Together, one length after the other.
    let Ok(question) = SharedQuestion::new(midturn, solver.table_bytes(), solver.grade()) else {
        return solver.solve(midturn, limits);
    };
    let team = Team { question: &question, limits, spent: AtomicU64::new(first.nodes), over: AtomicBool::new(false) };
    for length in question.lengths() {
        let verdict = team.solve(length, threads);
        if verdict != Verdict::NoMate {
            return Answer { verdict, nodes: team.spent.into_inner() };
        }
    }
    let verdict = if midturn.left() > MAX_LEFT { Verdict::Unknown(Limit::Quota) } else { Verdict::NoMate };
    Answer { verdict, nodes: team.spent.into_inner() }
}

/// What the threads share besides the table.
struct Team<'a> {
    question: &'a SharedQuestion,
    limits: &'a Limits<'a>,
    /// Nodes made by all.
    spent: AtomicU64,
    /// Whether somebody has found a mate or reached a limit.
    over: AtomicBool,
}

impl Team<'_> {
    /// A mate in exactly `length` moves.
    fn solve(&self, length: u8, threads: usize) -> Verdict {
        let pieces = match self.question.cut(length, &Limits { nodes: self.nodes_left(), ..*self.limits }) {
            Ok((pieces, nodes)) => {
                self.spent.fetch_add(nodes, Ordering::Relaxed);
                pieces
            }
            Err(limit) => return Verdict::Unknown(limit),
        };
        let next = AtomicUsize::new(0);
        let result = Mutex::new(Verdict::NoMate);
        Threads(threads.min(pieces.len())).work(&|_| self.work(&pieces, &next, &result));
        result.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// One thread: takes pieces until there are none, or somebody has the answer.
    fn work(&self, pieces: &[Piece], next: &AtomicUsize, result: &Mutex<Verdict>) {
        let stop = || {
            let spent = self.spent.fetch_add(STRIDE, Ordering::Relaxed) + STRIDE;
            self.over.load(Ordering::Relaxed)
                || spent >= self.limits.nodes
                || self.limits.stop.is_some_and(|stop| stop())
        };
        while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = self.nodes_left();
            let answer = self.question.solve(piece, &Limits { nodes, stop: Some(&stop) });
            self.spent.fetch_add(answer.nodes % STRIDE, Ordering::Relaxed);
            if answer.verdict == Verdict::NoMate {
                continue;
            }
            self.settle(answer.verdict, result);
            return;
        }
    }

    /// Notes an answer that ends the work of all. A mate beats a limit, whoever came first.
    fn settle(&self, verdict: Verdict, result: &Mutex<Verdict>) {
        let was_over = self.over.swap(true, Ordering::Relaxed);
        let out_of_nodes = self.nodes_left() == 0;
        let mut result = result.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match verdict {
            Verdict::Mate(_) => *result = verdict,
            // Who stops because another has the answer has nothing to say.
            _ if was_over => {}
            _ if *result != Verdict::NoMate => {}
            Verdict::Unknown(_) if out_of_nodes => *result = Verdict::Unknown(Limit::Nodes),
            _ => *result = verdict,
        }
    }

    fn nodes_left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.spent.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::Rules;
    use crate::types::series::Series;

    fn midturn(rules: &str, text: &str) -> Midturn {
        fen::read(text, Rules::by_name(rules).unwrap(), Strictness::Lenient).unwrap().0.midturn()
    }

    /// Whether there is a mate, by a team that leaves nothing to one alone.
    fn verdict(midturn: &Midturn, threads: usize, limits: &Limits<'_>) -> Verdict {
        solve_after(100, &mut Solver::proving(8 << 20), midturn, threads, limits).verdict
    }

    #[test]
    fn the_verdict_is_that_of_one_thread() {
        let questions = [
            "rn2kr2/p1ppb3/p3b1p1/2q1pnPp/3p4/1P1P4/P3BP2/4KR1R w - - 0 9 8",
            "rn2kr2/p1ppb3/p3b1p1/2q1pnPp/3p4/1P1P4/P3BP2/4KR1R w - - 0 9 7",
            "rn2kr2/p1ppb3/p3b1p1/2q1pnPp/3p4/1P1P4/P3BP2/4K3 w - - 0 11",
            "rnbqkb1r/ppp1pppp/5n2/1B1P4/8/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4",
            "7R/pp3p1p/1p3k2/3P4/1b6/5P2/PPP2P1P/RNK5 b - - 0 8",
        ];
        for rules in ["italian", "scottish"] {
            for text in questions {
                let midturn = midturn(rules, text);
                let alone = Solver::new(8 << 20).solve(&midturn, &Limits::default());
                for threads in [2, 3, 8] {
                    match (&alone.verdict, verdict(&midturn, threads, &Limits::default())) {
                        (Verdict::Mate(one), Verdict::Mate(other)) => {
                            assert_eq!(one.len(), other.len(), "{rules} {text}");
                            assert!(mates(&midturn, &other), "{rules} {text}: {other}");
                        }
                        (one, other) => assert_eq!(*one, other, "{rules} {text}"),
                    }
                }
            }
        }
    }

    fn mates(midturn: &Midturn, series: &Series) -> bool {
        let mut now = *midturn;
        series.iter().all(|&mv| now.play(mv).is_ok())
            && now.next_position().outcome().is_some_and(|o| o.winner().is_some())
    }

    #[test]
    fn limits_are_shared() {
        let midturn = midturn("italian", "1nk3nr/1p1p2pp/5p2/5P2/8/1P6/6K1/8 b - - 0 10");
        let answer = solve_after(100, &mut Solver::new(1 << 20), &midturn, 4, &Limits::nodes(20_000));
        assert_eq!(answer.verdict, Verdict::Unknown(Limit::Nodes));
        assert!((19_000..=22_000).contains(&answer.nodes), "{}", answer.nodes);
        let stop = || true;
        assert_eq!(
            verdict(&midturn, 4, &Limits { stop: Some(&stop), ..Limits::default() }),
            Verdict::Unknown(Limit::Stopped)
        );
    }
}
