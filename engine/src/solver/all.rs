//! Every mating series of a turn: streamed one by one, or only counted.

use super::keys::long_key;
use super::verdict::{Limit, MAX_LEFT};
use super::walk::{Node, Walk};
use crate::rules::midturn::Midturn;
use crate::types::Color;
use crate::types::moves::{Move, MoveList};
use crate::types::series::Series;
use rustc_hash::{FxHashMap, FxHashSet};

/// One mating series, and the classes it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The moves, White's view.
    pub series: Series,
    /// The key of the mated position, 128 bits: equal for series that lead to the same.
    pub position: u128,
    /// The moves sorted: equal for series that are the same moves in another order.
    pub moves: Vec<Move>,
}

/// Whether to go on with the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Show the next.
    On,
    /// It is enough.
    Stop,
}

/// How a stream or a count ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// There are no more.
    Complete,
    /// The visitor had enough.
    Enough,
    /// A limit was reached first.
    Limit(Limit),
}

/// How many series there are, and of how many classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    series: u64,
    positions: FxHashSet<u128>,
    moves: FxHashSet<Vec<Move>>,
}

impl Tally {
    /// Takes one more into account.
    pub fn add(&mut self, solution: &Solution) {
        self.series += 1;
        self.positions.insert(solution.position);
        self.moves.insert(solution.moves.clone());
    }

    /// All series.
    #[must_use]
    pub const fn series(&self) -> u64 {
        self.series
    }

    /// Different mated positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Different sets of moves, whatever their order.
    #[must_use]
    pub fn move_sets(&self) -> usize {
        self.moves.len()
    }
}

/// Where a stream stands.
struct Stream<'v> {
    /// The series to go on after, the mover's view, while the walk is still on its way there.
    after: Option<Vec<Move>>,
    color: Color,
    visit: &'v mut dyn FnMut(&Solution) -> Go,
}

impl Walk<'_> {
    /// Streams all mating series, the shorter first where a check ends the series.
    pub(super) fn stream(
        &mut self,
        midturn: &Midturn,
        after: Option<&Series>,
        visit: &mut dyn FnMut(&Solution) -> Go,
    ) -> End {
        let color = midturn.color();
        let after: Option<Vec<Move>> = after.map(|series| series.iter().map(|mv| mv.seen_by(color)).collect());
        let from = after.as_ref().map_or(1, Vec::len);
        let mut stream = Stream { after, color, visit };
        for length in self.lengths(midturn).filter(|&length| length as usize >= from) {
            match self.each(&Node::of(midturn), length, &mut stream) {
                Ok(_) => stream.after = None,
                Err(end) => return end,
            }
        }
        if midturn.left() > MAX_LEFT { End::Limit(Limit::Quota) } else { End::Complete }
    }

    /// Shows all series of exactly `left` moves from here; whether there was one.
    fn each(&mut self, node: &Node, left: u8, stream: &mut Stream<'_>) -> Result<bool, End> {
        let depth = self.path().len();
        let skipped_to = stream.after.as_ref().map(|after| after[depth]);
        let (mut any, mut skipping) = (false, skipped_to.is_some());
        let mut list = MoveList::new();
        self.list(node, left, &mut list);
        for &mv in &list {
            if skipping && skipped_to != Some(mv) {
                continue;
            }
            if left == 1 && skipping {
                // The series the stream stopped at: shown already.
                (skipping, any) = (false, true);
                stream.after = None;
                continue;
            }
            let on_the_way = std::mem::take(&mut skipping);
            let next = self.after(node, mv).map_err(End::Limit)?;
            if !on_the_way && left > 2 && (self.is_dead(&next, left - 1) || self.is_hopeless(&next, left - 1)) {
                continue;
            }
            self.path().push(mv);
            let found = if left > 1 {
                self.each(&next, left - 1, stream)?
            } else if self.is_mated(&next) {
                self.show(&next, stream)?;
                true
            } else {
                false
            };
            self.path().pop();
            if !found && !on_the_way && left > 2 {
                self.bury(&next, left - 1);
            }
            any |= found;
            if on_the_way {
                stream.after = None;
            }
        }
        Ok(any)
    }

    fn show(&mut self, end: &Node, stream: &mut Stream<'_>) -> Result<(), End> {
        let series: Series = self.path().iter().map(|mv| mv.seen_by(stream.color)).collect();
        let mut moves = series.to_vec();
        moves.sort_unstable();
        let solution = Solution { series, position: long_key(end, 0), moves };
        match (stream.visit)(&solution) {
            Go::On => Ok(()),
            Go::Stop => Err(End::Enough),
        }
    }

    /// Counts all mating series. How many follow from a position depends on it and the moves left alone, so each position is
    /// counted once and remembered, as long as `table_bytes` last; without memory it takes time instead.
    pub(super) fn count_all(&mut self, midturn: &Midturn, table_bytes: usize) -> (u128, End) {
        let mut counts = Counts { map: FxHashMap::default(), most: table_bytes / Counts::BYTES };
        let mut sum = 0;
        for length in self.lengths(midturn) {
            match self.count_from(&Node::of(midturn), length, &mut counts) {
                Ok(count) => sum += count,
                Err(limit) => return (sum, End::Limit(limit)),
            }
        }
        (sum, if midturn.left() > MAX_LEFT { End::Limit(Limit::Quota) } else { End::Complete })
    }

    fn count_from(&mut self, node: &Node, left: u8, counts: &mut Counts) -> Result<u128, Limit> {
        let mut list = MoveList::new();
        self.list(node, left, &mut list);
        let mut sum = 0;
        for &mv in &list {
            let next = self.after(node, mv)?;
            if left == 1 {
                sum += u128::from(self.is_mated(&next));
                continue;
            }
            let key = long_key(&next, left - 1);
            sum += match counts.map.get(&key) {
                Some(&count) => count,
                None => {
                    let hopeless = self.is_hopeless(&next, left - 1);
                    let count = if hopeless { 0 } else { self.count_from(&next, left - 1, counts)? };
                    if left > 2 {
                        counts.note(key, count);
                    }
                    count
                }
            };
        }
        Ok(sum)
    }
}

/// How many mating series follow from a position. A count is published, so positions are told apart by 128 bits.
struct Counts {
    map: FxHashMap<u128, u128>,
    /// Entries that fit.
    most: usize,
}

impl Counts {
    /// Memory for an entry: key, count and one byte, and the table is half empty when it has just grown.
    const BYTES: usize = 2 * (2 * size_of::<u128>() + 1);

    fn note(&mut self, key: u128, count: u128) {
        if self.map.len() < self.most && self.map.try_reserve(1).is_ok() {
            self.map.insert(key, count);
        }
    }
}
