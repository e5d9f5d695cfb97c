//! Series mates: every question of `tests/data/solver.tsv` and of `solver_hard.tsv`, by the moves left, one run of the solver each.
//!
//! A sample is a whole group, found mates and refutations apart; the verdicts are asserted. `crescendo bench mates FILE` tells the times
//! of single positions.

use crescendo::rules::fen;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::ITALIAN;
use crescendo::solver::{Limits, Solver, Verdict};
use divan::Bencher;

const QUESTIONS: &str = include_str!("../../tests/data/solver.tsv");
const HARD: &str = include_str!("../../tests/data/solver_hard.tsv");

/// The solver's table, as large as the engine's own.
const TABLE_BYTES: usize = 16 << 20;

/// Moves left. Questions with more are few.
const QUOTAS: [u8; 9] = [4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The questions with so many moves left and this verdict.
fn group(quota: u8, is_mate: bool) -> Vec<Midturn> {
    let rows = QUESTIONS.lines().filter(|line| !line.starts_with('#'));
    let wanted = rows.map(|row| row.split('\t').collect::<Vec<_>>()).filter(|row| (row[2] == "mate") == is_mate);
    let group: Vec<Midturn> = wanted.map(|row| read(row[0])).filter(|midturn| midturn.left() == quota).collect();
    assert!(!group.is_empty(), "no questions with {quota} moves left");
    group
}

fn read(fen: &str) -> Midturn {
    fen::read(fen, &ITALIAN, Strictness::Lenient).expect("a good FEN").0.midturn()
}

fn solve(solver: &mut Solver, midturn: &Midturn) -> bool {
    match solver.solve(midturn, &Limits::default()).verdict {
        Verdict::Mate(_) => true,
        Verdict::NoMate => false,
        Verdict::Unknown(limit) => panic!("{limit} without limits"),
    }
}

fn run(bencher: Bencher<'_, '_>, quota: u8, is_mate: bool) {
    let group = group(quota, is_mate);
    let mut solver = Solver::new(TABLE_BYTES);
    bencher.bench_local(|| {
        for midturn in &group {
            assert_eq!(solve(&mut solver, midturn), is_mate, "{}", midturn.fen());
        }
    });
}

#[divan::bench(args = QUOTAS, sample_count = 5, sample_size = 1)]
fn found(bencher: Bencher<'_, '_>, quota: u8) {
    run(bencher, quota, true);
}

#[divan::bench(args = QUOTAS, sample_count = 5, sample_size = 1)]
fn refuted(bencher: Bencher<'_, '_>, quota: u8) {
    run(bencher, quota, false);
}

/// The slowest known questions; the file has no verdicts, so the first run is held to all later ones.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn hard(bencher: Bencher<'_, '_>) {
    let hard: Vec<Midturn> = HARD.lines().filter(|line| !line.starts_with('#')).map(read).collect();
    let mut solver = Solver::new(32 << 20);
    let verdicts: Vec<bool> = hard.iter().map(|midturn| solve(&mut solver, midturn)).collect();
    bencher.bench_local(|| {
        for (midturn, &verdict) in hard.iter().zip(&verdicts) {
            assert_eq!(solve(&mut solver, midturn), verdict, "{}", midturn.fen());
        }
    });
}

fn main() {
    divan::main();
}
