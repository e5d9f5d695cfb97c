//! What comes from outside and concerns everything that waits: the wish to stop, and word that the runner was suspended.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Set once, by a signal or by an error of the run; every wait of the runner looks at it at least every
/// [`Stop::INTERVAL`].
#[derive(Clone, Debug, Default)]
pub struct Stop {
    reason: Arc<AtomicUsize>,
    /// How often the runner has been continued after a suspension.
    continued: Arc<AtomicUsize>,
}

impl Stop {
    /// How long a wait may last without a look.
    pub const INTERVAL: Duration = Duration::from_millis(50);
    /// The reason that is no signal: the run itself gave up.
    pub const INTERNAL: usize = usize::MAX;
    /// How long word of a suspension may take from the thread that hears of it to those that wait.
    const WORD: Duration = Duration::from_millis(100);

    /// Asks everybody to stop; `reason` is a signal number or [`Stop::INTERNAL`]. The first reason stays.
    pub fn set(&self, reason: usize) {
        let _ = self.reason.compare_exchange(0, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.reason.load(Ordering::Relaxed) != 0
    }

    /// The signal that asked, if it was one.
    #[must_use]
    pub fn signal(&self) -> Option<usize> {
        Some(self.reason.load(Ordering::Relaxed)).filter(|&reason| reason != 0 && reason != Self::INTERNAL)
    }

    /// The reason's cell, for a signal handler that stores the signal's number.
    #[must_use]
    pub fn cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.reason)
    }

    /// Tells everybody that the runner goes on after a suspension.
    pub fn note_continued(&self) {
        self.continued.fetch_add(1, Ordering::Relaxed);
    }

    /// How often that has been told.
    #[must_use]
    pub fn continued(&self) -> usize {
        self.continued.load(Ordering::Relaxed)
    }

    /// Whether the runner has been suspended since [`Stop::continued`] was `before`. Waits a little for the word of it, so this is for
    /// those only who have reason to believe so.
    #[must_use]
    pub fn was_suspended_since(&self, before: usize) -> bool {
        let began = Instant::now();
        while self.continued() == before {
            if began.elapsed() > Self::WORD {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_of_a_suspension_may_be_late() {
        let stop = Stop::default();
        let before = stop.continued();
        assert!(!stop.was_suspended_since(before));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(10));
                stop.note_continued();
            });
            assert!(stop.was_suspended_since(before));
        });
        assert!(stop.was_suspended_since(before) && !stop.was_suspended_since(stop.continued()));
    }
}
