//! What a client shows: scenarios 38 to 40, and the options that shape it.

use super::client::{Client, assert_complete, best_of, game, pv_of, replay, word_after};
use crescendo::rules::game::Game;

/// Starts of searches of every kind: from the start, a forced leg, a mate, a long series, in mid-series, in check.
const STARTS: [&str; 6] = [
    "startpos",
    "7k/8/8/8/8/5n2/4p1p1/7K w - - 0 1",
    "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 12",
    "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 1 3 2",
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 5",
];

fn start(client: &mut Client, fen: &str) -> Game {
    client.send(&if fen == "startpos" { "position startpos".into() } else { format!("position fen {fen}") });
    game(fen)
}

/// Asserts that every line of play can be replayed to its end, series by series.
fn assert_lines_replay(start: &Game, lines: &[String]) {
    for pv in lines.iter().filter_map(|line| pv_of(line)) {
        let mut current = start.clone();
        let series: Vec<&str> = pv.split(' ').collect();
        for (i, item) in series.iter().enumerate() {
            let after = replay(&current, item);
            // A blank stands where the turn changes, so only the last item may be a part of a series.
            let complete = after.outcome().is_some() || after.current().is_fresh();
            assert!(complete || i + 1 == series.len(), "{pv}: {item} is not complete");
            current = after;
        }
    }
}

#[test]
fn s38_s39_the_line_before_the_answer() {
    let mut client = Client::start();
    for fen in STARTS {
        let current = start(&mut client, fen);
        for go in ["go nodes 1", "go nodes 2000", "go movetime 0", "go movetime 30", "go depth 1"] {
            client.send(go);
            let lines = client.until("bestmove");
            let best = best_of(&lines);
            assert_complete(&current, &best);
            let last = lines.iter().rev().find_map(|line| pv_of(line)).expect("a line of play");
            assert_eq!(last.split(' ').next(), Some(best.as_str()), "{fen} {go}: {lines:#?}");
            assert_lines_replay(&current, &lines);
            if let Some(ponder) = word_after(lines.last().unwrap(), "ponder") {
                assert_complete(&replay(&current, &best), ponder);
            }
        }
    }
}

#[test]
fn s39_an_endless_search_shows_only_what_can_be_played() {
    let mut client = Client::start();
    for fen in &STARTS[2..5] {
        let current = start(&mut client, fen);
        client.send("setoption name MultiPV value 3");
        client.send("go infinite");
        let mut lines = client.sync();
        client.send("stop");
        lines.extend(client.until("bestmove"));
        assert_lines_replay(&current, &lines);
        assert_complete(&current, &best_of(&lines));
    }
}

#[test]
fn s40_more_lines_than_series() {
    let mut client = Client::told(&["setoption name MultiPV value 8", "position fen 8/8/8/8/4k3/7p/7P/K7 w - - 0 1"]);
    client.send("go depth 1");
    let lines = client.until("bestmove");
    let lines: Vec<&String> = lines.iter().filter(|line| pv_of(line).is_some()).collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(3), "{lines:#?}");
    for together in lines.chunks(3) {
        let numbers: Vec<_> = together.iter().map(|line| word_after(line, "multipv").unwrap()).collect();
        assert_eq!(numbers, ["1", "2", "3"]);
        assert!(together.iter().all(|line| word_after(line, "depth") == word_after(together[0], "depth")));
        let scores: Vec<i64> = together.iter().map(|line| score(line)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{together:#?}");
    }
}

/// A score on one scale: mates beyond all centipawns.
fn score(line: &str) -> i64 {
    let value = |key| word_after(line, key).and_then(|word| word.parse::<i64>().ok());
    match (value("cp"), value("mate")) {
        (Some(cp), _) => cp,
        (None, Some(mate)) if mate > 0 => 100_000 - mate,
        (None, Some(mate)) => -100_000 - mate,
        (None, None) => panic!("no score: {line}"),
    }
}

#[test]
fn chances_are_shown_on_demand() {
    let mut client = Client::told(&["go nodes 50"]);
    assert!(!client.until("bestmove").iter().any(|line| line.contains(" wdl ")));
    client.send("setoption name UCI_ShowWDL value true");
    client.send("go nodes 50");
    let lines = client.until("bestmove");
    let line = lines.iter().find(|line| pv_of(line).is_some()).unwrap();
    let words: Vec<u32> =
        line.split(' ').skip_while(|w| *w != "wdl").skip(1).take(3).map(|w| w.parse().unwrap()).collect();
    assert_eq!(words.iter().sum::<u32>(), 1000, "{line}");
}

#[test]
fn one_leg_at_a_time() {
    let mut client = Client::told(&["setoption name Series Output value leg"]);
    let mut moves = String::from("e2e4");
    for left in (1..=2).rev() {
        client.send(&format!("position startpos moves {moves}"));
        assert_eq!(client.ask("query left"), format!("response left {left}"));
        client.send("go nodes 100");
        let lines = client.until("bestmove");
        let best = best_of(&lines);
        assert!(!best.contains(',') && !lines.last().unwrap().contains("ponder"), "{lines:?}");
        let pv = lines.iter().rev().find_map(|line| pv_of(line)).unwrap();
        assert!(!pv.contains(',') && pv.split(' ').next() == Some(&best), "{lines:?}");
        moves.push(' ');
        moves.push_str(&best);
    }
    client.send(&format!("position startpos moves {moves}"));
    assert_eq!(client.ask("query turn"), "response turn 3");
}

#[test]
fn one_leg_at_a_time_for_a_whole_game() {
    for variant in ["progressive", "scottishprogressive"] {
        let setup = format!("setoption name UCI_Variant value {variant}");
        let mut client =
            Client::told(&[&setup, "setoption name Series Output value leg", "setoption name Seed value 3"]);
        let mut moves = String::from("moves");
        let mut legs = 0;
        loop {
            client.send(&format!("position startpos {moves}"));
            if client.ask("query result") != "response result *" {
                break;
            }
            client.send("go nodes 3000");
            let best = best_of(&client.until("bestmove"));
            assert!(best.len() >= 4 && !best.contains(','), "{best} after {moves}");
            moves = format!("{moves} {best}");
            legs += 1;
            assert!(legs < 600, "{variant}: no end in sight: {moves}");
        }
        assert!(legs > 3, "{variant}: {moves}");
    }
}
