//! Anything that looks like a position, and the one checked door through which it becomes a real one.

use super::midturn::{Midturn, lower};
use super::position::Position;
use super::table::{Order, Quota, Rules};
use crate::board::attacks::{RANK_4, RANK_6, beside, down, up};
use crate::board::men::Board;
use crate::types::turn::Turn;
use crate::types::{BitBoard, Color, Rank, Role, Square};

/// Free-form fields of a position, squares in White's view. Nothing is checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The man on each square, by square index.
    pub men: [Option<(Color, Role)>; 64],
    /// The side to move.
    pub side: Color,
    /// Home squares of rooks that may still castle.
    pub castling: BitBoard,
    /// En passant targets: the crossed squares.
    pub targets: BitBoard,
    /// The quiet count.
    pub quiet: u8,
    /// The turn number, or in an ordinary chess tool's FEN the full-move number.
    pub number: u16,
    /// Moves still to be played; absent = the whole quota.
    pub left: Option<u8>,
    /// English: men that have moved in this round.
    pub marks: BitBoard,
}

/// A valid position: between turns, or inside one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// At the start of a turn.
    Between(Position),
    /// Some moves of the turn have been played.
    Inside(Midturn),
}

impl Entry {
    /// The turn to be played, or what is left of it.
    #[must_use]
    pub fn midturn(&self) -> Midturn {
        match self {
            Self::Between(position) => position.begin(),
            Self::Inside(midturn) => *midturn,
        }
    }
}

/// How forgiving the door is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// Mends what can be mended, with a warning.
    Lenient,
    /// Refuses whatever would need a warning, and more than 16 men a side, which no game can have (openings, puzzles, `fen --strict`).
    Strict,
}

