//! What a plan may say about crashes, scores, starts and processors.

use super::support::{QUICK, forfeit, stub, tournament};
use crescendo_runner::record::{FaultKind, Side};

fn head(more: &str) -> String {
    format!("rounds = 3\n{more}\n{QUICK}")
}

// 13
#[test]
fn stop_ends_the_run_with_the_first_crash() {
    let plan = format!("{}{}{}", head("on_crash = \"stop\""), stub("good", &[]), stub("bad", &["die-on-go@2"]));
    let done = tournament(&plan);
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(done.err.contains("since bad has crashed or fallen silent 1 times"), "{}", done.err);
    let games = done.games();
    assert_eq!(games.iter().filter_map(forfeit).count(), 1);
    assert!(games.len() <= 2, "{}", games.len());
}

// 6, 13
#[test]
fn too_many_crashes_end_the_run() {
    let plan = format!("{}{}{}", head("max_crashes = 2"), stub("good", &[]), stub("bad", &["die-on-go@1"]));
    let done = tournament(&plan);
    assert_eq!(done.code, Some(3), "{}", done.err);
    // One more may have been on its way to its end.
    let lost = done.games().iter().filter_map(forfeit).count();
    assert!((3..=4).contains(&lost), "{lost}");
}

// 13
#[test]
fn a_game_is_played_again_but_not_for_ever() {
    let once = ["die-once=FOLDER/died"];
    let plan = format!("{}{}{}", head("on_crash = \"replay\""), stub("good", &[]), stub("bad", &once));
    let done = tournament(&plan);
    assert_eq!((done.code, done.games().len()), (Some(0), 6), "{}", done.err);
    assert!(done.games().iter().all(|game| forfeit(game).is_none()));
    let again: Vec<_> = done.games().into_iter().filter(|game| !game.crashed.is_empty()).collect();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].crashed, [if again[0].white == "bad" { Side::White } else { Side::Black }]);
    let plan = format!("{}{}{}", head("on_crash = \"replay\""), stub("good", &[]), stub("bad", &["die-on-go@1"]));
    let done = tournament(&plan);
    assert_eq!(done.code, Some(0));
    for game in done.games() {
        assert_eq!(forfeit(&game).map(|(who, kind, _)| (who, kind)), Some(("bad", FaultKind::Crash)));
        assert_eq!(game.crashed.len(), 2);
    }
}

#[test]
fn games_end_by_scores_only_if_the_plan_says_so() {
    let players = stub("lost", &["score=-900"]) + &stub("won", &["score=900"]);
    let resign = "[resign]\nscore = 800\ncount = 2\n";
    let done = tournament(&format!("{QUICK}{resign}{players}"));
    assert_eq!(done.code, Some(0), "{}", done.err);
    for game in done.games() {
        let white = game.white == "lost";
        assert_eq!(game.end.reason(), if white { "white-resigns" } else { "black-resigns" });
        assert_eq!((game.result.as_str(), game.turns.len()), (if white { "0-1" } else { "1-0" }, 4));
    }
    assert!(done.text("out/games.pgn").contains("[Termination \"adjudication\"]"));
    for game in tournament(&format!("{QUICK}{players}")).games() {
        assert!(!game.end.reason().contains("resigns"));
    }
    let even = stub("a", &["score=3"]) + &stub("b", &["score=-3"]);
    let draw = "[draw]\nscore = 5\ncount = 1\nafter = 4\n";
    for game in tournament(&format!("{QUICK}{draw}{even}")).games() {
        assert_eq!((game.end.reason(), game.result.as_str(), game.turns.len()), ("even-scores", "1/2-1/2", 4));
    }
}

// 36: with a start limit that all at once would miss on a small machine.
#[test]
fn many_slow_starts_at_once() {
    let head = QUICK.replace("concurrency = 1", "rounds = 8\nconcurrency = 16\nstarts = 2");
    let modes = ["slow-start=150"];
    let done = tournament(&format!("{head}{}{}", stub("a", &modes), stub("b", &modes)));
    assert_eq!((done.code, done.games().len()), (Some(0), 16), "{}", done.err);
    // 2 to ask for options, then 32 starts, two at a time.
    assert!(done.took.as_millis() >= 16 * 150, "{:?}", done.took);
}

// 45
#[test]
fn every_worker_has_its_processor() {
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim().to_owned();
    let seen = |more: &str| {
        let modes = ["affinity-file=FOLDER/cpus"];
        let done = tournament(&format!("{}{}{}", head(more), stub("a", &modes), stub("b", &modes)));
        assert_eq!(done.code, Some(0), "{}", done.err);
        let text = done.text("cpus");
        // The first two or one only told their options.
        text.lines().rev().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(seen(""), [own.clone(), own]);
    let pinned = seen("affinity = true");
    assert!(pinned[0].parse::<u32>().is_ok() && pinned[0] == pinned[1], "{pinned:?}");
    let plan = format!(
        "affinity = true\n{}{}{}",
        QUICK.replace("concurrency = 1", "concurrency = 9999"),
        stub("a", &[]),
        stub("b", &[])
    );
    let refused = tournament(&plan);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("plan.toml:1: affinity: 9999 games at a time"), "{}", refused.err);
}
