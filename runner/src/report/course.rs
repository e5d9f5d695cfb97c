//! The bracket of a knockout, the table of a Swiss tournament, the gaps of an adaptive one: in words and as JSON.

use super::console::shortened;
use super::result::Estimate;
use crate::pairing::course::{Course, SwissRow, Tie};
use crate::standing::Standing;
use crate::stats::design::Quantity;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Where a tournament stands, in the terms of its format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub enum CourseSummary {
    /// The bracket.
    Knockout {
        /// The rounds so far.
        rounds: Vec<RoundSummary>,
        /// Who has won the final.
        winner: Option<String>,
    },
    /// The table.
    Swiss {
        /// Rounds complete.
        rounds: u64,
        /// The players, best first.
        table: Vec<SwissSummary>,
    },
    /// What games are chosen for.
    Adaptive {
        /// `ratings`, `gaps` or `ratings not known before`.
        of: String,
        /// Half the width that no 95 % interval should exceed, in Elo.
        until: Option<f64>,
        /// Whether none does, by the results of complete batches.
        reached: bool,
        /// The differences between neighbors, in the order of the plan, if they are what is wanted.
        gaps: Vec<Gap>,
    },
}

/// A round of a knockout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundSummary {
    /// `Final`, `Semi-finals` and so on.
    pub name: String,
    /// Its ties, in the order of the bracket.
    pub ties: Vec<TieSummary>,
}

/// A tie of a knockout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TieSummary {
    /// The higher seed.
    pub first: String,
    /// The lower seed; absent if the first has a bye.
    pub second: Option<String>,
    /// Points of both.
    pub points: [f64; 2],
    /// Pairs of games beyond the planned ones.
    pub extra_pairs: u64,
    /// Who goes on.
    pub winner: Option<String>,
    /// `bye`, `score`, `further pairs`, `wins with Black` or `seed`.
    pub decided_by: Option<String>,
}

/// A player of a Swiss tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwissSummary {
    /// His name.
    pub player: String,
    /// His points; a bye counts as a meeting in which he won every game.
    pub points: f64,
    /// Rounds without an opponent.
    pub byes: u64,
    /// The points of all opponents; a bye counts as one with his own.
    pub buchholz: f64,
    /// Every opponent's points times the points taken from him.
    pub sonneborn_berger: f64,
}

/// The difference between two neighbors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The player who stands first in the plan.
    pub from: String,
    /// The one after him.
    pub to: String,
    /// By how much the second is stronger; absent without games between them.
    pub difference: Option<Estimate>,
}

impl CourseSummary {
    /// The summary of a course of the players of a standing.
    #[must_use]
    pub fn new(course: &Course, standing: &Standing) -> Self {
        let name = |player: usize| standing.names()[player].clone();
        match course {
            Course::Knockout { rounds } => {
                let winner = rounds.last().and_then(|ties| match ties.as_slice() {
                    [last] => last.winner.map(name),
                    _ => None,
                });
                let round = |ties: &Vec<Tie>| RoundSummary {
                    name: round_name(ties.len()),
                    ties: ties.iter().map(|tie| tie_summary(tie, &name)).collect(),
                };
                Self::Knockout { rounds: rounds.iter().map(round).collect(), winner }
            }
            Course::Swiss { rounds, table } => {
                let row = |row: &SwissRow| SwissSummary {
                    player: name(row.player),
                    points: row.halves as f64 / 2.0,
                    byes: row.byes,
                    buchholz: row.buchholz as f64 / 2.0,
                    sonneborn_berger: row.sonneborn_berger as f64 / 4.0,
                };
                Self::Swiss { rounds: *rounds, table: table.iter().map(row).collect() }
            }
            Course::Adaptive { wanted, is_known } => {
                let (of, gaps) = match wanted.quantity {
                    Quantity::Ratings { known: 0 } => ("ratings", Vec::new()),
                    Quantity::Ratings { .. } => ("ratings not known before", Vec::new()),
                    Quantity::Gaps => ("gaps", gaps(standing)),
                };
                Self::Adaptive { of: of.into(), until: wanted.within, reached: *is_known, gaps }
            }
        }
    }

