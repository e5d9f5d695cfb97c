//! One question cut into pieces, so that several threads can work on it at the same time.
//!
//! The pieces are the positions two moves ahead, the most promising first. They share a seen-table, so a position that two pieces lead
//! to is searched once. If no piece holds a mate, there is none, whoever worked on which; which of several mates is
//! found depends on who came first.

use super::shared::SharedTable;
use super::solve::Tricks;
use super::verdict::{Answer, Grade, Limit, Limits, MAX_LEFT, Verdict};
use super::walk::{Node, Seen, Walk};
use crate::rules::midturn::Midturn;
use crate::types::moves::Move;
use arrayvec::ArrayVec;
use std::collections::TryReserveError;
use std::ops::Range;

/// With fewer moves a question is one piece.
const LEAST_TO_CUT: u8 = 6;

/// A question and the table that all who work on it share.
pub struct SharedQuestion {
    midturn: Midturn,
    table: SharedTable,
}

/// Some moves of the mover, with the question whether a mate follows.
pub struct Piece {
    node: Node,
    left: u8,
    path: ArrayVec<Move, { MAX_LEFT as usize }>,
    /// The lower, the more promising.
    rank: i32,
}

impl SharedQuestion {
    /// Can the mover mate with what is left of this turn? The table takes about `table_bytes` at once.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(midturn: &Midturn, table_bytes: usize, grade: Grade) -> Result<Self, TryReserveError> {
        Ok(Self { midturn: *midturn, table: SharedTable::new(table_bytes, grade)? })
    }

    /// The lengths a mating series can have, to be asked one after the other.
    #[must_use]
    pub fn lengths(&self) -> Range<u8> {
        if self.midturn.rules().has_mate() { self.walk(&Limits::default()).lengths(&self.midturn) } else { 0..0 }
    }

    /// The pieces of the question for a mate in exactly `length` moves, the most promising first, and the moves made for it.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn cut(&self, length: u8, limits: &Limits<'_>) -> Result<(Vec<Piece>, u64), Limit> {
        let mut walk = self.walk(limits);
        let whole = Piece { node: Node::of(&self.midturn), left: length, path: ArrayVec::new(), rank: 0 };
        if walk.is_hopeless(&whole.node, length) {
            return Ok((Vec::new(), 0));
        }
        let mut pieces = vec![whole];
        if length >= LEAST_TO_CUT {
            for _ in 0..2 {
                let mut finer = Vec::new();
                for piece in pieces {
                    for (rank, mv, node) in walk.promising(&piece.node, piece.left)? {
                        let mut path = piece.path.clone();
                        path.push(mv);
                        finer.push(Piece { node, left: piece.left - 1, path, rank });
                    }
                }
                pieces = finer;
            }
            pieces.sort_by_key(|piece| piece.rank);
        }
        Ok((pieces, walk.nodes()))
    }

    /// Works on one piece. A mate is the whole series from the question on.
    #[must_use]
    pub fn solve(&self, piece: &Piece, limits: &Limits<'_>) -> Answer {
        let mut walk = self.walk(limits);
        let verdict = match walk.below(&piece.node, piece.left) {
            Ok(true) => {
                let moves = piece.path.iter().chain(walk.path().iter());
                Verdict::Mate(moves.map(|mv| mv.seen_by(self.midturn.color())).collect())
            }
            Ok(false) => Verdict::NoMate,
            Err(limit) => Verdict::Unknown(limit),
        };
        Answer { verdict, nodes: walk.nodes() }
    }

    fn walk<'a>(&'a self, limits: &'a Limits<'a>) -> Walk<'a> {
        Walk::new(Seen::Shared(&self.table), &self.midturn, limits, Tricks::default())
    }
}
