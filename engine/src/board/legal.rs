//! Whether one move is legal, and whether some move certainly is, without listing any: what a referee asks at every move.

use super::attacks::{RANK_7, RANK_8, bishop_lines, pawn_down, rook_lines, up};
use super::generate::{Checks, promotions};
use super::men::Board;
use super::terms::Terms;
use crate::types::moves::Move;
use crate::types::{BitBoard, Role};

impl Board {
    /// Whether [`Board::moves`] of all men has this move.
    #[must_use]
    pub fn has_move(&self, terms: &Terms, checks: Checks, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !self.us().has(from) {
            return false;
        }
        if self.is_castling(mv) {
            // Rare, and with conditions of its own.
            return self.moves(terms, checks, from.bitboard()).contains(&mv);
        }
        let role = self.role_at_unchecked(from);
        let promotes = role == Role::Pawn && RANK_8.has(to);
        let is_written_so = match mv.promotion() {
            Some(new) => promotes && promotions(terms).contains(&new),
            None => !promotes && mv == Move::new(from, to),
        };
        if !is_written_so || !self.targets_of(terms, role, from).has(to) {
            return false;
        }
        if !terms.royal {
            return true;
        }
        // A royal king cannot be captured.
        if self.theirs(Role::King).has(to) {
            return false;
        }
        let after = self.after(mv, terms);
        !after.is_in_check()
            && match checks {
                Checks::Any => true,
                Checks::Without => !after.gives_check(),
                Checks::Only => after.gives_check(),
            }
    }

    /// Whether one of `movers` is a pawn with a step that is legal and gives no check, for a mover who is not in check. There may be
    /// such a step even if the answer is no, which takes a few instructions only.
    ///
    /// Why the steps that are found are legal and give no check: a step captures nothing, so all it can do to a king is to lay open a line to him,
    /// for which the pawn must stand on a rook's or a bishop's line through his square, or to attack him from where it arrives. Neither
    /// kind is counted, and no promotion.
    #[must_use]
    pub fn has_plain_step(&self, terms: &Terms, movers: BitBoard) -> bool {
        let mut pawns = self.ours(Role::Pawn) & movers & !RANK_7;
        let mut free = !self.occupied();
        if terms.royal {
            for king in [self.king(), self.their_king()].into_iter().flatten() {
                pawns &= !(rook_lines(king) | bishop_lines(king));
            }
            if let Some(king) = self.their_king() {
                free &= !pawn_down(king);
            }
        }
        !(up(pawns) & free).is_empty()
    }
}
