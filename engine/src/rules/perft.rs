//! Counting: perft in single moves across turns, and the series of one turn with their distinct ends.

use super::midturn::{Midturn, Step};
use super::outcome::Outcome;
use crate::types::moves::Move;
use crate::types::series::Series;
use std::collections::HashSet;

/// Sequences of exactly `depth` single moves from here, across turns. Take-all wins, mates and stalemates end a line; bare
/// material and quiet turns do not. `stop` is asked now and then; once it says true the count is worthless and returned early.
pub fn perft(midturn: &Midturn, depth: u32, stop: &mut dyn FnMut() -> bool) -> u64 {
    match depth {
        0 => 1,
        1 => midturn.count_legal(),
        _ => {
            let mut count = 0;
            for mv in midturn.legal_seen_by_mover() {
                if depth > 2 && stop() {
                    break;
                }
                count += perft(&child(midturn, mv), depth - 1, stop);
            }
            count
        }
    }
}

/// The legal moves (White's view), each with the number of sequences of `depth` moves that begin with it.
pub fn divide(midturn: &Midturn, depth: u32, stop: &mut dyn FnMut() -> bool) -> Vec<(Move, u64)> {
    let mut moves: Vec<Move> = midturn.legal().into_iter().collect();
    moves.sort_by_key(Move::to_string);
    let count = |mv: &Move| {
        let next = child(midturn, mv.seen_by(midturn.color()));
        if depth <= 1 { 1 } else { perft(&next, depth - 1, stop) }
    };
    let counts: Vec<u64> = moves.iter().map(count).collect();
    moves.into_iter().zip(counts).collect()
}

/// What follows a move (the mover's view): the same turn or the start of the next. After a take-all win nobody has a move.
fn child(midturn: &Midturn, mv: Move) -> Midturn {
    let mut next = *midturn;
    match next.step(mv) {
        Step::More => next,
        Step::TurnOver => next.next_position().begin(),
    }
}

/// Sequences of exactly `depth` whole series from here. A take-all win ends a line; so does a series that cannot be completed.
/// Once `stop` says true the count is worthless and returned early.
pub fn perft_series(midturn: &Midturn, depth: u32, stop: &dyn Fn() -> bool) -> u64 {
    let mut count = 0;
    divide_series(midturn, depth, stop, &mut |_, n| count += n);
    if depth == 0 { 1 } else { count }
}

/// Calls `on_series` with each series from here (White's view) and the number of sequences of `depth` series that begin with it.
pub fn divide_series(midturn: &Midturn, depth: u32, stop: &dyn Fn() -> bool, on_series: &mut dyn FnMut(&Series, u64)) {
    if depth == 0 {
        return;
    }
    let _ = each_series(midturn, stop, &mut |end, path| {
        let count = if depth == 1 { 1 } else { perft_series(&end.next_position().begin(), depth - 1, stop) };
        if stop() {
            return Go::Stop;
        }
        on_series(&path.iter().map(|mv| mv.seen_by(midturn.color())).collect(), count);
        Go::On
    });
}

/// What the series of one turn come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeriesCounts {
    /// Complete series as move orders; those that run into a stalemate in mid-series are not complete.
    pub series: u64,
    /// Of these, ended by a check (take-all: by the win) before the quota was used up.
    pub early: u64,
    /// Of these, winning at once: mate, Italian mate or everything captured.
    pub mates: u64,
    /// Distinct positions the turn can end in: placement, castling rights, usable en passant targets.
    pub reach: u64,
}

/// Counts all series from here to the end of the turn. The time grows with the number of move orders.
#[must_use]
pub fn series_counts(midturn: &Midturn) -> SeriesCounts {
    let mut counts = SeriesCounts::default();
    let mut ends = HashSet::new();
    let _ = each_series(midturn, &|| false, &mut |end, _| {
        counts.series += 1;
        counts.early += u64::from(end.left() > 0);
        ends.insert(end.next_position().board().key());
        counts.mates += u64::from(is_won(end));
        Go::On
    });
    counts.reach = ends.len() as u64;
    counts
}

/// All series from here that win at once, at most `limit`, in White's view. Brute force: the yardstick of the solver's tests.
#[must_use]
pub fn winning_series(midturn: &Midturn, limit: usize) -> Vec<Series> {
    let mut found = Vec::new();
    if limit > 0 {
        let _ = each_series(midturn, &|| false, &mut |end, path| {
            if is_won(end) {
                found.push(path.iter().map(|mv| mv.seen_by(midturn.color())).collect());
            }
            if found.len() < limit { Go::On } else { Go::Stop }
        });
    }
    found
}

/// How many series from here win at once.
#[must_use]
pub fn count_winning(midturn: &Midturn) -> u64 {
    let mut count = 0;
    let _ = each_series(midturn, &|| false, &mut |end, _| {
        count += u64::from(is_won(end));
        Go::On
    });
    count
}

/// Whether the finished series has won: a cheap test first, since this is asked for every series.
fn is_won(end: &Midturn) -> bool {
    let decisive = if end.terms().royal { end.board().gives_check() } else { end.board().them().is_empty() };
    decisive && matches!(end.next_position().outcome(), Some(Outcome::Win { .. }))
}

/// Whether to go on with a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Go {
    On,
    Stop,
}

/// Sees the end of a complete series (its turn over but not yet passed) and the moves in the mover's view.
type Visit<'a> = dyn FnMut(&Midturn, &[Move]) -> Go + 'a;

/// Calls `visit` for every complete series. `stop` is asked on the way too: a walk can be long in coming to an end of a series.
fn each_series(midturn: &Midturn, stop: &dyn Fn() -> bool, visit: &mut Visit<'_>) -> Go {
    fn walk(midturn: &Midturn, path: &mut Vec<Move>, stop: &dyn Fn() -> bool, visit: &mut Visit<'_>) -> Go {
        if midturn.left() > 2 && stop() {
            return Go::Stop;
        }
        for mv in midturn.legal_seen_by_mover() {
            let mut next = *midturn;
            let step = next.step(mv);
            path.push(mv);
            let go = match step {
                Step::TurnOver => visit(&next, path),
                Step::More => walk(&next, path, stop, visit),
            };
            path.pop();
            if go == Go::Stop {
                return Go::Stop;
            }
        }
        Go::On
    }
    walk(midturn, &mut Vec::new(), stop, visit)
}
