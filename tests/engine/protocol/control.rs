//! Search control, who may speak when: scenarios 19 to 23 and 35.

use super::client::{Client, assert_complete, best_of, game, milliseconds, replay};

/// Forced mate at once, one legal leg, and a lively position.
const MATE: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
const FORCED: &str = "7k/8/8/8/8/5n2/4p1p1/7K w - - 0 1";

#[test]
fn s19_stop_at_any_moment() {
    let mut client = Client::start();
    let start = game("startpos");
    // A cheap sequence of delays from 0 to 5 ms in which no two neighbors are alike.
    for i in 0..500u64 {
        client.send("go movetime 10000");
        std::thread::sleep(std::time::Duration::from_micros(i * 2_654_435_761 % 5000));
        client.send("stop");
        let lines = client.until("bestmove");
        assert_complete(&start, &best_of(&lines));
    }
    client.assert_quiet();
}

#[test]
fn s20_infinite_is_silent_until_stop() {
    for fen in [MATE, FORCED] {
        let mut client = Client::told(&[&format!("position fen {fen}"), "go infinite"]);
        // Long enough for a search that ends by itself.
        let deadline = std::time::Instant::now() + milliseconds(300);
        while let Some(line) = client.line_within(deadline.saturating_duration_since(std::time::Instant::now())) {
            assert!(line.starts_with("info "), "{line}");
        }
        client.send("stop");
        assert_complete(&game(fen), &client.best());
        client.assert_quiet();
    }
    let mut client = Client::told(&["go infinite depth 1", "isready"]);
    assert!(!client.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    client.send("stop");
    assert_complete(&game("startpos"), &client.best());
}

#[test]
fn s21_pondering() {
    let mut client = Client::told(&[&format!("position fen {MATE}")]);
    let silent = |client: &mut Client| assert!(!client.sync().iter().any(|line| line.starts_with("bestmove")));
    // A hit, with every way to limit the search; the answer comes because its time is up or because it is found.
    for go in ["go ponder", "go ponder movetime 1", "go ponder wtime 100 btime 100", "go ponder nodes 100"] {
        client.send(go);
        silent(&mut client);
        client.send("ponderhit");
        assert_complete(&game(MATE), &client.best());
        client.assert_quiet();
    }
    client.send("go ponder wtime 60000 btime 60000");
    silent(&mut client);
    client.send("stop");
    assert_complete(&game(MATE), &client.best());
    // Idle: ignored.
    client.send("ponderhit");
    client.assert_quiet();
    // Pondering an infinite search: only stop ends it.
    client.send("go ponder infinite");
    client.send("ponderhit");
    silent(&mut client);
    client.send("stop");
    assert_complete(&game(MATE), &client.best());
}

#[test]
fn s22_commands_that_end_a_search() {
    let start = game("startpos");
    let after = replay(&start, "e2e4");
    let mut client = Client::start();
    for command in ["ucinewgame", "position startpos moves e2e4", "setoption name Hash value 8", "setoption name x"] {
        client.send("position startpos");
        client.send("go infinite");
        client.send(command);
        assert_complete(&start, &client.best());
        client.send("position startpos moves e2e4");
        client.send("go nodes 50");
        assert_complete(&after, &client.best());
    }
    client.assert_quiet();
    // A refused position is no exception.
    client.send("go infinite");
    client.send("position startpos moves e2e5");
    assert_complete(&after, &client.best());
    assert!(client.line().starts_with("info string error move-illegal"));
    client.send("go infinite");
    assert!(client.line().starts_with("info string error no-position"));
    assert_eq!(client.best(), "(none)");
}

#[test]
fn s22_questions_wait() {
    let mut client = Client::told(&["go infinite"]);
    for question in ["query fen", "d", "eval", "bench"] {
        client.send(question);
        let lines = client.until("info string error");
        assert!(lines.last().unwrap().starts_with("info string error busy"), "{question}: {lines:?}");
    }
    client.send("stop");
    client.best();
    assert!(client.ask("query fen").starts_with("response fen rnbqkbnr/"));
}

#[test]
fn s23_go_after_go() {
    let mut client = Client::told(&["position startpos", "go infinite", "go infinite", "go nodes 50"]);
    for _ in 0..3 {
        assert_complete(&game("startpos"), &client.best());
    }
    client.assert_quiet();
}

#[test]
fn s35_finished_games() {
    let ends = [
        ("position startpos moves e2e4 e7e5,g8f6 f1c4,d1h5,h5f7", "mate 0", "0-1 mate".replace("0-1", "1-0")),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 2", "cp 0", "1/2-1/2 stalemate".into()),
        ("position fen 8/8/8/4k3/8/8/8/4KB2 w - - 0 3", "cp 0", "1/2-1/2 material".into()),
    ];
    for (position, score, result) in ends {
        let mut client = Client::told(&[position]);
        assert_eq!(client.ask("query result"), format!("response result {result}"));
        assert_eq!(client.ask("query legal"), "response legal (none)");
        client.send("go movetime 50");
        assert_eq!(client.until("bestmove"), [format!("info depth 0 score {score}"), "bestmove (none)".into()]);
        client.send("go infinite");
        assert_eq!(client.sync(), [format!("info depth 0 score {score}")]);
        let before = client.processor_ms();
        assert_eq!(client.line_within(milliseconds(300)), None);
        if let (Some(before), Some(after)) = (before, client.processor_ms()) {
            assert!(after - before < 100, "{} ms of work in a finished game", after - before);
        }
        client.send("stop");
        assert_eq!(client.line(), "bestmove (none)");
        client.assert_quiet();
    }
}
