//! Glicko-2: ratings that move with every game, for people and puzzles.
//!
//! Engines do not learn, so their ratings come from [`rating::fit`](super::rating::fit). A puzzle attempt is a game of
//! the solver against the puzzle. Source: Glickman, *Example of the Glicko-2 system*; the step numbers are his. The
//! constants for puzzles are those of Lichess.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// Rating points to one unit of Glicko-2's inner scale.
const SCALE: f64 = 173.7178;

/// How much volatility may change over time, as Lichess has it. Glickman's example uses 0.5.
pub const LICHESS_TAU: f64 = 0.75;

/// Ratings never fall below this (Lichess).
pub const LEAST_RATING: f64 = 400.0;

/// The range of the deviation (Lichess).
pub const DEVIATION_RANGE: (f64, f64) = (45.0, 500.0);

/// The greatest volatility (Lichess).
pub const GREATEST_VOLATILITY: f64 = 0.1;

/// The greatest change by one attempt (Lichess).
pub const GREATEST_CHANGE: f64 = 700.0;

/// A rating from this deviation up is provisional (Lichess).
pub const PROVISIONAL_DEVIATION: f64 = 110.0;

/// A solver from this deviation up says nothing about a puzzle (Lichess).
pub const CLUELESS_DEVIATION: f64 = 230.0;

/// A Glicko-2 rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glicko2 {
    /// The rating, in points.
    pub rating: f64,
    /// The rating deviation: its standard error, in points; positive.
    pub deviation: f64,
    /// The expected fluctuation of the rating over a period; positive, about 0.06.
    pub volatility: f64,
}

impl Glicko2 {
    /// A new solver or puzzle (Lichess).
    pub const NEW: Glicko2 = Glicko2 { rating: 1500.0, deviation: 500.0, volatility: 0.09 };

    /// Whether the rating is still provisional.
    pub fn is_provisional(&self) -> bool {
        self.deviation >= PROVISIONAL_DEVIATION
    }

    /// Whether the rating says so little that opponents must not be judged by it.
    pub fn is_clueless(&self) -> bool {
        self.deviation >= CLUELESS_DEVIATION
    }

    /// The rating after one period in which `games` were played: opponents, with the points taken (0, ½ or 1). `elapsed` is
    /// the length of the period; 1 in Glickman's paper, 0 to leave out the growth of the deviation.
    pub fn after(&self, games: &[(Glicko2, f64)], tau: f64, elapsed: f64) -> Glicko2 {
        // Step 2: to the inner scale.
        let (mu, phi) = ((self.rating - 1500.0) / SCALE, self.deviation / SCALE);
        let grown = |volatility: f64| (phi * phi + elapsed * volatility * volatility).sqrt();
        if games.is_empty() {
            return Glicko2 { deviation: grown(self.volatility) * SCALE, ..*self };
        }
        // Steps 3 and 4: the variance from the games and the improvement they suggest.
        let (mut precision, mut surplus) = (0.0, 0.0);
        for (opponent, points) in games {
            let opponent_phi = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * opponent_phi * opponent_phi / (PI * PI)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - (opponent.rating - 1500.0) / SCALE)).exp());
            precision += g * g * expected * (1.0 - expected);
            surplus += g * (points - expected);
        }
        let variance = 1.0 / precision;
        // Steps 5 to 7.
        let volatility = new_volatility(self.volatility, phi, variance, variance * surplus, tau);
        let deviation = 1.0 / (1.0 / grown(volatility).powi(2) + precision).sqrt();
        // Step 8: back to points.
        Glicko2 {
            rating: (mu + deviation * deviation * surplus) * SCALE + 1500.0,
            deviation: deviation * SCALE,
            volatility,
        }
    }

    /// Only a part of the way from here to `target`: `weight` in \[0, 1\]. Lichess counts attempts at puzzles with a
    /// telling theme this way.
    pub fn toward(&self, target: &Glicko2, weight: f64) -> Glicko2 {
        let mix = |from: f64, to: f64| from + weight * (to - from);
        Glicko2 {
            rating: mix(self.rating, target.rating),
            deviation: mix(self.deviation, target.deviation),
            volatility: mix(self.volatility, target.volatility),
        }
    }

    /// Brings a new rating into the ranges of Lichess, `before` being the rating it replaces.
    pub fn capped(&self, before: &Glicko2) -> Glicko2 {
        let change = (self.rating - before.rating).clamp(-GREATEST_CHANGE, GREATEST_CHANGE);
        Glicko2 {
            rating: (before.rating + change).max(LEAST_RATING),
            deviation: self.deviation.clamp(DEVIATION_RANGE.0, DEVIATION_RANGE.1),
            volatility: self.volatility.min(GREATEST_VOLATILITY),
        }
    }
}

/// Step 5: the new volatility, by Glickman's Illinois iteration on its logarithm.
fn new_volatility(volatility: f64, phi: f64, variance: f64, improvement: f64, tau: f64) -> f64 {
    let start = (volatility * volatility).ln();
    let f = |x: f64| {
        let total = phi * phi + variance + x.exp();
        x.exp() * (improvement * improvement - total) / (2.0 * total * total) - (x - start) / (tau * tau)
    };
    let excess = improvement * improvement - phi * phi - variance;
    let mut a = start;
    let mut b = if excess > 0.0 {
        excess.ln()
    } else {
        // The second term grows as we go down, so this ends.
        let steps = 1..;
        let below = steps.map(|k| start - f64::from(k) * tau);
        below.into_iter().find(|&x| f(x) >= 0.0).unwrap_or(start)
    };
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..200 {
        if (b - a).abs() <= 1e-12 || at_a == at_b {
            break;
        }
        let c = a + (a - b) * at_a / (at_b - at_a);
        let at_c = f(c);
        if at_c * at_b <= 0.0 {
            (a, at_a) = (b, at_b);
        } else {
            at_a *= 0.5;
        }
        (b, at_b) = (c, at_c);
    }
    (0.5 * a).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_games_only_the_doubt_grows() {
        let player = Glicko2 { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let idle = player.after(&[], 0.5, 1.0);
        assert_eq!(idle.rating, 1500.0);
        assert!((idle.deviation - 200.271_42).abs() < 1e-4);
        assert_eq!(player.after(&[], 0.5, 0.0).deviation, 200.0);
    }

    #[test]
    fn caps_hold_after_an_absurd_upset() {
        let solver = Glicko2::NEW;
        let puzzle = Glicko2 { rating: 3500.0, deviation: 45.0, volatility: 0.09 };
        let solved = solver.after(&[(puzzle, 1.0)], LICHESS_TAU, 1.0).capped(&solver);
        assert!(solved.rating <= 2200.0 && solved.deviation <= 500.0 && solved.volatility <= 0.1);
        assert!(solver.is_provisional() && solver.is_clueless() && !puzzle.is_provisional());
    }
}
