//! The calibration of the levels, its games played by dice.

use crescendo::search::levels::{Ladder, Level, Measured, TABLE};
use crescendo_runner::calibrate::{Wish, asked, measure, plan, rewrite};
use crescendo_runner::collect::Collection;
use crescendo_runner::pairing::agenda::{Agenda, Next};
use crescendo_runner::plan::{Overrides, Plan};
use crescendo_runner::stats::counts::Points;
use crescendo_runner::stats::elo::expected_score;
use crescendo_runner::stats::rating::Difference;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::path::Path;

/// A tournament of this plan, played by the dice of players of these strengths.
fn games(plan: &str, strength: impl Fn(usize) -> f64) -> Collection {
    let plan = Plan::parse(plan, Path::new("plan.toml"), &Overrides::default()).unwrap();
    let mut agenda = Agenda::new(plan.contest.schedule);
    let mut random = ChaCha8Rng::seed_from_u64(plan.contest.seed);
    let mut pgn = String::new();
    while let Next::Play(game) = agenda.hand_out() {
        let lead = strength(game.white) - strength(game.black) - 20.0;
        let (points, result) = match random.random::<f64>() < expected_score(lead) {
            true => (Points::One, "1-0"),
            false => (Points::Zero, "0-1"),
        };
        agenda.book(&game, Some(points));
        let [white, black] = [game.white, game.black].map(|player| &plan.contest.entrants[player].name);
        let tags = [("White", white.as_str()), ("Black", black.as_str()), ("Result", result)];
        tags.iter().for_each(|(name, value)| pgn += &format!("[{name} \"{value}\"]\n"));
        pgn += &format!("[Round \"{}.{}\"]\n\n", game.round + 1, game.pair + 1);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, pgn).unwrap();
    let mut games = Collection::default();
    games.read(&path).unwrap();
    games
}

fn wish(seed: u64) -> Wish<'static> {
    Wish { rules: "italian", within: 60.0, max_games: 4000, nodes: 1000, openings: None, seed }
}

#[test]
fn a_ladder_is_measured_and_written_into_the_table() {
    let games = games(&plan(&wish(3), Level::all()), |player| 110.0 * player as f64);
    assert!((300..4000).contains(&games.games()), "{}", games.games());
    let found = measure(Level::all(), &games, "2026-11-30".into(), 1000).unwrap();
    // Known when the last batch but one was over. One sample of thirteen gaps, which lean on each other: how often intervals hold
    // the truth is measured by many simulated tournaments in the tests of stats.
    assert!(found.gaps.iter().all(|gap| gap.interval().margin() <= 64.0), "{}", found.text("italian"));
    assert!(found.gaps.iter().all(|gap| (gap.elo - 110.0).abs() < 100.0), "{}", found.text("italian"));
    assert!(found.gaps.iter().filter(|gap| gap.interval().contains(110.0)).count() >= 9, "{}", found.text("italian"));
    let last = found.players.last().unwrap().1;
    assert!(last.interval().contains(500.0 + 9.0 * 110.0), "{last:?}");
    let [random, error] = found.measured.random.unwrap();
    assert!((random - (500.0 - 4.0 * 110.0)).abs() < 2.0 * error, "{random} {error}");
    assert!(found.rises() && found.text("italian").lines().all(|line| line.chars().count() <= 80));
    for rules in ["italian", "marseillais"] {
        let new = rewrite(TABLE, rules, &found.measured).unwrap();
        let ladder = Ladder::parse(&new).unwrap();
        assert_eq!(ladder.measured[rules], found.measured);
        assert_eq!(ladder.levels, Level::all());
        // Written twice is written once, and the part written by hand stays as it is.
        assert_eq!(rewrite(&new, rules, &found.measured).unwrap(), new);
        let by_hand = |text: &str| text.split("[measured.").next().unwrap().trim_end().to_owned();
        assert_eq!(by_hand(&new), by_hand(TABLE));
    }
}

