//! Families: which sets of target squares can be covered together.
//!
//! There are at most six targets, so a set of targets is a *mask* of six bits, and a family of masks is 64 bits: bit `m` is
//! set if the mask `m` is in the family. All families here are *closed*: with a mask they have all its subsets. The closed
//! family of everything that one of several alternatives covers is their union; of what two men cover together, the product.

/// At most so many targets.
pub(super) const TARGETS: usize = 6;

/// A set of targets.
pub(super) type Mask = u8;

/// A closed family of masks. It always has the empty mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Family(u64);

/// By target: all masks without it.
const WITHOUT: [u64; TARGETS] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// By mask: its subsets.
static BELOW: [u64; 64] = {
    let mut below = [0u64; 64];
    let mut mask = 0;
    while mask < 64 {
        let mut sub = 0;
        while sub < 64 {
            if sub & !mask == 0 {
                below[mask] |= 1 << sub;
            }
            sub += 1;
        }
        mask += 1;
    }
    below
};

impl Family {
    /// Covers nothing.
    pub(super) const NOTHING: Self = Self(1);

    /// The family of these masks, which must be closed.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The mask and its subsets.
    #[inline(always)]
    pub(super) fn below(mask: Mask) -> Self {
        Self(BELOW[mask as usize & 63])
    }

    /// Whether all of `mask` can be covered.
    #[inline(always)]
    pub(super) const fn has(self, mask: Mask) -> bool {
        self.0 >> (mask & 63) & 1 != 0
    }

    /// Either of two alternatives.
    #[inline(always)]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is left when only the targets of `mask` matter.
    #[inline(always)]
    pub(super) fn within(self, mask: Mask) -> Self {
        Self(self.0 & BELOW[mask as usize & 63])
    }

    /// The product with the family below `mask`: the same, and all of `mask` besides.
    #[inline(always)]
    pub(super) fn with(self, mask: Mask) -> Self {
        let mut family = self.0;
        let mut rest = mask & 63;
        while rest != 0 {
            let target = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            family |= (family & WITHOUT[target]) << (1 << target);
        }
        Self(family)
    }

    /// What two men cover together, one by each family.
    #[inline]
    pub(super) fn product(self, other: Self) -> Self {
        if other == Self::NOTHING {
            return self;
        }
        if self == Self::NOTHING {
            return other;
        }
        let (mine, theirs) = (self.maximal(), other.maximal());
        let (few, family) = if mine.0.count_ones() <= theirs.0.count_ones() { (mine, other) } else { (theirs, self) };
        few.fold(Self::NOTHING, |product, mask| product.or(family.with(mask)))
    }

    /// Whether the two families have members that together cover all of `full`, both families being within `full`.
    #[inline(always)]
    pub(super) const fn completes(self, other: Self, full: Mask) -> bool {
        // Reversed and shifted, the bit of a mask is where the bit of its complement was.
        self.0 & (other.0.reverse_bits() >> (63 - full)) != 0
    }

    /// The masks that no other mask of the family contains.
    #[inline(always)]
    pub(super) fn maximal(self) -> Maximal {
        let mut covered = 0;
        for (target, without) in WITHOUT.iter().enumerate() {
            covered |= (self.0 >> (1 << target)) & without;
        }
        Maximal(self.0 & !covered)
    }
}

/// Masks one by one.
pub(super) struct Maximal(u64);

impl Iterator for Maximal {
    type Item = Mask;

    #[inline(always)]
    fn next(&mut self) -> Option<Mask> {
        if self.0 == 0 {
            return None;
        }
        let mask = self.0.trailing_zeros() as Mask;
        self.0 &= self.0 - 1;
        Some(mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Families of up to three masks, as a function of a number.
    fn some_family(seed: u64) -> Family {
        let bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [58, 40, 20]
            .into_iter()
            .fold(Family::NOTHING, |family, shift| family.or(Family::below((bits >> shift) as Mask & 63)))
    }

    #[test]
    fn products_are_what_they_say() {
        for seed in 0..200 {
            let (a, b) = (some_family(seed), some_family(seed + 1000));
            let mut product = 0u64;
            for x in (0..64).filter(|&x| a.has(x)) {
                for y in (0..64).filter(|&y| b.has(y)) {
                    product |= 1 << (x | y);
                }
            }
            assert_eq!(a.product(b), Family(product));
            assert_eq!(a.completes(b, 63), product >> 63 == 1);
            let full = 0b1_0111;
            assert_eq!(a.within(full).completes(b.within(full), full), Family(product).has(full));
            let rebuilt = a.maximal().fold(Family::NOTHING, |family, mask| family.or(Family::below(mask)));
            assert_eq!(rebuilt, a);
            assert_eq!(a.with(0b10_0001), a.product(Family::below(0b10_0001)));
        }
    }
}
