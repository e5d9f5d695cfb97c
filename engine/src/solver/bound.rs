//! The bound: how many moves a mate takes at least.
//!
//! A mate must cover the enemy king's square and every square next to him that none of his own men occupies. Each
//! man of ours can only cover so much with so many moves; the bound asks how the moves left can be shared out among the men so that
//! all is covered. It forgets everything else: that men of ours stand in the way of each other, that the mover must
//! not be in check, whether the check can be parried, and (when enough moves remain) that their men are in the way.
//!
//! # Why it never cuts a mate
//!
//! 1. *The targets are needed.* Their king does not move in our series, and their men only vanish. So in the final position
//!    each square next to the king where none of their men stands **now** is empty or ours, hence a flight unless we attack it
//!    with the king lifted off (he does not hide squares behind him); and his own square must be attacked too. [`Zone::needs`] takes
//!    care of the one exception: Italian rules, where fleeing may be illegal because it opens a line to our king.
//! 2. *Families are large enough.* In the final position each man covers the targets it attacks. A man that made `k` of
//!    the `m` moves stands on a square it can reach with `k` moves; the other `m - k` moves were made by others. Blockers are
//!    dropped whenever those moves could have removed them: our own man leaves with one; their man is captured
//!    with one and the captor leaves with a second, so with two only a man that can be captured now (through our own men)
//!    and with three any. En passant victims vanish with one. A man that moves twice or more may capture blockers
//!    itself; for it, too, what can be captured now is dropped, with more than three moves everything. Its way is not checked
//!    either: sliders reach everything with two moves, bishops everything of their color.
//! 3. *Sharing out is complete.* The targets covered in the final position are the union of what the men cover, and the moves
//!    sum to `m`. The table over the men tries all ways to share out the moves, and a man's family with more moves contains that
//!    with fewer. So the true way is among them and the minimum cannot exceed `m`.
//! 4. *Castling* moves two men at once. The rook's part is a rook's move by its squares. The king's part matters only if from its new
//!    square the king could come within two squares of theirs with the moves left; then the bound does not speak
//!    ([`Cover::prepare`] says no).
//! 5. *Balance* (English) and all other limits on the order only take moves away.
//! 6. *Rebirth* (Circe) can put their man on a flight square, so that it need not be covered; there the bound does not speak.
//! 7. Using only six targets asks for less.
//! 8. With more than 16 men, which no game has, the bound does not speak.

use super::cover::{Cover, MEN, Man, Settled};
use super::family::{Family, Mask};
use super::zone::Zone;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::rules::midturn::Midturn;
use crate::types::Role;
use arrayvec::ArrayVec;

/// With more moves than this the bound is not worked out further; it says so many plus one.
const BUDGET: usize = 12;

/// So many moves are tried before all of them are.
const FEW: usize = 4;

/// No man covers more with more moves than this: a pawn from home promotes with five and then moves.
const LEVELS: usize = 8;

/// At least so many moves the mover needs to mate in this turn, quota apart. More than the moves left = there is no mate.
/// Where the bound does not speak (Circe, take-all) it is 0.
///
/// The question is asked with the moves left, but at least four: with fewer the mover is held to what he can do with four.
#[must_use]
pub fn cost(midturn: &Midturn) -> u8 {
    cost_within(midturn.board(), midturn.terms(), midturn.rules().is_italian(), midturn.left())
}

/// The same for a position of which the number of moves is supposed: how soon could the mover of `board` mate with up to `left` moves?
#[must_use]
pub fn cost_within(board: &Board, terms: &Terms, italian: bool, left: u8) -> u8 {
    if terms.rebirth || !terms.royal {
        return 0;
    }
    Zone::new(board, italian).map_or(0, |zone| moves_needed(&mut Cover::empty(), &zone, board, terms, left.max(4)))
}

