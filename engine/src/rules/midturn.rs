//! Inside a turn: which moves are legal now, and what playing one leads to.

use super::balance;
use super::illegal::{IllegalMove, explain};
use super::outcome::{DrawBy, Outcome, WinBy};
use super::position::Position;
use super::table::{Captures, Check, Goal, Order, PawnStart, Reply, Rules};
use crate::board::attacks::RANK_2;
use crate::board::generate::Checks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::moves::{Move, MoveList};
use crate::types::turn::Turn;
use crate::types::{BitBoard, Color, Role};

/// A turn in progress: none, some, but not all of its moves have been played.
///
/// It can be asked for moves, not for a score: judging belongs to positions between turns. Only the two ways in which a game
/// ends in mid-series (stalemate, bare material) show here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Midturn {
    rules: &'static Rules,
    terms: Terms,
    board: Board,
    turn: Turn,
    left: u8,
    /// As the FEN has it: the count before the turn until the first move; then 0, or the count with this turn, or limit + 1.
    quiet: u8,
    /// Whether no move of this series has been played yet.
    fresh: bool,
    /// English balance: men that have moved in this round (the mover's view).
    marks: BitBoard,
}

/// What playing a move led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The series goes on.
    More,
    /// The series is over.
    Over(SeriesEnd),
}

/// How a series ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeriesEnd {
    /// The turn is over: the quota is used up, or a check or a take-all win ended the series. The game may be over too: ask
    /// the position.
    Turn(Position),
    /// The game ended in mid-series: stalemate or bare material.
    Game(Outcome),
}

impl SeriesEnd {
    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Turn(position) => position.outcome(),
            Self::Game(outcome) => Some(*outcome),
        }
    }
}

/// Whether a raw step ended the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Moves of the quota are left, though perhaps none is legal.
    More,
    /// The turn is over: [`Midturn::next_position`] is what the opponent gets.
    TurnOver,
}

/// Mixes a small number into a key (the finalizer of SplitMix64).
#[inline]
pub(crate) const fn mix(key: u64, number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key ^ z ^ (z >> 31)
}

/// The row of the rule table, lowered to what the board must know.
#[must_use]
pub(super) fn lower(rules: &Rules) -> Terms {
    Terms {
        double_step: if rules.pawns == PawnStart::Single { BitBoard::EMPTY } else { RANK_2 },
        en_passant: matches!(rules.pawns, PawnStart::DoubleEnPassant(_)),
        targets_stay: rules.pawns == PawnStart::DoubleEnPassant(Reply::AfterCapture),
        royal: rules.has_mate(),
        rebirth: rules.captures == Captures::Rebirth,
    }
}

impl Midturn {
    pub(super) fn begin(position: &Position) -> Self {
        Self {
            rules: position.rules,
            terms: lower(position.rules),
            board: position.board,
            turn: position.turn,
            left: position.quota(),
            quiet: position.quiet,
            fresh: true,
            marks: BitBoard::EMPTY,
        }
    }

    /// A turn of which some moves have been played; the caller has checked that it makes sense.
    pub(super) fn resume(position: &Position, left: u8, quiet: u8, marks: BitBoard) -> Self {
        Self { left, quiet, marks, fresh: false, ..Self::begin(position) }
    }

    /// The rule set.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// What the board must know of the rule set.
    #[inline]
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The men, seen by the mover.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The turn being played.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Turn {
        self.turn
    }

    /// The mover.
    #[inline]
    #[must_use]
    pub const fn color(&self) -> Color {
        self.turn.color()
    }

