//! Positions: scenarios 33 to 37 (35 stands with search control).

use super::client::{Client, assert_complete, game, replay};

#[test]
fn s33_positions_that_are_none() {
    let bad = [
        ("blah", "fen-fields"),
        ("", "fen-fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "fen-fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1 1 1 1 1 1", "fen-fields"),
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "fen-kings"),
        ("rnbqkbnk/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "fen-kings"),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen-board"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen-board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNx w KQkq - 0 1", "fen-board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNP w Qkq - 0 1", "fen-pawns"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", "fen-castling"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "fen-side"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1", "fen-ep"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "fen-quiet"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", "fen-number"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3 4", "fen-left"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 2", "fen-"),
    ];
    let mut client = Client::start();
    for (fen, code) in bad {
        let said = client.ask(&format!("position fen {fen}"));
        assert!(said.starts_with(&format!("info string error {code}")), "{fen}: {said}");
        client.send("go");
        assert!(client.line().starts_with("info string error no-position: "), "{fen}");
        assert_eq!(client.line(), "bestmove (none)", "{fen}");
        assert!(client.ask("query fen").starts_with("info string error no-position: "), "{fen}");
        client.send("position startpos");
        client.send("go nodes 20");
        assert_complete(&game("startpos"), &client.best());
    }
    for line in ["position", "position moves e2e4", "position startpos e2e4", "position fen moves e2e4"] {
        assert!(client.ask(line).starts_with("info string error "), "{line}");
        assert!(client.ask("query fen").starts_with("info string error no-position: "), "{line}");
    }
    client.quit().assert_clean();
}

#[test]
fn s34_a_bad_leg_refuses_the_whole_position() {
    let mut client = Client::start();
    for (moves, error) in [
        ("e2e4 e7e5,g8f6 e4e5 d2d4", "move-illegal: turn 3 leg 1 'e4e5': the pawn on e4 cannot go to e5"),
        ("e2e4 e7e5,d8h4 e2e3", "move-illegal: turn 3 leg 1 'e2e3': no man on e2"),
        (
            "e2e4 e7e5,d7d6 f2f4,a2a3,b2b3 a7a6,d8h4",
            "move-early-check: turn 4 leg 2 'd8h4' gives check before the last move",
        ),
        ("e2e4 e7e5,zz f1c4", "move-syntax: turn 2 leg 2 'zz'"),
        ("e2e4 e7e5,g8f6,b8c6", "series-too-long: turn 2 leg 1 'e7e5,g8f6,b8c6'"),
        ("e2e4 e7e5,g8f6 f1c4,d1h5 a7a6", "series-incomplete: turn 3 leg 1 'f1c4,d1h5'"),
        ("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7 a7a6", "game-over: turn 4 leg 1 'a7a6'"),
        ("0000 e2e4", "move-illegal: turn 1 leg 1 '0000'"),
    ] {
        let said = client.ask(&format!("position startpos moves {moves}"));
        assert!(said.starts_with(&format!("info string error {error}")), "{moves}: {said}");
        client.send("go movetime 10");
        assert!(client.line().starts_with("info string error no-position: "));
        assert_eq!(client.line(), "bestmove (none)");
    }
    client.quit().assert_clean();
}

#[test]
fn s36_both_ways_to_write_castling() {
    const FEN: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 3";
    let after = |client: &mut Client, fen: &str, moves: &str| {
        client.send(&format!("position fen {fen} moves {moves}"));
        client.ask("query fen")
    };
    let mut client = Client::start();
    for (rook, king) in [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("E1H1", "e1g1"), ("a2a3,e1h1,f1e1", "a2a3,e1g1,f1e1")] {
        let (one, other) = (after(&mut client, FEN, rook), after(&mut client, FEN, king));
        assert_eq!(one, other);
        assert!(one.starts_with("response fen"), "{one}");
    }
    let black = FEN.replace(" w ", " b ").replace(" 0 3", " 0 4");
    assert_eq!(after(&mut client, &black, "e8h8"), after(&mut client, &black, "e8g8"));
    // Without the right the king does not take his own rook.
    let without = FEN.replace("KQkq", "Qkq");
    assert!(after(&mut client, &without, "e1h1").starts_with("info string error move-illegal: turn 3 leg 1 'e1h1'"));
}

#[test]
fn s37_three_forms_of_a_move_list() {
    let forms = [
        "e2e4 e7e5,g8f6 f1c4,d1h5",
        "e2e4 e7e5 g8f6 f1c4 d1h5",
        "e2e4 e7e5 0000 g8f6 f1c4 0000 d1h5",
        "e2e4 e7e5 0000 g8f6 f1c4 0000 d1h5 0000",
    ];
    let mut client = Client::start();
    let mut boards = Vec::new();
    for form in forms {
        client.send(&format!("position startpos moves {form}"));
        client.send("d");
        boards.push(client.sync());
        assert_eq!(client.ask("query series"), "response series f1c4,d1h5");
        // The answer is the rest of the series.
        client.send("go nodes 20");
        let best = client.best();
        assert!(!best.contains(','), "{best}");
        assert_complete(&replay(&game("startpos"), forms[0]), &best);
    }
    assert!(boards[0].len() > 10 && boards.iter().all(|board| *board == boards[0]), "{boards:#?}");
}
