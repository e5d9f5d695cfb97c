//! Floor 0, the vocabulary: squares, bitboards, colors and roles (from `cozy-chess`), and our own move, turn, series and score.
//!
//! A *man* is a piece or a pawn; its kind is a [`Role`].

pub mod moves;
pub mod score;
pub mod series;
pub mod squares;
pub mod turn;

pub use cozy_chess::{BitBoard, Color, File, Piece as Role, Rank, Square};
