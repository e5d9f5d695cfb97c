//! The solver.

use super::all::{End, Go, Solution};
use super::seen::SeenTable;
use super::verdict::{Answer, Grade, Limit, Limits, MAX_LEFT, Verdict};
use super::walk::{Seen, Walk};
use crate::rules::illegal::IllegalMove;
use crate::rules::midturn::{Midturn, Progress, SeriesEnd};
use crate::types::series::Series;

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
    /// With four moves left, only moves that the cover families allow.
    pub four: bool,
    /// The same with three moves left.
    pub three: bool,
    /// The same with two moves left.
    pub two: bool,
    /// The most promising positions first.
    pub order: bool,
    /// Narrow walks along them before the whole one.
    pub narrow: bool,
}

impl Default for Tricks {
    fn default() -> Self {
        Self { seen: true, bound: true, four: true, three: true, two: true, order: true, narrow: true }
    }
}

impl Solver {
    /// A solver for play, whose seen-table takes at most about `table_bytes`. It begins with 256 KiB or less, and grows as a question
    /// needs it and as memory is there.
    #[must_use]
    pub fn new(table_bytes: usize) -> Self {
        Self { seen: SeenTable::new(table_bytes, Grade::Play), tricks: Tricks::default() }
    }

    /// The same with 128-bit keys, for verdicts that are published; it begins with 512 KiB or less.
    #[must_use]
    pub fn proving(table_bytes: usize) -> Self {
        Self { seen: SeenTable::new(table_bytes, Grade::Proof), tricks: Tricks::default() }
    }

    /// Changes how sure its verdicts are. The table begins anew where that differs.
    pub fn set_grade(&mut self, grade: Grade) {
        if grade != self.grade() {
            self.seen = SeenTable::new(self.seen.bytes(), grade);
        }
    }

    /// How sure its verdicts are.
    #[must_use]
    pub const fn grade(&self) -> Grade {
        self.seen.grade()
    }

    /// The memory its seen-table may grow to.
    #[must_use]
    pub const fn table_bytes(&self) -> usize {
        self.seen.bytes()
    }

    /// How full the seen-table was at most since [`Solver::forget_peak`], in thousandths of the size it may have.
    #[must_use]
    pub fn peak(&self) -> u16 {
        self.seen.peak()
    }

    /// Begins to watch how full the seen-table gets.
    pub fn forget_peak(&mut self) {
        self.seen.forget_peak();
    }

    /// Whether the mover can mate with what is left of this turn.
    ///
    /// Where only the last move may give check, exactly the moves left are played; where a check ends the series, the series
    /// is the shortest that mates. In take-all there is no mate.
    pub fn solve(&mut self, midturn: &Midturn, limits: &Limits<'_>) -> Answer {
        self.answer(midturn, limits, |walk| walk.run(midturn))
    }

    /// The least number of moves, up to `most`, with which the mover could mate from here: a verdict as of [`Solver::solve`], if the
    /// quota were what it takes. `most` is at most [`MAX_LEFT`].
    pub fn fewest(&mut self, midturn: &Midturn, most: u8, limits: &Limits<'_>) -> Answer {
        self.answer(midturn, limits, |walk| match walk.first_of(midturn, 1..=most.min(MAX_LEFT)) {
            Verdict::NoMate if most > MAX_LEFT => Verdict::Unknown(Limit::Quota),
            verdict => verdict,
        })
    }

    /// Whether the opponent mates in his next turn, if the mover ends this one with `series`. No, if the game is over then.
    ///
    /// # Errors
    /// A move of the series is not legal.
    pub fn refute(&mut self, midturn: &Midturn, series: &Series, limits: &Limits<'_>) -> Result<Answer, IllegalMove> {
        let mut now = *midturn;
        for &mv in series.iter() {
            match now.play(mv)? {
                Progress::More => {}
                Progress::Over(SeriesEnd::Turn(position)) if position.outcome().is_none() => {
                    return Ok(self.solve(&position.begin(), limits));
                }
                Progress::Over(_) => break,
            }
        }
        Ok(Answer { verdict: Verdict::NoMate, nodes: 0 })
    }

    /// Shows every mating series of this turn to `visit`, in an order that is always the same. With `after` the stream goes on
    /// after that series, which must be one that an earlier stream of the same turn has shown. Says how it ended, and how many moves were made.
    pub fn all(
        &mut self,
        midturn: &Midturn,
        after: Option<&Series>,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(&Solution) -> Go,
    ) -> (End, u64) {
        if !midturn.rules().has_mate() {
            return (End::Complete, 0);
        }
        let mut walk = self.walk(midturn, limits);
        let end = walk.stream(midturn, after, visit);
        (end, walk.nodes())
    }

    /// How many mating series this turn has, positions told apart by 128 bits whatever the grade. If a limit ends the count, the number is that of the lengths counted in full.
    pub fn count(&mut self, midturn: &Midturn, limits: &Limits<'_>) -> (u128, End) {
        if !midturn.rules().has_mate() {
            return (0, End::Complete);
        }
        let bytes = self.seen.bytes();
        self.walk(midturn, limits).count_all(midturn, bytes)
    }

    /// A walk that begins with an empty table.
    fn walk<'a>(&'a mut self, midturn: &Midturn, limits: &'a Limits<'a>) -> Walk<'a> {
        self.seen.begin();
        Walk::new(Seen::Own(&mut self.seen), midturn, limits, self.tricks)
    }

    fn answer(
        &mut self,
        midturn: &Midturn,
        limits: &Limits<'_>,
        work: impl FnOnce(&mut Walk<'_>) -> Verdict,
    ) -> Answer {
        if !midturn.rules().has_mate() {
            return Answer { verdict: Verdict::NoMate, nodes: 0 };
        }
        let mut walk = self.walk(midturn, limits);
        let verdict = work(&mut walk);
        Answer { verdict, nodes: walk.nodes() }
    }
}
