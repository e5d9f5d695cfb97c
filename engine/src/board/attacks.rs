//! Attack lookups, all behind this one file; the tables are those of `cozy-chess`.

use crate::types::{BitBoard, Color, Square};

/// Everything on the a-file.
pub const FILE_A: BitBoard = BitBoard(0x0101_0101_0101_0101);
/// Everything on the h-file.
pub const FILE_H: BitBoard = BitBoard(0x8080_8080_8080_8080);
/// The mover's first rank, where his castling rights are kept.
pub const RANK_1: BitBoard = BitBoard(0xff);
/// The mover's second rank, where his pawns start.
pub const RANK_2: BitBoard = BitBoard(0xff00);
/// The rank on which the mover's double steps end.
pub const RANK_4: BitBoard = BitBoard(0xff00_0000);
/// The rank on which the opponent's double steps ended.
pub const RANK_5: BitBoard = BitBoard(0x00ff_0000_0000);
/// The rank of the en passant targets.
pub const RANK_6: BitBoard = BitBoard(0xff00_0000_0000);
/// The rank from which the mover's pawns promote.
pub const RANK_7: BitBoard = BitBoard(0x00ff_0000_0000_0000);
/// The opponent's first rank.
pub const RANK_8: BitBoard = BitBoard(0xff00_0000_0000_0000);

/// Squares a knight on `square` attacks.
#[inline(always)]
#[must_use]
pub fn knight(square: Square) -> BitBoard {
    cozy_chess::get_knight_moves(square)
}

/// Squares a king on `square` attacks.
#[inline(always)]
#[must_use]
pub fn king(square: Square) -> BitBoard {
    cozy_chess::get_king_moves(square)
}

/// Squares a bishop on `square` attacks, up to and including the first man on each line.
#[inline(always)]
#[must_use]
pub fn bishop(square: Square, occupied: BitBoard) -> BitBoard {
    cozy_chess::get_bishop_moves(square, occupied)
}

/// Squares a rook on `square` attacks, up to and including the first man on each line.
#[inline(always)]
#[must_use]
pub fn rook(square: Square, occupied: BitBoard) -> BitBoard {
    cozy_chess::get_rook_moves(square, occupied)
}

/// The bishop's lines from `square` on an empty board.
#[inline(always)]
#[must_use]
pub fn bishop_lines(square: Square) -> BitBoard {
    cozy_chess::get_bishop_rays(square)
}

/// The rook's lines from `square` on an empty board.
#[inline(always)]
#[must_use]
pub fn rook_lines(square: Square) -> BitBoard {
    cozy_chess::get_rook_rays(square)
}

/// Squares the mover's pawn on `square` attacks (up the board).
#[inline(always)]
#[must_use]
pub fn pawn_up(square: Square) -> BitBoard {
    cozy_chess::get_pawn_attacks(square, Color::White)
}

/// Squares the opponent's pawn on `square` attacks (down the board).
#[inline(always)]
#[must_use]
pub fn pawn_down(square: Square) -> BitBoard {
    cozy_chess::get_pawn_attacks(square, Color::Black)
}

/// Squares strictly between two squares of one line; empty if they share none.
#[inline(always)]
#[must_use]
pub fn between(a: Square, b: Square) -> BitBoard {
    cozy_chess::get_between_rays(a, b)
}

/// The whole line through two squares, from edge to edge; empty if they share none.
#[inline(always)]
#[must_use]
pub fn line(a: Square, b: Square) -> BitBoard {
    cozy_chess::get_line_rays(a, b)
}

/// One step up the board for all of `set`.
#[inline(always)]
#[must_use]
pub const fn up(set: BitBoard) -> BitBoard {
    BitBoard(set.0 << 8)
}

/// One step down the board for all of `set`.
#[inline(always)]
#[must_use]
pub const fn down(set: BitBoard) -> BitBoard {
    BitBoard(set.0 >> 8)
}

/// One step up and toward the a-file for all of `set`.
#[inline(always)]
#[must_use]
pub const fn up_west(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !FILE_A.0) << 7)
}

/// One step up and toward the h-file for all of `set`.
#[inline(always)]
#[must_use]
pub const fn up_east(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !FILE_H.0) << 9)
}

/// One step down and toward the a-file for all of `set`.
#[inline(always)]
#[must_use]
pub const fn down_west(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !FILE_A.0) >> 9)
}

/// One step down and toward the h-file for all of `set`.
#[inline(always)]
#[must_use]
pub const fn down_east(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !FILE_H.0) >> 7)
}

/// The left and right neighbors of all of `set`.
#[inline(always)]
#[must_use]
pub const fn beside(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !FILE_A.0) >> 1 | (set.0 & !FILE_H.0) << 1)
}
