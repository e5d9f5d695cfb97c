//! Cases of pools of players.

use std::collections::BTreeSet;

use crescendo_runner::stats::counts::Wdl;
use crescendo_runner::stats::pool::{GameTally, Pool};
use crescendo_runner::stats::rating::{
    Anchor, ErrorSource, FitError, FitOptions, Origin, Ratings, WhiteAdvantage, fit,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::draw_models::{self, displayed_bayes_elo, shaped_chances};
use super::{Case, numbers};

/// The games of a case: White, Black, White's wins, draws, White's losses.
pub(crate) struct Meetings {
    pub(crate) names: Vec<String>,
    pub(crate) results: Vec<(usize, usize, f64, f64, f64)>,
}

pub(crate) fn meetings(case: &Case) -> Meetings {
    let games = case.input()["games"].as_array().expect("games");
    let text = |value: &serde_json::Value| value.as_str().expect("a name").to_string();
    let all: BTreeSet<String> = games.iter().flat_map(|g| [text(&g["white"]), text(&g["black"])]).collect();
    let names: Vec<String> = all.into_iter().collect();
    let place = |value: &serde_json::Value| names.iter().position(|name| value == name.as_str()).expect("a player");
    let count = |value: &serde_json::Value| value.as_f64().expect("a count");
    let results = games
        .iter()
        .map(|g| {
            (
                place(&g["white"]),
                place(&g["black"]),
                count(&g["white_wins"]),
                count(&g["draws"]),
                count(&g["black_wins"]),
            )
        })
        .collect();
    Meetings { names, results }
}

impl Meetings {
    pub(crate) fn pool(&self) -> Pool {
        let mut pool = Pool::new(self.names.len());
        for &(white, black, wins, draws, losses) in &self.results {
            let results = Wdl { wins: wins as u64, draws: draws as u64, losses: losses as u64 };
            pool.add_independent(GameTally { white, black, results });
        }
        pool
    }

    fn groups(&self, groups: &[Vec<usize>]) -> Vec<Vec<String>> {
        groups.iter().map(|group| group.iter().map(|&i| self.names[i].clone()).collect()).collect()
    }
}

/// Likelihood alone, its own errors.
fn plain(mean: f64) -> FitOptions {
    FitOptions { prior_draws: 0.0, origin: Origin::Mean(mean), errors: ErrorSource::Model, ..FitOptions::default() }
}

pub(crate) fn bt_points(case: &Case) {
    let games = meetings(case);
    let mean = case.input()["mean"].as_f64().expect("a mean");
    let ratings = fit(&games.pool(), &plain(mean)).expect("a connected pool");
    case.check("white_advantage", ratings.white_advantage().elo);
    case.check("loglik", ratings.log_likelihood());
    for (i, name) in games.names.iter().enumerate() {
        case.check_at(&["ratings", name], ratings.rating(i));
        case.check_at(&["ci95_halfwidth", name], ratings.interval(i).margin());
        case.check_at(&["ci95_profile_halfwidth", name], ratings.interval(i).margin());
    }
}

pub(crate) fn connectivity(case: &Case) {
    let games = meetings(case);
    let Err(FitError::NotConnected(found)) = fit(&games.pool(), &plain(0.0)) else {
        panic!("{}: a pool without finite ratings must be refused", case.id())
    };
    let listed = |name: &str| serde_json::from_value::<Vec<Vec<String>>>(case.expected()[name].clone());
    if let Ok(components) = listed("components") {
        assert_eq!(games.groups(&found.weak), components);
    }
    if let Ok(components) = listed("strong_components") {
        assert_eq!(games.groups(&found.strong), components);
        assert_eq!(Some(found.weak.len() as u64), case.expected()["weak_components"].as_u64());
        let (ratings, margins) = displayed_bayes_elo(&games, 2.0);
        for (i, name) in games.names.iter().enumerate() {
            let value = |list: &str| case.expected()[list][name].as_f64().expect("a number");
            case.compare(&["bayeselo", name], ratings[i], value("bayeselo_prior2_rounded"), 1.0);
            case.compare(&["err95", name], margins[i], value("err95_rounded"), 1.5);
        }
    }
    // With a prior there are numbers, but no difference across groups that never met.
    let ratings = fit(&games.pool(), &FitOptions::default()).expect("the prior makes ratings finite");
    for i in 0..ratings.players() {
        for j in 0..ratings.players() {
            let is_joined = found.weak.iter().any(|group| group.contains(&i) && group.contains(&j));
            assert_eq!(ratings.difference(i, j).is_some(), is_joined);
        }
    }
}

pub(crate) fn needs_prior(case: &Case) {
    let games = meetings(case);
    assert!(matches!(fit(&games.pool(), &plain(0.0)), Err(FitError::NotConnected(_))));
    let (displayed, margins) = displayed_bayes_elo(&games, 2.0);
    let ratings = fit(&games.pool(), &FitOptions::default()).expect("the prior makes ratings finite");
    for (i, name) in games.names.iter().enumerate() {
        case.check_at(&["bayeselo_ratings_rounded", name], displayed[i]);
        if let Some(margin) = case.expected()["err95_rounded"][name].as_f64() {
            case.compare(&["err95_rounded", name], margins[i], margin, 2.0);
        }
        let is_extreme = name == "God" || name == "Worm";
        assert_eq!(ratings.is_prior_dominated(i), is_extreme, "{name}");
    }
    let order = |values: &dyn Fn(usize) -> f64| {
        let mut order: Vec<usize> = (0..games.names.len()).collect();
        order.sort_by(|&i, &j| values(i).total_cmp(&values(j)));
        order
    };
    assert_eq!(order(&|i| ratings.rating(i)), order(&|i| displayed[i]));
}

/// The pool played again, from the model with draws fitted to it, and rated.
fn replays(games: &Meetings, times: u64) -> Vec<Ratings> {
    let model = draw_models::fit(games, shaped_chances, 0.0, 120.0);
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let mut fits: Vec<Ratings> = Vec::new();
    for _ in 0..times {
        let mut pool = Pool::new(games.names.len());
        for &(white, black, wins, draws, losses) in &games.results {
            let lead = model.ratings[white] - model.ratings[black] + model.advantage;
            let [win, draw, _] = shaped_chances(lead, model.draw);
            let mut results = Wdl::default();
            for _ in 0..(wins + draws + losses) as u64 {
                let u: f64 = random.random();
                match u {
                    _ if u < win => results.wins += 1,
                    _ if u < win + draw => results.draws += 1,
                    _ => results.losses += 1,
                }
            }
            pool.add_independent(GameTally { white, black, results });
        }
        fits.extend(fit(&pool, &plain(0.0)));
    }
    fits
}

/// Ordo's simulation: play the pool again and again from the fitted model and see how the ratings scatter.
pub(crate) fn errors_by_simulation(case: &Case) {
    let games = meetings(case);
    let fits = replays(&games, case.input()["simulations"].as_u64().expect("a number"));
    let relative = case.0["tol"]["relative"].as_f64().expect("a tolerance");
    let sandwich = FitOptions { errors: ErrorSource::Sandwich, ..plain(0.0) };
    let once = fit(&games.pool(), &sandwich).expect("a connected pool");
    let check = |path: &[&str], expected: f64, value: &dyn Fn(&Ratings) -> f64, error: f64| {
        let mean = fits.iter().map(value).sum::<f64>() / fits.len() as f64;
        let variance = fits.iter().map(|f| (value(f) - mean).powi(2)).sum::<f64>() / fits.len() as f64;
        case.compare(path, 1.96 * variance.sqrt(), expected, relative * expected);
        // The sandwich says the same without a simulation, up to the noise of its one sample.
        case.compare(path, 1.96 * error, expected, 0.15 * expected);
    };
    for (i, name) in games.names.iter().enumerate() {
        if let Some(expected) = case.expected()["err95_pool_relative"][name].as_f64() {
            check(&["err95_pool_relative", name], expected, &|f| f.rating(i), once.std_error(i));
        }
        if let Some(expected) = case.expected()["err95_vs_anchor_L1"][name].as_f64() {
            let error = once.difference(i, 0).expect("one group").std_error;
            check(&["err95_vs_anchor_L1", name], expected, &|f| f.rating(i) - f.rating(0), error);
        }
    }
    // Ordo prints one standard deviation of the advantage, in spite of the "95 %" of its other errors.
    let expected = 1.96 * case.expected()["white_advantage_err95"].as_f64().expect("an error");
    let error = once.white_advantage().std_error;
    check(&["white_advantage_err95"], expected, &|f| f.white_advantage().elo, error);
}

/// Solvers of a puzzle: rating, solved, tried.
pub(crate) fn attempts(case: &Case) -> Vec<(f64, f64, f64)> {
    let rows = case.input()["solver_rating_solved_tried"].as_array().expect("rows");
    rows.iter().map(numbers).map(|row| (row[0], row[1], row[2])).collect()
}

/// A puzzle is a player who only meets solvers; their ratings are known.
pub(crate) fn puzzle_difficulty(case: &Case) {
    let attempts = attempts(case);
    let puzzle = attempts.len();
    let mut pool = Pool::new(puzzle + 1);
    let mut anchors = Vec::new();
    for (player, &(rating, solved, tried)) in attempts.iter().enumerate() {
        let results = Wdl { wins: solved as u64, draws: 0, losses: (tried - solved) as u64 };
        pool.add_independent(GameTally { white: player, black: puzzle, results });
        anchors.push(Anchor { player, rating, std_error: None });
    }
    let options = |anchors: Vec<Anchor>| FitOptions {
        white_advantage: WhiteAdvantage::Fixed(0.0),
        origin: Origin::Anchors(anchors),
        ..plain(0.0)
    };
    assert!(matches!(fit(&pool, &options(anchors.clone())), Err(FitError::NotConnected(_))), "{}", case.id());
    anchors.push(Anchor { player: puzzle, rating: 1500.0, std_error: Some(350.0) });
    let ratings = fit(&pool, &options(anchors)).expect("the prior makes it finite");
    case.check("map_prior_1500_350", ratings.rating(puzzle));
    case.check("map_se", ratings.std_error(puzzle));
}
