//! The solver.

use super::seen::SeenTable;
use super::verdict::{Answer, Limits, Verdict};
use super::walk::Walk;
use crate::rules::midturn::Midturn;

/// The solver: a seen-table that is reused from question to question.
pub struct Solver {
    seen: SeenTable,
    /// What it leaves out of its bag of tricks; for tests.
    pub tricks: Tricks,
}

/// What the solver may use besides trying everything. All on by default; the verdicts must not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tricks {
    /// Forget no position within a question.
    pub seen: bool,
    /// The bound with four or more moves left.
    pub bound: bool,
    /// With three moves left, only moves that the cover families allow.
    pub three: bool,
    /// The same with two moves left.
    pub two: bool,
    /// The most promising positions first.
    pub order: bool,
}

impl Default for Tricks {
    fn default() -> Self {
        Self { seen: true, bound: true, three: true, two: true, order: true }
    }
}

impl Solver {
    /// A solver whose seen-table takes at most about `table_bytes`. It begins with 2 MiB or less, and grows as a question needs it.
    #[must_use]
    pub fn new(table_bytes: usize) -> Self {
        Self { seen: SeenTable::new(table_bytes), tricks: Tricks::default() }
    }

    /// Whether the mover can mate with what is left of this turn.
    ///
    /// Where only the last move may give check, exactly the moves left are played; where a check ends the series, the series
    /// is the shortest that mates. In take-all there is no mate.
    pub fn solve(&mut self, midturn: &Midturn, limits: &Limits<'_>) -> Answer {
        if !midturn.rules().has_mate() {
            return Answer { verdict: Verdict::NoMate, nodes: 0 };
        }
        self.seen.begin();
        let mut walk = Walk::new(&mut self.seen, midturn, limits, self.tricks);
        let verdict = walk.run(midturn);
        Answer { verdict, nodes: walk.nodes() }
    }
}
