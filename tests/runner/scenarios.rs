//! Holds `SCENARIOS.md` to its word: all hundred scenarios are there, and the tests that it names exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of the first table: numbers, and what is said of the tests.
fn rows() -> Vec<(String, String)> {
    let text = fs::read_to_string(repository().join("tests/runner/SCENARIOS.md")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()).collect()
    };
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| no."));
    let rows = rows.map(cells).filter(|cells| cells.len() == 3);
    rows.map(|cells| (cells[0].clone(), cells[2].clone())).collect()
}

/// The numbers of a cell such as `20–23, 33`.
fn numbers(cell: &str) -> Vec<u32> {
    let number = |text: &str| text.trim().parse().ok();
    let part = |part: &str| match part.split_once('–').map(|(first, last)| (number(first), number(last))) {
        Some((Some(first), Some(last))) => (first..=last).collect(),
        Some(_) => Vec::new(),
        None => number(part).into_iter().collect::<Vec<u32>>(),
    };
    cell.split(',').flat_map(part).collect()
}

/// The text of a module and all below it, wherever it is: a file, or a folder.
fn text_of(place: &Path) -> Option<String> {
    if place.is_dir() {
        let parts = fs::read_dir(place).unwrap().map(|entry| text_of(&entry.unwrap().path()));
        return Some(parts.flatten().collect());
    }
    fs::read_to_string(place).ok()
}

/// What is wrong with the name of a test, if anything: `file::test` of `tests/runner/engines/`, `file` there or a module of
/// `runner/src/` with tests, or a path of the repository.
fn fault(name: &str) -> Option<String> {
    let root = repository();
    if name.contains('/') {
        return (!root.join(name).exists()).then(|| format!("no file {name}"));
    }
    let (first, rest) = name.split_once("::").unwrap_or((name, ""));
    for folder in ["tests/runner/engines", "tests/runner"] {
        let Some(text) = text_of(&root.join(folder).join(format!("{first}.rs"))) else { continue };
        let text = text + &text_of(&root.join(folder).join(first)).unwrap_or_default();
        let is_there = if rest.is_empty() { text.contains("#[test]") } else { text.contains(&format!("fn {rest}(")) };
        if is_there {
            return None;
        }
    }
    let source = root.join("runner/src").join(name.replace("::", "/"));
    let text = [text_of(&source.with_extension("rs")), text_of(&source)].into_iter().flatten().collect::<String>();
    (!text.contains("#[test]")).then(|| format!("no test and no module with tests: {name}"))
}

#[test]
fn every_scenario_has_a_row_with_tests_that_exist() {
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    for (cell, said) in rows() {
        let numbers = numbers(&cell);
        assert!(cell == "–" || !numbers.is_empty(), "no number: '{cell}'");
        let is_name = |part: &&str| {
            !part.is_empty()
                && !part.contains("..")
                && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:/.".contains(c))
                && (!part.contains('.') || part.contains('/'))
        };
        // Every second part stands between backticks.
        let names: Vec<&str> = said.split('`').skip(1).step_by(2).filter(is_name).collect();
        if names.is_empty() && !said.starts_with("none") {
            faults.push(format!("{cell}: neither a test nor a reason: {said}"));
        }
        faults.extend(names.into_iter().filter_map(fault).map(|fault| format!("{cell}: {fault}")));
        for number in numbers {
            if !seen.insert(number) {
                faults.push(format!("{number} has two rows"));
            }
        }
    }
    faults.extend((1..=100).filter(|number| !seen.contains(number)).map(|number| format!("{number} has no row")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn faults_are_found() {
    assert!(fault("faults::no_such_test").is_some() && fault("faults::silence").is_none());
    assert!(fault("no_such_module").is_some() && fault("clock").is_none() && fault("player::reply").is_none());
    assert!(fault("tests/runner/none.rs").is_some() && fault("tests/runner/stats.rs").is_none());
    assert_eq!(numbers("20–23, 33"), [20, 21, 22, 23, 33]);
}
