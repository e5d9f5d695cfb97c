//! Legal moves of the mover. Whole sets of destinations go to a [`Sink`], so that counting need not list them.

use super::attacks::{
    RANK_7, RANK_8, between, bishop, bishop_lines, king, knight, line, pawn_down, pawn_up, rook, rook_lines, up,
    up_east, up_west,
};
use super::men::Board;
use super::terms::Terms;
use crate::types::moves::{Move, MoveList};
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role, Square};

/// Which legal moves are wanted, by whether they attack the enemy king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checks {
    /// All legal moves.
    Any,
    /// Only moves that give no check.
    Without,
    /// Only moves that give check.
    Only,
}

/// Takes generated moves.
pub trait Sink {
    /// A man of `role` on `from` may go to each of `to`; no promotions, no castling, no en passant captures.
    fn man(&mut self, role: Role, from: Square, to: BitBoard);
    /// Pawns reach each of `to` by going `step` squares up in index; no promotions.
    fn pawns(&mut self, step: usize, to: BitBoard);
    /// One move of any kind.
    fn one(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn man(&mut self, _: Role, from: Square, to: BitBoard) {
        for square in to.squares() {
            self.push(Move::new(from, square));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, to: BitBoard) {
        for square in to.squares() {
            self.push(Move::new(Square::ALL[square as usize - step], square));
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without listing them.
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn man(&mut self, _: Role, _: Square, to: BitBoard) {
        self.0 += u64::from(to.len());
    }

    #[inline(always)]
    fn pawns(&mut self, _: usize, to: BitBoard) {
        self.0 += u64::from(to.len());
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Makes every move at once and shows it with the board after it.
struct Maker<'a, F> {
    board: &'a Board,
    terms: &'a Terms,
    visit: F,
}

impl<F: FnMut(Move, &Board)> Sink for Maker<'_, F> {
    #[inline(always)]
    fn man(&mut self, role: Role, from: Square, to: BitBoard) {
        for to in to.squares() {
            let after = self.board.after_step(role, from, to, self.terms);
            (self.visit)(Move::new(from, to), &after);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, to: BitBoard) {
        for to in to.squares() {
            let from = Square::ALL[to as usize - step];
            let after = self.board.after_step(Role::Pawn, from, to, self.terms);
            (self.visit)(Move::new(from, to), &after);
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        let after = self.board.after(mv, self.terms);
        (self.visit)(mv, &after);
    }
}

const PROMOTIONS: [Role; 5] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop, Role::King];

/// What a pawn may become: a king too where kings are not royal.
#[inline(always)]
pub(super) fn promotions(terms: &Terms) -> &'static [Role] {
    if terms.royal { &PROMOTIONS[..4] } else { &PROMOTIONS }
}

/// Which destinations are allowed to the mover's men: pins on his own king, and the checks that are wanted.
struct Limits {
    checks: Checks,
    our_king: Option<Square>,
    their_king: Option<Square>,
    /// Our men that screen our king from a slider.
    pinned: BitBoard,
    /// Our men that screen their king from our slider: leaving the line gives check.
    screens: BitBoard,
    /// By role: squares from which it attacks their king.
    checking: [BitBoard; 5],
}

impl Limits {
    #[inline(always)]
    fn new(board: &Board, terms: &Terms, checks: Checks) -> Self {
        let (our_king, their_king) = if terms.royal { (board.king(), board.their_king()) } else { (None, None) };
        let mut limits = Self {
            checks,
            our_king,
            their_king,
            pinned: BitBoard::EMPTY,
            screens: BitBoard::EMPTY,
            checking: [BitBoard::EMPTY; 5],
        };
        if let Some(king) = our_king {
            limits.pinned = screens(board, king, board.them()) & board.us();
        }
        if let (Some(king), true) = (their_king, checks != Checks::Any) {
            let occupied = board.occupied();
            let (diagonal, straight) = (bishop(king, occupied), rook(king, occupied));
            limits.screens = screens(board, king, board.us()) & board.us();
            limits.checking = [pawn_down(king), knight(king), diagonal, straight, diagonal | straight];
        }
        limits
    }

    /// Of the destinations `to` of our `role` on `from`, those allowed.
    #[inline(always)]
    fn apply(&self, role: Role, from: Square, mut to: BitBoard) -> BitBoard {
        if let (Some(king), true) = (self.our_king, self.pinned.has(from)) {
            to &= line(king, from);
        }
        match (self.checks, self.their_king) {
            (Checks::Any, _) | (_, None) => to,
            (Checks::Without, Some(king)) => {
                to &= !self.checking[role as usize];
                if self.screens.has(from) { to & line(king, from) } else { to }
            }
            (Checks::Only, Some(king)) => {
                let off_line = if self.screens.has(from) { !line(king, from) } else { BitBoard::EMPTY };
                to & (self.checking[role as usize] | off_line)
            }
        }
    }

    #[inline(always)]
    fn wants(&self, gives_check: bool) -> bool {
        match self.checks {
            Checks::Any => true,
            Checks::Without => !gives_check,
            Checks::Only => gives_check,
        }
    }
}

/// The men that alone stand between `king` and a slider of `side`.
#[inline(always)]
fn screens(board: &Board, king: Square, side: BitBoard) -> BitBoard {
    let occupied = board.occupied();
    let sliders = (rook_lines(king) & board.straight() | bishop_lines(king) & board.diagonal()) & side;
    let mut screens = BitBoard::EMPTY;
    for slider in sliders.squares() {
        let men = between(king, slider) & occupied;
        if men.0 & men.0.wrapping_sub(1) == 0 {
            screens |= men;
        }
    }
    screens
}

impl Board {
    /// The mover's legal moves with the men in `movers` (castling counts for the king), as wanted by `checks`.
    #[inline]
    #[must_use]
    pub fn moves(&self, terms: &Terms, checks: Checks, movers: BitBoard) -> MoveList {
        let mut list = MoveList::new();
        self.generate(terms, checks, movers, &mut list);
        list
    }

    /// How many legal moves there are.
    #[inline]
    #[must_use]
    pub fn count_moves(&self, terms: &Terms, checks: Checks, movers: BitBoard) -> u64 {
        let mut counter = Counter(0);
        self.generate(terms, checks, movers, &mut counter);
        counter.0
    }

    /// Shows `visit` every legal move with the board after it, in the order of [`Board::moves`]; faster than making listed moves one by
    /// one, since the role of the man is known when the move is found.
    #[inline]
    pub fn for_each_after(&self, terms: &Terms, checks: Checks, movers: BitBoard, visit: impl FnMut(Move, &Self)) {
        self.generate(terms, checks, movers, &mut Maker { board: self, terms, visit });
    }

    /// Sends the mover's legal moves to `sink`.
    #[inline]
    pub fn generate(&self, terms: &Terms, checks: Checks, movers: BitBoard, sink: &mut impl Sink) {
        if terms.rebirth || !self.targets().is_empty() || terms.royal && self.is_in_check() {
            self.generate_by_trial(terms, checks, movers, sink);
        } else {
            self.generate_directly(terms, checks, movers, sink);
        }
    }

    /// The common case: not in check, nothing to take en passant, no rebirth; pins and checks are masks.
    #[inline(always)]
    fn generate_directly(&self, terms: &Terms, checks: Checks, movers: BitBoard, sink: &mut impl Sink) {
        let limits = Limits::new(self, terms, checks);
        let ours = movers & self.us();
        let occupied = self.occupied();
        let free = !self.us();
        let mut emit = |role: Role, from: Square, to: BitBoard| {
            let to = limits.apply(role, from, to & free);
            if !to.is_empty() {
                sink.man(role, from, to);
            }
        };
        for from in (self.role(Role::Knight) & ours).squares() {
            emit(Role::Knight, from, knight(from));
        }
        for from in (self.role(Role::Bishop) & ours).squares() {
            emit(Role::Bishop, from, bishop(from, occupied));
        }
        for from in (self.role(Role::Rook) & ours).squares() {
            emit(Role::Rook, from, rook(from, occupied));
        }
        for from in (self.role(Role::Queen) & ours).squares() {
            emit(Role::Queen, from, bishop(from, occupied) | rook(from, occupied));
        }
        self.pawn_moves(terms, &limits, ours, sink);
        self.king_moves(terms, &limits, ours, sink);
        if !self.castling().is_empty() && ours.has(Square::E1) {
            self.castling_moves(terms, &limits, sink);
        }
    }

    #[inline(always)]
    fn pawn_moves(&self, terms: &Terms, limits: &Limits, ours: BitBoard, sink: &mut impl Sink) {
        let pawns = self.role(Role::Pawn) & ours;
        let (free, them) = (!self.occupied(), self.them());
        // 1. Unhindered pawns below the seventh rank, all at once.
        let walkers = pawns & !RANK_7;
        let hindered = walkers & (limits.pinned | limits.screens);
        let easy = walkers & !hindered;
        let allowed = match limits.checks {
            Checks::Any => BitBoard::FULL,
            Checks::Without => !limits.checking[Role::Pawn as usize],
            Checks::Only => limits.checking[Role::Pawn as usize],
        };
        sink.pawns(8, up(easy) & free & allowed);
        sink.pawns(16, up(up(easy & terms.double_step) & free) & free & allowed);
        sink.pawns(7, up_west(easy) & them & allowed);
        sink.pawns(9, up_east(easy) & them & allowed);
        // 2. Pinned pawns and pawns that screen a king, one by one.
        for from in hindered.squares() {
            let to = limits.apply(Role::Pawn, from, self.pawn_targets(terms, from));
            if !to.is_empty() {
                sink.man(Role::Pawn, from, to);
            }
        }
        // 3. Promotions: every new role attacks differently.
        for from in (pawns & RANK_7).squares() {
            let mut to = self.pawn_targets(terms, from);
            if let (Some(king), true) = (limits.our_king, limits.pinned.has(from)) {
                to &= line(king, from);
            }
            for to in to.squares() {
                for &role in promotions(terms) {
                    if limits.checks == Checks::Any || limits.wants(self.promotion_checks(limits, from, to, role)) {
                        sink.one(Move::promoting(from, to, role));
                    }
                }
            }
        }
    }

    /// Whether promoting on `to` to `role` attacks their king, directly or by leaving a line.
    fn promotion_checks(&self, limits: &Limits, from: Square, to: Square, role: Role) -> bool {
        let Some(king) = limits.their_king else { return false };
        let occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        let attacks = match role {
            Role::Knight => knight(to),
            Role::Bishop => bishop(to, occupied),
            Role::Rook => rook(to, occupied),
            Role::Queen => bishop(to, occupied) | rook(to, occupied),
            Role::Pawn | Role::King => BitBoard::EMPTY,
        };
        attacks.has(king) || limits.screens.has(from) && !line(king, from).has(to)
    }

    /// Pseudo-legal destinations of our `role` on `from`: en passant included, castling and the king's safety apart.
    #[inline(always)]
    #[must_use]
    pub fn targets_of(&self, terms: &Terms, role: Role, from: Square) -> BitBoard {
        let occupied = self.occupied();
        let to = match role {
            Role::Pawn => self.pawn_targets(terms, from),
            Role::Knight => knight(from),
            Role::Bishop => bishop(from, occupied),
            Role::Rook => rook(from, occupied),
            Role::Queen => bishop(from, occupied) | rook(from, occupied),
            Role::King => king(from),
        };
        to & !self.us()
    }

    /// Pseudo-legal destinations of our pawn, en passant included.
    #[inline(always)]
    fn pawn_targets(&self, terms: &Terms, from: Square) -> BitBoard {
        let free = !self.occupied();
        let one = up(from.bitboard()) & free;
        let two = if terms.double_step.has(from) { up(one) & free } else { BitBoard::EMPTY };
        one | two | pawn_up(from) & (self.them() | self.targets())
    }

    #[inline(always)]
    fn king_moves(&self, terms: &Terms, limits: &Limits, ours: BitBoard, sink: &mut impl Sink) {
        for from in (self.role(Role::King) & ours).squares() {
            let mut to = king(from) & !self.us();
            if !terms.royal {
                if !to.is_empty() {
                    sink.man(Role::King, from, to);
                }
                continue;
            }
            match (limits.checks, limits.their_king) {
                (Checks::Any, _) | (_, None) => {}
                (Checks::Without, Some(their)) => {
                    if limits.screens.has(from) {
                        to &= line(their, from);
                    }
                }
                // A king checks only by leaving a line.
                (Checks::Only, Some(their)) => {
                    to &= if limits.screens.has(from) { !line(their, from) } else { BitBoard::EMPTY };
                }
            }
            if !to.is_empty() {
                to &= !self.their_attacks(self.occupied() ^ from.bitboard());
            }
            if !to.is_empty() {
                sink.man(Role::King, from, to);
            }
        }
    }

    #[inline(always)]
    fn castling_moves(&self, terms: &Terms, limits: &Limits, sink: &mut impl Sink) {
        for (rook, path, crossed, to) in [
            (Square::H1, BitBoard(0x60), [Square::F1, Square::G1], Square::G1),
            (Square::A1, BitBoard(0x0e), [Square::D1, Square::C1], Square::C1),
        ] {
            let occupied = self.occupied();
            if !self.castling().has(rook) || !path.is_disjoint(occupied) {
                continue;
            }
            if terms.royal && crossed.iter().any(|&square| !self.their_attackers(square, occupied).is_empty()) {
                continue;
            }
            let mv = Move::new(Square::E1, to);
            if limits.checks == Checks::Any || limits.wants(self.after(mv, terms).gives_check()) {
                sink.one(mv);
            }
        }
    }

    /// The general case: pseudo-legal moves, each one tried on the board.
    #[inline(never)]
    fn generate_by_trial(&self, terms: &Terms, checks: Checks, movers: BitBoard, sink: &mut impl Sink) {
        let limits = Limits::new(self, terms, checks);
        let mut try_move = |mv: Move| {
            let after = self.after(mv, terms);
            if terms.royal && (after.is_in_check() || !limits.wants(after.gives_check())) {
                return;
            }
            sink.one(mv);
        };
        for from in (self.us() & movers).squares() {
            let to = self.targets_of(terms, self.role_at_unchecked(from), from);
            // A royal king cannot be captured; reaching it would mean that a check was overlooked.
            let royal = if terms.royal { self.theirs(Role::King) } else { BitBoard::EMPTY };
            for to in (to & !royal).squares() {
                if self.role(Role::Pawn).has(from) && RANK_8.has(to) {
                    for &role in promotions(terms) {
                        try_move(Move::promoting(from, to, role));
                    }
                } else {
                    try_move(Move::new(from, to));
                }
            }
        }
        if !self.castling().is_empty() && movers.has(Square::E1) && !(terms.royal && self.is_in_check()) {
            self.castling_moves(terms, &limits, sink);
        }
    }
}
