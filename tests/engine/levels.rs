//! How levels err: by the length and the pattern of mates, alike on every machine, and not below what people do.

use crescendo::rules::fen;
use crescendo::rules::midturn::{Midturn, Step};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};
use crescendo::search::beam::enumerate;
use crescendo::search::levels::Level;
use crescendo::search::limits::Limits;
use crescendo::search::sight::Pattern;
use crescendo::search::think::{Searcher, Settings};
use crescendo::solver::{self, Solver, Verdict};
use crescendo::types::Role;
use crescendo::types::moves::Move;
use crescendo::types::squares::Squares;

fn midturn(text: &str, rules: &'static Rules) -> Midturn {
    fen::read(text, rules, Strictness::Lenient).unwrap().0.midturn()
}

/// Positions of `tests/data/mates.jsonl` under a rule set.
fn positions(rules: &'static Rules) -> Vec<Midturn> {
    let text = include_str!("../data/mates.jsonl");
    // A line: {"rules": "italian", "fen": "…", "mates": 0}
    let known = |line: &str| {
        let words: Vec<&str> = line.split('"').collect();
        (words[3] == rules.name).then(|| midturn(words[7], rules))
    };
    text.lines().filter_map(known).collect()
}

fn erring() -> impl Iterator<Item = &'static Level> {
    Level::all().iter().filter(|level| level.sight.is_some())
}

/// What the level plays, in the mover's view.
fn answer(searcher: &mut Searcher, state: &Midturn, level: &Level, seed: u64) -> Vec<Move> {
    let settings = Settings { level: *level, seed };
    let choice = searcher.think(state, &settings, &Limits::nodes(200_000), &mut |_| {});
    choice.series.unwrap_or_default().iter().map(|mv| mv.seen_by(state.color())).collect()
}

fn after(state: &Midturn, moves: &[Move]) -> Midturn {
    moves.iter().fold(*state, |mut now, &mv| {
        now.step(mv);
        now
    })
}

fn mates(state: &Midturn, moves: &[Move]) -> bool {
    let end = after(state, moves);
    end.board().gives_check() && !end.next_position().begin().has_legal()
}

/// The mate that the solver finds, in the mover's view.
fn mate(solver: &mut Solver, state: &Midturn) -> Option<Vec<Move>> {
    match solver.solve(state, &solver::Limits::nodes(2_000_000)).verdict {
        Verdict::Mate(series) => Some(series.iter().map(|mv| mv.seen_by(state.color())).collect()),
        Verdict::NoMate | Verdict::Unknown(_) => None,
    }
}

#[test]
fn every_level_above_novice_takes_a_mate_of_one_man_in_two_moves() {
    let (mut solver, mut searcher) = (Solver::new(1 << 20), Searcher::new(4).unwrap());
    let mut found = 0;
    for rules in [&ITALIAN, &SCOTTISH] {
        let mut states = Vec::new();
        for state in positions(rules) {
            let Some(moves) = mate(&mut solver, &state) else { continue };
            // Also what is left of a longer mate.
            let rest = moves.len().saturating_sub(2);
            states.push((after(&state, &moves[..rest]), moves[rest..].to_vec()));
        }
        for (state, moves) in states {
            if moves.len() > 2 || Pattern::of(&state, &moves).men != 1 {
                continue;
            }
            found += 1;
            for level in Level::all().iter().skip(1).chain(Level::personalities()) {
                let played = answer(&mut searcher, &state, level, found);
                assert!(mates(&state, &played), "{}: {} {played:?}", level.name, state.fen());
            }
        }
    }
    assert!(found >= 20, "{found} such mates");
}

/// Whether the opponent can take a queen with his first move, and the series took no piece for it. By move generation, not by the engine's
/// own rule.
fn throws_queen(before: &Midturn, end: &Midturn) -> bool {
    let men = |state: &Midturn| state.board().them() & !state.board().role(Role::Pawn);
    let queens = end.board().ours(Role::Queen);
    let reply = end.next_position().begin();
    let color = !end.color();
    let takes = |mv: &Move| queens.squares().any(|queen| queen.relative_to(end.color()) == mv.to().relative_to(color));
    men(before).len() == men(end).len() && reply.legal_seen_by_mover().iter().any(takes)
}

