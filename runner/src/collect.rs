//! Results out of files: journals of this runner, and PGN of any program, of which only the tags are read.
//!
//! Built for millions of games: journals are read by all processors, and of a game only who played and how it ended is kept.

use crate::lines::{Block, by_blocks};
use crate::stats::counts::{Penta, Points, Wdl};
use crate::stats::pool::{GameTally, Pool};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// One result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    white: u32,
    black: u32,
    /// White's.
    points: Points,
    /// Games of one number depend on each other; `None` depends on no other.
    cluster: Option<u64>,
}

/// The results of some files.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    games: Vec<Found>,
    files: u64,
    /// Whether a game that has been met move by move is left out; then `keys` has one for each game of a part.
    distinct: bool,
    keys: Vec<u64>,
    seen: HashSet<u64>,
    /// Games left out because they repeat another one.
    pub repeats: u64,
    /// Games without a result.
    pub unfinished: u64,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A line of a journal is no game.
    #[error("{}:{line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A file of which only the tags are read, where moves are to be compared.
    #[error("{}: repeated games can be told in journals (games.jsonl) only", .0.display())]
    Moves(PathBuf),
    /// A file without a single game.
    #[error("{}: no game in it; expected games.jsonl of a run, or PGN with the tags White, Black and Result", .0.display())]
    Empty(PathBuf),
}

/// What of a journal's line matters here: the rest is skipped, which is most of the time saved.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    white: Cow<'a, str>,
    #[serde(borrow)]
    black: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    pair: u64,
}

/// What of a journal's line makes a game the same as another one.
#[derive(Deserialize)]
struct Moves<'a> {
    #[serde(default, borrow)]
    fen: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    moves: Cow<'a, str>,
}

/// The tags of a game of a PGN file as far as they have come.
#[derive(Debug, Default)]
struct Tags {
    white: String,
    black: String,
    result: String,
    round: String,
    /// Whether the tags are over and the moves have begun.
    closed: bool,
}

impl Line<'_> {
    /// The same number for the same game of the same players (64 bits: among a million games two different ones meet
    /// with a chance of 3 in 100 million).
    fn key(&self, moves: &Moves<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.white, &self.black, &moves.fen, &moves.moves).hash(&mut hasher);
        hasher.finish()
    }
}

impl Collection {
    /// A collection that leaves out games which repeat an earlier one: same players, same colors, same moves.
    #[must_use]
    pub fn distinct() -> Self {
        Self { distinct: true, ..Self::default() }
    }

