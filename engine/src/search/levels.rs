//! The levels of play, from Novice to Full, out of `engine/levels.toml`: what they are, and how strong they have been measured.

use crate::eval::weights::{CLASSIC, Phases};
use crate::rules::table::{Check, Goal, Rules};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The file that the engine is built with.
pub const TABLE: &str = include_str!("../../levels.toml");

/// One level of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// The value of the option `Level`.
    pub name: &'static str,
    /// Most nodes spent on a mate in this turn.
    pub mate_nodes: u64,
    /// Positions kept after each move when candidate series are sought.
    pub width: usize,
    /// Up to so much is added to each static score at random, in hundredths of a pawn.
    pub noise: i32,
    /// How many candidates are checked for a mate by the opponent in the next turn.
    pub checked: usize,
    /// Most nodes spent on checking one candidate.
    pub check_nodes: u64,
    /// How many safe candidates are compared by the opponent's best reply.
    pub replies: usize,
    /// Whether it goes on looking for a safe series while its budget lasts.
    pub persists: bool,
}

/// The levels of a table, and what has been measured of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// All levels, the weakest first; the last is full strength.
    pub levels: Vec<Level>,
    /// What has been measured, by the name of the rule set.
    pub measured: BTreeMap<String, Measured>,
}

/// One calibration.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The day, as `2026-11-30`.
    pub date: String,
    /// How many games it rests on.
    pub games: u64,
    /// Nodes for each series.
    pub nodes: u64,
    /// The Elo of each level, in the order of the levels, strictly rising; the first is 500 by definition.
    pub elo: Vec<f64>,
    /// Half of the 95 % interval of the difference to the first level, in Elo.
    pub error95: Vec<f64>,
    /// The player of random series on the same scale, with half of his interval, if he took part.
    #[serde(default)]
    pub random: Option<[f64; 2]>,
}

/// A level as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    mate_nodes: Option<u64>,
    width: usize,
    noise: i32,
    checked: usize,
    check_nodes: Option<u64>,
    replies: usize,
    persists: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLadder {
    level: Vec<Raw>,
    #[serde(default)]
    measured: BTreeMap<String, Measured>,
}

/// The ladder that the engine is built with.
pub static LADDER: LazyLock<Ladder> = LazyLock::new(|| match Ladder::parse(TABLE) {
    Ok(ladder) => ladder,
    // A test holds the file to its form, so no binary that passed it comes here.
    Err(error) => panic!("engine/levels.toml: {error}"),
});

impl Ladder {
    /// Reads a table.
    ///
    /// # Errors
    /// What is wrong with it, with its line if it is a fault of form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let raw: RawLadder = toml::from_str(text).map_err(|error| error.to_string())?;
        let level = |raw: Raw| Level {
            // A table is read once or twice in the life of a program, and levels are known by their names throughout.
            name: raw.name.leak(),
            mate_nodes: raw.mate_nodes.unwrap_or(u64::MAX),
            width: raw.width,
            noise: raw.noise,
            checked: raw.checked,
            check_nodes: raw.check_nodes.unwrap_or(u64::MAX),
            replies: raw.replies,
            persists: raw.persists,
        };
        let ladder = Self { levels: raw.level.into_iter().map(level).collect(), measured: raw.measured };
        if ladder.levels.is_empty() {
            return Err("no [[level]]".into());
        }
        for (rules, measured) in &ladder.measured {
            let count = ladder.levels.len();
            if measured.elo.len() != count || measured.error95.len() != count {
                return Err(format!("measured.{rules}: {count} levels need as many values of elo and error95"));
            }
            let rises = measured.elo.windows(2).all(|two| two[0] < two[1]);
            if !rises || measured.elo.iter().any(|elo| !elo.is_finite()) {
                return Err(format!("measured.{rules}.elo: must rise from level to level"));
            }
        }
        Ok(ladder)
    }

    /// What has been measured for a rule set: its own, or that of the rule set with its check rule, or any.
    #[must_use]
    pub fn measured(&self, rules: &Rules) -> Option<&Measured> {
        let kin = match rules.goal {
            Goal::Mate(Check::EndsSeries) => "scottish",
            Goal::Mate(Check::LastPlyOnly) | Goal::TakeAll => "italian",
        };
        self.measured.get(rules.name).or_else(|| self.measured.get(kin)).or_else(|| self.measured.values().next())
    }

    /// The lowest and highest Elo that can be asked for under any rule set; what lies outside a rule set's own range is its
    /// nearest end.
    #[must_use]
    pub fn range(&self) -> (i64, i64) {
        let ends = self.measured.values().filter_map(|measured| Some((*measured.elo.first()?, *measured.elo.last()?)));
        ends.fold((500, 501), |(low, high), (first, last)| (low.min(first as i64), high.max(last.round() as i64)))
    }

    /// The level that plays one turn for a player of this Elo.
    ///
    /// Between two levels the player is in each turn either of them: the upper one as often as the Elo is near to it. So
    /// strength is continuous in `elo`, and every turn is that of a level that has been measured. `luck` decides; the same luck, the same
    /// level.
    #[must_use]
    pub fn at(&self, elo: f64, rules: &Rules, luck: u64) -> &Level {
        let last = self.levels.len() - 1;
        let Some(measured) = self.measured(rules) else { return &self.levels[last] };
        let above = measured.elo.partition_point(|&known| known <= elo);
        let (Some(&low), Some(&high)) = (measured.elo.get(above.wrapping_sub(1)), measured.elo.get(above)) else {
            return &self.levels[above.min(last)];
        };
        // 53 bits of luck are as many as a number in [0, 1) has.
        let dice = (luck >> 11) as f64 / (1u64 << 53) as f64;
        let is_upper = dice < (elo - low) / (high - low);
        &self.levels[if is_upper { above } else { above - 1 }]
    }
}

