//! The seen-table: which positions have been entered already with so many moves left.
//!
//! One-sided moves commute, so most positions are reached in many orders; each needs to be searched once. The table may forget
//! (then something is searched twice) but must not invent: an entry holds the whole 64-bit key but for the bits that
//! its place in the table implies. The low eight bits make room for the generation, so a new search needs no clearing.
//!
//! # The odds of a false "none"
//!
//! Two positions with equal keys pass for one, and the second is not searched. Among `n` positions some two have equal keys of `b` bits
//! with a probability of about `n² / 2^(b + 1)`. With 64 bits that is 3 in 10^8 for a million positions and 3 in 100 for a
//! billion (and only a pair that hides a mate does harm): good enough for play. Where a "none" is published, the grade
//! [`Grade::Proof`] keeps a second word for each entry, computed from the bitboards by other means than the first; with 128 bits
//! a billion positions have a probability of 2 in 10^21.

use super::verdict::Grade;

/// What identifies a position with so many moves left.
pub(super) struct Keys<F: FnOnce() -> u64> {
    /// The key of the board, with the moves left mixed in.
    pub(super) first: u64,
    /// Computes the second word; only in the grade of proofs.
    pub(super) second: F,
}

/// One cache line.
#[derive(Clone)]
#[repr(align(64))]
struct Bucket([u64; Bucket::SIZE]);

impl Bucket {
    const SIZE: usize = 8;
    const EMPTY: Self = Self([0; Self::SIZE]);
}

/// The low bits of an entry hold its generation, 1 to 255; 0 = never used.
const GENERATION: u64 = 0xff;

/// A set of keys that forgets. It grows from small to its limit as one search needs it, and stays grown.
pub(super) struct SeenTable {
    buckets: Vec<Bucket>,
    /// The second words, place by place; empty in the grade of play.
    seconds: Vec<Bucket>,
    grade: Grade,
    /// The limit in bytes, as it was given.
    bytes: usize,
    /// The limit, in buckets: a power of two.
    most: usize,
    generation: u64,
    /// Entries of this generation.
    used: usize,
}

impl SeenTable {
    /// Buckets to begin with: 2^18 entries, which fit a second-level cache.
    const FIRST: usize = 1 << 15;
    /// The index must be longer than the generation, or an entry would not determine its key.
    const LEAST: usize = 1 << 8;

    /// A table that takes at most about `bytes`, while it grows a quarter more; never less than 16 KiB, 32 in the grade of proofs.
    pub(super) fn new(bytes: usize, grade: Grade) -> Self {
        let most = Self::buckets_within(bytes, grade);
        let first = most.min(Self::FIRST);
        let seconds = if grade == Grade::Proof { vec![Bucket::EMPTY; first] } else { Vec::new() };
        Self { buckets: vec![Bucket::EMPTY; first], seconds, grade, bytes, most, generation: 1, used: 0 }
    }

    /// How many buckets fit, a power of two.
    pub(super) fn buckets_within(bytes: usize, grade: Grade) -> usize {
        let each = size_of::<Bucket>() * if grade == Grade::Proof { 2 } else { 1 };
        1 << (bytes / each).max(Self::LEAST).ilog2()
    }

    /// How many bytes it may take.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// How long its keys are.
    pub(super) const fn grade(&self) -> Grade {
        self.grade
    }

    /// Forgets everything, at no cost but once in 255 times.
    pub(super) fn begin(&mut self) {
        self.used = 0;
        self.generation += 1;
        if self.generation > GENERATION {
            self.buckets.fill(Bucket::EMPTY);
            self.generation = 1;
        }
    }

    /// Whether the position is there.
    pub(super) fn has(&self, keys: Keys<impl FnOnce() -> u64>) -> bool {
        let place = self.place(keys.first);
        match self.grade {
            Grade::Play => self.buckets[place].0.contains(&self.entry(keys.first)),
            Grade::Proof => self.find(place, self.entry(keys.first), (keys.second)()),
        }
    }

    /// Whether the position was there; it is afterwards.
    #[inline(always)]
    pub(super) fn was_seen(&mut self, keys: Keys<impl FnOnce() -> u64>) -> bool {
        let (place, wanted) = (self.place(keys.first), self.entry(keys.first));
        let is_there = match self.grade {
            Grade::Play => self.buckets[place].0.contains(&wanted),
            Grade::Proof => {
                let second = (keys.second)();
                let is_there = self.find(place, wanted, second);
                if !is_there {
                    let index = self.victim(place, keys.first);
                    self.seconds[place].0[index] = second;
                }
                is_there
            }
        };
        if is_there {
            return true;
        }
        let index = self.victim(place, keys.first);
        let entry = &mut self.buckets[place].0[index];
        self.used += usize::from(*entry & GENERATION != self.generation);
        *entry = wanted;
        if self.used > self.buckets.len() * (Bucket::SIZE / 2) && self.buckets.len() < self.most {
            self.grow();
        }
        false
    }

