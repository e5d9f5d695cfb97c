//! FEN with turn numbers: reading and writing. See the protocol's section 2 for the grammar.

use super::midturn::Midturn;
use super::position::Position;
use super::setup::{Entry, Setup, SetupError, SetupWarning, Strictness, seen_by};
use super::table::Rules;
use crate::board::attacks::down;
use crate::board::men::Board;
use crate::types::moves::{role_letter, role_of_letter};
use crate::types::{BitBoard, Color, Rank, Square};
use std::fmt::Write as _;

/// Why a text is no FEN of this game. The text begins with the protocol's code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Wrong number of fields.
    #[error("fen-fields: {0} fields; a FEN has 4 to 8: board, side, castling, en passant, quiet, turn, left, marks")]
    Fields(usize),
    /// The board field is bad.
    #[error("fen-board: {0}")]
    Board(String),
    /// The side field is neither `w` nor `b`.
    #[error("fen-side: '{0}' is neither w nor b")]
    Side(String),
    /// The castling field is not of the letters KQkq.
    #[error("fen-castling: '{0}' is neither - nor some of KQkq")]
    Castling(String),
    /// The en passant field is bad.
    #[error("fen-ep: '{0}' is neither - nor squares with commas, as in d6,f6")]
    Targets(String),
    /// The quiet field is no small number.
    #[error("fen-quiet: '{0}' is not a number from 0 to 101")]
    Quiet(String),
    /// The turn field is no turn number.
    #[error("fen-number: '{0}' is not a number from 1 to 255")]
    Number(String),
    /// Field 7 is neither a count of moves nor marks.
    #[error("fen-left: '{0}' is not a number from 1 to 255")]
    Left(String),
    /// The marks are not squares.
    #[error("fen-marks: '{0}' is not m= and squares with commas, as in m=f1,g1")]
    Marks(String),
    /// The fields make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a FEN under these rules.
///
/// # Errors
/// See [`FenError`]; with [`Strictness::Strict`] also whatever would otherwise be a warning.
pub fn read(text: &str, rules: &'static Rules, strictness: Strictness) -> Result<(Entry, Vec<SetupWarning>), FenError> {
    Ok(parse(text)?.place(rules, strictness)?)
}

/// Reads the fields of a FEN; whether they make a position is [`Setup::place`]'s question.
///
/// # Errors
/// A field is missing or not of its form.
pub fn parse(text: &str) -> Result<Setup, FenError> {
    // Counted before they are kept: a hostile line may have half a million.
    let count = text.split_ascii_whitespace().count();
    if !(4..=8).contains(&count) {
        return Err(FenError::Fields(count));
    }
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let side = match fields[1] {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(FenError::Side(other.into())),
    };
    let number = match fields.get(5) {
        None if side == Color::White => 1,
        None => 2,
        Some(field) => {
            small(field).filter(|&n| (1..=255).contains(&n)).ok_or_else(|| FenError::Number((*field).into()))?
        }
    };
    let (left, marks) = parse_tail(fields.get(6..).unwrap_or(&[]))?;
    Ok(Setup {
        men: parse_board(fields[0])?,
        side,
        castling: parse_castling(fields[2])?,
        targets: parse_targets(fields[3])?,
        quiet: match fields.get(4) {
            None => 0,
            Some(field) => small(field)
                .filter(|&n| n <= 101)
                .and_then(|n| u8::try_from(n).ok())
                .ok_or_else(|| FenError::Quiet((*field).into()))?,
        },
        number,
        left,
        marks,
    })
}

