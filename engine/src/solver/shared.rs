//! A seen-table for several threads that work on one question.
//!
//! A position counts as seen once somebody has entered it, not when nothing was found there. So what one thread skips, another
//! searches or has searched; "none" holds when all of them have come to their ends, and a mate below it is found by the other.
//!
//! The two words of an entry are read and written one by one, without a lock. A reader may so see the words of two entries as one:
//! a position that was never entered, and one more in the odds of [`super::seen`], no more.

use super::seen::{Keys, SeenTable};
use super::verdict::Grade;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

const SIZE: usize = 8;

/// One cache line.
#[repr(align(64))]
struct Bucket([AtomicU64; SIZE]);

/// A set of keys that forgets, for one question. It does not grow.
pub(super) struct SharedTable {
    buckets: Vec<Bucket>,
    /// The second words, place by place; empty in the grade of play.
    seconds: Vec<Bucket>,
}

impl SharedTable {
    /// A table of about `bytes`; never less than 16 KiB, 32 in the grade of proofs.
    pub(super) fn new(bytes: usize, grade: Grade) -> Result<Self, TryReserveError> {
        let size = SeenTable::buckets_within(bytes, grade);
        let seconds = if grade == Grade::Proof { empty(size)? } else { Vec::new() };
        Ok(Self { buckets: empty(size)?, seconds })
    }

    /// Whether the position was there; it is afterwards.
    #[inline]
    pub(super) fn was_seen(&self, keys: Keys<impl FnOnce() -> u64>) -> bool {
        let place = keys.first as usize & (self.buckets.len() - 1);
        // Never 0, which means unused. The place implies the bit.
        let wanted = keys.first | 1;
        let bucket = &self.buckets[place].0;
        let seconds = self.seconds.get(place).map(|bucket| (&bucket.0, (keys.second)()));
        let mut victim = (keys.first >> 58) as usize % SIZE;
        for (index, entry) in bucket.iter().enumerate() {
            let entry = entry.load(Ordering::Relaxed);
            let is_second = || seconds.is_none_or(|(words, second)| words[index].load(Ordering::Relaxed) == second);
            if entry == wanted && is_second() {
                return true;
            }
            if entry == 0 {
                victim = index;
                break;
            }
        }
        if let Some((words, second)) = seconds {
            words[victim].store(second, Ordering::Relaxed);
        }
        bucket[victim].store(wanted, Ordering::Relaxed);
        false
    }
}

fn empty(size: usize) -> Result<Vec<Bucket>, TryReserveError> {
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(size)?;
    buckets.resize_with(size, || Bucket(std::array::from_fn(|_| AtomicU64::new(0))));
    Ok(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_what_was_entered() {
        for grade in [Grade::Play, Grade::Proof] {
            let table = SharedTable::new(1 << 23, grade).unwrap();
            let keys = |i: u64| Keys { first: i.wrapping_mul(0x9e37_79b9_7f4a_7c15), second: move || i };
            assert_eq!((1..100_000).filter(|&i| table.was_seen(keys(i))).count(), 0);
            assert!((1..100_000).filter(|&i| table.was_seen(keys(i))).count() > 99_900);
            let other = Keys { first: 0x9e37_79b9_7f4a_7c15, second: || 2 };
            assert_eq!(table.was_seen(other), grade == Grade::Play);
        }
    }
}
