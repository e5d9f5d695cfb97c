//! The last four moves: which moves are worth making, found from the targets backward.
//!
//! The families of [`super::cover`] say for each man which squares still leave the rest to the others; moves to other squares are not
//! even listed. Three ways a move of a man to a square may be part of a mate: he stays there and others cover what he does not;
//! he moves on, once or more, and others do the rest; or he does everything himself.
//!
//! # Why no mate is left out
//!
//! Let a man move now and make `own` of the moves left, this one counted. In the final position every target is covered by him, by a man
//! that moved too, or by a man that stands where it stands now. The last cover what their `home` says, so nothing but the
//! targets outside all other homes is asked of the movers (where homes are not told apart by man, still less is asked). Of these the
//! others cover a member of their family with the rest of the moves, and he covers what is left from where he ends: one of the squares
//! [`finishing`] names. So his first square is an end (`own` is 1), or from it he reaches an end with `own - 1` moves. That he might be
//! in somebody's way, or not get there, is not held against him; blockers count only as far as [`super::bound`] says in its second point.
//! A king that castles covers nothing the bound does not see, and his castling is always listed.

use super::cover::{Cover, MEN, Man, Settled, attacks, finishing};
use super::family::{Family, Mask};
use super::reach;
use super::zone::Zone;
use crate::board::attacks::{RANK_8, king, pawn_down, up};
use crate::board::generate::Sink;
use crate::board::men::Board;
use crate::board::terms::Terms;
use crate::types::moves::{Move, MoveList};
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role, Square};
use arrayvec::ArrayVec;

/// What may be tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// Nothing: no mate from here.
    Nothing,
    /// Every move.
    Everything,
    /// The moves listed in [`Moves`].
    Some,
}

/// Which moves of which man may be tried.
pub(super) struct Moves {
    /// By square of a man: his number.
    number: [u8; 64],
    men: ArrayVec<Worth, MEN>,
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
    /// Nothing to try.
    pub(super) const fn none() -> Self {
        Self { number: [0; 64], men: ArrayVec::new_const(), movers: BitBoard::EMPTY }
    }

    fn clear(&mut self) {
        self.men.clear();
        self.movers = BitBoard::EMPTY;
    }

    #[inline(always)]
    fn push(&mut self, square: Square, worth: Worth) {
        self.number[square as usize] = self.men.len() as u8;
        if worth.is_something() {
            self.movers |= square.bitboard();
        }
        self.men.push(worth);
    }

    /// Castling is the king's move, but the rook may be what counts: it is always tried.
    fn finish(&mut self, board: &Board) -> Plan {
        if !board.castling().is_empty() {
            self.movers |= board.ours(Role::King);
        }
        if self.movers.is_empty() { Plan::Nothing } else { Plan::Some }
    }

    /// Men with something to try.
    pub(super) const fn movers(&self) -> BitBoard {
        self.movers
    }

    #[inline(always)]
    fn allow(&self, from: Square, to: Square, promotion: Option<Role>) -> bool {
        self.men[self.number[from as usize] as usize].allows(to, promotion)
    }
}

/// Lists the generated moves that a plan allows.
pub(super) struct Planned<'a> {
    pub(super) moves: &'a Moves,
    pub(super) list: &'a mut MoveList,
}

