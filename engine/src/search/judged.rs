//! A candidate with all that is known of it.

use super::beam::Candidate;
use super::safety::Safety;
use crate::rules::outcome::Outcome;
use crate::types::score::Score;
use crate::types::series::Series;

/// A candidate with all that is known of it.
pub(super) struct Judged {
    pub(super) candidate: Candidate,
    pub(super) safety: Safety,
    /// For our side, in hundredths of a pawn.
    pub(super) value: i32,
    /// How many moves the opponent's mate takes at least, quota apart.
    pub(super) cost: i32,
    /// Where our king stands, as an index.
    pub(super) king: usize,
    /// How often it was checked without a verdict.
    pub(super) tries: usize,
    /// Whether somebody is just checking it.
    pub(super) is_busy: bool,
    /// Whether a player who errs has checked it and seen no mate.
    pub(super) is_trusted: bool,
    /// Whether it is a mate that a player who errs does not see: he may still play it, as a series like any other.
    pub(super) is_unseen: bool,
    /// Proved: whatever the opponent replies, we mate in the turn after.
    pub(super) wins_next: bool,
    /// The expected reply in White's view.
    pub(super) reply: Option<Series>,
}

impl Judged {
    /// Nothing is known yet but its static score and, if that was asked, how soon the opponent could mate.
    pub(super) fn new(candidate: Candidate) -> Self {
        let (value, cost) = (candidate.score, candidate.cost.map_or(0, i32::from));
        let king = candidate.end.board().king().map_or(0, |king| king as usize);
        Self {
            candidate,
            safety: Safety::Unknown,
            value,
            cost,
            king,
            tries: 0,
            is_busy: false,
            is_trusted: false,
            is_unseen: false,
            wins_next: false,
            reply: None,
        }
    }

    /// What it is worth, for the protocol.
    pub(super) fn score(&self) -> Score {
        match self.safety {
            Safety::Won => Score::mate_in(1),
            Safety::Safe if self.wins_next => Score::mate_in(2),
            Safety::Mated(_) => Score::mated_in(1),
            Safety::Drawn => Score::DRAW,
            Safety::Safe | Safety::Unknown => Score::cp(self.value),
        }
    }

    /// Whether the opponent has lost. Wins show without a check of safety: a candidate after which he has no answer.
    pub(super) fn is_won(&self) -> bool {
        let end = &self.candidate.end;
        let decisive = end.board().them().is_empty() || end.board().gives_check();
        self.safety == Safety::Won
            || decisive
                && !self.is_unseen
                && !self.candidate.is_drawn
                && matches!(self.candidate.next_position().outcome(), Some(Outcome::Win { winner, .. }) if winner == end.color())
    }

    /// How good it is to play: the greater, the better. Safe comes before drawn before unknown before mated, but a draw is better than a bad
    /// game; among the unknown comes first what resisted longer; `mate_cost` is what each move of the opponent's mate is worth.
    pub(super) fn rank(&self, mate_cost: i32) -> (u8, usize, i32) {
        match self.safety {
            Safety::Won => (5, 0, 0),
            Safety::Safe => (4, usize::from(self.wins_next), self.value),
            Safety::Drawn => (4, 0, DRAWN),
            Safety::Unknown if self.is_trusted => (4, usize::from(self.wins_next), self.value),
            Safety::Unknown => (3, self.tries, self.value + mate_cost * self.cost),
            Safety::Mated(nodes) => (2, 0, i32::try_from(nodes).unwrap_or(i32::MAX)),
        }
    }
}

/// What a draw is worth, in hundredths of a pawn: who leaves no mate and is not far behind usually does better than to draw.
const DRAWN: i32 = -400;
