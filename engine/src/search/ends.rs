//! All ends of a turn, each once.

use crate::board::men::Board;
use crate::rules::midturn::{Midturn, Step};
use crate::rules::position::Position;
use crate::types::BitBoard;
use crate::types::moves::Move;
use rustc_hash::FxHashSet;

/// How a series ends.
pub(super) enum End {
    /// With the next turn; it may be mate.
    Turn(Position),
    /// With a draw in mid-series.
    Drawn,
}

/// Walks a turn depth first, so that the first end comes soon. Positions are kept whole: no key can make it miss an end.
pub(super) struct Ends {
    stack: Vec<(Midturn, Vec<Move>)>,
    path: Vec<Move>,
    seen: FxHashSet<(Board, BitBoard, u8)>,
    most: usize,
    /// Moves made so far.
    pub(super) nodes: u64,
    /// Whether the turn has more positions than may be kept, so that ends are missing.
    pub(super) is_cut: bool,
}

impl Ends {
    /// The ends of what is left of this turn; at most `most` positions are kept, 100 bytes each.
    pub(super) fn new(midturn: &Midturn, most: usize) -> Self {
        let mut ends =
            Self { stack: Vec::new(), path: Vec::new(), seen: FxHashSet::default(), most, nodes: 0, is_cut: false };
        ends.enter(*midturn);
        ends
    }

    /// Goes on from here; whether there are moves.
    fn enter(&mut self, midturn: Midturn) -> bool {
        let moves: Vec<Move> = midturn.legal_seen_by_mover().into_iter().collect();
        let has_moves = !moves.is_empty();
        if has_moves {
            self.stack.push((midturn, moves));
        }
        has_moves
    }
}

impl Iterator for Ends {
    /// An end and the moves to it, the mover's view.
    type Item = (End, Vec<Move>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.seen.len() >= self.most {
                self.is_cut = true;
                return None;
            }
            let (midturn, moves) = self.stack.last_mut()?;
            let Some(mv) = moves.pop() else {
                self.stack.pop();
                self.path.pop();
                continue;
            };
            let mut next = *midturn;
            let step = next.step(mv);
            self.nodes += 1;
            let left = if step == Step::TurnOver { 0 } else { next.left() };
            if !self.seen.insert((*next.board(), next.marks(), left)) {
                continue;
            }
            self.path.push(mv);
            let end = match step {
                Step::TurnOver => End::Turn(next.next_position()),
                Step::More if !next.has_bare_material() && self.enter(next) => continue,
                Step::More => End::Drawn,
            };
            let path = self.path.clone();
            self.path.pop();
            return Some((end, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::perft::series_counts;
    use crate::rules::setup::Strictness;
    use crate::rules::table::Rules;

    #[test]
    fn as_many_as_perft_counts() {
        for (rules, text) in [
            ("italian", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"),
            ("scottish", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"),
            ("english", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"),
        ] {
            let midturn = fen::read(text, Rules::by_name(rules).unwrap(), Strictness::Lenient).unwrap().0.midturn();
            let mut ends = Ends::new(&midturn, usize::MAX);
            let keys: FxHashSet<u64> = ends
                .by_ref()
                .filter_map(|(end, _)| match end {
                    End::Turn(position) => Some(position.board().key()),
                    End::Drawn => None,
                })
                .collect();
            assert_eq!(keys.len() as u64, series_counts(&midturn).reach, "{rules}");
            assert!(!ends.is_cut);
            let mut few = Ends::new(&midturn, 100);
            assert!(few.by_ref().count() <= 100 && few.is_cut);
        }
    }
}
