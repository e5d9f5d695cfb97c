//! What the terms of the static score are worth.
//!
//! The levels below full strength judge by [`Weights::CLASSIC`], which were chosen by hand. Full strength judges by the weights in
//! `engine/weights.toml`, which `crescendo tune` has fitted to played games, for the rule sets that it has fitted them for.

use super::terms::{COUNT, MATE, Side, TERMS};
use crate::rules::table::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The file that the engine is built with.
pub const TABLE: &str = include_str!("../../weights.toml");

/// What one of each term is worth to the side that has it, in hundredths of a pawn. It is not the same for both: one has just moved, the other
/// is about to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// To the side that has just completed its series.
    pub ours: Side,
    /// To the side that is about to answer.
    pub theirs: Side,
}

/// Weights that change as the series grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// When the opponent answers with [`Phases::EARLY`] moves or fewer.
    pub early: Weights,
    /// When he answers with [`Phases::LATE`] moves or more; in between the weights lie in between.
    pub late: Weights,
}

/// What the terms are worth by hand. All levels below full strength judge by it, and so does full strength where nothing has been fitted: do not
/// change it, for the levels' measured strength rests on it.
pub static CLASSIC: Phases = Phases { early: Weights::CLASSIC, late: Weights::CLASSIC };

impl Weights {
    /// See [`CLASSIC`].
    pub const CLASSIC: Self = {
        //               P    N    B    R    Q     K  advance, promotion, flights, check
        let ours = [110, 340, 360, 560, 1120, 280, 6, 30, 8, 40];
        let theirs = [110, 340, 360, 560, 1120, 280, 3, 60, 0, 0];
        let (mut weights, mut term) = (Self { ours: [0; COUNT], theirs: [0; COUNT] }, 0);
        while term < ours.len() {
            (weights.ours[term], weights.theirs[term]) = (ours[term], theirs[term]);
            term += 1;
        }
        weights
    };

    /// Whether it matters how soon either side could mate.
    #[must_use]
    pub const fn values_mates(&self) -> bool {
        self.ours[MATE] != 0 || self.theirs[MATE] != 0
    }

    /// What it is worth to the side that has just moved that it, and the other, need so many moves to mate.
    #[must_use]
    pub const fn mates(&self, ours: i32, theirs: i32) -> i32 {
        self.ours[MATE] * ours - self.theirs[MATE] * theirs
    }
}

impl Phases {
    /// The opponent's quota up to which a position is early.
    pub const EARLY: i32 = 4;
    /// The opponent's quota from which on it is late.
    pub const LATE: i32 = 10;

    /// How late it is when the opponent answers with `reply` moves: from 0 to `LATE - EARLY`.
    #[must_use]
    pub fn lateness(reply: u8) -> i32 {
        (i32::from(reply) - Self::EARLY).clamp(0, Self::LATE - Self::EARLY)
    }

    /// The weights for positions in which the opponent answers with `reply` moves.
    #[must_use]
    pub fn at(&self, reply: u8) -> Weights {
        let (span, late) = (Self::LATE - Self::EARLY, Self::lateness(reply));
        let blend = |early: &Side, later: &Side| {
            let mut side = [0; COUNT];
            for term in 0..COUNT {
                side[term] = (early[term] * (span - late) + later[term] * late) / span;
            }
            side
        };
        Weights { ours: blend(&self.early.ours, &self.late.ours), theirs: blend(&self.early.theirs, &self.late.theirs) }
    }

    /// These weights and so much of others on top, rounded.
    #[must_use]
    pub fn plus(&self, share: f64, other: &Self) -> Self {
        let side =
            |a: &Side, b: &Side| std::array::from_fn(|i| (f64::from(a[i]) + share * f64::from(b[i])).round() as i32);
        let weights =
            |a: &Weights, b: &Weights| Weights { ours: side(&a.ours, &b.ours), theirs: side(&a.theirs, &b.theirs) };
        Self { early: weights(&self.early, &other.early), late: weights(&self.late, &other.late) }
    }

    /// The weights of full strength for a rule set: those fitted for it, else [`CLASSIC`].
    #[must_use]
    pub fn full(rules: &Rules) -> &'static Self {
        FITTED.get(rules.name).map_or(&CLASSIC, |fitted| &fitted.phases)
    }
}

/// Weights that have been fitted for a rule set, and to what.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights.
    pub phases: Phases,
    /// The day, as `2026-11-30`.
    pub date: String,
    /// How many games they were fitted to, those held out included.
    pub games: usize,
    /// The seed by which games were held out.
    pub seed: u64,
    /// How strongly the weights were held to those by hand.
    pub l2: f64,
}

