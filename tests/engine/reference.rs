//! The second generator against the golden records: every record in `tests/data` that speaks of rules must come out of the
//! slow generator as it stands there.
//!
//! The default tier caps the counts (see the constants) and prints how many were left to the long tier (feature `long`),
//! which caps nothing but the memory for mates.

#![allow(clippy::print_stdout, reason = "the counts of what was checked and left out belong in the test's output")]

#[path = "../reference/mod.rs"]
mod reference;
#[path = "reference_cases.rs"]
mod reference_cases;

use std::collections::BTreeMap;
use std::fs;

use reference::State;
use reference::count::SeriesCounts;
use reference::walk::Walk;
use serde_json::Value;

/// Default tier: perft depths with more sequences than this are left out.
const PERFT_CAP: u64 = if cfg!(feature = "long") { u64::MAX } else { 200_000 };

/// A count of mates that must hold more distinct positions of the turn at once than this is left out. The long tier has a
/// cap too, since the layers must fit into memory: a million positions are about half a gigabyte.
const MATES_CAP: usize = if cfg!(feature = "long") { 1_000_000 } else { 2_000 };

fn records(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_else(|| panic!("{key} in {record}"))
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(|s| s.as_str().expect("a string").to_owned()).collect()
}

fn state(record: &Value) -> State {
    State::parse(text(record, "rules"), text(record, "fen")).unwrap_or_else(|error| panic!("{error}: {record}"))
}

/// The data list e.p. squares that no enemy pawn can use, so a FEN is compared after reading it.
fn canonical(rules: &str, fen: &str) -> String {
    State::parse(rules, fen).unwrap_or_else(|error| panic!("{error}: {fen}")).fen()
}

#[test]
fn perft_agrees() {
    let (mut checked, mut left, mut sequences) = (0, 0, 0);
    for record in records("perft.jsonl") {
        let state = state(&record);
        // Counted as perft counts: bare material leaves `legal()` empty, but not this field (common rule 10).
        assert_eq!(Some(state.perft(1)), record["legal"].as_u64(), "{record}");
        for (expected, depth) in record["perft"].as_array().expect("perft").iter().zip(1..) {
            let expected = expected.as_u64().expect("a count");
            if expected > PERFT_CAP {
                left += 1;
                continue;
            }
            assert_eq!(state.perft(depth), expected, "perft {depth}: {record}");
            checked += 1;
            sequences += expected;
        }
    }
    println!("perft: {checked} counts checked, {sequences} sequences; {left} left to the long tier (over {PERFT_CAP})");
}

#[test]
fn series_counts_agree() {
    let mut checked = 0;
    for record in records("perft.jsonl") {
        let Some(series) = record["series"].as_u64() else {
            continue;
        };
        let count = |key: &str| record[key].as_u64().expect(key);
        let expected = SeriesCounts { series, early: count("early"), mates: count("mates"), reach: count("reach") };
        assert_eq!(state(&record).series_counts(), expected, "{record}");
        checked += 1;
    }
    println!("series: {checked} records checked, all there are");
}

#[test]
fn mates_agree() {
    let (mut checked, mut left) = (0, 0);
    for record in records("mates.jsonl") {
        let Some(mates) = state(&record).mates_within(MATES_CAP) else {
            left += 1;
            continue;
        };
        assert_eq!(Some(mates), record["mates"].as_u64(), "{record}");
        checked += 1;
    }
    println!("mates: {checked} records checked; {left} left to the long tier (over {MATES_CAP} positions)");
}

#[test]
fn edges_agree() {
    let mut checked = 0;
    for record in records("edges.jsonl") {
        let expect = record["expect"].as_object().expect("expect");
        if expect.contains_key("error") {
            assert!(State::parse(text(&record, "rules"), text(&record, "fen")).is_err(), "{record}");
        } else {
            let mut state = state(&record);
            for leg in strings(&record["play"]) {
                state.play(&leg).unwrap_or_else(|error| panic!("{error}: {record}"));
            }
            for (key, value) in expect {
                check_edge(&state, key, value, &record);
            }
        }
        checked += 1;
    }
    println!("edges: {checked} records checked");
}