    /// How many moves are still to be played, 1 to 255.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> u8 {
        self.left
    }

    /// The quiet count as the FEN has it.
    #[inline]
    #[must_use]
    pub const fn quiet(&self) -> u8 {
        self.quiet
    }

    /// Whether no move of this series has been played yet.
    #[inline]
    #[must_use]
    pub const fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// English balance: men that have moved in this round, the mover's view.
    #[inline]
    #[must_use]
    pub const fn marks(&self) -> BitBoard {
        self.marks
    }

    /// The position at the start of this turn, if no move of it has been played yet.
    #[must_use]
    pub const fn position(&self) -> Option<Position> {
        if self.fresh {
            Some(Position { rules: self.rules, board: self.board, turn: self.turn, quiet: self.quiet })
        } else {
            None
        }
    }

    /// Which checks the next move may give.
    #[inline]
    #[must_use]
    pub const fn checks(&self) -> Checks {
        if self.rules.is_italian() && self.left > 1 { Checks::Without } else { Checks::Any }
    }

    /// The men that may move next (the mover's view): all, or under English balance those whose turn it is.
    #[must_use]
    pub fn movers(&self) -> BitBoard {
        match self.rules.order {
            Order::Free => BitBoard::FULL,
            Order::Balanced => balance::due(&self.board, &self.terms, self.marks),
        }
    }

    /// The legal moves in the mover's view. Empty when he is mated or stalemated; other ends of the game do not show here.
    #[must_use]
    pub fn legal_seen_by_mover(&self) -> MoveList {
        self.board.moves(&self.terms, self.checks(), self.movers())
    }

    /// Whether a move in the mover's view is legal; cheaper than looking for it among all.
    #[must_use]
    pub fn is_legal(&self, seen: Move) -> bool {
        self.movers().has(seen.from()) && self.board.has_move(&self.terms, self.checks(), seen)
    }

    /// The legal moves in White's view. Empty when the mover is mated or stalemated; other ends of the game do not show here.
    #[must_use]
    pub fn legal(&self) -> MoveList {
        self.legal_seen_by_mover().into_iter().map(|mv| mv.seen_by(self.color())).collect()
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        self.board.count_moves(&self.terms, self.checks(), self.movers())
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal(&self) -> bool {
        let (checks, movers) = (self.checks(), self.movers());
        // Some pawn can step nearly always.
        !self.is_in_check() && self.board.has_plain_step(&self.terms, movers)
            || self.board.count_moves(&self.terms, checks, movers) > 0
    }

    /// Whether too few men are left for anybody to mate, which ends the game also in mid-series.
    #[inline]
    #[must_use]
    pub fn has_bare_material(&self) -> bool {
        self.terms.royal && is_bare(&self.board)
    }

    /// Whether the mover is in check; only possible before his first move.
    #[must_use]
    pub fn is_in_check(&self) -> bool {
        self.terms.royal && self.board.is_in_check()
    }

    /// The result, if the game is over here. The order is that of the rules: take-all win, mate, stalemate, bare material,
    /// ten turns; last the turn limit.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.take_all_outcome() {
            return Some(outcome);
        }
        if !self.has_legal() {
            if !self.is_in_check() {
                return Some(Outcome::Draw(DrawBy::Stalemate));
            }
            let parry = self.board.count_moves(&self.terms, Checks::Any, BitBoard::FULL) > 0;
            let by = if parry { WinBy::ItalianMate } else { WinBy::Mate };
            return Some(Outcome::Win { winner: !self.color(), by });
        }
        if self.has_bare_material() {
            return Some(Outcome::Draw(DrawBy::Material));
        }
        if self.fresh && self.is_quiet_over() {
            return Some(Outcome::Draw(DrawBy::TenTurns));
        }
        (self.fresh && self.turn.is_past_last()).then_some(Outcome::Draw(DrawBy::TurnLimit))
    }

    /// Progressive games grant one more turn at the limit; Marseillais draws at it, as chess does.
    const fn is_quiet_over(&self) -> bool {
        let limit = self.rules.quiet_limit();
        match self.rules.quota {
            super::table::Quota::Progressive => self.quiet > limit,
            super::table::Quota::Double => self.quiet >= limit,
        }
    }

    fn take_all_outcome(&self) -> Option<Outcome> {
        if self.rules.goal != Goal::TakeAll {
            return None;
        }
        let winner = match (self.board.us().is_empty(), self.board.them().is_empty()) {
            (_, true) => self.color(),
            (true, false) => !self.color(),
            (false, false) => return None,
        };
        Some(Outcome::Win { winner, by: WinBy::TakeAll })
    }

    /// Plays a move given in White's view.
    ///
    /// # Errors
    /// The move is not legal here; the error says why, and nothing has changed.
    pub fn play(&mut self, mv: Move) -> Result<Progress, IllegalMove> {
        let seen = mv.seen_by(self.color());
        if !self.is_legal(seen) {
            return Err(explain(self, mv));
        }
        Ok(self.play_unchecked(mv))
    }

    /// Plays a move given in White's view that is known to be legal.
    pub fn play_unchecked(&mut self, mv: Move) -> Progress {
        match self.step(mv.seen_by(self.color())) {
            Step::TurnOver => Progress::Over(SeriesEnd::Turn(self.next_position())),
            Step::More => match self.outcome() {
                Some(outcome) => Progress::Over(SeriesEnd::Game(outcome)),
                None => Progress::More,
            },
        }
    }

    /// Where a whole series from here leads. `None`: a move of it is not legal, or it stops before the end or goes on behind it.
    #[must_use]
    pub fn end_of(&self, series: &[Move]) -> Option<SeriesEnd> {
        let mut now = *self;
        let (last, before) = series.split_last()?;
        if !before.iter().all(|&mv| now.play(mv) == Ok(Progress::More)) {
            return None;
        }
        match now.play(*last).ok()? {
            Progress::Over(end) => Some(end),
            Progress::More => None,
        }
    }

    /// Plays a legal move in the mover's view without judging what it led to, but for the end of the turn. For walks that look
    /// at the moves of the next node anyway; a referee wants [`Midturn::play`].
    #[inline]
    pub fn step(&mut self, mv: Move) -> Step {
        if self.rules.order == Order::Balanced {
            self.marks = balance::marks_after(&self.board, mv, self.marks);
        }
        let limit = self.rules.quiet_limit();
        let irreversible = self.board.is_irreversible(mv);
        let last_chance = if self.fresh { self.quiet >= limit } else { self.quiet > limit };
        self.quiet = match (last_chance, irreversible, self.fresh) {
            (true, ..) => limit + 1,
            (false, true, _) => 0,
            (false, false, true) => self.quiet + 1,
            (false, false, false) => self.quiet,
        };
        self.board.play(mv, &self.terms);
        self.fresh = false;
        self.left -= 1;
        let cut_short = match self.rules.goal {
            Goal::Mate(Check::LastPlyOnly) => false,
            Goal::Mate(Check::EndsSeries) => self.board.gives_check(),
            Goal::TakeAll => self.board.them().is_empty(),
        };
        if self.left == 0 || cut_short { Step::TurnOver } else { Step::More }
    }

    /// The start of the next turn, once this one is over (which is for the caller to know).
    #[must_use]
    pub fn next_position(&self) -> Position {
        Position { rules: self.rules, board: self.board.flipped(), turn: self.turn.next(), quiet: self.quiet }
    }

    /// The key of everything the rest of the turn depends on: men, rights, turn, moves left, marks.
    #[must_use]
    pub fn key(&self) -> u64 {
        let key = mix(self.board.key(), self.turn.number() as u64 | (self.left as u64) << 16);
        if self.marks.0 == 0 { key } else { mix(key, self.marks.0) }
    }
}

/// King v king, or king and one knight or bishop v king: nobody can mate any more.
fn is_bare(board: &Board) -> bool {
    let others = board.occupied() & !board.role(Role::King);
    let minor = board.role(Role::Knight) | board.role(Role::Bishop);
    others.is_empty() || others.len() == 1 && others.is_subset(minor)
}
