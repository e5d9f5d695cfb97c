//! An imitation of xboard: its record of alternating plies and its board, beside the game as the rules have it.

use crescendo::rules::game::Game;
use crescendo::types::moves::{Move, role_letter};
use crescendo::types::{Color, File, Rank, Role, Square};

type Man = (Color, Role);

/// What xboard knows, and what is true.
pub(crate) struct Gui {
    game: Game,
    men: [Option<Man>; 64],
    crossed: Option<Square>,
    to_move: Color,
    /// The first half of a move in two legs.
    half: Option<Move>,
    /// xboard's option Test Legality.
    tests_legality: bool,
    random: u64,
    pub(crate) result: Option<String>,
    /// How often a captured pawn was cleared away by a move in two legs, and so on.
    pub(crate) ghosts: u32,
    pub(crate) castlings: u32,
    pub(crate) promotions: u32,
}

impl Gui {
    pub(crate) fn new(game: Game, seed: u64, tests_legality: bool) -> Self {
        let men = men_of(&game);
        let to_move = game.color();
        Self {
            game,
            men,
            crossed: None,
            to_move,
            half: None,
            tests_legality,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            result: None,
            ghosts: 0,
            castlings: 0,
            promotions: 0,
        }
    }

    /// Whether a person of this color can move a man now.
    pub(crate) fn is_turn_of(&self, color: Color) -> bool {
        self.half.is_none() && self.game.outcome().is_none() && self.to_move == color && self.game.color() == color
    }

    /// What the person sees must be what is.
    pub(crate) fn assert_same_board(&self) {
        assert_eq!(self.men, men_of(&self.game), "after {}", self.game.current().fen());
    }

    /// A move of the person: the rarer kinds first, so that games have them.
    pub(crate) fn choose(&mut self) -> Move {
        let legal = self.game.legal();
        let is_rare = |mv: &&Move| {
            let pawn = matches!(self.men[mv.from() as usize], Some((_, Role::Pawn)));
            let king = matches!(self.men[mv.from() as usize], Some((_, Role::King)));
            let files = mv.from().file() as i8 - mv.to().file() as i8;
            mv.promotion().is_some()
                || king && files.abs() == 2
                || pawn && files != 0 && self.men[mv.to() as usize].is_none()
        };
        if let Some(&mv) = legal.iter().find(is_rare) {
            return mv;
        }
        // xorshift64
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        legal[usize::try_from(self.random % legal.len() as u64).unwrap()]
    }

    /// The engine's marks must be exactly where the lifted man can go.
    pub(crate) fn check_marks(&self, from: Square, line: &str) {
        let rows = line.strip_prefix("highlight ").unwrap_or_else(|| panic!("{line}"));
        let mut marked = Vec::new();
        for (rank, row) in Rank::ALL.into_iter().rev().zip(rows.split('/')) {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        marked.push(Square::new(File::index(file), rank));
                        file += 1;
                    }
                }
            }
            assert_eq!(file, 8, "{line}");
        }
        let mut legal: Vec<Square> =
            self.game.legal().iter().filter(|mv| mv.from() == from).map(|mv| mv.to()).collect();
        legal.sort();
        legal.dedup();
        marked.sort();
        assert_eq!(marked, legal, "{line}");
    }

    /// A move of the person.
    pub(crate) fn play(&mut self, mv: Move) {
        self.game.play(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
        self.show(mv);
        self.end_ply();
    }

    /// A line of the engine.
    pub(crate) fn hear(&mut self, line: &str) {
        if let Some(text) = line.strip_prefix("move ") {
            return self.hear_move(text);
        }
        let outcome = self.game.outcome().unwrap_or_else(|| panic!("not over: {line}"));
        assert!(line.starts_with(&format!("{} {{", outcome.result())), "{line} {outcome}");
        self.result = Some(line.into());
    }

    fn hear_move(&mut self, text: &str) {
        if text == "@@@@" {
            assert_ne!(self.game.color(), self.to_move, "a pass of the side to move");
            self.crossed = None;
            return self.end_ply();
        }
        let mv: Move = text.trim_end_matches(',').parse().unwrap_or_else(|_| panic!("{text}"));
        if text.ends_with(',') {
            self.half = Some(mv);
            return;
        }
        let Some(first) = self.half.take() else {
            self.game.play(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
            self.show(mv);
            return self.end_ply();
        };
        // Two legs: what stands between is captured; the man ends where the second leg ends.
        assert_eq!(first.to(), mv.from());
        self.ghosts += 1;
        let through = Move::new(first.from(), mv.to());
        if through.from() == through.to() {
            assert_ne!(self.game.color(), self.to_move, "a pass of the side to move");
            assert!(!self.tests_legality, "with legality testing on xboard refuses {text}, and the game hangs");
            self.crossed = None;
        } else {
            self.game.play(through).unwrap_or_else(|error| panic!("{through}: {error}"));
            self.show(through);
        }
        self.men[first.to() as usize] = None;
        self.end_ply();
    }

    fn end_ply(&mut self) {
        self.to_move = !self.to_move;
    }

    /// Makes a move as xboard does, which forgets a double step after one ply.
    fn show(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let crossed = self.crossed.take();
        let Some((color, role)) = self.men[from as usize].take() else { panic!("{mv} from an empty square") };
        let files = from.file() as i8 - to.file() as i8;
        let ranks = from.rank() as i8 - to.rank() as i8;
        let is_empty = self.men[to as usize].is_none();
        if role == Role::Pawn && files != 0 && is_empty && (crossed == Some(to) || self.tests_legality) {
            self.men[Square::new(to.file(), from.rank()) as usize] = None;
        }
        if role == Role::Pawn && ranks.abs() == 2 {
            self.crossed = Some(Square::new(from.file(), Rank::index((from.rank() as usize + to.rank() as usize) / 2)));
        }
        if role == Role::King && files.abs() == 2 {
            self.castlings += 1;
            let (home, beside) = if files < 0 { (File::H, File::F) } else { (File::A, File::D) };
            let rook = self.men[Square::new(home, from.rank()) as usize].take();
            self.men[Square::new(beside, from.rank()) as usize] = rook;
        }
        self.promotions += u32::from(mv.promotion().is_some());
        self.men[to as usize] = Some((color, mv.promotion().unwrap_or(role)));
    }
}

/// The men of a game, read from its FEN.
fn men_of(game: &Game) -> [Option<Man>; 64] {
    const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let fen = game.current().fen();
    let mut men = [None; 64];
    for (rank, row) in (0..8).rev().zip(fen.split(['/', ' '])) {
        let mut file = 0;
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let role = ROLES.into_iter().find(|&role| role_letter(role) == c.to_ascii_lowercase());
            men[rank * 8 + file] = role.map(|role| (color, role));
            file += 1;
        }
    }
    men
}
