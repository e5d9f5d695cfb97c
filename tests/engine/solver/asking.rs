//! Streams, fewest moves, refutations, limits, and the command line.

use super::support::{TABLE, read, rules};
use crescendo::rules::position::Position;
use crescendo::solver::all::{Go, Solution};
use crescendo::solver::{Limit, Limits, Solver, Verdict};
use crescendo::types::series::Series;

#[test]
fn a_stream_can_be_resumed() {
    let midturn = read(rules("italian"), "rn1qkbnr/1pp2p1p/8/p2pp3/3P1B2/7b/PPP1P1P1/RN1QKBNR w KQkq a6,d6,e6 0 5");
    let mut solver = Solver::new(TABLE);
    let mut stream = |after: Option<&Series>, most: usize| -> Vec<Solution> {
        let mut shown = Vec::new();
        solver.all(&midturn, after, &Limits::default(), &mut |solution| {
            shown.push(solution.clone());
            if shown.len() < most { Go::On } else { Go::Stop }
        });
        shown
    };
    let all = stream(None, usize::MAX);
    assert!(all.len() > 10, "{}", all.len());
    for stop in [1, 2, all.len() / 2, all.len() - 1] {
        let mut parts = stream(None, stop);
        parts.extend(stream(Some(&parts[stop - 1].series), usize::MAX));
        assert_eq!(parts, all, "stopped after {stop}");
    }
    assert_eq!(stream(Some(&all[all.len() - 1].series), usize::MAX), []);
}

#[test]
fn the_fewest_moves_and_refutations() {
    let start = Position::start(rules("italian"));
    let mut solver = Solver::new(TABLE);
    let answer = solver.fewest(&start.begin(), 4, &Limits::default());
    assert_eq!(answer.series().map(|series| series.len()), Some(4), "the fool is mated with four");
    // 1.e4 2.f6 g5 and the queen mates in three ways.
    let midturn = read(rules("italian"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    let mut refuted = |series: &str| {
        let answer = solver.refute(&midturn, &series.parse().unwrap(), &Limits::default()).unwrap();
        answer.series().is_some()
    };
    assert!(refuted("f7f6,g7g5"));
    assert!(solver.refute(&midturn, &"e7e5,e5e6".parse().unwrap(), &Limits::default()).is_err());
}

#[test]
fn limits_are_kept_and_told() {
    let midturn = read(rules("italian"), "1nk3nr/1p1p2pp/5p2/5P2/8/1P6/6K1/8 b - - 0 10");
    let mut solver = Solver::new(TABLE);
    let answer = solver.solve(&midturn, &Limits::nodes(1000));
    assert_eq!((answer.verdict, answer.nodes), (Verdict::Unknown(Limit::Nodes), 1000));
    let stop = || true;
    let answer = solver.solve(&midturn, &Limits { stop: Some(&stop), ..Limits::default() });
    assert_eq!(answer.verdict, Verdict::Unknown(Limit::Stopped));
    let long = read(rules("italian"), "1nk3nr/1p1p2pp/5p2/5P2/8/1P6/6K1/8 b - - 0 32");
    assert_eq!(solver.solve(&long, &Limits::default()).verdict, Verdict::Unknown(Limit::Quota));
}

/// Output and exit code of the command line.
fn command(args: &[&str]) -> (String, Option<i32>) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_crescendo")).args(args).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn the_command_says_what_it_found() {
    let mate = "rnbqkb1r/ppp1pppp/5n2/1B1P4/8/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4";
    let (text, code) = command(&["mate", mate]);
    assert!(text.starts_with("mate ") && text.contains("Qxf2#"), "{text}");
    assert_eq!(code, Some(0));
    let hard = "1nk3nr/1p1p2pp/5p2/5P2/8/1P6/6K1/8 b - - 0 10";
    let (text, code) = command(&["mate", "--limit", "100", hard]);
    assert!(text.starts_with("unknown: node limit"), "{text}");
    assert_eq!(code, Some(3));
    assert_eq!(command(&["mate", "8/8/8/8/8/5k2/8/K7 w - - 0 5"]).1, Some(1));
    assert_eq!(command(&["mate", "nonsense"]).1, Some(2));
    // The verdict depends neither on the number of threads nor on the memory.
    for extra in [["--threads", "2"], ["--hash", "1"]] {
        assert_eq!(command(&[&["mate", mate], &extra[..]].concat()).1, Some(0), "{extra:?}");
        let none = "7R/pp3p1p/1p3k2/3P4/1b6/5P2/PPP2P1P/RNK5 b - - 0 8 7";
        assert_eq!(command(&[&["mate", none], &extra[..]].concat()).1, Some(1), "{extra:?}");
    }
    let (counted, _) = command(&["mate", "--count", mate]);
    let (shown, code) = command(&["mate", "--all", mate]);
    assert_eq!(code, Some(0));
    assert_eq!(counted.trim_end(), format!("{} series", shown.lines().count() - 1));
}
