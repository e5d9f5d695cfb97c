//! The form of a move in algebraic notation, before the board is asked what it means.

use crate::types::moves::role_of_letter;
use crate::types::{File, Rank, Role, Square};

/// What a text says about a move; the board decides which move it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SanText {
    /// `O-O`: castling on the king's side.
    CastleShort,
    /// `O-O-O`: castling on the queen's side.
    CastleLong,
    /// Anything else.
    Man(ManText),
}

/// A move of one man, as far as the text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ManText {
    /// What moves; `None` when coordinates leave it open.
    pub(super) role: Option<Role>,
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
}

impl ManText {
    /// The start square, if the text gives it in full.
    pub(super) fn from(&self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }

    /// Whether a man on `square` fits what the text says of the start.
    pub(super) fn fits(&self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file()) && self.rank.is_none_or(|rank| rank == square.rank())
    }
}

/// Reads the form of a move. `None`: the text is no move in any notation known here.
pub(super) fn parse(text: &str) -> Option<SanText> {
    let text = without_marks(text);
    if !text.is_ascii() || text.len() > 12 {
        return None;
    }
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => return Some(SanText::CastleShort),
        "O-O-O" => return Some(SanText::CastleLong),
        _ => {}
    }
    // Coordinates in capitals (E2E4); with a small letter among them, a capital is a piece (B1c3).
    let lowered;
    let text = if text.bytes().any(|b| b.is_ascii_lowercase()) || text.parse::<crate::types::moves::Move>().is_err() {
        text
    } else {
        lowered = text.to_ascii_lowercase();
        &lowered
    };
    parse_man(text.as_bytes()).map(SanText::Man)
}

/// The text without check marks, annotation marks and `e.p.` at its end.
fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let mut shorter = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
        for suffix in ["e.p.", "(ep)", "ep"] {
            shorter = shorter.strip_suffix(suffix).unwrap_or(shorter).trim_end();
        }
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

/// `[role] [file] [rank] [x|-|:] square [promotion]`.
fn parse_man(text: &[u8]) -> Option<ManText> {
    // A small b is a file, never a bishop; the other small letters are no files.
    let (role, rest) = match text {
        [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'k' | b'q' | b'r' | b'n'), rest @ ..] => {
            (role_of_letter(char::from(*letter)), rest)
        }
        _ => (None, text),
    };
    let (promotion, rest) = split_promotion(rest)?;
    let (rest, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = Square::new(file(to[0])?, rank(to[1])?);
    let from = match rest {
        [from @ .., b'x' | b'-' | b':'] => from,
        _ => rest,
    };
    let (file, rank) = match from {
        [] => (None, None),
        [one] => match file(*one) {
            Some(file) => (Some(file), None),
            None => (None, Some(rank(*one)?)),
        },
        [f, r] => (Some(file(*f)?), Some(rank(*r)?)),
        _ => return None,
    };
    let role = if role.is_none() && (file.is_none() || rank.is_none()) { Some(Role::Pawn) } else { role };
    Some(ManText { role, file, rank, to, promotion })
}

/// Takes `=Q`, `Q`, `/Q` or `(Q)` off the end. `None`: something that is no promotion stands there.
fn split_promotion(text: &[u8]) -> Option<(Option<Role>, &[u8])> {
    let (letter, rest) = match text {
        [rest @ .., b'(', letter, b')'] => (letter, rest),
        [rest @ .., b'=' | b'/', letter] => (letter, rest),
        [rest @ .., letter] if letter.is_ascii_alphabetic() => (letter, rest),
        _ => return Some((None, text)),
    };
    let role = role_of_letter(char::from(*letter)).filter(|&role| role != Role::Pawn)?;
    Some((Some(role), rest))
}

fn file(letter: u8) -> Option<File> {
    letter.checked_sub(b'a').and_then(|i| File::try_index(usize::from(i)))
}

fn rank(digit: u8) -> Option<Rank> {
    digit.checked_sub(b'1').and_then(|i| Rank::try_index(usize::from(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn man(text: &str) -> ManText {
        match parse(text) {
            Some(SanText::Man(man)) => man,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn many_ways_to_write_one_move() {
        for text in ["Bf1xe2", "Bf1-e2+", "Bf1e2!?", "Bf1:e2#", " Bf1xe2 "] {
            let man = man(text);
            assert_eq!((man.role, man.from(), man.to), (Some(Role::Bishop), Some(Square::F1), Square::E2), "{text}");
        }
        for text in ["e7e8q", "e7-e8=Q", "e7e8(Q)", "E7E8Q", "e7e8/Q"] {
            let man = man(text);
            assert_eq!((man.from(), man.to), (Some(Square::E7), Square::E8), "{text}");
            assert_eq!((man.role, man.promotion), (None, Some(Role::Queen)), "{text}");
        }
        for text in ["exd6", "exd6 e.p.", "ed6", "exd6ep", "exd6!! e.p.+"] {
            let man = man(text);
            assert_eq!((man.role, man.file, man.to), (Some(Role::Pawn), Some(File::E), Square::D6), "{text}");
        }
        for text in ["0-0-0", "O-O-O+", "o-o-o!", "0-0-0#"] {
            assert_eq!(parse(text), Some(SanText::CastleLong), "{text}");
        }
    }

    #[test]
    fn bishops_and_the_b_file() {
        assert_eq!(man("bxc3").role, Some(Role::Pawn));
        assert_eq!(man("Bxc3").role, Some(Role::Bishop));
        assert_eq!((man("B1c3").role, man("B1c3").rank), (Some(Role::Bishop), Some(Rank::First)));
        assert_eq!((man("b1c3").role, man("b1c3").from()), (None, Some(Square::B1)));
        assert_eq!(man("bxa8=B").promotion, Some(Role::Bishop));
    }

    #[test]
    fn what_is_no_move() {
        for text in
            ["", "e", "e9", "Nx", "Qi4", "e4e5e6", "e8=P", "e8=X", "é4", "O-O-O-O", "--", "=Q", "x", "N)(e4", "()"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
