//! Time management: from the players' clocks to the time for one series.

use super::clock::Budget;
use crate::rules::midturn::Midturn;
use crate::rules::table::Quota;
use std::time::Duration;

/// What a `go` says about time, in milliseconds; the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Times {
    /// The mover's clock.
    pub(crate) own: Option<i64>,
    /// The opponent's clock.
    pub(crate) theirs: Option<i64>,
    /// What the mover's clock gains after each series.
    pub(crate) increment: i64,
    /// Series to the next control.
    pub(crate) moves_to_go: Option<i64>,
    /// A fixed time for the series.
    pub(crate) movetime: Option<i64>,
    /// Lost on the way to and from the client; of a fixed time a quarter of it is kept back.
    pub(crate) overhead: i64,
    /// Whether the client lets the engine think on the opponent's time, which makes a series cheaper.
    pub(crate) ponders: bool,
}

/// For a player whose own clock is not known.
const DEFAULT_MS: i64 = 2_000;
/// Clocks beyond a year are taken for a year, so that nothing overflows.
const YEAR_MS: i64 = 366 * 24 * 3600 * 1000;

impl Times {
    /// The time for what is left of this series, if the clocks say anything.
    pub(crate) fn budget(&self, midturn: &Midturn) -> Option<Budget> {
        let fixed = self.movetime.map(|ms| {
            let ms = ms.clamp(0, YEAR_MS);
            // A small part is kept for the way back, so that a referee who measures sees hardly more than was allowed. It need not be as much as
            // on a clock, where what is late in one turn is lost for all.
            ms - (ms / 10).min(self.overhead / 4)
        });
        let clock = (self.own.is_some() || self.theirs.is_some()).then(|| self.share_of_clock(series_to_come(midturn)));
        let ms = match (fixed, clock) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        };
        Some(Budget::Time(Duration::from_millis(u64::try_from(ms).unwrap_or(0))))
    }

    fn share_of_clock(&self, expected: i64) -> i64 {
        let Some(own) = self.own else {
            // Only the opponent's clock is known: a default, but not more than a player with his clock would take.
            let like_theirs = Self { own: self.theirs, ..*self };
            return DEFAULT_MS.min(like_theirs.share_of_clock(expected)).max(DEFAULT_MS / 10);
        };
        let free = (own.clamp(0, YEAR_MS) - self.overhead).max(0);
        let increment = self.increment.clamp(0, YEAR_MS);
        let series = self.moves_to_go.filter(|&n| n > 0).map_or(expected, |n| n.min(expected));
        let mut share = free / series + increment * 4 / 5;
        if self.ponders {
            share += share / 4;
        }
        // The increment comes only after the series: the clock itself must bear it, with a reserve if more series follow.
        let most = if series == 1 { free * 9 / 10 } else { free * 3 / 5 };
        share.min(most)
    }
}

/// How many series the mover will probably still play, this one included. Progressive games are short: they rarely see turn 12.
fn series_to_come(midturn: &Midturn) -> i64 {
    match midturn.rules().quota {
        Quota::Progressive => (7 - i64::from(midturn.turn().number()) / 2).max(3),
        Quota::Double => 25,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;
    use crate::rules::table::{ITALIAN, MARSEILLAIS};

    fn ms(times: Times) -> Option<u128> {
        match times.budget(Game::new(&ITALIAN).current()) {
            Some(Budget::Time(time)) => Some(time.as_millis()),
            Some(other) => panic!("{other:?}"),
            None => None,
        }
    }

    #[test]
    fn nothing_said_nothing_limited() {
        assert_eq!(ms(Times::default()), None);
        assert_eq!(ms(Times { increment: 1000, ..Times::default() }), None);
    }

    #[test]
    fn empty_and_negative_clocks_answer_at_once() {
        for own in [0, -2, -170_671, i64::MIN] {
            assert_eq!(ms(Times { own: Some(own), increment: 20, overhead: 20, ..Times::default() }), Some(0), "{own}");
        }
        assert_eq!(ms(Times { movetime: Some(0), ..Times::default() }), Some(0));
        assert_eq!(ms(Times { movetime: Some(-5), ..Times::default() }), Some(0));
    }

    #[test]
    fn never_more_than_the_clock() {
        for own in [1, 15, 40, 1000, 60_000, i64::MAX] {
            for increment in [i64::MIN, 0, 1000, i64::MAX] {
                for moves_to_go in [None, Some(i64::MIN), Some(0), Some(1), Some(1000), Some(i64::MAX)] {
                    let times = Times {
                        own: Some(own),
                        increment,
                        moves_to_go,
                        overhead: 20,
                        ponders: true,
                        ..Times::default()
                    };
                    let most = u128::try_from(own.min(YEAR_MS) - 20).unwrap_or(0);
                    assert!(ms(times).unwrap() <= most, "{times:?}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_own_clock_gets_a_default() {
        assert_eq!(ms(Times { theirs: Some(885_300), ..Times::default() }), Some(2000));
        assert!((1..=2000).contains(&ms(Times { theirs: Some(-5), ..Times::default() }).unwrap()));
    }

    #[test]
    fn longer_games_get_smaller_shares() {
        let times = Times { own: Some(60_000), ..Times::default() };
        let share = |rules| match times.budget(Game::new(rules).current()) {
            Some(Budget::Time(time)) => time,
            other => panic!("{other:?}"),
        };
        assert!(share(&MARSEILLAIS) < share(&ITALIAN));
    }

    #[test]
    fn movetime_keeps_a_little_for_the_way() {
        assert_eq!(ms(Times { movetime: Some(500), overhead: 20, ..Times::default() }), Some(495));
        assert_eq!(ms(Times { movetime: Some(50), overhead: 20, ..Times::default() }), Some(45));
        assert_eq!(ms(Times { movetime: Some(1000), overhead: 200, ..Times::default() }), Some(950));
        assert_eq!(ms(Times { movetime: Some(50), own: Some(30), overhead: 20, ..Times::default() }), Some(1));
    }
}
