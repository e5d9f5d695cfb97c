//! Perft as text: one line for each first move or series, a blank line, the total.

use crate::rules::midturn::Midturn;
use crate::rules::perft::{divide, divide_series};

/// What a perft counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// Single moves.
    Plies,
    /// Whole series.
    Series,
}

/// Deeper counts would never end, but their recursion would need memory.
pub(crate) const MAX_DEPTH: u32 = 99;

/// Counts to `depth` (at most [`MAX_DEPTH`]) and says the lines; returns the total, or nothing if it was stopped.
pub(crate) fn count(
    midturn: &Midturn,
    depth: u32,
    unit: Unit,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(String),
) -> Option<u64> {
    let depth = depth.min(MAX_DEPTH);
    let total = match unit {
        _ if depth == 0 => 1,
        Unit::Plies => by_moves(midturn, depth, stop, say),
        Unit::Series => {
            let mut total = 0;
            divide_series(midturn, depth, stop, &mut |series, count| {
                total += count;
                say(format!("{series}: {count}"));
            });
            total
        }
    };
    if stop() {
        return None;
    }
    say(String::new());
    say(format!("Nodes searched: {total}"));
    Some(total)
}

fn by_moves(midturn: &Midturn, depth: u32, stop: &dyn Fn() -> bool, say: &mut dyn FnMut(String)) -> u64 {
    let counts = divide(midturn, depth, &mut || stop());
    if stop() {
        return 0;
    }
    counts.iter().for_each(|(mv, count)| say(format!("{mv}: {count}")));
    counts.iter().map(|(_, count)| count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::game::Game;
    use crate::rules::table::ITALIAN;

    fn lines(depth: u32, unit: Unit) -> Vec<String> {
        let mut lines = Vec::new();
        count(Game::new(&ITALIAN).current(), depth, unit, &|| false, &mut |line| lines.push(line));
        lines
    }

    #[test]
    fn both_units() {
        assert_eq!(lines(0, Unit::Plies), ["", "Nodes searched: 1"]);
        assert_eq!(lines(0, Unit::Series), ["", "Nodes searched: 1"]);
        let plies = lines(1, Unit::Plies);
        assert_eq!((plies.len(), plies[0].as_str(), plies[21].as_str()), (22, "a2a3: 1", "Nodes searched: 20"));
        // The first turn has one move, so two series are three moves.
        assert_eq!(lines(3, Unit::Plies)[21], lines(2, Unit::Series)[21]);
    }

    #[test]
    fn a_stopped_count_says_nothing_false() {
        let mut lines = Vec::new();
        let start = *Game::new(&ITALIAN).current();
        for unit in [Unit::Plies, Unit::Series] {
            assert_eq!(count(&start, 9, unit, &|| true, &mut |line| lines.push(line)), None);
        }
        assert!(lines.is_empty());
    }
}