impl Level {
    /// All levels of the engine, the weakest first; the last is full strength.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &LADDER.levels
    }

    /// The level of this name; case does not matter.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// What the terms of the static score are worth to this level. Only full strength judges by what has been fitted: the measured strength of the
    /// others shall not change with it.
    #[must_use]
    pub fn phases(&self, rules: &Rules) -> &'static Phases {
        if self.persists { Phases::full(rules) } else { &CLASSIC }
    }

    /// Full strength.
    #[must_use]
    pub fn full() -> &'static Self {
        &Self::all()[Self::all().len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::{CIRCE, ITALIAN, SCOTTISH};

    const SMALL: &str = "[[level]]\nname = \"a\"\nmate_nodes = 0\nwidth = 1\nnoise = 9\nchecked = 0\ncheck_nodes = 0\nreplies = 0\n\
        persists = false\n[[level]]\nname = \"b\"\nwidth = 5\nnoise = 0\nchecked = 4\nreplies = 1\npersists = true\n\
        [measured.italian]\ndate = \"2026-11-30\"\ngames = 10\nnodes = 1000\nelo = [500, 600]\nerror95 = [0, 30]\n";

    #[test]
    fn the_table_of_the_engine_is_one() {
        let ladder = Ladder::parse(TABLE).unwrap();
        assert_eq!((ladder.levels.len(), ladder.levels[0].name, Level::full().name), (10, "Novice", "Full"));
        for (rules, measured) in &ladder.measured {
            assert!(Rules::by_name(rules).is_some(), "{rules}");
            assert_eq!(measured.elo[0], 500.0, "{rules}: Novice is 500 by definition");
        }
    }

    #[test]
    fn faults_of_a_table_are_named() {
        for (from, to, part) in [
            ("width = 5", "widht = 5", "widht"),
            ("[500, 600]", "[500]", "measured.italian: 2 levels"),
            ("[500, 600]", "[500, 500]", "must rise"),
            ("[500, 600]", "[500, nan]", "must rise"),
            ("name = \"b\"", "name = 5", "line 11"),
        ] {
            let error = Ladder::parse(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn between_levels_each_plays_its_share_of_turns() {
        let ladder = Ladder::parse(SMALL).unwrap();
        let share = |elo: f64| {
            let upper = (0..1000u64).filter(|n| ladder.at(elo, &ITALIAN, n.wrapping_mul(u64::MAX / 1000)).name == "b");
            upper.count()
        };
        let shares: Vec<usize> = [400.0, 500.0, 525.0, 550.0, 599.0, 600.0, 9000.0].map(share).to_vec();
        assert!(shares.is_sorted() && shares[0] == 0 && shares[1] == 0, "{shares:?}");
        assert!(shares[2].abs_diff(250) < 5 && shares[3].abs_diff(500) < 5 && shares[5] == 1000, "{shares:?}");
        assert_eq!(ladder.range(), (500, 600));
        // Circe has Italian's check rule; nothing else has been measured here.
        assert_eq!(ladder.at(100.0, &CIRCE, 0).name, "a");
        assert_eq!(ladder.at(100.0, &SCOTTISH, 0).name, "a");
    }
}
