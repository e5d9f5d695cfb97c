//! What a puzzle is, and what is known of its solutions.

use super::pattern;
use crescendo::rules::fen;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::position::Position;
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::Rules;
use crescendo::types::Color;
use crescendo::types::series::Series;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What is asked of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Mate in this series.
    Mate,
    /// The same, and at the end of every solution a parry exists, but it would give check too early (Italian check rule).
    ItalianMate,
    /// Every series but those to one position lets the opponent mate.
    SaveYourself,
    /// Every series lets the opponent mate, but for those that leave oneself in stalemate.
    StalemateYourself,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Mate, Self::ItalianMate, Self::SaveYourself, Self::StalemateYourself];

    /// The word in files, also a theme.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::ItalianMate => "italianMate",
            Self::SaveYourself => "saveYourself",
            Self::StalemateYourself => "stalemateYourself",
        }
    }

    /// The kind of this word.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether a solution mates.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        matches!(self, Self::Mate | Self::ItalianMate)
    }
}

/// In which sense the solution is the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Class {
    /// There is one series.
    UniqueSeries,
    /// All series are the same moves in another order.
    UniqueMoves,
    /// All series lead to the same position.
    UniquePosition,
    /// There are several final positions.
    Several,
}

impl Class {
    /// The class of so many series, sets of moves and final positions.
    #[must_use]
    pub const fn of(series: u64, move_sets: u64, positions: u64) -> Self {
        match (series, move_sets, positions) {
            (1, ..) => Self::UniqueSeries,
            (_, 1, _) => Self::UniqueMoves,
            (_, _, 1) => Self::UniquePosition,
            _ => Self::Several,
        }
    }

    /// The word in files, also a theme.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::UniqueSeries => "uniqueSeries",
            Self::UniqueMoves => "uniqueMoves",
            Self::UniquePosition => "uniquePosition",
            Self::Several => "several",
        }
    }
}

/// How many solutions there are. Scottish: of the key's length, which is the shortest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Series.
    pub series: u64,
    /// Series, not counting the order of the moves.
    pub move_sets: u64,
    /// Final positions.
    pub positions: u64,
    /// Scottish: longer mating series, counted up to [`Counts::MOST_LONGER`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub longer: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Counts {
    /// Where the count of longer series stops.
    pub const MOST_LONGER: u64 = 1000;

    /// The class of these counts.
    #[must_use]
    pub const fn class(&self) -> Class {
        Class::of(self.series, self.move_sets, self.positions)
    }
}

/// A puzzle, with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Puzzle {
    /// Eight letters and digits that follow from position, rules and kind alone.
    pub id: String,
    /// The name of the rule set.
    pub rules: String,
    /// What is asked.
    pub kind: Kind,
    /// The position before the opponent's series.
    pub fen: String,
    /// The opponent's series, which leads to the position to solve.
    pub before: String,
    /// A solution: the first in the order of the solver.
    pub key: String,
    /// How many solutions there are.
    pub counts: Counts,
    /// In which sense the solution is the only one.
    pub class: Class,
    /// Moves the solver makes until it has a mate; the rescue kinds: distinct ends of the turn.
    pub nodes: u64,
    /// What the key is like, as single words.
    pub themes: Vec<String>,
    /// What the final position looks like around the mated king, left and right alike.
    pub pattern: String,
    /// The game it comes from.
    pub source: String,
    /// The first move of that game.
    pub opening: String,
    /// The rating, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// What is known of the difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rating {
    /// On the scale of the solvers, in Elo points.
    pub rating: f64,
    /// The standard error or rating deviation, in points.
    pub deviation: f64,
    /// Attempts by people.
    pub plays: u64,
}

/// Why a puzzle cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// No such rule set, or one without mates.
    #[error("'{0}' is no rule set with mates")]
    Rules(String),
    /// The position is bad.
    #[error("{0}")]
    Fen(String),
    /// The opponent's series is bad.
    #[error("the opponent's series: {0}")]
    Before(String),
}

