//! One move (a *leg* in the protocol): one man goes from a square to another.

use super::{Color, File, Rank, Role, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// A move in 16 bits: from (6), to (6), promotion (3).
///
/// Castling is written as the king's two-square step, en passant as the pawn's diagonal step; the board tells them apart.
/// A move has no color: the squares are White's view in every public interface above the board, and the mover's view
/// inside `board` (see [`Move::seen_by`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Promotion by its three bits. Roles count from 0 = pawn, so the code of a promotion is the number of its role.
const PROMOTIONS: [Option<Role>; 8] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen), Some(Role::King), None, None];

impl Move {
    /// A move without promotion.
    #[inline(always)]
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from as u16 | (to as u16) << 6)
    }

    /// A move that turns its pawn into `role`. A pawn is not something to promote to: it gives a plain move.
    #[inline(always)]
    #[must_use]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        Self(from as u16 | (to as u16) << 6 | (role as u16) << 12)
    }

    /// Where the man comes from.
    #[inline(always)]
    #[must_use]
    pub fn from(self) -> Square {
        // Not `Square::index`: that is a match of 64 arms, here compiled to a jump table (measured: half of a made move).
        Square::ALL[(self.0 & 63) as usize]
    }

    /// Where the man goes (for castling: the king).
    #[inline(always)]
    #[must_use]
    pub fn to(self) -> Square {
        Square::ALL[(self.0 >> 6 & 63) as usize]
    }

    /// What the pawn becomes, if it promotes.
    #[inline(always)]
    #[must_use]
    pub fn promotion(self) -> Option<Role> {
        PROMOTIONS[(self.0 >> 12 & 7) as usize]
    }

    /// The same move with the ranks turned round for Black: White's view to the mover's view and back.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self(self.0 ^ 0o7070),
        }
    }

    /// The 16 bits, for tables.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move of these 16 bits, as [`Move::bits`] gave them.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & 0x7fff)
    }
}

/// The letter of a role, lower case.
#[must_use]
pub const fn role_letter(role: Role) -> char {
    match role {
        Role::Pawn => 'p',
        Role::Knight => 'n',
        Role::Bishop => 'b',
        Role::Rook => 'r',
        Role::Queen => 'q',
        Role::King => 'k',
    }
}

/// The role of a letter, either case.
#[must_use]
pub const fn role_of_letter(letter: char) -> Option<Role> {
    Some(match letter.to_ascii_lowercase() {
        'p' => Role::Pawn,
        'n' => Role::Knight,
        'b' => Role::Bishop,
        'r' => Role::Rook,
        'q' => Role::Queen,
        'k' => Role::King,
        _ => return None,
    })
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In one piece: position lines, journals and PGN hold millions of these.
        let mut text = [0; 5];
        for (at, square) in [self.from(), self.to()].into_iter().enumerate() {
            text[2 * at] = b'a' + square.file() as u8;
            text[2 * at + 1] = b'1' + square.rank() as u8;
        }
        let length = match self.promotion() {
            Some(role) => {
                text[4] = role_letter(role) as u8;
                5
            }
            None => 4,
        };
        // Letters and digits only, so this is never empty.
        f.write_str(str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move: `square square [promotion]`, as in `e2e4`, `e7e8q`, `E7E8Q`, `e7e8=q`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a move; expected two squares and perhaps a promotion, as in e2e4 or e7e8q")]
pub struct MoveSyntax;

impl FromStr for Move {
    type Err = MoveSyntax;

    fn from_str(text: &str) -> Result<Self, MoveSyntax> {
        let (&[from_file, from_rank, to_file, to_rank], rest) =
            text.as_bytes().split_first_chunk().ok_or(MoveSyntax)?;
        let square = |file: u8, rank: u8| -> Result<Square, MoveSyntax> {
            let file = File::try_index(usize::from(file.to_ascii_lowercase().wrapping_sub(b'a')));
            let rank = Rank::try_index(usize::from(rank.wrapping_sub(b'1')));
            file.zip(rank).map(|(file, rank)| Square::new(file, rank)).ok_or(MoveSyntax)
        };
        let (from, to) = (square(from_file, from_rank)?, square(to_file, to_rank)?);
        match rest {
            [] => Ok(Self::new(from, to)),
            [letter] | [b'=', letter] => match role_of_letter(*letter as char) {
                Some(role) if role != Role::Pawn => Ok(Self::promoting(from, to, role)),
                _ => Err(MoveSyntax),
            },
            _ => Err(MoveSyntax),
        }
    }
}

/// No position has more moves, however many men a side has.
///
/// A man has at most 27 destinations (a queen; a pawn that promotes has 3, each at most fivefold), so `n` men have at most `27 n`
/// moves. On the other hand each of the `64 - n` squares without a man of the mover is reached at most from 8 directions, from each
/// by the nearest man only, and from 8 squares by knights; on the last rank 3 of the directions may bring a pawn, which counts four more
/// for its other promotions, so 8 · 3 · 4 = 96 more; and castling adds 2. So there are at most `16 (64 - n) + 98`. The lesser of the two is
/// greatest with 26 men: 702.
pub const MAX_MOVES: usize = 702;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for text in ["e2e4", "a1h8", "e7e8q", "b7a8n", "h2h1k"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        assert_eq!("E7E8Q".parse::<Move>().unwrap().to_string(), "e7e8q");
        assert_eq!("e7e8=q".parse::<Move>().unwrap().to_string(), "e7e8q");
    }

    #[test]
    fn bad_text_is_refused() {
        for text in ["", "e2", "e2e9", "e2e4x", "e2e4p", "e2e4=", "e2e4qq", "é2e4", "e7e8==", "0000"] {
            assert_eq!(text.parse::<Move>(), Err(MoveSyntax), "{text}");
        }
    }

    #[test]
    fn seen_by_black_turns_the_ranks() {
        let mv: Move = "e7e8q".parse().unwrap();
        assert_eq!(mv.seen_by(Color::Black).to_string(), "e2e1q");
        assert_eq!(mv.seen_by(Color::Black).seen_by(Color::Black), mv);
    }
}
