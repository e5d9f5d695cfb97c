//! The page of `puzzles rate`.

use crate::support::{RUNNER, shipped_lines, well_formed};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A name that would be markup, were it not escaped.
const EVIL: &str = "<b>&set.jsonl";

/// Rates the set in this folder, with two attempts and few nodes; exit code and what was told.
fn rate(folder: &Path, page: &str) -> (Option<i32>, String) {
    rate_by(folder, "2", page)
}

/// The same with so many attempts.
fn rate_by(folder: &Path, seeds: &str, page: &str) -> (Option<i32>, String) {
    let mut command = Command::new(RUNNER);
    command.args(["puzzles", "rate", EVIL, "--seeds", seeds, "--nodes", "3000", "--out", "rated.csv"]);
    let done = command.args(["--json", "report.json", "--report", page]).current_dir(folder).output().unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    report[key].as_array().unwrap()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Holds the page to a row of a table.
fn has_row(page: &str, name: &str, cells: &[String]) {
    let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
    let row = format!("<tr><th scope=\"row\">{name}</th>{cells}</tr>");
    assert!(page.contains(&row), "{row}");
}

#[test]
fn the_page_of_a_rating_has_what_its_report_says() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    std::fs::write(folder.path().join(EVIL), shipped_lines("italian", 30)).unwrap();
    assert_eq!(rate(folder.path(), "page.html"), (Some(0), String::new()));
    let (page, report) = (read("page.html"), serde_json::from_str(&read("report.json")).unwrap());
    well_formed(&page);
    assert!(page.contains("<h1>Puzzle ratings: &lt;b&gt;&amp;set.jsonl</h1>"));
    assert_eq!(page.matches("<figure>").count(), 2);
    head(&page, &report);
    let mut rows = csv::Reader::from_path(folder.path().join("rated.csv")).unwrap();
    histogram(&page, &report, &rows.records().map(|row| row.unwrap()[3].parse().unwrap()).collect::<Vec<f64>>());
    tables(&page, &report);
    // The same attempts give the same page, and one that cannot be written is told.
    rate(folder.path(), "again.html");
    assert_eq!(read("again.html"), page);
    let (code, told) = rate(folder.path(), "nowhere/page.html");
    assert_eq!((code, told.contains("nowhere/page.html")), (Some(4), true), "{told}");
}

#[test]
fn more_attempts_are_added_to_those_that_were_made() {
    let lines = shipped_lines("scottish", 12);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [by_steps, at_once] = folders.each_ref().map(|folder| {
        std::fs::write(folder.path().join(EVIL), &lines).unwrap();
        folder.path()
    });
    let attempts = |folder: &Path| std::fs::read_to_string(folder.join(format!("{EVIL}.attempts"))).unwrap();
    assert_eq!(rate_by(by_steps, "1", "page.html").0, Some(0));
    assert_eq!(attempts(by_steps).lines().count(), 13);
    for folder in [by_steps, at_once] {
        assert_eq!(rate_by(folder, "3", "page.html"), (Some(0), String::new()));
    }
    // A header, and a line for each puzzle and step; the last says what one step would have said.
    assert_eq!((attempts(by_steps).lines().count(), attempts(at_once).lines().count()), (25, 13));
    let last = |folder| attempts(folder).lines().rev().take(12).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(last(by_steps), last(at_once));
    let page = |folder: &Path| std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert_eq!(page(by_steps), page(at_once));
    // Full strength does not err: one attempt tells all. Fewer attempts than there are cannot be asked for.
    let row: Value = serde_json::from_str(&last(at_once)[0]).unwrap();
    assert!(list(&row, "solved")[9].as_u64().unwrap() <= 1, "{row}");
    let (code, told) = rate_by(at_once, "2", "page.html");
    assert_eq!((code, told.contains("has 3 attempts")), (Some(2), true), "{told}");
}

fn head(page: &str, report: &Value) {
    let [low, middle, high] = [0, 1, 2].map(|place| number(&report["percentiles"][place]));
    for fact in [
        "30".to_owned(),
        format!("{low:.0}, {middle:.0}, {high:.0}"),
        format!("{:.0}", number(&report["median_error"])),
        percent(number(&report["solved_by_all"])),
        percent(number(&report["solved_by_none"])),
        format!("{:.4}", number(&report["brier"])),
        format!("{:.4}", number(&report["brier_length"])),
    ] {
        assert!(page.contains(&format!("<dd>{fact}</dd>")), "{fact}");
    }
}

/// Every puzzle is in it, where its rating belongs.
fn histogram(page: &str, report: &Value, ratings: &[f64]) {
    let bins = list(report, "histogram");
    assert_eq!(bins.iter().map(|bin| bin["puzzles"].as_u64().unwrap()).sum::<u64>(), 30);
    for bin in bins {
        let (from, puzzles) = (number(&bin["from"]), bin["puzzles"].as_u64().unwrap());
        // Ratings of the file are whole numbers, so one near the edge may have come from beside it.
        let within = |by: f64| ratings.iter().filter(|&&r| r >= from - by && r < from + 100.0 + by).count() as u64;
        assert!((within(-1.0)..=within(1.0)).contains(&puzzles), "{bin}");
        let cells = [puzzles.to_string(), percent(puzzles as f64 / 30.0)];
        has_row(page, &format!("{from} to {}", from + 99.0), &cells);
    }
}

fn tables(page: &str, report: &Value) {
    assert_eq!((list(report, "deciles").len(), list(report, "levels").len()), (10, 10));
    for (place, decile) in (1..).zip(list(report, "deciles")) {
        let shares = ["predicted", "actual"].map(|key| percent(number(&decile[key])));
        has_row(page, &format!("{place}"), &[shares.as_slice(), &[number(&decile["trials"]).to_string()]].concat());
    }
    let rounded = |one: &Value| ["elo", "std_error"].map(|key| format!("{:.0}", number(&one[key])));
    for (place, level) in list(report, "levels").iter().enumerate() {
        let solved = percent(number(&list(report, "solve_rates")[0]["rates"][place]));
        has_row(page, level["name"].as_str().unwrap(), &[rounded(level).as_slice(), &[solved]].concat());
    }
    list(report, "coefficients").iter().for_each(|one| has_row(page, one["name"].as_str().unwrap(), &rounded(one)));
    // By length and by theme, all puzzles in both.
    for rates in list(report, "solve_rates") {
        let name = rates["name"].as_str().unwrap();
        let wanted = if name == "all" { 2 } else { 1 };
        let row = format!("<th scope=\"row\">{name}</th><td>{}</td><td style=\"--shade:", rates["puzzles"]);
        assert_eq!(page.matches(&row).count(), wanted, "{row}");
    }
}
