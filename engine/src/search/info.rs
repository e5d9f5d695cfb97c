//! What a search reports while it runs, and what it answers.

use super::safety::Safety;
use crate::types::score::Score;
use crate::types::series::Series;

/// Progress: one line of play with its score. Time and speed are added by whoever prints it.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Series looked ahead.
    pub depth: u16,
    /// The longest line looked at, in series.
    pub seldepth: u16,
    /// Which of several best lines this is, from 1.
    pub multi_pv: usize,
    /// From the side to move.
    pub score: Score,
    /// Moves made so far.
    pub nodes: u64,
    /// Use of the tables in thousandths.
    pub hashfull: u16,
    /// The line: the series to play, the expected reply, and so on.
    pub pv: Vec<Series>,
}

/// Something a search tells while it runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A line of play.
    Line(Info),
    /// A remark for people, for `info string`.
    Note(String),
}

/// The answer of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// What is left of this turn's series, complete; `None` only when the game is over or no series is allowed by the prefixes.
    pub series: Option<Series>,
    /// The expected reply.
    pub ponder: Option<Series>,
    /// From the side to move.
    pub score: Score,
    /// What is known about the opponent's next turn: whether he mates in it.
    pub safety: Safety,
    /// Moves made.
    pub nodes: u64,
}

impl Choice {
    /// The answer without a series.
    #[must_use]
    pub const fn none(score: Score) -> Self {
        Self { series: None, ponder: None, score, safety: Safety::Unknown, nodes: 0 }
    }
}
