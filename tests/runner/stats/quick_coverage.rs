//! A few hundred simulated tournaments; the long tier plays thousands.

use crescendo_runner::stats::bootstrap::bootstrap;
use crescendo_runner::stats::counts::Penta;
use crescendo_runner::stats::design::{Quantity, Wanted};
use crescendo_runner::stats::elo::match_elo;
use crescendo_runner::stats::rating::{ErrorSource, FitOptions, fit};
use crescendo_runner::stats::sprt::{EloScale, Sprt, SprtVerdict};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::simulate::{Schedule, World, coverage, run_sprt};

fn world() -> World {
    World {
        name: "quick",
        strengths: vec![0.0, 70.0, 110.0, 240.0],
        advantage: 90.0,
        draws: 0.3,
        correlation: 0.5,
        schedule: Schedule::RoundRobin(25),
    }
}

/// The pairs of a match of two, the first player's side: the games of `tournament` with the same seed.
fn pairs_of(duel: &World, seed: u64) -> Penta {
    let Schedule::RoundRobin(times) = duel.schedule else { panic!("a match is a round robin") };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut table = Penta::default();
    for _ in 0..times {
        // The tournament lets the higher number begin.
        let (second, first) = duel.pair(1, 0, &mut random);
        table.record(first, second.reversed());
    }
    table
}

#[test]
fn most_intervals_hold_the_truth() {
    let seen = coverage(&world(), &FitOptions::default(), 250);
    // 250 tournaments of dependent intervals: the share itself is known to about one percent.
    for share in [seen.ratings, seen.differences, seen.advantage] {
        assert!((0.92..=0.98).contains(&share), "{seen:?}");
    }
}

#[test]
fn few_games_have_wide_intervals() {
    // Two pairs in which the color decides have no scatter at all; that is luck and not knowledge.
    let duel = World { strengths: vec![0.0, 0.0], advantage: 3000.0, schedule: Schedule::RoundRobin(2), ..world() };
    let ratings = fit(&duel.tournament(1), &FitOptions::default()).unwrap();
    assert!(ratings.difference(0, 1).unwrap().interval().margin() > 120.0, "{ratings:?}");
    for (pairs, most) in [(2, 1.0), (3, 0.99), (6, 0.975)] {
        let duel = World { strengths: vec![0.0, 50.0], schedule: Schedule::RoundRobin(pairs), ..world() };
        let duel = World { draws: 0.2, correlation: 0.0, advantage: 60.0, ..duel };
        let seen = coverage(&duel, &FitOptions::default(), 1000);
        assert!((0.93..=most).contains(&seen.ratings), "{pairs} pairs: {seen:?}");
    }
}

#[test]
fn most_intervals_of_adaptive_tournaments_hold_the_truth() {
    // Equal players are the hard case: standings are all luck, and pairing by them held the truth 76 times in 100.
    for (strengths, quantity) in [
        (vec![0.0; 5], Quantity::Ratings { known: 0 }),
        (vec![0.0, 90.0, 150.0, 280.0], Quantity::Gaps),
        (vec![0.0, 150.0, 80.0, 30.0], Quantity::Ratings { known: 2 }),
    ] {
        let wanted = Wanted { quantity, within: Some(75.0) };
        let world = World { strengths, schedule: Schedule::Adaptive(wanted, 2000), ..world() };
        let seen = coverage(&world, &FitOptions::default(), 150);
        for share in [seen.ratings, seen.differences, seen.advantage] {
            assert!((0.91..=0.985).contains(&share), "{quantity:?} {seen:?}");
        }
    }
}

#[test]
fn pairings_chosen_on_the_way_can_be_rated() {
    let wanted = Wanted { quantity: Quantity::Gaps, within: Some(60.0) };
    for schedule in [Schedule::Adaptive(wanted, 600), Schedule::ByStandings(30)] {
        let world = World { schedule, ..world() };
        let ratings = fit(&world.tournament(2), &FitOptions::default()).unwrap();
        assert!(ratings.connectivity().is_strong(), "{} {schedule:?}", world.name);
        assert!(ratings.rating(3) > ratings.rating(0));
    }
}

#[test]
fn gauntlet_is_ranked_by_strength_and_not_by_score() {
    // Player 0 meets all; the others meet only player 0, so their scores say little about the pool's mean.
    let world = World { strengths: vec![300.0, 0.0, 200.0, 400.0], schedule: Schedule::Gauntlet(150), ..world() };
    let ratings = fit(&world.tournament(5), &FitOptions::default()).unwrap();
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&i, &j| ratings.rating(i).total_cmp(&ratings.rating(j)));
    assert_eq!(order, [1, 2, 0, 3]);
    let score = |i: usize| ratings.points(i) / ratings.games(i);
    assert!(score(0) > score(2) && score(3) > score(0));
}

#[test]
fn two_players_have_the_pentanomial_error() {
    let duel = World { strengths: vec![30.0, 0.0], schedule: Schedule::RoundRobin(400), ..world() };
    let pool = duel.tournament(8);
    let without_prior = FitOptions { prior_draws: 0.0, ..FitOptions::default() };
    let joint = fit(&pool, &without_prior).unwrap().difference(0, 1).unwrap();
    let elo = match_elo(&pairs_of(&duel, 8)).unwrap();
    // Not the same estimate, since the fit takes White's advantage out, but nearly.
    assert!((joint.elo - elo.elo).abs() < 3.0, "{joint:?} {elo:?}");
    let ratio = joint.interval().margin() / elo.interval.margin();
    assert!((0.95..1.1).contains(&ratio), "{joint:?} {elo:?}");
}

#[test]
fn model_misses_what_pairs_have_in_common() {
    // With balanced-out openings the two games of a pair mostly cancel: true errors are far smaller than the model's.
    let world = World { advantage: 250.0, correlation: 1.0, ..world() };
    let pool = world.tournament(1);
    let model = FitOptions { errors: ErrorSource::Model, ..FitOptions::default() };
    let wide = fit(&pool, &model).unwrap();
    let honest = fit(&pool, &FitOptions::default()).unwrap();
    assert_eq!(wide.rating(0), honest.rating(0));
    assert!(honest.std_error(0) < 0.8 * wide.std_error(0));
}

#[test]
fn bootstrap_agrees_with_the_sandwich_and_repeats_itself() {
    let pool = world().tournament(3);
    let options = FitOptions::default();
    let resampled = bootstrap(&pool, &options, 300, 9).unwrap();
    assert_eq!(resampled, bootstrap(&pool, &options, 300, 9).unwrap());
    assert_eq!((resampled.replicates, resampled.failed), (300, 0));
    let ratings = fit(&pool, &options).unwrap();
    for i in 0..ratings.players() {
        let ratio = resampled.ratings[i].margin() / ratings.interval(i).margin();
        assert!((0.8..1.2).contains(&ratio), "{i}: {ratio}");
    }
    assert!(resampled.white_advantage.contains(ratings.white_advantage().elo));
}

#[test]
fn planted_difference_is_found() {
    let duel = World { strengths: vec![40.0, 0.0], ..world() };
    for scale in [EloScale::Logistic, EloScale::Normalized] {
        let sprt = Sprt::new(0.0, 20.0, scale, 0.05, 0.05).unwrap();
        for seed in 0..10 {
            assert_eq!(run_sprt(&duel, &sprt, 8, seed).0, SprtVerdict::AcceptH1, "{scale:?} {seed}");
        }
    }
}
