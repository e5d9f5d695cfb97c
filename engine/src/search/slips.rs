//! How a player who errs comes to his candidates: mates that he does not see are none to him, and his queen he does not throw away.

use super::beam::Aim;
use super::pool::{Pool, share};
use super::safety::Safety;
use super::sight::{Pattern, Sight, falls_to, luck};
use crate::board::men::Board;
use crate::rules::midturn::Midturn;
use crate::solver::Verdict;
use crate::solver::all::Go;
use crate::types::moves::Move;
use crate::types::series::Series;
use crate::types::squares::Squares;
use crate::types::{BitBoard, Role};

/// So many classes of own mates, by where they end, each have their chance.
const CLASSES: usize = 8;
/// Nodes within which they are gathered, and how many series are looked at for them.
const CLASS_NODES: u64 = 20_000;
const CLASS_SERIES: usize = 400;
/// What a player who errs takes off a candidate that throws the queen away, in hundredths of a pawn: more than the noise of any level.
const QUEEN: i32 = 3000;
/// A queen is not thrown away for nothing if the series takes at least so much, in pawns.
const SOMETHING: u32 = 3;
/// Width of the beam that looks on while all candidates throw it away.
const SECOND_WIDTH: usize = 40;
const SECOND_KEEP: usize = 400;

impl Pool<'_> {
    /// The mate that the player sees in this turn, if the solver has found `series` from root `i`: that one or another.
    pub(super) fn seen_mate(&mut self, i: usize, series: Series) -> Option<Series> {
        let Some(sight) = self.level.sight else { return Some(series) };
        let state = self.roots[i].state;
        if sees_own(&sight, self.seed, &state, &by_mover(&state, &series)) {
            return Some(series);
        }
        let (seed, mut ends, mut looked_at, mut seen) = (self.seed, Vec::new(), 0, None);
        let nodes = CLASS_NODES.min(self.level.mate_nodes);
        self.budget.each_mate(&mut self.solvers[0], &state, nodes, share::MATE, &mut |mate| {
            looked_at += 1;
            if !ends.contains(&mate.position) {
                ends.push(mate.position);
                if sees_own(&sight, seed, &state, &by_mover(&state, &mate.series)) {
                    seen = Some(mate.series.clone());
                }
            }
            let is_enough = seen.is_some() || ends.len() > CLASSES || looked_at >= CLASS_SERIES;
            if is_enough { Go::Stop } else { Go::On }
        });
        seen
    }

    /// Marks the mates that the player does not see, and has him mind his queen.
    pub(super) fn mind_slips(&mut self) {
        if self.level.is_full() || self.judged.is_empty() {
            return;
        }
        self.mark_unseen();
        if self.mind_queen(0) {
            // All throw it away: perhaps others do not.
            let known = self.judged.len();
            self.collect(Aim::plain(self.phases, SECOND_WIDTH, SECOND_KEEP), share::BEAM);
            self.mark_unseen();
            self.mind_queen(known);
        }
    }

    /// Marks mates among the candidates that the player does not notice. If he plays one, it is by accident.
    fn mark_unseen(&mut self) {
        let [root] = self.roots.as_slice() else { return };
        let Some(sight) = self.level.sight.filter(|_| !root.is_complete && root.state.rules().has_mate()) else {
            return;
        };
        let (seed, state, played) = (self.seed, root.state, root.prefix.len());
        for judged in self.judged.iter_mut().filter(|judged| judged.is_won()) {
            let pattern = Pattern::of(&state, &judged.candidate.moves[played..]);
            judged.is_unseen = !falls_to(seed, pattern.end, sight.notice_chance(&pattern));
        }
        // Who weighs everything would see it now: to him it is no candidate, unless there is nothing else.
        if self.level.persists && self.judged.iter().any(|judged| !judged.is_unseen) {
            self.judged.retain(|judged| !judged.is_unseen);
        }
    }

    /// Takes its price off each candidate, from number `from` on, that throws the queen away. Says whether all do.
    fn mind_queen(&mut self, from: usize) -> bool {
        let [root] = self.roots.as_slice() else { return false };
        let before = *root.state.board();
        let mut all = true;
        for judged in &mut self.judged[from..] {
            let candidate = &judged.candidate;
            if !candidate.is_drawn && throws_queen(&before, candidate.end.board()) && !judged.is_won() {
                judged.value -= QUEEN;
            } else {
                all = false;
            }
        }
        all
    }

    /// Checks as many of the best candidates as the player weighs. What he sees no mate against he trusts.
    pub(super) fn check_as_seen(&mut self, share: f64) {
        self.sort();
        let mut weighed = 0;
        for i in 0..self.judged.len() {
            if weighed >= self.level.checked || self.budget.is_past(share) {
                break;
            }
            if self.judged[i].safety == Safety::Unknown {
                weighed += 1;
                self.judge_as_seen(i, share);
                if self.judged[i].safety == Safety::Won {
                    return;
                }
            }
        }
        // A mate once seen is seen wherever it works.
        for judged in self.judged.iter_mut().filter(|judged| judged.is_trusted && !judged.is_unseen) {
            if let Some(safety) = self.threats.without_solver(&judged.candidate, &mut self.budget) {
                (judged.safety, judged.is_trusted) = (safety, false);
            }
        }
    }

    fn judge_as_seen(&mut self, i: usize, share: f64) {
        let (judged, solver) = (&mut self.judged[i], &mut self.solvers[0]);
        if judged.is_unseen {
            judged.is_trusted = true;
            return;
        }
        if let Some(safety) = self.threats.without_solver(&judged.candidate, &mut self.budget) {
            judged.safety = safety;
            return;
        }
        let next = judged.candidate.next_position().begin();
        let answer = self.budget.solve(solver, &next, self.level.check_nodes, share);
        let is_seen = match (&answer.verdict, &self.level.sight) {
            (Verdict::Mate(series), Some(sight)) => sees_theirs(sight, self.seed, &next, &by_mover(&next, series)),
            (Verdict::Mate(_), None) => true,
            (Verdict::NoMate | Verdict::Unknown(_), _) => false,
        };
        if is_seen || self.level.sight.is_none() {
            judged.safety = self.threats.note(&judged.candidate, &answer);
        } else {
            judged.is_trusted = true;
        }
    }
}

