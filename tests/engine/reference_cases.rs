//! Worked cases for the second generator where the golden records have few or none: Circe, Marseillais, take-all, English
//! rounds, and the forms of FEN. Each expectation was derived by hand from the text of the rules.

use super::reference::State;

fn state(rules: &str, fen: &str) -> State {
    State::parse(rules, fen).unwrap_or_else(|error| panic!("{error}: {fen}"))
}

/// The FEN after some moves.
fn after(rules: &str, fen: &str, legs: &str) -> String {
    let mut state = state(rules, fen);
    for leg in legs.split(' ') {
        state.play(leg).unwrap_or_else(|error| panic!("{error}"));
    }
    state.fen()
}

#[test]
fn circe_homes() {
    let cases = [
        // A rook taken on a light square comes back on h1 or a8, on a dark one on a1 or h8.
        ("7k/8/8/8/4r3/3P4/8/6K1 w - - 0 3", "d3e4", "r6k/8/8/8/4P3/8/8/6K1 w - - 0 3 2"),
        ("k7/8/8/4r3/3P4/8/8/K7 w - - 0 3", "d4e5", "k6r/8/8/4P3/8/8/8/K7 w - - 0 3 2"),
        // A bishop: c8 and f1 are light, f8 and c1 dark. A queen: its d-square on either color.
        ("7k/8/8/8/4b3/3P4/8/K7 w - - 0 3", "d3e4", "2b4k/8/8/8/4P3/8/8/K7 w - - 0 3 2"),
        ("8/7k/3p4/4B3/8/8/8/K7 b - - 0 2", "d6e5", "8/7k/8/4p3/8/8/8/K1B5 b - - 0 2 1"),
        ("7k/8/8/4q3/3P4/8/8/K7 w - - 0 3", "d4e5", "3q3k/8/8/4P3/8/8/8/K7 w - - 0 3 2"),
        // A pawn on its second rank, also after en passant; it may step twice again.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6", "4k3/3p4/3P4/8/8/8/8/4K3 w - - 0 3 2"),
        // A man taken on its own home square finds it occupied.
        ("4k2r/6P1/8/8/8/8/8/4K3 w k - 0 3", "g7h8n", "4k2N/8/8/8/8/8/8/4K3 w - - 0 3 2"),
    ];
    for (fen, legs, expected) in cases {
        assert_eq!(after("circe", fen, legs), expected, "{fen} {legs}");
    }
    // A reborn rook is no longer a castling rook, whatever stood on its home square before.
    let reborn = after("circe", "4k3/8/8/3p4/4R3/8/8/4K3 b - - 0 2", "d5e4 e8f7");
    assert_eq!(reborn, "8/5k2/8/8/4p3/8/8/4K2R w - - 0 3");
    assert!(!state("circe", &reborn).legal().contains(&"e1g1".to_owned()));
}

#[test]
fn marseillais_takes_twice_en_passant() {
    let start = "4k3/8/8/PpPpP3/8/8/8/4K3 w - b6,d6 0 5";
    assert_eq!(after("marseillais", start, "a5b6"), "4k3/8/1P6/2PpP3/8/8/8/4K3 w - d6 0 5 1");
    assert_eq!(after("marseillais", start, "a5b6 e5d6"), "4k3/8/1P1P4/2P5/8/8/8/4K3 b - - 0 6");
    // Any other first move ends the right, and the other games have no second capture.
    assert_eq!(after("marseillais", start, "a5a6"), "4k3/8/P7/1pPpP3/8/8/8/4K3 w - - 0 5 1");
    assert_eq!(after("italian", start, "a5b6"), "4k3/8/1P6/2PpP3/8/8/8/4K3 w - - 0 5 4");
}

#[test]
fn marseillais_draws() {
    let mut game = state("marseillais", "4k2r/8/8/8/8/8/8/R3K3 w - - 0 5");
    for series in ["a1a2 a2a3", "h8h7 h7h6", "a3a2 a2a1", "h6h7 h7h8"].repeat(2) {
        assert_eq!(game.status(), "ongoing");
        series.split(' ').for_each(|leg| game.play(leg).expect("a rook move"));
    }
    assert_eq!((game.status(), game.turn()), ("repetition", 13), "third time at the start of a turn");
    let mut game = state("marseillais", "4k2r/8/8/8/8/8/8/R3K3 w - - 99 5");
    ["a1a2", "a2a3"].iter().for_each(|leg| game.play(leg).expect("a rook move"));
    assert_eq!((game.status(), game.quiet()), ("ten-turns", 100));
}

