//! Which position to look at first: guesses, used only to find mates sooner.

use super::zone::Zone;
use crate::board::attacks::{bishop, king, knight, rook};
use crate::board::men::Board;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role};

/// The lower, the more it looks like a mate: flights not covered yet, distance of our pieces from their king, their pieces, and
/// how far our foremost pawn has come, the more the more moves were left (`left`, 4 or more, before the move to this position).
///
/// The weights were chosen by the moves made for the 153 mates of `solver.tsv`. Nothing is gained by asking the bound how many moves are
/// needed; small changes make little difference.
pub(super) fn distance(zone: &Zone, board: &Board, left: u8) -> i32 {
    let occupied = board.occupied() & !zone.king.bitboard();
    let mut covered = board.pawn_attacks();
    let mut steps = 0;
    let mut add = |squares: BitBoard, from: crate::types::Square| {
        covered |= squares;
        let files = (from.file() as i32 - zone.king.file() as i32).abs();
        let ranks = (from.rank() as i32 - zone.king.rank() as i32).abs();
        steps += files.max(ranks);
    };
    for from in board.ours(Role::Queen).squares() {
        add(bishop(from, occupied) | rook(from, occupied), from);
    }
    for from in board.ours(Role::Rook).squares() {
        add(rook(from, occupied), from);
    }
    for from in board.ours(Role::Bishop).squares() {
        add(bishop(from, occupied), from);
    }
    for from in board.ours(Role::Knight).squares() {
        add(knight(from), from);
    }
    for from in board.ours(Role::King).squares() {
        add(king(from), from);
    }
    let flights = (zone.ring & !board.them() & !covered).len() as i32;
    let pieces = (board.them() & !board.role(Role::Pawn)).len() as i32;
    let foremost = board.ours(Role::Pawn).0.checked_ilog2().map_or(0, |square| square as i32 / 8);
    6 * flights + steps + pieces - foremost * i32::from(left - 3).min(4)
}
