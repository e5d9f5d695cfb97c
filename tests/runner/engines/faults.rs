//! Each fault is a loss for the sender with the right reason, and the next game goes on.

use super::support::{Done, IMPATIENT, QUICK, forfeit, stub, tournament};
use crescendo_runner::record::{FaultKind, GameEnd};

/// Two games of a good and a bad engine, in both colors.
fn against(head: &str, modes: &[&str]) -> Done {
    let done = tournament(&format!("{head}{}{}", stub("good", &["seed=3"]), stub("bad", modes)));
    assert_eq!(done.code, Some(0), "{modes:?}: {}", done.err);
    done
}

/// Asserts that the bad engine loses both games for this fault, and that the record quotes what was wrong.
fn loses(head: &str, modes: &[&str], kind: FaultKind, text: &str) -> Done {
    let done = against(head, modes);
    let games = done.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        let (loser, fault, why) = forfeit(game).unwrap_or_else(|| panic!("{modes:?}: {:?}", game.end));
        assert_eq!((loser, fault), ("bad", kind), "{modes:?}: {why}");
        assert!(why.contains(text), "{modes:?}: {why}");
        assert_eq!(game.result, if game.white == "bad" { "0-1" } else { "1-0" });
        assert!(game.game().is_some(), "the legal part replays: {}", game.moves);
    }
    assert!(done.out.contains(&format!("bad: 2 lost by {}", kind.word())), "{}", done.out);
    done
}

#[test]
fn illegal_move_at_any_leg() {
    loses(QUICK, &["illegal@1"], FaultKind::IllegalMove, "leg 1 'a1h8'");
    let done = loses(QUICK, &["illegal@2"], FaultKind::IllegalMove, "leg 2 'a1h8'");
    let GameEnd::Forfeit { fault, .. } = &done.games()[0].end else { panic!() };
    assert!(fault.raw.as_ref().unwrap().contains(",a1h8"), "{fault:?}");
    assert_eq!((fault.leg, fault.turn), (Some(2), 2));
    assert!(done.text("out/games.pgn").contains("[Termination \"rules infraction\"]"));
}

// 24, 25
#[test]
fn no_move_is_a_loss_with_the_text_quoted() {
    for (mode, raw) in [("garbage", "????"), ("null-move", "0000"), ("no-move", "(none)")] {
        let done = loses(QUICK, &[mode], FaultKind::Garbage, "turn");
        let GameEnd::Forfeit { fault, .. } = &done.games()[0].end else { panic!() };
        assert_eq!(fault.raw.as_deref(), Some(raw));
    }
}

#[test]
fn wrong_length_of_a_series() {
    loses(QUICK, &["too-short-series"], FaultKind::SeriesTooShort, "1 more");
    loses(QUICK, &["too-long-series"], FaultKind::SeriesTooLong, "the series was over");
}

#[test]
fn check_before_the_last_move() {
    let head = QUICK.replace("max_turns = 8", "max_turns = 40");
    let games = against(&head, &["check-too-early"]).games();
    let early = games.iter().filter_map(forfeit).filter(|(_, kind, _)| *kind == FaultKind::EarlyCheck);
    let early: Vec<_> = early.collect();
    assert!(!early.is_empty());
    assert!(early.iter().all(|(loser, _, why)| *loser == "bad" && why.contains("leg 1")), "{early:?}");
}

// 1
#[test]
fn death_on_go() {
    let done = loses(QUICK, &["die-on-go", "exit-code=3"], FaultKind::Crash, "exit status: 3");
    let GameEnd::Forfeit { fault, .. } = &done.games()[0].end else { panic!() };
    assert!(fault.stderr.contains("going down on go 1"), "{fault:?}");
    loses(QUICK, &["die-on-go@2", "abort"], FaultKind::Crash, "signal: 6");
    assert!(done.text("out/games.pgn").contains("[Termination \"abandoned\"]"));
}

// 1, 2: with nodes there is no clock, but always a deadline; the runner goes on with the next game.
#[test]
fn silence() {
    loses(IMPATIENT, &["never-move"], FaultKind::Silence, "no answer within 1");
}

