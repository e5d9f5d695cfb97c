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

/// A set of keys that forgets. It begins small, so that a small question stays within a near cache, and grows to its limit as the search
/// needs it. The memory is kept for the next question, which begins small again.
pub(super) struct SeenTable {
    buckets: Vec<Bucket>,
    /// The second words, place by place; empty in the grade of play.
    seconds: Vec<Bucket>,
    /// Buckets in use, a power of two.
    size: usize,
    /// Of all buckets those that hold no entry of a generation to come.
    cleared: usize,
    grade: Grade,
    /// The limit in bytes, as it was given.
    bytes: usize,
    /// The limit, in buckets: a power of two.
    most: usize,
    generation: u64,
    /// Entries of this generation.
    used: usize,
    /// The most entries of a generation since [`SeenTable::forget_peak`].
    peak: usize,
}

impl SeenTable {
    /// Buckets to begin with: 2^15 entries, 256 KiB, which fit a second-level cache.
    const FIRST: usize = 1 << 12;
    /// The index must be longer than the generation, or an entry would not determine its key.
    const LEAST: usize = 1 << 8;

    /// A table that takes at most about `bytes`, while it grows a quarter more; never less than 16 KiB, 32 in the grade of proofs.
    pub(super) fn new(bytes: usize, grade: Grade) -> Self {
        let most = Self::buckets_within(bytes, grade);
        let size = most.min(Self::FIRST);
        let seconds = if grade == Grade::Proof { vec![Bucket::EMPTY; size] } else { Vec::new() };
        Self {
            buckets: vec![Bucket::EMPTY; size],
            seconds,
            size,
            cleared: size,
            grade,
            bytes,
            most,
            generation: 1,
            used: 0,
            peak: 0,
        }
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

    /// Forgets everything. The generations of entries do the work; after 255 of them what is used next is cleared.
    pub(super) fn begin(&mut self) {
        self.peak = self.peak.max(self.used);
        self.used = 0;
        self.size = self.most.min(Self::FIRST);
        self.generation += 1;
        if self.generation > GENERATION {
            self.buckets[..self.size].fill(Bucket::EMPTY);
            self.cleared = self.size;
            self.generation = 1;
        }
    }

    /// How full the table was at most, in thousandths of its limit.
    pub(super) fn peak(&self) -> u16 {
        let entries = self.peak.max(self.used).saturating_mul(1000) / (self.most * Bucket::SIZE);
        u16::try_from(entries).unwrap_or(1000).min(1000)
    }

    /// Begins to watch how full the table gets.
    pub(super) fn forget_peak(&mut self) {
        (self.used, self.peak) = (0, 0);
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
        if self.used > self.size * (Bucket::SIZE / 2) && self.size < self.most {
            self.grow();
        }
        false
    }

    /// Loads the places of these first keys into the cache. Looked up one by one, each would be waited for.
    #[inline(always)]
    pub(super) fn touch(&self, firsts: &[u64]) {
        std::hint::black_box(firsts.iter().fold(0, |any, &first| any ^ self.buckets[self.place(first)].0[0]));
    }

    #[inline(always)]
    const fn place(&self, first: u64) -> usize {
        first as usize & (self.size - 1)
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
        let (old, size, had) = (self.size, (self.size * 4).min(self.most), self.buckets.len());
        let is_proof = self.grade == Grade::Proof;
        if !extend(&mut self.buckets, size) || is_proof && !extend(&mut self.seconds, size) {
            self.most = old;
            return;
        }
        // What was used before the generations began anew could pass for this one.
        if self.cleared < size.min(had) {
            self.buckets[self.cleared..size.min(had)].fill(Bucket::EMPTY);
        }
        self.cleared = self.cleared.max(size);
        self.size = size;
        for place in 0..old {
            for index in 0..Bucket::SIZE {
                let entry = self.buckets[place].0[index];
                let key = (entry & !GENERATION) | (place as u64 & GENERATION);
                let target = self.place(key);
                if entry & GENERATION != self.generation || target == place {
                    continue;
                }
                self.buckets[place].0[index] = 0;
                // Keys of one old bucket spread over new ones and cannot overfill them.
                let free = self.victim(target, key);
                self.buckets[target].0[free] = entry;
                if is_proof {
                    self.seconds[target].0[free] = self.seconds[place].0[index];
                }
            }
        }
    }
}

/// Makes it at least so long, if there is memory for that.
fn extend(buckets: &mut Vec<Bucket>, size: usize) -> bool {
    let missing = size.saturating_sub(buckets.len());
    let fits = buckets.try_reserve_exact(missing).is_ok();
    if fits && missing > 0 {
        buckets.resize(size, Bucket::EMPTY);
    }
    fits
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
            assert!(table.size > SeenTable::FIRST, "it has grown");
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
    fn what_was_seen_before_the_generations_began_anew_is_forgotten() {
        for grade in [Grade::Play, Grade::Proof] {
            let mut table = SeenTable::new(1 << 24, grade);
            let fresh = |table: &mut SeenTable, from: u64| {
                (from..from + 50_000).filter(|&i| !table.was_seen(keys(i, i))).count()
            };
            assert_eq!(fresh(&mut table, 1), 50_000);
            for _ in 0..255 {
                table.begin();
            }
            assert_eq!(table.generation, 1);
            assert_eq!(fresh(&mut table, 100_000), 50_000);
            assert!(table.size > SeenTable::FIRST, "it has grown over the old entries");
            assert_eq!((1..50_000).filter(|&i| table.has(keys(i, i))).count(), 0);
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
