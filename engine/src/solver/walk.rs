//! The walk: depth first over the moves of one side.
//!
//! # The narrow walk
//!
//! Depth first, one wrong choice near the top costs all that is below it. So before the whole tree, that part of it is walked where the
//! choices add up to little (limited discrepancy search, Harvey and Ginsberg 1995). A mate found so is a mate. What the narrow walk notes in
//! the seen-table as dead for the whole one is a position of which everything was searched: with four and fewer moves left each one that
//! it comes to, above that those where no child was left out and all are dead, or that are hopeless by the bound. So the whole walk
//! decides as if there had been no other, and finds the last moves of the narrow one done.
//!
//! On the 339 questions of `solver.tsv` it saves two fifths of the time of the mates and costs 1 percent of that of the others. Three walks with
//! budgets of 1, 2 and 3 find the mates no sooner and cost 5 percent more.

use super::bound;
use super::cover::Cover;
use super::keys::{first_key, keys};
use super::mated::is_mate;
use super::order;
use super::plan::{self, Moves, Plan, Planned};
use super::seen::SeenTable;
use super::shared::SharedTable;
use super::solve::Tricks;
use super::verdict::{Limit, Limits, MAX_LEFT, Verdict};
use super::zone::Zone;
use crate::board::generate::Checks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::rules::balance;
use crate::rules::midturn::Midturn;
use crate::rules::table::Order;
use crate::types::BitBoard;
use crate::types::moves::{Move, MoveList};
use arrayvec::ArrayVec;
use std::ops::Range;

/// How often the stop hook is asked.
const NODES_BETWEEN_STOPS: u64 = 256;

/// What the choices of the narrow walk may add up to. The best child costs nothing, the next two 1, the next four 2, and so on.
const BUDGET: u32 = 2;

/// With fewer moves left, the whole tree is walked at once.
const LEAST_NARROW: u8 = 6;

/// Added to the moves left in what the narrow walk notes for itself: where it has been.
const NARROW: u8 = MAX_LEFT + 1;

/// What a position in mid-series is to the walk: the men, and under English balance who has moved in this round.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) marks: BitBoard,
}

impl Node {
    pub(super) const fn of(midturn: &Midturn) -> Self {
        Self { board: *midturn.board(), marks: midturn.marks() }
    }
}

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// The path holds a mate.
    Mate,
    /// There is none.
    Nothing,
    /// None was found, but something was left out.
    Open,
}

/// A position to look at, and how it came about.
#[derive(Clone, Copy)]
struct Child {
    node: Node,
    mv: Move,
}

