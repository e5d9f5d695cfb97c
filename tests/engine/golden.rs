//! The fast generator against the golden data: perft, edge cases, mates and whole games of every rule set.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::outcome::{Outcome, WinBy};
use crescendo::rules::perft::{count_winning, perft, series_counts};
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::Rules;
use crescendo::types::moves::Move;
use crescendo::types::series::Series;
use serde_json::Value;

const PERFT: &str = include_str!("../data/perft.jsonl");
const EDGES: &str = include_str!("../data/edges.jsonl");
const MATES: &str = include_str!("../data/mates.jsonl");
const WALKS: &str = include_str!("../data/walks.jsonl");

/// Counts above this belong to the long tier.
const CAP: u64 = if cfg!(feature = "long") { u64::MAX } else { 3_000_000 };

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn rules_of(record: &Value) -> &'static Rules {
    Rules::by_name(record["rules"].as_str().unwrap()).expect("a known rule set")
}

fn entry(rules: &'static Rules, text: &str) -> Entry {
    fen::read(text, rules, Strictness::Lenient).unwrap_or_else(|e| panic!("{} {text}: {e}", rules.name)).0
}

fn position(record: &Value) -> Midturn {
    entry(rules_of(record), record["fen"].as_str().unwrap()).midturn()
}

fn legal(midturn: &Midturn) -> Vec<String> {
    let mut legs: Vec<String> = midturn.legal().iter().map(Move::to_string).collect();
    legs.sort();
    legs
}

#[test]
fn perft_and_series_counts() {
    let (mut counts, mut left) = (0, 0);
    for record in records(PERFT) {
        let midturn = position(&record);
        assert_eq!(midturn.count_legal(), record["legal"].as_u64().unwrap(), "{record}");
        for (i, count) in record["perft"].as_array().unwrap().iter().enumerate() {
            let count = count.as_u64().unwrap();
            if count > CAP {
                left += 1;
                continue;
            }
            assert_eq!(perft(&midturn, i as u32 + 1, &mut || false), count, "depth {} of {record}", i + 1);
            counts += 1;
        }
        let Some(series) = record["series"].as_u64() else { continue };
        if series > CAP {
            left += 1;
            continue;
        }
        let found = series_counts(&midturn);
        let field = |name: &str| record[name].as_u64().unwrap();
        assert_eq!(
            [found.series, found.early, found.mates, found.reach],
            [series, field("early"), field("mates"), field("reach")],
            "{record}"
        );
        counts += 1;
    }
    println!("{counts} counts agree, {left} left to the long tier");
}

fn status(game: &Game) -> &'static str {
    match game.outcome() {
        None => "ongoing",
        Some(Outcome::Win { by: WinBy::ItalianMate, .. }) => "mate",
        Some(outcome) => outcome.reason(),
    }
}

