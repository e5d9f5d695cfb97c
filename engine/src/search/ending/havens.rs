//! Squares on which a lone king is safe for ever from a rook, and in its even turns from two knights.
//!
//! **Claim.** From turn 8 on, let one side have the king alone, and the other king and rook; or Black the king alone, and White king and two knights. If the
//! lone king stands on a square of [`ROOK`], or [`KNIGHTS`], and the other side is to move, that side cannot win, whatever it plays and however
//! long its turns are.
//!
//! **Proof.** A set H of squares is *kept* for turns of `n` moves, if for every square h of H and **every** placement of the other side's men (its king not
//! beside h), with the lone king on h and to move:
//!
//! 1. it is not mated: h is not attacked, or some square beside it is free; and
//! 2. it can capture an unprotected man on its way (what is left is bare material, a draw at once), or all its ways run into stalemate (a draw), or one of
//!    its ways of exactly `n` moves ends on a square of H.
//!
//! While the lone king moves the others stand still, so the squares they attack (with the king taken off the board) never change, and its ways are
//! walks through the squares not attacked. If H is kept, the lone king comes back to H in each of its turns, so by 1 it is never mated: the game is
//! drawn in the end, by the ten turns at the latest. A lone king gives no check, so the check rules do not differ here.
//!
//! What is kept for `n` moves, n ≥ 2, is kept for n + 2: the last move of a walk can be taken back and made again, since the square before the
//! last was entered by a move of the walk and is not attacked. So the greatest set kept for 8 moves holds for all even turns from 8 on, that for 9 moves
//! for all odd ones. The test at the end of this file computes them: for a rook both are the same. For 9 moves against two knights it is empty, since two
//! squares suffice to cage a king and an odd number of moves ends on the wrong one; for bishop and knight, and for a queen, it is empty for both.

use crate::board::attacks::king;
use crate::board::men::Board;
use crate::rules::position::Position;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role};

/// The greatest set kept against a rook: all squares but the edge.
const ROOK: BitBoard = BitBoard(0x007e_7e7e_7e7e_7e00);
/// The greatest set kept against two knights for 8 moves: all squares but the corners and the four in the middle of each edge.
const KNIGHTS: BitBoard = BitBoard(0x42ff_7e7e_7e7e_ff42);

/// The havens of a lone king of so many men against these others in a turn; empty if nothing is known of them.
fn havens(board: &Board, alone: BitBoard, others: BitBoard, turn: u16) -> BitBoard {
    let count = |role| (others & board.role(role)).len();
    match (alone.len(), others.len()) {
        (1, 2) if count(Role::Rook) == 1 => ROOK,
        (1, 3) if count(Role::Knight) == 2 && turn.is_multiple_of(2) => KNIGHTS,
        _ => BitBoard::EMPTY,
    }
}

/// Whether the opponent, not to move, is a lone king on a haven: the mover cannot win.
pub(super) fn opponent_is_on_one(position: &Position) -> bool {
    let board = position.board();
    !(havens(board, board.them(), board.us(), position.turn().next().number()) & board.them()).is_empty()
}

/// Whether the mover is a lone king that can end this turn on a haven, win a man, or be stalemated on the way: it cannot lose.
pub(super) fn mover_reaches_one(position: &Position) -> bool {
    let board = position.board();
    let havens = havens(board, board.us(), board.them(), position.turn().number());
    !havens.is_empty() && escapes(board.us(), board.them(), board.their_attacks(board.them()), position.quota(), havens)
}

/// Whether a lone king that starts from `from` captures a man, is stalemated, or gets to `havens` with exactly so many moves. In the last case the first
/// move must exist: a mate is no stalemate.
fn escapes(from: BitBoard, men: BitBoard, attacked: BitBoard, moves: u8, havens: BitBoard) -> bool {
    let mut now = from;
    for done in 0..moves {
        let next = now.squares().fold(BitBoard::EMPTY, |set, square| set | king(square)) & !attacked;
        if !(next & men).is_empty() {
            return true;
        }
        if next.is_empty() {
            return done > 0 || (from & attacked).is_empty();
        }
        now = next;
    }
    !(now & havens).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacks::{RANK_1, RANK_8, bishop, knight, pawn_down, rook};
    use crate::types::Square;

    /// What the lone king sees attacked by a man of the other side, which is Black to it.
    fn attacks(role: Role, from: Square, men: BitBoard) -> BitBoard {
        match role {
            Role::Pawn => pawn_down(from),
            Role::Knight => knight(from),
            Role::Bishop => bishop(from, men),
            Role::Rook => rook(from, men),
            Role::Queen => bishop(from, men) | rook(from, men),
            Role::King => king(from),
        }
    }

    /// Whether the lone king on `home` is safe from every placement of these men beside a king, for turns of so many moves, as far as `kept` goes.
    fn is_kept(home: Square, roles: &[Role], moves: u8, kept: BitBoard) -> bool {
        let far = !(king(home) | home.bitboard());
        far.squares().all(|k| place(home, roles, moves, kept, &mut vec![(Role::King, k)]))
    }

    /// The same with some men placed already.
    fn place(home: Square, roles: &[Role], moves: u8, kept: BitBoard, placed: &mut Vec<(Role, Square)>) -> bool {
        let men = placed.iter().fold(BitBoard::EMPTY, |set, (_, square)| set | square.bitboard());
        let Some((&role, rest)) = roles.split_first() else {
            let attacked = placed.iter().fold(BitBoard::EMPTY, |set, &(role, from)| set | attacks(role, from, men));
            return escapes(home.bitboard(), men, attacked, moves, kept);
        };
        let mut free = !(men | home.bitboard());
        if role == Role::Pawn {
            free &= !(RANK_1 | RANK_8);
        }
        // Two men of a kind the other way round are the same.
        let (_, last) = placed[placed.len() - 1];
        let is_same = placed[placed.len() - 1].0 == role;
        free.squares().filter(|&square| !is_same || square > last).all(|square| {
            placed.push((role, square));
            let is_kept = place(home, rest, moves, kept, placed);
            placed.pop();
            is_kept
        })
    }

    /// The greatest set that is kept against each of these sets of men.
    fn greatest(kinds: &[&[Role]], moves: u8) -> BitBoard {
        let mut kept = BitBoard::FULL;
        loop {
            // Left and right are alike, whoever moves which way.
            let half = (0..64).map(Square::index).filter(|&square| (square as usize) % 8 < 4 && kept.has(square));
            let lost = half.filter(|&square| !kinds.iter().all(|roles| is_kept(square, roles, moves, kept)));
            let less = lost.fold(kept, |set, square| set & !(square.bitboard() | square.flip_file().bitboard()));
            if less == kept {
                return kept;
            }
            kept = less;
        }
    }

    #[test]
    fn the_havens_are_the_greatest_kept_sets() {
        assert_eq!([8, 9].map(|moves| greatest(&[&[Role::Rook]], moves)), [ROOK, ROOK]);
        assert_eq!([8, 9].map(|moves| greatest(&[&[Role::Queen]], moves)), [BitBoard::EMPTY; 2]);
        assert_eq!(greatest(&[&[Role::Knight, Role::Knight]], 8), KNIGHTS);
        assert_eq!(greatest(&[&[Role::Knight, Role::Knight]], 9), BitBoard::EMPTY);
    }
}
