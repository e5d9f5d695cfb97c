//! Does a candidate let the opponent mate in the next turn? Mates already found are tried first, and what they have in common steers
//! the next beam.

use super::beam::{Candidate, SquareAims};
use super::budget::Budget;
use crate::rules::midturn::{Midturn, Step};
use crate::rules::outcome::Outcome;
use crate::rules::position::Position;
use crate::solver::Solver;
use crate::solver::{Answer, Verdict};
use crate::types::Color;
use crate::types::moves::Move;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// What is known of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Safety {
    /// The opponent mates in the next turn. The number is what finding it took, in nodes.
    Mated(u64),
    /// Nothing found within its limit.
    Unknown,
    /// Proved: the opponent has no mate in the next turn.
    Safe,
    /// The game ends here as a draw.
    Drawn,
    /// The game ends here and the mover has won.
    Won,
}

/// How many mating series are remembered for each square of the king they mate.
const KILLERS: usize = 32;
/// Weight of a man's start square for each mate it took part in; less for a mate that was only replayed.
const NEW_MATE: i32 = 8;
const REPLAYED_MATE: i32 = 2;

/// Mates the opponent has against candidates of this turn.
#[derive(Clone, Debug)]
pub struct Threats {
    /// By the square of the king that they mate (the mover's view of the candidates): a mate hardly ever works on another.
    killers: [Vec<Vec<Move>>; 64],
    /// By square in our view: how often a man from there took part in a mate.
    weights: [i32; 64],
}

impl Default for Threats {
    fn default() -> Self {
        Self { killers: std::array::from_fn(|_| Vec::new()), weights: [0; 64] }
    }
}

impl Threats {
    /// Judges a candidate within `nodes` and until `share` of the budget is used.
    pub fn judge(
        &mut self,
        candidate: &Candidate,
        solver: &mut Solver,
        budget: &mut Budget<'_>,
        nodes: u64,
        share: f64,
    ) -> Safety {
        if let Some(safety) = self.without_solver(candidate, budget) {
            return safety;
        }
        let answer = budget.solve(solver, &candidate.next_position().begin(), nodes, share);
        self.note(candidate, &answer)
    }

    /// What is known without asking the solver: the game is over, or a mate already found works here too.
    pub fn without_solver(&mut self, candidate: &Candidate, budget: &mut Budget<'_>) -> Option<Safety> {
        if candidate.is_drawn {
            return Some(Safety::Drawn);
        }
        let position = candidate.next_position();
        match position.outcome() {
            Some(Outcome::Win { winner, .. }) if winner != position.color() => return Some(Safety::Won),
            Some(Outcome::Win { .. }) => return Some(Safety::Mated(0)),
            Some(Outcome::Draw(_)) => return Some(Safety::Drawn),
            None => {}
        }
        let king = king_of(candidate);
        if let Some(at) = self.killers[king].iter().position(|killer| mates(&position, killer, budget)) {
            let killer = self.killers[king].remove(at);
            self.weigh(&killer, REPLAYED_MATE);
            self.killers[king].insert(0, killer);
            return Some(Safety::Mated(1));
        }
        None
    }

    /// What the solver's answer says of a candidate; a mate is remembered.
    pub fn note(&mut self, candidate: &Candidate, answer: &Answer) -> Safety {
        match &answer.verdict {
            Verdict::Mate(series) => {
                let (them, king) = (!candidate.end.color(), king_of(candidate));
                let killer: Vec<Move> = series.iter().map(|mv| mv.seen_by(them)).collect();
                self.weigh(&killer, NEW_MATE);
                self.killers[king].insert(0, killer);
                self.killers[king].truncate(KILLERS);
                Safety::Mated(answer.nodes)
            }
            Verdict::NoMate => Safety::Safe,
            Verdict::Unknown(_) => Safety::Unknown,
        }
    }

    fn weigh(&mut self, killer: &[Move], weight: i32) {
        for (i, mv) in killer.iter().enumerate() {
            // Where the man stood before the series began; its later moves do not count again.
            if !killer[..i].iter().any(|earlier| earlier.to() == mv.from()) {
                self.weights[mv.from().relative_to(Color::Black) as usize] += weight;
            }
        }
    }

    /// Square weights for a beam that looks for safety: take, block or pin the men that take part in mates, and try other
    /// squares for the king. `round` counts from 1.
    pub fn aims(&self, round: i32, rng: &mut ChaCha8Rng) -> SquareAims {
        let most = self.weights.iter().copied().max().unwrap_or(0).max(1);
        SquareAims {
            their_men: self.weights.map(|weight| weight * (200 + 150 * round) / most),
            our_king: std::array::from_fn(|_| rng.random_range(0..250)),
        }
    }
}

/// The square of the mover's king, as an index.
fn king_of(candidate: &Candidate) -> usize {
    candidate.end.board().king().map_or(0, |king| king as usize)
}

/// Whether these moves (the mover's view) are legal from here and mate.
fn mates(position: &Position, killer: &[Move], budget: &mut Budget<'_>) -> bool {
    let mut state: Midturn = position.begin();
    for (i, &mv) in killer.iter().enumerate() {
        if !state.is_legal(mv) {
            return false;
        }
        budget.spend(1);
        let over = state.step(mv) == Step::TurnOver;
        if over != (i + 1 == killer.len()) {
            return false;
        }
    }
    state.board().gives_check() && matches!(state.next_position().outcome(), Some(Outcome::Win { .. }))
}
