//! The search: always a legal, complete series; the same seed and nodes give the same one; mates are found and not left.

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::outcome::{Outcome, WinBy};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use crescendo::search::crew::Crew;
use crescendo::search::info::{Choice, Event, Info};
use crescendo::search::levels::Level;
use crescendo::search::limits::{Limits, Pace};
use crescendo::search::safety::Safety;
use crescendo::search::think::{Searcher, Settings};
use crescendo::solver::{self, Solver, Verdict};
use crescendo::types::score::Score;
use crescendo::types::series::Series;

fn midturn(text: &str, rules: &'static Rules) -> Midturn {
    fen::read(text, rules, Strictness::Lenient).unwrap().0.midturn()
}

fn think(midturn: &Midturn, level: &'static Level, seed: u64, limits: &Limits<'_>) -> (Choice, Vec<Info>) {
    let mut searcher = Searcher::new(16).unwrap();
    let mut lines = Vec::new();
    let choice = searcher.think(midturn, &Settings { level: *level, seed }, limits, &mut |event| {
        if let Event::Line(info) = event {
            lines.push(info);
        }
    });
    (choice, lines)
}

/// Plays `series` as a whole: legal, and neither too short nor too long.
fn play(game: &mut Game, series: &Series) {
    for (i, &mv) in series.iter().enumerate() {
        let progress = game.play(mv).unwrap_or_else(|e| panic!("{} after {}: {e}", series, game.current().fen()));
        let is_last = i + 1 == series.len();
        assert_eq!(matches!(progress, Progress::Over(_)), is_last, "{series} at move {}", i + 1);
    }
}

#[test]
fn whole_games_of_every_rule_set_and_level_are_legal() {
    for rules in ALL {
        for (seed, level) in (1u64..).zip(Level::all()) {
            let mut game = Game::new(rules);
            let mut searcher = Searcher::new(16).unwrap();
            while game.outcome().is_none() && game.current().turn().number() <= 10 {
                let settings = Settings { level: *level, seed };
                let mut last_pv = None;
                let choice = searcher.think(game.current(), &settings, &Limits::nodes(3_000), &mut |event| {
                    if let Event::Line(Info { multi_pv: 1, pv, .. }) = event {
                        last_pv = pv.first().cloned();
                    }
                });
                let series = choice.series.expect("the game is not over");
                assert_eq!(last_pv.as_ref(), Some(&series), "the last line begins with the answer");
                play(&mut game, &series);
            }
        }
    }
}

#[test]
fn same_seed_and_nodes_same_series() {
    let middle = midturn("rnbqkb1r/ppp1pppp/5n2/3p2B1/3P4/2N2N2/PPP1PPPP/R2QKB1R b KQkq - 0 4", &ITALIAN);
    for level in Level::all() {
        let once = think(&middle, level, 7, &Limits::nodes(20_000));
        assert_eq!(once, think(&middle, level, 7, &Limits::nodes(20_000)), "{}", level.name);
    }
}

#[test]
fn finds_the_mate_of_the_protocol_text() {
    let mut game = Game::new(&ITALIAN);
    for series in ["e2e4", "e7e5,g8f6"] {
        play(&mut game, &series.parse().unwrap());
    }
    let (choice, _) = think(game.current(), Level::full(), 1, &Limits::nodes(1_000_000));
    assert_eq!(choice.score, Score::mate_in(1));
    play(&mut game, &choice.series.unwrap());
    assert!(game.outcome().is_some());
}

#[test]
fn the_mates_of_published_games_are_played() {
    let mut mates = 0;
    for row in include_str!("../data/games.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [rules, _, name, text] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let published = games(text, Rules::by_name(rules).unwrap()).next().unwrap().unwrap().game;
        if !matches!(published.outcome(), Some(Outcome::Win { by: WinBy::Mate, .. })) {
            continue;
        }
        let mut game = Game::new(published.rules());
        let (_, before) = published.turns().split_last().unwrap();
        before.iter().for_each(|(_, series)| play(&mut game, series));
        let (choice, _) = think(game.current(), Level::full(), 1, &Limits::nodes(200_000));
        play(&mut game, &choice.series.unwrap());
        assert!(matches!(game.outcome(), Some(Outcome::Win { by: WinBy::Mate, .. })), "{name}");
        mates += 1;
    }
    assert_eq!(mates, 5);
}

