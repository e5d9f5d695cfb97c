//! How a game ends.

use super::man::{Color, Role};
use super::moves::{has_safe_move, successors};
use super::position::Position;
use super::ruleset::RuleSet;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    /// The protocol's word for it.
    pub(crate) status: &'static str,
    /// Who won, if anybody.
    pub(crate) winner: Option<Color>,
    /// Whether it is a mate in which the only parries would themselves give check too early.
    pub(crate) is_italian_mate: bool,
}

/// The last turn there is (common rule 9).
const LAST_TURN: u16 = 255;

impl End {
    fn draw(status: &'static str) -> End {
        End { status, winner: None, is_italian_mate: false }
    }

    fn win(status: &'static str, winner: Color) -> End {
        End { status, winner: Some(winner), is_italian_mate: false }
    }
}

/// The verdict on a position, in the order of common rule 10. `occurrences` says how often this start of a turn has been
/// seen, this time included; only Marseillais asks.
pub(crate) fn verdict(rules: &RuleSet, position: &Position, occurrences: usize) -> Option<End> {
    for loser in [Color::White, Color::Black] {
        if !rules.is_royal() && !position.has_men(loser) {
            return Some(End::win("takeall", loser.other()));
        }
    }
    if successors(rules, position).is_empty() {
        return Some(no_move(rules, position));
    }
    if rules.is_royal() && is_bare(position) {
        return Some(End::draw("material"));
    }
    if is_quiet_too_long(rules, position) {
        return Some(End::draw("ten-turns"));
    }
    if rules.marseillais && occurrences >= 3 {
        return Some(End::draw("repetition"));
    }
    if position.turn > LAST_TURN {
        return Some(End::draw("turn-limit"));
    }
    None
}

/// Whether the side to move is in check and has no legal move: mate (common rules 2 and 4). Asks for the check first,
/// because that is the cheap question.
pub(crate) fn is_mate(rules: &RuleSet, position: &Position) -> bool {
    rules.is_royal() && position.is_king_attacked(position.mover()) && successors(rules, position).is_empty()
}

/// Mate or stalemate of a side without a legal move.
fn no_move(rules: &RuleSet, position: &Position) -> End {
    let us = position.mover();
    if rules.is_royal() && position.is_king_attacked(us) {
        let mate = End::win("mate", us.other());
        return End { is_italian_mate: has_safe_move(rules, position), ..mate };
    }
    End::draw("stalemate")
}

/// King v king, king and knight v king, king and bishop v king, and nothing else (common rule 8).
fn is_bare(position: &Position) -> bool {
    let others: Vec<Role> = position.board.iter().flatten().map(|man| man.role).filter(|&r| r != Role::King).collect();
    matches!(others[..], [] | [Role::Knight | Role::Bishop])
}

/// Ten turns (common rule 7): the counter passes its limit with the first move of the last turn and stays there, so a turn
/// that starts past the limit follows one that should have mated. Marseillais has no last turn: the limit is the draw, and
/// a position in the middle of a turn that began there is one of a game already drawn.
fn is_quiet_too_long(rules: &RuleSet, position: &Position) -> bool {
    let limit = rules.quiet_limit();
    let is_start = position.is_turn_start(rules);
    if rules.marseillais {
        position.quiet > limit || (is_start && position.quiet == limit)
    } else {
        is_start && position.quiet > limit
    }
}
