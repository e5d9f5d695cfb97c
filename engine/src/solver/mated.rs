//! Is the opponent mated? Answered in the mover's view, without turning the board round.
//!
//! Asked after every last move of the search, so it must be fast, and it is exact: en passant parries, Italian mates and
//! promotions that parry are seen. With Circe captures a parry can put one of the mover's men back on the board; there the board
//! is turned round and the moves are generated.

use crate::board::attacks::{RANK_1, beside, between, bishop, down, king, knight, pawn_up, rook, up};
use crate::board::generate::Checks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role, Square};

/// Whether the opponent, whose turn begins after this move, is in check and has no legal first move.
///
/// `italian`: a parry that gives check itself is not legal. That is so in every turn but the first of the game, since only the last
/// move of a quota may give check; and the first turn is nobody's reply.
#[inline]
#[must_use]
pub fn is_mate(board: &Board, terms: &Terms, italian: bool) -> bool {
    let (Some(their_king), Some(our_king)) = (board.their_king(), board.king()) else { return false };
    let checkers = board.our_attackers(their_king, board.occupied());
    if checkers.is_empty() {
        return false;
    }
    if terms.rebirth {
        let checks = if italian { Checks::Without } else { Checks::Any };
        return board.flipped().count_moves(terms, checks, BitBoard::FULL) == 0;
    }
    let reply = Reply { board, terms, italian, their_king, our_king };
    !reply.king_escapes() && (checkers.len() > 1 || !reply.has_parry(checkers))
}

/// The opponent's first move, in the mover's view.
struct Reply<'a> {
    board: &'a Board,
    terms: &'a Terms,
    italian: bool,
    their_king: Square,
    our_king: Square,
}

impl Reply<'_> {
    fn king_escapes(&self) -> bool {
        let without_king = self.board.occupied() ^ self.their_king.bitboard();
        for to in (king(self.their_king) & !self.board.them()).squares() {
            if self.board.our_attackers(to, without_king).is_empty()
                && !(self.italian && self.opens_line(without_king | to.bitboard()))
            {
                return true;
            }
        }
        false
    }

    /// Whether one of their sliders attacks our king when the board is `occupied` so.
    fn opens_line(&self, occupied: BitBoard) -> bool {
        let straight = self.board.straight() & occupied & self.board.them();
        let diagonal = self.board.diagonal() & occupied & self.board.them();
        !(rook(self.our_king, occupied) & straight | bishop(self.our_king, occupied) & diagonal).is_empty()
    }

    /// Whether another man than the king can end the single check.
    ///
    /// A double check is never parried so: one move cannot close two lines, and en passant cannot take one checker and
    /// close the line of another, since no line leads from the pawn's start through the crossed square to a king it attacks.
    #[inline(never)]
    fn has_parry(&self, checkers: BitBoard) -> bool {
        let board = self.board;
        let Some(checker) = checkers.first() else { return false };
        let men = board.them() ^ self.their_king.bitboard();
        // 1. Taking the checker.
        for from in (board.their_attackers(checker, board.occupied()) & men).squares() {
            if self.holds(from, checker, checkers) {
                return true;
            }
        }
        // 2. Taking en passant, whether the pawn gives check or the crossed square closes the line.
        for doubled in board.doubled().squares() {
            let crossed = down(doubled.bitboard());
            if !crossed.is_disjoint(board.occupied()) {
                continue;
            }
            let Some(crossed) = crossed.first() else { continue };
            for from in (beside(doubled.bitboard()) & board.theirs(Role::Pawn)).squares() {
                if self.holds(from, crossed, doubled.bitboard()) {
                    return true;
                }
            }
        }
        // 3. Stepping in between; nothing lies between a king and a knight or pawn that attacks it.
        for to in between(checker, self.their_king).squares() {
            let pieces = board.their_attackers(to, board.occupied()) & men & !board.role(Role::Pawn);
            for from in (pieces | self.pawns_stepping_to(to)).squares() {
                if self.holds(from, to, BitBoard::EMPTY) {
                    return true;
                }
            }
        }
        false
    }

    /// Their pawns that can step to an empty square.
    fn pawns_stepping_to(&self, to: Square) -> BitBoard {
        let pawns = self.board.theirs(Role::Pawn);
        let one = up(to.bitboard());
        let start = BitBoard(self.terms.double_step.0.swap_bytes());
        let two = up(one & !self.board.occupied()) & start;
        (one | two) & pawns
    }

    /// Whether their man's move is a legal parry: their king is safe after it, and ours too if it must be.
    fn holds(&self, from: Square, to: Square, captured: BitBoard) -> bool {
        let board = self.board;
        let occupied = (board.occupied() & !(from.bitboard() | captured)) | to.bitboard();
        if !(board.our_attackers(self.their_king, occupied) & !captured).is_empty() {
            return false;
        }
        if !self.italian {
            return true;
        }
        let role = board.role_at_unchecked(from);
        // Of the four promotions one never checks: bishop and rook do not attack the same square.
        let checks = match role {
            Role::Pawn => !RANK_1.has(to) && pawn_up(self.our_king).has(to),
            Role::Knight => knight(self.our_king).has(to),
            Role::Bishop => bishop(to, occupied).has(self.our_king),
            Role::Rook => rook(to, occupied).has(self.our_king),
            Role::Queen => (bishop(to, occupied) | rook(to, occupied)).has(self.our_king),
            Role::King => false,
        };
        // What moved is no slider on `from` any more, since `from` is empty in `occupied`; on `to` it blocks.
        !checks && !self.opens_line(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{fen, setup::Strictness, table::Rules};

    /// The mated side's turn, seen by the other as he ends his series.
    fn mated(rules: &str, text: &str) -> bool {
        let rules = Rules::by_name(rules).unwrap();
        let now = fen::read(text, rules, Strictness::Lenient).unwrap().0.midturn();
        is_mate(&now.board().flipped(), now.terms(), rules.is_italian())
    }

    #[test]
    fn a_captor_that_blocks_its_own_queen_parries() {
        // The knight takes on f7 and keeps the queen's line to f1 closed; the queen's capture would give check.
        assert!(!mated("italian", "4rqk1/5Q2/2p1P1pb/p2N2np/PPP3n1/1R6/NB1P2BP/3R1K2 b - - 0 14"));
        assert!(mated("italian", "4rqk1/5Q2/2p1P1pb/p2N3p/PPP3n1/1R6/NB1P2BP/3R1K2 b - - 0 14"));
        assert!(!mated("scottish", "4rqk1/5Q2/2p1P1pb/p2N3p/PPP3n1/1R6/NB1P2BP/3R1K2 b - - 0 14"));
    }
}
