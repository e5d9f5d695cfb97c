//! The levels of play, from Novice to Full, out of `engine/levels.toml`: what they are, and how strong they have been measured.

use super::sight::{Sight, fraction};
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
    /// What it sees of the mates that the solver finds; without it, all.
    pub sight: Option<Sight>,
    /// How it plays where a check ends the series, if otherwise than this.
    pub scottish: Option<&'static Level>,
}

/// The levels of a table, and what has been measured of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// All levels, the weakest first; the last is full strength.
    pub levels: Vec<Level>,
    /// Players of another kind, who have no place on the ladder.
    pub personalities: Vec<Level>,
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
    /// The Elo of the player half way between each two neighbors, from games of his own; without it, the middle between theirs.
    #[serde(default)]
    pub middle: Option<Vec<f64>>,
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
    sight: Option<Sight>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLadder {
    level: Vec<Raw>,
    #[serde(default)]
    scottish: Vec<Raw>,
    #[serde(default)]
    personality: Vec<Raw>,
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
            sight: raw.sight,
            scottish: None,
        };
        let mut levels: Vec<Level> = raw.level.into_iter().map(level).collect();
        for other in raw.scottish.into_iter().map(level) {
            let Some(same) = levels.iter_mut().find(|level| level.name == other.name) else {
                return Err(format!("[[scottish]] {}: there is no such [[level]]", other.name));
            };
            same.scottish = Some(Box::leak(Box::new(other)));
        }
        let personalities = raw.personality.into_iter().map(level).collect();
        let ladder = Self { levels, personalities, measured: raw.measured };
        if ladder.levels.is_empty() {
            return Err("no [[level]]".into());
        }
        let scottish = ladder.levels.iter().filter_map(|level| level.scottish);
        for level in ladder.levels.iter().chain(&ladder.personalities).chain(scottish) {
            if let Some(field) = level.sight.and_then(|sight| sight.fault()) {
                return Err(format!("{}: sight.{field} is out of range", level.name));
            }
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
            let is_between = |(middle, two): (&f64, &[f64])| two[0] < *middle && *middle < two[1];
            if let Some(middle) = &measured.middle
                && !(middle.len() + 1 == count && middle.iter().zip(measured.elo.windows(2)).all(is_between))
            {
                return Err(format!("measured.{rules}.middle: must have a value between each two of elo"));
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

    /// The player of this Elo.
    ///
    /// Between two levels of a kind he has parameters between theirs, as near to the upper one's as the Elo is. Where there is no way from one
    /// to the other ([`Level::towards`]) he is in each turn either of them, the upper one the oftener the nearer the Elo is. `luck` decides, there
    /// and on which side of a fraction a count comes to lie: the same luck, the same player. So strength is continuous in `elo`.
    #[must_use]
    pub fn at(&self, elo: f64, rules: &Rules, luck: u64) -> Level {
        let last = self.levels.len() - 1;
        let Some(measured) = self.measured(rules) else { return self.levels[last] };
        let above = measured.elo.partition_point(|&known| known <= elo);
        let (Some(&low), Some(&high)) = (measured.elo.get(above.wrapping_sub(1)), measured.elo.get(above)) else {
            return self.levels[above.min(last)];
        };
        let [lower, upper] = [above - 1, above].map(|at| self.levels[at].under(rules));
        let half = measured.half_way(above - 1);
        let share =
            if elo < half { 0.5 * (elo - low) / (half - low) } else { 0.5 + 0.5 * (elo - half) / (high - half) };
        lower.towards(&upper, share, luck).unwrap_or(if fraction(luck) < share { upper } else { lower })
    }
}

impl Measured {
    /// The Elo of the player half way from level number `lower` to the next.
    #[must_use]
    pub fn half_way(&self, lower: usize) -> f64 {
        let known = self.middle.as_ref().map(|middle| middle[lower]);
        known.unwrap_or_else(|| f64::midpoint(self.elo[lower], self.elo[lower + 1]))
    }
}

impl Level {
    /// All levels of the engine, the weakest first; the last is full strength.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &LADDER.levels
    }

    /// The personalities of the engine, which have no place on the ladder.
    #[must_use]
    pub fn personalities() -> &'static [Self] {
        &LADDER.personalities
    }

    /// The level or personality of this name; case does not matter.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::all().iter().chain(Self::personalities()).find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// How it plays under these rules.
    #[must_use]
    pub fn under(&self, rules: &Rules) -> Self {
        let other = self.scottish.filter(|_| matches!(rules.goal, Goal::Mate(Check::EndsSeries)));
        other.copied().unwrap_or(*self)
    }

    /// Whether it plays as well as the engine can.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.persists && self.sight.is_none()
    }

    /// The player `share` of the way from this level to `other`, under the name of the nearer; none, if there is no way: one of them does not
    /// err, or one of them alone looks on until he is safe. What can only be one or the other, a count of 1 or 2, is either as often as its share
    /// says, by `luck`.
    #[must_use]
    pub fn towards(&self, other: &Self, share: f64, luck: u64) -> Option<Self> {
        if self.persists != other.persists {
            return None;
        }
        let luck = fraction(luck);
        let sight = self.sight?.towards(&other.sight?, share, luck);
        let mix = |from: f64, to: f64| (from + (to - from) * share).round();
        // Limits in nodes are far below 2^53; one that is absent stays the largest number there is.
        let nodes = |from: u64, to: u64| mix(from as f64, to as f64) as u64;
        let count = |from: usize, to: usize| {
            let between = from as f64 + (to as f64 - from as f64) * share;
            between as usize + usize::from(luck < between.fract())
        };
        let nearer = if share < 0.5 { self } else { other };
        Some(Self {
            mate_nodes: nodes(self.mate_nodes, other.mate_nodes),
            width: count(self.width, other.width),
            noise: mix(self.noise.into(), other.noise.into()) as i32,
            checked: count(self.checked, other.checked),
            check_nodes: nodes(self.check_nodes, other.check_nodes),
            replies: count(self.replies, other.replies),
            sight: Some(sight),
            ..*nearer
        })
    }

    /// What the terms of the static score are worth to this level. Only full strength judges by what has been fitted: the measured strength of the
    /// others shall not change with it.
    #[must_use]
    pub fn phases(&self, rules: &Rules) -> &'static Phases {
        if self.is_full() { Phases::full(rules) } else { &CLASSIC }
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
            ("error95", "middle = [600]\nerror95", "measured.italian.middle"),
            ("error95", "middle = []\nerror95", "measured.italian.middle"),
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

    #[test]
    fn half_way_is_where_it_was_measured() {
        let table = SMALL.replacen("error95", "middle = [520]\nerror95", 1);
        let ladder = Ladder::parse(&table).unwrap();
        let upper = |elo| (0..1000u64).filter(|n| ladder.at(elo, &ITALIAN, n * (u64::MAX / 1000)).name == "b").count();
        for (elo, share) in [(500.0, 0), (510.0, 250), (520.0, 500), (560.0, 750), (600.0, 1000)] {
            assert!(upper(elo).abs_diff(share) < 5, "{elo}");
        }
    }

    #[test]
    fn parameters_between_two_levels_that_err_are_between_theirs() {
        let ladder = Ladder::parse(TABLE).unwrap();
        let elo = &ladder.measured["italian"].elo;
        let (low, high) = (ladder.levels[2], ladder.levels[3]);
        assert_eq!(ladder.at(elo[2], &ITALIAN, 1), low);
        let steps = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9].map(|share| elo[2] + (elo[3] - elo[2]) * share);
        let players = steps.map(|elo| ladder.at(elo, &ITALIAN, u64::MAX));
        for (other, player) in steps.map(|elo| ladder.at(elo, &ITALIAN, 0)).iter().zip(&players) {
            assert_eq!((other.noise, other.sight), (player.noise, player.sight), "luck has no say but in counts");
            assert!((0..=1).contains(&(other.width - player.width)), "{other:?} {player:?}");
        }
        assert!(players.iter().all(|player| (high.noise..=low.noise).contains(&player.noise)));
        assert!(players.is_sorted_by(|a, b| a.sight.unwrap().own < b.sight.unwrap().own));
        let unclear = TABLE.replacen("quiet = 0.", "quiet = 2.", 1);
        assert!(Ladder::parse(&unclear).unwrap_err().contains("sight.quiet"));
    }

    #[test]
    fn where_a_check_ends_the_series_a_level_may_play_otherwise() {
        let other = "[[scottish]]\nname = \"a\"\nmate_nodes = 0\nwidth = 2\nnoise = 3\nchecked = 0\ncheck_nodes = 0\nreplies = 0\n\
            persists = false\n[measured";
        let ladder = Ladder::parse(&SMALL.replacen("[measured", other, 1)).unwrap();
        let noise = |rules| ladder.levels.iter().map(|level| level.under(rules).noise).collect::<Vec<_>>();
        assert_eq!((noise(&ITALIAN), noise(&CIRCE), noise(&SCOTTISH)), (vec![9, 0], vec![9, 0], vec![3, 0]));
        assert_eq!(ladder.at(100.0, &SCOTTISH, 0).under(&SCOTTISH).noise, 3);
        let nobody = SMALL.replacen("[measured", &other.replace("\"a\"", "\"c\""), 1);
        assert!(Ladder::parse(&nobody).unwrap_err().contains("[[scottish]] c"));
    }

    #[test]
    fn no_level_is_between_one_that_looks_on_and_one_that_does_not() {
        let ladder = Ladder::parse(TABLE).unwrap();
        let [.., expert, master, full] = ladder.levels.as_slice() else { panic!("too few") };
        assert!(!expert.persists && master.persists && !master.is_full() && full.is_full());
        assert!(expert.towards(master, 0.5, 0).is_none() && master.towards(full, 0.5, 0).is_none());
        assert!(ladder.levels[0].towards(expert, 0.5, 0).is_some());
    }

    #[test]
    fn personalities_have_names_and_no_place_on_the_ladder() {
        let hunter = Level::by_name("mate HUNTER").unwrap();
        assert_eq!(hunter.name, "Mate hunter");
        assert!(!Level::all().contains(hunter) && hunter.sight.is_none() && hunter.mate_nodes == u64::MAX);
    }
}
