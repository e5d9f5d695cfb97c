//! Games of files: journals of this runner and PGN of any program. Every game is replayed; one that cannot be costs itself only.

use crate::lines::{Block, by_blocks};
use crate::record::GameEnd;
use crate::stats::counts::Points;
use crescendo::rules::game::Game;
use crescendo::rules::movelist::replay;
use crescendo::rules::notation::pgn::{PgnGame, PgnResult, read::games};
use crescendo::rules::table::Rules;
use serde::Deserialize;
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A game of a file.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its number in the schedule of its run, from 0; games of a journal have one.
    pub id: Option<u64>,
    /// How many of its series belong to the opening; games of a journal tell.
    pub book: Option<usize>,
    /// The moves.
    pub game: Game,
    /// White's points; `None` without a result.
    pub points: Option<Points>,
    /// How it ended, in one word of [`GameEnd::reason`]; for a PGN game that did not end on the board its tag `Termination`, or `agreed or resigned`.
    pub reason: String,
}

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line, place and reason.
    pub text: String,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// A file without a single game.
    #[error("{}: no game in it; expected games.jsonl of a run, or PGN", .0.display())]
    Empty(PathBuf),
}

/// What of a journal's line matters here: the rest is skipped, which is most of the time saved.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    book: Option<usize>,
    #[serde(borrow)]
    rules: Cow<'a, str>,
    #[serde(borrow, default)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    end: GameEnd,
}

/// Tells of every game of a file in order: a journal if it begins with a brace, otherwise PGN, whose games have the rules `default` if they do not name
/// theirs. Journals are read by all processors.
///
/// # Errors
/// See [`ReadError`].
pub fn each(
    path: &Path,
    default: &'static Rules,
    visit: &mut dyn FnMut(Result<StoredGame, Unreadable>),
) -> Result<(), ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let mut reader = BufReader::new(File::open(path).map_err(io)?);
    let is_journal = reader.fill_buf().map_err(io)?.first() == Some(&b'{');
    let mut count = 0_usize;
    let mut take = |game| {
        count += 1;
        visit(game);
    };
    if is_journal {
        let work = |block: Block<'_>| -> Vec<_> { block.lines().map(|(number, line)| of_line(number, line)).collect() };
        let mut take = |games: Vec<_>| {
            games.into_iter().for_each(&mut take);
            ControlFlow::Continue(())
        };
        by_blocks(reader, work, &mut take).map_err(io)?;
    } else {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(io)?;
        for (number, game) in (1..).zip(games(&String::from_utf8_lossy(&bytes), default)) {
            take(of_pgn(number, game.map_err(|error| error.to_string())));
        }
    }
    if count == 0 { Err(ReadError::Empty(path.to_owned())) } else { Ok(()) }
}

fn of_line(number: usize, text: &[u8]) -> Result<StoredGame, Unreadable> {
    let bad = |text: String| Unreadable { number, text: format!("line {number}: {text}") };
    let line: Line<'_> = serde_json::from_slice(text).map_err(|error| bad(error.to_string()))?;
    let game = replay(&line.rules, line.fen.as_deref(), &line.moves).map_err(|error| bad(error.to_string()))?;
    let (points, reason) = (line.end.points(), line.end.reason().to_owned());
    Ok(StoredGame { number, id: line.id, book: line.book, game, points, reason })
}

fn of_pgn(number: usize, game: Result<PgnGame, String>) -> Result<StoredGame, Unreadable> {
    let game = game.map_err(|text| Unreadable { number, text })?;
    let points = match game.result {
        PgnResult::White => Some(Points::One),
        PgnResult::Black => Some(Points::Zero),
        PgnResult::Draw => Some(Points::Half),
        PgnResult::Open => None,
    };
    let reason = match (game.game.outcome(), points, game.tag("Termination")) {
        (Some(outcome), ..) => outcome.reason(),
        (None, None, _) => "unfinished",
        (None, Some(_), Some(tag)) if !tag.eq_ignore_ascii_case("normal") => tag,
        (None, Some(_), _) => "agreed or resigned",
    };
    Ok(StoredGame { number, id: None, book: None, points, reason: reason.to_owned(), game: game.game })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::ITALIAN;
    use std::io::Write as _;

    fn read(text: &str) -> Result<Vec<Result<StoredGame, Unreadable>>, ReadError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut found = Vec::new();
        each(file.path(), &ITALIAN, &mut |game| found.push(game))?;
        Ok(found)
    }

    fn said(found: &[Result<StoredGame, Unreadable>]) -> Vec<String> {
        let text = |game: &Result<StoredGame, Unreadable>| match game {
            Ok(game) => format!("{} {:?} {} {}", game.number, game.points, game.reason, game.game.plies()),
            Err(bad) => format!("{} bad: {}", bad.number, bad.text),
        };
        found.iter().map(text).collect()
    }

    #[test]
    fn pgn_and_what_is_wrong_with_it() {
        let found = read(
            "1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n[Termination \"time forfeit\"]\n\n1. e4 0-1\n\n1. e4 e5 2. e9 *\n\n1. e4 1/2-1/2\n\n1. e4 *",
        );
        let expected = [
            "1 Some(One) mate 6",
            "2 Some(Zero) time forfeit 1",
            "3 bad: game 3 line 7 turn 2 leg 2: 'e9': not a move",
            "4 Some(Half) agreed or resigned 1",
            "5 None unfinished 1",
        ];
        let found = said(&found.unwrap());
        assert_eq!((&found[..2], &found[3..]), (&expected.map(String::from)[..2], &expected.map(String::from)[3..]));
        assert!(found[2].starts_with("3 bad: game 3 line 7 turn 2 leg 2: "), "{}", found[2]);
    }

    #[test]
    fn journals_in_order_whatever_the_number_of_threads() {
        let line =
            |moves: &str| format!("{{\"rules\":\"italian\",\"moves\":\"{moves}\",\"end\":{{\"kind\":\"aborted\"}}}}\n");
        let mut text: String = (0..5000).map(|i| line(["e2e4", "d2d4 d7d5"][i % 2])).collect();
        text += &line("e2e5");
        text += "{\"torn";
        let found = said(&read(&text).unwrap());
        assert_eq!(found.len(), 5001);
        assert_eq!(found[..2], ["1 None aborted 1", "2 None aborted 2"]);
        assert_eq!(found[4999], "5000 None aborted 2");
        assert!(found[5000].starts_with("5001 bad: line 5001: move-illegal: turn 1 leg 1 'e2e5'"), "{}", found[5000]);
    }

    #[test]
    fn nothing_in_it() {
        assert!(matches!(read(""), Err(ReadError::Empty(_))));
        let missing = each(Path::new("no-such-file"), &ITALIAN, &mut |_| {}).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-file: "), "{missing}");
    }
}
