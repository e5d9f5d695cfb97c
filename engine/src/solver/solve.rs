//! The solver and its walk.

use super::mated::is_mate;
use super::seen::SeenTable;
use super::verdict::{Answer, Limit, Limits, MAX_LEFT, Verdict};
use crate::board::generate::Checks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::rules::balance;
use crate::rules::midturn::Midturn;
use crate::rules::table::Order;
use crate::types::BitBoard;
use crate::types::moves::Move;
use arrayvec::ArrayVec;

/// The solver: a seen-table that is reused from question to question.
pub struct Solver {
    seen: SeenTable,
}

impl Solver {
    /// A solver whose seen-table takes at most about `table_bytes`. It begins with 2 MiB or less, and grows as a question needs it.
    #[must_use]
    pub fn new(table_bytes: usize) -> Self {
        Self { seen: SeenTable::new(table_bytes) }
    }

    /// Whether the mover can mate with what is left of this turn.
    ///
    /// Where only the last move may give check, exactly the moves left are played; where a check ends the series, the series
    /// is the shortest that mates. In take-all there is no mate.
    pub fn solve(&mut self, midturn: &Midturn, limits: &Limits<'_>) -> Answer {
        if !midturn.rules().has_mate() {
            return Answer { verdict: Verdict::NoMate, nodes: 0 };
        }
        self.seen.begin();
        let mut walk = Walk::new(&mut self.seen, midturn, limits);
        let verdict = walk.run(midturn);
        Answer { verdict, nodes: walk.nodes }
    }
}

/// How often the stop hook is asked.
const NODES_BETWEEN_STOPS: u64 = 256;

/// What a position in mid-series is to the walk: the men, and under English balance who has moved in this round.
#[derive(Clone, Copy)]
struct Node {
    board: Board,
    marks: BitBoard,
}

/// One question being worked on.
struct Walk<'a> {
    seen: &'a mut SeenTable,
    limits: &'a Limits<'a>,
    terms: Terms,
    italian: bool,
    balanced: bool,
    nodes: u64,
    /// The moves so far, the mover's view.
    path: ArrayVec<Move, { MAX_LEFT as usize }>,
}

impl<'a> Walk<'a> {
    fn new(seen: &'a mut SeenTable, midturn: &Midturn, limits: &'a Limits<'a>) -> Self {
        Self {
            seen,
            limits,
            terms: *midturn.terms(),
            italian: midturn.rules().is_italian(),
            balanced: midturn.rules().order == Order::Balanced,
            nodes: 0,
            path: ArrayVec::new(),
        }
    }

    fn run(&mut self, midturn: &Midturn) -> Verdict {
        let node = Node { board: *midturn.board(), marks: midturn.marks() };
        let left = midturn.left();
        if self.italian && left > MAX_LEFT {
            return Verdict::Unknown(Limit::Quota);
        }
        let shortest = if self.italian { left } else { 1 };
        for length in shortest..=left.min(MAX_LEFT) {
            match self.descend(&node, length) {
                Ok(true) => {
                    return Verdict::Mate(self.path.iter().map(|mv| mv.seen_by(midturn.color())).collect());
                }
                Ok(false) => {}
                Err(limit) => return Verdict::Unknown(limit),
            }
        }
        if left > MAX_LEFT { Verdict::Unknown(Limit::Quota) } else { Verdict::NoMate }
    }

    /// Looks for a mate in exactly `left` moves; the path holds it if there is one.
    fn descend(&mut self, node: &Node, left: u8) -> Result<bool, Limit> {
        if left == 1 {
            return self.last_move(node);
        }
        for mv in node.board.moves(&self.terms, Checks::Without, self.movers(node)) {
            let next = self.after(node, mv)?;
            if left > 2 && self.seen.was_seen(key(&next, left - 1)) {
                continue;
            }
            self.path.push(mv);
            if self.descend(&next, left - 1)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// Tries every check.
    fn last_move(&mut self, node: &Node) -> Result<bool, Limit> {
        for mv in node.board.moves(&self.terms, Checks::Only, self.movers(node)) {
            self.count()?;
            if is_mate(&node.board.after(mv, &self.terms), &self.terms, self.italian) {
                self.path.push(mv);
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[inline(always)]
    fn movers(&self, node: &Node) -> BitBoard {
        if self.balanced { balance::due(&node.board, &self.terms, node.marks) } else { BitBoard::FULL }
    }

    #[inline(always)]
    fn after(&mut self, node: &Node, mv: Move) -> Result<Node, Limit> {
        self.count()?;
        let marks = if self.balanced { balance::marks_after(&node.board, mv, node.marks) } else { BitBoard::EMPTY };
        Ok(Node { board: node.board.after(mv, &self.terms), marks })
    }

    /// Counts a move made; says when it was one too many.
    #[inline(always)]
    fn count(&mut self) -> Result<(), Limit> {
        if self.nodes >= self.limits.nodes {
            return Err(Limit::Nodes);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_STOPS) && self.limits.stop.is_some_and(|stop| stop()) {
            return Err(Limit::Stopped);
        }
        Ok(())
    }
}

/// The key of a position with so many moves left.
#[inline(always)]
fn key(node: &Node, left: u8) -> u64 {
    let salt = u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    node.board.key() ^ salt ^ node.marks.0.wrapping_mul(0xd6e8_feb8_6659_fd93)
}
