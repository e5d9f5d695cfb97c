//! The solver against brute force, the golden data and itself.

use crescendo::rules::fen;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::perft::winning_series;
use crescendo::rules::position::Position;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ALL, Rules};
use crescendo::solver::{Limit, Limits, Solver, Verdict};
use crescendo::types::series::Series;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const MATES: &str = include_str!("../data/mates.jsonl");
const QUESTIONS: &str = include_str!("../data/solver.tsv");

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

#[test]
fn random_turns_agree_with_brute_force() {
    let (count, deepest) = if LONG { (20_000, 6) } else { (200, 4) };
    let mut solver = Solver::new(TABLE);
    for rules in ALL.into_iter().filter(|rules| rules.has_mate()) {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut tried, mut found) = (0, 0);
        while tried < count {
            let turn = rng.random_range(2..=14);
            let left = rng.random_range(1..=deepest);
            let Some(midturn) = random_turn(rules, turn, left, &mut rng) else { continue };
            tried += 1;
            let expected = !winning_series(&midturn, 1).is_empty();
            assert_eq!(mates(&mut solver, &midturn), expected, "{} {}", rules.name, midturn.fen());
            found += u32::from(expected);
        }
        assert!(found > 0, "{}: none of {tried} turns had a mate", rules.name);
    }
}

#[test]
fn golden_mates() {
    let mut solver = Solver::new(TABLE);
    for line in MATES.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let midturn = read(rules(record["rules"].as_str().unwrap()), record["fen"].as_str().unwrap());
        assert_eq!(mates(&mut solver, &midturn), record["mates"].as_u64().unwrap() > 0, "{record}");
    }
}

#[test]
fn golden_questions() {
    let mut solver = Solver::new(TABLE);
    for line in QUESTIONS.lines().filter(|line| !line.starts_with('#')) {
        let [text, quota, verdict] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let midturn = read(rules("italian"), text);
        assert_eq!(midturn.left().to_string(), quota, "{line}");
        if !LONG && midturn.left() > 6 {
            continue;
        }
        assert_eq!(mates(&mut solver, &midturn), verdict == "mate", "{line}");
    }
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
