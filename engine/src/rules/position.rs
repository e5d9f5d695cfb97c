//! A position between turns: the only place where a game is judged and where tables may store something.

use super::midturn::Midturn;
use super::outcome::Outcome;
use super::table::Rules;
use crate::board::men::Board;
use crate::types::Color;
use crate::types::turn::Turn;

/// The start of a turn. It comes only from a checked [`super::setup::Setup`] or from a completed series, so it is always valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) rules: &'static Rules,
    pub(super) board: Board,
    pub(super) turn: Turn,
    pub(super) quiet: u8,
}

impl Position {
    /// The start of a game.
    #[must_use]
    pub fn start(rules: &'static Rules) -> Self {
        super::setup::Setup::start().start_position(rules)
    }

    /// The rule set.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The men, seen by the side to move.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The turn about to be played.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Turn {
        self.turn
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn color(&self) -> Color {
        self.turn.color()
    }

    /// How many moves this turn allows.
    #[inline]
    #[must_use]
    pub const fn quota(&self) -> u8 {
        self.rules.quota(self.turn)
    }

    /// Turns in a row without a capture or a pawn move; at the limit this is the last turn to mate, beyond it the game is drawn.
    #[inline]
    #[must_use]
    pub const fn quiet(&self) -> u8 {
        self.quiet
    }

    /// Begins the turn.
    #[inline]
    #[must_use]
    pub fn begin(&self) -> Midturn {
        Midturn::begin(self)
    }

    /// The result, if the game is over. Repetition needs the history and is judged by [`super::game::Game`].
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.begin().outcome()
    }

    /// The key of everything the rest of the game depends on but the quiet count: men, rights and turn.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        super::midturn::mix(self.board.key(), self.turn.number() as u64)
    }

    /// The key of men, rights and color to move: what must be equal for a repetition.
    #[must_use]
    pub fn repetition_key(&self) -> u64 {
        super::midturn::mix(self.board.key(), self.color() as u64)
    }
}
