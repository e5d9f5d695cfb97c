//! Games to look for puzzles in: played here by the levels, or read from files.

use crate::database::read::{ReadError, StoredGame, each};
use crate::opening::Opening;
use crate::opening::suite::{Suite, SuiteError};
use crescendo::rules::game::Game;
use crescendo::rules::table::Rules;
use crescendo::search::levels::Level;
use crescendo::search::limits::Limits;
use crescendo::search::think::{Searcher, Settings};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Games of levels against each other, each a function of its number.
#[derive(Debug)]
pub struct SelfPlay {
    /// The game.
    pub rules: &'static Rules,
    /// Openings; every other game begins with one.
    pub suite: Option<Suite>,
    /// The players; each side is one of them at random.
    pub levels: Vec<&'static Level>,
    /// Most nodes for a series.
    pub nodes: u64,
    /// The last turn that is played.
    pub last_turn: u16,
    /// Source of all randomness.
    pub seed: u64,
}

impl SelfPlay {
    /// Game `number`.
    ///
    /// # Errors
    /// The suite has changed since it was opened.
    pub fn game(&self, searcher: &mut Searcher, number: u64) -> Result<Game, SuiteError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let opening = match &self.suite {
            Some(suite) if number % 2 == 1 => suite.opening(rng.random())?,
            _ => Opening::none(self.rules),
        };
        let mut game = opening.game();
        let players = [0, 1].map(|_| self.levels[rng.random_range(0..self.levels.len())]);
        if game.turns().is_empty() {
            // A level's first move is nearly always the same.
            let first = game.legal();
            let _ = game.play(first[rng.random_range(0..first.len())]);
        }
        while game.outcome().is_none() && game.current().turn().number() <= self.last_turn {
            let level = players[usize::from(game.current().turn().number() % 2)];
            let settings = Settings { level: *level, seed: rng.random() };
            let choice = searcher.think(game.current(), &settings, &Limits::nodes(self.nodes), &mut |_| {});
            let Some(series) = choice.series else { break };
            if series.iter().any(|&mv| game.play(mv).is_err()) {
                break;
            }
        }
        Ok(game)
    }

    /// The name of game `number`.
    #[must_use]
    pub fn name(&self, number: u64) -> String {
        format!("crescendo:{}/{}/{number}", self.rules.name, self.seed)
    }
}

/// The games of a file under these rules with their names: a journal (`games.jsonl`) if it begins with a brace, otherwise PGN. Games of
/// other rule sets and games that cannot be read are left out and counted.
///
/// # Errors
/// See [`ReadError`].
pub fn games(path: &Path, rules: &'static Rules) -> Result<(Vec<(String, Game)>, usize), ReadError> {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let (mut found, mut left_out) = (Vec::new(), 0);
    each(path, rules, &mut |game| match game {
        Ok(StoredGame { id, number, game, .. }) if game.rules() == rules => {
            let name = id.map_or_else(|| number.to_string(), |id| id.to_string());
            found.push((format!("{file}#{name}"), game));
        }
        _ => left_out += 1,
    })?;
    Ok((found, left_out))
}
