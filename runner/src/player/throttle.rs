//! So many at a time: engines that start together would make each other late.

use super::Failure;
use super::stop::Stop;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A number of places.
#[derive(Debug)]
pub struct Throttle {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place that is taken; dropped, it is free again.
#[derive(Debug)]
pub struct Place<'a>(&'a Throttle);

impl Throttle {
    /// So many places, at least one.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), freed: Condvar::new() }
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// The run is being stopped.
    pub fn enter(&self, stop: &Stop) -> Result<Place<'_>, Failure> {
        let mut free = self.lock();
        while *free == 0 {
            if stop.is_set() {
                return Err(Failure::Stopped);
            }
            free = self.freed.wait_timeout(free, Stop::INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Place(self))
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn never_more_than_there_are_places() {
        let (throttle, stop) = (Throttle::new(2), Stop::default());
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _place = throttle.enter(&stop).unwrap();
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
        let both = (throttle.enter(&stop).unwrap(), throttle.enter(&stop).unwrap());
        stop.set(Stop::INTERNAL);
        assert_eq!(throttle.enter(&stop).unwrap_err(), Failure::Stopped);
        drop(both);
    }
}
