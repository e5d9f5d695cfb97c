//! Series perft: one side moves n times in a row, no check before the last move; ours beside `cozy-chess` with `null_move`.
//!
//! *bulk* counts the last moves without playing them, *made* plays every one. Castling and promotions count as in chess; en
//! passant cannot occur. Both sides of each pair do the same work and are checked against the known count first.

use cozy_chess::Board as CozyBoard;
use crescendo::board::generate::Checks;
use crescendo::board::men::Board;
use crescendo::board::terms::Terms;
use crescendo::rules::fen;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::ITALIAN;
use crescendo::types::BitBoard;
use divan::{Bencher, black_box};
use std::fmt;

/// A start, the length of the series, and how many series there are.
struct Case {
    name: &'static str,
    fen: &'static str,
    plies: u32,
    count: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} n={}", self.name, self.plies)
    }
}

const CASES: [Case; 3] = [
    Case { name: "start", fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", plies: 5, count: 8_941_796 },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        plies: 4,
        count: 5_428_441,
    },
    Case {
        name: "middlegame",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        plies: 4,
        count: 3_400_686,
    },
];

fn ours<const BULK: bool>(board: &Board, plies: u32) -> u64 {
    const TERMS: Terms = Terms::ORDINARY;
    if plies == 1 && BULK {
        return board.count_moves(&TERMS, Checks::Any, BitBoard::FULL);
    }
    let mut count = 0;
    if plies == 1 {
        board.for_each_after(&TERMS, Checks::Any, BitBoard::FULL, |_, after| {
            black_box(after);
            count += 1;
        });
    } else {
        board.for_each_after(&TERMS, Checks::Without, BitBoard::FULL, |_, after| {
            count += ours::<BULK>(after, plies - 1);
        });
    }
    count
}

fn cozy<const BULK: bool>(board: &CozyBoard, plies: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if plies == 1 && BULK {
            count += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            if plies == 1 {
                black_box(&after);
                count += 1;
            } else if let Some(passed) = after.null_move() {
                // A check leaves no null move: series that give check too early drop out.
                count += cozy::<BULK>(&passed, plies - 1);
            }
        }
        false
    });
    count
}

fn our_board(case: &Case) -> Board {
    let (entry, _) = fen::read(case.fen, &ITALIAN, Strictness::Lenient).expect("a good FEN");
    *entry.midturn().board()
}

fn measure(bencher: Bencher<'_, '_>, case: &Case, count: impl Fn() -> u64 + Sync) {
    assert_eq!(count(), case.count, "{case}");
    bencher.counter(divan::counter::ItemsCount::new(case.count)).bench(&count);
}

#[divan::bench(args = &CASES, sample_count = 7, sample_size = 1)]
fn bulk_crescendo(bencher: Bencher<'_, '_>, case: &Case) {
    let board = our_board(case);
    measure(bencher, case, || ours::<true>(black_box(&board), case.plies));
}

#[divan::bench(args = &CASES, sample_count = 7, sample_size = 1)]
fn bulk_cozy_null_move(bencher: Bencher<'_, '_>, case: &Case) {
    let board: CozyBoard = case.fen.parse().expect("a good FEN");
    measure(bencher, case, || cozy::<true>(black_box(&board), case.plies));
}

#[divan::bench(args = &CASES, sample_count = 7, sample_size = 1)]
fn made_crescendo(bencher: Bencher<'_, '_>, case: &Case) {
    let board = our_board(case);
    measure(bencher, case, || ours::<false>(black_box(&board), case.plies));
}

#[divan::bench(args = &CASES, sample_count = 7, sample_size = 1)]
fn made_cozy_null_move(bencher: Bencher<'_, '_>, case: &Case) {
    let board: CozyBoard = case.fen.parse().expect("a good FEN");
    measure(bencher, case, || cozy::<false>(black_box(&board), case.plies));
}

fn main() {
    divan::main();
}
