//! Pools at the edge of what can be rated. Whatever happens, no number is `NaN`.

use std::time::Instant;

use crescendo_runner::stats::bootstrap::bootstrap;
use crescendo_runner::stats::counts::Wdl;
use crescendo_runner::stats::pool::{GameTally, Pool};
use crescendo_runner::stats::rating::{
    Anchor, ErrorSource, FitError, FitOptions, Origin, Ratings, WhiteAdvantage, fit,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn tally(white: usize, black: usize, wins: u64, draws: u64, losses: u64) -> GameTally {
    let results = Wdl { wins, draws, losses };
    GameTally { white, black, results }
}

fn pool(players: usize, tallies: &[GameTally]) -> Pool {
    let mut pool = Pool::new(players);
    tallies.iter().for_each(|tally| pool.add_independent(*tally));
    pool
}

fn without_prior() -> FitOptions {
    FitOptions { prior_draws: 0.0, ..FitOptions::default() }
}

fn anchored(player: usize, rating: f64, std_error: Option<f64>) -> Anchor {
    Anchor { player, rating, std_error }
}

fn assert_finite(ratings: &Ratings) {
    for i in 0..ratings.players() {
        assert!(ratings.rating(i).is_finite() && ratings.std_error(i).is_finite(), "{ratings:?}");
        for j in 0..ratings.players() {
            assert!(ratings.difference(i, j).is_none_or(|d| d.elo.is_finite() && d.std_error.is_finite()));
        }
    }
    let advantage = ratings.white_advantage();
    assert!(advantage.elo.is_finite() && advantage.std_error.is_finite() && ratings.log_likelihood().is_finite());
    assert!(ratings.los_matrix().iter().flatten().flatten().all(|los| (0.0..=1.0).contains(los)));
}

#[test]
fn unbeaten_and_winless_players_get_finite_ratings_from_the_prior() {
    let pool = pool(3, &[tally(0, 1, 30, 0, 0), tally(1, 0, 0, 0, 30), tally(1, 2, 5, 0, 0), tally(2, 1, 0, 0, 5)]);
    for errors in [ErrorSource::Model, ErrorSource::Sandwich] {
        let ratings = fit(&pool, &FitOptions { errors, ..FitOptions::default() }).unwrap();
        assert_finite(&ratings);
        assert!(ratings.rating(0) > ratings.rating(1) && ratings.rating(1) > ratings.rating(2));
        assert!(ratings.is_prior_dominated(0) && ratings.is_prior_dominated(2));
    }
    assert!(matches!(fit(&pool, &without_prior()), Err(FitError::NotConnected(_))));
}

#[test]
fn players_without_games_stand_at_the_mean_and_cannot_be_compared() {
    let ratings = fit(&pool(3, &[tally(0, 1, 12, 3, 5)]), &FitOptions::default()).unwrap();
    assert_finite(&ratings);
    assert!(ratings.rating(2).abs() < 1e-6 && ratings.is_prior_dominated(2));
    assert_eq!(ratings.difference(0, 2), None);
    assert_eq!(ratings.los_matrix()[2], [None, None, None]);
    assert!(ratings.std_error(2) > 200.0);
}

#[test]
fn pools_without_games_or_players_are_rated_all_the_same() {
    for players in 0..4 {
        let ratings = fit(&Pool::new(players), &FitOptions::default()).unwrap();
        assert_finite(&ratings);
        assert_eq!(ratings.connectivity().weak.len(), players);
    }
    assert_finite(&fit(&Pool::new(1), &without_prior()).unwrap());
    assert!(fit(&Pool::new(2), &without_prior()).is_err());
}

#[test]
fn games_that_the_color_decides_need_a_prior() {
    let pool = pool(2, &[tally(0, 1, 20, 0, 0), tally(1, 0, 20, 0, 0)]);
    assert_eq!(fit(&pool, &without_prior()).unwrap_err(), FitError::Unbounded);
    let ratings = fit(&pool, &FitOptions::default()).unwrap();
    assert_finite(&ratings);
    assert!(ratings.white_advantage().elo > 400.0 && ratings.rating(0).abs() < 1e-6);
    let known = FitOptions { white_advantage: WhiteAdvantage::Fixed(500.0), ..without_prior() };
    let ratings = fit(&pool, &known).unwrap();
    assert_eq!(ratings.white_advantage().std_error, 0.0);
}

#[test]
fn anchors_hold_or_pull() {
    let games = [tally(0, 1, 10, 10, 10), tally(1, 0, 10, 10, 10), tally(1, 2, 15, 0, 15), tally(2, 1, 15, 0, 15)];
    let options = |anchors| FitOptions { origin: Origin::Anchors(anchors), ..without_prior() };
    let pool = pool(3, &games);
    let held = fit(&pool, &options(vec![anchored(0, 1500.0, None)])).unwrap();
    assert!((held.rating(0) - 1500.0).abs() < 1e-9 && held.std_error(0) == 0.0);
    assert!((held.rating(2) - 1500.0).abs() < 1e-6 && held.std_error(2) > held.std_error(1));
    // Two soft anchors that contradict the games meet half way.
    let pulled = fit(&pool, &options(vec![anchored(0, 1400.0, Some(5.0)), anchored(1, 1500.0, Some(5.0))])).unwrap();
    assert!(pulled.rating(0) > 1400.0 && pulled.rating(1) < 1500.0);
    assert!((pulled.rating(0) + pulled.rating(1) - 2900.0).abs() < 1.0);
    for wrong in
        [vec![], vec![anchored(9, 0.0, None)], vec![anchored(0, 0.0, None); 2], vec![anchored(0, 0.0, Some(0.0))]]
    {
        assert!(matches!(fit(&pool, &options(wrong)), Err(FitError::Option(_))));
    }
    let negative = FitOptions { prior_draws: -1.0, ..FitOptions::default() };
    assert!(matches!(fit(&pool, &negative), Err(FitError::Option(_))));
}

#[test]
fn order_of_input_does_not_matter() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut games: Vec<(u64, GameTally)> = (0..300)
        .map(|k| {
            let (white, black) = (random.random_range(0..5), random.random_range(0..5));
            (k / 2, tally(white, black, random.random_range(0..2), 1, random.random_range(0..2)))
        })
        .collect();
    let rate = |games: &[(u64, GameTally)]| {
        let mut pool = Pool::new(5);
        games.iter().for_each(|(cluster, tally)| pool.add(*cluster, *tally));
        fit(&pool, &FitOptions::default()).unwrap()
    };
    let forward = rate(&games);
    games.reverse();
    let backward = rate(&games);
    for i in 0..5 {
        assert_eq!(forward.rating(i), backward.rating(i));
        assert!((forward.std_error(i) - backward.std_error(i)).abs() < 1e-9);
    }
}

