//! What is known of the game's first turns, counted anew and looked up in the shipped books.

use crescendo::rules::game::Game;
use crescendo::rules::notation::san;
use crescendo::rules::position::Position;
use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};
use crescendo::search::book::check::{check, losing_series};
use crescendo::search::book::{Book, Claim};
use crescendo::solver::Solver;
use crescendo::types::series::Series;
use std::collections::HashSet;

/// First moves with Black's distinct replies, and how many of these lose to a mate in turn 3. The same under both rules.
const REPLIES: [(&str, usize, usize); 20] = [
    ("e3", 268, 147),
    ("e4", 269, 138),
    ("d4", 269, 16),
    ("c4", 269, 16),
    ("c3", 268, 16),
    ("f3", 268, 4),
    ("Nf3", 268, 4),
    ("g4", 267, 3),
    ("a3", 268, 7),
    ("a4", 268, 7),
    ("b3", 268, 7),
    ("d3", 268, 7),
    ("g3", 268, 7),
    ("h3", 268, 7),
    ("h4", 268, 7),
    ("Na3", 268, 7),
    ("Nc3", 268, 7),
    ("Nh3", 268, 7),
    ("f4", 269, 7),
    ("b4", 267, 7),
];

/// Replies that survive turn 3.
const SURVIVORS: [(&str, &[&str]); 3] = [
    (
        "e4",
        &["e5 f6", "e6 Ke7", "d5 Nc6", "d5 dxe4", "d5 f5", "d5 d4", "d5 e5", "e6 Nf6", "f5 Kf7", "e5 Nh6", "e5 Qe7"],
    ),
    ("d4", &["d5 c6", "c5 cxd4", "e5 exd4", "d6 Kd7"]),
    ("e3", &["Nc6 Nh6", "e6 Be7", "e6 f6"]),
];

const BOTH: [&Rules; 2] = [&ITALIAN, &SCOTTISH];

/// The position after these moves in SAN, and their series.
fn played(from: &Position, moves: &str) -> (Position, Series) {
    let mut game = Game::from_entry(crescendo::rules::setup::Entry::Between(*from));
    let mut series = Series::default();
    for text in moves.split_whitespace() {
        let mv = san::read(game.current(), text).unwrap_or_else(|error| panic!("{moves}: {error}"));
        series.push(mv);
        game.play(mv).unwrap();
    }
    (game.current().position().unwrap(), series)
}

/// The ends of these series.
fn ends<'a>(start: &Position, series: impl IntoIterator<Item = &'a Series>) -> HashSet<u64> {
    let end = |series: &Series| {
        let mut game = Game::from_entry(crescendo::rules::setup::Entry::Between(*start));
        series.iter().for_each(|&mv| assert!(game.play(mv).is_ok(), "{series}"));
        game.current().key()
    };
    series.into_iter().map(end).collect()
}

#[test]
fn which_replies_to_the_first_move_lose() {
    for rules in BOTH {
        let (start, mut solver) = (Position::start(rules), Solver::proving(1 << 22));
        for (first, all, lost) in REPLIES {
            let (position, _) = played(&start, first);
            let (losing, count) = losing_series(&position, &mut solver, u64::MAX).unwrap();
            assert_eq!((count, losing.len()), (all, lost), "{} 1.{first}", rules.name);
            let losing = ends(&position, losing.iter().map(|(series, _)| series));
            assert_eq!(losing.len(), lost);
            for reply in SURVIVORS.iter().filter(|(known, _)| *known == first).flat_map(|(_, replies)| *replies) {
                let (end, _) = played(&position, reply);
                assert!(!losing.contains(&end.begin().key()), "{} 1.{first} 2.{reply}", rules.name);
            }
        }
    }
}

#[test]
fn the_shipped_books_name_all_of_them() {
    for rules in BOTH {
        let (start, book) = (Position::start(rules), Book::shipped(rules).unwrap());
        assert_eq!(book.losing(), 2);
        for (first, _, lost) in REPLIES {
            let (position, _) = played(&start, first);
            let lines = &book.find(&position).unwrap_or_else(|| panic!("{} 1.{first}", rules.name)).lines;
            let named: Vec<&Series> = lines.iter().filter(|line| line.is_losing()).map(|line| &line.series).collect();
            assert_eq!((named.len(), ends(&position, named).len()), (lost, lost), "{} 1.{first}", rules.name);
            assert!(lines.iter().any(|line| line.weight > 0 && line.claim == Claim::Safe), "{} 1.{first}", rules.name);
        }
        for (first, reply) in [("e4", "e5 Nf6"), ("e3", "e5 e4")] {
            let (position, _) = played(&start, first);
            let (end, _) = played(&position, reply);
            let line = book
                .find(&position)
                .unwrap()
                .lines
                .iter()
                .find(|line| line.is_losing() && ends(&position, [&line.series]).contains(&end.begin().key()));
            assert_eq!(line.map(|line| line.weight), Some(0), "1.{first} 2.{reply}");
        }
    }
}

/// In the long tier every entry, otherwise turns 1 and 2 and every tenth of the others.
#[test]
fn the_shipped_books_are_proved_again() {
    let step = if cfg!(feature = "long") { 1 } else { 10 };
    for rules in BOTH {
        let (book, mut solver) = (Book::shipped(rules).unwrap(), Solver::proving(1 << 24));
        let turns: HashSet<u16> = book.entries().iter().map(|entry| entry.position.turn().number()).collect();
        assert_eq!(turns, HashSet::from([1, 2, 3, 4]), "{}", rules.name);
        assert_eq!(book.entries()[0].lines.len(), 20);
        for (i, entry) in book.entries().iter().enumerate() {
            if entry.position.turn().number() <= 2 || i % step == 0 {
                check(book, entry, &mut solver, u64::MAX, &mut |line, flaw| {
                    panic!("{} {}: {}: {flaw}", rules.name, entry.position.fen(), entry.lines[line].series);
                });
            }
        }
    }
}
