//! Who can cover what: the men of one position, and the families of target squares each can cover.

use super::family::{Family, Mask, TARGETS};
use super::reach;
use super::zone::Zone;
use crate::board::attacks::{
    RANK_8, bishop, bishop_lines, down, king, knight, pawn_down, pawn_up, rook, rook_lines, up, up_east, up_west,
};
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role, Square};
use arrayvec::ArrayVec;

/// By target: the squares from which a man of some role attacks it. Unused targets have none.
pub(super) type Hits = [BitBoard; TARGETS];

const NO_HITS: Hits = [BitBoard::EMPTY; TARGETS];

/// With more men than this the mover is not asked who covers what. No game has them, only composed positions do.
pub(super) const MEN: usize = 16;

/// Which targets are taken as covered for good, by men that cover them where they stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// None.
    None,
    /// Those that a man covers, even if it leaves.
    ByOne,
    /// Those that two men cover, so that one of them may leave.
    ByTwo,
}

/// One man of the mover.
#[derive(Clone, Copy)]
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
    left: u8,
    /// Squares that must be covered and are not settled.
    pub(super) targets: ArrayVec<Square, TARGETS>,
    /// All targets.
    pub(super) full: Mask,
    pub(super) men: ArrayVec<Man, MEN>,
    /// Their men as blockers when all but one of the moves left are made by others.
    pub(super) screen: BitBoard,
    /// The same for a man that moves twice or more.
    pub(super) far_screen: BitBoard,
    /// By role: hits after one move.
    near: [Hits; 6],
    /// By role: squares that hit any target after one move.
    near_any: [BitBoard; 6],
    /// Straight and diagonal hits after two moves or more.
    far: [Hits; 2],
    /// What a queen, a rook, a bishop on a light or on a dark square covers with two moves or more, once that was asked.
    anywhere: [Option<Family>; 4],
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

/// Squares attacked by our man of this role on an empty board.
#[inline(always)]
fn open_attacks(role: Role, square: Square) -> BitBoard {
    match role {
        Role::Bishop => bishop_lines(square),
        Role::Rook => rook_lines(square),
        Role::Queen => bishop_lines(square) | rook_lines(square),
        _ => attacks(role, square, BitBoard::EMPTY),
    }
}

/// What a man covers who may stand on any square of `reach`, with the `hits` of so many `targets`.
#[inline]
fn covers(reach: BitBoard, hits: &Hits, targets: usize) -> Family {
    let any = hits[..targets].iter().fold(BitBoard::EMPTY, |any, &hits| any | hits);
    let near = reach & any;
    if near.is_empty() { Family::NOTHING } else { covers_from(near, hits, targets) }
}

/// The same for squares from which he covers something.
#[inline]
fn covers_from(squares: BitBoard, hits: &Hits, targets: usize) -> Family {
    if squares.len() < 4 && targets > 2 {
        by_square(squares, hits, ((1u32 << targets) - 1) as Mask)
    } else {
        by_mask(squares, &hits[..targets])
    }
}

/// Few squares: what is hit from each. (With a loop over the targets the compiler makes vectors of it, to no good.)
#[inline(always)]
fn by_square(squares: BitBoard, hits: &Hits, full: Mask) -> Family {
    let mut family = Family::NOTHING;
    for square in squares.squares() {
        let hit = |target: usize| (hits[target].0 >> square as u32 & 1) << target;
        let mask = hit(0) | hit(1) | hit(2) | hit(3) | hit(4) | hit(5);
        family = family.or(Family::below(mask as Mask & full));
    }
    family
}

/// Few targets or many squares: for each mask whether a square hits all of it.
#[inline(always)]
fn by_mask(squares: BitBoard, hits: &[BitBoard]) -> Family {
    match hits.len() {
        0 => Family::NOTHING,
        1 => masks::<1, 2>(squares, hits),
        2 => masks::<2, 4>(squares, hits),
        3 => masks::<3, 8>(squares, hits),
        4 => masks::<4, 16>(squares, hits),
        5 => masks::<5, 32>(squares, hits),
        _ => masks::<6, 64>(squares, hits),
    }
}

/// The same with the number of targets, and of masks, known to the compiler, which unrolls it all.
#[inline(always)]
fn masks<const HITS: usize, const MASKS: usize>(squares: BitBoard, hits: &[BitBoard]) -> Family {
    let mut all = [0; MASKS];
    all[0] = squares.0;
    for (target, hits) in hits.iter().enumerate().take(HITS) {
        let bit = 1 << target;
        for mask in 0..bit {
            all[mask + bit] = all[mask] & hits.0;
        }
    }
    Family::from_bits(
        all.iter().enumerate().fold(0, |family, (mask, &squares)| family | u64::from(squares != 0) << mask),
    )
}

