//! Which ratings can be compared at all?
//!
//! Players are joined by the points they took from each other. Between groups that never met there is no comparison; where
//! all points between two groups went one way, the difference has no upper bound. Ratings by likelihood alone
//! exist and are unique exactly when the graph "took points from" is strongly connected (Ford 1957).

use serde::Serialize;

/// The groups of a pool. Every player is in one weak and in one strong component, alone if need be. Players within a group
/// and groups by their first player are in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Connectivity {
    /// Groups joined by games, whatever their results.
    pub weak: Vec<Vec<usize>>,
    /// Groups in which every player took points from every other, directly or through others.
    pub strong: Vec<Vec<usize>>,
}

impl Connectivity {
    /// Whether likelihood alone gives every player a finite rating.
    pub fn is_strong(&self) -> bool {
        self.strong.len() <= 1
    }

    /// Whether any chain of games joins all players.
    pub fn is_weak(&self) -> bool {
        self.weak.len() <= 1
    }

    /// The groups of `players` players. `took` lists (i, j) for "i took points from j".
    pub(super) fn new(players: usize, took: &[(usize, usize)]) -> Connectivity {
        let forward = neighbors(players, took.iter().copied());
        let backward = neighbors(players, took.iter().map(|&(i, j)| (j, i)));
        // Kosaraju: players in the order in which a walk along the edges leaves them, then walks against the edges from
        // the last one back each collect one strong component.
        let mut seen = vec![false; players];
        let mut order = Vec::new();
        for player in 0..players {
            walk(&forward, player, &mut seen, &mut order);
        }
        seen.fill(false);
        let mut strong = Vec::new();
        for &player in order.iter().rev() {
            collect(&backward, player, &mut seen, &mut strong);
        }
        let either = neighbors(players, took.iter().flat_map(|&(i, j)| [(i, j), (j, i)]));
        seen.fill(false);
        let mut weak = Vec::new();
        for player in 0..players {
            collect(&either, player, &mut seen, &mut weak);
        }
        weak.sort();
        strong.sort();
        Connectivity { weak, strong }
    }
}

fn neighbors(players: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); players];
    for (from, to) in edges {
        lists[from].push(to);
    }
    lists
}

/// Walks from `start` through unseen players, depth first with an own stack, and appends each when left for good.
fn walk(lists: &[Vec<usize>], start: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut stack = vec![(start, 0)];
    while let Some((player, next)) = stack.pop() {
        match lists[player].get(next) {
            Some(&neighbor) => {
                stack.push((player, next + 1));
                if !std::mem::replace(&mut seen[neighbor], true) {
                    stack.push((neighbor, 0));
                }
            }
            None => left.push(player),
        }
    }
}

/// Everything unseen that can be reached from `start`, as one more group.
fn collect(lists: &[Vec<usize>], start: usize, seen: &mut [bool], groups: &mut Vec<Vec<usize>>) {
    let mut group = Vec::new();
    walk(lists, start, seen, &mut group);
    if !group.is_empty() {
        group.sort_unstable();
        groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_strong_and_lines_are_weak() {
        let circle = Connectivity::new(4, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(circle.strong, [vec![0, 1, 2], vec![3]]);
        assert_eq!(circle.weak, circle.strong);
        let line = Connectivity::new(3, &[(2, 1), (1, 0)]);
        assert_eq!(line.strong.len(), 3);
        assert!(line.is_weak() && !line.is_strong());
        assert!(Connectivity::new(0, &[]).is_strong());
        assert!(Connectivity::new(1, &[]).is_strong());
    }
}
