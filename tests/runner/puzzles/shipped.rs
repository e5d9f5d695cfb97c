//! The sets of the repository are what they are said to be.

use super::mining::prove;
use crescendo_runner::puzzle::files::{puzzles, read};
use crescendo_runner::puzzle::item::{Puzzle, id};
use crescendo_runner::puzzle::row::Row;
use std::collections::HashSet;
use std::path::PathBuf;

/// How many puzzles of a set trying everything proves again; the CI asks for 200 in all.
const SAMPLE: &str = "CRESCENDO_PUZZLE_SAMPLE";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(name)
}

pub(crate) fn set(rules: &str) -> Vec<Puzzle> {
    puzzles(&path(&format!("{rules}.jsonl.gz"))).unwrap()
}

#[test]
fn both_forms_hold_the_same_rated_varied_puzzles() {
    for (rules, lengths) in [("italian", 3..=9), ("scottish", 2..=9)] {
        let puzzles = set(rules);
        let rows: Vec<Row> = puzzles.iter().map(Row::of).collect();
        let shipped: Vec<Row> =
            read(&path(&format!("{rules}.csv.gz"))).unwrap().into_iter().map(|entry| entry.row).collect();
        assert_eq!(shipped, rows);
        let (mut ids, mut sources, mut signatures) = (HashSet::new(), HashSet::new(), HashSet::new());
        for puzzle in &puzzles {
            assert!(lengths.contains(&puzzle.length()), "{}", puzzle.id);
            assert!(puzzle.rating.is_some_and(|rating| rating.deviation < 500.0), "{}", puzzle.id);
            assert_eq!(puzzle.id, id(&puzzle.position().unwrap(), puzzle.kind));
            assert!(ids.insert(&puzzle.id), "{} twice", puzzle.id);
            assert!(sources.insert(&puzzle.source), "two of {}", puzzle.source);
            assert!(signatures.insert(puzzle.signature()), "{} has a double", puzzle.id);
        }
    }
}

#[test]
fn a_sample_is_proved_again_by_trying_everything() {
    let sample: Option<usize> = std::env::var(SAMPLE).ok().map(|text| text.parse().unwrap());
    // Without the variable only what is quick.
    let (count, longest) = sample.map_or((24, 4), |count| (count, 5));
    for rules in ["italian", "scottish"] {
        let mut short = set(rules);
        short.retain(|puzzle| puzzle.kind.is_mate() && puzzle.length() <= longest);
        let step = short.len().div_ceil(count / 2).max(1);
        short.iter().step_by(step).for_each(prove);
    }
}
