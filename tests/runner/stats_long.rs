//! The long tier of `stats`: a thousand simulated tournaments of each kind, and a thousand sequential tests.
//!
//! Seeds are fixed, so a run either holds for good or fails for good. What was measured is printed for the record.

#![allow(clippy::print_stdout)]

#[path = "stats/simulate.rs"]
mod simulate;

use crescendo_runner::stats::design::{Quantity, Wanted};
use crescendo_runner::stats::elo::expected_score;
use crescendo_runner::stats::rating::FitOptions;
use crescendo_runner::stats::sprt::{EloScale, Sprt, SprtVerdict};
use crescendo_runner::stats::stopped::elo_after_sprt;
use simulate::{Schedule, World, coverage, run_sprt};

const TOURNAMENTS: u64 = 1000;

fn ladder(players: usize, step: f64) -> Vec<f64> {
    (0..players).map(|k| k as f64 * step).collect()
}

/// Six players, moderate draws and advantage: what the other worlds vary.
fn plain_world() -> World {
    World {
        name: "plain",
        strengths: ladder(6, 60.0),
        advantage: 60.0,
        draws: 0.2,
        correlation: 0.0,
        schedule: Schedule::RoundRobin(20),
    }
}

fn worlds() -> Vec<World> {
    let plain = plain_world();
    vec![
        World { name: "few draws", draws: 0.03, ..plain.clone() },
        World { name: "many draws", draws: 0.7, ..plain.clone() },
        World { name: "strong advantage of White", advantage: 250.0, ..plain.clone() },
        World { name: "correlated pairs", advantage: 150.0, correlation: 0.8, ..plain.clone() },
        World { name: "gauntlet", strengths: ladder(9, 40.0), schedule: Schedule::Gauntlet(50), ..plain.clone() },
        World {
            name: "scores near 100 %",
            strengths: vec![0.0, 500.0, 1000.0],
            schedule: Schedule::RoundRobin(100),
            ..plain.clone()
        },
        World {
            name: "adaptive: gaps of a ladder",
            strengths: ladder(8, 100.0),
            schedule: Schedule::Adaptive(Wanted { quantity: Quantity::Gaps, within: Some(80.0) }, 5000),
            ..plain.clone()
        },
        World {
            name: "adaptive: ratings, close",
            strengths: ladder(10, 20.0),
            schedule: Schedule::Adaptive(Wanted { quantity: Quantity::Ratings { known: 0 }, within: None }, 600),
            ..plain.clone()
        },
        World {
            name: "adaptive: equal players",
            strengths: vec![0.0; 8],
            schedule: Schedule::Adaptive(Wanted { quantity: Quantity::Ratings { known: 0 }, within: Some(60.0) }, 5000),
            ..plain.clone()
        },
        World {
            name: "adaptive: equal, by gaps",
            strengths: vec![0.0; 8],
            schedule: Schedule::Adaptive(Wanted { quantity: Quantity::Gaps, within: Some(90.0) }, 5000),
            ..plain.clone()
        },
        World { name: "two rounds", schedule: Schedule::RoundRobin(2), ..plain.clone() },
        World {
            name: "match of six pairs",
            strengths: vec![0.0, 50.0],
            schedule: Schedule::RoundRobin(6),
            ..plain.clone()
        },
        plain,
    ]
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_claim() {
    let mut failures = Vec::new();
    for world in worlds() {
        let seen = coverage(&world, &FitOptions::default(), TOURNAMENTS);
        println!("{:28} {seen:.3?}", world.name);
        let shares = [seen.ratings, seen.differences, seen.advantage];
        if shares.iter().any(|share| !(0.93..=0.97).contains(share)) {
            failures.push(world.name);
        }
    }
    assert!(failures.is_empty(), "coverage outside 93 to 97 %: {failures:?}");
}

/// A match of two whose true logistic difference is `elo`.
fn duel(elo: f64) -> World {
    World { name: "duel", strengths: vec![elo, 0.0], schedule: Schedule::RoundRobin(0), ..plain_world() }
}

#[test]
fn sequential_tests_err_no_oftener_than_they_claim() {
    // A thousand tests err up to 5 %, with a standard error of 0.7 %.
    let most = 50 + 14;
    let sprt = Sprt::new(0.0, 20.0, EloScale::Logistic, 0.05, 0.05).expect("a sound test");
    let wrong_h1 = (0..TOURNAMENTS).filter(|&seed| run_sprt(&duel(0.0), &sprt, 4, seed).0 == SprtVerdict::AcceptH1);
    let wrong_h1 = wrong_h1.count();
    let wrong_h0 = (0..TOURNAMENTS).filter(|&seed| run_sprt(&duel(20.0), &sprt, 4, seed).0 == SprtVerdict::AcceptH0);
    let wrong_h0 = wrong_h0.count();
    println!("false H1 {wrong_h1}, false H0 {wrong_h0} of {TOURNAMENTS}");
    assert!(wrong_h1 <= most && wrong_h0 <= most);
}

#[test]
fn normalized_tests_err_no_oftener_than_they_claim() {
    let sprt = Sprt::new(0.0, 25.0, EloScale::Normalized, 0.05, 0.05).expect("a sound test");
    let wrong = (0..TOURNAMENTS).filter(|&seed| run_sprt(&duel(0.0), &sprt, 8, seed).0 == SprtVerdict::AcceptH1);
    let wrong = wrong.count();
    println!("false H1 {wrong} of {TOURNAMENTS}");
    assert!(wrong <= 64);
}

#[test]
fn twenty_elo_are_decided_the_right_way() {
    let sprt = Sprt::new(0.0, 10.0, EloScale::Logistic, 0.05, 0.05).expect("a sound test");
    for (elo, right) in [(20.0, SprtVerdict::AcceptH1), (-20.0, SprtVerdict::AcceptH0)] {
        let decided = (0..TOURNAMENTS).filter(|&seed| run_sprt(&duel(elo), &sprt, 4, seed).0 == right).count();
        println!("{elo} Elo decided rightly {decided} times of {TOURNAMENTS}");
        assert!(decided >= 990);
    }
}

#[test]
fn the_estimate_after_a_stop_is_unbiased_in_the_median() {
    let sprt = Sprt::new(0.0, 20.0, EloScale::Logistic, 0.05, 0.05).expect("a sound test");
    for elo in [0.0, 12.0, 30.0] {
        let (mut below, mut held, mut naive_below) = (0, 0, 0);
        for seed in 0..TOURNAMENTS {
            let (_, table) = run_sprt(&duel(elo), &sprt, 1, seed);
            let estimate = elo_after_sprt(&sprt, &table);
            below += u64::from(estimate.elo < elo);
            held += u64::from(estimate.interval.contains(elo));
            naive_below += u64::from(table.points() / (table.games() as f64) < expected_score(elo));
        }
        println!("{elo} Elo: estimate below {below}, interval holds {held}, plain score below {naive_below}");
        assert!((440..=560).contains(&below), "{elo}: {below}");
        assert!((930..=970).contains(&held), "{elo}: {held}");
    }
}

/// What the intervals cannot promise: if who meets whom depends on luck so far, lucky players are kept away from those
/// who would show it. The runner therefore chooses pairings by variance; this keeps the price of the other way in view.
#[test]
fn pairing_by_standings_costs_some_coverage() {
    let world = World { strengths: ladder(10, 40.0), schedule: Schedule::ByStandings(60), ..plain_world() };
    let seen = coverage(&world, &FitOptions::default(), TOURNAMENTS);
    println!("by standings                 {seen:.3?}");
    assert!((0.90..0.94).contains(&seen.ratings), "{seen:?}");
}
