//! Engines that play a series move by move.

use super::support::{QUICK, forfeit, stub, tournament};
use crescendo_runner::record::FaultKind;

fn in_dialect(name: &str, modes: &[&str], dialect: &str) -> String {
    format!("{}dialect = \"{dialect}\"\n", stub(name, modes))
}

#[test]
fn engines_that_play_move_by_move_play_whole_games() {
    for dialect in ["flat", "fairy"] {
        let own = in_dialect("by moves", &[dialect, "transcript=FOLDER/said"], dialect);
        let done = tournament(&format!("rounds = 2\n{QUICK}{}{own}", stub("whole", &["seed=4"])));
        assert_eq!(done.code, Some(0), "{}", done.err);
        let games = done.games();
        assert_eq!(games.len(), 4);
        for game in &games {
            assert!(forfeit(game).is_none(), "{dialect}: {:?}", game.end);
            assert!(game.turns.len() >= 4);
        }
        let said = done.text("said");
        assert!(!said.contains(','), "{said}");
        assert_eq!(said.contains(" 0000"), dialect == "fairy");
    }
}

#[test]
fn a_fault_is_charged_to_the_move_that_has_it() {
    let own = in_dialect("by moves", &["flat", "illegal@1"], "flat");
    let done = tournament(&format!("{QUICK}{}{own}", stub("whole", &[])));
    for game in done.games() {
        assert_eq!(forfeit(&game).map(|(who, kind, _)| (who, kind)), Some(("by moves", FaultKind::IllegalMove)));
    }
    let wrong = tournament(&format!("{QUICK}{}{}", stub("a", &[]), in_dialect("b", &[], "latin")));
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("players.dialect: unknown 'latin'; one of series, flat, fairy"), "{}", wrong.err);
}
