//! Turns of played games, and what came of them.

use crate::eval::terms::{Features, features};
use crate::rules::game::Game;
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::rules::outcome::Outcome;
use crate::solver::bound;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A turn after which the game went on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The number of its game.
    pub(super) game: usize,
    /// What stood on the board.
    pub(super) features: Features,
    /// The opponent's quota.
    pub(super) reply: u8,
    /// What the mover got in the end: 1, 0.5 or 0.
    pub(super) result: f64,
}

impl Sample {
    /// What stands on the board when the opponent is about to begin `next`.
    pub(super) fn new(game: usize, next: &Midturn, result: f64) -> Self {
        let (reply, terms, italian) = (next.left(), next.terms(), next.rules().is_italian());
        let (theirs, ours) = (next.board(), &next.board().flipped());
        let cost = |board, quota| i32::from(bound::cost_within(board, terms, italian, quota));
        let features =
            features(ours, terms, reply).with_mates(cost(ours, reply.saturating_add(1)), cost(theirs, reply));
        Self { game, features, reply, result }
    }
}

/// Samples of many games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    pub(super) list: Vec<Sample>,
    pub(super) games: usize,
}

impl Samples {
    /// Takes the turns of a finished game, but not those that a mate answered at once: the search sees that by itself, and what stood on the
    /// board did not decide. The first turns of an opening, which no player chose, are left out.
    pub(crate) fn add(&mut self, game: &Game, result: f64, opening: usize) {
        let mut now: Midturn = *game.start();
        let turns = game.turns();
        for (i, (_, series)) in turns.iter().enumerate() {
            let Some(SeriesEnd::Turn(position)) = now.end_of(series) else { break };
            let white = now.color() == crate::types::Color::White;
            now = position.begin();
            let is_mated = turns
                .get(i + 1)
                .and_then(|(_, reply)| now.end_of(reply))
                .is_some_and(|end| matches!(end.outcome(), Some(Outcome::Win { winner, .. }) if winner == now.color()));
            if i >= opening && position.outcome().is_none() && i + 1 < turns.len() && !is_mated {
                self.list.push(Sample::new(self.games, &now, if white { result } else { 1.0 - result }));
            }
        }
        self.games += 1;
    }

    /// How many games there are.
    pub(crate) const fn games(&self) -> usize {
        self.games
    }

    /// Two parts without a game in common: those to fit to, and those held out.
    pub(super) fn split(&self, seed: u64, held_out: f64) -> (Vec<Sample>, Vec<Sample>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let is_held_out: Vec<bool> = (0..self.games).map(|_| rng.random_bool(held_out)).collect();
        self.list.iter().partition(|sample| !is_held_out[sample.game])
    }

    #[cfg(test)]
    pub(super) fn push(&mut self, sample: Sample) {
        self.games = self.games.max(sample.game + 1);
        self.list.push(sample);
    }
}
