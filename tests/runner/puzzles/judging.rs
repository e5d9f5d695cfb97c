//! What an attempt is worth, and what people's attempts do to ratings.

use crescendo::solver::Solver;
use crescendo::types::series::Series;
use crescendo_runner::puzzle::item::{Kind, mating_rules, position};
use crescendo_runner::puzzle::judge::{Judgment, judge};
use crescendo_runner::puzzle::people::{after, parse, update};
use crescendo_runner::puzzle::row::Row;
use crescendo_runner::stats::glicko2::Glicko2;

fn judged(rules: &str, fen: &str, before: &str, attempt: &str) -> Judgment {
    let start = position(mating_rules(rules).unwrap(), fen, before).unwrap();
    let key: Series = "f1c4,d1h5,h5f7".parse().unwrap();
    judge(&mut Solver::new(1 << 20), &start, Kind::Mate, &key, &attempt.parse().unwrap())
}

#[test]
fn every_verdict_on_an_attempt() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let italian = |attempt: &str| judged("italian", after_e4, "e7e5,g8f6", attempt);
    assert_eq!(italian("f1c4,d1h5,h5f7"), Judgment::Solved { key: true });
    assert_eq!(italian("d1h5,f1c4,h5f7"), Judgment::Solved { key: false });
    assert!(matches!(italian("f1c4,c4f7,d1h5"), Judgment::Illegal { leg: 2, why } if why.contains("check before")));
    assert!(matches!(italian("e2e4"), Judgment::Illegal { leg: 1, .. }));
    assert_eq!(italian("f1c4,d1h5"), Judgment::Incomplete { left: 1 });
    assert_eq!(italian("f1c4,d1h5,a2a3"), Judgment::NoMate);
    assert_eq!(italian("f1c4,d1h5,a2a3,b2b3"), Judgment::TooLong { leg: 3 });
    // Scottish: the check ends the series.
    assert_eq!(judged("scottish", after_e4, "e7e5,g8f6", "f1c4,c4f7,d1h5"), Judgment::TooLong { leg: 2 });
    assert_eq!(judged("scottish", after_e4, "e7e5,g8f6", "f1c4,c4f7"), Judgment::NoMate);
}

fn row(id: &str) -> Row {
    Row::parse(&[id, "", "", "1500", "100", "0", "0", "", "", ""]).unwrap()
}

#[test]
fn first_attempts_count_and_unknown_solvers_move_no_puzzle() {
    let text = "PuzzleId,Solver,Solved,Theme\na,ann,1,\na,ann,0,\nb,ann,0,\nx,ann,1,\n";
    let mut rows = [row("a"), row("b"), row("c")];
    let updated = update(&mut rows, &parse(text).unwrap());
    assert_eq!((updated.counted, updated.repeated, updated.unknown), (2, 1, 1));
    // Ann has just begun: her deviation is far above the limit of those who say something about a puzzle.
    assert_eq!(
        rows.iter().map(|row| (row.rating, row.nb_plays)).collect::<Vec<_>>(),
        [(1500, 1), (1500, 1), (1500, 0)]
    );
    assert!(updated.solvers["ann"].deviation < 500.0);
}

#[test]
fn known_solvers_move_puzzles_toward_the_result_and_announced_themes_count_less() {
    let solver = Glicko2 { rating: 1500.0, deviation: 60.0, volatility: 0.06 };
    let puzzle = Glicko2 { deviation: 100.0, ..solver };
    let (won, easier) = after(&solver, &puzzle, true, None);
    let (lost, harder) = after(&solver, &puzzle, false, None);
    assert!(won.rating > 1500.0 && easier.rating < 1500.0 && lost.rating < 1500.0 && harder.rating > 1500.0);
    // Equal rating, win and loss: as far up as down.
    assert!((easier.rating + harder.rating - 3000.0).abs() < 0.5);
    let (hinted, _) = after(&solver, &puzzle, true, Some("promotion"));
    let (obvious, _) = after(&solver, &puzzle, true, Some("castling"));
    let gain = |after: &Glicko2| after.rating - 1500.0;
    assert!((gain(&hinted) / gain(&won) - 0.2).abs() < 1e-9 && (gain(&obvious) / gain(&won) - 0.1).abs() < 1e-9);
    // A provisional puzzle says less: 1 - 0.7 for a loss.
    let provisional = Glicko2 { deviation: 109.999_999, ..solver };
    let (full, _) = after(&solver, &provisional, false, None);
    let (part, _) = after(&solver, &Glicko2 { deviation: 110.0, ..solver }, false, None);
    assert!((gain(&part) / gain(&full) - 0.3).abs() < 1e-6);
}

#[test]
fn attempts_that_are_none_are_named_by_line_and_field() {
    let fault = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(fault("a,b,1\n"), "line 1, header: expected PuzzleId,Solver,Solved,Theme");
    assert_eq!(fault("PuzzleId,Solver,Solved\na,b,yes\n"), "line 2, Solved: 'yes' is neither 1 nor 0");
    assert_eq!(fault("PuzzleId,Solver,Solved\na,b,1\na\n"), "line 3, Solver: missing");
    assert_eq!(fault("PuzzleId,Solver,Solved\n,b,1\n"), "line 2, PuzzleId: empty");
}
