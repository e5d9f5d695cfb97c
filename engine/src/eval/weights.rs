//! What the terms of the static score are worth.

use super::terms::Side;

/// What one of each term is worth to the side that has it, in hundredths of a pawn. It is not the same for both: one has just moved, the other
/// is about to, with one move more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// To the side that has just completed its series.
    pub ours: Side,
    /// To the side that is about to answer.
    pub theirs: Side,
}

impl Weights {
    /// Weights chosen by hand. All levels below full strength judge by them, and so does full strength where nothing has been fitted: do not change
    /// them, for the levels' measured strength rests on them.
    //                                P    N    B    R    Q     K  advance, promotion, flights, check
    pub const CLASSIC: Self = Self {
        ours: [110, 340, 360, 560, 1120, 280, 6, 30, 8, 40],
        theirs: [110, 340, 360, 560, 1120, 280, 3, 60, 0, 0],
    };
}