    #[inline(always)]
    fn place(&self, first: u64) -> usize {
        first as usize & (self.buckets.len() - 1)
    }

    /// What is kept of the first key.
    #[inline(always)]
    const fn entry(&self, first: u64) -> u64 {
        (first & !GENERATION) | self.generation
    }

    /// Whether both words stand side by side.
    fn find(&self, place: usize, wanted: u64, second: u64) -> bool {
        let pairs = self.buckets[place].0.iter().zip(self.seconds[place].0);
        pairs.into_iter().any(|(&entry, other)| entry == wanted && other == second)
    }

    /// Where in its bucket a new entry goes: to one of an older generation, or else to one chosen by bits of the key that
    /// neither the place nor the generation uses.
    #[inline(always)]
    fn victim(&self, place: usize, first: u64) -> usize {
        let stale = self.buckets[place].0.iter().position(|entry| entry & GENERATION != self.generation);
        stale.unwrap_or((first >> 58) as usize % Bucket::SIZE)
    }

    /// Makes the table four times as large, up to the limit, and takes along what this generation has seen. Without memory for it
    /// the table stays as it is.
    #[cold]
    fn grow(&mut self) {
        let old = self.buckets.len();
        let size = (old * 4).min(self.most);
        let seconds = if self.grade == Grade::Proof { empty(size) } else { Some(Vec::new()) };
        let (Some(buckets), Some(seconds)) = (empty(size), seconds) else {
            self.most = old;
            return;
        };
        let buckets = std::mem::replace(&mut self.buckets, buckets);
        let seconds = std::mem::replace(&mut self.seconds, seconds);
        for (place, bucket) in buckets.iter().enumerate() {
            for (index, &entry) in bucket.0.iter().enumerate() {
                if entry & GENERATION != self.generation {
                    continue;
                }
                let key = (entry & !GENERATION) | (place as u64 & GENERATION);
                // Keys of one old bucket spread over new ones and cannot overfill them.
                let target = self.place(key);
                if let Some(free) = self.buckets[target].0.iter().position(|&entry| entry == 0) {
                    self.buckets[target].0[free] = entry;
                    if let Some(second) = seconds.get(place) {
                        self.seconds[target].0[free] = second.0[index];
                    }
                }
            }
        }
    }
}

/// So many empty buckets, if there is memory for them.
fn empty(size: usize) -> Option<Vec<Bucket>> {
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(size).ok()?;
    buckets.resize(size, Bucket::EMPTY);
    Some(buckets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spread keys; `second` tells positions with equal first words apart.
    fn keys(i: u64, second: u64) -> Keys<impl FnOnce() -> u64> {
        Keys { first: i.wrapping_mul(0x9e37_79b9_7f4a_7c15), second: move || second }
    }

    #[test]
    fn remembers_until_the_next_generation() {
        for grade in [Grade::Play, Grade::Proof] {
            let mut table = SeenTable::new(1 << 24, grade);
            let fresh = (1..400_000).filter(|&i| !table.was_seen(keys(i, i))).count();
            assert_eq!(fresh, 399_999);
            assert!(table.buckets.len() > SeenTable::FIRST, "it has grown");
            let kept = (1..400_000).filter(|&i| table.was_seen(keys(i, i))).count();
            assert!(kept > 399_000, "{kept}");
            for _ in 0..300 {
                table.begin();
                assert!(!table.was_seen(keys(12345, 0)));
                assert!(table.was_seen(keys(12345, 0)) && table.has(keys(12345, 0)));
            }
        }
    }

    #[test]
    fn proofs_tell_apart_what_64_bits_do_not() {
        let mut table = SeenTable::new(1 << 20, Grade::Proof);
        assert!(!table.was_seen(keys(1, 1)) && !table.was_seen(keys(1, 2)));
        assert!(table.has(keys(1, 1)) && table.has(keys(1, 2)) && !table.has(keys(1, 3)));
        let mut table = SeenTable::new(1 << 20, Grade::Play);
        assert!(!table.was_seen(keys(1, 1)) && table.was_seen(keys(1, 2)));
    }

    #[test]
    fn the_limit_holds_in_both_grades() {
        for grade in [Grade::Play, Grade::Proof] {
            let mut table = SeenTable::new(8 << 20, grade);
            for i in 1..3_000_000 {
                table.was_seen(keys(i, i));
            }
            let buckets = table.buckets.len() + table.seconds.len();
            assert_eq!(buckets * size_of::<Bucket>(), 8 << 20);
        }
    }
}
