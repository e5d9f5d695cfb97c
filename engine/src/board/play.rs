//! Playing one move of the mover on the board.

use super::attacks::{RANK_1, RANK_4, RANK_6, RANK_8, beside};
use super::men::Board;
use super::terms::Terms;
use crate::types::moves::Move;
use crate::types::{BitBoard, File, Rank, Role, Square};

impl Board {
    /// The board after `mv` (the mover's view), which must be pseudo-legal here. The mover stays the mover.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, mv: Move, terms: &Terms) -> Self {
        let mut board = *self;
        board.play(mv, terms);
        board
    }

    /// The board after our man of `role` on `from` goes to `to` and captures what stands there: [`Board::after`] for moves that
    /// are no promotion, no castling and no capture en passant, where captured men are not reborn.
    #[inline(always)]
    #[must_use]
    pub fn after_step(&self, role: Role, from: Square, to: Square, terms: &Terms) -> Self {
        let mut board = *self;
        let moved = from.bitboard() | to.bitboard();
        let mut rights = self.rights() & !(moved | RANK_6);
        if board.step(role, from, to) {
            // A pawn that could have taken en passant may be gone.
            rights &= !RANK_4 | beside(board.theirs(Role::Pawn));
        }
        let is_double = role == Role::Pawn && to as usize == from as usize + 16;
        if is_double && terms.en_passant && !beside(to.bitboard()).is_disjoint(self.theirs(Role::Pawn)) {
            rights |= to.bitboard();
        }
        if role == Role::King && from == Square::E1 {
            rights &= !RANK_1;
        }
        // There are rights on their first rank only while their king is at home. Only a king that is not royal can be captured.
        if !terms.royal && to == Square::E8 {
            rights &= !RANK_8;
        }
        board.set_rights(rights);
        board
    }

    /// Plays `mv` (the mover's view), which must be pseudo-legal here.
    #[inline(always)]
    pub fn play(&mut self, mv: Move, terms: &Terms) {
        let (from, to) = (mv.from(), mv.to());
        let role = self.role_at_unchecked(from);
        // 1. Rights go with the men that leave or are captured; unused targets last for one move only.
        let mut rights = self.rights() & !(from.bitboard() | to.bitboard() | RANK_6);
        // 2. The move itself.
        let victim = self.shift(role, from, mv.promotion().unwrap_or(role), to);
        let mut captured = victim.map(|victim| (victim, to));
        // 3. What pawns and kings do besides. (Compared one by one: a jump table would be mispredicted most of the time.)
        if role == Role::Pawn {
            if to as usize == from as usize + 16 {
                if terms.en_passant && !beside(to.bitboard()).is_disjoint(self.theirs(Role::Pawn)) {
                    rights |= to.bitboard();
                }
            } else if captured.is_none() && from.file() != to.file() {
                self.toggle_theirs(Role::Pawn, Square::new(to.file(), from.rank()));
                captured = Some((Role::Pawn, to));
                if terms.targets_stay {
                    rights |= self.targets() & !to.bitboard() & self.pawn_attacks();
                }
            }
        } else if role == Role::King && from == Square::E1 {
            rights &= !RANK_1;
            self.castle_rook(to);
        }
        // 4. What the capture does besides.
        if let Some((victim, square)) = captured {
            if victim == Role::Pawn {
                // A pawn that could have taken en passant may be gone.
                rights &= !RANK_4 | beside(self.theirs(Role::Pawn));
            } else if victim == Role::King && square == Square::E8 {
                rights &= !RANK_8;
            }
            if terms.rebirth {
                self.rebear(victim, square);
            }
        }
        self.set_rights(rights);
    }

    /// Brings the rook over when the king has just gone two squares from e1.
    fn castle_rook(&mut self, king_to: Square) {
        let (rook_from, rook_to) = match king_to {
            Square::G1 => (Square::H1, Square::F1),
            Square::C1 => (Square::A1, Square::D1),
            _ => return,
        };
        self.toggle_ours(Role::Rook, rook_from);
        self.toggle_ours(Role::Rook, rook_to);
    }

    /// Circe: puts the captured man on its home square, if that is empty now; otherwise it is gone.
    fn rebear(&mut self, victim: Role, captured_on: Square) {
        // Home squares have the color of the capture square; turning the ranks changes both colors, so the mover's view will do.
        let light = (captured_on as usize / 8 + captured_on as usize) % 2 == 1;
        let home = match victim {
            Role::Pawn => Square::new(captured_on.file(), Rank::Seventh),
            Role::Queen => Square::D8,
            Role::King => return,
            Role::Rook => Square::new(if light { File::A } else { File::H }, Rank::Eighth),
            Role::Knight => Square::new(if light { File::G } else { File::B }, Rank::Eighth),
            Role::Bishop => Square::new(if light { File::C } else { File::F }, Rank::Eighth),
        };
        if !self.occupied().has(home) {
            self.toggle_theirs(victim, home);
        }
    }

    /// Whether `mv` (pseudo-legal, the mover's view) captures or moves a pawn, so that the quiet turns start anew.
    #[must_use]
    pub fn is_irreversible(&self, mv: Move) -> bool {
        self.them().has(mv.to()) || self.role(Role::Pawn).has(mv.from())
    }

    /// Whether `mv` (pseudo-legal, the mover's view) is a capture, en passant included.
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.them().has(mv.to()) || self.role(Role::Pawn).has(mv.from()) && mv.from().file() != mv.to().file()
    }

    /// The mover's men that `mv` moves, as squares after the move: two when castling.
    #[must_use]
    pub fn moved_to(&self, mv: Move) -> BitBoard {
        let mut moved = mv.to().bitboard();
        if self.is_castling(mv) {
            moved |= if mv.to() == Square::G1 { Square::F1 } else { Square::D1 }.bitboard();
        }
        moved
    }

    /// Whether `mv` (pseudo-legal, the mover's view) is castling.
    #[must_use]
    pub fn is_castling(&self, mv: Move) -> bool {
        mv.from() == Square::E1 && matches!(mv.to(), Square::G1 | Square::C1) && self.role(Role::King).has(Square::E1)
    }
}