#[test]
fn no_level_throws_its_queen_away_where_a_third_of_the_series_do_not() {
    let (mut solver, mut searcher) = (Solver::new(1 << 20), Searcher::new(4).unwrap());
    let (mut asked, mut seed) = (0, 0);
    for rules in [&ITALIAN, &SCOTTISH] {
        let states = positions(rules).into_iter().filter(|state| !state.board().ours(Role::Queen).is_empty());
        for state in states.take(60) {
            if mate(&mut solver, &state).is_some() || state.left() > 5 {
                continue;
            }
            let Some(ends) = enumerate(&state, 4_000) else { continue };
            let keeps = ends.iter().filter(|end| end.is_drawn || !throws_queen(&state, &end.end)).count();
            if ends.len() < 3 || keeps * 3 < ends.len() {
                continue;
            }
            asked += 1;
            for level in erring() {
                seed += 1;
                let end = after(&state, &answer(&mut searcher, &state, level, seed));
                assert!(!throws_queen(&state, &end), "{}: {}", level.name, state.fen());
            }
        }
    }
    assert!(asked >= 10, "{asked} positions");
}

/// Over positions and seeds: the longer a mate, the fewer see it; and the higher a level, the more it sees.
#[test]
fn solve_rates_fall_with_length_and_rise_with_the_level() {
    let (mut solver, mut searcher) = (Solver::new(1 << 20), Searcher::new(4).unwrap());
    let mut lengths = [Vec::new(), Vec::new()];
    for state in positions(&ITALIAN) {
        if let Some(moves) = mate(&mut solver, &state)
            && moves.len() >= 3
        {
            lengths[usize::from(moves.len() >= 6)].push(state);
        }
    }
    let mut before = [0; 2];
    for name in ["Beginner", "Regular", "Expert"] {
        let level = Level::by_name(name).unwrap();
        let rates = [0, 1].map(|which| {
            let states = &lengths[which][..lengths[which].len().min(25)];
            assert!(states.len() >= 10, "{}", states.len());
            let mut solved = 0;
            for (seed, state) in (1u64..).zip(states.iter().cycle().take(50)) {
                solved += u32::from(mates(state, &answer(&mut searcher, state, level, seed)));
            }
            solved
        });
        assert!(rates[0] > rates[1], "{name}: {rates:?} of 50");
        assert!(rates[0] > before[0] && rates[1] >= before[1], "{name}: {rates:?} after {before:?}");
        before = rates;
    }
}

/// What is left of a mate once seen is seen, as asking for a series move by move needs it.
#[test]
fn a_mate_once_begun_is_seen_to_its_end() {
    let mut searcher = Searcher::new(4).unwrap();
    let level = Level::by_name("Regular").unwrap();
    let mut begun = 0;
    for (seed, state) in (1u64..).zip(positions(&SCOTTISH).into_iter().chain(positions(&ITALIAN)).take(200)) {
        let moves = answer(&mut searcher, &state, level, seed);
        if moves.len() < 3 || !mates(&state, &moves) {
            continue;
        }
        let (whole, rest) = (Pattern::of(&state, &moves), Pattern::of(&after(&state, &moves[..1]), &moves[1..]));
        let sight = level.sight.unwrap();
        assert_eq!(whole.end, rest.end);
        assert!(sight.own_chance(&rest) >= sight.own_chance(&whole), "{} {moves:?}", state.fen());
        begun += 1;
    }
    assert!(begun >= 10, "{begun}");
}

/// The kinds of mate move, each shown by a small position.
#[test]
fn patterns_are_told_by_rules() {
    let pattern = |text: &str, moves: &str| {
        let state = midturn(text, &ITALIAN);
        let moves: Vec<Move> = moves.split(',').map(|mv| mv.parse::<Move>().unwrap().seen_by(state.color())).collect();
        let mut now = state;
        for &mv in &moves {
            assert!(now.is_legal(mv), "{text} {mv:?}");
            assert_eq!(now.step(mv) == Step::TurnOver, now.left() == 0);
        }
        Pattern::of(&state, &moves)
    };
    let castles = pattern("k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    assert!(castles.castles && castles.men == 2 && castles.quiet == 0 && !castles.marches);
    let march = pattern("7k/8/8/8/8/8/8/4K3 w - - 0 3", "e1d2,d2d3,d3d4");
    assert!(march.marches && march.men == 1 && march.quiet == 2 && march.length == 3);
    let knight = pattern("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n");
    assert!(knight.under_promotes && !knight.is_discovered);
    let passing = pattern("7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    assert!(passing.en_passant && passing.backward == 0);
    let discovered = pattern("3k4/8/8/3N4/8/8/8/3RK3 w - - 0 1", "d5b6");
    assert!(discovered.is_discovered && !discovered.is_double);
    let both = pattern("3k4/8/3N4/8/8/8/8/3RK3 w - - 0 1", "d6f7");
    assert!(both.is_discovered && both.is_double);
    let back = pattern("7k/8/8/3R4/8/8/8/4K3 w - - 0 1", "d5d1");
    assert!(back.backward == 1 && back.men == 1);
}