#[test]
fn a_ladder_that_does_not_rise_is_told_and_not_written() {
    let wish = Wish { max_games: 600, ..wish(5) };
    let games = games(&plan(&wish, Level::all()), |player| -60.0 * player as f64);
    let found = measure(Level::all(), &games, "2026-11-30".into(), 1000).unwrap();
    assert!(!found.rises() && rewrite(TABLE, "italian", &found.measured).is_err());
    let text = found.text("italian");
    assert!(text.contains("! Full is not stronger than Master."), "{text}");
    let none = measure(Level::all(), &Collection::default(), String::new(), 1).unwrap_err();
    assert_eq!(none.to_string(), "no games of 'Random mover'");
}

#[test]
fn a_strength_that_is_not_what_it_says_is_flagged() {
    // A ladder of its own, so that a new calibration changes nothing here.
    let elo: Vec<f64> = (0..Level::all().len()).map(|level| 500.0 + 110.0 * level as f64).collect();
    let error95 = vec![20.0; elo.len()];
    let measured = Measured { date: "2026-11-30".into(), games: 1, nodes: 1, elo, error95, middle: None, random: None };
    let strengths = asked::strengths(&measured);
    assert_eq!(strengths.len(), Level::all().len() - 1);
    let wish = Wish { max_games: 12_000, within: 36.0, ..wish(9) };
    let plan = asked::plan(&wish, Level::all(), &strengths);
    for (off, is_flagged) in [(0.0, false), (130.0, true)] {
        // The player asked for the fourth strength is off by so much.
        let strength = |player: usize| match player.checked_sub(Level::all().len()) {
            None => measured.elo[player],
            Some(asked) => f64::from(strengths[asked]) + if asked == 3 { off } else { 0.0 },
        };
        let games = games(&plan, strength);
        let found = asked::measure(Level::all(), &measured, &strengths, &games).unwrap();
        let (asked, came) = found.strengths[3];
        assert!((came.elo - f64::from(asked) - off).abs() < 45.0, "{}", found.text("italian"));
        let row = found.text("italian").lines().nth(4).unwrap().to_owned();
        assert_eq!(row.ends_with('!'), is_flagged, "{row}");
        assert!(!(is_flagged && found.holds()));
        let others = found.strengths.iter().enumerate().filter(|(at, _)| *at != 3);
        assert!(
            others.clone().all(|(_, (asked, came))| (came.elo - f64::from(*asked)).abs() < 60.0),
            "{}",
            found.text("italian")
        );
    }
}

#[test]
fn what_lies_half_way_is_corrected_by_its_games() {
    let elo: Vec<f64> = (0..Level::all().len()).map(|level| 500.0 + 120.0 * level as f64).collect();
    let error95 = vec![20.0; elo.len()];
    let measured = Measured { date: "2026-11-30".into(), games: 1, nodes: 1, elo, error95, middle: None, random: None };
    assert_eq!(asked::half_way(&measured), asked::strengths(&measured));
    // The second turned out 40 below the middle and surely so, the third as much but hardly known, the fourth below the level under it.
    let came = |(place, asked): (usize, u32)| {
        let (off, std_error) = [(0.0, 10.0), (-40.0, 5.0), (-40.0, 100.0), (-300.0, 1.0)][place.min(3)];
        (asked, Difference { elo: f64::from(asked) + off, std_error })
    };
    let strengths = asked::strengths(&measured).into_iter().enumerate().map(came).collect();
    let corrected = asked::Asked { strengths, games: 1 }.corrected(&measured);
    let middle = corrected.middle.clone().unwrap();
    assert_eq!(middle[0], 560.0);
    assert!((640.0..643.0).contains(&middle[1]), "{middle:?}");
    assert!((797.0..800.0).contains(&middle[2]), "{middle:?}");
    assert_eq!(middle[3], 861.0);
    assert_eq!(asked::half_way(&corrected)[1], middle[1].round() as u32);
    // The table is written with it, and read again.
    let table = rewrite(TABLE, "italian", &corrected).unwrap();
    let read = Ladder::parse(&table).unwrap().measured["italian"].middle.clone().unwrap();
    assert_eq!(read, middle.iter().map(|elo| elo.round()).collect::<Vec<_>>());
}
