//! What the opponent may answer to a candidate, and which of his answers we refute by a mate in the turn after.

use super::beam::{Aim, Candidate, candidates};
use super::budget::Budget;
use super::root::roots;
use crate::eval::weights::Phases;
use crate::types::Color;
use crate::types::series::Series;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The width of the beam for replies, without extra effort.
const WIDTH: usize = 24;
/// Replies kept, without extra effort.
const KEEP: usize = 16;
/// What each of his best replies that we answer by a mate is worth, in hundredths of a pawn: the fewer replies he has, the easier he errs.
const REFUTED: i32 = 40;
/// What it is worth that we mate after all of his likely replies.
const ALL_REFUTED: i32 = 1500;

/// The opponent's likely replies to a candidate, best for him first, and how many of the first we answer by a mate.
#[derive(Clone, Debug)]
pub struct Replies {
    list: Vec<Candidate>,
    color: Color,
    refuted: usize,
    /// How often the best that stands has been tried.
    tries: usize,
    /// Whether these are all replies there are.
    is_complete: bool,
}

impl Replies {
    /// Looks for replies until `share` of the budget is used, twice as wide for each step of `effort`.
    pub fn to(candidate: &Candidate, phases: &'static Phases, effort: u8, budget: &mut Budget<'_>, share: f64) -> Self {
        let position = candidate.next_position();
        // A beam without noise draws nothing.
        let rng = &mut ChaCha8Rng::seed_from_u64(0);
        let (aim, mut list, mut is_complete) = (Aim::plain(phases, WIDTH << effort, KEEP << effort), Vec::new(), true);
        for root in roots(&position.begin(), &[]) {
            let mut found = candidates(&root, &aim, rng, budget, share);
            is_complete &= found.is_complete;
            list.append(&mut found.ends);
        }
        Self { list, color: position.color(), refuted: 0, tries: 0, is_complete }
    }

    /// His best reply that stands, if there is one.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.list.get(self.refuted)
    }

    /// What is known of the candidate for us: by his best reply that stands. Without a reply the game is over; that is not judged here.
    #[must_use]
    pub fn value(&self) -> i32 {
        let by_reply = match self.best() {
            Some(best) => -best.score,
            None => self.list.last().map_or(0, |worst| ALL_REFUTED - worst.score),
        };
        by_reply + REFUTED * self.refuted as i32
    }

    /// Whether every reply there is loses to a mate.
    #[must_use]
    pub fn are_refuted(&self) -> bool {
        self.is_complete && self.best().is_none() && !self.list.is_empty()
    }

    /// How often the best reply that stands has been tried; `None` if nothing stands.
    #[must_use]
    pub fn tries(&self) -> Option<usize> {
        self.best().map(|_| self.tries)
    }

    /// Notes what came of trying the best reply that stands.
    pub fn note(&mut self, is_mated: bool) {
        self.tries += 1;
        if is_mated {
            self.refuted += 1;
            self.tries = 0;
        }
    }

    /// His best reply in White's view.
    #[must_use]
    pub fn expected(&self) -> Option<Series> {
        let best = self.best().or(self.list.first())?;
        Some(best.moves.iter().map(|mv| mv.seen_by(self.color)).collect())
    }
}
