//! The zone around the enemy king: which squares must be covered in a mate. It stands still while one side moves.

use super::reach;
use crate::board::attacks::{between, bishop_lines, king, line, rook_lines};
use crate::board::men::Board;
use crate::types::{BitBoard, Square};
use arrayvec::ArrayVec;

/// What does not change while the mover's series goes on.
pub(super) struct Zone {
    pub(super) king: Square,
    /// The squares next to the king.
    pub(super) ring: BitBoard,
    /// The squares two steps away: only from here does our own king cover anything in the ring.
    pub(super) rim: BitBoard,
    /// Italian rules: lines on which their king shields ours, if ours goes behind him.
    shields: ArrayVec<Shield, LINED_UP>,
}

/// The most sliders that can stand on a king's lines: 14 squares of rook's lines and 13 of bishop's.
const LINED_UP: usize = 27;

/// A line from one of their sliders through their king.
struct Shield {
    slider: Square,
    /// Between slider and king.
    between: BitBoard,
    /// Beyond the king.
    behind: BitBoard,
    line: BitBoard,
}

impl Zone {
    /// The zone of the opponent's king, if there is one.
    pub(super) fn new(board: &Board, italian: bool) -> Option<Self> {
        let square = board.their_king()?;
        let ring = king(square);
        let rim = reach::king(square, 2) & !ring & !square.bitboard();
        let mut zone = Self { king: square, ring, rim, shields: ArrayVec::new() };
        if italian {
            let sliders = board.straight() & rook_lines(square) | board.diagonal() & bishop_lines(square);
            for slider in sliders & board.them() {
                let line = line(slider, square);
                let behind = line.iter().filter(|&x| between(slider, x).has(square));
                let behind = behind.fold(BitBoard::EMPTY, |set, x| set | x.bitboard());
                if !behind.is_empty() {
                    zone.shields.push(Shield { slider, between: between(slider, square), behind, line });
                }
            }
        }
        Some(zone)
    }

    /// Squares that must be attacked in any mate that is at most `left` moves away: the king's, and those next to him where no
    /// man of his stands now.
    ///
    /// Italian exception: if our king can get behind theirs on an open line of one of their sliders, theirs may not leave that line,
    /// since he would give check by it; then only the squares on the line are needed.
    #[inline]
    pub(super) fn needs(&self, board: &Board, left: u8) -> BitBoard {
        let mut needs = self.ring & !board.them();
        if let (false, Some(our_king)) = (self.shields.is_empty(), board.king()) {
            // Castling takes the king two squares at once, and two men off a line.
            let extra = u8::from(!board.castling().is_empty());
            let near = reach::king(our_king, left + extra);
            // A man of ours leaves with one move; one of theirs is captured with one and the captor leaves with another,
            // but en passant the captor does not even get on the line.
            let cost = if board.targets().is_empty() { 2 } else { 1 };
            for shield in self.shields.iter().filter(|shield| board.them().has(shield.slider)) {
                let ours = (shield.between & board.us()).len();
                let theirs = (shield.between & board.them()).len();
                let opening = ours + cost * theirs;
                if opening <= u32::from(left + extra) && !near.is_disjoint(shield.behind) {
                    needs &= shield.line;
                }
            }
        }
        needs | self.king.bitboard()
    }
}
