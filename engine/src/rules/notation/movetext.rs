//! The moves of a whole game in algebraic notation.

use super::san::write_and_play;
use crate::rules::game::Game;
use crate::types::turn::Turn;
use std::fmt::Write as _;

/// The moves of a game, turn by turn, in algebraic notation.
#[must_use]
pub fn series_in_san(game: &Game) -> Vec<(Turn, Vec<String>)> {
    let mut midturn = *game.start();
    let mut turns = Vec::with_capacity(game.turns().len());
    for (turn, series) in game.turns() {
        turns.push((*turn, series.iter().map(|&mv| write_and_play(&mut midturn, mv)).collect()));
    }
    turns
}

/// The moves of a game in the protocol's form: `1.e4 2.e5 Nf6`; from a position in mid-series `5...Qf3 Qxf7#`. Empty before the
/// first move.
#[must_use]
pub fn movetext(game: &Game) -> String {
    let mut text = String::new();
    for (i, (turn, series)) in series_in_san(game).iter().enumerate() {
        let dots = if i == 0 && !game.start().is_fresh() { "..." } else { "." };
        let blank = if i == 0 { "" } else { " " };
        let _ = write!(text, "{blank}{turn}{dots}{}", series.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    #[test]
    fn one_number_a_series() {
        let mut game = Game::new(&ITALIAN);
        assert_eq!(movetext(&game), "");
        for leg in ["e2e4", "e7e5", "g8f6", "f1c4", "d1h5", "h5f7"] {
            game.play(leg.parse().unwrap()).unwrap();
        }
        assert_eq!(movetext(&game), "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#");
    }

    #[test]
    fn from_mid_series() {
        let text = "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3 2";
        let mut game = Game::from_entry(fen::read(text, &ITALIAN, Strictness::Strict).unwrap().0);
        for leg in ["d1h5", "h5f7"] {
            game.play(leg.parse().unwrap()).unwrap();
        }
        assert_eq!(movetext(&game), "3...Qh5 Qxf7#");
    }
}