/// The same position, whatever unusable en passant squares the text lists.
fn same(rules: &'static Rules, ours: &str, golden: &str) -> bool {
    entry(rules, ours) == entry(rules, golden)
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn check_edge(record: &Value) {
    let rules = rules_of(record);
    let text = record["fen"].as_str().unwrap();
    let expect = record["expect"].as_object().unwrap();
    if expect.contains_key("error") {
        let refused = fen::read(text, rules, Strictness::Lenient);
        assert!(refused.is_err(), "{record}: not refused");
        return;
    }
    let mut game = Game::from_entry(entry(rules, text));
    for leg in strings(&record["play"]) {
        game.play(leg.parse().unwrap()).unwrap_or_else(|e| panic!("{record}: {leg}: {e}"));
    }
    let legs = legal(game.current());
    for (key, value) in expect {
        match key.as_str() {
            "legal" => {
                let mut wanted = strings(value);
                wanted.sort();
                assert_eq!(legs, wanted, "{record}");
            }
            "has" => strings(value).iter().for_each(|leg| assert!(legs.contains(leg), "{record}: no {leg}")),
            "lacks" => strings(value).iter().for_each(|leg| assert!(!legs.contains(leg), "{record}: {leg}")),
            "status" => assert_eq!(status(&game), value.as_str().unwrap(), "{record}"),
            "quiet_after" => assert_eq!(u64::from(game.current().quiet()), value.as_u64().unwrap(), "{record}"),
            "italian_mate" => {
                let italian = matches!(game.outcome(), Some(Outcome::Win { by: WinBy::ItalianMate, .. }));
                assert_eq!(italian, value.as_bool().unwrap(), "{record}");
            }
            "fen_after" => {
                let ours = game.current().fen();
                assert!(same(rules, &ours, value.as_str().unwrap()), "{record}: {ours}");
            }
            "series" => {
                let found = series_counts(game.current());
                for (name, count) in value.as_object().unwrap() {
                    let ours = match name.as_str() {
                        "series" => found.series,
                        "early" => found.early,
                        "mates" => found.mates,
                        "reach" => found.reach,
                        other => panic!("{record}: unknown count {other}"),
                    };
                    assert_eq!(ours, count.as_u64().unwrap(), "{record}: {name}");
                }
            }
            "mates" => assert_eq!(count_winning(game.current()), value.as_u64().unwrap(), "{record}"),
            other => panic!("{record}: unknown expectation {other}"),
        }
    }
}

#[test]
fn edge_cases() {
    let edges = records(EDGES);
    edges.iter().for_each(check_edge);
    println!("{} edge cases agree", edges.len());
}

#[test]
fn mate_counts() {
    let (mut checked, mut left) = (0, 0);
    for record in records(MATES) {
        let midturn = position(&record);
        // Brute force is for small quotas; the larger ones are the solver's business, and the long tier's.
        if midturn.left() > 4 && !cfg!(feature = "long") {
            left += 1;
            continue;
        }
        assert_eq!(count_winning(&midturn), record["mates"].as_u64().unwrap(), "{record}");
        checked += 1;
    }
    println!("{checked} mate counts agree, {left} left to the long tier");
}

#[test]
fn walks() {
    for record in records(WALKS) {
        let rules = rules_of(&record);
        let mut game = Game::new(rules);
        let mut fens = strings(&record["fens"]).into_iter();
        assert!(same(rules, &game.current().fen(), &fens.next().unwrap()), "{record}");
        for series in record["moves"].as_str().unwrap().split_whitespace() {
            for &mv in series.parse::<Series>().unwrap().iter() {
                game.play(mv).unwrap_or_else(|e| panic!("{record}: {mv}: {e}"));
            }
            let ours = game.current().fen();
            // A walk that was cut off after some turn does not list where it stopped.
            if let Some(golden) = fens.next() {
                assert!(same(rules, &ours, &golden), "{record}: {ours} is not {golden}");
            }
        }
        if let Some(golden) = record["status"].as_str() {
            assert_eq!(status(&game), golden, "{record}");
        }
        assert_eq!(fens.next(), None, "{record}");
    }
}

#[test]
fn known_numbers_of_turn_three() {
    let count = |name, depth| {
        let rules = Rules::by_name(name).unwrap();
        perft(Game::new(rules).current(), depth, &mut || false)
    };
    let italian: Vec<u64> = (1..=5).map(|depth| count("italian", depth)).collect();
    assert_eq!(italian, [20, 400, 8902, 196_812, 4_838_776]);
    let scottish: Vec<u64> = (1..=5).map(|depth| count("scottish", depth)).collect();
    assert_eq!(scottish, [20, 400, 8902, 197_281, 4_868_376]);
    // Turn 3 from the start: all move orders of the first three turns.
    assert_eq!(count("italian", 6), 131_624_656);
}

#[test]
fn turn_three_under_scottish_rules() {
    // Under the Scottish rules a check cuts the series short, so turn 3 is not simply depth 6: the series are counted turn by turn.
    fn series(midturn: &Midturn, last: bool) -> u64 {
        use crescendo::rules::midturn::{Progress, SeriesEnd};
        let mut count = 0;
        for mv in midturn.legal() {
            let mut next = *midturn;
            count += match next.play_unchecked(mv) {
                Progress::Over(SeriesEnd::Turn(position)) if !last => {
                    let begin = position.begin();
                    series(&begin, begin.turn().number() == 3)
                }
                Progress::Over(SeriesEnd::Turn(_)) => 1,
                Progress::Over(SeriesEnd::Game(_)) => 0,
                // The bulk count is the same as playing every last move; it keeps the test short.
                Progress::More if last && next.left() == 1 => next.count_legal(),
                Progress::More => series(&next, last),
            };
        }
        count
    }
    let game = Game::new(Rules::by_name("scottish").unwrap());
    assert_eq!(series(game.current(), false), 131_652_734);
}
