//! Single moves in algebraic notation: `Nf3`, `exd6`, `e8=Q`, `O-O`, `Qxf7#`.

use super::san_text::{ManText, SanText, parse};
use crate::board::attacks;
use crate::board::generate::Checks;
use crate::board::terms::Terms;
use crate::rules::illegal::{IllegalMove, explain, role_name};
use crate::rules::midturn::{Midturn, Step};
use crate::rules::movelist::as_written_here;
use crate::rules::outcome::{Outcome, WinBy};
use crate::types::moves::{Move, role_letter};
use crate::types::{BitBoard, Role, Square};
use std::fmt;

/// Why a text is no move here. It names turn, leg, text and reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turn {turn} leg {leg} '{text}': {reason}")]
pub struct SanError {
    /// The turn being played.
    pub turn: u16,
    /// Which move of the series it would have been, from 1.
    pub leg: u8,
    /// The text, cut to 40 characters.
    pub text: String,
    /// The reason.
    pub reason: SanFault,
}

/// What is wrong with a move's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanFault {
    /// It has the form of no move.
    Syntax,
    /// There is such a man, but this move is not legal.
    Illegal(IllegalMove),
    /// No man of this kind can go there.
    NoManFor(Option<Role>, Square),
    /// Several legal moves fit.
    Ambiguous(Vec<Move>),
}

impl fmt::Display for SanFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("not a move; expected something like Nf3, exd6, e8=Q, O-O or e2e4"),
            Self::Illegal(reason) => write!(f, "{reason}"),
            Self::NoManFor(role, to) => write!(f, "no {} can go to {to}", role.map_or("man", role_name)),
            Self::Ambiguous(moves) => {
                f.write_str("several moves fit:")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
        }
    }
}

/// Which move of the series is to be played next, from 1.
#[must_use]
pub fn leg_number(midturn: &Midturn) -> u8 {
    midturn.rules().quota(midturn.turn()).saturating_sub(midturn.left()).saturating_add(1)
}

/// Writes a move (White's view). A move that is not legal here is written as coordinates.
#[must_use]
pub fn write(midturn: &Midturn, mv: Move) -> String {
    if !midturn.legal().contains(&mv) {
        return mv.to_string();
    }
    write_and_play(&mut midturn.clone(), mv)
}

/// Writes a legal move and plays it; after the last one of a turn the next turn has begun. Does not ask whether the game is over but
/// where that is written.
pub(super) fn write_and_play(midturn: &mut Midturn, mv: Move) -> String {
    let mut text = without_mark(midturn, mv);
    if midturn.step(mv.seen_by(midturn.color())) == Step::TurnOver {
        *midturn = midturn.next_position().begin();
        // Both kinds of mate are checks, so all other turns need not be judged.
        if midturn.is_in_check() {
            let is_mate = matches!(midturn.outcome(), Some(Outcome::Win { by: WinBy::Mate | WinBy::ItalianMate, .. }));
            text.push(if is_mate { '#' } else { '+' });
        }
    }
    text
}

fn without_mark(midturn: &Midturn, mv: Move) -> String {
    let board = midturn.board();
    let seen = mv.seen_by(midturn.color());
    if board.is_castling(seen) {
        return if seen.to() == Square::G1 { "O-O" } else { "O-O-O" }.into();
    }
    let (role, capture) = (board.role_at_unchecked(seen.from()), board.is_capture(seen));
    let mut text = String::with_capacity(8);
    if role == Role::Pawn {
        if capture {
            text.push(file_letter(mv.from()));
        }
    } else {
        text.push(role_letter(role).to_ascii_uppercase());
        let rivals = rivals(midturn, role, seen);
        let (same_file, same_rank) = (rivals & seen.from().file().bitboard(), rivals & seen.from().rank().bitboard());
        if !rivals.is_empty() && (same_file.is_empty() || !same_rank.is_empty()) {
            text.push(file_letter(mv.from()));
        }
        if !same_file.is_empty() {
            text.push(rank_digit(mv.from()));
        }
    }
    if capture {
        text.push('x');
    }
    text.push(file_letter(mv.to()));
    text.push(rank_digit(mv.to()));
    if let Some(role) = mv.promotion() {
        text.push('=');
        text.push(role_letter(role).to_ascii_uppercase());
    }
    text
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file() as u8)
}

fn rank_digit(square: Square) -> char {
    char::from(b'1' + square.rank() as u8)
}

