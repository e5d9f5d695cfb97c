//! A position inside or between turns, and what one move does to it.

use super::man::{Color, Man, Role, Square, file, is_light, offset, rank, square};
use super::ruleset::RuleSet;

/// The four castling rights in FEN order: letter, color, file the rook stands on.
pub(crate) const RIGHTS: [(char, Color, usize); 4] =
    [('K', Color::White, 7), ('Q', Color::White, 0), ('k', Color::Black, 7), ('q', Color::Black, 0)];

/// The file both kings stand on at home.
pub(crate) const KING_FILE: usize = 4;

/// One move: a man goes from a square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    /// Where the man stands.
    pub(crate) from: Square,
    /// Where it goes; castling is the king's move.
    pub(crate) to: Square,
    /// What a pawn becomes.
    pub(crate) promotion: Option<Role>,
}

/// Placement and everything else a FEN says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The 64 squares.
    pub(crate) board: [Option<Man>; 64],
    /// Castling rights, in the order of `RIGHTS`.
    pub(crate) rights: [bool; 4],
    /// Files on which the opponent's last series left a pawn that can be taken en passant.
    pub(crate) targets: [bool; 8],
    /// Files on which the mover has a pawn that made a double step in this series and has not moved since. File and color
    /// name the square, so an entry is one pawn's as long as it is wiped whenever something leaves that square.
    pub(crate) steps: [bool; 8],
    /// Turns in a row without a capture or a pawn move, counted as a FEN counts them.
    pub(crate) quiet: u16,
    /// The number of the turn.
    pub(crate) turn: u16,
    /// Moves still to play in it.
    pub(crate) left: u16,
}

impl Position {
    /// Whose turn it is.
    pub(crate) fn mover(&self) -> Color {
        if self.turn % 2 == 1 { Color::White } else { Color::Black }
    }

    /// Whether none of the series has been played yet.
    pub(crate) fn is_turn_start(&self, rules: &RuleSet) -> bool {
        self.left == rules.quota(self.turn)
    }

    /// Whether that man, marked or not, stands there.
    pub(crate) fn has(&self, square: Square, color: Color, role: Role) -> bool {
        self.board[square].is_some_and(|man| man.is(color, role))
    }

    /// Whether a side has any man at all.
    pub(crate) fn has_men(&self, color: Color) -> bool {
        self.board.iter().flatten().any(|man| man.color == color)
    }

    /// The rank on which a side's pawns stand after a double step.
    pub(crate) fn step_rank(color: Color) -> usize {
        color.rank(3)
    }

    /// The square a pawn of that color crosses with its double step on that file.
    pub(crate) fn crossed_square(color: Color, file: usize) -> Square {
        square(file, color.rank(2))
    }

    /// Whether a pawn of the other side stands beside the double-stepped pawn of that color on that file.
    pub(crate) fn has_pawn_beside(&self, color: Color, file: usize) -> bool {
        let pawn = square(file, Position::step_rank(color));
        [-1, 1].iter().any(|&f| offset(pawn, f, 0).is_some_and(|at| self.has(at, color.other(), Role::Pawn)))
    }

    /// Whether the mover can take the target on that file en passant as far as the men stand: a pawn of his is beside it
    /// and the crossed square is empty (common rule 6).
    pub(crate) fn is_takeable(&self, file: usize) -> bool {
        let theirs = self.mover().other();
        self.targets[file]
            && self.board[Position::crossed_square(theirs, file)].is_none()
            && self.has_pawn_beside(theirs, file)
    }

