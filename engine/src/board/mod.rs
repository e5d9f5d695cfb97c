//! Floor 1: men on squares, made for one side that moves many times in a row.
//!
//! A [`men::Board`] is always seen by the mover: his men are *us* and his pawns walk up the board. It knows no turn, no quota
//! and no rule set; what it must know of a rule set comes as [`terms::Terms`]. Passing the move is [`men::Board::flipped`].

pub mod attacks;
pub mod generate;
mod key;
pub mod legal;
pub mod men;
pub mod play;
pub mod terms;
