//! Formats that come in stages: knockout, Swiss, adaptive. Results are made up by a rule, so that any game has its result
//! whenever it is played: the schedule must not depend on the order of ends or on interruptions.

#[path = "formats/calibrate.rs"]
mod calibrate;

use crescendo_runner::pairing::agenda::{Agenda, Next};
use crescendo_runner::pairing::course::{Course, Decision, Tie};
use crescendo_runner::pairing::schedule::Schedule;
use crescendo_runner::pairing::{Format, Pairing, Policy};
use crescendo_runner::stats::counts::Points;
use crescendo_runner::stats::design::{Quantity, Wanted};
use crescendo_runner::stats::elo::expected_score;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};

/// White's points.
type Rule = dyn Fn(&Pairing) -> Points;

/// The result of a game between players 100 Elo apart, the first the strongest, by a dice of its own.
fn by_luck(game: &Pairing) -> Points {
    let luck: f64 = ChaCha8Rng::seed_from_u64(game.id).random();
    let lead = 100.0 * (game.black as f64 - game.white as f64) + 60.0;
    match luck - expected_score(lead) {
        over if over < -0.05 => Points::One,
        over if over < 0.05 => Points::Half,
        _ => Points::Zero,
    }
}

fn by_number(game: &Pairing) -> Points {
    if game.white < game.black { Points::One } else { Points::Zero }
}

/// A tournament played to its end with so many games at a time, which end in any order. With `kills`, now and then all that runs
/// is lost and a new session goes on from the journal.
fn play(schedule: Schedule, at_a_time: usize, kills: bool, rule: &Rule) -> (Vec<Pairing>, Agenda) {
    let mut random = ChaCha8Rng::seed_from_u64(at_a_time as u64);
    let (mut agenda, mut running, mut journal) = (Agenda::new(schedule), Vec::new(), Vec::new());
    loop {
        while running.len() < at_a_time
            && let Next::Play(game) = agenda.hand_out()
        {
            running.push(game);
        }
        if running.is_empty() {
            assert_eq!(agenda.hand_out(), Next::Nothing);
            assert!(agenda.is_complete(journal.len() as u64));
            return (journal, agenda);
        }
        let game: Pairing = running.swap_remove(random.random_range(0..running.len()));
        agenda.book(&game, Some(rule(&game)));
        journal.push(game);
        if kills && random.random_range(0..7) == 0 {
            running.clear();
            agenda = Agenda::new(schedule);
            for game in &journal {
                assert_eq!(agenda.find(game.id), Some(*game), "the journal says which game it was");
                assert!(agenda.keep(game, rule(game)) && !agenda.keep(game, rule(game)));
            }
        }
    }
}

fn sorted(mut games: Vec<Pairing>) -> Vec<Pairing> {
    games.sort_by_key(|game| game.id);
    games
}

fn schedule(format: Format, players: usize, rounds: u64) -> Schedule {
    Schedule::new(format, players, rounds, Policy::Round, 0)
}

fn adaptive(quantity: Quantity, within: Option<f64>, max_games: u64) -> Format {
    Format::Adaptive { wanted: Wanted { quantity, within }, max_games }
}

#[test]
fn neither_order_nor_kills_change_who_meets() {
    for (format, players) in [
        (Format::Knockout { extra: 3 }, 11),
        (Format::Swiss { rounds: 5 }, 9),
        (Format::Swiss { rounds: 3 }, 8),
        (adaptive(Quantity::Ratings { known: 0 }, None, 160), 6),
        (adaptive(Quantity::Gaps, Some(120.0), 5000), 4),
        (adaptive(Quantity::Ratings { known: 2 }, Some(70.0), 5000), 5),
    ] {
        let schedule = schedule(format, players, 2);
        let whole = sorted(play(schedule, 1, false, &by_luck).0);
        let ids: Vec<u64> = whole.iter().map(|game| game.id).collect();
        assert_eq!(ids, (0..whole.len() as u64).collect::<Vec<_>>(), "{format:?}: games are numbered without gaps");
        for at_a_time in [1, 3, 16] {
            assert_eq!(sorted(play(schedule, at_a_time, true, &by_luck).0), whole, "{format:?} {at_a_time}");
        }
        for two in whole.chunks(2) {
            let swapped = (two[1].white, two[1].black) == (two[0].black, two[0].white);
            assert!(swapped && two[0].opening == two[1].opening && two[0].pair == two[1].pair, "{two:?}");
        }
    }
}