// 3: lines without an answer do not stretch the deadline.
#[test]
fn flood_of_lines() {
    loses(IMPATIENT, &["flood-info"], FaultKind::Silence, "no answer within 1");
    let timed = IMPATIENT.replace("nodes = 100", "st = 0.5\nmargin = 0.3");
    let done = loses(&timed, &["flood-info"], FaultKind::Time, "time overrun");
    assert!(done.text("out/games.pgn").contains("[Termination \"time forfeit\"]"));
    assert!(done.text("out/games.pgn").contains("[TimeControl \"1/0.5\"]"));
}

// 2: one late answer is one loss, and not the answer of the next game.
#[test]
fn late_answer() {
    let head = QUICK.replace("nodes = 100", "st = 0.1\nmargin = 0.9").replace("seed = 1\n", "seed = 1\nrounds = 2\n");
    let games = against(&head, &["late-once=1400"]).games();
    let faults: Vec<_> = games.iter().filter_map(forfeit).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!((faults[0].0, faults[0].1), ("bad", FaultKind::Time));
    assert_eq!(games.len(), 4);
}

// 4: what was said before the end counts; the end is charged at the next turn.
#[test]
fn move_then_exit() {
    let games = loses(QUICK, &["move-then-exit"], FaultKind::Crash, "the process ended").games();
    assert!(games.iter().all(|game| game.turns.len() >= 2));
    loses(QUICK, &["no-newline-eof"], FaultKind::Crash, "the process ended");
    // A mate stands, whatever becomes of the engine.
    let head = format!("{QUICK}[openings]\nfile = \"FOLDER/openings.txt\"\n");
    let run = {
        let plan = format!("{head}{}{}", stub("good", &[]), stub("bad", &["mate", "move-then-exit"]));
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("openings.txt"), "e2e4 f7f6,g7g5\n").unwrap();
        tournament(&plan.replace("FOLDER", folder.path().to_str().unwrap()))
    };
    let mate = run.games().into_iter().find(|game| game.white == "bad").unwrap();
    assert_eq!((mate.result.as_str(), mate.end.reason()), ("1-0", "mate"));
}

// 33
#[test]
fn a_line_without_end_is_garbage() {
    loses(QUICK, &["long-line=2000000"], FaultKind::Garbage, "a line of more than");
}

// 8, 9: who never was ready loses nothing, and the others play on.
#[test]
fn engines_that_do_not_start_are_not_played() {
    for mode in ["no-uciok", "no-readyok"] {
        let head = QUICK.replace("start = 10", "start = 1.5");
        let plan = format!("{head}{}{}{}", stub("a", &[]), stub("b", &["seed=9"]), stub("mute", &[mode]));
        let done = tournament(&plan);
        assert_eq!(done.code, Some(5), "{}", done.err);
        let games = done.games();
        assert_eq!(games.len(), 6);
        for game in games {
            let concerned = game.white == "mute" || game.black == "mute";
            assert_eq!(matches!(game.end, GameEnd::NotPlayed { .. }), concerned, "{:?}", game.end);
        }
        assert!(done.out.contains("4 games not played"), "{}", done.out);
        assert!(!done.text("out/games.pgn").contains("mute"));
    }
}

// 10
#[test]
fn a_slow_start_within_its_limit_is_no_fault() {
    let games = against(QUICK, &["slow-start=700"]).games();
    assert!(games.iter().all(|game| forfeit(game).is_none()));
}

// 14: a stall between games is a loss; the next game has a fresh process.
#[test]
fn a_stall_before_a_later_game() {
    let head = IMPATIENT.replace("seed = 1\n", "seed = 1\nrounds = 2\n");
    let games = against(&head, &["no-readyok@2"]).games();
    let lost: Vec<_> = games.iter().map(|game| forfeit(game).map(|(loser, kind, _)| (loser, kind))).collect();
    let stall = Some(("bad", FaultKind::Silence));
    assert_eq!(lost, [None, stall, None, stall]);
}
