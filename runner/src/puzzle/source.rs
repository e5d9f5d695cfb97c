//! Games to look for puzzles in: played here by the levels, or read from files.

use crate::opening::Opening;
use crate::opening::suite::{Suite, SuiteError};
use crate::record::GameRecord;
use crescendo::rules::game::Game;
use crescendo::rules::notation::pgn;
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
            let settings = Settings { level, seed: rng.random() };
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

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// A line of a journal is no game.
    #[error("{0}:{1}: {2}")]
    Line(String, usize, String),
}

/// The games of a file under these rules with their names: a journal (`games.jsonl`) if it begins with a brace, otherwise PGN. Games of
/// other rule sets and PGN games that cannot be read are left out and counted.
///
/// # Errors
/// See [`GamesError`].
pub fn games(path: &Path, rules: &'static Rules) -> Result<(Vec<(String, Game)>, usize), GamesError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| GamesError::Io(name.clone(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    let file = path.file_name().map_or_else(|| name.clone(), |file| file.to_string_lossy().into_owned());
    let (mut found, mut left_out) = (Vec::new(), 0);
    if text.starts_with('{') {
        // A line without its end was torn by a crash.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (number, line) in whole.lines().enumerate() {
            let bad = |text: String| GamesError::Line(name.clone(), number + 1, text);
            let record: GameRecord = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            match record.game().filter(|game| game.rules() == rules) {
                Some(game) => found.push((format!("{file}#{}", record.id), game)),
                None => left_out += 1,
            }
        }
    } else {
        for (number, game) in pgn::read::games(&text, rules).enumerate() {
            match game {
                Ok(read) if read.game.rules() == rules => found.push((format!("{file}#{}", number + 1), read.game)),
                _ => left_out += 1,
            }
        }
    }
    Ok((found, left_out))
}
