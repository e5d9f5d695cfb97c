//! Threads for a search.

use crate::search::crew::Crew;
use std::thread;

/// So many threads, the caller's own counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads(pub(crate) usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0.max(1)
    }

    fn work(&self, work: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            for k in 1..self.size() {
                // Where the system gives no thread, the others do its work.
                let _ = thread::Builder::new().name(format!("search {k}")).spawn_scoped(scope, move || work(k));
            }
            work(0);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn everybody_works() {
        for size in [1, 2, 5] {
            let sum = AtomicUsize::new(0);
            Threads(size).work(&|k| {
                sum.fetch_add(k + 1, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), size * (size + 1) / 2);
        }
    }
}