#[test]
fn avoids_a_mate_in_the_next_turn() {
    // After 1.e4, half of Black's replies lose to a mate in turn 3; a full-strength answer never does.
    let mut game = Game::new(&ITALIAN);
    play(&mut game, &"e2e4".parse().unwrap());
    for seed in 0..3 {
        let mut game = game.clone();
        let (choice, _) = think(game.current(), Level::full(), seed, &Limits::nodes(300_000));
        play(&mut game, &choice.series.unwrap());
        let (answer, _) = think(game.current(), Level::full(), seed, &Limits::nodes(1_000_000));
        assert_ne!(answer.score, Score::mate_in(1), "{}", game.current().fen());
    }
}

#[test]
fn the_only_series_is_played_at_once() {
    let corner = midturn("1r5k/8/8/8/8/8/8/K7 w - - 0 1", &ITALIAN);
    let (choice, lines) = think(&corner, Level::full(), 1, &Limits::nodes(10_000_000));
    assert_eq!(choice.series, Some("a1a2".parse().unwrap()));
    assert!(choice.nodes < 30_000 && lines.len() == 1, "{} nodes, {lines:?}", choice.nodes);
}

#[test]
fn search_moves_restrict_the_answer() {
    let start = midturn("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", &ITALIAN);
    let limits =
        Limits { prefixes: vec!["e7e5".parse().unwrap(), "d7d5,g8f6".parse().unwrap()], ..Limits::nodes(5_000) };
    let (choice, _) = think(&start, Level::full(), 1, &limits);
    let series = choice.series.unwrap();
    assert!(series.to_string().starts_with("e7e5,") || series.to_string() == "d7d5,g8f6", "{series}");
    let none = Limits { prefixes: vec!["e2e4".parse().unwrap()], ..Limits::nodes(5_000) };
    assert_eq!(think(&start, Level::full(), 1, &none).0.series, None);
}

#[test]
fn finished_games_have_no_answer() {
    let mated = midturn("rnbqkb1r/pppp1Qpp/5n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", &ITALIAN);
    let (choice, lines) = think(&mated, Level::full(), 1, &Limits::nodes(1000));
    assert_eq!((choice.series, choice.score), (None, Score::MATED));
    assert_eq!(lines[0].score, Score::MATED);
}

/// A budget that is used up from the start.
struct Hurry;

impl Pace for Hurry {
    fn used(&self) -> f64 {
        2.0
    }

    fn is_stopped(&self) -> bool {
        true
    }
}

#[test]
fn without_any_time_there_is_still_a_legal_series() {
    let limits = Limits { nodes: None, pace: &Hurry, ..Limits::nodes(1) };
    for rules in ALL {
        for turn in [1u16, 2, 3, 8, 15, 30, 99, 254, 255] {
            let side = if turn % 2 == 1 { "w" } else { "b" };
            let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} - - 0 {turn}");
            let state = midturn(&text, rules);
            let (choice, _) = think(&state, Level::full(), 1, &limits);
            let (entry, _) = fen::read(&text, rules, Strictness::Lenient).unwrap();
            play(&mut Game::from_entry(entry), &choice.series.unwrap());
        }
    }
}

#[test]
fn multi_pv_gives_different_series() {
    let start = midturn("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", &ITALIAN);
    let limits = Limits { multi_pv: 5, ..Limits::nodes(50_000) };
    let (_, lines) = think(&start, Level::full(), 1, &limits);
    let last: Vec<&Info> = lines.iter().rev().take(5).collect();
    let mut first: Vec<String> = last.iter().map(|info| info.pv[0].to_string()).collect();
    assert_eq!(last.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 5);
}

#[test]
fn hard_turns_are_survived_within_a_number_of_nodes() {
    // Of tests/data/nosafe.tsv, where a rough player found nothing safe.
    let hard = [
        "1nk3nr/1p4pp/8/3ppp2/1p2P3/3P4/1P3PPP/1r2KBNR w K - 0 7",
        "Bn3bnr/p1pkpppp/8/8/5P2/6K1/PPPPP3/RNBQ2N1 b - - 0 6",
        "B4Q2/p2kp2p/2p5/8/8/6K1/PP1PP3/RNBn2N1 b - - 0 8",
    ];
    let mut survived = 0;
    for text in hard {
        let turn = midturn(text, &ITALIAN);
        let (choice, _) = think(&turn, Level::full(), 1, &Limits::nodes(4_000_000));
        if choice.safety == Safety::Safe {
            survived += 1;
            let refutation = Solver::new(1 << 26).refute(&turn, &choice.series.unwrap(), &solver::Limits::default());
            assert_eq!(refutation.unwrap().verdict, Verdict::NoMate, "{text}");
        }
    }
    assert!(survived >= 2, "{survived} of {}", hard.len());
}

