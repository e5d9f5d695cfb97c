//! Start and handshake: scenarios 1 to 10.

use super::client::{Client, HANG, assert_complete, game, milliseconds};
use std::time::Instant;

#[test]
fn s01_isready_and_debug_while_searching() {
    let mut client = Client::told(&["position startpos", "go infinite", "debug on", "isready"]);
    let lines = client.until_within("readyok", milliseconds(500));
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    client.send("stop");
    assert_complete(&game("startpos"), &client.best());
    client.assert_quiet();
}

#[test]
fn s02_answers_arrive_while_the_input_stays_open() {
    let mut client = Client::told(&["uci"]);
    assert!(client.until("uciok").len() > 10);
}

#[test]
fn s03_nothing_is_said_unasked() {
    let mut client = Client::start();
    assert_eq!(client.line_within(milliseconds(2000)), None);
    client.assert_quiet();
}

#[test]
fn s04_only_id_and_option_up_to_uciok() {
    let mut client = Client::told(&["uci"]);
    let lines = client.until("uciok");
    let (last, lines) = lines.split_last().unwrap();
    assert_eq!(last, "uciok");
    for line in lines {
        assert!(line.starts_with("id ") || line.starts_with("option name "), "{line}");
        assert_eq!(line.trim(), line);
    }
}

#[test]
fn s05_three_times_uci() {
    let mut client = Client::told(&["uci"]);
    let first = client.until("uciok");
    client.send("setoption name UCI_Variant value marseillais");
    client.send("uci");
    assert_eq!(client.until("uciok"), first);
    client.send("uci");
    assert_eq!(client.until("uciok"), first);
    // The value has been kept: turn 3 of this game has two legs.
    client.send("position startpos moves e2e4 e7e5,g8f6");
    assert_eq!(client.ask("query left"), "response left 2");
}

#[test]
fn s06_uci_is_quick_whatever_the_hash() {
    let start = Instant::now();
    let mut client = Client::told(&["setoption name Hash value 65536", "uci"]);
    client.until_within("uciok", milliseconds(2000));
    assert!(start.elapsed() < milliseconds(2000));
    // Half of what is free is allowed, and costs nothing before it is needed.
    let mut client = Client::told(&["setoption name Hash value 1024", "uci"]);
    assert!(client.until_within("uciok", milliseconds(2000))[0].starts_with("id name"));
}

#[test]
fn s07_stop_without_search() {
    let mut client = Client::told(&["uci", "stop", "quit"]);
    client.until("uciok");
    let ended = client.end();
    ended.assert_clean();
    assert!(ended.rest.is_empty(), "{:?}", ended.rest);
}

/// The steps of the check of conformance that a popular tournament runner makes, as far as they concern an engine.
#[test]
fn s08_a_runners_own_check() {
    let mut client = Client::told(&["uci"]);
    let hello = client.until("uciok");
    assert!(
        hello.iter().any(|line| line.starts_with("id name "))
            && hello.iter().any(|line| line.starts_with("id author "))
    );
    for option in ["Hash", "Threads"] {
        assert!(hello.iter().any(|line| line.starts_with(&format!("option name {option} type spin"))), "{option}");
        client.send(&format!("setoption name {option} value 1"));
    }
    client.assert_quiet();
    client.send("ucinewgame");
    client.assert_quiet();
    let positions = [
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "position fen 5k2/3r1p2/1p3pp1/p2n3p/P6P/1PPR1PP1/3KN3/6b1 w - - 0 27",
    ];
    let limits = [
        "go wtime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go wtime 100 winc 100 btime 100 binc 100 movestogo 100",
        "go nodes 1000",
        "go depth 1",
        "go movetime 100",
    ];
    for position in positions {
        for limit in limits {
            client.send(position);
            let start = Instant::now();
            client.send(limit);
            let lines = client.until("bestmove");
            assert!(start.elapsed() < HANG / 4, "{position} {limit}");
            let line = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("a line with a score");
            assert!(line.contains(" score cp ") || line.contains(" score mate "), "{line}");
            assert!(!lines.iter().any(|line| line.starts_with("info string error")), "{position} {limit}: {lines:?}");
            assert_ne!(lines.last().unwrap(), "bestmove (none)", "{position}");
        }
    }
    client.quit().assert_clean();
}

#[test]
fn s09_stray_text_is_marked() {
    let mut client = Client::told(&["help", "eval", "nonsense", "go nodes 50 nonsense"]);
    client.until("bestmove");
    client.send("help");
    for line in client.sync() {
        assert!(line.starts_with("info "), "{line}");
    }
}

#[test]
fn s10_lines_never_mix() {
    let mut client = Client::told(&["setoption name Threads value 4", "setoption name MultiPV value 4", "go infinite"]);
    client.send_bytes("isready\n".repeat(1000).as_bytes());
    client.send("stop");
    let (mut ready, mut best) = (0, 0);
    while ready < 1000 || best < 1 {
        let line = client.line();
        match line.split(' ').next() {
            Some("readyok") if line == "readyok" => ready += 1,
            Some("bestmove") => best += 1,
            Some("info") => {}
            _ => panic!("{line}"),
        }
    }
    assert_eq!((ready, best), (1000, 1));
    client.assert_quiet();
}
