//! Composed positions with more men than a game can have: generator against reference, solver against brute force.

#![allow(clippy::print_stdout, reason = "tests say what they compared")]

#[path = "../reference/mod.rs"]
mod reference;

use crescendo::board::generate::Checks;
use crescendo::rules::fen;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::perft::count_winning;
use crescendo::rules::setup::{SetupError, Strictness};
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use crescendo::solver::all::End;
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::BitBoard;
use crescendo::types::moves::{MAX_MOVES, Move};
use reference::State;
use reference::walk::SplitMix64;

const POSITIONS: usize = if cfg!(feature = "long") { 5_000 } else { 150 };
const QUESTIONS: usize = if cfg!(feature = "long") { 1_000 } else { 40 };

/// A board of random men, up to `most` a side, one king each, White's in capitals.
fn board(rng: &mut SplitMix64, most: usize) -> String {
    let mut men = ['1'; 64];
    for (king, letters) in [('K', "PPPNNNBRQ"), ('k', "pppnnnbrq")] {
        let letters = letters.as_bytes();
        for i in 0..1 + rng.below(most) {
            let square = rng.below(64);
            let letter = letters[rng.below(letters.len())] as char;
            let outer = matches!(square / 8, 0 | 7);
            if men[square] == '1' && i > 0 && !(outer && letter.eq_ignore_ascii_case(&'p')) {
                men[square] = letter;
            }
        }
        let free: Vec<usize> = (0..64).filter(|&square| men[square] == '1').collect();
        men[free[rng.below(free.len())]] = king;
    }
    let ranks: Vec<String> = men.chunks(8).map(|rank| rank.iter().collect()).collect();
    ranks.join("/")
}

/// Random positions of these rules with `left` moves to go and more than 16 men on one side at least.
fn crowds(rules: &'static Rules, seed: u64, left: u8, most: usize) -> impl Iterator<Item = Midturn> {
    let mut rng = SplitMix64::new(seed);
    std::iter::from_fn(move || {
        loop {
            let (side, turn) = if rng.below(2) == 0 { ('w', 9) } else { ('b', 10) };
            let text = format!("{} {side} - - 0 {turn} {left}", board(&mut rng, most));
            let Ok((entry, _)) = fen::read(&text, rules, Strictness::Lenient) else { continue };
            let midturn = entry.midturn();
            if midturn.board().us().len().max(midturn.board().them().len()) > 16 {
                return Some(midturn);
            }
        }
    })
}

#[test]
fn the_generators_agree() {
    for (seed, rules) in (1u64..).zip(ALL) {
        let mut most = 0;
        let left = rules.quota(crescendo::types::turn::Turn::new(9).unwrap()).min(2);
        for midturn in crowds(rules, seed, left, 60).take(POSITIONS) {
            let state = State::parse(rules.name, &midturn.fen()).unwrap_or_else(|e| panic!("{}: {e}", midturn.fen()));
            most = most.max(midturn.board().us().len());
            if midturn.outcome().is_some() {
                assert_ne!(state.status(), "ongoing", "{} {}", rules.name, midturn.fen());
                continue;
            }
            let mut legs: Vec<String> = midturn.legal().iter().map(Move::to_string).collect();
            legs.sort();
            assert_eq!(legs, state.legal(), "{} {}", rules.name, midturn.fen());
        }
        println!("{}: {POSITIONS} positions, up to {most} men of the mover", rules.name);
        assert!(most > 30, "{most}");
    }
}

#[test]
fn the_solver_agrees_with_brute_force() {
    let mut solver = Solver::new(8 << 20);
    for rules in ALL.into_iter().filter(|rules| rules.has_mate()) {
        let (mut mates, mut many) = (0, 0);
        for left in [1, 2] {
            for midturn in crowds(rules, 50 + u64::from(left), left, 40).take(QUESTIONS) {
                let expected = count_winning(&midturn);
                let text = midturn.fen();
                let verdict = solver.solve(&midturn, &Limits::default()).verdict;
                assert_eq!(matches!(verdict, Verdict::Mate(_)), expected > 0, "{} {text}", rules.name);
                let count = solver.count(&midturn, &Limits::default());
                assert_eq!(count, (expected.into(), End::Complete), "{} {text}", rules.name);
                mates += usize::from(expected > 0);
                many += usize::from(midturn.board().us().len() > 16);
            }
        }
        println!("{}: {mates} of {} mate, {many} with many men", rules.name, 2 * QUESTIONS);
        assert!(mates > 0 && many > 0, "{}", rules.name);
    }
}

/// The solver plans with four moves left and bounds with more; neither speaks for so many men, and neither may break.
#[test]
fn longer_turns_of_many_men_end_by_their_limit() {
    let mut solver = Solver::new(8 << 20);
    for (left, midturn) in (3..=8).flat_map(|left| crowds(&ITALIAN, 70, left, 60).take(5).map(move |m| (left, m))) {
        let limits = Limits { nodes: 20_000, stop: None };
        let answer = solver.solve(&midturn, &limits);
        assert!(answer.nodes <= limits.nodes, "{left} {}", midturn.fen());
    }
}

#[test]
fn a_king_may_face_a_line_of_queens() {
    // Fourteen queens on the lines of their king: more than one in most directions, all of which the solver keeps in mind.
    let text = "3q3q/q2q2q1/1q1q1q2/2q1q3/3k1qqq/8/8/K7 w - - 0 5";
    let midturn = fen::read(text, &ITALIAN, Strictness::Lenient).map(|(entry, _)| entry.midturn()).unwrap();
    let answer = Solver::new(1 << 20).solve(&midturn, &Limits { nodes: 100_000, stop: None });
    assert!(!matches!(answer.verdict, Verdict::Mate(_)), "a lone king mates nobody");
}

#[test]
fn no_position_has_more_moves_than_the_list_holds() {
    // As dense as queens get without standing in each other's way all too much.
    for text in ["Q6Q/1Q1QQ1Q1/2Q2Q2/1Q4Q1/1Q4Q1/2Q2Q2/1Q1QQ1Q1/Q3K1kQ", "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ"] {
        let text = format!("{text} w - - 0 1");
        let rules = Rules::by_name("takeall").unwrap();
        let midturn = fen::read(&text, rules, Strictness::Lenient).unwrap().0.midturn();
        let board = midturn.board();
        let count = board.count_moves(midturn.terms(), Checks::Any, BitBoard::FULL);
        assert_eq!(board.moves(midturn.terms(), Checks::Any, BitBoard::FULL).len() as u64, count);
        assert!(count < MAX_MOVES as u64);
    }
}

#[test]
fn strict_reading_refuses_them() {
    // A problem of a published collection, in which Black has 17 men.
    let text = "rn1qkbnr/ppp2ppp/2n5/1B2p3/3Pp3/2N5/PPP2PPP/R1BbK1NR w KQkq - 0 5";
    assert_eq!(fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().1, []);
    let strict = fen::read(text, &ITALIAN, Strictness::Strict).unwrap_err().to_string();
    assert_eq!(strict, SetupError::TooManyMen("Black", 17).to_string());
    let midturn = fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().0.midturn();
    let answer = Solver::new(8 << 20).solve(&midturn, &Limits::default());
    assert!(matches!(answer.verdict, Verdict::Mate(_)), "{:?}", answer.verdict);
}