fn bracket(agenda: &Agenda) -> Vec<Vec<Tie>> {
    let Some(Course::Knockout { rounds }) = agenda.course() else { panic!("a knockout has a bracket") };
    rounds
}

#[test]
fn a_knockout_seeds_pairs_and_ends() {
    let (games, agenda) = play(schedule(Format::Knockout { extra: 0 }, 8, 1), 4, false, &by_number);
    assert_eq!(games.len(), 14);
    let meetings: Vec<Vec<(usize, usize)>> =
        bracket(&agenda).iter().map(|ties| ties.iter().map(|tie| (tie.first, tie.second.unwrap())).collect()).collect();
    assert_eq!(meetings, [vec![(0, 7), (3, 4), (1, 6), (2, 5)], vec![(0, 3), (1, 2)], vec![(0, 1)]]);
    // The first seeds have the byes.
    let (games, agenda) = play(schedule(Format::Knockout { extra: 0 }, 5, 3), 4, false, &by_number);
    assert_eq!(games.len() as u64, schedule(Format::Knockout { extra: 0 }, 5, 3).games());
    let first = &bracket(&agenda)[0];
    let byes: Vec<usize> = first.iter().filter(|tie| tie.second.is_none()).map(|tie| tie.first).collect();
    assert_eq!((byes, bracket(&agenda).len()), (vec![0, 1, 2], 3));
    assert!(
        first
            .iter()
            .all(|tie| tie.decided_by == Some(if tie.second.is_none() { Decision::Bye } else { Decision::Score }))
    );
}

#[test]
fn level_ties_go_on_and_end() {
    let draw = |_: &Pairing| Points::Half;
    let tie = |extra, rule: &Rule| {
        let (games, agenda) = play(schedule(Format::Knockout { extra }, 2, 2), 2, true, rule);
        (games.len(), bracket(&agenda)[0][0])
    };
    let (games, level) = tie(3, &draw);
    assert_eq!((games, level.winner, level.decided_by, level.extra), (10, Some(0), Some(Decision::Seed), 3));
    // The second player wins once with Black, the first once with White... and loses once with White.
    let black = |game: &Pairing| match (game.pair, game.white) {
        (0, 0) => Points::Zero,
        (1, 0) => Points::One,
        _ => Points::Half,
    };
    let (games, level) = tie(0, &black);
    assert_eq!((games, level.black_wins, level.winner), (4, [0, 1], Some(1)));
    assert_eq!(level.decided_by, Some(Decision::BlackWins));
    // The fourth pair decides.
    let late = |game: &Pairing| if (game.pair, game.white) == (3, 1) { Points::One } else { Points::Half };
    let (games, level) = tie(5, &late);
    assert_eq!((games, level.extra, level.winner), (8, 2, Some(1)));
    assert_eq!(level.decided_by, Some(Decision::FurtherPairs));
}

#[test]
fn a_swiss_tournament_pairs_equals_once() {
    for (players, rounds) in [(8, 5), (9, 5), (16, 7), (31, 9), (5, 5)] {
        let (games, agenda) = play(schedule(Format::Swiss { rounds }, players, 1), 3, false, &by_luck);
        assert_eq!(games.len() as u64, rounds * (players as u64 / 2) * 2);
        let mut met = BTreeSet::new();
        let mut of_round: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for game in sorted(games).iter().step_by(2) {
            let (low, high) = (game.white.min(game.black), game.white.max(game.black));
            assert!(met.insert((low, high)), "{low} and {high} meet twice among {players}");
            assert!(of_round.entry(game.round).or_default().insert(low));
            assert!(of_round.entry(game.round).or_default().insert(high), "one game a round");
        }
        let Some(Course::Swiss { rounds: ended, table }) = agenda.course() else { panic!("a table") };
        assert_eq!((ended, table.len()), (rounds, players));
        assert!(table.iter().all(|row| row.byes <= 1));
        // Every round gives out four half points a meeting, and four for a bye.
        let all: u64 = table.iter().map(|row| row.halves).sum();
        assert_eq!(all, rounds * 4 * (players as u64).div_ceil(2));
        assert!(table.windows(2).all(|two| two[0].halves >= two[1].halves));
    }
}

