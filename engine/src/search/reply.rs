//! What the opponent makes of a candidate: his best reply by a narrow beam, and whether we mate after his likely replies.

use super::beam::{Aim, Candidate, candidates};
use super::budget::Budget;
use super::root::roots;
use crate::solver::Solver;
use crate::solver::Verdict;
use crate::types::Color;
use crate::types::moves::Move;
use crate::types::series::Series;
use rand_chacha::ChaCha8Rng;

/// The width of the beam for replies.
const WIDTH: usize = 24;
/// Replies kept.
const KEEP: usize = 6;
/// Most nodes for asking whether we mate after one reply.
const NEXT_MATE_NODES: u64 = 20_000;
/// What it is worth that we mate after all of his likely replies, in hundredths of a pawn.
const NEXT_MATE: i32 = 600;

/// The opponent's likely replies to a candidate, best for him first.
#[derive(Clone, Debug)]
pub struct Replies {
    list: Vec<Candidate>,
    color: Color,
}

impl Replies {
    /// Looks for replies until `share` of the budget is used.
    pub fn to(candidate: &Candidate, rng: &mut ChaCha8Rng, budget: &mut Budget<'_>, share: f64) -> Self {
        let position = candidate.next_position();
        let aim = Aim { width: WIDTH, keep: KEEP, noise: 0, squares: None };
        let list =
            roots(&position.begin(), &[]).iter().flat_map(|root| candidates(root, &aim, rng, budget, share)).collect();
        Self { list, color: position.color() }
    }

    /// The value of the candidate for us, by his best reply. Without a reply the game is over; that is not judged here.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.list.first().map_or(0, |best| -best.score)
    }

    /// His best reply in White's view.
    #[must_use]
    pub fn best(&self) -> Option<Series> {
        self.list.first().map(|best| best.moves.iter().map(|mv: &Move| mv.seen_by(self.color)).collect())
    }

    /// What our mates after his likely replies are worth: a share of the full bonus.
    pub fn next_mates(&self, solver: &mut Solver, budget: &mut Budget<'_>, share: f64) -> i32 {
        let mut mates = 0;
        for reply in self.list.iter().filter(|reply| !reply.is_drawn) {
            let answer = budget.solve(solver, &reply.next_position().begin(), NEXT_MATE_NODES, share);
            mates += i32::from(matches!(answer.verdict, Verdict::Mate(_)));
        }
        NEXT_MATE * mates / (self.list.len() as i32).max(1)
    }
}
