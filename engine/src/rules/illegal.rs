//! Why a move is not legal, in one sentence.

use super::midturn::Midturn;
use super::outcome::Outcome;
use super::table::Order;
use crate::board::attacks::RANK_8;
use crate::board::generate::Checks;
use crate::types::moves::Move;
use crate::types::{Role, Square};

/// Why a move is refused. Squares are in White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The start square is empty.
    #[error("no man on {0}")]
    NoMan(Square),
    /// The start square holds an opponent's man.
    #[error("the man on {0} is the opponent's")]
    NotYours(Square),
    /// The man does not go there.
    #[error("the {} on {} cannot go to {}", role_name(*.0), .1, .2)]
    CannotReach(Role, Square, Square),
    /// A pawn reaches the last rank without saying what it becomes.
    #[error("a pawn that reaches the last rank must promote, as in {0}q")]
    MustPromote(Move),
    /// A promotion that is not one, or to something that is not offered.
    #[error("this move cannot promote to a {}", role_name(*.0))]
    CannotPromote(Role),
    /// Castling is not possible now.
    #[error("castling is not possible now")]
    NoCastling,
    /// The king is in check and the move does not end it.
    #[error("the king is in check and the move does not end it")]
    InCheck,
    /// The move leaves the own king attacked.
    #[error("the move leaves the own king attacked")]
    ExposesKing,
    /// Italian: a check before the last move of the quota.
    #[error("gives check before the last move")]
    EarlyCheck,
    /// English: another man must move first.
    #[error("the man on {0} has moved in this round; others must move first")]
    OutOfOrder(Square),
    /// The game is over.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
}

pub(super) const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Says why `mv` (White's view), which is not legal in `midturn`, is not.
pub(super) fn explain(midturn: &Midturn, mv: Move) -> IllegalMove {
    let (board, terms) = (midturn.board(), midturn.terms());
    if let Some(outcome) = midturn.outcome() {
        return IllegalMove::GameOver(outcome);
    }
    let seen = mv.seen_by(midturn.color());
    let (from, to) = (seen.from(), seen.to());
    if board.them().has(from) {
        return IllegalMove::NotYours(mv.from());
    }
    let Some(role) = board.role_at(from) else { return IllegalMove::NoMan(mv.from()) };
    if board.is_castling(seen) {
        return IllegalMove::NoCastling;
    }
    if !board.targets_of(terms, role, from).has(to) {
        return IllegalMove::CannotReach(role, mv.from(), mv.to());
    }
    let promotes = role == Role::Pawn && RANK_8.has(to);
    match seen.promotion() {
        None if promotes => return IllegalMove::MustPromote(mv),
        Some(new) if !promotes || new == Role::King && terms.royal => return IllegalMove::CannotPromote(new),
        _ => {}
    }
    if terms.royal && board.after(seen, terms).is_in_check() {
        return if board.is_in_check() { IllegalMove::InCheck } else { IllegalMove::ExposesKing };
    }
    if midturn.rules().order == Order::Balanced && !midturn.movers().has(from) {
        return IllegalMove::OutOfOrder(mv.from());
    }
    if midturn.checks() == Checks::Without {
        return IllegalMove::EarlyCheck;
    }
    IllegalMove::CannotReach(role, mv.from(), mv.to())
}
