//! A player some of whose turns are played at random: a weaker one out of any engine, down to the uniform random mover.

use super::reply::Report;
use super::scripted::random_series;
use super::{Answer, Failure, Player, Question};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A player of whose turns a share is a random legal series.
pub struct Blundering {
    player: Box<dyn Player>,
    /// 0 to 1.
    share: f64,
    seed: u64,
}

impl std::fmt::Debug for Blundering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blundering").field("share", &self.share).finish_non_exhaustive()
    }
}

impl Blundering {
    /// The player with this share of random turns, 0 to 1. Which turns these are follows from the game's seed and the turn.
    #[must_use]
    pub fn new(player: Box<dyn Player>, share: f64) -> Self {
        Self { player, share, seed: 0 }
    }
}

impl Player for Blundering {
    fn announce(&mut self, seed: u64) -> Result<(), Failure> {
        self.seed = seed;
        self.player.announce(seed)
    }

    fn get_ready(&mut self) -> Result<(), Failure> {
        self.player.get_ready()
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Failure> {
        let plies = question.game.plies() as u64;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ plies.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // A number in [0, 1) is always below a share of 1.
        if rng.random::<f64>() >= self.share {
            return self.player.choose(question);
        }
        let series = random_series(question.game.current(), &mut rng).to_string();
        Ok(Answer {
            series,
            elapsed: Duration::ZERO,
            unsure: Duration::ZERO,
            first: None,
            report: Report::default(),
            variation: String::new(),
        })
    }

    fn recovers(&mut self) -> bool {
        self.player.recovers()
    }

    fn begin_quit(&mut self) {
        self.player.begin_quit();
    }

    fn last_words(&self) -> String {
        self.player.last_words()
    }

    fn transcript(&self) -> String {
        self.player.transcript()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::scripted::Scripted;
    use crescendo::rules::game::Game;
    use crescendo::rules::table::ITALIAN;

    #[test]
    fn the_share_of_random_turns_is_what_was_asked_for() {
        let game = Game::new(&ITALIAN);
        let question = Question { game: &game, position: "", go: "", patience: Duration::from_secs(1) };
        let asked = |share: f64| {
            let script = Scripted::new(|_| Ok("asked".into()));
            let mut player = Blundering::new(Box::new(script), share);
            let mut answers = (0..1000).map(|seed| {
                player.announce(seed).unwrap();
                let first = player.choose(&question).unwrap();
                // The same game has the same blunders.
                assert_eq!(player.choose(&question).unwrap(), first);
                first.series
            });
            answers.by_ref().filter(|series| series == "asked").count()
        };
        assert_eq!((asked(0.0), asked(1.0)), (1000, 0));
        assert!(asked(0.3).abs_diff(700) < 60, "{}", asked(0.3));
    }
}
