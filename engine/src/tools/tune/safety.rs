//! Ends of turns, and whether the opponent mates there.

use super::samples::{Sample, Samples};
use crate::eval::weights::CLASSIC;
use crate::rules::game::Game;
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::search::beam::{Aim, candidates};
use crate::search::budget::Budget;
use crate::search::limits::Limits;
use crate::search::root::roots;
use crate::solver::{self, Solver, Verdict};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The beam that ends are drawn from: its width, the ends it keeps, and up to how much is added to each score at random.
const WIDTH: usize = 60;
const KEEP: usize = 600;
const NOISE: i32 = 1500;
/// Ends that are judged of each turn, and the solver's nodes for each: what resists so long counts as safe.
const ENDS: usize = 10;
const NODES: u64 = 30_000;

impl Samples {
    /// Takes some ends of each turn of a game, drawn at random from those that a wide beam finds, with what the solver says: not what was played,
    /// so what stands on the board is no sign of what the player had to choose from.
    pub(crate) fn add_ends(&mut self, game: &Game, solver: &mut Solver, seed: u64, opening: usize) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut now: Midturn = *game.start();
        for (i, (_, series)) in game.turns().iter().enumerate() {
            if i >= opening {
                self.add_turn(&now, solver, &mut rng);
            }
            let Some(SeriesEnd::Turn(position)) = now.end_of(series) else { break };
            now = position.begin();
        }
        self.games += 1;
    }

    fn add_turn(&mut self, midturn: &Midturn, solver: &mut Solver, rng: &mut ChaCha8Rng) {
        let limits = Limits::nodes(u64::MAX);
        let mut budget = Budget::new(&limits);
        let aim = Aim { noise: NOISE, ..Aim::plain(&CLASSIC, WIDTH, KEEP) };
        let mut ends = Vec::new();
        for root in roots(midturn, &[]) {
            ends.append(&mut candidates(&root, &aim, rng, &mut budget, 1.0).ends);
        }
        ends.retain(|end| !end.is_drawn && end.next_position().outcome().is_none());
        let (chosen, _) = ends.partial_shuffle(rng, ENDS);
        for end in chosen {
            let next = end.next_position().begin();
            let answer = solver.solve(&next, &solver::Limits { nodes: NODES, stop: None });
            let result = f64::from(u8::from(!matches!(answer.verdict, Verdict::Mate(_))));
            self.list.push(Sample::new(self.games, &next, result));
        }
    }
}
