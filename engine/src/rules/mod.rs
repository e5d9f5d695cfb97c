//! Floor 2: the games. [`table`] has one row a rule set; everything else asks the row.
//!
//! The way of a game: [`setup::Setup`] (anything) → [`position::Position`] (between turns) → [`midturn::Midturn`] (inside a
//! turn) → moves → the next `Position`; [`game::Game`] keeps the whole record.
//! Architecture invariant: rules know no score, and nothing here reads or writes a stream.

pub mod balance;
pub mod fen;
pub mod game;
pub mod illegal;
pub mod midturn;
pub mod movelist;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod setup;
pub mod table;
