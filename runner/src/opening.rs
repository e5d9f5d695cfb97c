//! Suites of openings: text files with an opening a line.
//!
//! A line is `series series … [; comment]`, or a FEN, perhaps with `moves series series …` behind it. Lines that are empty or
//! begin with `;` or `#` are comments. Only the offsets of lines are kept in memory.

use crescendo::rules::fen;
use crescendo::rules::game::{Game, PlayError};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::Rules;
use crescendo::types::moves::Move;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The moves before the first question of a game.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// The position it is told from, if not the start of the game.
    pub fen: Option<String>,
    game: Game,
}

/// Why a line is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// The FEN is bad.
    #[error("{0}; a FEN here has 6 fields, the last the turn number (odd = White to move)")]
    Fen(fen::FenError),
    /// Text that is no move.
    #[error("'{0}' is no move; write the moves of a turn with commas and blanks between turns, as in e2e4 e7e5,f7f6")]
    Syntax(String),
    /// A move the rules do not allow.
    #[error("turn {0} leg {1} '{2}': {3}")]
    Illegal(u16, usize, Move, PlayError),
    /// A turn with too few moves.
    #[error("turn {0} ends after {1} moves, but {2} more are due; openings end with a whole turn")]
    Short(u16, usize, u8),
    /// A turn with too many moves.
    #[error("turn {0} is over with leg {1}; write a blank, not a comma, before the next turn")]
    Long(u16, usize),
    /// Nothing would be left to play.
    #[error("the game is over with this opening ({0}); an opening must leave something to play")]
    Over(crescendo::rules::outcome::Outcome),
}

/// Why a suite cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A line is bad.
    #[error("{}:{line}: {fault}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: LineFault,
    },
    /// There is no opening in it.
    #[error("{}: no opening in the file; expected lines such as e2e4 e7e5,f7f6", .0.display())]
    Empty(PathBuf),
}

impl Opening {
    /// The start of the game.
    #[must_use]
    pub fn none(rules: &'static Rules) -> Self {
        Self { line: None, fen: None, game: Game::new(rules) }
    }

    /// Reads one line without its comment.
    ///
    /// # Errors
    /// See [`LineFault`].
    pub fn parse(text: &str, rules: &'static Rules) -> Result<Self, LineFault> {
        let (fen, moves) = match text.split_once(" moves ") {
            Some((fen, moves)) => (Some(fen.trim()), moves),
            None if text.contains('/') => (Some(text.trim()), ""),
            None => (None, text),
        };
        let fen = fen.filter(|fen| *fen != "startpos");
        let mut game = match fen {
            None => Game::new(rules),
            Some(fen) => Game::from_entry(fen::read(fen, rules, Strictness::Strict).map_err(LineFault::Fen)?.0),
        };
        for series in moves.split_whitespace() {
            play_series(&mut game, series)?;
        }
        match game.outcome() {
            Some(outcome) => Err(LineFault::Over(outcome)),
            None => Ok(Self { line: None, fen: fen.map(str::to_owned), game }),
        }
    }

    /// The game after the opening.
    #[must_use]
    pub fn game(&self) -> Game {
        self.game.clone()
    }

    /// How many series it has.
    #[must_use]
    pub fn series(&self) -> usize {
        self.game.turns().len()
    }

    /// The protocol's `position` line.
    #[must_use]
    pub fn position_line(&self) -> String {
        let mut line = match &self.fen {
            None => "position startpos".to_owned(),
            Some(fen) => format!("position fen {fen}"),
        };
        for (number, (_, series)) in self.game.turns().iter().enumerate() {
            line += if number == 0 { " moves " } else { " " };
            line += &series.to_string();
        }
        line
    }
}

/// Plays one whole turn.
fn play_series(game: &mut Game, series: &str) -> Result<(), LineFault> {
    let turn = game.current().turn();
    let mut legs = 0;
    for text in series.split(',') {
        if game.current().turn() != turn {
            return Err(LineFault::Long(turn.number(), legs));
        }
        legs += 1;
        let mv: Move = text.parse().map_err(|_| LineFault::Syntax(text.to_owned()))?;
        game.play(mv).map_err(|error| LineFault::Illegal(turn.number(), legs, mv, error))?;
    }
    if game.outcome().is_none() && game.current().turn() == turn {
        return Err(LineFault::Short(turn.number(), legs, game.current().left()));
    }
    Ok(())
}

/// The text of a line that counts, without its comment.
#[must_use]
pub fn content(line: &str) -> Option<&str> {
    let text = line.split(';').next().unwrap_or_default().trim();
    (!text.is_empty() && !text.starts_with('#')).then_some(text)
}

/// In which order the openings of a suite are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the file.
    Sequential,
    /// Shuffled by this seed.
    Random(u64),
}

/// Where a line that counts begins, and its number.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    line: u32,
}

/// An indexed file of openings.
#[derive(Debug)]
pub struct Suite {
    path: PathBuf,
    file: File,
    rules: &'static Rules,
    places: Vec<Place>,
    order: Vec<u32>,
}

