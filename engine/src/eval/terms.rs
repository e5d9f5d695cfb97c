//! The terms of the static score.

use super::weights;
use crate::board::attacks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::Role;
use crate::types::squares::Squares;

/// A static score by its terms, each in hundredths of a pawn and from the side that has just moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Breakdown {
    /// Men of both sides.
    pub material: i32,
    /// Pawns on their way to promotion.
    pub pawns: i32,
    /// How free our king stands.
    pub king: i32,
    /// Whether he is in check.
    pub check: i32,
}

impl Breakdown {
    /// The sum.
    #[must_use]
    pub const fn total(&self) -> i32 {
        self.material + self.pawns + self.king + self.check
    }

    /// The terms by name, for people.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, i32); 4] {
        [("material", self.material), ("pawns", self.pawns), ("king", self.king), ("check", self.check)]
    }
}

/// Judges a series that has just been completed: `board` still seen by its mover, `reply` the opponent's next quota.
#[must_use]
pub fn judge(board: &Board, terms: &Terms, reply: u8) -> Breakdown {
    Breakdown {
        material: material(board, terms),
        pawns: pawns(board, reply),
        king: if terms.royal { king(board) } else { 0 },
        check: if terms.royal && board.gives_check() { weights::CHECK } else { 0 },
    }
}

fn material(board: &Board, terms: &Terms) -> i32 {
    let mut score = 0;
    for role in Role::ALL {
        if role == Role::King && terms.royal {
            continue;
        }
        let surplus = board.ours(role).len() as i32 - board.theirs(role).len() as i32;
        score += weights::MAN[role as usize] * surplus;
    }
    score
}

/// How many moves a pawn needs to promote from this many ranks away: the double step saves one.
const fn moves_to_promote(ranks: i32) -> i32 {
    if ranks == 6 { 5 } else { ranks }
}

fn pawns(board: &Board, reply: u8) -> i32 {
    let reply = i32::from(reply);
    let mut score = 0;
    for square in board.theirs(Role::Pawn).squares() {
        let ranks = square.rank() as i32;
        score -= (7 - ranks) * weights::THEIR_ADVANCE;
        if moves_to_promote(ranks) < reply {
            score -= weights::THEIR_PROMOTION;
        }
    }
    for square in board.ours(Role::Pawn).squares() {
        let ranks = 7 - square.rank() as i32;
        score += (7 - ranks) * weights::OUR_ADVANCE;
        if moves_to_promote(ranks) <= reply + 1 {
            score += weights::OUR_PROMOTION;
        }
    }
    score
}

fn king(board: &Board) -> i32 {
    let Some(king) = board.king() else { return 0 };
    let without = board.occupied() ^ king.bitboard();
    let free = attacks::king(king) & !board.us() & !board.their_attacks(without);
    free.len() as i32 * weights::FLIGHT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    fn judged(text: &str) -> Breakdown {
        let (entry, _) = fen::read(text, &ITALIAN, Strictness::Lenient).unwrap();
        judge(entry.midturn().board(), &Terms::ORDINARY, 4)
    }

    #[test]
    fn more_men_are_better_and_a_free_king_too() {
        let even = judged("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 3");
        let queen = judged("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 3");
        let boxed = judged("4k3/pppp4/8/8/8/8/PPPPPP2/3RKR2 w - - 0 3");
        assert!(queen.total() > even.total() + 500);
        assert!(boxed.king < even.king);
        assert_eq!(even.named().iter().map(|(_, value)| value).sum::<i32>(), even.total());
    }
}
