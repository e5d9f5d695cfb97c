//! What a final position looks like around the mated king, and when two puzzles are the same to a person.

use super::item::Kind;
use crescendo::board::attacks::king;
use crescendo::board::men::Board;
use crescendo::types::moves::{Move, role_letter};
use crescendo::types::series::Series;
use crescendo::types::{BitBoard, Color, File, Square};
use std::fmt::Write as _;

/// The pattern of a mated position, seen by the mated side (who moves next): the place of the king, which squares next to it its own men
/// block, and every enemy man that gives check or covers a square next to it. The mirrored picture has the same pattern.
#[must_use]
pub fn pattern(board: &Board) -> String {
    let plain = picture(board, false);
    let mirrored = picture(board, true);
    plain.min(mirrored)
}

fn picture(board: &Board, mirror: bool) -> String {
    let Some(place) = board.king() else { return String::new() };
    let ring = king(place);
    let blocked = ring & board.us();
    let without_king = board.occupied() ^ place.bitboard();
    let mut attackers = BitBoard::EMPTY;
    for square in (ring & !board.us()) | place.bitboard() {
        attackers |= board.their_attackers(square, without_king);
    }
    let mut men: Vec<(char, Square)> = attackers
        .into_iter()
        .map(|square| (role_letter(board.role_at_unchecked(square)), mirrored(square, mirror)))
        .collect();
    men.sort_unstable();
    let mut blocks: Vec<Square> = blocked.into_iter().map(|square| mirrored(square, mirror)).collect();
    blocks.sort_unstable();
    let mut text = format!("k{}", mirrored(place, mirror));
    for (letter, square) in men {
        let _ = write!(text, " {letter}{square}");
    }
    text.push_str(" /");
    for square in blocks {
        let _ = write!(text, " {square}");
    }
    text
}

/// What two puzzles must not have in common: the kind, the final picture, and the moves of the key in any order; left and right are
/// alike, and so are White and Black.
#[must_use]
pub fn signature(kind: Kind, picture: &str, mover: Color, key: &Series) -> String {
    let moves = |mirror: bool| {
        let one = |mv: &Move| {
            let seen = mv.seen_by(mover);
            let (from, to) = (mirrored(seen.from(), mirror), mirrored(seen.to(), mirror));
            seen.promotion().map_or(Move::new(from, to), |role| Move::promoting(from, to, role))
        };
        let mut all: Vec<Move> = key.iter().map(one).collect();
        all.sort_unstable();
        Series::new(all)
    };
    format!("{} {picture} {}", kind.word(), moves(false).min(moves(true)))
}

/// The pattern of a position that is no mate: where every man stands, left and right alike.
#[must_use]
pub fn whole(board: &Board) -> String {
    let picture = |mirror: bool| {
        let name = |square: Square| {
            let letter = role_letter(board.role_at_unchecked(square));
            let letter = if board.us().has(square) { letter.to_ascii_uppercase() } else { letter };
            format!("{letter}{}", mirrored(square, mirror))
        };
        let mut men: Vec<String> = board.occupied().into_iter().map(name).collect();
        men.sort_unstable();
        men.join(" ")
    };
    picture(false).min(picture(true))
}

fn mirrored(square: Square, mirror: bool) -> Square {
    if mirror { Square::new(File::index(7 - square.file() as usize), square.rank()) } else { square }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::fen;
    use crescendo::rules::setup::Strictness;
    use crescendo::rules::table::ITALIAN;

    fn pattern_of(text: &str) -> String {
        let entry = fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().0;
        pattern(entry.midturn().board())
    }

    #[test]
    fn mirrored_and_turned_round_pictures_are_one() {
        let mate = pattern_of("3qkb2/3pQ3/4N3/8/8/8/8/4K3 b - - 0 4");
        assert_eq!(mate, pattern_of("2bkq3/3Qp3/3N4/8/8/8/8/4K3 b - - 0 6"));
        assert_eq!(mate, pattern_of("4k3/8/8/8/8/4n3/3Pq3/3QKB2 w - - 0 5"));
        assert_ne!(mate, pattern_of("3qk3/3pQ3/4N3/8/8/8/8/4K3 b - - 0 4"));
        // A man that has nothing to do with the mate is no part of it.
        assert_eq!(mate, pattern_of("3qkb2/3pQ3/4N3/8/8/8/P7/4K3 b - - 0 4"));
    }

    #[test]
    fn keys_are_alike_in_any_order_and_mirrored() {
        let sign = |mover, key: &str| signature(Kind::Mate, "x", mover, &key.parse().unwrap());
        let one = sign(Color::White, "f1c4,d1h5,h5f7");
        assert_eq!(one, sign(Color::White, "d1h5,f1c4,h5f7"));
        assert_eq!(one, sign(Color::White, "c1f4,e1a5,a5c7"));
        assert_eq!(one, sign(Color::Black, "f8c5,d8h4,h4f2"));
        assert_ne!(one, sign(Color::White, "f1c4,d1f3,f3f7"));
    }
}