    /// The position after a pseudo-legal move, still in the same turn: `end_turn` is the next step where the turn is over.
    pub(crate) fn after(&self, rules: &RuleSet, mv: Move) -> Position {
        let mut next = *self;
        let us = self.mover();
        let Some(mut man) = next.board[mv.from].take() else {
            return next;
        };
        let is_pawn = man.role == Role::Pawn;

        // 1. What is captured, and where it stood.
        let is_en_passant = is_pawn && file(mv.from) != file(mv.to) && self.board[mv.to].is_none();
        let capture_square = if is_en_passant { square(file(mv.to), rank(mv.from)) } else { mv.to };
        let captured = next.board[capture_square].take();

        // 2. The man arrives. English: it is marked as moved, and so is the castled rook.
        man.marked = rules.balance;
        man.role = mv.promotion.unwrap_or(man.role);
        next.board[mv.to] = Some(man);
        if let Some((rook_from, rook_to)) = castled_rook(man, mv) {
            let mut rook = next.board[rook_from].take();
            if let Some(rook) = &mut rook {
                rook.marked = rules.balance;
            }
            next.board[rook_to] = rook;
        }

        // 3. Circe: the captured man comes back if its home is free now.
        if let Some(victim) = captured.filter(|_| rules.rebirth) {
            next.rebear(victim, capture_square);
        }

        // 4. Castling rights go when anything leaves or enters a home square (common rule 5).
        for (right, (_, color, rook_file)) in next.rights.iter_mut().zip(RIGHTS) {
            let homes = [square(KING_FILE, color.rank(0)), square(rook_file, color.rank(0))];
            if homes.contains(&mv.from) || homes.contains(&mv.to) {
                *right = false;
            }
        }

        // 5. En passant (common rule 6): the opponent's targets last for the first move, in Marseillais also after an
        //    e.p. capture. A pawn of ours that moves on loses its entry; a double step makes one.
        if is_en_passant && rules.marseillais {
            next.targets[file(mv.to)] = false;
        } else {
            next.targets = [false; 8];
        }
        if rank(mv.from) == Position::step_rank(us) {
            next.steps[file(mv.from)] = false;
        }
        if rules.en_passant && is_pawn && rank(mv.from).abs_diff(rank(mv.to)) == 2 {
            next.steps[file(mv.to)] = true;
        }

        // 6. Counters.
        next.quiet = self.quiet_after(rules, is_pawn || captured.is_some());
        next.left -= 1;
        next
    }

    /// The quiet counter after a move of this turn, by the FEN's definition: 0 once the series had a capture or a pawn move,
    /// else the value before it + 1; but limit + 1 for good if the turn began at the limit (common rule 7).
    fn quiet_after(&self, rules: &RuleSet, is_capture_or_pawn_move: bool) -> u16 {
        let limit = rules.quiet_limit();
        let is_start = self.is_turn_start(rules);
        if self.quiet > limit || (is_start && self.quiet == limit) {
            limit + 1
        } else if is_capture_or_pawn_move {
            0
        } else if is_start {
            self.quiet + 1
        } else {
            self.quiet
        }
    }

    /// Circe: puts a captured man back on its home square unless that is occupied. Kings are not reborn.
    fn rebear(&mut self, victim: Man, capture_square: Square) {
        let color = victim.color;
        let (back, light) = (color.rank(0), is_light(capture_square));
        let on_back_rank = |one: usize, other: usize| {
            let first = square(one, back);
            if is_light(first) == light { first } else { square(other, back) }
        };
        let home = match victim.role {
            Role::Pawn => square(file(capture_square), color.rank(1)),
            Role::Knight => on_back_rank(1, 6),
            Role::Bishop => on_back_rank(2, 5),
            Role::Rook => on_back_rank(0, 7),
            Role::Queen => square(3, back),
            Role::King => return,
        };
        if self.board[home].is_none() {
            self.board[home] = Some(Man::new(color, victim.role));
        }
    }

    /// Hands the move to the opponent: next turn, full quota, clean marks, our double steps are his targets.
    pub(crate) fn end_turn(&mut self, rules: &RuleSet) {
        self.turn += 1;
        self.left = rules.quota(self.turn);
        self.targets = self.steps;
        self.steps = [false; 8];
        self.clear_marks();
    }

    /// English: wipes all marks.
    pub(crate) fn clear_marks(&mut self) {
        for man in self.board.iter_mut().flatten() {
            man.marked = false;
        }
    }
}

/// Where the rook goes from and to if the move is castling: a king that goes two files.
pub(crate) fn castled_rook(man: Man, mv: Move) -> Option<(Square, Square)> {
    let is_castling = man.role == Role::King && mv.promotion.is_none() && file(mv.from).abs_diff(file(mv.to)) == 2;
    if !is_castling {
        return None;
    }
    let back = rank(mv.from);
    Some(if file(mv.to) > file(mv.from) {
        (square(7, back), square(5, back))
    } else {
        (square(0, back), square(3, back))
    })
}
