//! What a solution is like, found by rules. The words are those of Lichess where it has one for the same thing.

use super::item::{Class, Kind, Puzzle};
use crescendo::board::men::Board;
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
    let (state, key) = (puzzle.position().ok()?.begin(), puzzle.key.parse::<Series>().ok()?);
    let moves: Vec<Move> = key.iter().map(|mv| mv.seen_by(state.color())).collect();
    Some(Pattern::of(&state, &moves))
}

/// What the moves of the series show.
#[derive(Default)]
struct Seen {
    promotes: bool,
    under_promotes: bool,
    king_moves: usize,
    castles: bool,
    en_passant: bool,
    captures: bool,
    /// Where the men that moved stand now.
    moved: BitBoard,
    /// Where those of the last move stand.
    last: BitBoard,
}

fn traits(midturn: &Midturn, kind: Kind, key: &Series) -> Vec<&'static str> {
    let mut seen = Seen::default();
    let mut now = *midturn;
    for &mv in key.iter() {
        let (board, mv) = (*now.board(), mv.seen_by(midturn.color()));
        let is_pawn = board.role(Role::Pawn).has(mv.from());
        let castles = board.is_castling(mv);
        seen.promotes |= mv.promotion().is_some();
        seen.under_promotes |= mv.promotion().is_some_and(|role| role != Role::Queen);
        seen.castles |= castles;
        seen.king_moves += usize::from(!castles && board.role(Role::King).has(mv.from()));
        seen.captures |= board.is_capture(mv);
        seen.en_passant |= is_pawn && board.is_capture(mv) && !board.them().has(mv.to());
        seen.last = board.moved_to(mv);
        seen.moved = seen.moved & !mv.from().bitboard() | seen.last;
        now.step(mv);
    }
    words(&seen, now.board(), kind)
}

fn words(seen: &Seen, end: &Board, kind: Kind) -> Vec<&'static str> {
    let checkers = match end.their_king() {
        Some(king) if kind.is_mate() => end.our_attackers(king, end.occupied()),
        _ => BitBoard::EMPTY,
    };
    let major = (end.role(Role::Queen) | end.role(Role::Rook)) & end.us() & seen.moved;
    let attacked = major.into_iter().any(|square| {
        let attackers = end.their_attackers(square, end.occupied()) & !end.role(Role::King);
        !attackers.is_empty()
    });
    let shown = [
        seen.promotes,
        seen.under_promotes,
        seen.king_moves >= 2,
        !(checkers & !seen.last).is_empty(),
        checkers.len() >= 2,
        seen.castles,
        seen.en_passant,
        attacked,
        !seen.captures && !seen.promotes,
    ];
    MEANINGS.iter().zip(shown).filter(|(_, shown)| *shown).map(|((word, _), _)| *word).collect()
}
