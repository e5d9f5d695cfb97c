//! Indexed files of openings: little memory and little time, however many lines there are.
//!
//! Of a file only the place of every sixteenth opening is kept, and of a random order one number an opening. Files of up to
//! [`CHECKED`] openings are checked line by line when they are opened; of longer ones the first so many lines, and each other
//! one when it is first played.

use super::games::cut;
use super::{LineFault, Opening, content};
use crescendo::rules::notation::pgn::error::PgnError;
use crescendo::rules::table::Rules;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// How many openings of a file are checked when it is opened.
pub const CHECKED: u32 = 20_000;
/// The place of every so-manyth opening is kept; those between are found by reading on.
const STRIDE: u32 = 16;
/// How much is read at a time in search of an opening.
const CHUNK: usize = 4096;

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
    /// A game is bad.
    #[error("{}: {fault}", file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// What is wrong, with the game and its line.
        fault: Box<PgnError>,
    },
    /// There is no game in it that is long enough.
    #[error("{}: no game of {rules} chess with {turns} turns and something left to play", file.display())]
    NoGame {
        /// The file.
        file: PathBuf,
        /// The name of the rules.
        rules: &'static str,
        /// How many turns openings are to have.
        turns: usize,
    },
    /// There is no opening in it.
    #[error("{}: no opening in the file; expected lines such as e2e4 e7e5,f7f6", .0.display())]
    Empty(PathBuf),
}

/// In which order the openings of a suite are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the file.
    Sequential,
    /// Shuffled by this seed.
    Random(u64),
}

impl Order {
    /// The numbers below `count` in this order; none if it is their own.
    fn numbers(self, count: u32) -> Vec<u32> {
        match self {
            Self::Sequential => Vec::new(),
            Self::Random(seed) => shuffled(count, seed),
        }
    }
}

/// Where a line begins, and its number from 1.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    line: u32,
}

/// Where the lines of a suite are.
#[derive(Debug)]
enum Lines {
    /// In a file; the places of every sixteenth opening, the first among them.
    Indexed(File, Vec<Place>),
    /// Cut out of games, with the games' numbers.
    Held(Vec<(usize, String)>),
}

/// An indexed file of openings.
#[derive(Debug)]
pub struct Suite {
    path: PathBuf,
    rules: &'static Rules,
    /// How many openings there are.
    count: u32,
    lines: Lines,
    /// The openings in the order of play; empty if that is the order of the file.
    order: Vec<u32>,
}

impl Suite {
    /// Indexes a file and checks its first [`CHECKED`] openings.
    ///
    /// # Errors
    /// See [`SuiteError`].
    pub fn open(path: &Path, rules: &'static Rules, order: Order) -> Result<Self, SuiteError> {
        let io = |source| SuiteError::Io { file: path.to_owned(), source };
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(io)?);
        let (mut places, mut offset, mut bytes, mut count) = (Vec::new(), 0, Vec::new(), 0u32);
        for line in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).map_err(io)?;
            if read == 0 {
                break;
            }
            if counts(&bytes) {
                if count < CHECKED {
                    let fault = |fault| SuiteError::Line { file: path.to_owned(), line: line as usize, fault };
                    parse(&bytes, rules).map_err(fault)?;
                }
                if count.is_multiple_of(STRIDE) {
                    places.push(Place { offset, line });
                }
                count = count.checked_add(1).ok_or_else(|| io(io::Error::other("too many lines")))?;
            }
            offset += read as u64;
        }
        if count == 0 {
            return Err(SuiteError::Empty(path.to_owned()));
        }
        places.shrink_to_fit();
        let lines = Lines::Indexed(reader.into_inner(), places);
        Ok(Self { path: path.to_owned(), rules, count, lines, order: order.numbers(count) })
    }

    /// The first `turns` turns of each game of a PGN file, each opening once; games of other rules and shorter ones are left out.
    ///
    /// # Errors
    /// See [`SuiteError`].
    pub fn of_games(path: &Path, turns: usize, rules: &'static Rules, order: Order) -> Result<Self, SuiteError> {
        let lines = cut(path, turns, rules)?;
        let io = |source| SuiteError::Io { file: path.to_owned(), source };
        let count = u32::try_from(lines.len()).map_err(|_| io(io::Error::other("too many games")))?;
        if count == 0 {
            return Err(SuiteError::NoGame { file: path.to_owned(), rules: rules.name, turns });
        }
        let order = order.numbers(count);
        Ok(Self { path: path.to_owned(), rules, count, lines: Lines::Held(lines), order })
    }

    /// How many openings there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none; never the case for an opened suite.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The opening at `number` in the order of play; numbers go round.
    ///
    /// # Errors
    /// The line is no opening, which is known of the first [`CHECKED`] only, or the file has changed since it was opened.
    pub fn opening(&self, number: u64) -> Result<Opening, SuiteError> {
        // Less than the count, so it fits.
        let at = (number % u64::from(self.count)) as usize;
        let (line, bytes) = self.line(self.order.get(at).copied().unwrap_or(at as u32))?;
        let opening =
            parse(&bytes, self.rules).map_err(|fault| SuiteError::Line { file: self.path.clone(), line, fault })?;
        Ok(Opening { line: Some(line), ..opening })
    }

    /// The line of an opening, by its number in the file from 0.
    fn line(&self, number: u32) -> Result<(usize, Vec<u8>), SuiteError> {
        let io = |source| SuiteError::Io { file: self.path.clone(), source };
        let (file, places) = match &self.lines {
            Lines::Indexed(file, places) => (file, places),
            Lines::Held(lines) => {
                let (game, text) = &lines[number as usize];
                return Ok((*game, text.clone().into_bytes()));
            }
        };
        let place = places[(number / STRIDE) as usize];
        let (mut left, mut line) = (number % STRIDE, place.line as usize);
        let (mut bytes, mut start, mut chunk) = (Vec::new(), 0, [0; CHUNK]);
        loop {
            while let Some(length) = bytes[start..].iter().position(|&byte| byte == b'\n') {
                let text = &bytes[start..start + length];
                if counts(text) {
                    if left == 0 {
                        return Ok((line, text.to_vec()));
                    }
                    left -= 1;
                }
                start += length + 1;
                line += 1;
            }
            let read = file.read_at(&mut chunk, place.offset + bytes.len() as u64).map_err(io)?;
            if read == 0 {
                // The last line, or the file has become shorter.
                return Ok((line, bytes[start..].to_vec()));
            }
            bytes.extend_from_slice(&chunk[..read]);
        }
    }
}

