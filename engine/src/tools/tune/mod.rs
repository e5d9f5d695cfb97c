//! Fitting the weights of the static score to the results of played games.
//!
//! Each turn of a game that went on is a sample: what stood on the board when the series was complete, and how the game ended for its mover.
//! The score, divided by a scale, is taken for the logarithm of the odds that he scores; the weights are those under which the results are
//! likeliest, held to the weights by hand by a penalty. Some games are held out: what the fit has not seen tells what it is worth.

mod fit;
mod safety;
mod samples;

pub(crate) use samples::Samples;

use crate::eval::terms::TERMS;
use crate::eval::weights::Phases;
use fit::{Model, Quality};

/// What a fit is asked to do.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The source of the choice of games that are held out.
    pub(crate) seed: u64,
    /// The share of games that are held out, from 0 up to 1.
    pub(crate) held_out: f64,
    /// How strongly the weights are held to those by hand.
    pub(crate) l2: f64,
    /// The numbers of the terms that stay as they are by hand.
    pub(crate) frozen: Vec<usize>,
    /// Whether to fit again without each of the terms.
    pub(crate) each: bool,
}

/// What came out.
pub(crate) struct Outcome {
    /// The weights, with the spread of scores that the weights by hand have.
    pub(crate) phases: Phases,
    /// What there is to say, line by line.
    pub(crate) lines: Vec<String>,
}

/// Fits weights to the games of one rule set.
///
/// # Errors
/// Why it cannot be done.
pub(crate) fn fit(samples: &Samples, options: &Options) -> Result<Outcome, String> {
    let (train, test) = samples.split(options.seed, options.held_out);
    if train.is_empty() || test.is_empty() {
        return Err("too few games: none are left to fit to, or none held out".into());
    }
    let classic = Model::classic(&train)?;
    let fitted = classic.fitted(&train, options.l2, &options.frozen)?;
    let line = |name: &str, model: &Model| {
        format!("{name}: fitted {}; held out {}", model.quality(&train), model.quality(&test))
    };
    let mut lines = vec![
        format!("{} games, {} turns; {} of them held out", samples.games(), train.len() + test.len(), test.len()),
        line("by hand", &classic),
        line("fitted", &fitted),
    ];
    if options.each {
        let Quality { loss, .. } = fitted.quality(&test);
        for (term, name) in TERMS.iter().enumerate().filter(|(term, _)| !options.frozen.contains(term)) {
            let frozen: Vec<usize> = options.frozen.iter().copied().chain([term]).collect();
            let without = classic.fitted(&train, options.l2, &frozen)?.quality(&test);
            lines.push(format!("without {name}: held out {:+.5}", without.loss - loss));
        }
    }
    let phases = fitted.phases(&train);
    for (term, name) in TERMS.iter().enumerate() {
        let two = |ours: i32, theirs: i32| format!("{ours:6} {theirs:6}");
        lines.push(format!(
            "{name:10} early {}   late {}",
            two(phases.early.ours[term], phases.early.theirs[term]),
            two(phases.late.ours[term], phases.late.theirs[term]),
        ));
    }
    Ok(Outcome { phases, lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::terms::COUNT;
    use samples::Sample;

    /// Games in which only queens count, and the results follow a known law.
    fn made_up(games: usize) -> Samples {
        let mut samples = Samples::default();
        let mut state = 1u64;
        let mut dice = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        for game in 0..games {
            let mut features = crate::eval::terms::Features { ours: [0; COUNT], theirs: [0; COUNT] };
            (features.ours[4], features.theirs[4]) = ((dice() * 2.0) as i32, (dice() * 2.0) as i32);
            (features.ours[0], features.theirs[0]) = ((dice() * 8.0) as i32, (dice() * 8.0) as i32);
            let chance = 1.0 / (1.0 + f64::exp(-2.0 * f64::from(features.ours[4] - features.theirs[4])));
            samples.push(Sample { game, features, reply: 4, result: f64::from(u8::from(dice() < chance)) });
        }
        samples
    }

    #[test]
    fn the_law_behind_the_results_is_found() {
        let options = Options { seed: 1, held_out: 0.2, l2: 1e-4, frozen: Vec::new(), each: true };
        let outcome = fit(&made_up(4000), &options).unwrap();
        let weights = outcome.phases.early;
        // Queens decide, pawns do not, though by hand they are worth something.
        assert!(weights.ours[4] > 600 && weights.theirs[4] > 600, "{:#?}", outcome.lines);
        assert!(weights.ours[0].abs() < 60 && weights.theirs[0].abs() < 60, "{:#?}", outcome.lines);
        // What is frozen stays in proportion.
        let frozen = Options { frozen: vec![0], each: false, ..options.clone() };
        let weights = fit(&made_up(4000), &frozen).unwrap().phases.early;
        assert!(weights.ours[0] == weights.theirs[0] && weights.ours[0] > 0, "{weights:?}");
        let again = fit(&made_up(4000), &options).unwrap();
        assert_eq!(outcome.phases, again.phases);
        assert!(
            outcome.lines.iter().any(|line| line.starts_with("without queens: held out +0.")),
            "{:#?}",
            outcome.lines
        );
    }

    #[test]
    fn ends_are_judged_by_the_solver_and_drawn_by_the_seed() {
        let game = crate::rules::movelist::replay("italian", None, "e2e4 e7e5,g8f6 d2d4,d4e5,e5f6").unwrap();
        let ends = |seed| {
            let (mut samples, mut solver) = (Samples::default(), crate::solver::Solver::new(1 << 20));
            samples.add_ends(&game, &mut solver, seed, 1);
            samples.split(1, 0.0).0
        };
        let first = ends(1);
        assert_eq!(first.len(), 20);
        // Of Black's replies some lose to a mate in turn 3 and some do not.
        let safe = first.iter().filter(|end| end.result == 1.0).count();
        assert!(safe > 0 && safe < first.len(), "{safe}");
        let features = |ends: &[Sample]| ends.iter().map(|end| end.features).collect::<Vec<_>>();
        assert_eq!(features(&first), features(&ends(1)));
        assert_ne!(features(&first), features(&ends(2)));
    }

    #[test]
    fn too_little_is_refused() {
        let options = Options { seed: 1, held_out: 0.2, l2: 1e-4, frozen: Vec::new(), each: false };
        assert!(fit(&made_up(1), &options).is_err());
    }
}
