//! A whole game: its start, its series so far, where it stands and how it ended.

use super::illegal::IllegalMove;
use super::midturn::{Midturn, Progress, SeriesEnd};
use super::outcome::{DrawBy, Outcome};
use super::position::Position;
use super::setup::Entry;
use super::table::{Quota, Rules};
use crate::types::Color;
use crate::types::moves::Move;
use crate::types::series::Series;
use crate::types::turn::Turn;

/// The record of a game. It judges what a position alone cannot: repetition.
#[derive(Clone, Debug)]
pub struct Game {
    start: Midturn,
    current: Midturn,
    turns: Vec<(Turn, Series)>,
    outcome: Option<Outcome>,
    /// Keys of the positions at the start of each turn, where repetition matters.
    seen: Vec<u64>,
}

/// Why a move cannot be played in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Game {
    /// A game from the start position.
    #[must_use]
    pub fn new(rules: &'static Rules) -> Self {
        Self::from_entry(Entry::Between(Position::start(rules)))
    }

    /// A game from any position.
    #[must_use]
    pub fn from_entry(entry: Entry) -> Self {
        let start = entry.midturn();
        let mut game = Self { start, current: start, turns: Vec::new(), outcome: start.outcome(), seen: Vec::new() };
        if let Entry::Between(position) = entry {
            game.note(&position);
        }
        game
    }

    /// The rule set.
    #[must_use]
    pub const fn rules(&self) -> &'static Rules {
        self.start.rules()
    }

    /// Where the game began.
    #[must_use]
    pub const fn start(&self) -> &Midturn {
        &self.start
    }

    /// Where the game stands: the turn to be played or what is left of it; after the end, the last position.
    #[must_use]
    pub const fn current(&self) -> &Midturn {
        &self.current
    }

    /// The result, if the game is over.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The side to move.
    #[must_use]
    pub const fn color(&self) -> Color {
        self.current.color()
    }

    /// The series so far with their turns; the last may be in progress.
    #[must_use]
    pub fn turns(&self) -> &[(Turn, Series)] {
        &self.turns
    }

    /// How many single moves have been played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.turns.iter().map(|(_, series)| series.len()).sum()
    }

    /// The legal moves in White's view; none when the game is over.
    #[must_use]
    pub fn legal(&self) -> crate::types::moves::MoveList {
        if self.outcome.is_some() { crate::types::moves::MoveList::new() } else { self.current.legal() }
    }

    /// Plays one move (White's view); the answer says whether the series or the game goes on.
    ///
    /// # Errors
    /// The game is over or the move is not legal; nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<Progress, PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        let (turn, begins) = (self.current.turn(), self.current.is_fresh() || self.turns.is_empty());
        let progress = self.current.play(mv)?;
        if begins {
            self.turns.push((turn, Series::default()));
        }
        if let Some((_, series)) = self.turns.last_mut() {
            series.push(mv);
        }
        match progress {
            Progress::More => {}
            Progress::Over(SeriesEnd::Game(outcome)) => self.outcome = Some(outcome),
            Progress::Over(SeriesEnd::Turn(position)) => {
                self.current = position.begin();
                self.outcome = position.outcome();
                self.note(&position);
            }
        }
        Ok(progress)
    }

    /// Notes the start of a turn for repetition, which exists only where quotas do not grow.
    fn note(&mut self, position: &Position) {
        if self.rules().quota != Quota::Double {
            return;
        }
        let key = position.repetition_key();
        self.seen.push(key);
        if self.outcome.is_none() && self.seen.iter().filter(|&&seen| seen == key).count() >= 3 {
            self.outcome = Some(Outcome::Draw(DrawBy::Repetition));
        }
    }
}
