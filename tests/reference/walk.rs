//! Random games, for comparing generators on positions nobody thought of.

use super::state::State;

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and the same numbers everywhere for ever.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    /// A stream of numbers for a seed.
    pub(crate) fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; the bias of the remainder does not matter for bounds this small.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }
}

/// Where games begin. A quarter of them begin with the game's own start, the others where rare rules are near: en passant to both
/// sides, castling to both sides, promotion, few men, a turn that must mate.
const STARTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 3",
    "r3k2r/p1pp1pp1/1b4n1/3P1p2/2p1P3/1N4B1/P1PP1PP1/R3K2R w KQkq - 0 3",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 2",
    "n1n1k3/PPP3pp/8/8/8/8/PPP3pp/4K1N1 b - - 0 4",
    "8/2k2p2/8/1n6/4B3/8/2P2K2/8 w - - 9 5",
    "4k3/2p5/1b6/8/8/3R4/5P2/4K3 w - - 0 9",
    "4k3/5n2/8/8/8/8/2N5/4K3 b - - 8 6",
    "7k/5K2/8/8/8/p2B4/8/N7 b - - 0 2",
    "4k3/8/8/8/2pPp1pP/8/1P3P2/R3K2R b KQ d3,h3 0 4",
    "k7/8/2K5/8/8/8/6PP/5R2 w - - 0 3",
    "1nb1k1n1/pppp1ppp/8/8/8/8/PPP1PPPP/1N2KBN1 w - - 0 5",
];

/// A game is given up after so many moves.
const LONGEST_GAME: u32 = 80;

/// An endless row of positions from random games of one rule set: every position after every move, starts and ends of games
/// included. `take` as many as needed.
///
/// A third of the moves are uniformly random; the others are a capture, a promotion, a double step, a castling, an
/// en passant capture or a check where there is one, each kind as likely as the others, so that rare rules occur.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    rules: String,
    rng: SplitMix64,
    game: Option<State>,
    moves: u32,
    last_move: String,
}

impl Walk {
    /// The walk of a rule set and a seed.
    pub(crate) fn new(rules: &str, seed: u64) -> Walk {
        Walk { rules: rules.to_owned(), rng: SplitMix64::new(seed), game: None, moves: 0, last_move: String::new() }
    }

    /// The move that led to the position just given; empty at the beginning of a game.
    pub(crate) fn last_move(&self) -> &str {
        &self.last_move
    }

    fn begin(&mut self) -> Option<State> {
        let start = if self.rng.below(4) == 0 { 0 } else { self.rng.below(STARTS.len()) };
        self.moves = 0;
        self.last_move.clear();
        State::parse(&self.rules, STARTS[start]).ok()
    }

    /// Picks a move: uniformly, or uniformly among the moves of one kind.
    fn choose(&mut self, game: &State, legal: &[String]) -> String {
        let mut candidates: Vec<&String> = legal.iter().collect();
        if self.rng.below(3) > 0 {
            let mut kinds: Vec<&str> = legal.iter().flat_map(|leg| game.kinds(leg)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            if !kinds.is_empty() {
                let kind = kinds[self.rng.below(kinds.len())];
                candidates.retain(|leg| game.kinds(leg).contains(&kind));
            }
        }
        candidates[self.rng.below(candidates.len())].clone()
    }
}

impl Iterator for Walk {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        let game = match self.game.take() {
            Some(mut game) if self.moves < LONGEST_GAME && game.status() == "ongoing" => {
                let legal = game.legal();
                let leg = self.choose(&game, &legal);
                game.play(&leg).ok()?;
                self.moves += 1;
                self.last_move = leg;
                game
            }
            _ => self.begin()?,
        };
        self.game = Some(game.clone());
        Some(game)
    }
}
