//! The clock of one search, and the two switches by which the protocol steers it.

use crate::search::limits::Pace;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The switches of one search. Each search has its own, so that a late `stop` cannot reach the next one.
#[derive(Debug, Default)]
pub(crate) struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// The switches of a search that may begin on the opponent's time.
    pub(crate) fn new(pondering: bool) -> Arc<Self> {
        Arc::new(Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(pondering) })
    }

    /// Tells the search to answer now.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to answer.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The expected reply was played: from now on the budget counts.
    pub(crate) fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }
}

/// How much time a search has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// No clock at all: nodes or depth end the search, so the same search takes the same path on every machine.
    Unlimited,
    /// It goes on until it is told to stop or has proved what it was asked for.
    Endless,
    /// So long, for what is left of the series.
    Time(Duration),
}

/// In an endless search the half of an imagined budget is used after so many seconds.
const ENDLESS_HALF: f64 = 5.0;

/// The pace of one search. Time counts from the arrival of the `go` line, pondering included.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    budget: Budget,
    control: Arc<Control>,
}

impl Clock {
    /// A clock that started at `start`.
    pub(crate) const fn new(start: Instant, budget: Budget, control: Arc<Control>) -> Self {
        Self { start, budget, control }
    }

    /// Whether only a stop ends the search.
    pub(crate) fn is_endless(&self) -> bool {
        self.budget == Budget::Endless
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The share of the budget used after `elapsed`. While pondering, x/(1+x) stands for x: it stays below 1 and below what the
    /// share will be after `ponderhit`, so the share never decreases.
    fn share(&self, elapsed: Duration, pondering: bool) -> f64 {
        match self.budget {
            Budget::Unlimited => 0.0,
            Budget::Endless => {
                let seconds = elapsed.as_secs_f64();
                seconds / (seconds + ENDLESS_HALF)
            }
            Budget::Time(budget) => {
                let share = elapsed.as_secs_f64() / budget.as_secs_f64().max(1e-6);
                match (pondering, budget.is_zero()) {
                    (true, _) => share / (1.0 + share),
                    (false, true) => share.max(1.0),
                    (false, false) => share,
                }
            }
        }
    }
}

impl Pace for Clock {
    fn used(&self) -> f64 {
        self.share(self.elapsed(), self.control.pondering.load(Ordering::Relaxed))
    }

    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(budget: Budget) -> Clock {
        Clock::new(Instant::now(), budget, Control::new(false))
    }

    #[test]
    fn shares() {
        let second = Duration::from_secs(1);
        assert_eq!(clock(Budget::Unlimited).share(second, false), 0.0);
        assert_eq!(clock(Budget::Time(2 * second)).share(second, false), 0.5);
        assert!(clock(Budget::Time(Duration::ZERO)).share(Duration::ZERO, false) >= 1.0);
        assert_eq!(clock(Budget::Endless).share(5 * second, false), 0.5);
        assert!(clock(Budget::Endless).share(1_000_000 * second, false) < 1.0);
    }

    #[test]
    fn pondering_never_runs_out_and_never_goes_back() {
        let second = Duration::from_secs(1);
        for budget in [Duration::ZERO, second, 100 * second] {
            let clock = clock(Budget::Time(budget));
            for elapsed in [Duration::ZERO, second, 1000 * second] {
                let (pondering, after) = (clock.share(elapsed, true), clock.share(elapsed, false));
                assert!(pondering < 1.0 && pondering <= after, "{budget:?} {elapsed:?}");
            }
        }
    }

    #[test]
    fn the_switches() {
        let control = Control::new(true);
        let clock = Clock::new(Instant::now(), Budget::Time(Duration::ZERO), control.clone());
        assert!(clock.used() < 1.0 && !clock.is_stopped());
        control.ponder_hit();
        assert!(clock.used() >= 1.0);
        control.stop();
        assert!(clock.is_stopped());
    }
}
