//! Search limits: scenarios 24 to 32.

use super::client::{Client, assert_complete, best_of, game, milliseconds, replay, word_after};
use std::time::{Duration, Instant};

/// Every man of the start position, late in the game: a long series.
fn late(turn: u16) -> String {
    format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq - 0 {turn}", if turn % 2 == 1 { 'w' } else { 'b' })
}

/// The lines and the time of one search.
fn search(client: &mut Client, go: &str) -> (Vec<String>, Duration) {
    let start = Instant::now();
    client.send(go);
    let lines = client.until("bestmove");
    (lines, start.elapsed())
}

#[test]
fn s24_movetime_in_a_long_series() {
    let mut client = Client::told(&[&format!("position fen {}", late(20)), "isready"]);
    client.until("readyok");
    let (lines, took) = search(&mut client, "go movetime 500");
    assert!(took < milliseconds(5000), "{took:?}");
    assert_complete(&game(&late(20)), &best_of(&lines));
}

#[test]
fn s24_every_keyword_is_known() {
    let mut client = Client::told(&[&format!("position fen {}", late(3))]);
    let all =
        "go searchmoves e2e4 wtime 1000 btime 1000 winc 10 binc 10 movestogo 3 depth 2 nodes 1000 mate 1 movetime 50";
    let (lines, _) = search(&mut client, all);
    assert!(best_of(&lines).starts_with("e2e4,"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("info string error")), "{lines:?}");
    for one in ["ponder", "infinite"] {
        client.send(&format!("go {one} nodes 10"));
        assert!(!client.sync().iter().any(|line| line.starts_with("bestmove")));
        client.send("stop");
        client.best();
    }
}

#[test]
fn s25_no_time_at_all() {
    for turn in [1, 2, 15] {
        let mut client = Client::told(&[&format!("position fen {}", late(turn)), "isready"]);
        client.until("readyok");
        let times =
            ["movetime 0", "movetime -1", "wtime 0 btime -2 winc 20", "wtime -170671 btime 5", "btime 0 wtime 0"];
        for time in times {
            let (lines, took) = search(&mut client, &format!("go {time}"));
            assert!(took < milliseconds(1000), "{time}: {took:?}");
            assert_complete(&game(&late(turn)), &best_of(&lines));
        }
    }
}

#[test]
fn s26_own_clock_missing() {
    let mut client = Client::told(&["position startpos"]);
    let (lines, took) = search(&mut client, "go btime 885300");
    // A forced mate or a shallow tree may end it sooner; it must only not go on for ever.
    assert!(took < milliseconds(10_000), "{took:?}");
    assert_complete(&game("startpos"), &best_of(&lines));
}

#[test]
fn s27_moves_to_go() {
    let mut client = Client::start();
    for n in ["0", "1", "1000", "-3", "99999999999999999999"] {
        let (lines, took) = search(&mut client, &format!("go wtime 200 btime 200 movestogo {n}"));
        assert!(took < milliseconds(2000), "{n}: {took:?}");
        assert_complete(&game("startpos"), &best_of(&lines));
    }
}

/// The longest game the rules allow would see 255 turns; a clock must survive them, and turn 255 has 255 legs.
#[test]
fn s27_the_last_turns() {
    for turn in [249, 250, 254, 255] {
        let fen = late(turn);
        let mut client = Client::told(&[&format!("position fen {fen}")]);
        let (lines, took) = search(&mut client, "go wtime 1000 btime 1000");
        assert!(took < milliseconds(10_000), "{turn}: {took:?}");
        assert_complete(&game(&fen), &best_of(&lines));
    }
}

#[test]
fn s28_searchmoves_in_any_order() {
    let mut client = Client::told(&["position startpos moves e2e4"]);
    for go in [
        "go searchmoves e7e5 depth 1 movetime 50",
        "go depth 1 movetime 50 searchmoves e7e5",
        "go searchmoves e7e5,g8f6 nodes 100",
        "go searchmoves e7e9 e7e5 nodes 100",
    ] {
        let (lines, took) = search(&mut client, go);
        assert!(took < milliseconds(5000));
        assert!(best_of(&lines).starts_with("e7e5,"), "{go}: {lines:?}");
    }
    let (lines, _) = search(&mut client, "go nodes 1000 searchmoves e7e5 d7d5,g8f6");
    let best = best_of(&lines);
    assert!(best.starts_with("e7e5,") || best == "d7d5,g8f6", "{best}");
    assert_complete(&replay(&game("startpos"), "e2e4"), &best);
}

