//! Candidate series: a beam over distinct positions, move by move through the turn.

use super::budget::Budget;
use super::limits::Limits;
use super::root::Root;
use crate::eval::terms::judge;
use crate::eval::weights::{CLASSIC, Phases, Weights};
use crate::rules::midturn::{Midturn, Step};
use crate::rules::position::Position;
use crate::solver::bound;
use crate::types::moves::Move;
use crate::types::squares::Squares;
use crate::types::{Role, Square};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

/// A complete series.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The moves in the mover's view.
    pub moves: Vec<Move>,
    /// Where it ends, still seen by its mover.
    pub end: Midturn,
    /// Whether the game ends there in mid-series, as a draw: by stalemate or bare material.
    pub is_drawn: bool,
    /// The static score for its mover, in hundredths of a pawn.
    pub score: i32,
    /// How many moves the opponent's mate takes at least, quota apart, if that has been asked already.
    pub cost: Option<u8>,
}

impl Candidate {
    /// Asks the solver's bound how soon the opponent could mate, if that has not been done.
    pub fn ask_cost(&mut self) {
        if self.cost.is_none() && !self.is_drawn {
            self.cost = Some(bound::cost(&self.next_position().begin()));
        }
    }

    /// What the opponent gets. Meaningless for a drawn candidate.
    #[must_use]
    pub fn next_position(&self) -> Position {
        self.end.next_position()
    }
}

/// What a beam looks for.
#[derive(Clone, Debug)]
pub struct Aim {
    /// What the terms of the static score are worth.
    pub phases: &'static Phases,
    /// Positions kept after each move but the last.
    pub width: usize,
    /// Ends kept.
    pub keep: usize,
    /// Up to so much is added to each score at random.
    pub noise: i32,
    /// Minus for each of his men still on a square (the mover's view), and plus for our king on a square.
    pub squares: Option<Box<SquareAims>>,
    /// Plus for each move that his mate would take at least.
    pub mate_cost: i32,
    /// Plus for a check with the last move.
    pub check: i32,
    /// Give up, with nothing, as soon as something would have to be left out.
    pub all_or_nothing: bool,
}

impl Aim {
    /// The static score alone.
    #[must_use]
    pub const fn plain(phases: &'static Phases, width: usize, keep: usize) -> Self {
        Self { phases, width, keep, noise: 0, squares: None, mate_cost: 0, check: 0, all_or_nothing: false }
    }
}

/// What a beam found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Complete series, the best first, each end position once.
    pub ends: Vec<Candidate>,
    /// Whether nothing was left out: these are all ends of the turn.
    pub is_complete: bool,
}

/// Weights on squares that steer a beam.
#[derive(Clone, Debug)]
pub struct SquareAims {
    /// The cost of each of his men that stays where it is.
    pub their_men: [i32; 64],
    /// The worth of our king's square.
    pub our_king: [i32; 64],
}

/// How many ends are asked about between two looks at the budget.
const ENDS_BETWEEN_LOOKS: usize = 32;

struct Node {
    parent: u32,
    mv: Move,
    state: Midturn,
    score: i32,
}

struct Beam<'a, 'b> {
    aim: &'a Aim,
    reply: u8,
    weights: Weights,
    rng: &'a mut ChaCha8Rng,
    budget: &'a mut Budget<'b>,
    share: f64,
    ends: Vec<(u32, Candidate)>,
    seen_ends: FxHashSet<u64>,
    is_complete: bool,
}

/// The best complete series from `root` that the beam finds. Once `share` of the budget is used the
/// beam narrows to a single line, so that there is always at least one series if the mover has a move.
pub fn candidates(root: &Root, aim: &Aim, rng: &mut ChaCha8Rng, budget: &mut Budget<'_>, share: f64) -> Found {
    let state = &root.state;
    let reply = state.rules().quota(state.turn().next());
    let (ends, seen_ends) = (Vec::new(), FxHashSet::default());
    let mut beam =
        Beam { aim, reply, weights: aim.phases.at(reply), rng, budget, share, ends, seen_ends, is_complete: true };
    if root.is_complete {
        beam.end(0, None, *state, false);
    }
    let mut layers: Vec<Vec<Node>> = Vec::new();
    let mut layer = beam.first_layer(root);
    let mut ends = beam.collect(&layers, root);
    while !layer.is_empty() {
        let width = if beam.budget.is_past(share) { 1 } else { aim.width };
        beam.is_complete &= layer.len() <= width;
        if aim.all_or_nothing && !beam.is_complete {
            return Found::default();
        }
        cut(&mut layer, width);
        layers.push(layer);
        layer = beam.next_layer(layers.last().map_or(&[], Vec::as_slice));
        ends.append(&mut beam.collect(&layers, root));
    }
    ends.sort_by_key(|candidate| -candidate.score);
    beam.is_complete &= ends.len() <= aim.keep;
    ends.truncate(aim.keep);
    if beam.weights.values_mates() {
        beam.value_mates(&mut ends);
        ends.sort_by_key(|candidate| -candidate.score);
    }
    Found { ends, is_complete: beam.is_complete }
}