/// A row of the file. The two numbers are what one of the term is worth to the side that has just moved, and to the other.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    date: String,
    games: usize,
    seed: u64,
    l2: f64,
    early: BTreeMap<String, [i32; 2]>,
    late: BTreeMap<String, [i32; 2]>,
}

/// The fitted weights that the engine is built with, by the name of the rule set.
static FITTED: LazyLock<BTreeMap<String, Fitted>> = LazyLock::new(|| match parse(TABLE) {
    Ok(fitted) => fitted,
    // A test holds the file to its form, so no binary that passed it comes here.
    Err(error) => panic!("engine/weights.toml: {error}"),
});

/// Reads a table of fitted weights.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<BTreeMap<String, Fitted>, String> {
    let raw: BTreeMap<String, Raw> = toml::from_str(text).map_err(|error| error.to_string())?;
    raw.into_iter()
        .map(|(rules, raw)| {
            if Rules::by_name(&rules).is_none_or(|known| known.name != rules) {
                return Err(format!("[{rules}] is no rule set"));
            }
            let weights =
                |terms: &BTreeMap<String, [i32; 2]>| read(terms).map_err(|error| format!("[{rules}]: {error}"));
            let phases = Phases { early: weights(&raw.early)?, late: weights(&raw.late)? };
            Ok((rules, Fitted { phases, date: raw.date, games: raw.games, seed: raw.seed, l2: raw.l2 }))
        })
        .collect()
}

fn read(terms: &BTreeMap<String, [i32; 2]>) -> Result<Weights, String> {
    let mut weights = Weights { ours: [0; COUNT], theirs: [0; COUNT] };
    for (name, &[ours, theirs]) in terms {
        let term = TERMS.iter().position(|known| known == name).ok_or_else(|| format!("no term '{name}'"))?;
        (weights.ours[term], weights.theirs[term]) = (ours, theirs);
    }
    Ok(weights)
}

/// The text of a table that [`parse`] reads.
#[must_use]
pub fn write(fitted: &BTreeMap<String, Fitted>) -> String {
    use std::fmt::Write;
    let mut text = String::from(
        "# What the terms of the static score are worth at full strength, in hundredths of a pawn: to the side that has just moved, and to the\n\
         # other. Written by `crescendo tune --write engine/weights.toml`; a rule set that is not here is judged by weights chosen by hand.\n",
    );
    for (rules, Fitted { phases, date, games, seed, l2 }) in fitted {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n[{rules}]\ndate = \"{date}\"\ngames = {games}\nseed = {seed}\nl2 = {l2}\n");
        for (name, weights) in [("early", &phases.early), ("late", &phases.late)] {
            let _ = write!(text, "\n[{rules}.{name}]\n");
            for (term, name) in TERMS.iter().enumerate() {
                let _ = writeln!(text, "{name} = [{}, {}]", weights.ours[term], weights.theirs[term]);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_engine_is_one_and_written_as_it_is_read() {
        let fitted = parse(TABLE).unwrap();
        assert_eq!(parse(&write(&fitted)).unwrap(), fitted);
        assert_eq!(write(&fitted), TABLE);
    }

    #[test]
    fn faults_of_a_table_are_named() {
        let good = "[italian]\ndate = \"2026-11-30\"\ngames = 1\nseed = 1\nl2 = 0.5\n[italian.early]\npawns = [1, 2]\n[italian.late]\n";
        assert_eq!(parse(good).unwrap()["italian"].phases.early.theirs[0], 2);
        for (from, to, part) in [
            ("pawns", "pwans", "no term 'pwans'"),
            ("italian", "itailan", "[itailan] is no rule set"),
            ("seed", "sead", "sead"),
            ("[1, 2]", "[1]", "length"),
        ] {
            let error = parse(&good.replace(from, to)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn weights_change_with_the_opponents_quota() {
        let mut phases = CLASSIC;
        phases.late.ours[0] = 50;
        let pawn = |reply| phases.at(reply).ours[0];
        assert_eq!([1, 4, 7, 10, 30].map(pawn), [110, 110, 80, 50, 50]);
        assert_eq!(CLASSIC.plus(0.25, &phases).late.ours[0], 123);
        assert!((1..=30).all(|reply| CLASSIC.at(reply) == Weights::CLASSIC));
    }
}