/// Whether a line is one that should be an opening.
fn counts(line: &[u8]) -> bool {
    line.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|&first| !matches!(first, b';' | b'#'))
}

fn parse(line: &[u8], rules: &'static Rules) -> Result<Opening, LineFault> {
    Opening::parse(content(&String::from_utf8_lossy(line)).unwrap_or_default(), rules)
}

/// The rules that the comments before the first opening name, as the head of a suite made by `openings make` does:
/// `--rules NAME`.
///
/// # Errors
/// The file cannot be read.
pub fn rules_in_head(path: &Path) -> io::Result<Option<&'static Rules>> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 || counts(&bytes) {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut words = text.split_whitespace().skip_while(|word| *word != "--rules");
        if let Some(rules) = words.nth(1).and_then(Rules::by_name) {
            return Ok(Some(rules));
        }
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
    use crescendo::rules::table::ITALIAN;
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
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        assert_eq!(rules_in_head(file.path()).unwrap(), None);
    }

    #[test]
    fn epd_is_read_by_its_turn_number() {
        let men = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        let text = format!("{men} fmvn 2;\n{men} id \"a; b moves c\"; bm e5; hmvc 0; fmvn 2; ; a comment\n");
        let suite = suite(&text).unwrap();
        assert_eq!(suite.len(), 2);
        for number in 0..2 {
            assert_eq!(suite.opening(number).unwrap().position_line(), format!("position fen {men} 0 2"));
        }
        let message = |operations: &str| super::tests::suite(&format!("{men} {operations}")).unwrap_err().to_string();
        assert!(message("id \"no number\";").contains("EPD: how many moves are due? Add fmvn N;"));
        assert!(message("fmvn 2; id \"no end;").contains("EPD: no ';' at the end of 'id \"no end;'"));
        assert!(message("fmvn two;").contains("EPD: fmvn takes a number, not 'two'"));
        assert!(message("fmvn 3;").contains("fen-parity"));
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

    // 72: past the lines that are checked at once, a line is found where it stands and checked when it is asked for.
    #[test]
    fn long_files_are_checked_as_they_are_played() {
        let mut text = "; Made by:\n; crescendo-runner openings make --rules scottish --count 9\n".to_owned();
        for number in 0..CHECKED + 50 {
            let comment = if number % 7 == 0 { "# a comment\n\n" } else { "" };
            text += comment;
            text += ["e2e4\n", "d2d4 ; the other\r\n", "c2c4 e7e5,f7f6\n"][number as usize % 3];
        }
        text += "e2e5\nb1c3";
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let suite = Suite::open(file.path(), &ITALIAN, Order::Sequential).unwrap();
        assert_eq!(suite.len(), CHECKED as usize + 52);
        let at = |number: u32| suite.opening(u64::from(number)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for number in [0, 1, 15, 16, 17, 6_000, CHECKED - 1, CHECKED + 1, CHECKED + 49] {
            let opening = at(number);
            assert_eq!(
                opening.position_line(),
                format!("position startpos moves {}", content(lines[opening.line.unwrap() - 1]).unwrap())
            );
            assert_eq!(opening.series(), if number % 3 == 2 { 2 } else { 1 });
        }
        assert_eq!((at(CHECKED + 51).line, at(CHECKED + 51).series()), (Some(lines.len()), 1));
        let error = suite.opening(u64::from(CHECKED) + 50).unwrap_err().to_string();
        assert!(error.contains(&format!(":{}: turn 1 leg 1 'e2e5'", lines.len() - 1)), "{error}");
        assert_eq!(rules_in_head(file.path()).unwrap().map(|rules| rules.name), Some("scottish"));
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