#[test]
fn takeall_has_no_checks() {
    // Castling out of, through and into attack; promotion to king.
    let castling = state("takeall", "k3rrr1/8/8/8/8/8/P7/4K2R w K - 0 3");
    assert!(castling.legal().contains(&"e1g1".to_owned()));
    let promotion = state("takeall", "8/P6p/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(promotion.legal(), ["a7a8b", "a7a8k", "a7a8n", "a7a8q", "a7a8r"]);
    // The last man may be a king; the win is at once, in the middle of the series.
    let mut game = state("takeall", "k7/1P6/8/8/8/8/8/8 w - - 0 3");
    game.play("b7a8k").expect("a capture");
    assert_eq!((game.status(), game.winner(), game.turn()), ("takeall", Some('w'), 4));
    // A captured king takes its rights with it.
    let taken = after("takeall", "4k2r/3P4/8/8/8/8/8/8 w k - 0 3", "d7e8k");
    assert_eq!(taken, "4K2r/8/8/8/8/8/8/8 w - - 0 3 2");
}

#[test]
fn english_rounds() {
    // Both men have moved: the round is over and both may move again.
    let fen = "8/8/6k1/8/8/8/P7/K7 w - - 0 5";
    assert_eq!(after("english", fen, "a2a3"), "8/8/6k1/8/8/P7/8/K7 w - - 0 5 4 m=a3");
    assert_eq!(after("english", fen, "a2a3 a1b1"), "8/8/6k1/8/8/P7/8/1K6 w - - 0 5 3 m=a3,b1");
    assert_eq!(after("english", fen, "a2a3 a1b1 b1a1"), "8/8/6k1/8/8/P7/8/K7 w - - 0 5 2 m=a1");
    // A blocked marked man loses its mark with the others: nobody catches up, nobody is behind.
    let blocked = after("english", "8/8/6k1/p7/P7/8/8/K7 w - - 0 5 4 m=a4", "a1b1 b1a1");
    assert_eq!(blocked, "8/8/6k1/p7/P7/8/8/K7 w - - 0 5 2 m=a1");
}

#[test]
fn fen_forms() {
    let cases = [
        // 4 and 5 fields; full-move numbers; squares without commas; rights and targets that cannot be.
        ("italian", "4k3/8/8/8/8/8/P7/4K3 b - -", "4k3/8/8/8/8/8/P7/4K3 b - - 0 2"),
        ("italian", "4k3/8/8/8/8/8/P7/4K3 w - - 4", "4k3/8/8/8/8/8/P7/4K3 w - - 4 1"),
        ("italian", "4k3/8/8/8/8/8/P7/4K3 w - - 0 2", "4k3/8/8/8/8/8/P7/4K3 w - - 0 3"),
        ("italian", "4k3/8/8/8/8/8/P7/4K3 b - - 0 3", "4k3/8/8/8/8/8/P7/4K3 b - - 0 6"),
        ("italian", "4k3/8/8/3pPp2/8/8/8/4K3 w - f6d6 0 5", "4k3/8/8/3pPp2/8/8/8/4K3 w - d6,f6 0 5"),
        ("italian", "4k3/8/8/3pP3/8/8/8/4K2R w KQ d6,f6,e3 0 5", "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 5"),
        ("logical", "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 5", "4k3/8/8/3pP3/8/8/8/4K2R w - - 0 5"),
        // Mid-series: the mover's own double steps, also under a man; not the opponent's.
        ("italian", "4k3/8/8/3pP3/1p6/P1P5/8/4K3 w - a3 0 5 4", "4k3/8/8/3pP3/1p6/P1P5/8/4K3 w - - 0 5 4"),
        ("italian", "4k3/8/8/3pP3/Pp6/N7/8/4K3 w - a3,d6 0 5 4", "4k3/8/8/3pP3/Pp6/N7/8/4K3 w - a3 0 5 4"),
        ("italian", "4k3/8/8/8/8/8/P7/4K3 w - - 0 5 5", "4k3/8/8/8/8/8/P7/4K3 w - - 0 5"),
    ];
    for (rules, fen, expected) in cases {
        assert_eq!(state(rules, fen).fen(), expected, "{rules} {fen}");
    }
    let refused = [
        "4k3/8/8/8/8/8/P7/4K3 w -",
        "4k3/8/8/8/8/8/P7/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/P6/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w KK - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - e9 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 11 5",
        "4k3/8/8/8/8/8/P7/4K3 w - - 12 5 4",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 0",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 256",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 5 6",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 5 4 m=a2",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 5 4 m=a2 x",
        "4k3/8/8/8/8/8/P7/8 w - - 0 5",
        "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 5 4",
    ];
    for fen in refused {
        assert!(State::parse("italian", fen).is_err(), "{fen}");
    }
    let mut game = state("italian", "4k3/P7/8/8/8/8/8/4K2R w K - 0 3");
    game.play("e1h1").expect("castling as king takes rook");
    game.play("A7A8=B").expect("promotion in capitals");
    assert_eq!(game.fen(), "B3k3/8/8/8/8/8/8/5RK1 w - - 0 3 1");
}

#[test]
fn game_ends_with_turn_255() {
    let mut game = state("italian", "r3k3/8/8/8/8/8/8/R3K3 w - - 0 255 1");
    game.play("a1a2").expect("a rook move");
    assert_eq!((game.status(), game.winner()), ("turn-limit", None));
    let mut game = state("italian", "k7/2K5/8/8/8/8/8/7R w - - 0 255 1");
    game.play("h1a1").expect("mate");
    assert_eq!(game.status(), "mate", "mate comes first");
}
