//! The key of a board, worked out from its words when it is asked for.
//!
//! Most boards that are made are never looked up, so a key that is carried along, as Zobrist's is, costs more than one made on demand;
//! and it cannot be stale. Two hash functions follow each other, both with a proven bound on collisions for numbers chosen at
//! random: NH (Black, Halevi, Krawczyk, Krovetz, Rogaway 1999, "UMAC") brings eight words to 128 bits, multilinear hashing (Lemire
//! and Kaser 2014, "Strongly universal string hashing is fast") these to 64. Two different boards share a key with a probability of
//! at most 2 in 2^64; with Zobrist's numbers it is 1.

/// What a key is made of.
pub(super) const WORDS: usize = 8;

/// `SplitMix64` (Steele, Lea, Flood 2014): a fixed sequence, so that keys are the same in every build.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The numbers added to the words, then those that bring 128 bits to 64.
const NUMBERS: ([u64; WORDS], [u128; 3]) = {
    let mut state = 0x05ee_d0fc_4e5c_e0d0;
    let mut added = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        added[i] = split_mix(&mut state);
        i += 1;
    }
    let mut wide = [0; 3];
    let mut i = 0;
    while i < 3 {
        wide[i] = (split_mix(&mut state) as u128) << 64 | split_mix(&mut state) as u128;
        i += 1;
    }
    (added, wide)
};

/// The key of these words.
#[inline(always)]
pub(super) fn of(words: [u64; WORDS]) -> u64 {
    const ADDED: [u64; WORDS] = NUMBERS.0;
    const WIDE: [u128; 3] = NUMBERS.1;
    let mut sum = 0u128;
    for i in (0..WORDS).step_by(2) {
        let (a, b) = (words[i].wrapping_add(ADDED[i]), words[i + 1].wrapping_add(ADDED[i + 1]));
        sum = sum.wrapping_add(u128::from(a) * u128::from(b));
    }
    let (high, low) = (sum >> 64, u128::from(sum as u64));
    (WIDE[0].wrapping_add(WIDE[1].wrapping_mul(high)).wrapping_add(WIDE[2].wrapping_mul(low)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn boards_that_differ_in_few_places_have_different_keys() {
        let mut seen = FxHashSet::default();
        let start =
            [0xff00_0000_0000_ff00, 0x4200_0000_0000_0042, 0x24 << 56 | 0x24, 0x81 << 56 | 0x81, 8, 16, 0xffff, 0x81];
        let flip = |words: &mut [u64; WORDS], bit: usize| words[bit / 64] ^= 1 << (bit % 64);
        let bits = WORDS * 64;
        for a in 0..bits {
            for b in 0..=a {
                let mut words = start;
                flip(&mut words, a);
                flip(&mut words, b);
                if a != b || a == 0 {
                    assert!(seen.insert(of(words)), "{a} {b}");
                }
            }
        }
        assert_eq!(seen.len(), bits * (bits - 1) / 2 + 1);
    }
}
