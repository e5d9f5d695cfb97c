//! Puzzles of known difficulty among simulated solvers: the fit finds them again within its error bars as often as these claim.

use crescendo_runner::stats::attempts::{Data, Fitted, Trial, fit};
use crescendo_runner::stats::counts::{Points, Wdl};
use crescendo_runner::stats::elo::expected_score;
use crescendo_runner::stats::pool::{GameTally, Pool};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A simulated truth.
struct World {
    solvers: Vec<f64>,
    puzzles: Vec<f64>,
    features: Vec<Vec<f64>>,
}

/// Normal, by the sum of twelve uniforms.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

fn world(puzzles: usize, rng: &mut ChaCha8Rng) -> World {
    let solvers = (0..8).map(|level| 500.0 + 170.0 * f64::from(level)).collect();
    let features: Vec<Vec<f64>> =
        (0..puzzles).map(|_| vec![f64::from(rng.random_range(3..10u8)), normal(rng), 1.0]).collect();
    let difficulty = |f: &Vec<f64>| 600.0 + 80.0 * f[0] + 120.0 * f[1] + 150.0 * normal(rng);
    let puzzles = features.iter().map(difficulty).collect();
    World { solvers, puzzles, features }
}

/// Attempts of every solver at every puzzle, and games of every solver with every other.
fn simulated(world: &World, attempts: u32, games: u32, rng: &mut ChaCha8Rng) -> Data {
    let mut pool = Pool::new(world.solvers.len());
    for white in 0..world.solvers.len() {
        for black in (0..world.solvers.len()).filter(|&black| black != white) {
            let mut results = Wdl::default();
            for _ in 0..games {
                let won = rng.random::<f64>() < expected_score(world.solvers[white] - world.solvers[black] + 30.0);
                results.record(if won { Points::One } else { Points::Zero });
            }
            pool.add_independent(GameTally { white, black, results });
        }
    }
    let mut trials = Vec::new();
    for (puzzle, difficulty) in world.puzzles.iter().enumerate() {
        for (solver, rating) in world.solvers.iter().enumerate() {
            let chance = expected_score(rating - difficulty);
            let solved = (0..attempts).filter(|_| rng.random::<f64>() < chance).count();
            trials.push(Trial { solver, puzzle, attempts: f64::from(attempts), solved: solved as f64 });
        }
    }
    Data {
        solvers: world.solvers.len(),
        origin: 500.0,
        games: pool,
        trials,
        features: world.features.clone(),
        known: Vec::new(),
    }
}

/// How many truths the 95 % intervals hold, of how many: of puzzles, and of solvers.
fn coverage(world: &World, fitted: &Fitted) -> [(usize, usize); 2] {
    let count = |truth: &[f64], found: &[crescendo_runner::stats::attempts::Estimate]| {
        let held = truth.iter().zip(found).filter(|(truth, e)| (*truth - e.elo).abs() <= 1.96 * e.std_error);
        (held.count(), truth.len())
    };
    [count(&world.puzzles, &fitted.puzzles), count(&world.solvers[1..], &fitted.solvers[1..])]
}

/// The shares held in so many worlds.
fn shares(worlds: u64, puzzles: usize) -> [f64; 2] {
    let mut sums = [(0, 0); 2];
    for seed in 0..worlds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let world = world(puzzles, &mut rng);
        let fitted = fit(&simulated(&world, 2, 20, &mut rng));
        for (sum, (held, all)) in sums.iter_mut().zip(coverage(&world, &fitted)) {
            *sum = (sum.0 + held, sum.1 + all);
        }
    }
    sums.map(|(held, all)| held as f64 / all as f64)
}

#[test]
fn planted_ratings_are_recovered_within_their_error_bars() {
    let [puzzles, solvers] = shares(16, 100);
    // Puzzles of one world share the error of the scale, so the count is far from binomial.
    assert!((0.92..=0.98).contains(&puzzles), "puzzles {puzzles}");
    assert!((0.88..=1.0).contains(&solvers), "solvers {solvers}");
}

#[cfg(feature = "long")]
#[test]
fn planted_ratings_are_recovered_in_many_worlds() {
    let [puzzles, solvers] = shares(200, 300);
    println!("95 % intervals hold {puzzles:.3} of puzzles, {solvers:.3} of solvers");
    assert!((0.935..=0.965).contains(&puzzles), "puzzles {puzzles}");
    assert!((0.92..=0.98).contains(&solvers), "solvers {solvers}");
}

#[test]
fn features_are_found_and_puzzles_never_tried_get_their_forecast() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let world = world(400, &mut rng);
    let mut data = simulated(&world, 2, 20, &mut rng);
    data.trials.retain(|trial| trial.puzzle >= 20);
    let fitted = fit(&data);
    assert!((110.0..190.0).contains(&fitted.spread), "{}", fitted.spread);
    // A standard deviation of the length is 2 moves of 80 points, of the second feature 120.
    assert!((fitted.coefficients[1].elo - 160.0).abs() < 40.0 && (fitted.coefficients[2].elo - 120.0).abs() < 30.0);
    for (untried, features) in fitted.puzzles.iter().zip(&world.features).take(20) {
        assert!((untried.elo - fitted.predict(features).elo).abs() < 1e-3);
        assert!(untried.std_error > 100.0);
    }
    assert!((fitted.dispersion - 1.0).abs() < 0.15, "{}", fitted.dispersion);
}

#[test]
fn attempts_that_hang_together_widen_the_errors() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let world = world(200, &mut rng);
    let honest = fit(&simulated(&world, 1, 20, &mut rng));
    // The same outcome four times over looks like four times the data.
    let mut copied = simulated(&world, 1, 20, &mut rng);
    for trial in &mut copied.trials {
        (trial.attempts, trial.solved) = (4.0, 4.0 * trial.solved);
    }
    let copied = fit(&copied);
    assert!(copied.dispersion > 2.0, "{}", copied.dispersion);
    let mean = |fitted: &Fitted| fitted.own_errors.iter().sum::<f64>() / fitted.own_errors.len() as f64;
    assert!(mean(&copied) > 0.75 * mean(&honest), "{} v {}", mean(&copied), mean(&honest));
}

#[test]
fn nothing_to_fit_is_no_panic() {
    let empty = fit(&Data::default());
    assert!(empty.puzzles.is_empty());
    let alone = fit(&Data { solvers: 1, origin: 500.0, features: vec![vec![]], ..Data::default() });
    assert_eq!(alone.solvers[0].elo, 500.0);
    assert!((alone.puzzles[0].elo - 500.0).abs() < 1.0 && alone.puzzles[0].elo.is_finite());
}