impl Puzzle {
    /// The rule set.
    ///
    /// # Errors
    /// See [`SetupFault::Rules`].
    pub fn rules(&self) -> Result<&'static Rules, SetupFault> {
        mating_rules(&self.rules)
    }

    /// The position to solve.
    ///
    /// # Errors
    /// See [`SetupFault`].
    pub fn position(&self) -> Result<Position, SetupFault> {
        position(self.rules()?, &self.fen, &self.before)
    }

    /// What no two puzzles of a set have in common; see [`pattern::signature`]. Empty if the key is no series.
    #[must_use]
    pub fn signature(&self) -> String {
        // The position before has the opponent to move.
        let mover = if self.fen.split(' ').nth(1) == Some("w") { Color::Black } else { Color::White };
        let key = self.key.parse::<Series>();
        key.map_or_else(|_| String::new(), |key| pattern::signature(self.kind, &self.pattern, mover, &key))
    }

    /// How many moves the key has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.key.split(',').count()
    }
}

/// The rule set of this name, if it is one with mates.
///
/// # Errors
/// [`SetupFault::Rules`].
pub fn mating_rules(name: &str) -> Result<&'static Rules, SetupFault> {
    Rules::by_name(name).filter(|rules| rules.has_mate()).ok_or_else(|| SetupFault::Rules(name.to_owned()))
}

/// The position after the opponent's series `before` from the position of `fen`.
///
/// # Errors
/// See [`SetupFault`].
pub fn position(rules: &'static Rules, fen: &str, before: &str) -> Result<Position, SetupFault> {
    let bad = |text: String| SetupFault::Fen(text);
    let (entry, _) = fen::read(fen, rules, Strictness::Strict).map_err(|error| bad(error.to_string()))?;
    let Entry::Between(start) = entry else { return Err(bad("in the middle of a series".to_owned())) };
    let series: Series = before.parse().map_err(|_| SetupFault::Before(format!("'{before}' is no series")))?;
    match end_of(&start.begin(), &series) {
        Ok(SeriesEnd::Turn(position)) => match position.outcome() {
            None => Ok(position),
            Some(outcome) => Err(SetupFault::Before(format!("the game is over after it: {outcome}"))),
        },
        Ok(SeriesEnd::Game(outcome)) => Err(SetupFault::Before(format!("it ends the game: {outcome}"))),
        Err(fault) => Err(SetupFault::Before(fault.to_string())),
    }
}

/// What is wrong with a series.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesFault {
    /// A move is not legal.
    #[error("leg {leg}: {why}")]
    Illegal {
        /// Which move, from 1.
        leg: usize,
        /// Why.
        why: String,
    },
    /// Moves after the end of the turn.
    #[error("the series is over with leg {0}")]
    Long(usize),
    /// Moves are missing.
    #[error("{0} more moves are due")]
    Short(u8),
}

/// Plays a whole series (White's view) from here; what it led to.
///
/// # Errors
/// See [`SeriesFault`].
pub fn end_of(start: &Midturn, series: &Series) -> Result<SeriesEnd, SeriesFault> {
    let mut now = *start;
    for (number, &mv) in series.iter().enumerate() {
        let progress =
            now.play(mv).map_err(|error| SeriesFault::Illegal { leg: number + 1, why: error.to_string() })?;
        match progress {
            Progress::More => {}
            Progress::Over(end) if number + 1 == series.len() => return Ok(end),
            Progress::Over(_) => return Err(SeriesFault::Long(number + 1)),
        }
    }
    Err(SeriesFault::Short(now.left()))
}

/// The name of a puzzle: 8 of 62 characters, from the hash of rules, kind and position. The quiet count is no part of it.
#[must_use]
pub fn id(position: &Position, kind: Kind) -> String {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let text = format!("{} {} {} {}", position.rules().name, kind.word(), fields.join(" "), position.turn());
    let hash = Sha256::digest(text.as_bytes());
    let mut number = hash.iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let mut name = String::with_capacity(8);
    for _ in 0..8 {
        name.push(char::from(LETTERS[(number % 62) as usize]));
        number /= 62;
    }
    name
}