/// A decimal number of at most five digits, without sign.
fn small(text: &str) -> Option<u16> {
    (text.len() <= 5 && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// Fields 7 and 8: moves left, marks; either may be absent.
fn parse_tail(fields: &[&str]) -> Result<(Option<u8>, BitBoard), FenError> {
    let (mut left, mut marks) = (None, BitBoard::EMPTY);
    for (i, field) in fields.iter().enumerate() {
        if let Some(squares) = field.strip_prefix("m=") {
            if i + 1 != fields.len() {
                return Err(FenError::Marks(fields.join(" ")));
            }
            marks = parse_squares(squares).ok_or_else(|| FenError::Marks((*field).into()))?;
        } else {
            let bad = || FenError::Left((*field).into());
            if i > 0 {
                return Err(bad());
            }
            left = Some(small(field).and_then(|n| u8::try_from(n).ok()).filter(|&n| n > 0).ok_or_else(bad)?);
        }
    }
    Ok((left, marks))
}

fn parse_board(field: &str) -> Result<[Option<(Color, crate::types::Role)>; 64], FenError> {
    let bad = |text: String| FenError::Board(text);
    let rows = field.split('/');
    let count = rows.clone().count();
    if count != 8 {
        return Err(bad(format!("{count} ranks instead of 8")));
    }
    let mut men = [None; 64];
    for (rank, row) in (0..8usize).rev().zip(rows) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|d| (1..=8).contains(d)) {
                file += empty as usize;
            } else if let Some(role) = role_of_letter(letter) {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                if file < 8 {
                    men[rank * 8 + file] = Some((color, role));
                }
                file += 1;
            } else {
                return Err(bad(format!("'{letter}' in rank {}", rank + 1)));
            }
            if file > 8 {
                break;
            }
        }
        if file != 8 {
            return Err(bad(format!("rank {} '{row}' does not have 8 squares", rank + 1)));
        }
    }
    Ok(men)
}

/// The letters of castling rights with the rook's home square, in the order they are written.
const RIGHTS: [(char, Square); 4] = [('K', Square::H1), ('Q', Square::A1), ('k', Square::H8), ('q', Square::A8)];

fn parse_castling(field: &str) -> Result<BitBoard, FenError> {
    if field == "-" {
        return Ok(BitBoard::EMPTY);
    }
    let mut rights = BitBoard::EMPTY;
    for letter in field.chars() {
        match RIGHTS.iter().find(|(l, _)| *l == letter) {
            Some((_, rook)) if !rights.has(*rook) => rights |= rook.bitboard(),
            _ => return Err(FenError::Castling(field.into())),
        }
    }
    Ok(rights)
}

fn parse_targets(field: &str) -> Result<BitBoard, FenError> {
    if field == "-" {
        return Ok(BitBoard::EMPTY);
    }
    // Some tools write the capture, e3d3 or so: its last square is the one meant.
    let squares: Option<Vec<&str>> =
        field.split(',').map(|item| if item.len() == 4 { item.get(2..) } else { Some(item) }).collect();
    squares.and_then(|items| parse_squares(&items.join(","))).ok_or_else(|| FenError::Targets(field.into()))
}

fn parse_squares(text: &str) -> Option<BitBoard> {
    text.split(',').try_fold(BitBoard::EMPTY, |set, item| item.parse::<Square>().ok().map(|s| set | s.bitboard()))
}

impl Position {
    /// The position as FEN, six fields.
    #[must_use]
    pub fn fen(&self) -> String {
        self.begin().fen()
    }
}

impl Midturn {
    /// The position as FEN: six fields at the start of a turn, with moves left (and English marks) in mid-series.
    #[must_use]
    pub fn fen(&self) -> String {
        let board = self.board();
        let side = self.color();
        let mut text = placement(board, side);
        text.push_str(if side == Color::White { " w " } else { " b " });
        let rights = seen_by(board.castling() | board.castling_theirs(), side);
        let letters: String = RIGHTS.iter().filter(|(_, rook)| rights.has(*rook)).map(|(letter, _)| letter).collect();
        text.push_str(if letters.is_empty() { "-" } else { &letters });
        let targets = board.targets() | down(board.doubled());
        let _ = write!(text, " {} {} {}", squares(seen_by(targets, side)), self.quiet(), self.turn());
        if !self.is_fresh() {
            let _ = write!(text, " {}", self.left());
            if !self.marks().is_empty() {
                let _ = write!(text, " m={}", squares(seen_by(self.marks(), side)));
            }
        }
        text
    }
}

fn placement(board: &Board, side: Color) -> String {
    let mut text = String::with_capacity(90);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for square in (0..8).map(|file| Square::index(rank as usize * 8 + file)) {
            let seen = square.relative_to(side);
            match board.role_at(seen) {
                None => empty += 1,
                Some(role) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                        empty = 0;
                    }
                    let white = board.us().has(seen) == (side == Color::White);
                    let letter = role_letter(role);
                    text.push(if white { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

/// Squares with commas, sorted by file and then rank; `-` for none.
fn squares(set: BitBoard) -> String {
    if set.is_empty() {
        return "-".into();
    }
    let mut list: Vec<Square> = set.into_iter().collect();
    list.sort_by_key(|square| (square.file() as u8, square.rank() as u8));
    let names: Vec<String> = list.iter().map(Square::to_string).collect();
    names.join(",")
}