impl Sink for Planned<'_> {
    #[inline(always)]
    fn man(&mut self, _: Role, from: Square, to: BitBoard) {
        for to in to.squares() {
            if self.moves.allow(from, to, None) {
                self.list.push(Move::new(from, to));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, to: BitBoard) {
        for to in to.squares() {
            let from = Square::ALL[to as usize - step];
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

/// For each item the union of all the others.
#[inline(always)]
fn without_each<T: Copy>(
    items: impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone,
    none: T,
    or: impl Fn(T, T) -> T,
) -> ArrayVec<T, MEN> {
    let mut others: ArrayVec<T, MEN> = ArrayVec::new();
    let mut all = none;
    for item in items.clone() {
        others.push(all);
        all = or(all, item);
    }
    let mut after = none;
    for (other, item) in others.iter_mut().zip(items).rev() {
        *other = or(*other, after);
        after = or(after, item);
    }
    others
}

/// Men that castling may move besides; only through it does anybody but the mover himself get out of his way.
fn castlers(board: &Board) -> BitBoard {
    if board.castling().is_empty() { BitBoard::EMPTY } else { board.ours(Role::King) | board.castling() }
}

/// The squares of a man's reach from which he leaves to others what they can cover.
#[inline(always)]
fn worthwhile(cover: &Cover, man: &Man, one: Family, others: Family, open: Mask) -> BitBoard {
    if others.has(open) {
        return man.reach;
    }
    if !one.completes(others, open) {
        return BitBoard::EMPTY;
    }
    let mut squares = finishing(others, open, cover.near(man.role));
    if man.role == Role::Pawn && !man.reach.is_disjoint(RANK_8) {
        let promoted =
            finishing(others, open, cover.near(Role::Queen)) | finishing(others, open, cover.near(Role::Knight));
        squares = (squares & !RANK_8) | (promoted & RANK_8);
    }
    squares & man.reach
}

/// Squares from which a man of this role attacks all targets of `open`.
#[inline(always)]
fn attackers_of_all(cover: &Cover, open: Mask, role: Role, screen: BitBoard) -> BitBoard {
    let mut squares = BitBoard::FULL;
    for (target, &square) in cover.targets.iter().enumerate() {
        if open >> target & 1 != 0 {
            squares &= attackers_of(role, square, screen);
            if squares.is_empty() {
                break;
            }
        }
    }
    squares
}

/// What to try with two moves left.
pub(super) fn two_left(cover: &mut Cover, moves: &mut Moves, zone: &Zone, board: &Board, terms: &Terms) -> Plan {
    if !board.targets().is_empty() || !cover.prepare(zone, board, terms, 2, Settled::ByTwo) {
        return Plan::Everything;
    }
    let others_homes = without_each(cover.men.iter().map(|man| man.home), 0, |a, b| a | b);
    let others_ones = without_each(cover.men.iter().map(|man| man.one), Family::NOTHING, Family::or);
    let still = board.us() & !castlers(board);
    let king = zone.king.bitboard();
    moves.clear();
    for (i, man) in cover.men.iter().enumerate() {
        let open = cover.full & !others_homes[i];
        let mut worth = Worth::none(man.role);
        // 1. Another man makes the last move.
        worth.squares = worthwhile(cover, man, man.one.within(open), others_ones[i].within(open), open);
        // 2. He makes both moves. All others stay, but for what he captures.
        let his_captures = attacks(man.role, man.square, board.occupied());
        let screen = (still & !man.square.bitboard()) | (board.them() & !king & !his_captures);
        worth.screen = board.occupied() & !king & !man.square.bitboard();
        worth.then = attackers_of_all(cover, open, man.role, screen);
        if man.role == Role::Pawn && man.square as usize >= 40 {
            worth.then_promoted = [Role::Queen, Role::Knight].map(|role| attackers_of_all(cover, open, role, screen));
        }
        moves.push(man.square, worth);
    }
    moves.finish(board)
}

/// Squares from which our man of this role attacks `square`.
#[inline(always)]
fn attackers_of(role: Role, square: Square, occupied: BitBoard) -> BitBoard {
    match role {
        Role::Pawn => pawn_down(square),
        _ => attacks(role, square, occupied),
    }
}

/// What to try with three moves left.
pub(super) fn three_left(cover: &mut Cover, moves: &mut Moves, zone: &Zone, board: &Board, terms: &Terms) -> Plan {
    if !board.targets().is_empty() || !cover.prepare(zone, board, terms, 3, Settled::ByTwo) {
        return Plan::Everything;
    }
    let others_homes = without_each(cover.men.iter().map(|man| man.home), 0, |a, b| a | b);
    let twos: ArrayVec<Family, MEN> = (0..cover.men.len()).map(|man| cover.many_moves(zone, man, 2)).collect();
    let others_ones = without_each(cover.men.iter().map(|man| man.one), Family::NOTHING, Family::or);
    let others_twos = others_with_two(cover, &twos);
    let still = board.us() & !castlers(board);
    moves.clear();
    for i in 0..cover.men.len() {
        let man = cover.men[i];
        // He leaves, so what only he covers from home is open again. Of the others each is taken to cover what he does from home
        // even if he leaves, too, which only asks for less.
        let open = cover.full & !others_homes[i];
        let (ones, pairs) = (others_ones[i].within(open), others_twos[i].within(open));
        let mut worth = Worth::none(man.role);
        // 1. Others make the other two moves.
        worth.squares = worthwhile(cover, &man, man.one.within(open), pairs, open);
        let goes_on = twos[i].within(open).completes(ones, open);
        if man.role == Role::Pawn {
            if goes_on || cover.many_moves(zone, i, 3).has(open) {
                worth.squares = BitBoard::FULL;
            }
        } else if alone_with_three(zone, cover, &man, open, still & !man.square.bitboard()) {
            // 2. He makes all three.
            worth.squares = BitBoard::FULL;
        } else if goes_on {
            // 3. He makes two, another man one.
            worth.then = finishing(ones, open, &cover.far(man.role)[..cover.targets.len()]);
            worth.screen = board.them() & !zone.king.bitboard();
        }
        moves.push(man.square, worth);
    }
    moves.finish(board)
}

/// What to try with four moves left. There is no telling blockers from the rest: the families are those of the bound.
pub(super) fn four_left(cover: &mut Cover, moves: &mut Moves, zone: &Zone, board: &Board, terms: &Terms) -> Plan {
    if !board.targets().is_empty() || !cover.prepare(zone, board, terms, 4, Settled::ByOne) {
        return Plan::Everything;
    }
    let open = cover.full;
    let levels: ArrayVec<Levels, MEN> = (0..cover.men.len())
        .map(|man| {
            [Family::NOTHING, cover.men[man].one, cover.many_moves(zone, man, 2), cover.many_moves(zone, man, 3)]
        })
        .collect();
    let others = without_each(levels.iter().copied(), [Family::NOTHING; 4], shared_out);
    moves.clear();
    for (i, (own, others)) in levels.iter().zip(&others).enumerate() {
        let man = cover.men[i];
        let mut worth = Worth::none(man.role);
        // 1. Others make the other three moves.
        worth.squares = worthwhile(cover, &man, man.one, others[3], open);
        // 2. He makes two, three or all four, and others the rest.
        let goes_on = [own[2], own[3], cover.many_moves(zone, i, 4)];
        let goes_on: [bool; 3] = std::array::from_fn(|i| goes_on[i].completes(others[2 - i], open));
        match man.role {
            Role::Pawn if goes_on.contains(&true) => worth.squares = BitBoard::FULL,
            Role::Pawn => {}
            Role::Knight | Role::King => worth.squares |= on_the_way(zone, cover, &man, goes_on, others),
            // Two more moves take a slider anywhere.
            _ if goes_on[1] || goes_on[2] => worth.squares = BitBoard::FULL,
            _ if goes_on[0] => worth.then = finishing(others[2], open, &cover.far(man.role)[..cover.targets.len()]),
            _ => {}
        }
        moves.push(man.square, worth);
    }
    moves.finish(board)
}

/// Where a knight or king goes with four moves left if he is to finish with two, three or four moves of his own, as far as each
/// `goes_on`: to squares that are at most one, two or three moves from one where he covers what the others do not.
fn on_the_way(zone: &Zone, cover: &Cover, man: &Man, goes_on: [bool; 3], others: &Levels) -> BitBoard {
    let is_king = man.role == Role::King;
    let reach = if is_king { reach::king } else { reach::knight };
    let forbidden = if is_king { zone.ring } else { BitBoard::EMPTY };
    let mut squares = BitBoard::EMPTY;
    for own in (2..=4).filter(|own| goes_on[own - 2]) {
        let ends = finishing(others[4 - own], cover.full, cover.near(man.role)) & !forbidden;
        for end in (ends & reach(man.square, own as u8)).squares() {
            squares |= reach(end, own as u8 - 1);
        }
    }
    squares
}

/// What can be covered with 0, 1, 2 and 3 moves.
type Levels = [Family; 4];

/// What two groups of men can cover when they share out the moves.
#[inline(always)]
fn shared_out(a: Levels, b: Levels) -> Levels {
    if a[3] == Family::NOTHING {
        return b;
    }
    if b[3] == Family::NOTHING {
        return a;
    }
    let one_each = a[1].product(b[1]);
    [
        Family::NOTHING,
        a[1].or(b[1]),
        a[2].or(b[2]).or(one_each),
        a[3].or(b[3]).or(a[2].product(b[1])).or(a[1].product(b[2])),
    ]
}

/// Whether a man can cover all of `open` with three moves of his own, the other men of ours staying where they are.
fn alone_with_three(zone: &Zone, cover: &Cover, man: &Man, open: Mask, screen: BitBoard) -> bool {
    let reach = match man.role {
        Role::Knight => reach::knight(man.square, 3),
        Role::King => reach::king(man.square, 3) & !zone.ring,
        Role::Bishop => reach::same_color(man.square),
        _ => BitBoard::FULL,
    };
    !attackers_of_all(cover, open, man.role, screen).is_disjoint(reach)
}

/// For each man what the others cover with two moves: one of them with both, or two with one each.
fn others_with_two(cover: &Cover, twos: &[Family]) -> ArrayVec<Family, MEN> {
    let mut others = without_each(twos.iter().copied(), Family::NOTHING, Family::or);
    let one = |man: usize| cover.men[man].one;
    let active: ArrayVec<usize, MEN> = (0..twos.len()).filter(|&i| one(i) != Family::NOTHING).collect();
    let mut all = Family::NOTHING;
    let mut without = [Family::NOTHING; MEN];
    for (x, &i) in active.iter().enumerate() {
        for &j in &active[x + 1..] {
            let pair = one(i).product(one(j));
            all = all.or(pair);
            for &k in &active {
                if k != i && k != j {
                    without[k] = without[k].or(pair);
                }
            }
        }
    }
    for (i, family) in others.iter_mut().enumerate() {
        *family = family.or(if one(i) == Family::NOTHING { all } else { without[i] });
    }
    others
}
