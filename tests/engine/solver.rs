//! The solver against brute force, the golden data and itself.

use crescendo::rules::fen;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::perft::count_winning;
use crescendo::rules::position::Position;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ALL, Rules};
use crescendo::solver::all::{End, Go, Solution, Tally};
use crescendo::solver::{Limit, Limits, Solver, Tricks, Verdict, bound};
use crescendo::types::series::Series;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const MATES: &str = include_str!("../data/mates.jsonl");
const QUESTIONS: &str = include_str!("../data/solver.tsv");
const HARD: &str = include_str!("../data/solver_hard.tsv");

/// The default tier leaves what takes long to the long tier.
const LONG: bool = cfg!(feature = "long");
const TABLE: usize = 32 << 20;

fn read(rules: &'static Rules, text: &str) -> Midturn {
    fen::read(text, rules, Strictness::Lenient).unwrap_or_else(|e| panic!("{} {text}: {e}", rules.name)).0.midturn()
}

fn rules(name: &str) -> &'static Rules {
    Rules::by_name(name).expect("a known rule set")
}

/// Plays a mating series with every move checked, and asks the rules for the result.
fn replay(midturn: &Midturn, series: &Series) {
    let mut now = *midturn;
    for (i, &mv) in series.iter().enumerate() {
        let progress = now.play(mv).unwrap_or_else(|e| panic!("{series} from {midturn:?}: {e}"));
        let last = i + 1 == series.len();
        match progress {
            Progress::More => assert!(!last, "{series} does not end the turn"),
            Progress::Over(SeriesEnd::Turn(position)) => {
                assert!(last, "{series} is cut short");
                let winner = position.outcome().and_then(|outcome| outcome.winner());
                assert_eq!(winner, Some(midturn.color()), "{series} does not mate");
            }
            Progress::Over(SeriesEnd::Game(outcome)) => panic!("{series} runs into {outcome}"),
        }
    }
}

/// Whether there is a mate; a mate is replayed.
fn mates(solver: &mut Solver, midturn: &Midturn) -> bool {
    match solver.solve(midturn, &Limits::default()).verdict {
        Verdict::Mate(series) => {
            replay(midturn, &series);
            true
        }
        Verdict::NoMate => false,
        Verdict::Unknown(limit) => panic!("{limit} without limits"),
    }
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

#[test]
fn random_turns_agree_with_brute_force() {
    // Moves left. Brute force takes most of its time where there are most.
    let (count, quotas): (u32, &[u8]) =
        if LONG { (20_000, &[1, 2, 3, 4, 5, 6]) } else { (200, &[1, 2, 2, 3, 3, 3, 3, 4]) };
    let mut solver = Solver::new(TABLE);
    let mut others = handicapped();
    for rules in ALL.into_iter().filter(|rules| rules.has_mate()) {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut tried, mut found) = (0, 0);
        while tried < count {
            let turn = rng.random_range(2..=14);
            let left = quotas[rng.random_range(0..quotas.len())];
            let Some(midturn) = random_turn(rules, turn, left, &mut rng) else { continue };
            tried += 1;
            let expected = count_winning(&midturn);
            let name = || format!("{} {}", rules.name, midturn.fen());
            assert_eq!(mates(&mut solver, &midturn), expected > 0, "{}", name());
            assert_eq!(solver.count(&midturn, &Limits::default()), (expected.into(), End::Complete), "{}", name());
            // Without the seen-table and the plans the tree is large.
            let others = if LONG || left < 4 && tried % 4 == 0 { &mut others[..] } else { &mut [] };
            for other in others {
                assert_eq!(mates(other, &midturn), expected > 0, "{} without {:?}", name(), other.tricks);
            }
            found += u32::from(expected > 0);
        }
        assert!(found > 0, "{}: none of {tried} turns had a mate", rules.name);
    }
}

