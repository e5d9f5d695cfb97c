//! Whether a strength that is asked for by `UCI_Elo` is the strength that is played.
//!
//! The levels hold the scale by their measured Elo; the strengths between them are rated by games of their own, which were
//! not used to measure the levels.

use super::{CalibrateError, Wish, head, level_players};
use crate::collect::Collection;
use crate::stats::rating::{Anchor, Difference, FitOptions, Origin, fit};
use crescendo::search::levels::{Level, Measured};
use std::fmt::Write as _;

/// How far the measured strength may be from the one asked for, in Elo.
pub const TOLERANCE: f64 = 40.0;

/// How far the strength half way between two levels lies from the middle of theirs before it is measured: standard deviation in Elo, from the
/// first calibrations of such players.
const BEND: f64 = 25.0;

/// The strengths to be asked for: in the middle between every two levels.
#[must_use]
pub fn strengths(measured: &Measured) -> Vec<u32> {
    measured.elo.windows(2).map(|two| whole(f64::midpoint(two[0], two[1]))).collect()
}

/// The strengths of the players half way between every two levels, as far as it is known.
#[must_use]
pub fn half_way(measured: &Measured) -> Vec<u32> {
    (0..measured.elo.len().saturating_sub(1)).map(|lower| whole(measured.half_way(lower))).collect()
}

/// Elo of levels are positive and far below the limit of the type.
fn whole(elo: f64) -> u32 {
    elo.round().max(0.0) as u32
}

fn name(elo: u32) -> String {
    format!("Elo {elo}")
}

/// The plan: all levels and one player for each strength.
#[must_use]
pub fn plan(wish: &Wish<'_>, levels: &[Level], strengths: &[u32]) -> String {
    let player = |elo: &u32| {
        let options = format!("{{ UCI_LimitStrength = true, UCI_Elo = {elo} }}");
        format!("\n[[players]]\nname = \"{}\"\noptions = {options}\n", name(*elo))
    };
    // Games between levels would tell nothing: their Elo is the table's.
    let of = format!("of = \"ratings\"\nknown = {}", levels.len());
    head(wish, "UCI_Elo", &of) + &level_players(levels) + &strengths.iter().map(player).collect::<String>()
}

/// What was asked for and what came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// By strength asked for.
    pub strengths: Vec<(u32, Difference)>,
    /// Games.
    pub games: usize,
}

/// Rates the strengths against the levels, which hold the scale.
///
/// # Errors
/// A player is missing, or the games cannot be rated.
pub fn measure(
    levels: &[Level],
    measured: &Measured,
    strengths: &[u32],
    games: &Collection,
) -> Result<Asked, CalibrateError> {
    let number = |name: &str| games.player(name).ok_or_else(|| CalibrateError::Missing(name.to_owned()));
    let anchor =
        |(level, rating): (&Level, &f64)| Ok(Anchor { player: number(level.name)?, rating: *rating, std_error: None });
    let anchors = levels.iter().zip(&measured.elo).map(anchor).collect::<Result<Vec<_>, CalibrateError>>()?;
    let fit = fit(&games.pool(), &FitOptions { origin: Origin::Anchors(anchors), ..FitOptions::default() })?;
    let rated = |&elo: &u32| {
        let player = number(&name(elo))?;
        Ok((elo, Difference { elo: fit.rating(player), std_error: fit.std_error(player) }))
    };
    let strengths = strengths.iter().map(rated).collect::<Result<Vec<_>, CalibrateError>>()?;
    Ok(Asked { strengths, games: games.games() })
}

impl Asked {
    /// The table's measurements with where the players half way turned out to be, if it was they who played ([`half_way`]). What is measured is
    /// drawn towards the middle of the neighbors the more, the less certain it is (as a mean of both, weighed by their variances).
    #[must_use]
    pub fn corrected(&self, measured: &Measured) -> Measured {
        let between = |((_, came), two): (&(u32, Difference), &[f64])| {
            let middle = f64::midpoint(two[0], two[1]);
            let share = BEND.powi(2) / (BEND.powi(2) + came.std_error.powi(2));
            (middle + share * (came.elo - middle)).clamp(two[0] + 1.0, two[1] - 1.0)
        };
        let middle = self.strengths.iter().zip(measured.elo.windows(2)).map(between).collect();
        Measured { middle: Some(middle), ..measured.clone() }
    }

    /// Whether every strength is within the tolerance.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.strengths.iter().all(|(asked, came)| (came.elo - f64::from(*asked)).abs() <= TOLERANCE)
    }

    /// The findings as a table of at most 80 columns.
    #[must_use]
    pub fn text(&self, rules: &str) -> String {
        let mut text = format!("{:>8} {:>9} {:>6} {:>6}\n", "UCI_Elo", "measured", "±95%", "off");
        for (asked, came) in &self.strengths {
            let (off, margin) = (came.elo - f64::from(*asked), came.interval().margin());
            let flag = if off.abs() > TOLERANCE { "  !" } else { "" };
            let _ = writeln!(text, "{asked:>8} {:>9.0} {margin:>6.0} {off:>+6.0}{flag}", came.elo);
        }
        let _ = writeln!(text, "{} games under {rules}; the levels hold the scale by their measured Elo.", self.games);
        let _ = writeln!(text, "! = more than {TOLERANCE:.0} Elo off.");
        text
    }
}
