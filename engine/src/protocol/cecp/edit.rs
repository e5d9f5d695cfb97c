//! `edit`, the old way to set up a position: a man a line. xboard uses `setboard` instead; other programs of its family do not.

use super::mirror::man_on;
use crate::rules::midturn::Midturn;
use crate::rules::setup::Setup;
use crate::types::moves::role_of_letter;
use crate::types::{BitBoard, Color, Role, Square};

/// A position being set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    men: [Option<(Color, Role)>; 64],
    color: Color,
}

impl Edit {
    /// Begins with the men of a position.
    pub(super) fn new(midturn: &Midturn) -> Self {
        Self { men: Square::ALL.map(|square| man_on(midturn, square)), color: Color::White }
    }

    /// `#` clears the board, `c` changes the color of the men to come, `Pa4` puts one, `xa4` takes one away.
    pub(super) fn line(&mut self, line: &str) {
        match line {
            "#" => self.men = [None; 64],
            "c" => self.color = !self.color,
            _ => {
                let mut letters = line.chars();
                let (letter, square) = (letters.next().unwrap_or(' '), letters.as_str().parse::<Square>());
                if let Ok(square) = square {
                    self.men[square as usize] = role_of_letter(letter).map(|role| (self.color, role));
                }
            }
        }
    }

    /// The position with this side to move. Kings and rooks at home may castle, as the command has it.
    pub(super) fn setup(&self, side: Color) -> Setup {
        let is = |square: Square, man| self.men[square as usize] == Some(man);
        let mut castling = BitBoard::EMPTY;
        for (color, king, rooks) in
            [(Color::White, Square::E1, [Square::A1, Square::H1]), (Color::Black, Square::E8, [Square::A8, Square::H8])]
        {
            for rook in rooks.into_iter().filter(|&rook| is(king, (color, Role::King)) && is(rook, (color, Role::Rook)))
            {
                castling |= rook.bitboard();
            }
        }
        let number = if side == Color::White { 1 } else { 2 };
        Setup { men: self.men, side, castling, number, ..Setup::start() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    #[test]
    fn a_position_is_set_up_man_by_man() {
        let mut edit = Edit::new(Game::new(&ITALIAN).current());
        for line in ["#", "Ke1", "Rh1", "Qd4", "xd4", "nonsense", "c", "Ke8", "Pa7"] {
            edit.line(line);
        }
        let entry = edit.setup(Color::Black).place(&ITALIAN, Strictness::Strict).unwrap().0;
        assert_eq!(entry.midturn().fen(), "4k3/p7/8/8/8/8/8/4K2R b K - 0 2");
    }
}
