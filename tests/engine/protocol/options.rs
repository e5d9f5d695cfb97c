//! Options: scenarios 41 to 47.

use super::client::{Client, assert_complete, best_of, game, milliseconds, replay, word_after};
use std::time::Instant;

#[test]
fn s41_names_in_any_case() {
    let mut client = Client::start();
    for line in [
        "setoption name Move Overhead value 100",
        "setoption name move overhead value 100",
        "SetOption name x",
        "setoption name MOVE  OVERHEAD value  100 ",
        "setoption name uci_variant value Marseillais",
        "setoption name uci_opponent value GM 2800  human  Some  Body",
    ] {
        let said = client.ask(&format!("{line}\nisready"));
        if line.starts_with("SetOption") {
            assert!(said.starts_with("info string error unknown-command"), "{said}");
            client.until("readyok");
        } else {
            assert_eq!(said, "readyok", "{line}");
        }
    }
}

#[test]
fn s42_impossible_hash() {
    let mut client = Client::start();
    client.assert_quiet();
    for value in ["99999999999", "-1", "abc", "", "1e3", "65536", "65537"] {
        client.send(&format!("setoption name Hash value {value}"));
        let said = client.sync();
        // 65536 MiB may be there.
        assert!(!said.is_empty() || value == "65536", "{value}");
        for line in said {
            let known = ["info string error option-value: Hash", "info string warning option-range: Hash"];
            assert!(known.iter().any(|prefix| line.starts_with(prefix)), "{value}: {line}");
        }
        client.send("setoption name Hash value 1");
        client.send("go nodes 50");
        assert_complete(&game("startpos"), &client.best());
    }
    client.quit().assert_clean();
}

/// The memory is there by the system's own account, but the process may not have it.
#[cfg(target_os = "linux")]
#[test]
fn s42_memory_that_cannot_be_had() {
    let mut client = Client::limited("ulimit -v 1000000");
    client.assert_quiet();
    for command in ["isready", "go nodes 50"] {
        client.send("setoption name Hash value 3000");
        client.send(command);
        let lines = client.until(if command == "isready" { "readyok" } else { "bestmove" });
        let refused = "info string error option-value: Hash 3000: the memory cannot be had; 16 MiB kept";
        let not_free = "info string error option-value: Hash 3000: only ";
        assert!(lines[0] == refused || lines[0].starts_with(not_free), "{lines:?}");
        // The old value holds: nothing more is said about it.
        client.assert_quiet();
    }
    client.send("go nodes 50");
    assert_complete(&game("startpos"), &client.best());
    client.quit().assert_clean();
}

#[test]
fn s43_spins_are_in_their_range() {
    let mut client = Client::told(&["uci"]);
    let options = client.until("uciok");
    let spins: Vec<&String> = options.iter().filter(|line| line.contains(" type spin ")).collect();
    assert!(spins.len() >= 5);
    for line in spins {
        let number = |key| word_after(line, key).unwrap().parse::<i64>().unwrap();
        assert!(number("min") <= number("default") && number("default") <= number("max"), "{line}");
        let name = line.strip_prefix("option name ").unwrap().split(" type ").next().unwrap();
        for value in [number("min") - 1, number("max") + 1] {
            let said = client.ask(&format!("setoption name {name} value {value}"));
            assert!(said.starts_with(&format!("info string warning option-range: {name} {value}")), "{said}");
            client.sync();
        }
    }
    // Every combo takes what it lists, and its default is on the list.
    for line in options.iter().filter(|line| line.contains(" type combo ")) {
        let (head, vars) = line.split_once(" var ").unwrap();
        let name = head.strip_prefix("option name ").unwrap().split(" type ").next().unwrap();
        let vars: Vec<&str> = vars.split(" var ").collect();
        assert!(vars.contains(&head.split(" default ").nth(1).unwrap()), "{line}");
        for var in vars {
            client.send(&format!("setoption name {name} value {var}"));
            client.assert_quiet();
        }
    }
}

#[test]
fn s44_threads() {
    for threads in [1, 64, 256] {
        let mut client = Client::told(&[&format!("setoption name Threads value {threads}"), "isready"]);
        client.until("readyok");
        let (start, before) = (Instant::now(), client.processor_ms());
        client.send("go movetime 300");
        assert_complete(&game("startpos"), &client.best());
        let took = start.elapsed();
        assert!(took < milliseconds(3000), "{threads}: {took:?}");
        if let (1, Some(before), Some(after)) = (threads, before, client.processor_ms()) {
            // Clock ticks are 10 ms.
            assert!(u128::from(after - before) <= took.as_millis() + 40, "more than one core");
        }
    }
}

#[test]
fn s45_limited_strength() {
    let mut client = Client::told(&["uci"]);
    let hello = client.until("uciok");
    let elo = hello.iter().find(|line| line.starts_with("option name UCI_Elo ")).unwrap();
    for limit in ["true", "false"] {
        client.send(&format!("setoption name UCI_LimitStrength value {limit}"));
        for key in ["min", "max"] {
            client.send(&format!("setoption name UCI_Elo value {}", word_after(elo, key).unwrap()));
            client.send("position startpos moves e2e4");
            client.send("go movetime 50");
            let lines = client.until("bestmove");
            assert!(!lines.iter().any(|line| line.starts_with("info string")), "{lines:?}");
            assert_complete(&replay(&game("startpos"), "e2e4"), &best_of(&lines));
        }
    }
}

#[test]
fn s46_levels_are_for_games() {
    // Which level is in force is held by the unit tests of the options; here only that the two go together.
    let mut client = Client::told(&["setoption name Level value Novice", "setoption name UCI_AnalyseMode value true"]);
    client.assert_quiet();
    client.send("go nodes 200");
    assert_complete(&game("startpos"), &client.best());
}

#[test]
fn s47_variants() {
    let mut client = Client::told(&["position startpos moves e2e4"]);
    for wrong in ["crazyhouse", "chess", "", "progressiv"] {
        let said = client.ask(&format!("setoption name UCI_Variant value {wrong}"));
        assert!(said.starts_with("info string error option-value: UCI_Variant"), "{said}");
        assert!(client.ask("query fen").ends_with(" b KQkq - 0 2"), "the position is kept");
    }
    for (name, castling) in
        [("logicalprogressive", "-"), ("Circe-Scottish", "KQkq"), ("italian", "KQkq"), ("TAKEALL", "KQkq")]
    {
        client.send(&format!("setoption name UCI_Variant value {name}"));
        assert!(client.ask("query fen").ends_with(&format!(" w {castling} - 0 1")), "{name}");
        client.send("position startpos moves e2e3");
        client.assert_quiet();
    }
    // Also after a refused position.
    client.send("position startpos moves e2e9");
    client.send("setoption name UCI_Variant value progressive");
    client.sync();
    client.send("go nodes 50");
    assert_complete(&game("startpos"), &client.best());
}
