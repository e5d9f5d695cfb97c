//! Are chances what they say? Forecasts against what happened.

use serde::Serialize;

/// Some trials with one forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The chance of a success, in \[0, 1\].
    pub chance: f64,
    /// Trials.
    pub trials: f64,
    /// Successes.
    pub successes: f64,
}

/// A tenth of the trials, by forecast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Decile {
    /// Trials in it.
    pub trials: f64,
    /// The mean forecast.
    pub predicted: f64,
    /// The share of successes.
    pub actual: f64,
}

/// The mean square of forecast minus outcome: 0 is perfect, ¼ is what "always one half" gets (Brier, *Verification of Forecasts
/// Expressed in Terms of Probability*, 1950). `None` without trials.
pub fn brier(forecasts: &[Forecast]) -> Option<f64> {
    let trials: f64 = forecasts.iter().map(|f| f.trials).sum();
    let square = |f: &Forecast| f.successes * (1.0 - f.chance).powi(2) + (f.trials - f.successes) * f.chance.powi(2);
    (trials > 0.0).then(|| forecasts.iter().map(square).sum::<f64>() / trials)
}

/// Forecasts in ten groups of nearly equal size, the lowest first. Fewer groups if there are fewer than ten forecasts.
pub fn deciles(forecasts: &[Forecast]) -> Vec<Decile> {
    let mut sorted = forecasts.to_vec();
    sorted.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let group = |k: usize| &sorted[k * sorted.len() / 10..(k + 1) * sorted.len() / 10];
    let decile = |group: &[Forecast]| {
        let trials: f64 = group.iter().map(|f| f.trials).sum();
        (trials > 0.0).then(|| Decile {
            trials,
            predicted: group.iter().map(|f| f.trials * f.chance).sum::<f64>() / trials,
            actual: group.iter().map(|f| f.successes).sum::<f64>() / trials,
        })
    };
    (0..10).filter_map(|k| decile(group(k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brier_of_the_certain_and_of_the_clueless() {
        let forecast = |chance, successes| Forecast { chance, trials: 4.0, successes };
        assert_eq!(brier(&[]), None);
        assert_eq!(brier(&[forecast(1.0, 4.0), forecast(0.0, 0.0)]), Some(0.0));
        assert_eq!(brier(&[forecast(0.5, 1.0), forecast(0.5, 4.0)]), Some(0.25));
        // By hand: one of four at 0.25 costs (0.5625 + 3 · 0.0625) / 4.
        assert_eq!(brier(&[forecast(0.25, 1.0)]), Some(0.1875));
    }

    #[test]
    fn deciles_are_sorted_and_complete() {
        let forecasts: Vec<Forecast> =
            (0..25).rev().map(|k| Forecast { chance: f64::from(k) / 25.0, trials: 2.0, successes: 1.0 }).collect();
        let deciles = deciles(&forecasts);
        assert_eq!(deciles.len(), 10);
        assert!(deciles.windows(2).all(|two| two[0].predicted < two[1].predicted));
        assert_eq!(deciles.iter().map(|d| d.trials).sum::<f64>(), 50.0);
        assert!(deciles.iter().all(|d| d.actual == 0.5));
    }
}
