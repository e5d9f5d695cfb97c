//! Endings: the exact results against brute force that knows neither solver nor havens, and the play of Full against the exact results.

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::{Midturn, Step};
use crescendo::rules::outcome::Outcome;
use crescendo::rules::position::Position;
use crescendo::rules::setup::{Entry, Strictness};
use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};
use crescendo::search::ending::{Value, applies, solve};
use crescendo::search::levels::Level;
use crescendo::search::limits::Limits;
use crescendo::search::think::{Searcher, Settings};
use crescendo::solver::Solver;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};

const BOTH: [&Rules; 2] = [&ITALIAN, &SCOTTISH];

fn position(text: &str, rules: &'static Rules) -> Option<Position> {
    match fen::read(text, rules, Strictness::Strict).ok()?.0 {
        Entry::Between(position) if position.outcome().is_none() => Some(position),
        _ => None,
    }
}

fn exact(position: &Position, nodes: u64) -> (Value, u64) {
    solve(position, &mut Solver::proving(1 << 24), &Limits::nodes(nodes), 1.0)
}

/// 1, 0, -1 as the side to move wins, draws, loses.
fn sign(value: &Value) -> Option<i8> {
    match value {
        Value::Win(..) => Some(1),
        Value::Draw(_) => Some(0),
        Value::Loss(_) => Some(-1),
        Value::Unknown => None,
    }
}

/// Minimax over every position that a turn passes through, with nothing but the rules: moves, ends, outcomes.
struct Brute {
    steps: u64,
    known: HashMap<String, i8>,
}

impl Brute {
    fn value(&mut self, position: &Position) -> Option<i8> {
        if let Some(outcome) = position.outcome() {
            return Some(match outcome {
                Outcome::Win { winner, .. } if winner == position.color() => 1,
                Outcome::Win { .. } => -1,
                Outcome::Draw(_) => 0,
            });
        }
        let key = position.fen();
        if let Some(&value) = self.known.get(&key) {
            return Some(value);
        }
        let (ends, draws) = self.ends(&position.begin())?;
        // Mates first: they need no further look.
        let is_win =
            |end: &Position| matches!(end.outcome(), Some(Outcome::Win { winner, .. }) if winner == position.color());
        let value = if ends.iter().any(is_win) { 1 } else { self.best(&ends, draws)? };
        self.known.insert(key, value);
        Some(value)
    }

    fn best(&mut self, ends: &[Position], draws: bool) -> Option<i8> {
        let mut best = if draws { 0 } else { -1 };
        for end in ends {
            best = best.max(-self.value(end)?);
            if best == 1 {
                break;
            }
        }
        Some(best)
    }

    /// All positions that the turn can end in, and whether it can end in a draw on the way. `None`: too many steps.
    fn ends(&mut self, start: &Midturn) -> Option<(Vec<Position>, bool)> {
        let (mut seen, mut ends, mut draws, mut todo) = (HashSet::new(), Vec::new(), false, vec![*start]);
        while let Some(now) = todo.pop() {
            let moves = now.legal_seen_by_mover();
            draws |= moves.is_empty();
            self.steps = self.steps.checked_sub(moves.len() as u64)?;
            for mv in moves {
                let mut next = now;
                let step = next.step(mv);
                let left = if step == Step::TurnOver { 0 } else { next.left() };
                if !seen.insert((*next.board(), left)) {
                    continue;
                }
                match step {
                    Step::TurnOver => ends.push(next.next_position()),
                    Step::More if next.has_bare_material() => draws = true,
                    Step::More => todo.push(next),
                }
            }
        }
        Some((ends, draws))
    }
}

