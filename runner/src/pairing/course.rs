//! Where a tournament that comes in stages stands, in its own terms: the bracket, the Swiss table, what is to be known.
//! Players are given by their numbers in the plan.

use crate::stats::design::Wanted;

/// Where a tournament stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// The bracket.
    Knockout {
        /// The rounds so far, each a list of ties in the order of the bracket.
        rounds: Vec<Vec<Tie>>,
    },
    /// The table.
    Swiss {
        /// How many rounds are complete.
        rounds: u64,
        /// The players, best first.
        table: Vec<SwissRow>,
    },
    /// What games are chosen for.
    Adaptive {
        /// What is to be known, and how well.
        wanted: Wanted,
        /// Whether it is, by the results of complete stages.
        is_known: bool,
    },
}

/// Two players of a knockout against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The higher seed.
    pub first: usize,
    /// The lower seed; none: the first has a bye.
    pub second: Option<usize>,
    /// Half points of both.
    pub halves: [u64; 2],
    /// Wins with Black of both.
    pub black_wins: [u64; 2],
    /// Pairs beyond the planned ones.
    pub extra: u64,
    /// Who goes on, once that is known.
    pub winner: Option<usize>,
    /// Why he does.
    pub decided_by: Option<Decision>,
}

/// Why a player goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// There was nobody to play against.
    Bye,
    /// More points in the planned pairs.
    Score,
    /// More points after further pairs.
    FurtherPairs,
    /// Level, but with more wins with Black.
    BlackWins,
    /// Level in everything, but the higher seed.
    Seed,
}

impl Decision {
    /// The words in reports.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Bye => "bye",
            Self::Score => "score",
            Self::FurtherPairs => "further pairs",
            Self::BlackWins => "wins with Black",
            Self::Seed => "seed",
        }
    }
}

/// One player of a Swiss tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwissRow {
    /// The player.
    pub player: usize,
    /// His half points; a bye counts as if he had won every game of a meeting.
    pub halves: u64,
    /// How often he had nobody to play against.
    pub byes: u64,
    /// The half points of all opponents; a bye counts as one with his own.
    pub buchholz: u64,
    /// Sonneborn-Berger: for every opponent, his points times those taken from him; in quarters of a point.
    pub sonneborn_berger: u64,
}
