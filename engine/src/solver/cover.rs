//! Who can cover what: the men of one position, and the families of target squares each can cover.

use super::family::{Family, Mask, TARGETS};
use super::reach;
use super::zone::Zone;
use crate::board::attacks::{RANK_8, bishop, king, knight, pawn_down, pawn_up, rook, up, up_east, up_west};
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::{BitBoard, Role, Square};
use arrayvec::ArrayVec;

/// By target: the squares from which a man of some role attacks it. Unused targets have none.
pub(super) type Hits = [BitBoard; TARGETS];

const NO_HITS: Hits = [BitBoard::EMPTY; TARGETS];

/// One man of the mover.
pub(super) struct Man {
    pub(super) square: Square,
    pub(super) role: Role,
    /// What he covers from where he stands.
    pub(super) home: Mask,
    /// Where he can go with one move.
    pub(super) reach: BitBoard,
    /// What he can cover with at most one move.
    pub(super) one: Family,
}

/// The men of a position with `left` moves to go, and the target squares.
pub(super) struct Cover {
    pub(super) left: u8,
    pub(super) targets: ArrayVec<Square, TARGETS>,
    /// All targets.
    pub(super) full: Mask,
    pub(super) men: ArrayVec<Man, 16>,
    /// Their men as blockers when all but one of the moves left are made by others.
    pub(super) screen: BitBoard,
    /// The same for a man that moves twice or more.
    pub(super) far_screen: BitBoard,
    /// By role: hits after one move.
    near: [Hits; 6],
    /// Straight and diagonal hits after two moves or more.
    far: [Hits; 2],
    /// Their men that can be captured, and en passant targets.
    prey: BitBoard,
    double_step: BitBoard,
}

