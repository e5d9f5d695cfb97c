//! Games for the board of the page: the squares that each move changes, worked out by the rules library, so that the page
//! needs no rules and castling, en passant, promotion and rebirth look as they should.

use crate::record::{GameEnd, GameRecord, TurnRecord};
use crescendo::rules::game::Game;
use crescendo::rules::midturn::{Midturn, Step};
use crescendo::rules::notation::movetext::series_in_san;
use crescendo::types::moves::role_letter;
use crescendo::types::{BitBoard, Color, Role, Square};
use serde::Serialize;

/// The men by color and role. The squares are those of the side that Black sees first: from a8 to h1, as a FEN has them.
type Placement = [[BitBoard; 6]; 2];

/// One game. The names are short since there are many of them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Replay {
    /// Its number, from 1.
    pub(super) id: u64,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: &'static str,
    pub(super) reason: &'static str,
    /// What was wrong, if something was.
    pub(super) note: String,
    pub(super) control: String,
    pub(super) date: String,
    /// The first position: the placement of a FEN.
    pub(super) start: String,
    /// How many series belong to the opening.
    pub(super) book: usize,
    pub(super) series: Vec<Series>,
}

/// One series.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Series {
    /// The turn.
    pub(super) t: u16,
    /// The moves.
    pub(super) m: Vec<String>,
    /// For each move the squares it changes, each with the man that is there then, or `-`: `e2-e4P`.
    pub(super) d: Vec<String>,
    /// What the player took and told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) r: Option<TurnRecord>,
}

impl Replay {
    /// The replay of a game; without moves if the text of the record is no game.
    pub(super) fn new(record: &GameRecord) -> Self {
        let game = record.game();
        let start = game.as_ref().map(|game| game.start().fen().split(' ').next().unwrap_or_default().to_owned());
        Self {
            id: record.id + 1,
            white: record.white.clone(),
            black: record.black.clone(),
            result: record.end.result(),
            reason: record.end.reason(),
            note: match &record.end {
                GameEnd::Forfeit { fault, .. } => fault.text.clone(),
                GameEnd::HarnessError { text } | GameEnd::NotPlayed { text } => text.clone(),
                _ => String::new(),
            },
            control: record.control.clone(),
            date: record.began.strftime("%Y-%m-%d %H:%M").to_string(),
            start: start.unwrap_or_default(),
            book: record.book,
            series: game.map_or_else(Vec::new, |game| series(&game, &record.turns)),
        }
    }
}

fn series(game: &Game, told: &[TurnRecord]) -> Vec<Series> {
    let mut midturn = *game.start();
    let mut before = placement(&midturn);
    let mut all = Vec::new();
    for ((turn, moves), (_, san)) in game.turns().iter().zip(series_in_san(game)) {
        let mut changes = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            if midturn.step(mv.seen_by(midturn.color())) == Step::TurnOver {
                midturn = midturn.next_position().begin();
            }
            let after = placement(&midturn);
            changes.push(difference(&before, &after));
            before = after;
        }
        let told = told.iter().find(|told| told.turn == turn.number()).copied();
        all.push(Series { t: turn.number(), m: san, d: changes, r: told });
    }
    all
}

fn placement(midturn: &Midturn) -> Placement {
    let (board, color) = (midturn.board(), midturn.color());
    // The mover's view has his own first rank first, which is Black's here.
    let turned = |men: BitBoard| if color == Color::White { BitBoard(men.0.swap_bytes()) } else { men };
    let mut placement = Placement::default();
    for role in Role::ALL {
        placement[color as usize][role as usize] = turned(board.ours(role));
        placement[!color as usize][role as usize] = turned(board.theirs(role));
    }
    placement
}

/// The letter of the man on a square, as a FEN has it; `-` without one.
fn man(placement: &Placement, square: Square) -> char {
    let letters = Role::ALL.into_iter().flat_map(|role| [(Color::White, role), (Color::Black, role)]);
    let mut men = letters.filter(|&(color, role)| placement[color as usize][role as usize].has(square));
    men.next().map_or('-', |(color, role)| match color {
        Color::White => role_letter(role).to_ascii_uppercase(),
        Color::Black => role_letter(role),
    })
}

fn difference(before: &Placement, after: &Placement) -> String {
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    let changed = pairs.fold(BitBoard::EMPTY, |all, (&old, &new)| all | (old ^ new));
    let mut text = String::with_capacity(6);
    for square in changed {
        text.push(char::from(b'a' + square.file() as u8));
        text.push(char::from(b'8' - square.rank() as u8));
        text.push(man(after, square));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::fen;
    use crescendo::rules::setup::Strictness;
    use crescendo::rules::table::Rules;

    /// The changes of these moves from this position.
    fn changes(rules: &str, start: &str, moves: &[&str]) -> Vec<String> {
        let rules = Rules::by_name(rules).unwrap();
        let mut game = Game::from_entry(fen::read(start, rules, Strictness::Lenient).unwrap().0);
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        series(&game, &[]).into_iter().flat_map(|series| series.d).collect()
    }

    #[test]
    fn moves_that_change_more_than_two_squares() {
        let castling = changes("italian", "4k3/8/8/8/8/8/7P/4K2R w K - 0 3", &["e1g1"]);
        assert_eq!(castling, ["e1-f1Rg1Kh1-"]);
        let en_passant = changes("italian", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", &["d2d4", "e4d3"]);
        assert_eq!(
            en_passant,
            ["d4Pd2-", "d4-e4-d3p"].map(|text| {
                // From a8 to h1, so the higher rank comes first.
                text.to_owned()
            })
        );
        let promotion = changes("italian", "8/P6k/8/8/8/8/8/4K3 w - - 0 3", &["a7a8q"]);
        assert_eq!(promotion, ["a8Qa7-"]);
        let rebirth = changes("circe", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 3", &["e4d5"]);
        assert_eq!(rebirth, ["d7pd5Pe4-"]);
    }
}
