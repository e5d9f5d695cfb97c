//! Squares that a man can reach on an empty board in so many moves.

use crate::types::{BitBoard, Square};

/// By number of moves, then square.
type Table<const N: usize> = [[u64; 64]; N];

const fn step(square: i32, file: i32, rank: i32) -> u64 {
    let (file, rank) = (square % 8 + file, square / 8 + rank);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaps(steps: &[(i32, i32); 8]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            table[square] |= step(square as i32, steps[i].0, steps[i].1);
            i += 1;
        }
        square += 1;
    }
    table
}

const fn repeated<const N: usize>(once: [u64; 64]) -> Table<N> {
    let mut table = [[0; 64]; N];
    let mut square = 0;
    while square < 64 {
        table[0][square] = 1 << square;
        let mut moves = 1;
        while moves < N {
            let mut reached: u64 = table[moves - 1][square];
            let mut from = reached;
            while from != 0 {
                reached |= once[from.trailing_zeros() as usize];
                from &= from - 1;
            }
            table[moves][square] = reached;
            moves += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: Table<7> = repeated(leaps(&[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]));
static KING: Table<8> = repeated(leaps(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]));

/// Squares a knight reaches in at most `moves` moves; six reach everything.
#[inline(always)]
pub(super) fn knight(square: Square, moves: u8) -> BitBoard {
    BitBoard(KNIGHT[(moves as usize).min(6)][square as usize])
}

/// Squares a king reaches in at most `moves` moves; seven reach everything.
#[inline(always)]
pub(super) fn king(square: Square, moves: u8) -> BitBoard {
    BitBoard(KING[(moves as usize).min(7)][square as usize])
}

/// The squares of the same color as `square`: all a bishop ever reaches.
#[inline(always)]
pub(super) const fn same_color(square: Square) -> BitBoard {
    let light = 0x55aa_55aa_55aa_55aa;
    BitBoard(if light >> square as u8 & 1 == 1 { light } else { !light })
}
