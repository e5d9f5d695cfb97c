//! Openings cut out of whole games: the first turns of each game of a PGN file.

use super::Opening;
use super::suite::SuiteError;
use crescendo::rules::game::Game;
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::table::Rules;
use std::collections::HashSet;
use std::path::Path;

/// The first `turns` turns of each game of a PGN file of these rules: the number of the game, from 1, and its opening as a suite
/// writes it. Games that are shorter and games of other rules are left out, and of games that begin alike all but the first.
///
/// # Errors
/// The file cannot be read, or a game of it has a fault.
pub(super) fn cut(path: &Path, turns: usize, rules: &'static Rules) -> Result<Vec<(usize, String)>, SuiteError> {
    let bytes = std::fs::read(path).map_err(|source| SuiteError::Io { file: path.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let (mut lines, mut seen) = (Vec::new(), HashSet::new());
    for (number, game) in (1..).zip(games(&text, rules)) {
        let game = game.map_err(|fault| SuiteError::Game { file: path.to_owned(), fault: Box::new(fault) })?.game;
        if game.rules() != rules || game.turns().len() < turns {
            continue;
        }
        let line = beginning(&game, turns);
        // What a suite may not hold, such as a game that is over with its opening, is left out.
        if Opening::parse(&line, rules).is_ok() && seen.insert(line.clone()) {
            lines.push((number, line));
        }
    }
    Ok(lines)
}

/// The first turns of a game as a line of a suite.
fn beginning(game: &Game, turns: usize) -> String {
    let series: Vec<String> = game.turns()[..turns].iter().map(|(_, series)| series.to_string()).collect();
    let moves = series.join(" ");
    if game.start() == Game::new(game.rules()).start() {
        moves
    } else {
        format!("{} moves {moves}", game.start().fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::suite::{Order, Suite};
    use crescendo::rules::table::ITALIAN;
    use std::io::Write;

    fn suite(text: &str, turns: usize) -> Result<Suite, SuiteError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Suite::of_games(file.path(), turns, &ITALIAN, Order::Sequential)
    }

    #[test]
    fn the_first_turns_of_each_game_once() {
        let text = "[White \"a\"]\n\n1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n\
                    [White \"b\"]\n\n1. e4 2. e5 Nf6 3. a3 b3 c3 *\n\n\
                    [White \"c\"]\n\n1. d4 *\n\n[White \"d\"]\n\n1. d4 2. d5 Nf6 *\n\n\
                    [Variant \"Scottish Progressive\"]\n\n1. c4 2. c5 Nf6 *\n";
        let two = suite(text, 2).unwrap();
        let lines: Vec<_> = (0..two.len() as u64).map(|n| two.opening(n).unwrap()).collect();
        let told: Vec<_> = lines.iter().map(|opening| (opening.line, opening.position_line())).collect();
        assert_eq!(
            told,
            [
                (Some(1), "position startpos moves e2e4 e7e5,g8f6".to_owned()),
                (Some(4), "position startpos moves d2d4 d7d5,g8f6".to_owned())
            ]
        );
        // With its third turn the first game is over, so only the second is left.
        assert_eq!(suite(text, 3).unwrap().opening(0).unwrap().line, Some(2));
        assert!(suite(text, 4).unwrap_err().to_string().contains("no game of italian chess with 4 turns"));
        let fault = suite("[White \"a\"]\n\n1. e4 2. e5 e5 *\n", 1).unwrap_err().to_string();
        assert!(fault.contains("turn 2 leg 2"), "{fault}");
    }
}