fn by_mover(state: &Midturn, series: &Series) -> Vec<Move> {
    series.iter().map(|mv| mv.seen_by(state.color())).collect()
}

/// By where it ends: so what is left of a mate is seen if the whole was.
fn sees_own(sight: &Sight, seed: u64, state: &Midturn, moves: &[Move]) -> bool {
    let pattern = Pattern::of(state, moves);
    falls_to(seed, pattern.end, sight.own_chance(&pattern))
}

/// By its moves in any order: the same threat, whatever is played against it, is seen or not.
fn sees_theirs(sight: &Sight, seed: u64, state: &Midturn, moves: &[Move]) -> bool {
    let pattern = Pattern::of(state, moves);
    let key = moves.iter().map(|mv| luck(0x7e47, mv.bits().into())).fold(0, u64::wrapping_add);
    falls_to(seed, key, sight.their_chance(&pattern))
}

/// Whether a queen of the mover stands where a man attacks it, and the series has taken next to nothing. Boards in the mover's view.
fn throws_queen(before: &Board, end: &Board) -> bool {
    let is_attacked = |queen| !end.their_attackers(queen, end.occupied()).is_empty();
    let taken = worth(before).saturating_sub(worth(end));
    taken < SOMETHING && end.ours(Role::Queen).squares().any(is_attacked)
}

/// What their men are worth, in pawns.
fn worth(board: &Board) -> u32 {
    let of = |role, pawns| pawns * BitBoard::len(board.theirs(role));
    of(Role::Pawn, 1) + of(Role::Knight, 3) + of(Role::Bishop, 3) + of(Role::Rook, 5) + of(Role::Queen, 9)
}
