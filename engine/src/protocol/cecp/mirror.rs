//! The board that xboard shows while its option Test Legality is off. It knows castling and promotion, but forgets after a pass
//! that a pawn has made a double step: a pawn that is captured en passant all the same stays on its board, a *ghost*, and must be
//! cleared away. With the option on, which is xboard's default, it takes every diagonal step of a pawn to an empty square for en
//! passant, so there are no ghosts; but then it refuses the null capture (the king takes the ghost and goes back) that clears one
//! away at once, and the game would hang. The engine is not told which it is. What works with either: the engine's next plain
//! move goes by way of the ghost's square, in two legs. The null capture is left to an option of ours.

use crate::rules::midturn::Midturn;
use crate::types::moves::Move;
use crate::types::{Color, File, Rank, Role, Square};

type Man = (Color, Role);

/// xboard's board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mirror {
    men: [Option<Man>; 64],
    /// The square that a pawn crossed with the last ply.
    crossed: Option<Square>,
}

/// The man on a square of the game.
pub(super) fn man_on(midturn: &Midturn, square: Square) -> Option<Man> {
    let (board, mover) = (midturn.board(), midturn.color());
    let seen = square.relative_to(mover);
    let role = board.role_at(seen)?;
    Some((if board.us().has(seen) { mover } else { !mover }, role))
}

impl Mirror {
    /// The board of a position as it is set up.
    pub(super) fn of(midturn: &Midturn) -> Self {
        Self { men: Square::ALL.map(|square| man_on(midturn, square)), crossed: None }
    }

    /// What xboard makes of a pass.
    pub(super) fn pass(&mut self) {
        self.crossed = None;
    }

    /// What xboard makes of a move.
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let man = self.men[from as usize].take();
        let crossed = self.crossed.take();
        match man {
            Some((_, Role::Pawn)) => {
                let captures = from.file() != to.file() && self.men[to as usize].is_none();
                if captures && crossed == Some(to) {
                    self.clear(victim(mv));
                }
                if (from.rank() as i8 - to.rank() as i8).abs() == 2 {
                    let middle = Rank::index((from.rank() as usize + to.rank() as usize) / 2);
                    self.crossed = Some(Square::new(from.file(), middle));
                }
            }
            Some((_, Role::King)) if is_two_files(mv) => {
                let (home, beside) = if to.file() > from.file() { (File::H, File::F) } else { (File::A, File::D) };
                let rook = self.men[Square::new(home, from.rank()) as usize].take();
                self.men[Square::new(beside, from.rank()) as usize] = rook;
            }
            _ => {}
        }
        self.men[to as usize] = man.map(|(color, role)| (color, mv.promotion().unwrap_or(role)));
    }

    /// What xboard makes of a move in two legs that captures on the way.
    pub(super) fn clear(&mut self, square: Square) {
        self.men[square as usize] = None;
    }

    /// Whether xboard shows a man there.
    pub(super) const fn is_occupied(&self, square: Square) -> bool {
        self.men[square as usize].is_some()
    }

    /// Whether xboard takes this for castling.
    pub(super) fn is_castling(&self, mv: Move) -> bool {
        matches!(self.men[mv.from() as usize], Some((_, Role::King))) && is_two_files(mv)
    }

    /// A pawn that xboard shows and the game does not have.
    pub(super) fn ghost(&self, midturn: &Midturn) -> Option<Square> {
        Square::ALL.into_iter().find(|&square| {
            matches!(self.men[square as usize], Some((_, Role::Pawn))) && man_on(midturn, square).is_none()
        })
    }

    /// A man of this color that can clear a ghost away without leaving its place for good: the king where there is one.
    pub(super) fn sweeper(&self, color: Color) -> Option<Square> {
        let all = || Square::ALL.into_iter().filter(|&square| self.color_of(square) == Some(color));
        all().find(|&square| matches!(self.men[square as usize], Some((_, Role::King)))).or_else(|| all().next())
    }

    fn color_of(&self, square: Square) -> Option<Color> {
        self.men[square as usize].map(|(color, _)| color)
    }
}

fn is_two_files(mv: Move) -> bool {
    (mv.from().file() as i8 - mv.to().file() as i8).abs() == 2
}

/// Where the pawn stands that an en passant capture takes.
fn victim(mv: Move) -> Square {
    Square::new(mv.to().file(), mv.from().rank())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;
    use crate::rules::table::ITALIAN;

    /// Plays a game on both boards; `--` is a pass.
    fn both(plies: &str) -> (Mirror, Game) {
        let mut game = Game::new(&ITALIAN);
        let mut mirror = Mirror::of(game.current());
        for ply in plies.split_whitespace() {
            match ply.parse() {
                Ok(mv) => {
                    mirror.play(mv);
                    game.play(mv).unwrap();
                }
                Err(_) => mirror.pass(),
            }
        }
        (mirror, game)
    }

    #[test]
    fn en_passant_at_once_leaves_no_ghost() {
        // The double step was the last move of the series.
        let (mirror, game) = both("e2e4 a7a6 -- b7b6 e4e5 -- h2h3 -- a2a3 a6a5 -- b6b5 -- h7h6 -- d7d5 e5d6");
        assert_eq!(mirror.ghost(game.current()), None);
    }

    #[test]
    fn a_pass_between_makes_a_ghost() {
        let (mut mirror, game) = both("e2e4 a7a6 -- b7b6 e4e5 -- h2h3 -- a2a3 d7d5 -- a6a5 -- b6b5 -- h7h6 e5d6");
        assert_eq!(mirror.ghost(game.current()), Some(Square::D5));
        assert_eq!(mirror.sweeper(Color::Black), Some(Square::E8));
        mirror.clear(Square::D5);
        assert_eq!(mirror, Mirror { crossed: None, ..Mirror::of(game.current()) });
    }

    #[test]
    fn castling_moves_the_rook() {
        let (mirror, game) = both("e2e4 a7a6 -- b7b6 f1c4 -- g1f3 -- e1g1");
        assert_eq!(mirror, Mirror::of(game.current()));
    }
}