    /// The names of the players, in the order in which they were met.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of a player.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).map(|&number| number as usize)
    }

    /// How many games have a result.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds the games of a file: a journal if it begins with a brace, otherwise PGN.
    ///
    /// # Errors
    /// See [`CollectError`].
    pub fn read(&mut self, path: &Path) -> Result<(), CollectError> {
        let io = |source| CollectError::Io { path: path.to_owned(), source };
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(io)?);
        let is_journal = reader.fill_buf().map_err(io)?.first() == Some(&b'{');
        let before = self.games.len() as u64 + self.unfinished;
        self.files += 1;
        if self.distinct && !is_journal {
            return Err(CollectError::Moves(path.to_owned()));
        }
        if is_journal {
            self.journal(reader, path)?
        } else {
            self.pgn(reader).map_err(io)?
        }
        if self.games.len() as u64 + self.unfinished == before {
            return Err(CollectError::Empty(path.to_owned()));
        }
        Ok(())
    }

    fn journal(&mut self, reader: impl Read + Send, path: &Path) -> Result<(), CollectError> {
        let (number, distinct, mut bad) = (self.files, self.distinct, None);
        let work = |block: Block<'_>| Self::of_lines(block, number, distinct);
        let mut take = |part| match part {
            Ok(part) => {
                self.append(part);
                ControlFlow::Continue(())
            }
            Err((line, source)) => {
                bad = Some(CollectError::Line { path: path.to_owned(), line, source });
                ControlFlow::Break(())
            }
        };
        by_blocks(reader, work, &mut take).map_err(|source| CollectError::Io { path: path.to_owned(), source })?;
        bad.map_or(Ok(()), Err)
    }

    /// The games of whole lines of the file of this number.
    ///
    /// # Errors
    /// The line of this number is no game.
    fn of_lines(block: Block<'_>, file: u64, distinct: bool) -> Result<Self, (usize, serde_json::Error)> {
        let mut part = Self { files: file, ..Self::default() };
        for (number, line) in block.lines() {
            let bad = |error| (number, error);
            let found: Line<'_> = serde_json::from_slice(line).map_err(bad)?;
            part.add(&found.white, &found.black, &found.result, Some(found.pair));
            // Games without a result have no key.
            if distinct && part.games.len() > part.keys.len() {
                let moves: Moves<'_> = serde_json::from_slice(line).map_err(bad)?;
                part.keys.push(found.key(&moves));
            }
        }
        Ok(part)
    }

    fn append(&mut self, part: Self) {
        let numbers: Vec<u32> = part.names.iter().map(|name| self.number(name)).collect();
        let renamed =
            |game: &Found| Found { white: numbers[game.white as usize], black: numbers[game.black as usize], ..*game };
        if self.distinct {
            for (game, &key) in part.games.iter().zip(&part.keys) {
                if self.seen.insert(key) {
                    self.games.push(renamed(game));
                } else {
                    self.repeats += 1;
                }
            }
        } else {
            self.games.extend(part.games.iter().map(renamed));
        }
        self.unfinished += part.unfinished;
    }

    fn pgn(&mut self, mut reader: impl BufRead) -> io::Result<()> {
        let (mut bytes, mut tags) = (Vec::new(), Tags::default());
        loop {
            bytes.clear();
            if reader.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let Some((name, value)) = tag(line.trim()) else {
                tags.closed = true;
                continue;
            };
            if tags.closed {
                self.close(&mut tags);
            }
            let place = match name {
                "White" => &mut tags.white,
                "Black" => &mut tags.black,
                "Result" => &mut tags.result,
                "Round" => &mut tags.round,
                _ => continue,
            };
            place.clear();
            place.push_str(&unescaped(value));
        }
        self.close(&mut tags);
        Ok(())
    }

    /// Books the game of these tags, if they are one, and empties them.
    fn close(&mut self, tags: &mut Tags) {
        if !tags.white.is_empty() && !tags.black.is_empty() {
            // This runner writes round.game, the games of a pair one after the other. Other programs' rounds say nothing.
            let game = tags.round.split_once('.').and_then(|(_, game)| game.parse::<u64>().ok());
            self.add(&tags.white, &tags.black, &tags.result, game.map(|game| game.saturating_sub(1) / 2));
        }
        for text in [&mut tags.white, &mut tags.black, &mut tags.result, &mut tags.round] {
            text.clear();
        }
        tags.closed = false;
    }

    fn add(&mut self, white: &str, black: &str, result: &str, pair: Option<u64>) {
        let points = match result {
            "1-0" => Points::One,
            "0-1" => Points::Zero,
            "1/2-1/2" => Points::Half,
            _ => {
                self.unfinished += 1;
                return;
            }
        };
        let (white, black) = (self.number(white), self.number(black));
        let cluster = pair.map(|pair| self.files << 44 | pair);
        self.games.push(Found { white, black, points, cluster });
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        // Nobody has four billion players.
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The games for a fit of ratings.
    #[must_use]
    pub fn pool(&self) -> Pool {
        let mut pool = Pool::new(self.names.len());
        pool.reserve(self.games.iter().filter(|game| game.cluster.is_some()).count());
        for game in &self.games {
            let mut results = Wdl::default();
            results.record(game.points);
            let tally = GameTally { white: game.white as usize, black: game.black as usize, results };
            match game.cluster {
                Some(cluster) => pool.add(cluster, tally),
                None => pool.add_independent(tally),
            }
        }
        pool
    }

    /// The games among some of the players, who get new numbers: `places` has that of each, or nothing for one who is left out. Also
    /// says how many games there are.
    ///
    /// # Panics
    /// A number is not below `players`, or `places` has not an entry for each name.
    #[must_use]
    pub fn pool_of(&self, players: usize, places: &[Option<usize>]) -> (Pool, u64) {
        let (mut pool, mut count) = (Pool::new(players), 0);
        for game in &self.games {
            let (Some(white), Some(black)) = (places[game.white as usize], places[game.black as usize]) else {
                continue;
            };
            let mut results = Wdl::default();
            results.record(game.points);
            pool.add_independent(GameTally { white, black, results });
            count += 1;
        }
        (pool, count)
    }

    /// The complete pairs of `first` against anybody, from his side.
    #[must_use]
    pub fn pairs_of(&self, first: usize) -> Penta {
        self.pairs(|game| match (game.white as usize == first, game.black as usize == first) {
            (true, false) => Some(game.points),
            (false, true) => Some(game.points.reversed()),
            _ => None,
        })
    }

    /// The complete pairs from White's side, whoever he was.
    #[must_use]
    pub fn pairs_of_white(&self) -> Penta {
        self.pairs(|game| Some(game.points))
    }

    /// The complete pairs of games that have points.
    fn pairs(&self, points: impl Fn(&Found) -> Option<Points>) -> Penta {
        let (mut pairs, mut halves) = (Penta::default(), BTreeMap::new());
        for game in &self.games {
            let (Some(points), Some(cluster)) = (points(game), game.cluster) else { continue };
            match halves.remove(&cluster) {
                Some(other) => pairs.record(other, points),
                None => {
                    halves.insert(cluster, points);
                }
            }
        }
        pairs
    }
}

