//! Whether the line of play that an engine shows (`pv`) can be played and fits its answer. A fault is worth a warning in the record;
//! it never costs a game, since only the answer counts.

use crate::player::reply::Report;
use crescendo::rules::game::{Game, PlayError};
use crescendo::rules::midturn::Progress;
use crescendo::types::moves::Move;

/// How much of a variation is quoted.
const QUOTED: usize = 100;

/// What is wrong with the variation of the last `info` line before an answer, if anything: `game` is the game before the answer `series`.
/// Items are series with commas between their moves; the last one may be a part of its series. No variation is no fault.
#[must_use]
pub fn fault(game: &Game, series: &str, report: &Report, variation: &str) -> Option<String> {
    let mut items = variation.split_whitespace().peekable();
    let first = *items.peek()?;
    let why = if begins(first, series, items.clone().nth(1).is_none()) {
        replay(game, items, report.mate == Some(1)).err()?
    } else {
        format!("it does not begin with the answer {}", quote(series))
    };
    Some(format!("pv {}: {why}", quote(variation)))
}

/// Whether the variation's first item is the answer; if it is the only one, a part of it will do.
fn begins(first: &str, series: &str, is_only: bool) -> bool {
    let (first, series) = (first.to_ascii_lowercase(), series.to_ascii_lowercase());
    series.strip_prefix(&first).is_some_and(|rest| rest.is_empty() || is_only && rest.starts_with(','))
}

/// Plays the items of a variation. With `mates` the first one is to win, unless it is only a part of a series.
fn replay<'a>(game: &Game, items: impl Iterator<Item = &'a str>, mates: bool) -> Result<(), String> {
    let (mut game, mover) = (game.clone(), game.color());
    let mut items = items.enumerate().peekable();
    while let Some((number, item)) = items.next() {
        let turn = game.current().turn();
        let mut progress = Progress::More;
        for (leg, text) in (1..).zip(item.split(',')) {
            if leg > 1 && progress != Progress::More {
                return Err(format!("turn {turn} leg {leg}: the series is over with leg {}", leg - 1));
            }
            let mv: Move = text.parse().map_err(|_| format!("turn {turn} leg {leg}: '{text}' is no move"))?;
            progress = game.play(mv).map_err(|error| match error {
                PlayError::Illegal(why) => format!("turn {turn} leg {leg} '{mv}': {why}"),
                PlayError::Over(_) => format!("turn {turn} leg {leg} '{mv}': the game is over before it"),
            })?;
        }
        let is_whole = progress != Progress::More;
        if !is_whole && items.peek().is_some() {
            return Err(format!("turn {turn}: the series is not complete"));
        }
        let wins = game.outcome().and_then(|outcome| outcome.winner()) == Some(mover);
        if number == 0 && mates && is_whole && !wins {
            return Err(format!("turn {turn}: the score is mate 1, but the series does not mate"));
        }
    }
    Ok(())
}

fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::ITALIAN;

    fn told(series: &str, mate: Option<i32>, variation: &str) -> Option<String> {
        let mut game = Game::new(&ITALIAN);
        for mv in ["e2e4", "e7e5", "g8f6"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        fault(&game, series, &Report { mate, ..Report::default() }, variation)
    }

    #[test]
    fn a_line_that_can_be_played_is_no_fault() {
        let mate = "f1c4,d1h5,h5f7";
        for (variation, score) in [(mate, Some(1)), ("F1C4,D1H5", Some(1)), ("f1c4", None), ("", None), (mate, None)] {
            assert_eq!(told(mate, score, variation), None, "{variation}");
        }
        let quiet = "a2a3,b2b3,c2c3";
        for rest in ["", " a7a6,b7b6,c7c6,d7d6", " a7a6,b7b6", "  a7a6 "] {
            assert_eq!(told(quiet, None, &format!("{quiet}{rest}")), None, "{rest}");
        }
    }

    #[test]
    fn every_fault_is_named() {
        let quiet = "a2a3,b2b3,c2c3";
        for (series, mate, variation, part) in [
            (quiet, None, "a2a3,b2b3,d2d3", "does not begin with the answer a2a3,b2b3,c2c3"),
            (quiet, None, "a2a3 a7a6", "does not begin"),
            (quiet, None, "a2a3,b2b3,c2c3 e7e6", "turn 4 leg 1 'e7e6': no man on e7"),
            (quiet, None, "a2a3,b2b3,c2c3 a7a6,xx", "turn 4 leg 2: 'xx' is no move"),
            (quiet, None, "a2a3,b2b3,c2c3 a7a6 d2d3", "turn 4: the series is not complete"),
            (quiet, Some(1), quiet, "turn 3: the score is mate 1"),
            ("a2a3,b2b3,c2c3,d2d3", None, "a2a3,b2b3,c2c3,d2d3", "turn 3 leg 4: the series is over with leg 3"),
            ("f1c4,d1h5,h5f7", None, "f1c4,d1h5,h5f7 a7a6", "turn 4 leg 1 'a7a6': the game is over"),
        ] {
            let why = told(series, mate, variation).unwrap_or_default();
            assert!(why.contains(part), "{variation}: {why}");
        }
        assert!(told(quiet, None, &"x".repeat(5000)).unwrap().chars().count() < 300);
    }
}
