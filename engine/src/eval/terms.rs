//! The terms of the static score.

use super::weights::Weights;
use crate::board::attacks;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role};

/// What is counted for either side, by name. The men by their roles come first.
pub const TERMS: [&str; COUNT] = [
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "kings",
    "advance",
    "promotion",
    "flights",
    "check",
    "mate",
    "prey",
    "majors",
    "bare",
    "exposure",
    "edge",
    "shield",
    "scope",
];

/// How many terms there are.
pub const COUNT: usize = 18;

/// Where in [`TERMS`] it stands how many moves he needs at least to mate in his next series: by the solver's bound, which is above this floor's
/// reach, so it is for the caller to say.
pub(super) const MATE: usize = 10;

/// Where the other terms stand in [`TERMS`].
mod at {
    /// Ranks that his pawns have advanced.
    pub(super) const ADVANCE: usize = 6;
    /// Pawns that can promote within his next series: for the opponent with a move to spare.
    pub(super) const PROMOTION: usize = 7;
    /// Squares his king could go to that are not attacked: mates need them covered.
    pub(super) const FLIGHTS: usize = 8;
    /// Whether he gives check: the other must spend his first move on it.
    pub(super) const CHECK: usize = 9;
    /// Enemy pieces that he attacks: what his next series can take with its first move.
    pub(super) const PREY: usize = 11;
    /// Whether he has a queen or a rook.
    pub(super) const MAJORS: usize = 12;
    /// Whether what he has cannot mate: at most one piece, no queen or rook, no pawn.
    pub(super) const BARE: usize = 13;
    /// Squares from which a queen would see his king.
    pub(super) const EXPOSURE: usize = 14;
    /// Squares next to his king that are off the board.
    pub(super) const EDGE: usize = 15;
    /// His own men next to his king.
    pub(super) const SHIELD: usize = 16;
    /// Squares that his men attack, those with his own men apart.
    pub(super) const SCOPE: usize = 17;
}

/// How much there is of each term for one side.
pub type Side = [i32; COUNT];

/// How much there is of each term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// For the side that has just completed its series.
    pub ours: Side,
    /// For the side that is about to answer.
    pub theirs: Side,
}

impl Features {
    /// The terms by name and what they are worth, in hundredths of a pawn, for the side that has just moved; those that nobody has any of are
    /// left out.
    pub fn named<'a>(&'a self, weights: &'a Weights) -> impl Iterator<Item = (&'static str, i32)> + 'a {
        let value = move |i: usize| self.ours[i] * weights.ours[i] - self.theirs[i] * weights.theirs[i];
        let is_there = move |i: &usize| self.ours[*i] != 0 || self.theirs[*i] != 0;
        (0..COUNT).filter(is_there).map(move |i| (TERMS[i], value(i)))
    }

    /// The same with the moves that each side needs at least to mate, by the solver's bound.
    #[must_use]
    pub const fn with_mates(mut self, ours: i32, theirs: i32) -> Self {
        (self.ours[MATE], self.theirs[MATE]) = (ours, theirs);
        self
    }

    /// The score, in hundredths of a pawn, for the side that has just moved.
    #[must_use]
    pub fn score(&self, weights: &Weights) -> i32 {
        let side =
            |side: &Side, weights: &Side| side.iter().zip(weights).map(|(count, weight)| count * weight).sum::<i32>();
        side(&self.ours, &weights.ours) - side(&self.theirs, &weights.theirs)
    }
}

/// The static score of a series that has just been completed: `board` still seen by its mover, `reply` the opponent's next quota.
#[must_use]
pub fn judge(board: &Board, terms: &Terms, reply: u8, weights: &Weights) -> i32 {
    features(board, terms, reply).score(weights)
}

/// What there is of each term; the arguments are those of [`judge`]. Of the term `mate` there is nothing: it is the solver's to say.
#[must_use]
pub fn features(board: &Board, terms: &Terms, reply: u8) -> Features {
    let (ours, theirs) = (board, &board.flipped());
    let (attacks, attacked) = (attacks_on(theirs, terms), attacks_on(ours, terms));
    let flip = |set: BitBoard| BitBoard(set.0.swap_bytes());
    let reply = i32::from(reply);
    Features {
        ours: View { board: ours, terms, moves: reply + 1, attacks: flip(attacks), attacked }.count(),
        theirs: View { board: theirs, terms, moves: reply - 1, attacks: flip(attacked), attacked: attacks }.count(),
    }
}

/// What the opponent attacks, the mover's king lifted off: he does not hide squares behind him.
fn attacks_on(board: &Board, terms: &Terms) -> BitBoard {
    let king = if terms.royal { board.ours(Role::King) } else { BitBoard::EMPTY };
    board.their_attacks(board.occupied() ^ king)
}

/// One side's view of the board.
struct View<'a> {
    board: &'a Board,
    terms: &'a Terms,
    /// Pawns are to promote within so many moves.
    moves: i32,
    /// What the side attacks.
    attacks: BitBoard,
    /// What the other side attacks.
    attacked: BitBoard,
}