#[test]
fn bootstrap_of_a_pool_without_a_prior_counts_what_failed() {
    let pool = pool(2, &[tally(0, 1, 4, 0, 1), tally(1, 0, 1, 0, 4)]);
    let resampled = bootstrap(&pool, &without_prior(), 100, 1).unwrap();
    assert!(resampled.failed > 0 && resampled.replicates + resampled.failed == 100);
    assert!(resampled.ratings.iter().all(|interval| interval.low.is_finite() && interval.high.is_finite()));
}

#[test]
fn a_million_games_of_a_hundred_players_are_quick() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut pool = Pool::new(100);
    for cluster in 0..500_000 {
        let i = random.random_range(0..100);
        let j = (i + random.random_range(1..100)) % 100;
        for (white, black) in [(i, j), (j, i)] {
            let is_won = random.random_range(0..200) < 100 + white as i32 / 2 - black as i32 / 2;
            pool.add(cluster, tally(white, black, u64::from(is_won), 0, u64::from(!is_won)));
        }
    }
    let start = Instant::now();
    let ratings = fit(&pool, &FitOptions::default()).unwrap();
    let elapsed = start.elapsed();
    assert_finite(&ratings);
    assert!(ratings.rating(99) > ratings.rating(0));
    // Under two seconds when optimized; this leaves room for a busy machine and checked arithmetic.
    assert!(elapsed.as_secs() < 10, "{elapsed:?}");
}
