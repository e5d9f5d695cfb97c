//! Men and squares: the vocabulary of the mailbox.

/// A square as `rank * 8 + file`, a1 = 0, h8 = 63.
pub(crate) type Square = usize;

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    /// Moves on the odd turns.
    White,
    /// Moves on the even turns.
    Black,
}

impl Color {
    /// The opponent.
    pub(crate) fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// A rank counted from this side's own edge (0 = the rank the king starts on), as a rank of the board.
    pub(crate) fn rank(self, from_own_edge: usize) -> usize {
        match self {
            Color::White => from_own_edge,
            Color::Black => 7 - from_own_edge,
        }
    }

    /// The way this side's pawns go, in ranks.
    pub(crate) fn forward(self) -> i32 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// `w` or `b`.
    pub(crate) fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

/// What kind of man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

/// Every role with its letter.
const ROLE_LETTERS: [(Role, char); 6] = [
    (Role::Pawn, 'p'),
    (Role::Knight, 'n'),
    (Role::Bishop, 'b'),
    (Role::Rook, 'r'),
    (Role::Queen, 'q'),
    (Role::King, 'k'),
];

impl Role {
    /// The lower-case letter.
    pub(crate) fn letter(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }
}

/// A man on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Man {
    /// Whose.
    pub(crate) color: Color,
    /// What.
    pub(crate) role: Role,
    /// English: has moved in this round. The mark sits on the man, so it goes where the man goes and a promoted piece
    /// carries its pawn's mark.
    pub(crate) marked: bool,
}

impl Man {
    /// An unmarked man.
    pub(crate) fn new(color: Color, role: Role) -> Man {
        Man { color, role, marked: false }
    }

    /// The man of a FEN letter.
    pub(crate) fn from_letter(letter: char) -> Option<Man> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let lower = letter.to_ascii_lowercase();
        ROLE_LETTERS.iter().find(|(_, l)| *l == lower).map(|(role, _)| Man::new(color, *role))
    }

    /// The FEN letter.
    pub(crate) fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// Whether this is a man of that color and role, marked or not.
    pub(crate) fn is(self, color: Color, role: Role) -> bool {
        self.color == color && self.role == role
    }
}

/// The square of a file and a rank.
pub(crate) fn square(file: usize, rank: usize) -> Square {
    rank * 8 + file
}

/// The file of a square, a = 0.
pub(crate) fn file(square: Square) -> usize {
    square % 8
}

/// The rank of a square, first rank = 0.
pub(crate) fn rank(square: Square) -> usize {
    square / 8
}

/// Whether a square is light (h1 is, a1 is not).
pub(crate) fn is_light(square: Square) -> bool {
    (file(square) + rank(square)) % 2 == 1
}

/// The square so many files and ranks away, if it is on the board.
pub(crate) fn offset(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = i32::try_from(file(from)).ok()? + files;
    let rank = i32::try_from(rank(from)).ok()? + ranks;
    if (0..8).contains(&file) && (0..8).contains(&rank) { usize::try_from(rank * 8 + file).ok() } else { None }
}

/// `e4` and the like.
pub(crate) fn square_name(square: Square) -> String {
    let file = char::from(b"abcdefgh"[file(square)]);
    let rank = char::from(b"12345678"[rank(square)]);
    format!("{file}{rank}")
}

/// The square of a name like `e4`.
pub(crate) fn parse_square(name: &str) -> Option<Square> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(square(usize::from(file - b'a'), usize::from(rank - b'1'))),
        _ => None,
    }
}
