//! The search of one turn.

use super::info::{Choice, Event, Info};
use super::levels::Level;
use super::limits::Limits;
use crate::rules::midturn::{Midturn, Progress, SeriesEnd};
use crate::types::score::Score;
use crate::types::series::Series;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a search is asked to be.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Strength.
    pub level: &'static Level,
    /// Seed of all randomness: the same seed, node limit and one thread give the same series.
    pub seed: u64,
}

/// A searcher: tables that last from turn to turn.
#[derive(Debug)]
pub struct Searcher {
    _hash_mib: usize,
}

impl Searcher {
    /// A searcher whose tables take about `hash_mib` MiB, 1 to 65536.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(hash_mib: usize) -> Result<Self, std::collections::TryReserveError> {
        Ok(Self { _hash_mib: hash_mib })
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {}

    /// Chooses what is left of the series of this turn.
    pub fn think(
        &mut self,
        midturn: &Midturn,
        settings: &Settings,
        _limits: &Limits<'_>,
        on_event: &mut dyn FnMut(Event),
    ) -> Choice {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        let mut series = Series::default();
        let mut now = *midturn;
        loop {
            let legal = now.legal();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            series.push(mv);
            match now.play_unchecked(mv) {
                Progress::More => {}
                Progress::Over(SeriesEnd::Turn(_) | SeriesEnd::Game(_)) => break,
            }
        }
        let nodes = series.len() as u64;
        on_event(Event::Line(Info {
            depth: 1,
            seldepth: 1,
            multi_pv: 1,
            score: Score::DRAW,
            nodes,
            hashfull: 0,
            pv: vec![series.clone()],
        }));
        let series = (!series.is_empty()).then_some(series);
        Choice { series, ponder: None, score: Score::DRAW, nodes }
    }
}
