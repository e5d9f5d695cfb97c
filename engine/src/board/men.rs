//! The placement of the men. Only this file places or lifts a man or changes a right.

use super::attacks::{
    RANK_1, RANK_4, RANK_6, RANK_8, bishop, down_east, down_west, king, knight, pawn_down, pawn_up, rook, up, up_east,
    up_west,
};
use super::key;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role, Square};
use std::fmt;

/// Men on squares, seen by the mover: his pawns walk up the board, his first rank is rank 1.
///
/// `rights` keeps one bit for each right that is not visible in the placement; the four kinds lie on different ranks:
/// rooks that may still castle (ranks 1 and 8), the opponent's en passant targets, that is crossed squares (rank 6), and the mover's own
/// pawns that made a double step in this series (rank 4). Of the last two only those are kept that an enemy pawn can
/// pseudo-legally use (or could, once the crossed square is empty), so that equal positions have equal keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    roles: [BitBoard; 6],
    us: BitBoard,
    them: BitBoard,
    rights: BitBoard,
}

/// Roles by number; the last two are never asked for and spare a bounds check.
static ROLES: [Role; 8] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King, Role::King, Role::King];

/// For each role: all bits at its own place, none elsewhere.
static ONLY: [[u64; Role::NUM]; Role::NUM] = {
    let mut only = [[0; Role::NUM]; Role::NUM];
    let mut role = 0;
    while role < Role::NUM {
        only[role][role] = u64::MAX;
        role += 1;
    }
    only
};

impl Board {
    /// A board without men and rights.
    pub const EMPTY: Self =
        Self { roles: [BitBoard::EMPTY; 6], us: BitBoard::EMPTY, them: BitBoard::EMPTY, rights: BitBoard::EMPTY };

    /// The mover's men.
    #[inline(always)]
    #[must_use]
    pub const fn us(&self) -> BitBoard {
        self.us
    }

    /// The opponent's men.
    #[inline(always)]
    #[must_use]
    pub const fn them(&self) -> BitBoard {
        self.them
    }

    /// All men.
    #[inline(always)]
    #[must_use]
    pub const fn occupied(&self) -> BitBoard {
        BitBoard(self.us.0 | self.them.0)
    }

    /// All men of a role, of both sides.
    #[inline(always)]
    #[must_use]
    pub const fn role(&self, role: Role) -> BitBoard {
        self.roles[role as usize]
    }

    /// The mover's men of a role.
    #[inline(always)]
    #[must_use]
    pub const fn ours(&self, role: Role) -> BitBoard {
        BitBoard(self.roles[role as usize].0 & self.us.0)
    }

    /// The opponent's men of a role.
    #[inline(always)]
    #[must_use]
    pub const fn theirs(&self, role: Role) -> BitBoard {
        BitBoard(self.roles[role as usize].0 & self.them.0)
    }

    /// Bishops and queens of both sides.
    #[inline(always)]
    #[must_use]
    pub const fn diagonal(&self) -> BitBoard {
        BitBoard(self.roles[Role::Bishop as usize].0 | self.roles[Role::Queen as usize].0)
    }

    /// Rooks and queens of both sides.
    #[inline(always)]
    #[must_use]
    pub const fn straight(&self) -> BitBoard {
        BitBoard(self.roles[Role::Rook as usize].0 | self.roles[Role::Queen as usize].0)
    }

    /// All rights; see the type.
    #[inline(always)]
    #[must_use]
    pub const fn rights(&self) -> BitBoard {
        self.rights
    }

    /// Home squares of the mover's rooks that may still castle.
    #[inline(always)]
    #[must_use]
    pub const fn castling(&self) -> BitBoard {
        BitBoard(self.rights.0 & RANK_1.0)
    }

    /// Home squares of the opponent's rooks that may still castle.
    #[inline(always)]
    #[must_use]
    pub const fn castling_theirs(&self) -> BitBoard {
        BitBoard(self.rights.0 & RANK_8.0)
    }