/// The table a walk keeps: its own, or one that it shares with other threads.
pub(super) enum Seen<'a> {
    Own(&'a mut SeenTable),
    Shared(&'a SharedTable),
}

/// One question being worked on.
pub(super) struct Walk<'a> {
    seen: Seen<'a>,
    limits: &'a Limits<'a>,
    tricks: Tricks,
    terms: Terms,
    italian: bool,
    balanced: bool,
    /// Where the bound speaks.
    zone: Option<Zone>,
    cover: Cover,
    moves: Moves,
    nodes: u64,
    /// Whether this is the narrow walk.
    narrow: bool,
    /// What the choices to come may add up to.
    budget: u32,
    /// The moves so far, the mover's view.
    path: ArrayVec<Move, { MAX_LEFT as usize }>,
    /// The positions to look at on all levels, and in which order: rank and index.
    children: Vec<Child>,
    ranks: Vec<(i32, u32)>,
    /// The first keys of the children just made.
    firsts: Vec<u64>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(seen: Seen<'a>, midturn: &Midturn, limits: &'a Limits<'a>, tricks: Tricks) -> Self {
        let italian = midturn.rules().is_italian();
        let terms = *midturn.terms();
        Self {
            seen,
            limits,
            tricks,
            terms,
            italian,
            balanced: midturn.rules().order == Order::Balanced,
            // Men reborn can fill flight squares, so nothing is known about what must be covered.
            zone: if terms.rebirth { None } else { Zone::new(midturn.board(), italian) },
            cover: Cover::empty(),
            moves: Moves::none(),
            nodes: 0,
            narrow: false,
            budget: u32::MAX,
            path: ArrayVec::new(),
            children: Vec::new(),
            ranks: Vec::new(),
            firsts: Vec::new(),
        }
    }

    /// Moves made.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The moves so far.
    pub(super) const fn path(&mut self) -> &mut ArrayVec<Move, { MAX_LEFT as usize }> {
        &mut self.path
    }

    /// The lengths a mating series can have: the quota, or anything up to it where a check ends the series.
    pub(super) fn lengths(&self, midturn: &Midturn) -> Range<u8> {
        match midturn.left() {
            left if !self.italian => 1..left.min(MAX_LEFT) + 1,
            left if left > MAX_LEFT => 0..0,
            left => left..left + 1,
        }
    }

    pub(super) fn run(&mut self, midturn: &Midturn) -> Verdict {
        match self.first_of(midturn, self.lengths(midturn)) {
            Verdict::NoMate if midturn.left() > MAX_LEFT => Verdict::Unknown(Limit::Quota),
            verdict => verdict,
        }
    }

    /// A mate in exactly so many moves, the first of these lengths that has one.
    pub(super) fn first_of(&mut self, midturn: &Midturn, lengths: impl Iterator<Item = u8>) -> Verdict {
        let node = Node::of(midturn);
        for length in lengths {
            if self.is_hopeless(&node, length) {
                continue;
            }
            match self.decide(&node, length) {
                Ok(true) => {
                    return Verdict::Mate(self.path.iter().map(|mv| mv.seen_by(midturn.color())).collect());
                }
                Ok(false) => {}
                Err(limit) => return Verdict::Unknown(limit),
            }
        }
        Verdict::NoMate
    }

    /// Whether the bound rules a mate out; never with fewer than four moves left.
    pub(super) fn is_hopeless(&mut self, node: &Node, left: u8) -> bool {
        match &self.zone {
            Some(zone) if self.tricks.bound && left >= 4 => {
                !bound::fits(&mut self.cover, zone, &node.board, &self.terms, left)
            }
            _ => false,
        }
    }

    /// Looks for a mate in exactly `left` moves by the narrow walk, then by the whole one; the path holds it if there is one.
    fn decide(&mut self, node: &Node, left: u8) -> Result<bool, Limit> {
        let is_own = matches!(self.seen, Seen::Own(_));
        if self.tricks.narrow && self.tricks.seen && is_own && left >= LEAST_NARROW {
            (self.narrow, self.budget) = (true, BUDGET);
            let found = self.descend(node, left)?;
            (self.narrow, self.budget) = (false, u32::MAX);
            if found != Found::Open {
                return Ok(found == Found::Mate);
            }
        }
        Ok(self.descend(node, left)? == Found::Mate)
    }

    /// Looks for a mate in exactly `left` moves; the path holds it if there is one.
    fn descend(&mut self, node: &Node, left: u8) -> Result<Found, Limit> {
        match left {
            1 => self.last_move(node),
            2 => self.two_moves(node),
            3 => self.three_moves(node),
            _ => self.many_moves(node, left),
        }
    }

    /// Looks for a mate in exactly `left` moves by the whole walk alone, for a caller outside.
    pub(super) fn below(&mut self, node: &Node, left: u8) -> Result<bool, Limit> {
        Ok(self.descend(node, left)? == Found::Mate)
    }

    /// What [`Self::many_moves`] would look at, in its order: rank, move and position.
    pub(super) fn promising(&mut self, node: &Node, left: u8) -> Result<Vec<(i32, Move, Node)>, Limit> {
        let (first_child, first_rank) = (self.children.len(), self.ranks.len());
        self.rank_children(node, left)?;
        let ranked = self.ranks[first_rank..].iter().map(|&(rank, place)| {
            let child = &self.children[place as usize];
            (rank, child.mv, child.node)
        });
        let ranked = ranked.collect();
        self.children.truncate(first_child);
        self.ranks.truncate(first_rank);
        Ok(ranked)
    }

    /// Four or more moves left: the most promising children first; the narrow walk leaves the others out while there are five or more.
    fn many_moves(&mut self, node: &Node, left: u8) -> Result<Found, Limit> {
        let (first_child, first_rank) = (self.children.len(), self.ranks.len());
        let mut found = self.rank_children(node, left)?;
        let budget = self.budget;
        for (number, place) in (1u32..).zip(first_rank..self.ranks.len()) {
            if left > 4 {
                let Some(rest) = budget.checked_sub(number.ilog2()) else {
                    found = Found::Open;
                    break;
                };
                self.budget = rest;
            }
            let child = &self.children[self.ranks[place].1 as usize];
            let (next, mv) = (child.node, child.mv);
            self.path.push(mv);
            match self.descend(&next, left - 1)? {
                Found::Mate => return Ok(Found::Mate),
                Found::Open => found = Found::Open,
                Found::Nothing if self.narrow => self.bury(&next, left - 1),
                Found::Nothing => {}
            }
            self.path.pop();
        }
        self.budget = budget;
        self.children.truncate(first_child);
        self.ranks.truncate(first_rank);
        Ok(found)
    }

    /// Notes the positions after each move worth trying that were not seen and are not hopeless, and ranks them. Open, if one was left out
    /// that the narrow walk has come to before.
    fn rank_children(&mut self, node: &Node, left: u8) -> Result<Found, Limit> {
        let (first_child, first_rank) = (self.children.len(), self.ranks.len());
        self.make_children(node, left)?;
        let mut found = Found::Nothing;
        for place in first_child..self.children.len() {
            let next = self.children[place].node;
            if !self.narrow {
                if self.was_seen(&next, left - 1) {
                    continue;
                }
            } else if self.is_dead(&next, left - 1) {
                continue;
            } else if self.was_seen(&next, NARROW + left - 1) {
                found = Found::Open;
                continue;
            }
            // With three left the cover families are asked anyway.
            if self.is_hopeless(&next, left - 1) {
                if self.narrow {
                    self.bury(&next, left - 1);
                }
                continue;
            }
            let rank = match &self.zone {
                Some(zone) if self.tricks.order => order::distance(zone, &next.board, left),
                _ => 0,
            };
            self.ranks.push((rank, place as u32));
        }
        self.ranks[first_rank..].sort_unstable();
        Ok(found)
    }

    /// Makes all moves worth trying. Their places in the seen-table are loaded at once.
    fn make_children(&mut self, node: &Node, left: u8) -> Result<(), Limit> {
        let first = self.children.len();
        let mut list = MoveList::new();
        self.list(node, left, &mut list);
        for &mv in &list {
            let node = self.after(node, mv)?;
            self.children.push(Child { node, mv });
        }
        if let (true, Seen::Own(table)) = (self.tricks.seen, &self.seen) {
            // First all keys, then all places: nothing stands between one load and the next.
            self.firsts.clear();
            self.firsts.extend(self.children[first..].iter().map(|child| first_key(&child.node, left - 1)));
            table.touch(&self.firsts);
        }
        Ok(())
    }

    /// Three moves left: only moves that a plan allows.
    fn three_moves(&mut self, node: &Node) -> Result<Found, Limit> {
        let first = self.children.len();
        self.make_children(node, 3)?;
        for place in first..self.children.len() {
            let Child { node: next, mv } = self.children[place];
            if self.was_seen(&next, 2) {
                continue;
            }
            self.path.push(mv);
            if self.two_moves(&next)? == Found::Mate {
                return Ok(Found::Mate);
            }
            self.path.pop();
        }
        self.children.truncate(first);
        Ok(Found::Nothing)
    }

    /// Two moves left. What comes after is not looked up: trying it costs no more.
    fn two_moves(&mut self, node: &Node) -> Result<Found, Limit> {
        let mut list = MoveList::new();
        self.list(node, 2, &mut list);
        for &mv in &list {
            let next = self.after(node, mv)?;
            self.path.push(mv);
            if self.last_move(&next)? == Found::Mate {
                return Ok(Found::Mate);
            }
            self.path.pop();
        }
        Ok(Found::Nothing)
    }

    /// Lists the moves worth trying.
    #[inline(always)]
    pub(super) fn list(&mut self, node: &Node, left: u8, list: &mut MoveList) {
        let (board, terms) = (&node.board, &self.terms);
        let (cover, moves) = (&mut self.cover, &mut self.moves);
        if left == 1 {
            return board.generate(terms, Checks::Only, self.movers(node), list);
        }
        let plan = match &self.zone {
            Some(zone) if left == 4 && self.tricks.four => plan::four_left(cover, moves, zone, board, terms),
            Some(zone) if left == 3 && self.tricks.three => plan::three_left(cover, moves, zone, board, terms),
            Some(zone) if left == 2 && self.tricks.two => plan::two_left(cover, moves, zone, board, terms),
            _ => Plan::Everything,
        };
        match plan {
            Plan::Nothing => {}
            Plan::Everything => board.generate(terms, Checks::Without, self.movers(node), list),
            Plan::Some => {
                let movers = self.moves.movers() & self.movers(node);
                board.generate(terms, Checks::Without, movers, &mut Planned { moves: &self.moves, list });
            }
        }
    }

    /// Tries every check.
    fn last_move(&mut self, node: &Node) -> Result<Found, Limit> {
        let mut list = MoveList::new();
        self.list(node, 1, &mut list);
        for &mv in &list {
            self.count()?;
            if is_mate(&node.board.after(mv, &self.terms), &self.terms, self.italian) {
                self.path.push(mv);
                return Ok(Found::Mate);
            }
        }
        Ok(Found::Nothing)
    }

    #[inline(always)]
    fn movers(&self, node: &Node) -> BitBoard {
        if self.balanced { balance::due(&node.board, &self.terms, node.marks) } else { BitBoard::FULL }
    }

    /// Whether the opponent is mated here.
    pub(super) fn is_mated(&self, node: &Node) -> bool {
        is_mate(&node.board, &self.terms, self.italian)
    }

    #[inline(always)]
    pub(super) fn after(&mut self, node: &Node, mv: Move) -> Result<Node, Limit> {
        self.count()?;
        let marks = if self.balanced { balance::marks_after(&node.board, mv, node.marks) } else { BitBoard::EMPTY };
        Ok(Node { board: node.board.after(mv, &self.terms), marks })
    }

    #[inline(always)]
    fn was_seen(&mut self, node: &Node, left: u8) -> bool {
        self.tricks.seen
            && match &mut self.seen {
                Seen::Own(table) => table.was_seen(keys(node, left)),
                Seen::Shared(table) => table.was_seen(keys(node, left)),
            }
    }

    /// Whether it is known that no mate in so many moves is left here. A shared table does not tell: entered is not searched.
    pub(super) fn is_dead(&self, node: &Node, left: u8) -> bool {
        self.tricks.seen && matches!(&self.seen, Seen::Own(table) if table.has(keys(node, left)))
    }

    /// Notes that no mate in so many moves is left here.
    pub(super) fn bury(&mut self, node: &Node, left: u8) {
        if let Seen::Own(table) = &mut self.seen {
            table.was_seen(keys(node, left));
        }
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
