//! Black-box tests of `stats`: published numbers, edge cases and simulated tournaments.
//!
//! The numbers are in `tests/data/stats_cases.json`. Every kind of case there is named below with the function that runs
//! it; a kind without one fails the test, so nothing in the file is passed over. Where the product does not offer
//! a formula of another tool, the formula lives here, to show that the difference is understood.

#[path = "stats/draw_models.rs"]
mod draw_models;
#[path = "stats/edges.rs"]
mod edges;
#[path = "stats/flavors.rs"]
mod flavors;
#[path = "stats/matches.rs"]
mod matches;
#[path = "stats/pools.rs"]
mod pools;
#[path = "stats/quick_coverage.rs"]
mod quick_coverage;
#[path = "stats/simulate.rs"]
mod simulate;

use serde_json::Value;

/// One case of the data file.
struct Case(Value);

impl Case {
    fn id(&self) -> &str {
        self.0["id"].as_str().expect("a case has an id")
    }

    fn input(&self) -> &Value {
        &self.0["input"]
    }

    fn expected(&self) -> &Value {
        &self.0["expected"]
    }

    /// Compares with the published value, if the case has one by this name, and the full-precision one, if any.
    fn check(&self, name: &str, actual: f64) {
        self.check_at(&[name], actual);
    }

    /// Like `check` for a value inside a list or object, such as `ratings` of `L1`.
    fn check_at(&self, path: &[&str], actual: f64) {
        let lookup = |root: &Value| path.iter().fold(root.clone(), |value, key| value[*key].clone());
        assert!(!actual.is_nan(), "{} {path:?} is NaN", self.id());
        if let Some(expected) = number(&lookup(self.expected())) {
            let tolerance = self.0["tol"][path[0]].as_f64().unwrap_or(1e-9);
            self.compare(path, actual, expected, tolerance);
        }
        if let Some(expected) = number(&lookup(&self.0["precise"])) {
            self.compare(path, actual, expected, 1e-6 * expected.abs().max(1.0));
        }
    }

    /// Like `check`, but without the full-precision value: for fits with numerical derivatives.
    fn check_loosely(&self, name: &str, actual: f64) {
        let expected = number(&self.expected()[name]).expect("a published value");
        self.compare(&[name], actual, expected, self.0["tol"][name].as_f64().unwrap_or(1e-3));
    }

    fn compare(&self, path: &[&str], actual: f64, expected: f64, tolerance: f64) {
        let is_close = actual == expected || (actual - expected).abs() <= tolerance;
        assert!(is_close, "{} {path:?}: {actual}, should be {expected} ± {tolerance}", self.id());
    }
}

/// A number, or one of the words for an infinite one. "nan" stands for what other tools print and is no expectation.
fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|item| number(item).expect("a number")).collect()
}

/// What runs a kind of case.
fn runner_of(kind: &str) -> Option<fn(&Case)> {
    Some(match kind {
        "elo_trinomial" | "elo_pentanomial" => matches::elo,
        "elo_cutechess" => flavors::elo_cutechess,
        "elo_regularized" => flavors::elo_regularized,
        "elo_student_t" => flavors::elo_student_t,
        "expected_score" => matches::expected_scores,
        "llr" => matches::llr,
        "sprt_bounds" => matches::sprt_bounds,
        "sprt_bounds_invalid" => matches::sprt_bounds_invalid,
        "sprt_median_unbiased_elo" => matches::sprt_median_unbiased_elo,
        "rating_bt_points" => pools::bt_points,
        "rating_connectivity" => pools::connectivity,
        "rating_needs_prior" => pools::needs_prior,
        "rating_errors_simulation" => pools::errors_by_simulation,
        "rating_rao_kupper" => draw_models::rao_kupper,
        "rating_davidson" => draw_models::davidson,
        "rating_davidson_shaped" => draw_models::davidson_shaped,
        "glicko2" => matches::glicko2_period,
        "glicko2_single_game" => matches::glicko2_game,
        "glicko2_puzzle" => matches::glicko2_puzzle,
        "puzzle_difficulty" => pools::puzzle_difficulty,
        "puzzle_2pl" => draw_models::puzzle_2pl,
        _ => return None,
    })
}

fn cases() -> Vec<Case> {
    let text = include_str!("../data/stats_cases.json");
    let file: Value = serde_json::from_str(text).expect("the case file is JSON");
    let cases = file["cases"].as_array().expect("a list of cases");
    cases.iter().cloned().map(Case).collect()
}

#[test]
fn every_case_of_the_file_holds() {
    let cases = cases();
    assert_eq!(cases.len(), 67, "the file has changed: look at what is new");
    for case in &cases {
        let kind = case.0["kind"].as_str().expect("a case has a kind");
        let run = runner_of(kind).unwrap_or_else(|| panic!("nothing runs cases of kind {kind}"));
        run(case);
    }
}
