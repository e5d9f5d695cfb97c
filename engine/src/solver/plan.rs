//! The last three moves: which moves are worth making, found from the targets backward.
//!
//! The families of [`super::cover`] say for each man which squares still leave the rest to the others; moves to other squares are not
//! even listed. Three ways a move of a man to a square may be part of a mate: he stays there and others cover what he does not;
//! he moves on, once, and another man does the rest; or he does everything himself.

use super::cover::{Cover, attacks, finishing};
use super::family::{Family, Mask};
use super::zone::Zone;
use crate::board::attacks::{RANK_7, RANK_8, king, up};
use crate::board::generate::Sink;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::moves::{Move, MoveList};
use crate::types::{BitBoard, Role, Square};
use arrayvec::ArrayVec;

/// What may be tried.
pub(super) enum Plan {
    /// Nothing: no mate from here.
    Nothing,
    /// Every move.
    Everything,
    /// Some moves.
    Some(Box<Moves>),
}

/// Which moves of which man may be tried.
pub(super) struct Moves {
    /// By square: the man's number plus one.
    number: [u8; 64],
    men: ArrayVec<Worth, 16>,
    /// Men with something to try.
    movers: BitBoard,
}

/// What one man may try.
#[derive(Clone, Copy)]
struct Worth {
    role: Role,
    /// Squares to go to.
    squares: BitBoard,
    /// And squares from which he reaches one of these with his next move.
    then: BitBoard,
    /// The same after promoting to queen, rook or bishop, or to knight.
    then_promoted: [BitBoard; 2],
    /// The blockers on the way there.
    screen: BitBoard,
}

impl Worth {
    const fn none(role: Role) -> Self {
        Self {
            role,
            squares: BitBoard::EMPTY,
            then: BitBoard::EMPTY,
            then_promoted: [BitBoard::EMPTY; 2],
            screen: BitBoard::EMPTY,
        }
    }

    #[inline(always)]
    fn is_something(&self) -> bool {
        let then = self.then | self.then_promoted[0] | self.then_promoted[1];
        !(self.squares | then).is_empty()
    }

    /// Whether to try the move to this square.
    #[inline(always)]
    fn allows(&self, to: Square, promotion: Option<Role>) -> bool {
        if self.squares.has(to) {
            return true;
        }
        match (self.role, promotion) {
            (Role::Pawn, Some(Role::Knight)) => {
                !attacks(Role::Knight, to, self.screen).is_disjoint(self.then_promoted[1])
            }
            (Role::Pawn, Some(role)) => !attacks(role, to, self.screen).is_disjoint(self.then_promoted[0]),
            (Role::Pawn, None) => {
                let next = attacks(Role::Pawn, to, self.screen) | up(to.bitboard());
                let promoted = (self.then_promoted[0] | self.then_promoted[1]) & RANK_8;
                !next.is_disjoint(self.then | promoted)
            }
            (role, _) => !self.then.is_empty() && !attacks(role, to, self.screen).is_disjoint(self.then),
        }
    }
}

impl Moves {
    fn plan(cover: &Cover, men: ArrayVec<Worth, 16>, castling: bool) -> Plan {
        let mut moves = Self { number: [0; 64], men, movers: BitBoard::EMPTY };
        let mut any = false;
        for (i, man) in cover.men.iter().enumerate() {
            moves.number[man.square as usize] = i as u8 + 1;
            if moves.men[i].is_something() {
                any = true;
                moves.movers |= man.square.bitboard();
            } else if castling && man.role == Role::King {
                // Castling is the king's move, but the rook may be what counts.
                moves.movers |= man.square.bitboard();
                any = true;
            }
        }
        if any { Plan::Some(Box::new(moves)) } else { Plan::Nothing }
    }

    /// Men with something to try.
    pub(super) const fn movers(&self) -> BitBoard {
        self.movers
    }

    #[inline(always)]
    fn allow(&self, from: Square, to: Square, promotion: Option<Role>) -> bool {
        match self.number[from as usize] {
            0 => true,
            number => self.men[number as usize - 1].allows(to, promotion),
        }
    }
}

