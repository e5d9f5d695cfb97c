//! What a solution is like, found by rules. The words are those of Lichess where it has one for the same thing.

use super::item::{Class, Kind, Puzzle};
use crescendo::rules::midturn::Midturn;
use crescendo::search::sight::Pattern;
use crescendo::types::moves::Move;
use crescendo::types::series::Series;
use crescendo::types::{BitBoard, Role};

/// The themes of the kind of key, besides those of kind, class and length, with what they mean.
pub const MEANINGS: [(&str, &str); 9] = [
    ("promotion", "a pawn promotes"),
    ("underPromotion", "a pawn promotes to a knight, bishop or rook"),
    ("kingWalk", "the own king makes two moves or more, castling not counted"),
    ("discoveredCheck", "a man that the last move did not move gives check"),
    ("doubleCheck", "two men give check at the end"),
    ("castling", "the series castles"),
    ("enPassant", "the series takes en passant"),
    (
        "sacrifice",
        "a queen or rook that the series moved stands, at the end, where a man other than the king attacks it",
    ),
    ("quietKey", "the series neither captures nor promotes"),
];

/// The themes of a puzzle: rule set, kind, class, length, and what the key is like.
#[must_use]
pub fn themes(midturn: &Midturn, kind: Kind, class: Class, key: &Series) -> Vec<String> {
    let mut words = vec![midturn.rules().name.to_owned(), kind.word().to_owned(), class.word().to_owned()];
    words.push(if kind.is_mate() { format!("mateIn{}", key.len()) } else { format!("movesIn{}", key.len()) });
    words.extend(traits(midturn, kind, key).into_iter().map(str::to_owned));
    words
}

/// What the key looks like to who seeks it, counted. `None` if the puzzle cannot be set up.
#[must_use]
pub fn pattern(puzzle: &Puzzle) -> Option<Pattern> {
    let (state, key) = (puzzle.position().ok()?.begin(), puzzle.key.parse().ok()?);
    Some(Pattern::of(&state, &by_mover(&state, &key)))
}

fn by_mover(midturn: &Midturn, key: &Series) -> Vec<Move> {
    key.iter().map(|mv| mv.seen_by(midturn.color())).collect()
}

fn traits(midturn: &Midturn, kind: Kind, key: &Series) -> Vec<&'static str> {
    let moves = by_mover(midturn, key);
    let (pattern, mut now) = (Pattern::of(midturn, &moves), *midturn);
    // Where the men that moved stand.
    let (mut moved, mut captures) = (BitBoard::EMPTY, false);
    for &mv in &moves {
        let board = *now.board();
        captures |= board.is_capture(mv);
        moved = moved & !mv.from().bitboard() | board.moved_to(mv);
        now.step(mv);
    }
    let (end, promotes) = (now.board(), moves.iter().any(|mv| mv.promotion().is_some()));
    let major = (end.role(Role::Queen) | end.role(Role::Rook)) & end.us() & moved;
    let attacked = major.into_iter().any(|square| {
        let attackers = end.their_attackers(square, end.occupied()) & !end.role(Role::King);
        !attackers.is_empty()
    });
    let shown = [
        promotes,
        pattern.under_promotes,
        pattern.marches,
        kind.is_mate() && pattern.is_discovered,
        kind.is_mate() && pattern.is_double,
        pattern.castles,
        pattern.en_passant,
        attacked,
        !captures && !promotes,
    ];
    MEANINGS.iter().zip(shown).filter(|(_, shown)| *shown).map(|((word, _), _)| *word).collect()
}
