//! xboard's clocks: what is known of them, and what that allows for a series.

use crate::rules::midturn::Midturn;
use crate::workers::budget::Times;
use crate::workers::clock::Budget;
use std::time::Duration;

/// What xboard has said about time, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    /// The engine's clock.
    pub(super) own: Option<i64>,
    /// The opponent's clock.
    pub(super) theirs: Option<i64>,
    increment: i64,
    /// A fixed time for each series.
    fixed: Option<i64>,
    /// Series to look ahead at most.
    pub(super) depth: Option<u16>,
}

/// For a client that says nothing about time.
const DEFAULT: Duration = Duration::from_secs(5);

impl Clocks {
    /// `level`: both clocks begin with the base time; a fixed time is over. The depth stays.
    pub(super) fn level(&mut self, base: i64, increment: i64) {
        *self = Self { own: Some(base), theirs: Some(base), increment, fixed: None, depth: self.depth };
    }

    /// `st`.
    pub(super) fn fix(&mut self, ms: i64) {
        self.fixed = Some(ms);
    }

    /// The time for what is left of this series.
    pub(super) fn budget(&self, midturn: &Midturn, overhead: i64) -> Budget {
        // With a fixed time the clock is a mere display.
        let own = self.own.filter(|_| self.fixed.is_none());
        let times = Times {
            own,
            theirs: self.theirs.filter(|_| own.is_some()),
            increment: self.increment,
            moves_to_go: None,
            movetime: self.fixed,
            overhead,
            ponders: false,
        };
        times.budget(midturn).unwrap_or(Budget::Time(DEFAULT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;
    use crate::rules::table::ITALIAN;

    #[test]
    fn the_last_word_counts() {
        let game = Game::new(&ITALIAN);
        let budget = |clocks: Clocks| match clocks.budget(game.current(), 0) {
            Budget::Time(time) => time.as_millis(),
            other => panic!("{other:?}"),
        };
        let mut clocks = Clocks::default();
        assert_eq!(budget(clocks), 5000);
        clocks.level(70_000, 0);
        assert_eq!(budget(clocks), 10_000);
        clocks.own = Some(7_000);
        assert_eq!(budget(clocks), 1_000);
        clocks.fix(2_000);
        assert_eq!(budget(clocks), 2_000);
        clocks.level(70_000, 0);
        assert_eq!(budget(clocks), 10_000);
    }
}
