//! Turns in which nearly every series loses: all ends of the turn are listed, and for each the solver says whether the opponent mates.

use super::item::{Counts, Kind};
use super::mates::Bounds;
use crescendo::board::men::Board;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::outcome::{DrawBy, Outcome};
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::moves::Move;
use crescendo::types::series::Series;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Most different positions after any number of moves of the turn. A turn with more is not looked into.
const MOST_STATES: usize = 30_000;
/// A turn with fewer ends is no puzzle.
const LEAST_ENDS: usize = 12;
/// Series tried at random first; nearly all turns have two safe ones among them.
const SAMPLES: usize = 120;
/// Most nodes for one of these.
const SAMPLE_NODES: u64 = 5_000;
/// Most nodes for one end in the proof.
pub const END_NODES: u64 = 1_000_000;

/// The solutions of a turn in which the mover must save himself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescue {
    /// Whether it takes a stalemate.
    pub kind: Kind,
    /// A solution.
    pub key: Series,
    /// How many there are.
    pub counts: Counts,
    /// Different ends of the turn, lost or not.
    pub ends: u64,
}

/// A position inside the turn: how many orders of moves lead there, and by which last moves from which positions before.
struct State {
    now: Midturn,
    series: u64,
    from: Vec<(u64, Move)>,
}

/// One way in which a turn can end.
struct Ending {
    end: SeriesEnd,
    series: u64,
    /// With how many moves, the position before the last, and the last.
    from: Vec<(usize, u64, Move)>,
}

/// All of a turn: positions by the number of moves made, and ends.
struct Turn {
    layers: Vec<BTreeMap<u64, State>>,
    ends: BTreeMap<u64, Ending>,
}

/// What an end of the turn is worth to its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// The opponent mates.
    Lost,
    /// The mover has left himself in stalemate.
    Stalemate,
    /// The opponent has no mate, or the game is drawn or won.
    Safe,
    /// The solver's limit was reached.
    Unknown,
}

/// What an end is worth, proved by the solver.
pub fn worth(solver: &mut Solver, end: &SeriesEnd, nodes: u64) -> Worth {
    match end {
        SeriesEnd::Game(Outcome::Draw(DrawBy::Stalemate)) => Worth::Stalemate,
        SeriesEnd::Game(_) => Worth::Safe,
        SeriesEnd::Turn(position) => match position.outcome() {
            // The opponent in stalemate, bare material, ten turns, or mated: none of these loses.
            Some(_) => Worth::Safe,
            None => match solver.solve(&position.begin(), &Limits::nodes(nodes)).verdict {
                Verdict::Mate(_) => Worth::Lost,
                Verdict::NoMate => Worth::Safe,
                Verdict::Unknown(_) => Worth::Unknown,
            },
        },
    }
}

/// Whether listing all ends of a turn is worth trying: few moves, or few men to make them.
#[must_use]
pub fn is_small(midturn: &Midturn) -> bool {
    midturn.left() <= 4 || midturn.board().us().len() <= 5
}

/// The rescue of this turn, if all its ends can be listed and only few are safe. The turn must have no mate.
pub fn rescue(solver: &mut Solver, midturn: &Midturn, bounds: &Bounds) -> Option<Rescue> {
    if !seems_lost(solver, midturn, bounds) {
        return None;
    }
    let turn = Turn::new(midturn)?;
    if turn.ends.len() < LEAST_ENDS {
        return None;
    }
    let (mut safe, mut stalemates) = (Vec::new(), 0);
    for ending in turn.ends.values() {
        match worth(solver, &ending.end, END_NODES) {
            Worth::Lost => continue,
            Worth::Unknown => return None,
            Worth::Stalemate => stalemates += 1,
            Worth::Safe => {}
        }
        safe.push(ending);
        if safe.len() as u64 > bounds.positions {
            return None;
        }
    }
    let kind = match (safe.len(), stalemates) {
        (0, _) => return None,
        (all, stalemates) if stalemates == all => Kind::StalemateYourself,
        (1, _) => Kind::SaveYourself,
        _ => return None,
    };
    let series = safe.iter().map(|ending| ending.series).sum();
    if series > bounds.series {
        return None;
    }
    let ways: Vec<Vec<Move>> = safe.iter().flat_map(|ending| turn.ways(ending)).collect();
    let move_sets: BTreeSet<Vec<Move>> = ways.iter().map(|way| sorted(way)).collect();
    let counts = Counts { series, move_sets: move_sets.len() as u64, positions: safe.len() as u64, longer: 0 };
    let color = midturn.color();
    let key = ways.iter().min()?.iter().map(|mv| mv.seen_by(color)).collect();
    Some(Rescue { kind, key, counts, ends: turn.ends.len() as u64 })
}

