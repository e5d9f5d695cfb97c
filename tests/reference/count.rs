//! Perft and series counts, which look at take-all win, mate and stalemate only (common rule 10).

use std::collections::HashMap;

use super::moves::successors;
use super::position::Position;
use super::ruleset::RuleSet;
use super::state::State;
use super::verdict::is_mate;

/// What can happen from a position to the end of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeriesCounts {
    /// Complete move orders. One that ends in a progressive stalemate is not complete.
    pub(crate) series: u64,
    /// Those of them that end before the quota is used up, by a check or by the capture of the last man.
    pub(crate) early: u64,
    /// Those of them that mate or, in take-all, capture everything.
    pub(crate) mates: u64,
    /// Distinct positions the turn can end in: placement, castling rights, en passant targets that can be taken.
    pub(crate) reach: u64,
}

/// What makes two positions of one turn the same for all that follows.
type Key = [u8; 84];

/// Distinct positions, each with one example and the number of move orders that lead to it.
type Layer = HashMap<Key, (Position, u64)>;

impl State {
    /// The number of sequences of exactly `depth` moves, across turns.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let (rules, position) = self.parts();
        perft(rules, position, depth)
    }

    /// The counts to the end of this turn.
    pub(crate) fn series_counts(&self) -> SeriesCounts {
        let (rules, position) = self.parts();
        series_counts(rules, position)
    }

    /// The number of mating series in this turn; in take-all, of series that capture everything.
    pub(crate) fn mates(&self) -> u64 {
        self.mates_within(usize::MAX).unwrap_or_default()
    }

    /// The number of mating series in this turn, or nothing if more than `limit` distinct positions with the same number of
    /// moves left would have to be held.
    pub(crate) fn mates_within(&self, limit: usize) -> Option<u64> {
        let (rules, position) = self.parts();
        mates(rules, position, limit)
    }
}

fn perft(rules: &RuleSet, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = successors(rules, position);
    if depth == 1 {
        return u64::try_from(next.len()).unwrap_or(u64::MAX);
    }
    next.iter().map(|next| perft(rules, &next.after, depth - 1)).sum()
}

fn series_counts(rules: &RuleSet, position: &Position) -> SeriesCounts {
    let mut counts = SeriesCounts::default();
    let mut ends = Layer::new();
    walk_turn(rules, position, usize::MAX, |end, orders, is_early| {
        counts.series += orders;
        counts.early += if is_early { orders } else { 0 };
        ends.entry(key(end)).or_insert((*end, 0)).1 += orders;
    });
    counts.reach = u64::try_from(ends.len()).unwrap_or(u64::MAX);
    counts.mates = ends.values().filter(|(end, _)| is_won(rules, end)).map(|(_, orders)| orders).sum();
    counts
}

/// Holds only those ends that can be wins: checks, and in take-all captures of everything.
fn mates(rules: &RuleSet, position: &Position, limit: usize) -> Option<u64> {
    let mut ends = Layer::new();
    let is_complete = walk_turn(rules, position, limit, |end, orders, _| {
        let is_check = rules.is_royal() && end.is_king_attacked(end.mover());
        if is_check || is_taken_all(rules, end) {
            ends.entry(key(end)).or_insert((*end, 0)).1 += orders;
        }
    });
    is_complete.then(|| ends.values().filter(|(end, _)| is_won(rules, end)).map(|(_, orders)| orders).sum())
}

/// Whether the side that has just ended its turn has won.
fn is_won(rules: &RuleSet, end: &Position) -> bool {
    is_mate(rules, end) || is_taken_all(rules, end)
}

/// Take-all: whether the side to move has lost everything.
fn is_taken_all(rules: &RuleSet, end: &Position) -> bool {
    !rules.is_royal() && !end.has_men(end.mover())
}

/// Goes through the turn move by move and reports the position after each complete series, with the number of move orders
/// that this report stands for and whether they are shorter than the quota. Move orders that meet in one position are counted
/// together from there on: their continuations are the same, and the long turns would not end otherwise.
///
/// Gives up and says `false` where a layer has more than `limit` positions.
fn walk_turn(rules: &RuleSet, position: &Position, limit: usize, mut on_end: impl FnMut(&Position, u64, bool)) -> bool {
    let mut layer = Layer::from([(key(position), (*position, 1))]);
    while !layer.is_empty() {
        let mut next_layer = Layer::new();
        for (position, orders) in layer.values() {
            for next in successors(rules, position) {
                if next.is_turn_over {
                    on_end(&next.after, *orders, position.left > 1);
                } else {
                    next_layer.entry(key(&next.after)).or_insert((next.after, 0)).1 += orders;
                }
            }
            if next_layer.len() > limit {
                return false;
            }
        }
        layer = next_layer;
    }
    true
}

fn key(position: &Position) -> Key {
    let mut key = [0; 84];
    for (byte, man) in key.iter_mut().zip(position.board) {
        let Some(man) = man else { continue };
        *byte = u8::try_from(man.letter()).unwrap_or(0) | if man.marked { 0x80 } else { 0 };
    }
    let takeable = (0..8).map(|file| position.is_takeable(file));
    let flags = position.rights.into_iter().chain(position.steps).chain(takeable);
    for (byte, flag) in key[64..].iter_mut().zip(flags) {
        *byte = u8::from(flag);
    }
    key
}
