//! English balance: every mobile man once before any moves again.

use crate::board::generate::Checks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::BitBoard;
use crate::types::moves::Move;

/// The men that have a legal move now, balance apart. A move that would give check is legal in the game that has balance.
fn mobile(board: &Board, terms: &Terms) -> BitBoard {
    let moves = board.moves(terms, Checks::Any, BitBoard::FULL);
    moves.iter().fold(BitBoard::EMPTY, |set, mv| set | mv.from().bitboard())
}

/// The men that may move next: the mobile men not yet marked in this round, or all mobile men if those are marked.
#[must_use]
pub fn due(board: &Board, terms: &Terms, marks: BitBoard) -> BitBoard {
    let mobile = mobile(board, terms);
    let unmarked = mobile & !marks;
    if unmarked.is_empty() { mobile } else { unmarked }
}

/// The marks after `mv`, which is played by one of the men `due` on this board. If he is marked already, the move opens a new
/// round and wipes all marks first.
#[must_use]
pub fn marks_after(board: &Board, mv: Move, marks: BitBoard) -> BitBoard {
    let from = mv.from().bitboard();
    let marks = if marks.is_disjoint(from) { marks } else { BitBoard::EMPTY };
    (marks & !from) | board.moved_to(mv)
}