/// The name and the value of a PGN tag line; `None` for any other line. The value is as written, escapes and all; comments such as `[%clk …]` are none.
pub fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(' ')?;
    let value = rest.trim_start().strip_prefix('"')?.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_').then_some((name, value))
}

fn unescaped(value: &str) -> Cow<'_, str> {
    if value.contains('\\') { value.replace("\\\"", "\"").replace("\\\\", "\\").into() } else { value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(text: &str) -> Collection {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        let mut collection = Collection::default();
        collection.read(file.path()).unwrap();
        collection
    }

    #[test]
    fn tags_with_moves_without_and_with_comments_that_look_like_tags() {
        let text = "[Event \"x\"]\r\n[White \"a \\\"b\\\"\"]\r\n[Black \"c\"]\r\n[Result \"1-0\"]\r\n[Round \"1.1\"]\r\n\r\n1. e4 {\r\n\
                    [%clk 0:01] } 1-0\r\n\r\n[White \"c\"]\n[Black \"a \\\"b\\\"\"]\n[Result \"1/2-1/2\"]\n[Round \"1.2\"]\n\n\
                    [White \"c\"]\n[Black \"d\"]\n[Result \"*\"]\n";
        let found = collected(text);
        assert_eq!((found.names(), found.games(), found.unfinished), (&["a \"b\"".into(), "c".into()][..], 2, 1));
        assert_eq!(found.pairs_of(0), Penta([0, 0, 0, 1, 0]));
        assert_eq!(found.pairs_of(1), Penta([0, 1, 0, 0, 0]));
    }

    #[test]
    fn journals_and_torn_lines() {
        let line = |white: &str, black: &str, result: &str, pair: u64| {
            format!(
                "{{\"v\":1,\"white\":\"{white}\",\"x\":[{{}}],\"black\":\"{black}\",\"result\":\"{result}\",\"pair\":{pair}}}\n"
            )
        };
        let text = line("a", "b", "1-0", 0) + &line("b", "a", "0-1", 0) + &line("a", "b", "*", 1) + "{\"v\":1,";
        let found = collected(&text);
        assert_eq!((found.games(), found.unfinished, found.pairs_of(0)), (2, 1, Penta([0, 0, 0, 0, 1])));
        let mut file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(Collection::default().read(file.path()), Err(CollectError::Empty(_))));
        let bad = line("a", "b", "1-0", 0) + "\n" + &line("a", "b", "1-0", 0) + "{}\n" + &line("a", "b", "1-0", 0);
        io::Write::write_all(&mut file, bad.as_bytes()).unwrap();
        assert!(matches!(Collection::default().read(file.path()), Err(CollectError::Line { line: 4, .. })));
    }

    // Blocks end within lines, and players come in any order.
    #[test]
    fn journals_of_many_blocks_are_read_in_order() {
        const COUNT: u64 = 3 * crate::lines::BLOCK as u64 / 1000;
        let pad = "x".repeat(1000);
        let mut text = String::new();
        for id in 0..COUNT {
            let (white, black) = (id % 7, 7 + id * id % 5);
            text += &format!(
                "{{\"moves\":\"{pad}\",\"white\":\"{white}\",\"black\":\"{black}\",\"result\":\"1-0\",\"pair\":{id}}}\n"
            );
        }
        let found = collected(&text);
        assert_eq!(found.games() as u64, COUNT);
        for (id, game) in (0..).zip(&found.games) {
            let name = |player: u32| found.names()[player as usize].parse::<u64>().unwrap();
            assert_eq!((name(game.white), name(game.black)), (id % 7, 7 + id * id % 5));
            assert_eq!(game.cluster, Some(1 << 44 | id));
        }
    }
}