/// A random position with these men: `K` and `k` and others as in a FEN.
fn random(men: &str, rules: &'static Rules, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut board = ['1'; 64];
    for man in men.chars() {
        let place = rng.random_range(0..64);
        if board[place] != '1' || man.eq_ignore_ascii_case(&'p') && !(8..56).contains(&place) {
            return None;
        }
        board[place] = man;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    let (turn, quiet) = (rng.random_range(8..=11), rng.random_range(8..=10));
    let side = if turn % 2 == 1 { 'w' } else { 'b' };
    position(&format!("{} {side} - - {quiet} {turn}", ranks.join("/")), rules).filter(applies)
}

/// Few men, and the ten quiet turns nearly over, so that brute force comes to its end. In the long tier more of it.
#[test]
fn exact_results_are_those_of_brute_force() {
    let (rounds, steps, nodes) =
        if cfg!(feature = "long") { (24, 4_000_000, 3_000_000) } else { (6, 500_000, 200_000) };
    for rules in BOTH {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut count: HashMap<(&str, i8), usize> = HashMap::new();
        for men in ["KkR", "Kkq", "KkP", "Kkp", "KkNN", "Kkbn", "KkPp", "KkRr", "KkNp", "KkBb"] {
            for _ in 0..rounds {
                let Some(position) = random(men, rules, &mut rng) else { continue };
                let brute = Brute { steps, known: HashMap::new() }.value(&position);
                let sign = brute.and_then(|_| sign(&exact(&position, nodes).0));
                if let (Some(brute), Some(sign)) = (brute, sign) {
                    assert_eq!(sign, brute, "{} {}", rules.name, position.fen());
                    *count.entry((men, sign)).or_default() += 1;
                }
            }
        }
        let of = |sign: i8| count.iter().filter(|((_, known), _)| *known == sign).map(|(_, n)| n).sum::<usize>();
        assert!(of(1) >= 5 && of(0) >= 5, "{}: {count:?}", rules.name);
        // Lost: a king caged at the edge. It may not matter that eight turns were quiet, but brute force ends sooner.
        let lost = position("7k/8/8/8/8/8/6R1/5K2 b - - 8 8", rules).unwrap();
        assert_eq!(Brute { steps: 50_000_000, known: HashMap::new() }.value(&lost), Some(-1));
        assert_eq!(sign(&exact(&lost, 1_000_000).0), Some(-1));
    }
}

/// Known endings: position and result for the side to move, the same under both rules.
const KNOWN: [(&str, i8); 15] = [
    // King and rook: mate at the edge, but never against a king that gets off it.
    ("k7/8/1K6/8/8/8/8/7R w - - 0 9", 1),
    ("8/8/8/3k4/8/8/8/R3K3 w - - 0 9", 0),
    ("8/8/8/3k4/8/8/8/R3K3 b - - 0 8", 0),
    ("7k/8/8/8/8/8/6R1/5K2 b - - 0 8", -1),
    // King and pawn: queened and mate, captured, blocked for ever.
    ("7k/8/5K2/8/8/8/P7/8 w - - 0 9", 1),
    ("8/8/8/3k4/8/8/P7/4K3 b - - 0 8", 0),
    ("k7/P7/8/8/8/8/8/7K w - - 0 9", 0),
    // Two knights: a mate in the corner, none against a king that comes out.
    ("k7/8/1K6/8/8/8/1N6/N7 w - - 0 9", 1),
    ("8/8/8/3k4/8/8/1N6/N3K3 w - - 0 9", 0),
    ("8/8/8/3k4/8/8/1N6/N3K3 b - - 0 8", 0),
    // Bishop and knight.
    ("k7/8/1K6/8/8/8/8/B6N w - - 0 9", 1),
    ("8/8/8/3k4/8/8/1N6/B3K3 b - - 0 8", 0),
    // Pawn races: who is to move queens and mates.
    ("8/7p/8/3k4/8/8/P7/4K3 b - - 0 8", 1),
    ("7k/2p5/5K2/8/8/8/P7/8 w - - 0 9", 1),
    ("8/2p5/8/8/8/5k2/P7/7K b - - 0 8", 1),
];

#[test]
fn known_endings() {
    for rules in BOTH {
        for (text, result) in KNOWN {
            let (value, nodes) = exact(&position(text, rules).unwrap(), 10_000_000);
            assert_eq!(sign(&value), Some(result), "{} {text}: {value:?} after {nodes} nodes", rules.name);
        }
    }
}

/// No won ending is drawn and no drawn one lost: Full against itself comes to the exact result.
#[test]
fn full_plays_to_the_exact_result() {
    for rules in BOTH {
        for (text, result) in KNOWN {
            let start = position(text, rules).unwrap();
            let (mut game, mut searcher) = (Game::from_entry(Entry::Between(start)), Searcher::new(16).unwrap());
            let settings = Settings { level: *Level::full(), seed: 1 };
            while game.outcome().is_none() {
                let choice = searcher.think(game.current(), &settings, &Limits::nodes(2_000_000), &mut |_| {});
                for &mv in choice.series.unwrap().iter() {
                    game.play(mv).unwrap();
                }
            }
            let winner = game.outcome().unwrap().winner();
            let points = winner.map_or(0, |winner| if winner == start.color() { 1 } else { -1 });
            assert_eq!(points, result, "{} {text}: {:?}", rules.name, game.turns());
        }
    }
}

#[test]
fn nothing_is_claimed_outside_the_limits() {
    for text in
        ["8/8/8/3k4/8/8/8/R3K3 w - - 0 7", "8/8/8/3k4/8/1n6/1p6/R3K3 w - - 0 9", "k1K5/8/8/8/8/8/8/7N w - - 0 9"]
    {
        assert!(position(text, &ITALIAN).is_none_or(|position| !applies(&position)), "{text}");
    }
    let rook = "k7/8/1K6/8/8/8/8/7R w - - 0 9";
    assert!(!applies(&position(rook, Rules::by_name("marseillais").unwrap()).unwrap()));
    // A limit that is too small leaves it open.
    let open = position("8/8/8/3k4/8/8/8/Q3K3 w - - 0 9", &ITALIAN).unwrap();
    assert!(matches!(exact(&open, 1_000), (Value::Unknown, 900..=2_000)));
}