    /// Squares on which the mover may now capture en passant.
    #[inline(always)]
    #[must_use]
    pub const fn targets(&self) -> BitBoard {
        BitBoard(self.rights.0 & RANK_6.0)
    }

    /// The mover's pawns that the opponent may capture en passant if the crossed square is empty at the end of the series.
    #[inline(always)]
    #[must_use]
    pub const fn doubled(&self) -> BitBoard {
        BitBoard(self.rights.0 & RANK_4.0)
    }

    /// The key of men and rights in the mover's view, worked out anew each time. It knows neither turn nor quota.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles.map(|set| set.0);
        // The opponent's men are those of the roles that are not the mover's.
        key::of([pawns, knights, bishops, rooks, queens, kings, self.us.0, self.rights.0])
    }

    /// The mover's king, the first of several, or `None` without one (take-all).
    #[inline(always)]
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        self.ours(Role::King).first()
    }

    /// The opponent's king, the first of several, or `None` without one (take-all).
    #[inline(always)]
    #[must_use]
    pub fn their_king(&self) -> Option<Square> {
        self.theirs(Role::King).first()
    }

    /// The role of the man on an occupied square; on an empty square the answer is `Pawn`.
    #[inline(always)]
    #[must_use]
    pub fn role_at_unchecked(&self, square: Square) -> Role {
        // Without branches: which man stands somewhere is unpredictable, and this is asked for every move made.
        let on = |role: Role| (self.roles[role as usize].0 >> square as u32 & 1) as usize;
        let odd = on(Role::Knight) | on(Role::Rook) | on(Role::King);
        let two = on(Role::Bishop) | on(Role::Rook);
        let four = on(Role::Queen) | on(Role::King);
        ROLES[odd | two << 1 | four << 2]
    }

    /// The role of the man on a square, if there is one.
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.occupied().has(square).then(|| self.role_at_unchecked(square))
    }

    /// Places one of the mover's men on an empty square, or lifts it from there.
    #[inline(always)]
    pub fn toggle_ours(&mut self, role: Role, square: Square) {
        let bit = square.bitboard();
        self.roles[role as usize] ^= bit;
        self.us ^= bit;
    }

    /// Places one of the opponent's men on an empty square, or lifts it from there.
    #[inline(always)]
    pub fn toggle_theirs(&mut self, role: Role, square: Square) {
        let bit = square.bitboard();
        self.roles[role as usize] ^= bit;
        self.them ^= bit;
    }

    /// Takes the mover's man of `role` from `from` and puts it on `to` as `new_role`; an opponent's man there is captured and
    /// its role returned.
    ///
    /// All six sets are rewritten by masks instead of two by index: small stores read back as one wide load would stall, and
    /// that costs more than the arithmetic (measured: half the time of a made move).
    #[inline(always)]
    pub fn shift(&mut self, role: Role, from: Square, new_role: Role, to: Square) -> Option<Role> {
        let (from_bit, to_bit) = (from.bitboard().0, to.bitboard().0);
        let captured = self.them.has(to).then(|| self.role_at_unchecked(to));
        let (lift, place) = (&ONLY[role as usize], &ONLY[new_role as usize]);
        for number in 0..Role::NUM {
            let set = &mut self.roles[number].0;
            *set = *set & !to_bit ^ from_bit & lift[number] | to_bit & place[number];
        }
        self.us.0 ^= from_bit | to_bit;
        self.them.0 &= !to_bit;
        captured
    }

    /// Takes the mover's man of `role` from `from` and puts it on `to`; an opponent's man there is captured. Says whether there was one.
    ///
    /// Unlike [`Board::shift`] this is meant for a role that the compiler knows, so that one set is changed and five are copied.
    #[inline(always)]
    pub fn step(&mut self, role: Role, from: Square, to: Square) -> bool {
        let (from_bit, to_bit) = (from.bitboard().0, to.bitboard().0);
        let captures = self.them.has(to);
        if captures {
            for set in &mut self.roles {
                set.0 &= !to_bit;
            }
            self.them.0 &= !to_bit;
        }
        self.roles[role as usize].0 ^= from_bit | to_bit;
        self.us.0 ^= from_bit | to_bit;
        captures
    }

    /// Sets all rights at once.
    #[inline(always)]
    pub fn set_rights(&mut self, rights: BitBoard) {
        self.rights = rights;
    }

    /// The board as the opponent sees it after this series: his turn, his pawns walk up.
    ///
    /// The mover's double steps become en passant targets where the crossed square is empty; unused targets are gone.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |set: BitBoard| BitBoard(set.0.swap_bytes());
        let mut board =
            Self { roles: self.roles.map(flip), us: flip(self.them), them: flip(self.us), rights: BitBoard::EMPTY };
        let castling = flip(self.rights & (RANK_1 | RANK_8));
        let crossed = up(flip(self.doubled())) & !board.occupied() & board.pawn_attacks();
        board.rights = castling | crossed;
        board
    }

    /// All squares that the mover's pawns attack.
    #[inline(always)]
    #[must_use]
    pub const fn pawn_attacks(&self) -> BitBoard {
        let pawns = self.ours(Role::Pawn);
        BitBoard(up_west(pawns).0 | up_east(pawns).0)
    }

    /// All squares that the opponent's men attack when the board is `occupied` so.
    #[inline]
    #[must_use]
    pub fn their_attacks(&self, occupied: BitBoard) -> BitBoard {
        let pawns = self.theirs(Role::Pawn);
        let mut attacked = down_west(pawns) | down_east(pawns);
        for square in self.theirs(Role::King).squares() {
            attacked |= king(square);
        }
        for square in self.theirs(Role::Knight).squares() {
            attacked |= knight(square);
        }
        for square in (self.diagonal() & self.them).squares() {
            attacked |= bishop(square, occupied);
        }
        for square in (self.straight() & self.them).squares() {
            attacked |= rook(square, occupied);
        }
        attacked
    }

    /// The mover's men that attack `square` when the board is `occupied` so.
    #[inline(always)]
    #[must_use]
    pub fn our_attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        (pawn_down(square) & self.role(Role::Pawn) | self.other_attackers(square, occupied)) & self.us
    }

    /// The opponent's men that attack `square` when the board is `occupied` so.
    #[inline(always)]
    #[must_use]
    pub fn their_attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        (pawn_up(square) & self.role(Role::Pawn) | self.other_attackers(square, occupied)) & self.them
    }

    /// Attackers of both sides, pawns apart.
    #[inline(always)]
    fn other_attackers(&self, square: Square, occupied: BitBoard) -> BitBoard {
        knight(square) & self.role(Role::Knight)
            | king(square) & self.role(Role::King)
            | rook(square, occupied) & self.straight()
            | bishop(square, occupied) & self.diagonal()
    }

    /// Whether the mover's king is attacked. False without a king.
    #[inline(always)]
    #[must_use]
    pub fn is_in_check(&self) -> bool {
        self.king().is_some_and(|king| !self.their_attackers(king, self.occupied()).is_empty())
    }

    /// Whether the opponent's king is attacked. False without a king.
    #[inline(always)]
    #[must_use]
    pub fn gives_check(&self) -> bool {
        self.their_king().is_some_and(|king| !self.our_attackers(king, self.occupied()).is_empty())
    }
}

impl fmt::Debug for Board {
    /// Eight lines, the mover's men in capitals, his first rank at the bottom.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::types::moves::role_letter;
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::index(rank * 8 + file);
                let letter = match self.role_at(square) {
                    None => '.',
                    Some(role) if self.us.has(square) => role_letter(role).to_ascii_uppercase(),
                    Some(role) => role_letter(role),
                };
                write!(f, "{letter}")?;
            }
            writeln!(f)?;
        }
        write!(f, "rights {:?}", self.rights)
    }
}