/// The mover's other men of this role that could go to the same square in ordinary chess: check rule and balance do not matter.
fn rivals(midturn: &Midturn, role: Role, seen: Move) -> BitBoard {
    let board = midturn.board();
    // Who goes from one square to another also goes back, but for pawns, which are not asked about: so only men on these squares
    // can go there, and mostly there are none.
    let (to, occupied) = (seen.to(), board.occupied());
    let near = match role {
        Role::Knight => attacks::knight(to),
        Role::Bishop => attacks::bishop(to, occupied),
        Role::Rook => attacks::rook(to, occupied),
        Role::Queen => attacks::bishop(to, occupied) | attacks::rook(to, occupied),
        Role::King => attacks::king(to),
        Role::Pawn => BitBoard::FULL,
    };
    let others = board.ours(role) & near & !seen.from().bitboard();
    if others.is_empty() {
        return BitBoard::EMPTY;
    }
    let with = |terms: &Terms| {
        let moves = board.moves(terms, Checks::Any, others);
        let rivals = moves.into_iter().filter(|&mv| mv.to() == seen.to() && !board.is_castling(mv));
        rivals.fold(BitBoard::EMPTY, |set, mv| set | mv.from().bitboard())
    };
    let rivals = with(midturn.terms());
    // A rebirth can shield or expose the own king, which ordinary readers do not see and ours do: either kind of rival counts.
    if midturn.terms().rebirth { rivals | with(&Terms::ORDINARY) } else { rivals }
}

/// Reads a move among those legal here, in White's view. Any of the usual forms will do, check and annotation marks are not looked at.
///
/// # Errors
/// The text is no move, or not legal here, or ambiguous.
pub fn read(midturn: &Midturn, text: &str) -> Result<Move, SanError> {
    find(midturn, text).map_err(|reason| SanError {
        turn: midturn.turn().number(),
        leg: leg_number(midturn),
        text: text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect(),
        reason,
    })
}

fn find(midturn: &Midturn, text: &str) -> Result<Move, SanFault> {
    let color = midturn.color();
    let castle = |to: Square| Move::new(Square::E1, to).seen_by(color);
    let man = match parse(text).ok_or(SanFault::Syntax)? {
        SanText::CastleShort => return castling(midturn, castle(Square::G1)),
        SanText::CastleLong => return castling(midturn, castle(Square::C1)),
        SanText::Man(man) => castling_onto_rook(midturn, man),
    };
    let board = midturn.board();
    let mut fitting = midturn.legal();
    fitting.retain(|mv| {
        let seen = mv.seen_by(color);
        mv.to() == man.to
            && mv.promotion() == man.promotion
            && man.fits(mv.from())
            && man.role.is_none_or(|role| board.role_at(seen.from()) == Some(role))
            && (man.from().is_some() || !board.is_castling(seen))
    });
    match fitting.as_slice() {
        [mv] => Ok(*mv),
        [] => Err(why_not(midturn, &man)),
        several => Err(SanFault::Ambiguous(several.to_vec())),
    }
}

fn castling(midturn: &Midturn, mv: Move) -> Result<Move, SanFault> {
    let seen = mv.seen_by(midturn.color());
    if !midturn.board().is_castling(seen) {
        return Err(SanFault::Illegal(IllegalMove::NoCastling));
    }
    if midturn.legal().contains(&mv) { Ok(mv) } else { Err(SanFault::Illegal(explain(midturn, mv))) }
}

/// Coordinates that take the king to his own rook, where that rook may castle, mean castling.
fn castling_onto_rook(midturn: &Midturn, man: ManText) -> ManText {
    match (man.from(), man.promotion) {
        (Some(from), None) => ManText { to: as_written_here(midturn, Move::new(from, man.to)).to(), ..man },
        _ => man,
    }
}