#[test]
fn the_stronger_always_wins_and_a_swiss_tournament_finds_the_order() {
    let (games, agenda) = play(schedule(Format::Swiss { rounds: 3 }, 8, 1), 1, false, &by_number);
    let second_round: Vec<(usize, usize)> = sorted(games)
        .iter()
        .filter(|game| game.round == 1)
        .step_by(2)
        .map(|game| (game.white.min(game.black), game.white.max(game.black)))
        .collect();
    // Winners 0 to 3 and losers 4 to 7, the upper half of each group against the lower.
    assert_eq!(second_round, [(0, 2), (1, 3), (4, 6), (5, 7)]);
    let Some(Course::Swiss { table, .. }) = agenda.course() else { panic!("a table") };
    assert_eq!((table[0].player, table[0].halves, table[7].player), (0, 12, 7));
    // Player 0 has beaten 4, 2 and 1.
    let halves = |player: usize| table.iter().find(|row| row.player == player).unwrap().halves;
    assert_eq!(table[0].buchholz, halves(4) + halves(2) + halves(1));
    assert_eq!(table[0].sonneborn_berger, 4 * table[0].buchholz);
}

#[test]
fn an_adaptive_tournament_stops_when_enough_is_known() {
    let known = |agenda: &Agenda| {
        let Some(Course::Adaptive { is_known, .. }) = agenda.course() else { panic!("adaptive") };
        is_known
    };
    let (games, agenda) = play(schedule(adaptive(Quantity::Gaps, Some(90.0), 20_000), 5, 1), 4, false, &by_luck);
    assert!(known(&agenda) && (100..4000).contains(&games.len()), "{}", games.len());
    // Neighbors meet most: games far apart tell little.
    let mut counts = BTreeMap::new();
    for game in &games {
        *counts.entry(game.white.abs_diff(game.black)).or_insert(0) += 1;
    }
    assert!(counts[&1] * 2 > games.len(), "{counts:?}");
    // A budget that is too small is kept to the game.
    for budget in [2, 7, 100] {
        let (games, agenda) = play(schedule(adaptive(Quantity::Gaps, Some(1.0), budget), 5, 1), 4, false, &by_luck);
        assert_eq!(games.len() as u64, budget / 2 * 2);
        assert!(!known(&agenda));
    }
}

// Between players whose ratings are known no game is played; the budget goes to the others.
#[test]
fn players_whose_ratings_are_known_play_the_others_only() {
    let (games, agenda) =
        play(schedule(adaptive(Quantity::Ratings { known: 4 }, Some(60.0), 5000), 6, 1), 4, false, &by_luck);
    let Some(Course::Adaptive { is_known: true, .. }) = agenda.course() else { panic!("{} games", games.len()) };
    let among_known = |game: &&Pairing| game.white < 4 && game.black < 4;
    assert_eq!(games.iter().filter(among_known).count(), 0, "of {}", games.len());
    let with = |player: usize| games.iter().filter(|game| [game.white, game.black].contains(&player)).count();
    let (fifth, sixth) = (with(4), with(5));
    assert!(fifth.min(sixth) * 4 > games.len(), "{fifth} and {sixth} of {}", games.len());
    // As known as that, all six ratings about their mean take more games.
    let (all, _) = play(schedule(adaptive(Quantity::Ratings { known: 0 }, Some(60.0), 5000), 6, 1), 4, false, &by_luck);
    assert!(games.len() < all.len(), "{} {}", games.len(), all.len());
}

#[test]
fn a_game_without_a_result_ends_the_session_and_not_the_tournament() {
    let schedule = schedule(Format::Knockout { extra: 0 }, 4, 1);
    let mut agenda = Agenda::new(schedule);
    let mut games = Vec::new();
    while let Next::Play(game) = agenda.hand_out() {
        games.push(game);
    }
    assert_eq!((games.len(), agenda.hand_out()), (4, Next::Wait));
    for game in &games {
        agenda.book(game, (game.id != 2).then(|| by_number(game)));
    }
    assert_eq!(agenda.hand_out(), Next::Nothing);
    assert!(!agenda.is_complete(3));
    let mut again = Agenda::new(schedule);
    games.iter().filter(|game| game.id != 2).for_each(|game| assert!(again.keep(game, by_number(game))));
    let Next::Play(open) = again.hand_out() else { panic!("a game is left") };
    assert_eq!(open, games[2]);
    again.book(&open, Some(by_number(&open)));
    let Next::Play(last) = again.hand_out() else { panic!("the final is left") };
    assert_eq!((last.id, last.round, last.white.min(last.black), last.white.max(last.black)), (4, 1, 0, 1));
}
