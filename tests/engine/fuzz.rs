//! Fuzzing of everything that reads: FEN, move lists, algebraic notation, PGN.

#[path = "../fuzz/mod.rs"]
mod fuzz;

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::notation::movetext::movetext;
use crescendo::rules::notation::pgn::PgnGame;
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::notation::san;
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use crescendo::types::series::Series;
use fuzz::Target;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Kinds of behavior as a number.
#[derive(Default)]
struct Behavior(DefaultHasher);

impl Behavior {
    fn note(&mut self, what: impl Hash) {
        what.hash(&mut self.0);
    }

    /// Notes an error by its words, not by the squares and numbers in it.
    fn note_error(&mut self, error: &str) {
        let words = error
            .split_ascii_whitespace()
            .filter(|word| word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()));
        words.take(12).for_each(|word| self.note(word));
    }

    fn kind(&self) -> u64 {
        self.0.finish()
    }
}

/// About how large a number is.
fn magnitude(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

/// What is true of every position: its text gives it back, its key is no accident, and it can be asked anything.
fn check_position(midturn: &Midturn) {
    let text = midturn.fen();
    assert!(text.len() < 400, "{text}");
    let (back, warnings) =
        fen::read(&text, midturn.rules(), Strictness::Lenient).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(warnings.is_empty(), "{text}: {warnings:?}");
    assert_eq!(back.midturn(), *midturn, "{text}");
    assert_eq!(midturn.board().key(), midturn.board().key_from_scratch(), "{text}");
    assert_eq!(midturn.count_legal(), midturn.legal().len() as u64, "{text}");
}

fn read_fen(text: &str) -> u64 {
    let mut behavior = Behavior::default();
    for rules in ALL {
        match fen::read(text, rules, Strictness::Lenient) {
            Ok((entry, warnings)) => {
                let midturn = entry.midturn();
                check_position(&midturn);
                behavior.note((midturn.outcome().map(|o| o.reason()), matches!(entry, Entry::Between(_))));
                warnings.iter().for_each(|warning| behavior.note_error(&warning.to_string()));
            }
            Err(error) => {
                assert!(error.to_string().len() < text.len() + 200);
                assert!(fen::read(text, rules, Strictness::Strict).is_err(), "only the strict door is open");
                behavior.note_error(&error.to_string());
            }
        }
    }
    behavior.kind()
}

/// `rules | position | rest`: rules and position default to the start of an Italian game.
fn split_input(text: &str) -> (Game, &str) {
    let mut parts = text.splitn(3, '|');
    let rules: &'static Rules = parts.next().and_then(|name| Rules::by_name(name.trim())).unwrap_or(&ITALIAN);
    let position = parts.next().unwrap_or_default().trim();
    let game = match fen::read(position, rules, Strictness::Lenient) {
        Ok((entry, _)) => Game::from_entry(entry),
        Err(_) => Game::new(rules),
    };
    (game, parts.next().unwrap_or_default())
}

fn play_moves(text: &str) -> u64 {
    let (mut game, items) = split_input(text);
    let mut behavior = Behavior::default();
    behavior.note(game.rules().name);
    'items: for item in items.split_whitespace() {
        let series = match item.parse::<Series>() {
            Ok(series) => series,
            Err(error) => {
                behavior.note_error(&error.to_string());
                break;
            }
        };
        assert_eq!(series.to_string().parse().as_ref(), Ok(&series));
        for &mv in series.iter() {
            let before = *game.current();
            if let Err(error) = game.play(mv) {
                assert_eq!(*game.current(), before, "a refused move changes nothing");
                behavior.note_error(&error.to_string());
                break 'items;
            }
            check_position(game.current());
        }
    }
    behavior.note((game.turns().len(), game.outcome().map(|outcome| outcome.reason()), magnitude(game.plies())));
    let text = movetext(&game);
    assert!(text.len() <= 16 * game.plies() + 8);
    behavior.kind()
}

fn read_san(text: &str) -> u64 {
    let (mut game, words) = split_input(text);
    let mut behavior = Behavior::default();
    // One text is one move: that a thousand of them take a thousand times as long is no fault.
    for word in words.split(' ').take(1_000) {
        let midturn = *game.current();
        match san::read(&midturn, word) {
            Ok(mv) => {
                let written = san::write(&midturn, mv);
                assert_eq!(san::read(&midturn, &written).as_ref(), Ok(&mv), "{word} {written}");
                behavior.note((written.len(), written.ends_with(['+', '#'])));
                let _ = game.play(mv);
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.len() < 3_000, "{error}");
                behavior.note_error(&error);
            }
        }
    }
    behavior.note(magnitude(game.plies()));
    behavior.kind()
}

