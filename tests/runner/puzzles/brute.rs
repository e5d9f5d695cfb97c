//! All mates of a turn by trying everything: no solver, no bound, only the rules.

use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::outcome::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// What trying everything finds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mates {
    /// Moves of the shortest.
    pub(crate) length: usize,
    /// Series of that length.
    pub(crate) series: u64,
    /// Final positions of these.
    pub(crate) positions: u64,
}

/// The shortest mates of this turn; `None` if there is none of up to `most` moves. Equal positions are tried once and counted.
pub(crate) fn mates(midturn: &Midturn, most: usize) -> Option<Mates> {
    let color = midturn.color();
    let mut layer = BTreeMap::from([(midturn.key(), (*midturn, 1u64))]);
    for length in 1..=most {
        let (mut next, mut series, mut ends) = (BTreeMap::<u64, (Midturn, u64)>::new(), 0, BTreeSet::new());
        for (now, ways) in layer.values() {
            for mv in now.legal() {
                let mut after = *now;
                match after.play_unchecked(mv) {
                    Progress::More => next.entry(after.key()).or_insert((after, 0)).1 += ways,
                    Progress::Over(SeriesEnd::Turn(position)) => {
                        if matches!(position.outcome(), Some(Outcome::Win { winner, .. }) if winner == color) {
                            series += ways;
                            ends.insert(position.key());
                        }
                    }
                    Progress::Over(SeriesEnd::Game(_)) => {}
                }
            }
        }
        if series > 0 {
            return Some(Mates { length, series, positions: ends.len() as u64 });
        }
        layer = next;
    }
    None
}
