//! The board as text.

use crate::rules::game::Game;
use crate::rules::midturn::Midturn;
use crate::types::moves::role_letter;
use crate::types::{BitBoard, Color, File, Rank, Role, Square};

/// How a board looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Look {
    /// Chess figures, not letters.
    pub(super) unicode: bool,
    /// Colored squares.
    pub(super) color: bool,
    /// Black's side is at the bottom.
    pub(super) flipped: bool,
}

/// Colors of a terminal with 256 of them.
mod ansi {
    /// Back to the terminal's own colors.
    pub(super) const RESET: &str = "\x1b[0m";
    pub(super) const LIGHT: &str = "\x1b[48;5;180m";
    pub(super) const DARK: &str = "\x1b[48;5;137m";
    /// Squares that the last series touched.
    pub(super) const TOUCHED: &str = "\x1b[48;5;143m";
    pub(super) const WHITE_MAN: &str = "\x1b[1;38;5;231m";
    pub(super) const BLACK_MAN: &str = "\x1b[1;38;5;16m";
}

/// The man on a square (White's view).
pub(super) fn man_on(midturn: &Midturn, square: Square) -> Option<(Color, Role)> {
    let (board, mover) = (midturn.board(), midturn.color());
    let seen = square.relative_to(mover);
    let role = board.role_at(seen)?;
    Some((if board.us().has(seen) { mover } else { !mover }, role))
}

/// Draws the board of a game; the squares of the last series are marked where there is color.
pub(super) fn draw(game: &Game, look: Look) -> String {
    let touched = touched(game);
    let mut text = String::new();
    let ranks: Vec<Rank> = if look.flipped { Rank::ALL.to_vec() } else { Rank::ALL.into_iter().rev().collect() };
    let files: Vec<File> = if look.flipped { File::ALL.into_iter().rev().collect() } else { File::ALL.to_vec() };
    for &rank in &ranks {
        text.push_str(&format!(" {} ", rank as u8 + 1));
        for &file in &files {
            let square = Square::new(file, rank);
            text.push_str(&cell(man_on(game.current(), square), square, touched.has(square), look));
        }
        text.push('\n');
    }
    text.push_str("   ");
    for file in files {
        text.push_str(&format!(" {} ", char::from(b'a' + file as u8)));
    }
    text.push('\n');
    text
}

fn touched(game: &Game) -> BitBoard {
    let last = game.turns().last().map(|(_, series)| series.iter());
    let squares = last.into_iter().flatten().map(|mv| mv.from().bitboard() | mv.to().bitboard());
    squares.fold(BitBoard::EMPTY, |set, squares| set | squares)
}

fn cell(man: Option<(Color, Role)>, square: Square, touched: bool, look: Look) -> String {
    let figure = man.map_or(if look.color { ' ' } else { '.' }, |(color, role)| figure(color, role, look));
    if !look.color {
        return format!(" {figure} ");
    }
    let is_dark = (square.file() as u8 + square.rank() as u8).is_multiple_of(2);
    let ground = match (touched, is_dark) {
        (true, _) => ansi::TOUCHED,
        (false, true) => ansi::DARK,
        (false, false) => ansi::LIGHT,
    };
    let ink = if matches!(man, Some((Color::White, _))) { ansi::WHITE_MAN } else { ansi::BLACK_MAN };
    format!("{ground}{ink} {figure} {}", ansi::RESET)
}

fn figure(color: Color, role: Role, look: Look) -> char {
    const WHITE: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    const BLACK: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];
    match (look.unicode, color) {
        (false, Color::White) => role_letter(role).to_ascii_uppercase(),
        (false, Color::Black) => role_letter(role),
        // On colored squares the ink tells the sides apart, and full figures are easier to see.
        (true, Color::White) if !look.color => WHITE[role as usize],
        (true, _) => BLACK[role as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ITALIAN;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new(&ITALIAN);
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn letters() {
        let text = draw(&game(&["e2e4"]), Look::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  .  .  .  P  .  .  . ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
    }

    #[test]
    fn figures_and_the_other_side() {
        let look = Look { unicode: true, flipped: true, ..Look::default() };
        let text = draw(&game(&[]), look);
        assert!(text.starts_with(" 1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖ \n 2  ♙"), "{text}");
    }

    #[test]
    fn color_marks_the_last_series() {
        let look = Look { unicode: true, color: true, ..Look::default() };
        let text = draw(&game(&["e2e4", "e7e5", "g8f6"]), look);
        assert_eq!(text.matches(ansi::TOUCHED).count(), 4);
        assert_eq!(text.matches(ansi::RESET).count(), 64);
        assert!(!draw(&game(&[]), Look::default()).contains('\x1b'));
    }
}