impl View<'_> {
    fn count(&self) -> Side {
        let Self { board, terms, .. } = self;
        let mut side = [0; COUNT];
        for role in Role::ALL {
            if role != Role::King || !terms.royal {
                side[role as usize] = count(board.ours(role));
            }
        }
        for square in board.ours(Role::Pawn).squares() {
            let ranks = 7 - square.rank() as i32;
            side[at::ADVANCE] += 7 - ranks;
            side[at::PROMOTION] += i32::from(moves_to_promote(ranks) <= self.moves);
        }
        side[at::PREY] = count(self.attacks & board.them() & !board.role(Role::Pawn) & !board.role(Role::King));
        side[at::SCOPE] = count(self.attacks & !board.us());
        side[at::MAJORS] = i32::from(!(board.straight() & board.us()).is_empty());
        if terms.royal {
            self.count_royal(&mut side);
        }
        side
    }

    /// What matters where kings are mated.
    fn count_royal(&self, side: &mut Side) {
        let board = self.board;
        side[at::CHECK] = i32::from(board.their_king().is_some_and(|king| self.attacks.has(king)));
        side[at::BARE] =
            i32::from(side[at::MAJORS] == 0 && board.ours(Role::Pawn).is_empty() && count(board.us()) <= 2);
        if let Some(king) = board.king() {
            let (ring, occupied) = (attacks::king(king), board.occupied());
            side[at::FLIGHTS] = count(ring & !board.us() & !self.attacked);
            side[at::EXPOSURE] = count((attacks::rook(king, occupied) | attacks::bishop(king, occupied)) & !board.us());
            side[at::EDGE] = 8 - count(ring);
            side[at::SHIELD] = count(ring & board.us());
        }
    }
}

const fn count(set: BitBoard) -> i32 {
    set.0.count_ones() as i32
}

/// How many moves a pawn needs to promote from this many ranks away: the double step saves one.
const fn moves_to_promote(ranks: i32) -> i32 {
    if ranks == 6 { 5 } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    fn board(text: &str) -> Board {
        let (entry, _) = fen::read(text, &ITALIAN, Strictness::Lenient).unwrap();
        *entry.midturn().board()
    }

    fn judged(text: &str) -> i32 {
        judge(&board(text), &Terms::ORDINARY, 4, &Weights::CLASSIC)
    }

    #[test]
    fn more_men_are_better_and_a_free_king_too() {
        let even = judged("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 3");
        let queen = judged("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 3");
        assert!(queen > even + 500);
        let free = |text| features(&board(text), &Terms::ORDINARY, 4).ours[at::FLIGHTS];
        assert!(free("4k3/8/8/8/8/8/8/3RKR2 w - - 0 3") < free("4k3/8/8/8/8/8/8/4K3 w - - 0 3"));
    }

    #[test]
    fn the_named_terms_add_up_to_the_score() {
        let board = board("3qk3/pppp4/8/8/8/8/PPPP2P1/3QKR2 w - - 0 3");
        let features = features(&board, &Terms::ORDINARY, 4);
        let sum: i32 = features.named(&Weights::CLASSIC).map(|(_, value)| value).sum();
        assert_eq!(sum, features.score(&Weights::CLASSIC));
        assert_ne!(sum, 0);
    }

    /// The same position with the colors changed, for the turn after.
    fn recolored(text: &str) -> String {
        let fields: Vec<&str> = text.split(' ').collect();
        let turn: u16 = fields[5].parse().unwrap();
        let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let ranks: Vec<String> = fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        let color = if turn.is_multiple_of(2) { "w" } else { "b" };
        format!("{} {color} - - 0 {}", ranks.join("/"), turn + 1)
    }

    /// The same position in a mirror that stands beside the board.
    fn mirrored(text: &str) -> String {
        let (placement, rest) = text.split_once(' ').unwrap();
        let ranks: Vec<String> = placement.split('/').map(|rank| rank.chars().rev().collect()).collect();
        format!("{} {rest}", ranks.join("/"))
    }

    #[test]
    fn colors_and_wings_are_judged_alike() {
        for text in [
            "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 3",
            "8/6k1/4P1n1/1r1P4/5r2/3r2P1/1r5K/8 w - - 0 7",
            "r1b1kbnr/ppqppp1p/n7/8/1P1Q3P/P3P3/2P2PB1/RNB1K1NR w - - 0 5",
            "8/2P5/3b4/8/p1k2N2/8/5K1P/8 w - - 0 9",
        ] {
            let of = |text: &str, reply| features(&board(text), &Terms::ORDINARY, reply);
            assert_eq!(of(text, 4), of(&recolored(text), 4), "{text}");
            assert_eq!(of(text, 4), of(&mirrored(text), 4), "{text}");
            // What is ours seen from one side is theirs seen from the other, but for the moves in which pawns promote.
            let (mut one, mut other) = (of(text, 4), features(&board(text).flipped(), &Terms::ORDINARY, 4));
            for features in [&mut one, &mut other] {
                (features.ours[at::PROMOTION], features.theirs[at::PROMOTION]) = (0, 0);
            }
            assert_eq!((one.ours, one.theirs), (other.theirs, other.ours), "{text}");
        }
    }
}
