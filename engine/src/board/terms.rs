//! What the board must know of a rule set: the row of the rule table, lowered to data once.

use super::attacks::RANK_2;
use crate::types::BitBoard;

/// The terms on which men move. Castling is not here: where it is not allowed, the position simply has no rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Squares from which a pawn may step two (the mover's view): his second rank, or none.
    pub double_step: BitBoard,
    /// Whether a double step may be answered en passant.
    pub en_passant: bool,
    /// Whether the other targets stay after an en passant capture.
    pub targets_stay: bool,
    /// Whether the king is royal: never left attacked, and never captured.
    pub royal: bool,
    /// Whether captured men are reborn on their home squares.
    pub rebirth: bool,
}

impl Terms {
    /// The terms of ordinary chess.
    pub const ORDINARY: Self =
        Self { double_step: RANK_2, en_passant: true, targets_stay: false, royal: true, rebirth: false };
}
