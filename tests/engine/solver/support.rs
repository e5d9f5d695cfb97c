//! What the tests of the solver share: reading positions, and believing no mate that two generators have not replayed.

use crate::reference::State;
use crescendo::rules::fen;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};
use crescendo::solver::{Limits, Solver, Verdict, bound};
use crescendo::types::series::Series;

/// The default tier leaves what takes long to the long tier.
pub(crate) const LONG: bool = cfg!(feature = "long");
/// Memory for a solver's table.
pub(crate) const TABLE: usize = 32 << 20;

const QUESTIONS: &str = include_str!("../../data/solver.tsv");

pub(crate) fn rules(name: &str) -> &'static Rules {
    Rules::by_name(name).expect("a known rule set")
}

/// The rule sets a file means: `both` are Italian and Scottish.
pub(crate) fn rule_sets(name: &str) -> Vec<&'static Rules> {
    if name == "both" { vec![&ITALIAN, &SCOTTISH] } else { vec![rules(name)] }
}

pub(crate) fn read(rules: &'static Rules, text: &str) -> Midturn {
    fen::read(text, rules, Strictness::Lenient).unwrap_or_else(|e| panic!("{} {text}: {e}", rules.name)).0.midturn()
}

/// The fields of every line that is no comment.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// FEN, quota and verdict of every line of `solver.tsv`.
pub(crate) fn questions() -> impl Iterator<Item = (&'static str, u8, bool)> {
    rows(QUESTIONS).map(|row| {
        let [text, quota, verdict] = row[..] else { panic!("{row:?}") };
        (text, quota.parse().unwrap(), verdict == "mate")
    })
}

/// Plays a mating series with every move checked, and asks the rules for the result.
pub(crate) fn replay(midturn: &Midturn, series: &Series) {
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

/// The same asked of the slow generator, which shares no code with the engine.
pub(crate) fn replay_slowly(midturn: &Midturn, series: &Series) {
    let text = midturn.fen();
    let mut state = State::parse(midturn.rules().name, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let mover = if midturn.turn().number() % 2 == 1 { 'w' } else { 'b' };
    for mv in series.iter() {
        state.play(&mv.to_string()).unwrap_or_else(|e| panic!("{series} from {text}: {e}"));
    }
    assert_eq!((state.status(), state.winner()), ("mate", Some(mover)), "{series} from {text}");
}

/// The mate of this turn, replayed twice, or `None` if it is proved that there is none.
pub(crate) fn mate(solver: &mut Solver, midturn: &Midturn) -> Option<Series> {
    match solver.solve(midturn, &Limits::default()).verdict {
        Verdict::Mate(series) => {
            replay(midturn, &series);
            replay_slowly(midturn, &series);
            Some(series)
        }
        Verdict::NoMate => None,
        Verdict::Unknown(limit) => panic!("{limit} without limits"),
    }
}

/// Whether there is a mate; a mate is replayed.
pub(crate) fn mates(solver: &mut Solver, midturn: &Midturn) -> bool {
    mate(solver, midturn).is_some()
}

/// Every prefix of a known mate passes the bound, and has a mate.
pub(crate) fn check_prefixes(solver: &mut Solver, midturn: &Midturn, series: &Series) {
    replay(midturn, series);
    let mut now = *midturn;
    for &mv in series.iter() {
        let cost = bound::cost(&now);
        assert!(cost <= now.left(), "{series}: the bound says {cost} at {}", now.fen());
        if now.left() <= 5 {
            let verdict = solver.solve(&now, &Limits::default()).verdict;
            assert!(matches!(verdict, Verdict::Mate(_)), "{series}: {verdict:?} at {}", now.fen());
        }
        now.play_unchecked(mv);
    }
}