/// Why no legal move fits: of the men that could be meant, the one that comes nearest gives the reason.
fn why_not(midturn: &Midturn, man: &ManText) -> SanFault {
    let (board, color) = (midturn.board(), midturn.color());
    let coordinates = |from: Square| match man.promotion {
        Some(role) => Move::promoting(from, man.to, role),
        None => Move::new(from, man.to),
    };
    if let (Some(from), None) = (man.from(), man.role) {
        return SanFault::Illegal(explain(midturn, coordinates(from)));
    }
    let men = man.role.map_or(board.us(), |role| board.ours(role));
    let reasons = men.into_iter().map(|seen| seen.relative_to(color)).filter(|&from| man.fits(from));
    let reason = reasons
        .map(|from| explain(midturn, coordinates(from)))
        .find(|reason| !matches!(reason, IllegalMove::CannotReach(..) | IllegalMove::NoCastling));
    match (reason, midturn.outcome()) {
        (Some(reason), _) => SanFault::Illegal(reason),
        (None, Some(outcome)) => SanFault::Illegal(IllegalMove::GameOver(outcome)),
        (None, None) => SanFault::NoManFor(man.role, man.to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::{ITALIAN, Rules, SCOTTISH, TAKE_ALL};

    fn at(rules: &'static Rules, text: &str) -> Midturn {
        fen::read(text, rules, Strictness::Lenient).unwrap().0.midturn()
    }

    fn san(midturn: &Midturn, mv: &str) -> String {
        write(midturn, mv.parse().unwrap())
    }

    fn reason(midturn: &Midturn, text: &str) -> String {
        read(midturn, text).unwrap_err().to_string()
    }

    #[test]
    fn disambiguation() {
        let knights = at(&ITALIAN, "4k3/8/8/8/8/8/8/N3N1K1 w - - 0 3");
        assert_eq!(san(&knights, "a1c2"), "Nac2");
        assert_eq!(read(&knights, "Nc2").unwrap_err().reason.to_string(), "several moves fit: a1c2 e1c2");
        let queens = at(&ITALIAN, "6k1/8/8/8/Q6Q/8/8/Q5K1 w - - 0 3");
        assert_eq!(san(&queens, "a4d4"), "Qa4d4");
        assert_eq!(san(&queens, "a1d4"), "Q1d4");
        assert_eq!(san(&queens, "h4d4"), "Qhd4");
        // A pinned knight is no rival.
        let pinned = at(&ITALIAN, "4r1k1/8/8/8/8/8/4N3/N3K3 w - - 0 3");
        assert_eq!(san(&pinned, "a1c2"), "Nc2");
    }

    #[test]
    fn an_early_check_is_still_a_rival_in_ordinary_chess() {
        // Either rook goes to e5; that on e4 would lay open the bishop's line to the king.
        let mid = at(&ITALIAN, "8/7k/8/R7/4R3/8/8/1B2K3 w - - 0 3");
        assert_eq!(san(&mid, "a5e5"), "Rae5");
        assert_eq!(read(&mid, "Re5").unwrap().to_string(), "a5e5");
    }

    #[test]
    fn marks_stand_on_the_last_move_only() {
        let mate = at(&ITALIAN, "rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 3 1");
        assert_eq!(san(&mate, "h5f7"), "Qxf7#");
        let check = at(&SCOTTISH, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 3");
        assert_eq!(san(&check, "a1a8"), "Ra8+");
        assert_eq!(san(&check, "e1c1"), "O-O-O");
    }

    #[test]
    fn take_all_promotes_to_king() {
        let pawn = at(&TAKE_ALL, "8/4P3/8/8/8/8/8/k7 w - - 0 3");
        assert_eq!(san(&pawn, "e7e8k"), "e8=K");
        assert_eq!(read(&pawn, "e8K").unwrap().to_string(), "e7e8k");
    }

    #[test]
    fn castling_in_every_form() {
        let midturn = at(&ITALIAN, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 3");
        for text in ["O-O", "0-0", "o-o!", "e1g1", "Ke1-g1", "e1h1", "E1G1"] {
            assert_eq!(read(&midturn, text).unwrap().to_string(), "e1g1", "{text}");
        }
        assert_eq!(read(&midturn, "e1a1").unwrap().to_string(), "e1c1");
        assert!(read(&midturn, "Kg1").is_err());
        let black = at(&ITALIAN, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 4");
        assert_eq!(read(&black, "e8a8").unwrap().to_string(), "e8c8");
    }

    #[test]
    fn reasons_are_named() {
        let midturn = at(&ITALIAN, "rnb1kbnr/pppp1ppp/8/4p3/4P2q/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3 2");
        assert_eq!(
            reason(&midturn, "Nf9"),
            "turn 3 leg 2 'Nf9': not a move; expected something like Nf3, exd6, e8=Q, O-O or e2e4"
        );
        assert_eq!(reason(&midturn, "Nd5"), "turn 3 leg 2 'Nd5': no knight can go to d5");
        assert_eq!(reason(&midturn, "e3"), "turn 3 leg 2 'e3': no pawn can go to e3");
        assert_eq!(reason(&midturn, "f3"), "turn 3 leg 2 'f3': the move leaves the own king attacked");
        assert_eq!(reason(&midturn, "e3e4"), "turn 3 leg 2 'e3e4': no man on e3");
        assert_eq!(reason(&midturn, "O-O"), "turn 3 leg 2 'O-O': castling is not possible now");
        let early = at(&ITALIAN, "rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 2 2");
        assert!(read(&early, "Qh4").is_ok());
        let early = at(&ITALIAN, "4k3/8/8/8/8/8/8/R3K3 w - - 0 3");
        assert_eq!(reason(&early, "Ra8"), "turn 3 leg 1 'Ra8': gives check before the last move");
    }
}
