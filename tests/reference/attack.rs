//! How men go and which squares they attack, found by walking over the board.

use super::man::{Color, Role, Square, offset};
use super::position::Position;

const KNIGHT_STEPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_WAYS: [(i32, i32); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// How a piece goes: its steps, and whether it repeats them. Pawns are none of this.
pub(crate) fn steps_of(role: Role) -> (&'static [(i32, i32)], bool) {
    match role {
        Role::Pawn => (&[], false),
        Role::Knight => (&KNIGHT_STEPS, false),
        Role::King => (&ALL_WAYS, false),
        Role::Rook => (&STRAIGHT, true),
        Role::Bishop => (&DIAGONAL, true),
        Role::Queen => (&ALL_WAYS, true),
    }
}

impl Position {
    /// Whether a side's king stands attacked. Only for games with royal kings.
    pub(crate) fn is_king_attacked(&self, color: Color) -> bool {
        (0..64).any(|at| self.has(at, color, Role::King) && self.is_attacked(at, color.other()))
    }

    /// Whether a man of that side attacks the square.
    pub(crate) fn is_attacked(&self, target: Square, by: Color) -> bool {
        for file_step in [-1, 1] {
            let pawn = offset(target, file_step, -by.forward());
            if pawn.is_some_and(|at| self.has(at, by, Role::Pawn)) {
                return true;
            }
        }
        let leaper = |role| {
            let (steps, _) = steps_of(role);
            steps.iter().any(|&(f, r)| offset(target, f, r).is_some_and(|at| self.has(at, by, role)))
        };
        leaper(Role::Knight)
            || leaper(Role::King)
            || STRAIGHT.iter().any(|&way| self.is_first_on_ray(target, way, by, Role::Rook))
            || DIAGONAL.iter().any(|&way| self.is_first_on_ray(target, way, by, Role::Bishop))
    }

    /// Whether the first man seen that way is that side's queen or the given piece.
    fn is_first_on_ray(&self, from: Square, way: (i32, i32), by: Color, role: Role) -> bool {
        let mut at = from;
        while let Some(next) = offset(at, way.0, way.1) {
            if let Some(man) = self.board[next] {
                return man.is(by, role) || man.is(by, Role::Queen);
            }
            at = next;
        }
        false
    }
}
