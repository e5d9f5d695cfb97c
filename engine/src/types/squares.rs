//! The squares of a set, one by one.

use super::{BitBoard, Square};

/// Walks over a [`BitBoard`] without jump tables.
///
/// `BitBoard`'s own iterator and `next_square` go from a number to a [`Square`] by a match of 64 arms. The compiler often turns
/// that into a jump table, which is mispredicted at nearly every square; a load from [`Square::ALL`] is not.
pub trait Squares: Copy {
    /// All squares of the set, a1 first.
    fn squares(self) -> SquareIter;

    /// The first square of the set, a1 before h8.
    fn first(self) -> Option<Square>;
}

impl Squares for BitBoard {
    #[inline(always)]
    fn squares(self) -> SquareIter {
        SquareIter(self.0)
    }

    #[inline(always)]
    fn first(self) -> Option<Square> {
        SquareIter(self.0).next()
    }
}

/// The squares that are left of a set.
#[derive(Clone, Debug)]
pub struct SquareIter(u64);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::ALL[(self.0.trailing_zeros() & 63) as usize];
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SquareIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_squares_as_the_library() {
        let mut bits = 1u64;
        for _ in 0..200 {
            bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7) & bits.rotate_right(11) | 1 << (bits % 64);
            let set = BitBoard(bits);
            assert!(set.squares().eq(set));
            assert_eq!(set.squares().len(), set.len() as usize);
            assert_eq!(set.first(), set.next_square());
        }
        assert_eq!(BitBoard::EMPTY.first(), None);
        assert!(BitBoard::FULL.squares().eq(Square::ALL));
    }
}