/// The bound with `left` moves to go, 4 or more; `left + 1` if they do not suffice, 0 if it does not speak.
fn moves_needed(cover: &mut Cover, zone: &Zone, board: &Board, terms: &Terms, left: u8) -> u8 {
    if !cover.prepare(zone, board, terms, left, Settled::None) {
        return 0;
    }
    let budget = BUDGET.min(left as usize);
    // Mostly few moves do, and the work grows with the square of their number; what they cover does not depend on how many more there could be.
    for moves in [FEW, budget].into_iter().skip(usize::from(FEW >= budget)) {
        let (open, active) = sharers(cover, zone, moves);
        let mut shared = Shared::new(moves);
        active.iter().for_each(|levels| shared.add(levels, open));
        if let Some(needed) = (1..=moves).find(|&moves| shared.families[moves].has(open)) {
            return needed as u8;
        }
    }
    budget as u8 + 1
}

/// Whether the bound allows a mate with `left` moves to go, 4 or more. Less work than to say how many it takes.
pub(super) fn fits(cover: &mut Cover, zone: &Zone, board: &Board, terms: &Terms, left: u8) -> bool {
    let budget = left as usize;
    if budget > BUDGET || !cover.prepare(zone, board, terms, left, Settled::None) {
        return true;
    }
    let (open, active) = sharers(cover, zone, budget);
    let mut shared = Shared::new(budget);
    for (i, levels) in active.iter().enumerate() {
        if shared.is_completed_by(levels, open) {
            return true;
        }
        if i + 1 < active.len() {
            shared.add(levels, open);
        }
    }
    open == 0
}

/// By number of moves, what a man covers with them.
type Levels = [Family; LEVELS];

/// What each man covers with 0, 1, 2 … moves, and the targets that are left to these men: those that cover no more by moving stay
/// where they are.
fn sharers(cover: &mut Cover, zone: &Zone, budget: usize) -> (Mask, ArrayVec<Levels, MEN>) {
    let mut stay = 0;
    let mut active = ArrayVec::new();
    for man in 0..cover.men.len() {
        let Man { role, home, one, .. } = cover.men[man];
        let mut levels = [Family::below(home); LEVELS];
        levels[1] = one;
        // A slider is anywhere with two moves, a knight with six, a king with seven.
        let last = match role {
            Role::Queen | Role::Rook | Role::Bishop => 2,
            Role::Knight => 6,
            Role::Pawn | Role::King => LEVELS - 1,
        };
        for moves in 2..LEVELS {
            levels[moves] = if moves <= last.min(budget) && !levels[moves - 1].has(cover.full) {
                levels[moves - 1].or(cover.many_moves(zone, man, moves as u8))
            } else {
                levels[moves - 1]
            };
        }
        if levels[LEVELS - 1] == levels[0] {
            stay |= home;
        } else {
            active.push(levels);
        }
    }
    (cover.full & !stay, active)
}

/// What some men cover when they share out 0, 1, 2 … moves.
struct Shared {
    families: [Family; BUDGET + 1],
    budget: usize,
}

impl Shared {
    /// Nobody covers nothing.
    const fn new(budget: usize) -> Self {
        Self { families: [Family::NOTHING; BUDGET + 1], budget }
    }

    /// Whether one more man makes it everything that is open, all moves shared out. Less work than to add him.
    fn is_completed_by(&self, levels: &Levels, open: Mask) -> bool {
        let completes = |own: usize| self.families[self.budget - own].completes(levels[own].within(open), open);
        (0..LEVELS.min(self.budget + 1)).any(completes)
    }

    /// One more man takes part.
    fn add(&mut self, levels: &Levels, open: Mask) {
        for moves in (0..=self.budget).rev() {
            let mut best = self.families[moves].product(levels[0].within(open));
            for own in 1..LEVELS.min(moves + 1) {
                if levels[own] != levels[own - 1] {
                    best = best.or(self.families[moves - own].product(levels[own].within(open)));
                }
            }
            self.families[moves] = best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{fen, setup::Strictness, table::Rules};

    #[test]
    fn a_knight_may_need_more_than_four_moves() {
        // Smothered on the other side of the board: from a1 it takes five moves to f7.
        for left in [5, 7, 9, 11] {
            let text = format!("6rk/6pp/8/8/8/8/8/N3K3 w - - 0 {left}");
            let italian = Rules::by_name("italian").unwrap();
            let midturn = fen::read(&text, italian, Strictness::Lenient).unwrap().0.midturn();
            assert_eq!(cost(&midturn), 5, "{text}");
        }
    }
}
