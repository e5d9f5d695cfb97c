//! What tells positions in mid-series apart.

use super::seen::Keys;
use super::walk::Node;
use crate::rules::midturn::mix;
use crate::types::{BitBoard, Role};

/// The keys of a position with so many moves left.
#[inline(always)]
pub(super) fn keys(node: &Node, left: u8) -> Keys<impl FnOnce() -> u64> {
    Keys { first: first_key(node, left), second: move || second_key(node, left) }
}

/// 128 bits that stand for a position with so many moves left; see [`super::seen`] for the odds.
pub(super) fn long_key(node: &Node, left: u8) -> u128 {
    u128::from(first_key(node, left)) << 64 | u128::from(second_key(node, left))
}

/// The first of the keys.
#[inline(always)]
pub(super) fn first_key(node: &Node, left: u8) -> u64 {
    let salt = u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    node.board.key() ^ salt ^ node.marks.0.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A key that owes nothing to the board's own: each bitboard is mixed whole, with a number of its own.
fn second_key(node: &Node, left: u8) -> u64 {
    let board = &node.board;
    let rest = [board.us(), board.rights(), node.marks, BitBoard(left.into())];
    let words = Role::ALL.map(|role| board.role(role)).into_iter().chain(rest);
    words.zip(1u64..).fold(0, |key, (word, number)| mix(key, word.0 ^ number.wrapping_mul(0xa076_1d64_78bd_642f)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn each_key_alone_tells_the_positions_of_a_turn_apart() {
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
        let start = fen::read(text, &ITALIAN, Strictness::Lenient).unwrap().0.midturn();
        let mut layer = HashMap::from([(*start.board(), start)]);
        for left in (0..3).rev() {
            let mut next = HashMap::new();
            for midturn in layer.values() {
                for mv in midturn.legal_seen_by_mover() {
                    let mut after = *midturn;
                    after.step(mv);
                    next.insert(*after.board(), after);
                }
            }
            layer = next;
            let nodes: Vec<Node> = layer.values().map(Node::of).collect();
            for key in [first_key, second_key] {
                assert_eq!(nodes.iter().map(|node| key(node, left)).collect::<HashSet<_>>().len(), nodes.len());
                assert_ne!(key(&nodes[0], left), key(&nodes[0], left + 1));
            }
        }
        assert!(layer.len() > 1000, "{}", layer.len());
    }
}