/// Squares attacked by our man of this role.
#[inline(always)]
pub(super) fn attacks(role: Role, square: Square, occupied: BitBoard) -> BitBoard {
    match role {
        Role::Pawn => pawn_up(square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => bishop(square, occupied) | rook(square, occupied),
        Role::King => king(square),
    }
}

/// What a man covers who may stand on any square of `reach`.
#[inline]
pub(super) fn covers(reach: BitBoard, hits: &Hits) -> Family {
    let any = hits.iter().fold(BitBoard::EMPTY, |any, &hits| any | hits);
    let mut rest = reach & any;
    let mut family = Family::NOTHING;
    while let Some(square) = rest.next_square() {
        let (mut mask, mut better) = (0, BitBoard::EMPTY);
        for (target, &hits) in hits.iter().enumerate() {
            if hits.has(square) {
                mask |= 1 << target;
            } else {
                better |= hits;
            }
        }
        family = family.or(Family::below(mask));
        // Squares that hit no other target than these add nothing.
        rest &= better;
    }
    family
}

/// The squares from which a man with these `hits` covers whatever of `open` somebody of `others` does not.
#[inline]
pub(super) fn finishing(others: Family, open: Mask, hits: &Hits) -> BitBoard {
    if others.has(open) {
        return BitBoard::FULL;
    }
    others.maximal().fold(BitBoard::EMPTY, |squares, mask| squares | all_of(open & !mask, hits))
}

/// The squares that hit all of these targets.
#[inline(always)]
pub(super) fn all_of(mut mask: Mask, hits: &Hits) -> BitBoard {
    let mut squares = BitBoard::FULL;
    while mask != 0 {
        squares &= hits[mask.trailing_zeros() as usize];
        mask &= mask - 1;
    }
    squares
}

impl Cover {
    /// `None` if castling might bring the king himself near theirs: then nothing is known.
    #[inline]
    pub(super) fn new(zone: &Zone, board: &Board, terms: &Terms, left: u8) -> Option<Self> {
        let our_king = board.king()?;
        if !board.castling().is_empty() {
            let castled = reach::king(Square::G1, left - 1) | reach::king(Square::C1, left - 1);
            if !castled.is_disjoint(zone.rim) {
                return None;
            }
        }
        let king = zone.king.bitboard();
        // With en passant targets the victims may vanish at once.
        let victims = BitBoard(board.targets().0 >> 8);
        let fixed = board.them() & !king & !victims;
        let captured = if left == 2 || left == 3 { capturable(board, our_king) } else { BitBoard::EMPTY };
        let by_others = |moves: u8| match moves {
            0 | 1 => fixed,
            2 => fixed & !captured,
            _ => BitBoard::EMPTY,
        };
        let mut cover = Self {
            left,
            targets: ArrayVec::new(),
            full: 0,
            men: ArrayVec::new(),
            screen: by_others(left - 1),
            far_screen: if left <= 3 { fixed & !captured } else { BitBoard::EMPTY },
            near: [NO_HITS; 6],
            far: [NO_HITS; 2],
            prey: board.them() & !king | board.targets(),
            double_step: terms.double_step,
        };
        let home_screen = by_others(left);
        let mut homes: ArrayVec<BitBoard, 16> = ArrayVec::new();
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King, Role::Pawn] {
            for square in board.ours(role) {
                homes.push(attacks(role, square, home_screen));
                cover.men.push(Man { square, role, home: 0, reach: BitBoard::EMPTY, one: Family::NOTHING });
            }
        }
        cover.choose_targets(zone.needs(board, left), king, &homes);
        cover.look_up_hits(board);
        for (i, attacked) in homes.into_iter().enumerate() {
            let home = cover.mask(attacked);
            let (reach, one) = cover.one_move(zone, i);
            let man = &mut cover.men[i];
            (man.home, man.reach, man.one) = (home, reach, one.or(Family::below(home)));
        }
        Some(cover)
    }

    /// Six of the squares needed: the king's, then those hardest to cover. Fewer targets make the bound weaker, not wrong.
    #[inline(always)]
    fn choose_targets(&mut self, needs: BitBoard, king: BitBoard, homes: &[BitBoard]) {
        if needs.len() as usize <= TARGETS {
            self.targets.extend(needs);
        } else {
            let (mut once, mut twice) = (BitBoard::EMPTY, BitBoard::EMPTY);
            for &attacked in homes {
                twice |= once & attacked;
                once |= attacked;
            }
            let rest = needs & !king;
            let by_need = king.into_iter().chain(rest & !once).chain(rest & once & !twice).chain(rest & twice);
            self.targets.extend(by_need.take(TARGETS));
        }
        self.full = ((1u32 << self.targets.len()) - 1) as Mask;
    }

    #[inline(always)]
    fn look_up_hits(&mut self, board: &Board) {
        let pawns = board.ours(Role::Pawn);
        let highest = 63 - (pawns.0 | 1).leading_zeros() as u8;
        // From the second rank five moves promote, thanks to the double step.
        let promotes = !pawns.is_empty() && (7 - highest / 8).min(5) <= self.left;
        let sliders = !(board.us() & (board.straight() | board.diagonal())).is_empty();
        for (i, &target) in self.targets.iter().enumerate() {
            self.near[Role::Pawn as usize][i] = pawn_down(target);
            self.near[Role::Knight as usize][i] = knight(target);
            self.near[Role::King as usize][i] = king(target);
            if sliders || promotes {
                let (diagonal, straight) = (bishop(target, self.screen), rook(target, self.screen));
                self.near[Role::Bishop as usize][i] = diagonal;
                self.near[Role::Rook as usize][i] = straight;
                self.near[Role::Queen as usize][i] = diagonal | straight;
                if self.left > 2 {
                    self.far[0][i] = rook(target, self.far_screen);
                    self.far[1][i] = bishop(target, self.far_screen);
                }
            }
        }
    }

    /// The targets among these squares.
    #[inline(always)]
    pub(super) fn mask(&self, squares: BitBoard) -> Mask {
        let mut mask = 0;
        for (i, &target) in self.targets.iter().enumerate() {
            mask |= (squares.has(target) as Mask) << i;
        }
        mask
    }

    /// Hits of a role after one move.
    #[inline(always)]
    pub(super) fn near(&self, role: Role) -> &Hits {
        &self.near[role as usize]
    }

    /// Hits of a role after two or more moves.
    #[inline(always)]
    pub(super) fn far(&self, role: Role) -> Hits {
        match role {
            Role::Rook => self.far[0],
            Role::Bishop => self.far[1],
            Role::Queen => std::array::from_fn(|i| self.far[0][i] | self.far[1][i]),
            Role::Pawn | Role::Knight | Role::King => self.near[role as usize],
        }
    }

    /// Where a man can go with one move, and what he covers there.
    #[inline(always)]
    fn one_move(&self, zone: &Zone, man: usize) -> (BitBoard, Family) {
        let (square, role) = (self.men[man].square, self.men[man].role);
        let king = zone.king.bitboard();
        match role {
            Role::King => {
                let reach = attacks(role, square, BitBoard::EMPTY) & !zone.ring;
                (reach, if reach.is_disjoint(zone.rim) { Family::NOTHING } else { covers(reach, self.near(role)) })
            }
            Role::Pawn => {
                let (walked, promoted) = self.pawn_step(square.bitboard(), self.double_step.has(square));
                let mut family = covers(walked, self.near(role));
                if !promoted.is_empty() {
                    family = family.or(covers(promoted, self.near(Role::Queen)));
                    family = family.or(covers(promoted, self.near(Role::Knight)));
                }
                (walked | promoted, family)
            }
            _ => {
                let reach = attacks(role, square, self.screen) & !king;
                (reach, covers(reach, self.near(role)))
            }
        }
    }

    /// One move of pawns: where they go, and where they promote.
    #[inline(always)]
    fn pawn_step(&self, pawns: BitBoard, double: bool) -> (BitBoard, BitBoard) {
        let mut next = up(pawns) & !self.screen;
        if double {
            next |= up(next) & !self.screen;
        }
        next |= (up_west(pawns) | up_east(pawns)) & self.prey;
        (next & !RANK_8, next & RANK_8)
    }

    /// What a man can cover with at most `moves` moves, 2 or more, if he is not the one to use his home.
    pub(super) fn many_moves(&self, zone: &Zone, man: &Man, moves: u8) -> Family {
        let family = match man.role {
            Role::Queen | Role::Rook => covers(BitBoard::FULL, &self.far(man.role)),
            Role::Bishop => covers(reach::same_color(man.square), &self.far(man.role)),
            Role::Knight => covers(reach::knight(man.square, moves), self.near(man.role)),
            Role::King => {
                let reach = reach::king(man.square, moves) & !zone.ring;
                if reach.is_disjoint(zone.rim) { Family::NOTHING } else { covers(reach, self.near(man.role)) }
            }
            Role::Pawn => self.pawn_moves(man.square, moves),
        };
        family.or(man.one)
    }

    fn pawn_moves(&self, square: Square, moves: u8) -> Family {
        let (mut pawns, mut walked, mut promoted) = (square.bitboard(), BitBoard::EMPTY, BitBoard::EMPTY);
        for move_number in 1..=moves {
            if !promoted.is_empty() {
                // A new piece with a move to go can be anywhere.
                promoted = BitBoard::FULL;
                break;
            }
            let (next, last) = self.pawn_step(pawns, move_number == 1 && self.double_step.has(square));
            (pawns, walked, promoted) = (next, walked | next, last);
            if next.is_empty() && last.is_empty() {
                break;
            }
        }
        let mut family = covers(walked, self.near(Role::Pawn));
        if !promoted.is_empty() {
            family = family.or(covers(promoted, &self.far(Role::Queen)));
            family = family.or(covers(promoted, self.near(Role::Knight)));
        }
        family
    }
}

/// Their men that one of ours attacks if our own men are out of the way.
fn capturable(board: &Board, our_king: Square) -> BitBoard {
    let them = board.them();
    let mut captured = king(our_king) | board.pawn_attacks();
    for square in board.us() & board.straight() {
        captured |= rook(square, them);
    }
    for square in board.us() & board.diagonal() {
        captured |= bishop(square, them);
    }
    for square in board.ours(Role::Knight) {
        captured |= knight(square);
    }
    captured
}
