//! Random turns: the solver, and the solver without each of its tricks, against brute force.

use super::support::{LONG, TABLE, mates, rules};
use crescendo::board::men::Board;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd, Step};
use crescendo::rules::position::Position;
use crescendo::rules::table::{ALL, Captures, Rules};
use crescendo::solver::all::End;
use crescendo::solver::{Limits, Solver, Tricks};
use crescendo::types::BitBoard;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

/// How many of the turns tried have so many moves left, from 1 move on. Brute force takes most of its time where there are most.
const WEIGHTS: &[u32] = if LONG { &[2_000, 10_000, 7_400, 520, 60, 20] } else { &[1, 2, 4, 1] };
/// The same with rebirth: no bound holds there, so that solver and brute force both try everything.
const REBIRTH_WEIGHTS: &[u32] = if LONG { &[3_000, 13_000, 3_800, 180, 14, 6] } else { WEIGHTS };
/// Turns tried for each rule set.
const TURNS: u32 = if LONG { 20_000 } else { 200 };

/// How many series mate: all legal moves from every position the turn can get to, each position looked at once. Positions are kept
/// whole, so no key can deceive.
fn count_mates(midturn: &Midturn) -> u128 {
    let mut layer: FxHashMap<(Board, BitBoard), (Midturn, u128)> = FxHashMap::default();
    layer.insert((*midturn.board(), midturn.marks()), (*midturn, 1));
    let mut mates = 0;
    while !layer.is_empty() {
        let mut next_layer = FxHashMap::default();
        for (now, orders) in layer.values() {
            for mv in now.legal_seen_by_mover() {
                let mut next = *now;
                match next.step(mv) {
                    Step::More => {
                        let entry = next_layer.entry((*next.board(), next.marks())).or_insert((next, 0));
                        entry.1 += orders;
                    }
                    Step::TurnOver if next.board().gives_check() => {
                        let won = next.next_position().outcome().is_some_and(|outcome| outcome.winner().is_some());
                        mates += if won { *orders } else { 0 };
                    }
                    Step::TurnOver => {}
                }
            }
        }
        layer = next_layer;
    }
    mates
}

/// A random turn with at most so many moves left, unless the game ends before.
fn random_turn(rules: &'static Rules, turn: u16, left: u8, rng: &mut ChaCha8Rng) -> Option<Midturn> {
    let mut now = Position::start(rules).begin();
    while now.turn().number() < turn || now.left() > left {
        let legal = now.legal();
        let mv = *legal.get(rng.random_range(0..legal.len().max(1)))?;
        match now.play_unchecked(mv) {
            Progress::More => {}
            Progress::Over(SeriesEnd::Turn(next)) if next.outcome().is_none() && next.turn().number() <= turn => {
                now = next.begin();
            }
            Progress::Over(_) => return None,
        }
    }
    Some(now)
}

/// Moves left, drawn by the weights.
fn random_left(weights: &[u32], rng: &mut ChaCha8Rng) -> u8 {
    let mut at = rng.random_range(0..weights.iter().sum());
    let drawn = weights.iter().position(|&weight| {
        let is_here = at < weight;
        at = at.wrapping_sub(weight);
        is_here
    });
    drawn.map_or(1, |index| index as u8 + 1)
}

/// The solver without one of its tricks, for each of them.
fn handicapped() -> Vec<Solver> {
    let all = Tricks::default();
    [
        Tricks { seen: false, ..all },
        Tricks { bound: false, ..all },
        Tricks { four: false, ..all },
        Tricks { three: false, ..all },
        Tricks { two: false, ..all },
        Tricks { order: false, ..all },
        Tricks { narrow: false, ..all },
        Tricks { bound: false, four: false, three: false, two: false, ..all },
    ]
    .into_iter()
    .map(|tricks| {
        let mut solver = Solver::new(TABLE);
        solver.tricks = tricks;
        solver
    })
    .collect()
}

#[allow(clippy::print_stdout, reason = "the long tier's counts go into its log")]
fn compare_with_brute_force(rules: &'static Rules) {
    let mut solver = Solver::new(TABLE);
    let mut others = handicapped();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let weights = if rules.captures == Captures::Rebirth { REBIRTH_WEIGHTS } else { WEIGHTS };
    let (mut tried, mut found) = (0, 0);
    while tried < TURNS {
        let turn = rng.random_range(2..=14);
        let left = random_left(weights, &mut rng);
        let Some(midturn) = random_turn(rules, turn, left, &mut rng) else { continue };
        tried += 1;
        let expected = count_mates(&midturn);
        let name = || format!("{} {}", rules.name, midturn.fen());
        assert_eq!(mates(&mut solver, &midturn), expected > 0, "{}", name());
        assert_eq!(solver.count(&midturn, &Limits::default()), (expected, End::Complete), "{}", name());
        // Where many moves are left, the tree is large without tricks, and larger still without the seen-table.
        let has_time = if LONG { left < 4 || tried % 2 == 0 } else { left < 4 && tried % 8 == 0 };
        for other in others.iter_mut().filter(|other| has_time && (left < 5 || other.tricks.seen)) {
            assert_eq!(mates(other, &midturn), expected > 0, "{} without {:?}", name(), other.tricks);
        }
        found += u32::from(expected > 0);
    }
    assert!(found > 0, "{}: none of {tried} turns had a mate", rules.name);
    if LONG {
        println!("{}: {tried} turns, {found} with a mate", rules.name);
    }
}

/// A test for each rule set, so that they run side by side.
macro_rules! rule_sets {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                compare_with_brute_force(rules($name));
            }
        )*

        #[test]
        fn every_rule_set_with_a_mate_is_compared() {
            let mut compared = vec![$($name),*];
            let mut all: Vec<&str> = ALL.iter().filter(|rules| rules.has_mate()).map(|rules| rules.name).collect();
            compared.sort_unstable();
            all.sort_unstable();
            assert_eq!(compared, all);
        }
    };
}

rule_sets! {
    italian: "italian",
    scottish: "scottish",
    english: "english",
    logical: "logical",
    logical_scottish: "logical-scottish",
    circe: "circe",
    circe_scottish: "circe-scottish",
    marseillais: "marseillais",
}
