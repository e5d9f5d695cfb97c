//! Games of files: journals of this runner and PGN of any program. Every game is replayed; one that cannot be costs itself only.

use crate::record::GameEnd;
use crate::stats::counts::Points;
use crescendo::rules::game::Game;
use crescendo::rules::movelist::replay;
use crescendo::rules::notation::pgn::{PgnGame, PgnResult, read::games};
use crescendo::rules::table::Rules;
use serde::Deserialize;
use std::borrow::Cow;
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// A game of a file.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its number in the file, from 1.
    pub number: usize,
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
    #[serde(borrow)]
    rules: Cow<'a, str>,
    #[serde(borrow, default)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    end: GameEnd,
}

/// Games of a piece of a file, in order.
type Piece = Vec<Result<StoredGame, Unreadable>>;

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
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut count = 0_usize;
    let mut take = |game| {
        count += 1;
        visit(game);
    };
    if text.starts_with('{') {
        // A line without its end was torn by a crash.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        in_pieces(whole, &mut take);
    } else {
        for (number, game) in (1..).zip(games(&text, default)) {
            take(of_pgn(number, game.map_err(|error| error.to_string())));
        }
    }
    if count == 0 { Err(ReadError::Empty(path.to_owned())) } else { Ok(()) }
}

/// Lines that one processor takes at a time.
const BLOCK: usize = 2048;

/// Reads the lines by all processors, and tells of them in order.
fn in_pieces(text: &str, take: &mut dyn FnMut(Result<StoredGame, Unreadable>)) {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    // One round at a time, so that a long journal needs little memory.
    for round in lines.chunks(BLOCK * workers) {
        let pieces: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = round
                .chunks(BLOCK)
                .map(|block| {
                    scope.spawn(move || -> Piece { block.iter().map(|&(n, line)| of_line(n, line)).collect() })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for piece in pieces {
            // A panic of one thread is that of all.
            piece.unwrap_or_else(|panic| std::panic::resume_unwind(panic)).into_iter().for_each(&mut *take);
        }
    }
}

fn of_line(number: usize, text: &str) -> Result<StoredGame, Unreadable> {
    let bad = |text: String| Unreadable { number, text: format!("line {number}: {text}") };
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
    let game = replay(&line.rules, line.fen.as_deref(), &line.moves).map_err(|error| bad(error.to_string()))?;
    Ok(StoredGame { number, game, points: line.end.points(), reason: line.end.reason().to_owned() })
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
    Ok(StoredGame { number, points, reason: reason.to_owned(), game: game.game })
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
