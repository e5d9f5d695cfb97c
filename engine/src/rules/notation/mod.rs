//! Games as text for people: moves in algebraic notation, and PGN with one number a series.
//!
//! Written: disambiguation against all moves legal in ordinary chess, so that ordinary readers follow; `+` and `#` only on the last
//! move of a series. Read: against the moves legal in the game, and forgiving about form. No input makes anything here panic,
//! and the time to read a text grows with its length alone.

pub mod movetext;
pub mod pgn;
pub mod san;
mod san_text;
