//! The wish to stop, shared by everything that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Set once, by a signal or by an error of the run; every wait of the runner looks at it at least every
/// [`Stop::INTERVAL`].
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicUsize>);

impl Stop {
    /// How long a wait may last without a look.
    pub const INTERVAL: std::time::Duration = std::time::Duration::from_millis(50);
    /// The reason that is no signal: the run itself gave up.
    pub const INTERNAL: usize = usize::MAX;

    /// Asks everybody to stop; `reason` is a signal number or [`Stop::INTERNAL`]. The first reason stays.
    pub fn set(&self, reason: usize) {
        let _ = self.0.compare_exchange(0, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The signal that asked, if it was one.
    #[must_use]
    pub fn signal(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&reason| reason != 0 && reason != Self::INTERNAL)
    }

    /// The cell itself, for a signal handler that stores the signal's number.
    #[must_use]
    pub fn cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.0)
    }
}
