//! The seen-table: which positions have been entered already with so many moves left.
//!
//! One-sided moves commute, so most positions are reached in many orders; each needs to be searched once. The table may forget
//! (then something is searched twice) but must not invent: an entry holds the whole 64-bit key but for the bits that
//! its place in the table implies. The low eight bits make room for the generation, so a new search needs no clearing.

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

    /// A table that takes at most about `bytes`; never less than 16 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let fits = (bytes / size_of::<Bucket>()).max(Self::LEAST);
        let most = 1 << fits.ilog2();
        Self { buckets: vec![Bucket::EMPTY; most.min(Self::FIRST)], most, generation: 1, used: 0 }
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

    /// Whether the key is there.
    pub(super) fn has(&self, key: u64) -> bool {
        let wanted = (key & !GENERATION) | self.generation;
        self.buckets[key as usize & (self.buckets.len() - 1)].0.contains(&wanted)
    }

    /// Whether the key was there; it is afterwards.
    #[inline(always)]
    pub(super) fn was_seen(&mut self, key: u64) -> bool {
        let place = key as usize & (self.buckets.len() - 1);
        let wanted = (key & !GENERATION) | self.generation;
        let bucket = &mut self.buckets[place].0;
        if bucket.contains(&wanted) {
            return true;
        }
        let stale = bucket.iter().position(|entry| entry & GENERATION != self.generation);
        // The victim is chosen by bits of the key that neither the place nor the generation uses.
        bucket[stale.unwrap_or((key >> 58) as usize % Bucket::SIZE)] = wanted;
        self.used += usize::from(stale.is_some());
        if self.used > self.buckets.len() * (Bucket::SIZE / 2) && self.buckets.len() < self.most {
            self.grow();
        }
        false
    }

    /// Makes the table four times as large, up to the limit, and takes along what this generation has seen.
    #[cold]
    fn grow(&mut self) {
        let old = self.buckets.len();
        let size = (old * 4).min(self.most);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(size).is_err() {
            self.most = old;
            return;
        }
        buckets.resize(size, Bucket::EMPTY);
        for (place, bucket) in std::mem::replace(&mut self.buckets, buckets).iter().enumerate() {
            for &entry in bucket.0.iter().filter(|&&entry| entry & GENERATION == self.generation) {
                let key = (entry & !GENERATION) | (place as u64 & GENERATION);
                // Keys of one old bucket spread over new ones and cannot overfill them.
                let target = &mut self.buckets[key as usize & (size - 1)].0;
                if let Some(free) = target.iter().position(|&entry| entry == 0) {
                    target[free] = entry;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_until_the_next_generation() {
        let mut table = SeenTable::new(1 << 24);
        let keys = || (1..400_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let fresh = keys().filter(|&key| !table.was_seen(key)).count();
        assert_eq!(fresh, 399_999);
        assert!(table.buckets.len() > SeenTable::FIRST, "it has grown");
        let kept = keys().filter(|&key| table.was_seen(key)).count();
        assert!(kept > 399_000, "{kept}");
        for _ in 0..300 {
            table.begin();
            assert!(!table.was_seen(12345));
            assert!(table.was_seen(12345));
        }
    }
}