/// Every prefix of a known mate passes the bound, and has a mate.
fn check_prefixes(solver: &mut Solver, midturn: &Midturn, series: &Series) {
    replay(midturn, series);
    let mut now = *midturn;
    for &mv in series.iter() {
        let cost = bound::cost(&now);
        assert!(cost <= now.left(), "{series}: the bound says {cost} at {}", now.fen());
        if now.left() <= 5 {
            assert!(mates(solver, &now), "{series}: no mate at {}", now.fen());
        }
        now.play_unchecked(mv);
    }
}

#[test]
fn golden_mates() {
    let mut solver = Solver::new(TABLE);
    let mut streaming = Solver::new(TABLE);
    for line in MATES.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let midturn = read(rules(record["rules"].as_str().unwrap()), record["fen"].as_str().unwrap());
        let expected = record["mates"].as_u64().unwrap();
        assert_eq!(mates(&mut solver, &midturn), expected > 0, "{record}");
        assert_eq!(solver.count(&midturn, &Limits::default()), (expected.into(), End::Complete), "{record}");
        // All of them one by one, but only the first of very many.
        let most = if LONG { u64::MAX } else { 10 };
        let mut tally = Tally::default();
        let end = streaming.all(&midturn, None, &Limits::default(), &mut |solution| {
            check_prefixes(&mut solver, &midturn, &solution.series);
            tally.add(solution);
            if tally.series() < most { Go::On } else { Go::Stop }
        });
        assert_eq!(tally.series(), expected.min(most), "{record}");
        assert_eq!(end == End::Complete, expected < most, "{record}");
        assert!(tally.positions() <= tally.series() as usize && tally.move_sets() <= tally.series() as usize);
    }
}

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

/// FEN, quota and verdict of every line.
fn questions() -> impl Iterator<Item = (&'static str, u8, bool)> {
    QUESTIONS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [text, quota, verdict] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (text, quota.parse().unwrap(), verdict == "mate")
    })
}

#[test]
fn golden_questions() {
    let mut solver = Solver::new(TABLE);
    for (text, quota, expected) in questions() {
        let midturn = read(rules("italian"), text);
        assert_eq!(midturn.left(), quota, "{text}");
        if !LONG && quota > 9 {
            continue;
        }
        assert_eq!(mates(&mut solver, &midturn), expected, "{text}");
    }
}

#[test]
fn hard_questions_are_decided() {
    let mut solver = Solver::new(TABLE);
    let hard = HARD.lines().filter(|line| !line.starts_with('#'));
    for text in hard.take(if LONG { usize::MAX } else { 1 }) {
        let _ = mates(&mut solver, &read(rules("italian"), text));
    }
}

/// The same with the colors exchanged. The turn number must have the other parity, so the moves left are given.
fn mirrored(text: &str, quota: u8) -> Option<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [men, side, castling, "-", quiet, number] = fields[..] else { return None };
    let swap = |text: &str| -> String {
        text.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
    };
    let men: Vec<&str> = men.split('/').rev().collect();
    let side = if side == "w" { "b" } else { "w" };
    let number = number.parse::<u16>().unwrap() + 1;
    Some(format!("{} {side} {} - {quiet} {number} {quota}", swap(&men.join("/")), swap(castling)))
}

#[test]
fn colors_make_no_difference() {
    let mut solver = Solver::new(TABLE);
    let mut asked = 0;
    for (text, quota, expected) in questions() {
        if quota > if LONG { 20 } else { 7 } {
            continue;
        }
        let Some(mirrored) = mirrored(text, quota) else { continue };
        // Nobody is in check inside a turn, so questions that begin in check have no mirror.
        let Ok((entry, _)) = fen::read(&mirrored, rules("italian"), Strictness::Lenient) else { continue };
        let midturn = entry.midturn();
        assert_eq!(midturn.left(), quota, "{mirrored}");
        assert_eq!(mates(&mut solver, &midturn), expected, "{text} as {mirrored}");
        asked += 1;
    }
    assert!(asked > 100, "{asked}");
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
    let (counted, _) = command(&["mate", "--count", mate]);
    let (shown, code) = command(&["mate", "--all", mate]);
    assert_eq!(code, Some(0));
    assert_eq!(counted.trim_end(), format!("{} series", shown.lines().count() - 1));
}