    /// The summary in lines of at most 80 columns.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        match self {
            Self::Knockout { rounds, winner } => {
                for round in rounds {
                    let _ = writeln!(text, "{}:", round.name);
                    round.ties.iter().for_each(|tie| text += &tie.line());
                }
                if let Some(winner) = winner {
                    let _ = writeln!(text, "Winner: {winner}.");
                }
            }
            Self::Swiss { rounds, table } => {
                let _ = writeln!(text, "Swiss, {rounds} rounds:");
                let _ = writeln!(
                    text,
                    "{:>5}  {:<21} {:>8} {:>5} {:>9} {:>17}",
                    "place", "player", "points", "byes", "Buchholz", "Sonneborn-Berger"
                );
                for (place, row) in table.iter().enumerate() {
                    let SwissSummary { points, byes, buchholz, sonneborn_berger, .. } = row;
                    let name = shortened(&row.player);
                    let _ = writeln!(
                        text,
                        "{:>5}  {name:<21} {points:>8.1} {byes:>5} {buchholz:>9.1} {sonneborn_berger:>17.2}",
                        place + 1
                    );
                }
                text += "Pairing by standings makes the intervals of Elo a little too narrow (93 %).\n";
            }
            Self::Adaptive { of, until, reached, gaps } => {
                for gap in gaps {
                    let elo = gap.difference.map_or("never met".into(), |gap| {
                        let error = gap.error95.map_or("?".into(), |error| format!("{error:.0}"));
                        format!("{:+.0} ± {error}", gap.elo)
                    });
                    let (from, to) = (shortened(&gap.from), shortened(&gap.to));
                    let _ = writeln!(text, "{from:>21} to {to:<21} {elo}");
                }
                if let Some(until) = until {
                    let known = if *reached { "known" } else { "not yet known" };
                    let _ = writeln!(text, "Adaptive: all {of} are {known} to ± {until} Elo.");
                }
            }
        }
        text
    }
}

impl TieSummary {
    fn line(&self) -> String {
        let first = shortened(&self.first);
        let Some(second) = &self.second else { return format!("  {first:<21} bye\n") };
        let score = format!("{} - {}", self.points[0], self.points[1]);
        let why = match (self.decided_by.as_deref(), &self.winner) {
            (Some("score"), _) | (None, _) | (_, None) => String::new(),
            (Some(why), Some(winner)) => format!("  {} by {why}", shortened(winner)),
        };
        format!("  {first:<21} {score:^11} {:<21}{why}\n", shortened(second)).trim_end().to_owned() + "\n"
    }
}

fn tie_summary(tie: &Tie, name: &impl Fn(usize) -> String) -> TieSummary {
    TieSummary {
        first: name(tie.first),
        second: tie.second.map(name),
        points: tie.halves.map(|halves| halves as f64 / 2.0),
        extra_pairs: tie.extra,
        winner: tie.winner.map(name),
        decided_by: tie.decided_by.map(|by| by.words().to_owned()),
    }
}

/// The name of a round with so many ties.
fn round_name(ties: usize) -> String {
    match ties {
        1 => "Final".into(),
        2 => "Semi-finals".into(),
        4 => "Quarter-finals".into(),
        _ => format!("Round of {}", 2 * ties),
    }
}

/// The differences of neighbors in the order of the names.
fn gaps(standing: &Standing) -> Vec<Gap> {
    let ratings = standing.ratings();
    let names = standing.names();
    let gap = |at: usize| {
        let difference = ratings.as_ref().and_then(|ratings| ratings.difference(at + 1, at));
        let estimate = difference.map(|gap| Estimate {
            elo: gap.elo,
            error95: Some(gap.interval().margin()).filter(|margin| margin.is_finite()),
        });
        Gap { from: names[at].clone(), to: names[at + 1].clone(), difference: estimate }
    };
    (0..names.len().saturating_sub(1)).map(gap).collect()
}
