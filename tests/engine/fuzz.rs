//! Fuzzing of everything that reads: FEN, move lists, protocol lines, algebraic notation, PGN.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests say what they counted")]

#[path = "../fuzz/mod.rs"]
mod fuzz;

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::movelist::play_items;
use crescendo::rules::notation::movetext::movetext;
use crescendo::rules::notation::pgn::PgnGame;
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::notation::san;
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use fuzz::Target;
use fuzz::words::{LINES, MOVES, PGN, POSITIONS, SANS};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

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

/// What is true of every position: its text gives it back, and it can be asked anything.
fn check_position(midturn: &Midturn) {
    let text = midturn.fen();
    assert!(text.len() < 400, "{text}");
    let (back, warnings) =
        fen::read(&text, midturn.rules(), Strictness::Lenient).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(warnings.is_empty(), "{text}: {warnings:?}");
    assert_eq!(back.midturn(), *midturn, "{text}");
    assert_eq!(midturn.count_legal(), midturn.legal().len() as u64, "{text}");
}

fn read_fen(text: &str) -> u64 {
    let mut behavior = Behavior::default();
    // The limit is for one reading, not for eighteen of a giant.
    let sets = if text.len() > 65_536 { &ALL[..1] } else { &ALL[..] };
    for &rules in sets {
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
    let (start, items) = split_input(text);
    let mut game = start.clone();
    let mut behavior = Behavior::default();
    behavior.note(game.rules().name);
    match play_items(&mut game, items.split_whitespace()) {
        Ok(()) => check_move_lists(&start, &game),
        Err(error) => behavior.note_error(&error.to_string()),
    }
    check_position(game.current());
    behavior.note((game.turns().len(), game.outcome().map(|outcome| outcome.reason()), magnitude(game.plies())));
    assert!(movetext(&game).len() <= 16 * game.plies() + 8);
    behavior.kind()
}

/// The canonical, the flat and the padded list lead to the same game.
fn check_move_lists(start: &Game, game: &Game) {
    let series: Vec<String> = game.turns().iter().map(|(_, series)| series.to_string()).collect();
    for list in [series.join(" "), series.join(" ").replace(',', " "), series.join(" ").replace(',', " 0000 ")] {
        let mut again = start.clone();
        play_items(&mut again, list.split(' ').filter(|item| !item.is_empty()))
            .unwrap_or_else(|e| panic!("{list}: {e}"));
        assert_eq!((again.turns(), again.current(), again.outcome()), (game.turns(), game.current(), game.outcome()));
    }
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
            // Writing is checked for some: a text may hold a hundred thousand games that are nothing but a result.
            Ok(game) if count < 100 => check_game(game, text.len(), &mut behavior),
            Ok(_) => 0,
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

/// The client's end of a session: keeps what the engine says.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Options that take memory, threads or files from the machine are not for dice.
fn is_harmless(line: &str) -> bool {
    let line = line.to_lowercase();
    !line.contains("setoption") || !["hash", "threads", "file"].into_iter().any(|word| line.contains(word))
}

/// A whole session of at most 12 lines that ends with the end of the input.
fn hold_session(text: &str) -> u64 {
    let lines: Vec<&str> = text.split('\n').filter(|line| is_harmless(line)).take(12).collect();
    let input = lines.join("\n");
    let heard = Heard::default();
    let _ = crescendo::run(["crescendo"], Cursor::new(input.clone().into_bytes()), heard.clone());
    let output = heard.0.lock().expect("no writer panics").clone();
    assert!(output.len() <= 100 * input.len() + 200_000, "{} bytes out for {} in", output.len(), input.len());
    let output = String::from_utf8(output).expect("UTF-8");
    let count = |word: &str| output.lines().filter(|line| line.split(' ').next() == Some(word)).count();
    assert!(count("bestmove") <= lines.iter().filter(|line| line.contains("go")).count(), "{output}");
    assert!(count("response") <= lines.iter().filter(|line| line.contains("query")).count(), "{output}");
    assert!(count("readyok") <= lines.iter().filter(|line| line.contains("isready")).count(), "{output}");
    let mut behavior = Behavior::default();
    for line in output.lines().filter(|line| !line.starts_with("info depth")).take(40) {
        line.split(' ').take(2).for_each(|word| behavior.note(word));
        behavior.note_error(line);
    }
    behavior.kind()
}

#[test]
fn fen_is_read_or_refused() {
    Target { name: "fen", words: POSITIONS, by_line: true, subject: read_fen, current: Mutex::default() }.fuzz();
}

#[test]
fn moves_are_played_or_refused() {
    Target { name: "moves", words: MOVES, by_line: true, subject: play_moves, current: Mutex::default() }.fuzz();
}

#[test]
fn sessions_survive_any_line() {
    Target { name: "protocol", words: LINES, by_line: false, subject: hold_session, current: Mutex::default() }.fuzz();
}

#[test]
fn san_is_read_or_refused() {
    Target { name: "san", words: SANS, by_line: true, subject: read_san, current: Mutex::default() }.fuzz();
}

#[test]
fn pgn_is_read_or_refused() {
    Target { name: "pgn", words: PGN, by_line: false, subject: read_pgn, current: Mutex::default() }.fuzz();
}