/// The squares from which a man with these `hits` covers whatever of `open` somebody of `others` does not.
#[inline]
pub(super) fn finishing(others: Family, open: Mask, hits: &[BitBoard]) -> BitBoard {
    if others.has(open) {
        return BitBoard::FULL;
    }
    others.maximal().fold(BitBoard::EMPTY, |squares, mask| squares | all_of(open & !mask, hits))
}

/// The squares that hit all of these targets.
#[inline(always)]
fn all_of(mut mask: Mask, hits: &[BitBoard]) -> BitBoard {
    let mut squares = BitBoard::FULL;
    while mask != 0 {
        squares &= hits[mask.trailing_zeros() as usize];
        mask &= mask - 1;
    }
    squares
}

impl Cover {
    /// A cover of nothing, to be prepared.
    pub(super) const fn empty() -> Self {
        Self {
            left: 0,
            targets: ArrayVec::new_const(),
            full: 0,
            men: ArrayVec::new_const(),
            screen: BitBoard::EMPTY,
            far_screen: BitBoard::EMPTY,
            near: [NO_HITS; 6],
            near_any: [BitBoard::EMPTY; 6],
            far: [NO_HITS; 2],
            anywhere: [None; 4],
            prey: BitBoard::EMPTY,
            double_step: BitBoard::EMPTY,
        }
    }