/// Equal for ends that are the same to both: a turn that is over differs from a game that is over on the same board.
fn end_key(now: &Midturn, end: &SeriesEnd) -> u64 {
    match end {
        SeriesEnd::Turn(_) => now.board().key(),
        SeriesEnd::Game(_) => !now.board().key(),
    }
}

fn sorted(way: &[Move]) -> Vec<Move> {
    let mut moves = way.to_vec();
    moves.sort_unstable();
    moves
}

/// Whether no more than the allowed number of ends is safe among some random ones.
fn seems_lost(solver: &mut Solver, midturn: &Midturn, bounds: &Bounds) -> bool {
    let mut rng = ChaCha8Rng::seed_from_u64(midturn.key());
    let mut safe = Vec::new();
    for _ in 0..SAMPLES {
        let mut now = *midturn;
        let (end, key) = loop {
            let legal = now.legal();
            let mv = legal[rng.random_range(0..legal.len())];
            if let Progress::Over(end) = now.play_unchecked(mv) {
                break (end, end_key(&now, &end));
            }
        };
        if safe.contains(&key) || worth(solver, &end, SAMPLE_NODES) == Worth::Lost {
            continue;
        }
        let is_stalemate = matches!(end, SeriesEnd::Game(Outcome::Draw(DrawBy::Stalemate)));
        safe.push(key);
        if safe.len() > 1 && !is_stalemate || safe.len() as u64 > bounds.positions {
            return false;
        }
    }
    true
}

impl Turn {
    /// Everything that can happen in this turn; nothing if it is too much.
    fn new(midturn: &Midturn) -> Option<Self> {
        let start = State { now: *midturn, series: 1, from: Vec::new() };
        let mut turn = Self { layers: vec![BTreeMap::from([(midturn.key(), start)])], ends: BTreeMap::new() };
        loop {
            let made = turn.layers.len() - 1;
            let mut next = BTreeMap::<u64, State>::new();
            for (&key, state) in &turn.layers[made] {
                for mv in state.now.legal_seen_by_mover() {
                    let mut now = state.now;
                    match now.play_unchecked(mv.seen_by(midturn.color())) {
                        Progress::More => {
                            let to = next.entry(now.key()).or_insert(State { now, series: 0, from: Vec::new() });
                            to.series = to.series.saturating_add(state.series);
                            to.from.push((key, mv));
                        }
                        Progress::Over(end) => {
                            let fresh = Ending { end, series: 0, from: Vec::new() };
                            let to = turn.ends.entry(end_key(&now, &end)).or_insert(fresh);
                            to.series = to.series.saturating_add(state.series);
                            to.from.push((made, key, mv));
                        }
                    }
                }
                if next.len() > MOST_STATES || turn.ends.len() > MOST_STATES {
                    return None;
                }
            }
            if next.is_empty() {
                return Some(turn);
            }
            turn.layers.push(next);
        }
    }

    /// All series to an end, the mover's view. There must not be too many.
    fn ways(&self, ending: &Ending) -> Vec<Vec<Move>> {
        let mut ways = Vec::new();
        for &(layer, key, mv) in &ending.from {
            self.walk_back(layer, key, &mut vec![mv], &mut ways);
        }
        ways
    }

    fn walk_back(&self, layer: usize, key: u64, path: &mut Vec<Move>, ways: &mut Vec<Vec<Move>>) {
        if layer == 0 {
            return ways.push(path.iter().rev().copied().collect());
        }
        for &(before, mv) in &self.layers[layer][&key].from {
            path.push(mv);
            self.walk_back(layer - 1, before, path, ways);
            path.pop();
        }
    }
}

/// The board at the end of a rescue, seen by its mover.
#[must_use]
pub fn final_board(midturn: &Midturn, key: &Series) -> Option<Board> {
    let mut now = *midturn;
    for &mv in key.iter() {
        now.play(mv).ok()?;
    }
    Some(*now.board())
}
