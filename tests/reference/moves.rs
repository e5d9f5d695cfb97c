//! What may be played: every move a man can make, then whatever the rules forbid taken away.

use super::attack::steps_of;
use super::man::{Color, Role, Square, file, offset, rank, square, square_name};
use super::position::{KING_FILE, Move, Position, RIGHTS, castled_rook};
use super::ruleset::{CheckRule, RuleSet};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor {
    /// The move.
    pub(crate) mv: Move,
    /// The position after it; if the turn is over, at the start of the opponent's.
    pub(crate) after: Position,
    /// Whether the move ended the turn.
    pub(crate) is_turn_over: bool,
}

impl Move {
    /// `e2e4`, `e7e8q`.
    pub(crate) fn text(self) -> String {
        let promotion = self.promotion.map(|role| role.letter().to_string()).unwrap_or_default();
        format!("{}{}{}", square_name(self.from), square_name(self.to), promotion)
    }
}

/// The legal moves, by take-all win, mate and stalemate alone: bare material and ten turns do not count here, since perft
/// and series counts look past them (common rule 10).
pub(crate) fn successors(rules: &RuleSet, position: &Position) -> Vec<Successor> {
    let us = position.mover();
    if !rules.is_royal() && !position.has_men(us.other()) {
        return Vec::new();
    }
    let mut found = safe_moves(rules, position);
    if rules.check == CheckRule::LastMoveOnly && position.left > 1 {
        found.retain(|(_, after)| !after.is_king_attacked(us.other()));
    }
    if rules.balance {
        balance(position, &mut found);
    }
    found.into_iter().map(|(mv, after)| finish(rules, mv, after)).collect()
}

/// Whether a move exists that would be legal if it did not give check: what tells the Italian mate from the ordinary one.
pub(crate) fn has_safe_move(rules: &RuleSet, position: &Position) -> bool {
    !safe_moves(rules, position).is_empty()
}

/// The moves that leave the own king unattacked (common rules 1 and 2), with the position after them in the same turn.
fn safe_moves(rules: &RuleSet, position: &Position) -> Vec<(Move, Position)> {
    let us = position.mover();
    let mut found = Vec::new();
    for mv in pseudo_moves(rules, position) {
        let after = position.after(rules, mv);
        if !rules.is_royal() || !after.is_king_attacked(us) {
            found.push((mv, after));
        }
    }
    found
}

/// English balance. A man is mobile if it has a move in the list. While a mobile man is unmarked, only such men may move;
/// else the move opens a new round, for which all marks are wiped first, also those of men that cannot move.
fn balance(position: &Position, found: &mut Vec<(Move, Position)>) {
    let is_marked = |mv: &Move| position.board[mv.from].is_some_and(|man| man.marked);
    if found.iter().any(|(mv, _)| !is_marked(mv)) {
        found.retain(|(mv, _)| !is_marked(mv));
        return;
    }
    for (mv, after) in found {
        after.clear_marks();
        let Some(man) = &mut after.board[mv.to] else {
            continue;
        };
        man.marked = true;
        if let Some((_, rook_to)) = castled_rook(*man, *mv)
            && let Some(rook) = &mut after.board[rook_to]
        {
            rook.marked = true;
        }
    }
}

/// Ends the turn where the move ends it: quota used up, a check under the Scottish rule, or the last enemy man taken.
fn finish(rules: &RuleSet, mv: Move, mut after: Position) -> Successor {
    let them = after.mover().other();
    let is_cut_short = match rules.check {
        CheckRule::LastMoveOnly => false,
        CheckRule::EndsSeries => after.is_king_attacked(them),
        CheckRule::None => !after.has_men(them),
    };
    let is_turn_over = after.left == 0 || is_cut_short;
    if is_turn_over {
        after.end_turn(rules);
    }
    Successor { mv, after, is_turn_over }
}

/// Every move the men can make, own king's safety and check rules apart.
fn pseudo_moves(rules: &RuleSet, position: &Position) -> Vec<Move> {
    let us = position.mover();
    let mut moves = Vec::new();
    for from in 0..64 {
        match position.board[from] {
            Some(man) if man.color == us && man.role == Role::Pawn => pawn_moves(rules, position, from, &mut moves),
            Some(man) if man.color == us => piece_moves(position, from, man.role, &mut moves),
            _ => {}
        }
    }
    castling_moves(rules, position, &mut moves);
    moves
}

/// The moves of a piece, castling apart.
fn piece_moves(position: &Position, from: Square, role: Role, moves: &mut Vec<Move>) {
    let us = position.mover();
    let (steps, is_slider) = steps_of(role);
    for &(files, ranks) in steps {
        let mut at = from;
        while let Some(to) = offset(at, files, ranks) {
            let occupant = position.board[to];
            if occupant.is_none_or(|man| man.color != us) {
                moves.push(Move { from, to, promotion: None });
            }
            if occupant.is_some() || !is_slider {
                break;
            }
            at = to;
        }
    }
}

/// The moves of a pawn: steps, captures, en passant, promotion.
fn pawn_moves(rules: &RuleSet, position: &Position, from: Square, moves: &mut Vec<Move>) {
    let us = position.mover();
    let Some(ahead) = offset(from, 0, us.forward()) else {
        return;
    };
    if position.board[ahead].is_none() {
        push_pawn_move(rules, us, from, ahead, moves);
        let two_ahead = offset(from, 0, 2 * us.forward()).filter(|&to| position.board[to].is_none());
        if let Some(to) = two_ahead.filter(|_| rules.double_step && rank(from) == us.rank(1)) {
            push_pawn_move(rules, us, from, to, moves);
        }
    }
    for files in [-1, 1] {
        let Some(to) = offset(from, files, us.forward()) else {
            continue;
        };
        let is_capture = position.board[to].is_some_and(|man| man.color != us);
        // The crossed square decides: reached from the rank beside the target, and empty (is_takeable).
        let is_en_passant = to == Position::crossed_square(us.other(), file(to)) && position.is_takeable(file(to));
        if is_capture || is_en_passant {
            push_pawn_move(rules, us, from, to, moves);
        }
    }
}

/// Adds a pawn's move, once for each promotion if it reaches the last rank.
fn push_pawn_move(rules: &RuleSet, us: Color, from: Square, to: Square, moves: &mut Vec<Move>) {
    if rank(to) == us.rank(7) {
        moves.extend(rules.promotions().iter().map(|&role| Move { from, to, promotion: Some(role) }));
    } else {
        moves.push(Move { from, to, promotion: None });
    }
}

/// Castling (common rule 5): not out of, through or into check, but the b-file square may be attacked. That the king does
/// not arrive in check is seen by the caller, as for every move. In take-all attacks do not matter.
fn castling_moves(rules: &RuleSet, position: &Position, moves: &mut Vec<Move>) {
    let us = position.mover();
    for (held, (_, color, rook_file)) in position.rights.into_iter().zip(RIGHTS) {
        if !held || color != us {
            continue;
        }
        let back = us.rank(0);
        let between = if rook_file == 7 { 5..7 } else { 1..4 };
        let (crossed, goal) = if rook_file == 7 { (5, 6) } else { (3, 2) };
        let is_free = between.into_iter().all(|f| position.board[square(f, back)].is_none());
        let king = square(KING_FILE, back);
        let is_safe = |at| !rules.is_royal() || !position.is_attacked(at, us.other());
        if is_free && is_safe(king) && is_safe(square(crossed, back)) {
            moves.push(Move { from: king, to: square(goal, back), promotion: None });
        }
    }
}