    /// Works out who can cover what with `left` moves to go. False if castling might bring the king himself near theirs, or if the mover
    /// has more than [`MEN`] men: then nothing is known.
    ///
    /// Targets that are `settled` are left out.
    pub(super) fn prepare(&mut self, zone: &Zone, board: &Board, terms: &Terms, left: u8, settled: Settled) -> bool {
        let Some(our_king) = board.king() else { return false };
        if board.us().len() as usize > MEN {
            return false;
        }
        if !board.castling().is_empty() {
            let castled = reach::king(Square::G1, left - 1) | reach::king(Square::C1, left - 1);
            if !castled.is_disjoint(zone.rim) {
                return false;
            }
        }
        let king = zone.king.bitboard();
        // With en passant targets the victims may vanish at once.
        let fixed = board.them() & !king & !down(board.targets());
        let captured = if left <= 3 { capturable(board, our_king) } else { BitBoard::EMPTY };
        let by_others = |moves: u8| match moves {
            0 | 1 => fixed,
            2 => fixed & !captured,
            _ => BitBoard::EMPTY,
        };
        self.left = left;
        self.screen = by_others(left - 1);
        self.far_screen = if left <= 3 { fixed & !captured } else { BitBoard::EMPTY };
        self.prey = board.them() & !king | board.targets();
        self.double_step = terms.double_step;
        self.men.clear();
        self.anywhere = [None; 4];
        // 1. Homes.
        let home_screen = by_others(left);
        let (mut once, mut twice) = (BitBoard::EMPTY, BitBoard::EMPTY);
        let mut homes: ArrayVec<BitBoard, MEN> = ArrayVec::new();
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King, Role::Pawn] {
            for square in board.ours(role).squares() {
                let attacked = if left > 2 { open_attacks(role, square) } else { attacks(role, square, home_screen) };
                twice |= once & attacked;
                once |= attacked;
                homes.push(attacked);
                self.men.push(Man { square, role, home: 0, reach: BitBoard::EMPTY, one: Family::NOTHING });
            }
        }
        // 2. Targets.
        let needs = zone.needs(board, left);
        let settled = match settled {
            Settled::None => BitBoard::EMPTY,
            Settled::ByOne => once,
            Settled::ByTwo => twice,
        };
        self.choose_targets(needs & !settled, king, once, twice);
        self.look_up_hits(board);
        // 3. What each man covers at home and with one move.
        for (i, attacked) in homes.into_iter().enumerate() {
            let home = self.mask(attacked);
            let (reach, one) = self.one_move(zone, i);
            let man = &mut self.men[i];
            (man.home, man.reach, man.one) = (home, reach, one.or(Family::below(home)));
        }
        true
    }

    /// Six of the squares needed: the king's, then those hardest to cover. Fewer targets make the bound weaker, not wrong.
    #[inline(always)]
    fn choose_targets(&mut self, needs: BitBoard, king: BitBoard, once: BitBoard, twice: BitBoard) {
        self.targets.clear();
        if needs.len() as usize <= TARGETS {
            self.targets.extend(needs.squares());
        } else {
            let rest = needs & !king;
            let by_need = [needs & king, rest & !once, rest & once & !twice, rest & twice];
            self.targets.extend(by_need.into_iter().flat_map(Squares::squares).take(TARGETS));
        }
        self.full = ((1u32 << self.targets.len()) - 1) as Mask;
    }

    #[inline(always)]
    fn look_up_hits(&mut self, board: &Board) {
        let pawns = board.ours(Role::Pawn);
        let highest = 63 - (pawns.0 | 1).leading_zeros() as u8;
        // From the second rank five moves promote, thanks to the double step.
        let promotes = !pawns.is_empty() && (7 - highest / 8).min(5) <= self.left;
        let straight = promotes || !(board.us() & board.straight()).is_empty();
        let diagonal = promotes || !(board.us() & board.diagonal()).is_empty();
        self.near_any = [BitBoard::EMPTY; 6];
        for (i, &target) in self.targets.iter().enumerate() {
            self.near[Role::Pawn as usize][i] = pawn_down(target);
            self.near[Role::Knight as usize][i] = knight(target);
            self.near[Role::King as usize][i] = king(target);
            if straight {
                let open = rook_lines(target);
                self.near[Role::Rook as usize][i] = if self.left > 3 { open } else { rook(target, self.screen) };
                self.far[0][i] = if self.left == 3 { rook(target, self.far_screen) } else { open };
            }
            if diagonal {
                let open = bishop_lines(target);
                self.near[Role::Bishop as usize][i] = if self.left > 3 { open } else { bishop(target, self.screen) };
                self.far[1][i] = if self.left == 3 { bishop(target, self.far_screen) } else { open };
            }
            if straight || diagonal {
                self.near[Role::Queen as usize][i] =
                    self.near[Role::Rook as usize][i] | self.near[Role::Bishop as usize][i];
            }
            for (any, hits) in self.near_any.iter_mut().zip(&self.near) {
                *any |= hits[i];
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
    pub(super) fn near(&self, role: Role) -> &[BitBoard] {
        &self.near[role as usize][..self.targets.len()]
    }

    /// What a man of this role covers after one move to any square of `reach`.
    #[inline(always)]
    fn near_family(&self, role: Role, reach: BitBoard) -> Family {
        let reach = reach & self.near_any[role as usize];
        if reach.is_empty() {
            Family::NOTHING
        } else {
            covers_from(reach, &self.near[role as usize], self.targets.len())
        }
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
                (reach, if reach.is_disjoint(zone.rim) { Family::NOTHING } else { self.near_family(role, reach) })
            }
            Role::Pawn => {
                let (walked, promoted) = self.pawn_step(square.bitboard(), self.double_step.has(square));
                let mut family = self.near_family(role, walked);
                if !promoted.is_empty() {
                    family = family.or(self.near_family(Role::Queen, promoted));
                    family = family.or(self.near_family(Role::Knight, promoted));
                }
                (walked | promoted, family)
            }
            _ => {
                let attacked =
                    if self.left > 3 { open_attacks(role, square) } else { attacks(role, square, self.screen) };
                let reach = attacked & !king;
                (reach, self.near_family(role, reach))
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

    /// What a man can cover with at most `moves` moves, 2 or more.
    pub(super) fn many_moves(&mut self, zone: &Zone, man: usize, moves: u8) -> Family {
        let (role, square) = (self.men[man].role, self.men[man].square);
        let family = match role {
            Role::Queen | Role::Rook | Role::Bishop => self.slider_anywhere(role, square),
            Role::Knight => self.near_family(role, reach::knight(square, moves)),
            Role::King => {
                let reach = reach::king(square, moves) & !zone.ring;
                if reach.is_disjoint(zone.rim) { Family::NOTHING } else { self.near_family(role, reach) }
            }
            Role::Pawn => self.pawn_moves(square, moves),
        };
        family.or(self.men[man].one)
    }

    #[inline(always)]
    fn slider_anywhere(&mut self, role: Role, square: Square) -> Family {
        let (place, reach) = match role {
            Role::Queen => (0, BitBoard::FULL),
            Role::Rook => (1, BitBoard::FULL),
            _ => {
                let reach = reach::same_color(square);
                (if reach.has(Square::A1) { 2 } else { 3 }, reach)
            }
        };
        if let Some(family) = self.anywhere[place] {
            return family;
        }
        let family = covers(reach, &self.far(role), self.targets.len());
        self.anywhere[place] = Some(family);
        family
    }

    fn pawn_moves(&mut self, square: Square, moves: u8) -> Family {
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
        let mut family = self.near_family(Role::Pawn, walked);
        if !promoted.is_empty() {
            let queen = if promoted == BitBoard::FULL {
                self.slider_anywhere(Role::Queen, square)
            } else {
                covers(promoted, &self.far(Role::Queen), self.targets.len())
            };
            family = family.or(queen).or(self.near_family(Role::Knight, promoted));
        }
        family
    }
}

/// Their men that one of ours attacks if our own men are out of the way.
fn capturable(board: &Board, our_king: Square) -> BitBoard {
    let them = board.them();
    let mut captured = king(our_king) | board.pawn_attacks();
    for square in (board.us() & board.straight()).squares() {
        captured |= rook(square, them);
    }
    for square in (board.us() & board.diagonal()).squares() {
        captured |= bishop(square, them);
    }
    for square in board.ours(Role::Knight).squares() {
        captured |= knight(square);
    }
    captured
}