fn read_pgn(text: &str) -> u64 {
    let mut behavior = Behavior::default();
    for (count, game) in games(text, &ITALIAN).enumerate() {
        let found = match &game {
            Ok(game) => check_game(game, text.len(), &mut behavior),
            Err(error) => {
                assert!(error.game == count + 1 && error.line >= 1);
                assert!(error.to_string().len() < text.len() + 3_000);
                behavior.note_error(&error.to_string());
                1
            }
        };
        behavior.note(if count < 8 { found } else { 0 });
    }
    behavior.kind()
}

/// What was read can be written in both forms, and read again as the same game.
fn check_game(game: &PgnGame, input: usize, behavior: &mut Behavior) -> u32 {
    let canonical = game.canonical();
    // Four bytes for a lost byte, two for an escaped one; the head of a game is no longer than a kilobyte.
    assert!(canonical.len() <= 6 * input + 2_000, "{} of {input}", canonical.len());
    for text in [&canonical, &game.padded()] {
        let back: Vec<_> = games(text, &ITALIAN).take(2).collect();
        let [Ok(back)] = &back[..] else { panic!("{text}\n{back:?}") };
        assert_eq!(back.game.turns(), game.game.turns(), "{text}");
        assert_eq!(back.game.start(), game.game.start(), "{text}");
        assert_eq!(back.result, game.result);
        assert_eq!(back.canonical(), canonical);
    }
    for warning in game.warnings.iter().take(10) {
        behavior.note_error(&warning.to_string());
    }
    magnitude(game.game.plies()) * 100 + magnitude(game.comments.len()) * 10 + magnitude(game.tags.len())
}

const POSITIONS: &[&str] = &[
    "startpos",
    "w",
    "b",
    "KQkq",
    "-",
    "d6,f6",
    "e3d3",
    "0",
    "10",
    "11",
    "255",
    "m=f1,g1",
    "m=",
    "8/8/8/8/8/8/8/8",
    "/",
    "k",
    "K",
    "rnbqkbnr/pppppppp",
    "4k3",
    "pP",
    "1",
    "8",
    "italian",
    "scottish",
    "english",
    "takeall",
    "circe",
    "marseillais",
    "logical",
    "|",
];

const MOVES: &[&str] = &[
    "e2e4",
    "e7e5,g8f6",
    "f1c4,d1h5,h5f7",
    "0000",
    ",",
    "e1g1",
    "e8c8",
    "e1h1",
    "a7a8q",
    "a7b8=N",
    "h2h1k",
    "e5d6",
    "d7d5",
    "|",
    "scottish|",
    "english|",
    "takeall|",
    "circe|",
    "marseillais|",
    "E2E4",
    "e2e4,",
    "a1a1",
];

const SANS: &[&str] = &[
    "e4",
    "Nf3",
    "exd5",
    "O-O",
    "0-0-0",
    "e8=Q",
    "e8Q",
    "bxa1=N+",
    "Ng1f3",
    "e2-e4",
    "Bf1xe2",
    "exd6 e.p.",
    "Qxf7#",
    "!?",
    "++",
    "x",
    "K",
    "=",
    "B1c3",
    "E2E4",
    "(Q)",
    "|",
    "scottish|",
    "takeall|",
    "circe|",
];

const PGN: &[&str] = &[
    "[Event \"x\"]\n",
    "[Variant \"Scottish Progressive\"]\n",
    "[FEN \"",
    "[SetUp \"1\"]",
    "\"]",
    "\\\"",
    "\\\\",
    "{",
    "}",
    "(",
    ")",
    "$3",
    ";",
    "\n",
    "\n\n",
    "\r\n",
    "%",
    "1.",
    "2...",
    "3. ",
    "--",
    "Z0",
    "0000",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "e4",
    "e5",
    "Nf6",
    "Qxf7#",
    "O-O",
    "exd6",
    "e.p.",
    "[Variant \"",
    "[TurnFEN \"",
    "[Rules \"",
    "Progressive Take-All",
    "Circe Progressive",
    "!?",
    ",",
    "\u{feff}",
    "é",
    "[%clk 0:01]",
    "½-½",
    "Italian mate",
    "…",
];

#[test]
fn fen_is_read_or_refused() {
    Target { name: "fen", words: POSITIONS, by_line: true, subject: read_fen }.fuzz();
}

#[test]
fn moves_are_played_or_refused() {
    Target { name: "moves", words: MOVES, by_line: true, subject: play_moves }.fuzz();
}

#[test]
fn san_is_read_or_refused() {
    Target { name: "san", words: SANS, by_line: true, subject: read_san }.fuzz();
}

#[test]
fn pgn_is_read_or_refused() {
    Target { name: "pgn", words: PGN, by_line: false, subject: read_pgn }.fuzz();
}