impl Suite {
    /// Indexes a file and checks every line of it.
    ///
    /// # Errors
    /// See [`SuiteError`].
    pub fn open(path: &Path, rules: &'static Rules, order: Order) -> Result<Self, SuiteError> {
        let io = |source| SuiteError::Io { file: path.to_owned(), source };
        let mut reader = BufReader::new(File::open(path).map_err(io)?);
        let (mut places, mut offset, mut bytes) = (Vec::new(), 0, Vec::new());
        for line in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).map_err(io)?;
            if read == 0 {
                break;
            }
            if let Some(text) = content(&String::from_utf8_lossy(&bytes)) {
                let fault = |fault| SuiteError::Line { file: path.to_owned(), line: line as usize, fault };
                Opening::parse(text, rules).map_err(fault)?;
                places.push(Place { offset, line });
            }
            offset += read as u64;
        }
        if places.is_empty() {
            return Err(SuiteError::Empty(path.to_owned()));
        }
        let count = u32::try_from(places.len()).map_err(|_| io(io::Error::other("too many lines")))?;
        let order = match order {
            Order::Sequential => (0..count).collect(),
            Order::Random(seed) => shuffled(count, seed),
        };
        Ok(Self { path: path.to_owned(), file: reader.into_inner(), rules, places, order })
    }

    /// How many openings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none; never the case for an opened suite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The opening at `number` in the order of play; numbers go round.
    ///
    /// # Errors
    /// The file has changed since it was opened.
    pub fn opening(&self, number: u64) -> Result<Opening, SuiteError> {
        let at = usize::try_from(number % self.order.len() as u64).unwrap_or(0);
        let place = self.places[self.order[at] as usize];
        let io = |source| SuiteError::Io { file: self.path.clone(), source };
        let (mut bytes, mut chunk) = (Vec::new(), [0; 512]);
        while !bytes.contains(&b'\n') {
            let read = self.file.read_at(&mut chunk, place.offset + bytes.len() as u64).map_err(io)?;
            if read == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..read]);
        }
        let text = String::from_utf8_lossy(bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()).into_owned();
        let line = place.line as usize;
        let opening = Opening::parse(content(&text).unwrap_or_default(), self.rules)
            .map_err(|fault| SuiteError::Line { file: self.path.clone(), line, fault })?;
        Ok(Opening { line: Some(line), ..opening })
    }
}

/// The numbers below `count` in an order that `seed` decides, alike on every machine (Fisher and Yates).
fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<u32> = (0..count).collect();
    for last in (1..count).rev() {
        // The multiplication's high half is uniform but for less than one part in 2^32.
        let other = (rng.next_u64() as u128 * (u128::from(last) + 1)) >> 64;
        order.swap(last as usize, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::{ITALIAN, SCOTTISH};
    use std::io::Write;

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Suite::open(file.path(), &ITALIAN, Order::Sequential)
    }

    #[test]
    fn lines_fens_comments_and_any_line_ends() {
        let text = "; head\r\n\r\ne2e4 e7e5,f7f6 ; a comment\r\n# more\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2 moves e7e5,f7f6\nd2d4";
        let suite = suite(text).unwrap();
        assert_eq!(suite.len(), 4);
        let lines: Vec<String> = (0..4).map(|n| suite.opening(n).unwrap().position_line()).collect();
        assert_eq!(lines[0], "position startpos moves e2e4 e7e5,f7f6");
        assert!(lines[1].ends_with(" b KQkq - 0 2"), "{}", lines[1]);
        assert!(lines[2].ends_with(" 0 2 moves e7e5,f7f6"), "{}", lines[2]);
        assert_eq!(lines[3], "position startpos moves d2d4");
        assert_eq!(suite.opening(7).unwrap().line, Some(7));
    }

    #[test]
    fn bad_lines_are_named_with_what_is_wrong() {
        let message = |text: &str| suite(text).unwrap_err().to_string();
        assert!(message("e2e4\ne2e4 e7e5\n").contains(":2: turn 2 ends after 1 moves, but 1 more"));
        assert!(message("e2e4 e7e5,e7e6").contains(":1: turn 2 leg 2 'e7e6': no man on e7"));
        assert!(message("\n\ne4 e5").contains(":3: 'e4' is no move"));
        assert!(message("e2e4,e7e5").contains("turn 1 is over with leg 1"));
        assert!(message("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7").contains("the game is over"));
        assert!(message("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2").contains("fen-parity"));
        assert!(message("; only comments\n").contains("no opening in the file"));
        assert!(message("").contains("no opening in the file"));
    }

    #[test]
    fn a_check_may_end_a_turn_early() {
        assert!(Opening::parse("e2e4 f7f5,e7e6 d1h5", &SCOTTISH).is_ok());
    }

    #[test]
    fn every_order_is_a_permutation_and_all_places_are_alike() {
        let mut counts = [[0u32; 10]; 10];
        for seed in 0..10_000 {
            let order = shuffled(10, seed);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
            order.iter().enumerate().for_each(|(place, &item)| counts[place][item as usize] += 1);
        }
        let chi: f64 = counts.iter().flatten().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        // 81 degrees of freedom: 126.1 is the 99.9 % point.
        assert!(chi < 126.1, "{chi}");
    }
}