/// Something was mended on the way in.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupWarning {
    /// The number was an ordinary full-move number.
    #[error("fen-parity: {side} to move cannot have turn {number}; read as full-move number, so turn {turn}")]
    Parity {
        /// `White` or `Black`.
        side: &'static str,
        /// The number as written.
        number: u16,
        /// The turn it was read as.
        turn: u16,
    },
    /// A right the rule set does not have.
    #[error("fen-castling: the {0} rules have no castling; rights dropped")]
    NoCastling(&'static str),
    /// Targets the rule set does not have.
    #[error("fen-ep: the {0} rules have no en passant; targets dropped")]
    NoEnPassant(&'static str),
    /// A target that cannot be one.
    #[error("fen-ep: {0} cannot be an en passant target here; dropped")]
    NotATarget(Square),
    /// Marks without balance or between turns.
    #[error("fen-marks: marks belong to mid-series positions of the English rules; dropped")]
    NoMarks,
}

/// Why fields make no position. The text begins with the protocol's code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Wrong number of kings.
    #[error("fen-kings: {0} must have exactly one king, not {1}")]
    Kings(&'static str, u32),
    /// More men than a side can have in a game. Only strict reading minds: composed positions have them.
    #[error("fen-men: {0} has {1} men; in a game a side has at most 16")]
    TooManyMen(&'static str, u32),
    /// A pawn where none can be.
    #[error("fen-pawns: pawn on the first or last rank ({0})")]
    PawnRank(Square),
    /// A castling right without king or rook at home.
    #[error("fen-castling: the right of the rook on {0} needs king and rook at home")]
    Castling(Square),
    /// The quiet count is out of range.
    #[error("fen-quiet: {0} is not from 0 to {1}")]
    Quiet(u8, u8),
    /// The turn number is out of range.
    #[error("fen-number: turn {0} is not from 1 to 255")]
    Number(u32),
    /// More moves left than the quota.
    #[error("fen-left: {0} moves left, but the quota of this turn is {1}, so from 1 to {1}")]
    Left(u8, u8),
    /// The side that has just moved is in check.
    #[error("fen-check: the side not to move is in check")]
    OpponentInCheck,
    /// The mover is in check in mid-series.
    #[error("fen-check: the mover is in check in mid-series")]
    MoverInCheck,
    /// A mark on a square without a man of the mover.
    #[error("fen-marks: no man of the mover on {0}")]
    Mark(Square),
    /// Strict reading found something to mend.
    #[error("{0}")]
    Strict(SetupWarning),
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// White's view to the mover's and back.
pub(super) const fn seen_by(set: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => set,
        Color::Black => BitBoard(set.0.swap_bytes()),
    }
}

impl Setup {
    /// The start of a game of ordinary chess.
    #[must_use]
    pub fn start() -> Self {
        const BACK: [Role; 8] =
            [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
        let mut men = [None; 64];
        for (file, role) in BACK.into_iter().enumerate() {
            men[file] = Some((Color::White, role));
            men[8 + file] = Some((Color::White, Role::Pawn));
            men[48 + file] = Some((Color::Black, Role::Pawn));
            men[56 + file] = Some((Color::Black, role));
        }
        Self {
            men,
            side: Color::White,
            castling: BitBoard(0x8100_0000_0000_0081),
            targets: BitBoard::EMPTY,
            quiet: 0,
            number: 1,
            left: None,
            marks: BitBoard::EMPTY,
        }
    }

    /// The start position under these rules; its fields are known to be good.
    pub(super) fn start_position(&self, rules: &'static Rules) -> Position {
        let board = self.board(if rules.castling { self.castling } else { BitBoard::EMPTY });
        Position { rules, board, turn: Turn::FIRST, quiet: 0 }
    }

    /// Men and castling rights in the mover's view.
    fn board(&self, castling: BitBoard) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::ALL {
            match self.men[square as usize] {
                Some((color, role)) if color == self.side => board.toggle_ours(role, square.relative_to(self.side)),
                Some((_, role)) => board.toggle_theirs(role, square.relative_to(self.side)),
                None => {}
            }
        }
        board.set_rights(seen_by(castling, self.side));
        board
    }

    /// The checked door: makes a position of the fields, or says why they are none.
    ///
    /// # Errors
    /// See [`SetupError`]. What lenient reading mends comes back as warnings; strict reading refuses it.
    pub fn place(
        &self,
        rules: &'static Rules,
        strictness: Strictness,
    ) -> Result<(Entry, Vec<SetupWarning>), SetupError> {
        let mut warnings = Vec::new();
        self.check_men(rules, strictness)?;
        let turn = self.turn(&mut warnings)?;
        let castling = self.checked_castling(rules, &mut warnings)?;
        let mut board = self.board(castling);
        let quota = rules.quota(turn);
        let left = self.left.unwrap_or(quota);
        if left == 0 || left > quota {
            return Err(SetupError::Left(left, quota));
        }
        let fresh = left == quota;
        let limit = rules.quiet_limit() + 1;
        if self.quiet > limit
            || fresh && strictness == Strictness::Strict && self.quiet == limit && rules.quota == Quota::Progressive
        {
            return Err(SetupError::Quiet(self.quiet, if fresh { limit - 1 } else { limit }));
        }
        let targets = self.checked_targets(rules, &board, fresh, &mut warnings);
        board.set_rights(board.rights() | targets);
        if rules.has_mate() && board.gives_check() {
            return Err(SetupError::OpponentInCheck);
        }
        if rules.has_mate() && !fresh && board.is_in_check() {
            return Err(SetupError::MoverInCheck);
        }
        let marks = self.checked_marks(rules, &board, fresh, &mut warnings)?;
        if let (Strictness::Strict, Some(warning)) = (strictness, warnings.first()) {
            return Err(SetupError::Strict(warning.clone()));
        }
        let position = Position { rules, board, turn, quiet: self.quiet };
        let entry = if fresh {
            Entry::Between(position)
        } else {
            Entry::Inside(Midturn::resume(&position, left, self.quiet, marks))
        };
        Ok((entry, warnings))
    }

    fn check_men(&self, rules: &Rules, strictness: Strictness) -> Result<(), SetupError> {
        for color in [Color::White, Color::Black] {
            let count = |wanted: Option<Role>| {
                self.men.iter().flatten().filter(|&&(c, role)| c == color && wanted.is_none_or(|w| w == role)).count()
                    as u32
            };
            if rules.has_mate() && count(Some(Role::King)) != 1 {
                return Err(SetupError::Kings(name(color), count(Some(Role::King))));
            }
            if strictness == Strictness::Strict && count(None) > 16 {
                return Err(SetupError::TooManyMen(name(color), count(None)));
            }
        }
        for square in Square::ALL {
            let outer = matches!(square.rank(), Rank::First | Rank::Eighth);
            if outer && matches!(self.men[square as usize], Some((_, Role::Pawn))) {
                return Err(SetupError::PawnRank(square));
            }
        }
        Ok(())
    }

    /// The turn number; one whose parity denies the side to move was written as a full-move number.
    fn turn(&self, warnings: &mut Vec<SetupWarning>) -> Result<Turn, SetupError> {
        let written = Turn::new(self.number).ok_or(SetupError::Number(u32::from(self.number)))?;
        if written.color() == self.side {
            return Ok(written);
        }
        let number = match self.side {
            Color::White => 2 * self.number - 1,
            Color::Black => 2 * self.number,
        };
        warnings.push(SetupWarning::Parity { side: name(self.side), number: self.number, turn: number });
        Turn::new(number).ok_or(SetupError::Number(u32::from(number)))
    }

    fn checked_castling(&self, rules: &Rules, warnings: &mut Vec<SetupWarning>) -> Result<BitBoard, SetupError> {
        for rook in self.castling {
            let color = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            let king = Square::new(crate::types::File::E, rook.rank());
            let at_home = self.men[rook as usize] == Some((color, Role::Rook))
                && self.men[king as usize] == Some((color, Role::King));
            if !at_home {
                return Err(SetupError::Castling(rook));
            }
        }
        if !rules.castling && !self.castling.is_empty() {
            warnings.push(SetupWarning::NoCastling(rules.name));
            return Ok(BitBoard::EMPTY);
        }
        Ok(self.castling)
    }

    /// En passant targets as rights of the board: the opponent's by their crossed square, the mover's own by the pawn.
    fn checked_targets(&self, rules: &Rules, board: &Board, fresh: bool, warnings: &mut Vec<SetupWarning>) -> BitBoard {
        if self.targets.is_empty() {
            return BitBoard::EMPTY;
        }
        let terms = lower(rules);
        if !terms.en_passant {
            warnings.push(SetupWarning::NoEnPassant(rules.name));
            return BitBoard::EMPTY;
        }
        let written = seen_by(self.targets, self.side);
        // The opponent's: crossed square on rank 6 and empty, his pawn before it. What stands on the square it came from
        // does not matter: another man may have gone there later in the series.
        let theirs = written & RANK_6 & up(board.theirs(Role::Pawn)) & !board.occupied();
        let theirs = if fresh || terms.targets_stay { theirs } else { BitBoard::EMPTY };
        // The mover's own, in mid-series: the pawn stands before the crossed square, whatever stands there just now.
        let pawns = if fresh { BitBoard::EMPTY } else { up(written) & RANK_4 & board.ours(Role::Pawn) };
        for square in written & !theirs & !down(pawns) {
            warnings.push(SetupWarning::NotATarget(square.relative_to(self.side)));
        }
        // Only what somebody can use is kept, so that equal positions are equal.
        theirs & board.pawn_attacks() | pawns & beside(board.theirs(Role::Pawn))
    }

    fn checked_marks(
        &self,
        rules: &Rules,
        board: &Board,
        fresh: bool,
        warnings: &mut Vec<SetupWarning>,
    ) -> Result<BitBoard, SetupError> {
        if self.marks.is_empty() {
            return Ok(BitBoard::EMPTY);
        }
        if rules.order != Order::Balanced || fresh {
            warnings.push(SetupWarning::NoMarks);
            return Ok(BitBoard::EMPTY);
        }
        let marks = seen_by(self.marks, self.side);
        match (marks & !board.us()).next_square() {
            Some(square) => Err(SetupError::Mark(square.relative_to(self.side))),
            None => Ok(marks),
        }
    }
}