#[test]
fn s29_searchmoves_that_are_illegal() {
    let mut client = Client::start();
    for moves in ["e2e5", "e2e5 e7e5", "e2e4,d2d4", "nonsense"] {
        let (lines, _) = search(&mut client, &format!("go searchmoves {moves}"));
        assert!(lines[0].starts_with("info string warning move-") || lines[0].contains("series-too-long"), "{lines:?}");
        assert_eq!(best_of(&lines), "(none)");
    }
    client.assert_quiet();
}

#[test]
fn s30_mate_searches() {
    let mut client = Client::told(&["position startpos moves e2e4 e7e5,g8f6"]);
    let start = replay(&game("startpos"), "e2e4 e7e5,g8f6");
    for go in ["go mate 1 movetime 500", "go mate 2 movetime 500", "go mate 1 nodes 100", "go mate 0 movetime 100"] {
        let (lines, took) = search(&mut client, go);
        assert!(took < milliseconds(5000), "{go}: {took:?}");
        assert_complete(&start, &best_of(&lines));
    }
}

#[test]
fn s30_mates_are_proved_or_refuted() {
    let mut client = Client::told(&["position startpos moves e2e4 e7e5,g8f6"]);
    let (lines, _) = search(&mut client, "go mate 1");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    client.send("position startpos");
    let (lines, _) = search(&mut client, "go mate 1");
    assert!(lines.iter().any(|line| line.contains("string no mate in 1")), "{lines:?}");
}

#[test]
fn s30_wins_over_two_turns() {
    for threads in [1, 4] {
        let mut client = Client::told(&[&format!("setoption name Threads value {threads}")]);
        client.send("position fen 7k/8/8/5K2/8/8/8/R7 w - - 0 1");
        let (lines, _) = search(&mut client, "go mate 2");
        assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:?}");
        client.send("position fen 7k/8/8/8/8/8/P7/K7 w - - 0 1");
        let (lines, _) = search(&mut client, "go mate 2");
        assert!(lines.iter().any(|line| line.contains("string no mate in 2")), "{lines:?}");
        // Too many series to look through: nothing is claimed.
        client.send("position startpos moves e2e4 e7e5,b8c6");
        let (lines, _) = search(&mut client, "go mate 2 nodes 100000");
        assert!(!lines.iter().any(|line| line.contains("no mate") || line.contains("score mate 2")), "{lines:?}");
    }
}

#[test]
fn s31_perft() {
    let mut client = Client::start();
    client.send("go perft 0");
    assert_eq!(client.until("Nodes"), ["", "Nodes searched: 1"]);
    client.send("go perft 1");
    let lines = client.until("Nodes");
    assert_eq!((lines.len(), lines[0].as_str(), lines[20].as_str()), (22, "a2a3: 1", ""));
    client.send("go perft 2 series");
    assert_eq!(client.until("Nodes").last().unwrap(), "Nodes searched: 8902");
    for count in ["go perft 9", "go perft 9 series", "go perft 4000000000"] {
        client.send(count);
        client.send("stop");
        assert!(client.sync().contains(&"info string stopped".to_owned()), "{count}");
        client.send("go depth 1");
        assert_complete(&game("startpos"), &client.best());
    }
    client.send("go perft");
    client.send("go perft x");
    let said = client.sync();
    assert!(said.len() == 2 && said.iter().all(|line| line.starts_with("info string error option-value: go perft")));
    client.assert_quiet();
}

#[test]
fn s32_a_millisecond_for_fifteen_legs() {
    let mut client = Client::told(&[&format!("position fen {}", late(15))]);
    for go in ["go movetime 1", "go wtime 1 btime 1", "go nodes 1", "go depth 1 movetime 1"] {
        let (lines, took) = search(&mut client, go);
        assert!(took < milliseconds(2000), "{go}: {took:?}");
        let best = best_of(&lines);
        assert_complete(&game(&late(15)), &best);
        assert!(lines.iter().any(|line| word_after(line, "pv") == Some(best.as_str())), "{lines:?}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = || {
        let mut client = Client::told(&["setoption name Seed value 7"]);
        let (mut moves, mut current) = (String::new(), game("startpos"));
        for _ in 0..5 {
            client.send(&format!("position startpos{moves}"));
            let best = best_of(&search(&mut client, "go nodes 500").0);
            moves = format!("{}{} {best}", if moves.is_empty() { " moves" } else { "" }, moves);
            current = replay(&current, &best);
            if current.outcome().is_some() {
                break;
            }
        }
        moves
    };
    assert_eq!(play(), play());
}