/// Lists the generated moves that a plan allows.
pub(super) struct Planned<'a> {
    pub(super) moves: &'a Moves,
    pub(super) list: MoveList,
}

impl Sink for Planned<'_> {
    #[inline(always)]
    fn man(&mut self, from: Square, to: BitBoard) {
        for to in to {
            if self.moves.allow(from, to, None) {
                self.list.push(Move::new(from, to));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, to: BitBoard) {
        for to in to {
            let from = Square::index(to as usize - step);
            if self.moves.allow(from, to, None) {
                self.list.push(Move::new(from, to));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        let castling = mv.from() == Square::E1 && !king(Square::E1).has(mv.to());
        if castling || self.moves.allow(mv.from(), mv.to(), mv.promotion()) {
            self.list.push(mv);
        }
    }
}

/// For each index the union of all the others.
fn without_each<T: Copy>(items: &[T], none: T, or: impl Fn(T, T) -> T) -> ArrayVec<T, 16> {
    let mut before: ArrayVec<T, 16> = ArrayVec::new();
    let mut all = none;
    for &item in items {
        before.push(all);
        all = or(all, item);
    }
    let mut after = none;
    for (i, &item) in items.iter().enumerate().rev() {
        before[i] = or(before[i], after);
        after = or(after, item);
    }
    before
}

/// What to try with two moves left.
pub(super) fn two_left(zone: &Zone, board: &Board, terms: &Terms) -> Plan {
    if !board.targets().is_empty() {
        return Plan::Everything;
    }
    let Some(cover) = Cover::new(zone, board, terms, 2) else { return Plan::Everything };
    let homes: ArrayVec<Mask, 16> = cover.men.iter().map(|man| man.home).collect();
    let ones: ArrayVec<Family, 16> = cover.men.iter().map(|man| man.one).collect();
    let others_homes = without_each(&homes, 0, |a, b| a | b);
    let others_ones = without_each(&ones, Family::NOTHING, Family::or);
    // Castling moves two men at once; only then does anybody but the man himself get out of his way.
    let castlers =
        if board.castling().is_empty() { BitBoard::EMPTY } else { board.ours(Role::King) | board.castling() };
    let mut men = ArrayVec::new();
    for (i, man) in cover.men.iter().enumerate() {
        let open = cover.full & !others_homes[i];
        let mut worth = Worth::none(man.role);
        // 1. Another man makes the last move.
        let others = others_ones[i].within(open);
        worth.squares = finishing(others, open, cover.near(man.role));
        if man.role == Role::Pawn && !(man.reach & RANK_8).is_empty() {
            let promoted =
                finishing(others, open, cover.near(Role::Queen)) | finishing(others, open, cover.near(Role::Knight));
            worth.squares = (worth.squares & !RANK_8) | (promoted & RANK_8);
        }
        worth.squares &= man.reach;
        // 2. He makes both moves. All others stay, but for what he captures.
        let king = zone.king.bitboard();
        let his_captures = attacks(man.role, man.square, board.occupied());
        let screen = (board.us() & !man.square.bitboard() & !castlers) | (board.them() & !king & !his_captures);
        worth.screen = board.occupied() & !king & !man.square.bitboard();
        let alone = |role: Role| -> BitBoard {
            let mut squares = BitBoard::FULL;
            for (target, &square) in cover.targets.iter().enumerate() {
                if open >> target & 1 != 0 {
                    squares &= attackers_of(role, square, screen);
                }
            }
            squares
        };
        worth.then = alone(man.role);
        if man.role == Role::Pawn && !(man.square.bitboard() & (RANK_7 | BitBoard(RANK_7.0 >> 8))).is_empty() {
            worth.then_promoted = [alone(Role::Queen), alone(Role::Knight)];
        }
        men.push(worth);
    }
    Moves::plan(&cover, men, !board.castling().is_empty())
}

/// Squares from which our man of this role attacks `square`.
#[inline(always)]
fn attackers_of(role: Role, square: Square, occupied: BitBoard) -> BitBoard {
    match role {
        Role::Pawn => crate::board::attacks::pawn_down(square),
        _ => attacks(role, square, occupied),
    }
}

/// What to try with three moves left.
pub(super) fn three_left(zone: &Zone, board: &Board, terms: &Terms) -> Plan {
    if !board.targets().is_empty() {
        return Plan::Everything;
    }
    let Some(cover) = Cover::new(zone, board, terms, 3) else { return Plan::Everything };
    // What no man covers at home. Homes are kept by men that move, which only asks for less.
    let open = cover.full & !cover.men.iter().fold(0, |all, man| all | man.home);
    let ones: ArrayVec<Family, 16> = cover.men.iter().map(|man| man.one.within(open)).collect();
    let twos: ArrayVec<Family, 16> = cover.men.iter().map(|man| cover.many_moves(zone, man, 2).within(open)).collect();
    let others_ones = without_each(&ones, Family::NOTHING, Family::or);
    let others_twos = others_with_two(&ones, &twos);
    let mut men = ArrayVec::new();
    for (i, man) in cover.men.iter().enumerate() {
        let mut worth = Worth::none(man.role);
        // 1. Others make the other two moves.
        worth.squares = finishing(others_twos[i], open, cover.near(man.role));
        if man.role == Role::Pawn && !(man.reach & RANK_8).is_empty() {
            let promoted = finishing(others_twos[i], open, cover.near(Role::Queen))
                | finishing(others_twos[i], open, cover.near(Role::Knight));
            worth.squares = (worth.squares & !RANK_8) | (promoted & RANK_8);
        }
        worth.squares &= man.reach;
        if man.role == Role::Pawn {
            let goes_on = twos[i].completes(others_ones[i], open) || cover.many_moves(zone, man, 3).has(open);
            if goes_on {
                worth.squares = BitBoard::FULL;
            }
        } else if alone_with_three(zone, board, &cover, i, open) {
            // 2. He makes all three.
            worth.squares = BitBoard::FULL;
        } else {
            // 3. He makes two, another man one.
            worth.then = finishing(others_ones[i], open, &cover.far(man.role));
            worth.screen = board.them() & !zone.king.bitboard();
        }
        men.push(worth);
    }
    Moves::plan(&cover, men, !board.castling().is_empty())
}

/// Whether a man can cover all of `open` with three moves of his own, the other men of ours staying where they are.
fn alone_with_three(zone: &Zone, board: &Board, cover: &Cover, man: usize, open: Mask) -> bool {
    let man = &cover.men[man];
    let castlers =
        if board.castling().is_empty() { BitBoard::EMPTY } else { board.ours(Role::King) | board.castling() };
    let screen = board.us() & !man.square.bitboard() & !castlers;
    let hits = cover.targets.iter().enumerate().filter(|(target, _)| open >> target & 1 != 0);
    let squares = hits.fold(BitBoard::FULL, |squares, (_, &target)| squares & attacks(man.role, target, screen));
    let reach = match man.role {
        Role::Knight => super::reach::knight(man.square, 3),
        Role::King => super::reach::king(man.square, 3) & !zone.ring,
        Role::Bishop => super::reach::same_color(man.square),
        _ => BitBoard::FULL,
    };
    !squares.is_disjoint(reach)
}

/// For each man what the others cover with two moves: one of them with both, or two with one each.
fn others_with_two(ones: &[Family], twos: &[Family]) -> ArrayVec<Family, 16> {
    let mut others = without_each(twos, Family::NOTHING, Family::or);
    let active: ArrayVec<usize, 16> = (0..ones.len()).filter(|&i| ones[i] != Family::NOTHING).collect();
    let mut all = Family::NOTHING;
    let mut by_active = [Family::NOTHING; 16];
    for (x, &i) in active.iter().enumerate() {
        for (y, &j) in active.iter().enumerate().skip(x + 1) {
            let pair = ones[i].product(ones[j]);
            all = all.or(pair);
            for (z, without) in by_active.iter_mut().enumerate().take(active.len()) {
                if z != x && z != y {
                    *without = without.or(pair);
                }
            }
        }
    }
    for (i, family) in others.iter_mut().enumerate() {
        *family = family.or(match active.iter().position(|&a| a == i) {
            Some(z) => by_active[z],
            None => all,
        });
    }
    others
}