/// Every distinct end of the turn, in no particular order; `None` if there are more than `most`, or more than ten times as many positions on the
/// way to them.
#[must_use]
pub fn enumerate(midturn: &Midturn, most: usize) -> Option<Vec<Candidate>> {
    let limits = Limits::nodes(u64::MAX);
    let (mut rng, mut budget) = (ChaCha8Rng::seed_from_u64(0), Budget::new(&limits));
    let root = Root { prefix: Vec::new(), state: *midturn, is_complete: false };
    let aim = Aim { all_or_nothing: true, ..Aim::plain(&CLASSIC, most.saturating_mul(10), most) };
    let found = candidates(&root, &aim, &mut rng, &mut budget, 1.0);
    found.is_complete.then_some(found.ends)
}

/// Keeps the best `width` nodes, best first.
fn cut(layer: &mut Vec<Node>, width: usize) {
    if layer.len() > width {
        layer.select_nth_unstable_by_key(width, |node| -node.score);
        layer.truncate(width);
    }
    layer.sort_by_key(|node| -node.score);
}

impl Beam<'_, '_> {
    fn first_layer(&mut self, root: &Root) -> Vec<Node> {
        if root.is_complete {
            return Vec::new();
        }
        let start = Node { parent: 0, mv: Move::from_bits(0), state: root.state, score: 0 };
        self.next_layer(&[start])
    }

    /// All distinct positions one move on; complete series go to the ends. Once the budget's share is used up, one parent that leads on is
    /// enough.
    fn next_layer(&mut self, layer: &[Node]) -> Vec<Node> {
        let mut next = Vec::new();
        let mut seen = FxHashSet::default();
        for (parent, node) in (0u32..).zip(layer) {
            let has_something = !(next.is_empty() && self.seen_ends.is_empty());
            let is_too_much = next.len() > self.aim.width || self.seen_ends.len() > self.aim.keep;
            if has_something && (self.aim.all_or_nothing && is_too_much || self.budget.is_past(self.share)) {
                self.is_complete = false;
                break;
            }
            let moves = node.state.legal_seen_by_mover();
            if moves.is_empty() && !node.state.is_in_check() {
                self.stuck(parent, node);
            }
            for mv in moves {
                let mut state = node.state;
                let step = state.step(mv);
                self.budget.spend(1);
                if step == Step::TurnOver {
                    self.end(parent, Some(mv), state, false);
                } else if state.has_bare_material() {
                    self.end(parent, Some(mv), state, true);
                } else if seen.insert(state.key()) {
                    let score = self.score(&state);
                    next.push(Node { parent, mv, state, score });
                }
            }
        }
        next
    }

    fn score(&mut self, state: &Midturn) -> i32 {
        let board = state.board();
        let mut score = judge(board, state.terms(), self.reply, &self.weights);
        if self.aim.noise > 0 {
            score += self.rng.random_range(0..self.aim.noise);
        }
        if self.aim.mate_cost > 0 {
            let italian = state.rules().is_italian();
            score += self.aim.mate_cost
                * i32::from(bound::cost_within(&board.flipped(), state.terms(), italian, self.reply));
        }
        if self.aim.check > 0 && board.gives_check() {
            score += self.aim.check;
        }
        if let Some(squares) = &self.aim.squares {
            for square in (board.them() & !board.role(Role::King)).squares() {
                score -= squares.their_men[square as usize];
            }
            score += board.king().map_or(0, |king: Square| squares.our_king[king as usize]);
        }
        score
    }

    /// Adds the part of the static score that the solver's bound must say: how soon either side could mate. It takes longer than all the rest, so
    /// it is asked only for ends that are kept, best first; those that the budget does not reach are left out, but for the first few.
    fn value_mates(&mut self, ends: &mut Vec<Candidate>) {
        for at in 0..ends.len() {
            if at > 0 && at.is_multiple_of(ENDS_BETWEEN_LOOKS) && self.budget.is_past(self.share) {
                ends.truncate(if self.aim.all_or_nothing { 0 } else { at });
                self.is_complete = false;
                return;
            }
            let found = &mut ends[at];
            found.ask_cost();
            if let Some(theirs) = found.cost {
                let (end, italian) = (&found.end, found.end.rules().is_italian());
                let ours = bound::cost_within(end.board(), end.terms(), italian, self.reply.saturating_add(1));
                found.score += self.weights.mates(ours.into(), theirs.into());
            }
        }
    }

    /// A node without a legal move in mid-series: the game is drawn there.
    fn stuck(&mut self, parent: u32, node: &Node) {
        self.end(parent, None, node.state, true);
    }

    /// Notes a complete series: `mv` after node `parent` of the last layer, or that node itself.
    fn end(&mut self, parent: u32, mv: Option<Move>, end: Midturn, is_drawn: bool) {
        if self.seen_ends.insert(end.board().key()) {
            let score = if is_drawn { 0 } else { self.score(&end) };
            self.ends.push((parent, Candidate { moves: mv.into_iter().collect(), end, is_drawn, score, cost: None }));
        }
    }

    /// The ends noted since the last call, with their whole paths.
    fn collect(&mut self, layers: &[Vec<Node>], root: &Root) -> Vec<Candidate> {
        let mut ends = std::mem::take(&mut self.ends);
        if ends.len() > self.aim.keep {
            ends.select_nth_unstable_by_key(self.aim.keep, |(_, end)| -end.score);
            ends.truncate(self.aim.keep);
            self.is_complete = false;
        }
        let path = |(parent, mut end): (u32, Candidate)| {
            let mut at = parent as usize;
            for layer in layers.iter().rev() {
                end.moves.push(layer[at].mv);
                at = layer[at].parent as usize;
            }
            end.moves.extend(root.prefix.iter().rev());
            end.moves.reverse();
            end
        };
        ends.into_iter().map(path).collect()
    }
}