fn check_edge(state: &State, key: &str, value: &Value, record: &Value) {
    let legal = state.legal();
    match key {
        "legal" => assert_eq!(legal, strings(value), "{record}"),
        "has" => assert!(strings(value).iter().all(|leg| legal.contains(leg)), "{legal:?}: {record}"),
        "lacks" => assert!(!strings(value).iter().any(|leg| legal.contains(leg)), "{legal:?}: {record}"),
        "status" => assert_eq!(Some(state.status()), value.as_str(), "{record}"),
        "quiet_after" => assert_eq!(Some(u64::from(state.quiet())), value.as_u64(), "{record}"),
        "italian_mate" => assert_eq!(Some(state.italian_mate()), value.as_bool(), "{record}"),
        "mates" => assert_eq!(Some(state.mates()), value.as_u64(), "{record}"),
        "fen_after" => {
            let expected = canonical(text(record, "rules"), value.as_str().expect("a FEN"));
            assert_eq!(state.fen(), expected, "{record}");
        }
        "series" => {
            let counts = state.series_counts();
            for (key, value) in value.as_object().expect("counts") {
                let found = match key.as_str() {
                    "series" => counts.series,
                    "early" => counts.early,
                    "mates" => counts.mates,
                    other => panic!("unknown count {other}: {record}"),
                };
                assert_eq!(Some(found), value.as_u64(), "{key}: {record}");
            }
        }
        other => panic!("unknown expectation {other}: {record}"),
    }
}

#[test]
fn walks_agree() {
    let (mut turns, mut games, mut without_status) = (0, 0, 0);
    for record in records("walks.jsonl") {
        let rules = text(&record, "rules");
        let fens = strings(&record["fens"]);
        let mut state = State::start(rules).expect("the start");
        let mut expected = fens.iter();
        for item in text(&record, "moves").split(' ') {
            assert_eq!(Some(state.fen()), expected.next().map(|fen| canonical(rules, fen)), "{record}");
            assert!(state.at_turn_start(), "{record}");
            for leg in item.split(',') {
                state.play(leg).unwrap_or_else(|error| panic!("{error}: {record}"));
            }
            turns += 1;
        }
        if state.at_turn_start() {
            assert_eq!(Some(state.fen()), expected.next().map(|fen| canonical(rules, fen)), "{record}");
        }
        assert_eq!(expected.next(), None, "{record}");
        match record["status"].as_str() {
            Some(status) => assert_eq!(state.status(), status, "{record}"),
            None => without_status += 1,
        }
        let winner = record["winner"].as_str().and_then(|w| w.chars().next());
        assert!(winner.is_none() || winner == state.winner(), "{record}");
        games += 1;
    }
    println!("walks: {games} games checked, {turns} turns; {without_status} of them record no final status");
}

/// The random walk visits what it is meant to visit, and text and position say the same everywhere.
#[test]
fn walk_meets_rare_rules_and_fen_round_trips() {
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    for rules in reference::NAMES {
        let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
        let mut walk = Walk::new(rules, 7);
        let mut before: Option<State> = None;
        for _ in 0..6_000 {
            let state = walk.next().expect("a start that this rule set can read");
            if !walk.last_move().is_empty() {
                let found = before.as_ref().map_or_else(Vec::new, |before| before.kinds(walk.last_move()));
                found.into_iter().for_each(|kind| *kinds.entry(kind).or_default() += 1);
            }
            *ends.entry(state.status()).or_default() += 1;
            // The end of turn 255, and of a turn that had to mate, is past the numbers that a FEN between turns may have.
            if state.turn() < 256 && !(state.at_turn_start() && state.quiet() == 11) {
                assert_eq!(canonical(rules, &state.fen()), state.fen(), "{rules}");
            }
            before = Some(state);
        }
        let mut expected = vec!["capture", "promotion"];
        expected.extend((rules != "takeall").then_some("check"));
        if !rules.starts_with("logical") {
            expected.extend(["castling", "double-step"]);
            expected.extend((rules != "english").then_some("en-passant"));
        }
        for kind in expected {
            assert!(kinds.get(kind).is_some_and(|&times| times >= 5), "{rules}: {kind} in {kinds:?}");
        }
        println!("walk {rules}: {kinds:?}");
    }
    for end in ["mate", "stalemate", "material", "ten-turns", "takeall"] {
        assert!(ends.contains_key(end), "{end} in {ends:?}");
    }
    println!("walk, all rule sets: {ends:?}");
}
