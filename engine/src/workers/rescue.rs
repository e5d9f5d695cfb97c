//! The last check before an answer leaves the engine. A search that errs would forfeit the game; this costs microseconds.

use crate::rules::midturn::{Midturn, Progress};
use crate::types::series::Series;

/// Whether these moves are legal here and the series is complete with the last of them, not before.
pub(super) fn is_complete(midturn: &Midturn, series: &Series) -> bool {
    let mut now = *midturn;
    let Some((last, before)) = series.split_last() else { return false };
    before.iter().all(|&mv| now.play(mv) == Ok(Progress::More)) && matches!(now.play(*last), Ok(Progress::Over(_)))
}

/// Whether the series begins with one of the prefixes, or there are none.
pub(super) fn is_allowed(series: &Series, prefixes: &[Series]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|prefix| series.starts_with(prefix))
}

/// Some complete legal series that begins with the first prefix; `None` if the side to move has no move.
pub(super) fn any_series(midturn: &Midturn, prefixes: &[Series]) -> Option<Series> {
    let mut now = *midturn;
    let mut series = Series::default();
    let prefix: &[_] = prefixes.first().map_or(&[], |prefix| prefix);
    loop {
        let mv = match prefix.get(series.len()) {
            Some(&mv) => mv,
            None => now.legal().first().copied()?,
        };
        series.push(mv);
        match now.play(mv) {
            Ok(Progress::More) => {}
            Ok(Progress::Over(_)) => return Some(series),
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ALL;

    #[test]
    fn any_series_is_complete_in_every_game() {
        for rules in ALL {
            for turn in [1, 2, 3, 8, 15] {
                let side = if turn % 2 == 1 { 'w' } else { 'b' };
                let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} - - 0 {turn}");
                let midturn = fen::read(&text, rules, Strictness::Lenient).unwrap().0.midturn();
                let series = any_series(&midturn, &[]).unwrap();
                assert!(is_complete(&midturn, &series), "{} {text}: {series}", rules.name);
                assert!(!is_complete(&midturn, &Series::default()));
            }
        }
    }

    #[test]
    fn prefixes_hold() {
        let midturn = fen::read("4k3/8/8/8/8/8/4P3/4K3 w - - 0 3", ALL[0], Strictness::Lenient).unwrap().0.midturn();
        let prefix: Series = "e2e4,e4e5".parse().unwrap();
        let series = any_series(&midturn, std::slice::from_ref(&prefix)).unwrap();
        assert!(series.starts_with(&prefix) && is_complete(&midturn, &series));
        assert!(is_allowed(&series, std::slice::from_ref(&prefix)));
        assert!(!is_allowed(&"e1d1,d1c1,c1b1".parse().unwrap(), &[prefix]));
    }
}