#[test]
fn a_lost_turn_with_few_ends_is_known_to_be_lost() {
    // All ends are tried, so the search ends by itself, whatever its limit.
    for text in ["8/8/8/1Q6/8/4K3/1k6/6N1 b - - 0 12", "8/1K3k2/8/p7/7p/8/1q3n2/8 w - - 0 11"] {
        let turn = midturn(text, &ITALIAN);
        let (choice, _) = think(&turn, Level::full(), 1, &Limits { nodes: None, ..Limits::nodes(1) });
        assert_eq!(choice.score, Score::mated_in(1), "{text}");
        assert!(matches!(choice.safety, Safety::Mated(_)));
    }
}

/// Several threads, as the workers' floor makes them.
struct Threads(usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn work(&self, work: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for k in 0..self.0 {
                scope.spawn(move || work(k));
            }
        });
    }
}

#[test]
fn several_threads_keep_what_one_promises() {
    let turn = midturn("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", &ITALIAN);
    for threads in [2, 3] {
        let limits = Limits { crew: &Threads(threads), ..Limits::nodes(600_000) };
        let (choice, _) = think(&turn, Level::full(), 1, &limits);
        // What is safe by the search is safe, and the node limit holds for all threads together.
        assert_eq!(choice.safety, Safety::Safe);
        let refutation = Solver::new(1 << 26).refute(&turn, &choice.series.unwrap(), &solver::Limits::default());
        assert_eq!(refutation.unwrap().verdict, Verdict::NoMate);
        assert!(choice.nodes <= 610_000, "{}", choice.nodes);
    }
    // A mate is found whoever looks for it.
    let mut game = Game::new(&ITALIAN);
    for series in ["e2e4", "e7e5,g8f6"] {
        play(&mut game, &series.parse().unwrap());
    }
    let limits = Limits { crew: &Threads(2), ..Limits::nodes(1_000_000) };
    assert_eq!(think(game.current(), Level::full(), 1, &limits).0.score, Score::mate_in(1));
}

#[test]
fn multi_pv_shows_other_mates_and_then_the_best_of_the_rest() {
    // One turn has few mated positions, the other more than are asked for.
    let only = midturn("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", &ITALIAN);
    for turn in [only, midturn("rnbqk1nr/pppp1ppp/8/2b1p3/4P3/5P2/PPPP2PP/RNBQKBNR b KQkq - 0 4", &ITALIAN)] {
        let limits = Limits { multi_pv: 6, ..Limits::nodes(300_000) };
        let (choice, lines) = think(&turn, Level::full(), 1, &limits);
        let last: Vec<&Info> = lines.iter().rev().take(6).rev().collect();
        assert_eq!(last.iter().map(|info| info.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!((choice.score, choice.series.as_ref()), (Score::mate_in(1), Some(&last[0].pv[0])));
        let ends = last.iter().map(|info| match turn.end_of(&info.pv[0]) {
            Some(SeriesEnd::Turn(position)) => {
                let is_mate = position.outcome().is_some();
                assert_eq!(info.score == Score::mate_in(1), is_mate, "{info:?}");
                (is_mate, position.board().key())
            }
            end => panic!("{end:?}"),
        });
        let ends: Vec<(bool, u64)> = ends.collect();
        assert!(ends.is_sorted_by_key(|(is_mate, _)| !is_mate), "mates first");
        let mut keys: Vec<u64> = ends.iter().map(|(_, key)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 6);
    }
}

/// What the levels are does not depend on the machine.
#[test]
fn below_full_strength_threads_change_nothing() {
    let turn = midturn("r1b1kbnr/ppp2ppp/2n5/3q4/3P4/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 5", &ITALIAN);
    for level in Level::all().iter().rev().skip(1) {
        let play = |crew: &dyn Crew| think(&turn, level, 3, &Limits { crew, ..Limits::nodes(100_000) }).0;
        let (alone, many) = (play(&Threads(1)), play(&Threads(3)));
        assert_eq!((alone.series, alone.nodes), (many.series, many.nodes), "{}", level.name);
    }
}

/// The opponent's next series is longer than the solver can look at: asking it costs nothing, so a node limit never came to its end.
#[test]
fn a_turn_whose_answers_are_beyond_the_solver_ends() {
    for text in ["7k/8/8/8/8/8/8/KQ6 b - - 0 30", "k6n/p7/8/8/8/8/4PPPP/KQ6 b - - 0 31"] {
        let turn = midturn(text, &ITALIAN);
        let (choice, _) = think(&turn, Level::full(), 1, &Limits::nodes(50_000));
        assert!(choice.series.is_some() && choice.nodes <= 60_000, "{text}: {choice:?}");
    }
}
