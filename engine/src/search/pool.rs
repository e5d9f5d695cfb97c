//! The candidates of a turn and what is known of them: gathered by beams, checked for safety, compared by the replies.

use super::beam::{Aim, Candidate, SquareAims, candidates};
use super::budget::Budget;
use super::levels::Level;
use super::reply::Replies;
use super::root::Root;
use super::safety::{Safety, Threats};
use crate::rules::outcome::Outcome;
use crate::solver::{Solver, bound};
use crate::types::score::Score;
use crate::types::series::Series;
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;

/// Shares of the budget, each "until so much is used".
pub(super) mod share {
    /// A mate in this series.
    pub(in crate::search) const MATE: f64 = 0.5;
    /// The first beam.
    pub(in crate::search) const BEAM: f64 = 0.6;
    /// Checking candidates while none or few are safe.
    pub(in crate::search) const SAFETY: f64 = 0.75;
    /// Comparing safe candidates by the replies.
    pub(in crate::search) const REPLY: f64 = 0.92;
    /// Looking on for a safe series when there is none.
    pub(in crate::search) const LAST: f64 = 0.97;
}

/// Candidates kept by a beam.
const KEEP: usize = 400;
/// Candidates kept by a beam that looks for anything safe.
const KEEP_MORE: usize = 2000;
/// What a candidate gains for each move the opponent's mate takes at least, in hundredths of a pawn.
const MATE_COST: i32 = 60;
/// The same once nothing else matters than to find a safe one.
const MATE_COST_ALONE: i32 = 500;
/// Safe candidates after which checking stops.
const ENOUGH: usize = 24;
/// Node caps for checking one candidate; the next is used when the one before left too few safe candidates.
const TIERS: [u64; 4] = [4_000, 40_000, 400_000, u64::MAX];
/// Candidates checked in the order of their value; if none of these is safe, other things count.
const HOPELESS: usize = 40;
/// Candidates checked before their order is thought over.
const BATCH: usize = 12;
/// Batches between two beams that look for anything safe.
const BATCHES: usize = 4;
/// Beams without anything new after which the looking ends.
const BARREN_ROUNDS: usize = 6;
/// What a candidate loses for each other one, with our king on the same square, that was mated.
const MATED_NEIGHBOR: i32 = 150;
/// What a candidate loses each time it was checked without a verdict.
const TRIED: i32 = 600;
/// With at least so many safe candidates no higher tier is tried.
const CONTENT: usize = 6;
/// How many candidates are compared by whether we mate after the replies, too.
const DEEP: usize = 8;

/// A candidate with all that is known of it.
pub(super) struct Judged {
    pub(super) candidate: Candidate,
    pub(super) safety: Safety,
    /// For our side, in hundredths of a pawn.
    value: i32,
    /// How many moves the opponent's mate takes at least, quota apart.
    cost: i32,
    /// Where our king stands, as an index.
    king: usize,
    /// How often it was checked.
    tries: i32,
    /// The expected reply in White's view.
    pub(super) reply: Option<Series>,
}

impl Judged {
    /// What it is worth, for the protocol.
    pub(super) fn score(&self) -> Score {
        match self.safety {
            Safety::Won => Score::mate_in(1),
            Safety::Mated(_) => Score::mated_in(1),
            Safety::Drawn => Score::DRAW,
            Safety::Safe | Safety::Unknown => Score::cp(self.value),
        }
    }

    /// Whether the opponent has lost. Wins show without a check of safety: a candidate after which he has no answer.
    fn is_won(&self) -> bool {
        let end = &self.candidate.end;
        let decisive = end.board().them().is_empty() || end.board().gives_check();
        self.safety == Safety::Won
            || decisive
                && !self.candidate.is_drawn
                && matches!(self.candidate.next_position().outcome(), Some(Outcome::Win { winner, .. }) if winner == end.color())
    }
}

/// The candidates, and what looking for them needs.
pub(super) struct Pool<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) budget: Budget<'a>,
    pub(super) roots: Vec<Root>,
    level: &'static Level,
    rng: ChaCha8Rng,
    judged: Vec<Judged>,
    threats: Threats,
    /// See [`MATE_COST`].
    mate_cost: i32,
}

impl<'a> Pool<'a> {
    /// An empty pool.
    pub(super) fn new(
        solver: &'a mut Solver,
        budget: Budget<'a>,
        roots: Vec<Root>,
        level: &'static Level,
        rng: ChaCha8Rng,
    ) -> Self {
        let (judged, threats) = (Vec::new(), Threats::default());
        Self { solver, budget, roots, level, rng, judged, threats, mate_cost: MATE_COST }
    }

    /// The candidates; best first after [`Pool::sort`].
    pub(super) fn candidates(&self) -> &[Judged] {
        &self.judged
    }

    /// A candidate that wins at once, if there is one.
    pub(super) fn won(&self) -> Option<&Candidate> {
        self.judged.iter().find(|judged| judged.is_won()).map(|judged| &judged.candidate)
    }

    /// Gathers the first candidates.
    pub(super) fn gather(&mut self) {
        self.collect(self.level.width, self.level.noise, None, share::BEAM);
        self.sort();
    }

    /// Checks candidates for safety, and looks for others while none is safe.
    pub(super) fn check(&mut self) {
        self.check_all(share::SAFETY);
        self.persist();
        self.sort();
    }

    fn collect(&mut self, width: usize, noise: i32, squares: Option<Box<SquareAims>>, share: f64) {
        // Once the budget is used up, one greedy line is enough to have a legal series.
        let width = if self.budget.is_past(share) { 1 } else { width };
        let keep = if squares.is_some() { KEEP_MORE } else { KEEP };
        let aim = Aim { width, keep, noise, squares };
        let known: rustc_hash::FxHashSet<u64> = self.judged.iter().map(|j| j.candidate.end.board().key()).collect();
        for i in 0..self.roots.len() {
            let root = &self.roots[i];
            for candidate in candidates(root, &aim, &mut self.rng, &mut self.budget, share) {
                if !known.contains(&candidate.end.board().key()) {
                    let value = candidate.score;
                    let cost = if candidate.is_drawn || self.level.checked == 0 {
                        0
                    } else {
                        i32::from(bound::cost(&candidate.next_position().begin()))
                    };
                    let king = candidate.end.board().king().map_or(0, |king| king as usize);
                    let safety = Safety::Unknown;
                    self.judged.push(Judged { candidate, safety, value, cost, king, tries: 0, reply: None });
                }
            }
        }
    }

    /// Checks unknown candidates, the best first, with growing node caps, until enough are safe or `share` is used.
    fn check_all(&mut self, share: f64) {
        self.sort();
        for cap in TIERS {
            let cap = cap.min(self.level.check_nodes);
            let mut checked = 0;
            for i in 0..self.judged.len() {
                let hopeless = self.level.persists && checked >= HOPELESS && self.safe() == 0;
                if self.safe() >= ENOUGH || checked >= self.level.checked || hopeless || self.budget.is_past(share) {
                    break;
                }
                if self.judged[i].safety == Safety::Unknown {
                    checked += 1;
                    let candidate = &self.judged[i].candidate;
                    let safety = self.threats.judge(candidate, self.solver, &mut self.budget, cap, share);
                    self.judged[i].safety = safety;
                    if safety == Safety::Won {
                        return;
                    }
                }
            }
            let hopeless = self.level.persists && self.safe() == 0;
            if self.safe() >= CONTENT || hopeless || self.budget.is_past(share) || cap == self.level.check_nodes {
                break;
            }
        }
    }

    fn safe(&self) -> usize {
        self.judged.iter().filter(|judged| judged.safety == Safety::Safe).count()
    }

    /// Whether looking on is over: something survives the next turn, or the budget is used up.
    fn is_settled(&self) -> bool {
        self.judged.iter().any(|judged| judged.safety >= Safety::Safe) || self.budget.is_past(share::LAST)
    }

    /// While there is no safe candidate: beams that aim at what the mates found have in common, and small batches of checks that
    /// move away from king squares where all is mated.
    fn persist(&mut self) {
        if !self.level.persists {
            return;
        }
        self.mate_cost = MATE_COST_ALONE;
        let mut barren = 0;
        for round in 1.. {
            if self.is_settled() {
                return;
            }
            let before = self.judged.len();
            let squares = Box::new(self.threats.aims(round, &mut self.rng));
            let width = 100 + 100 * round.min(4) as usize;
            self.collect(width, 120 * round.min(20), Some(squares), share::LAST);
            barren = if self.judged.len() == before { barren + 1 } else { 0 };
            for _ in 0..BATCHES {
                if self.is_settled() {
                    return;
                }
                if !self.check_batch() {
                    break;
                }
            }
            // Beams that find nothing new any more will not find anything in the next rounds either.
            if barren >= BARREN_ROUNDS {
                return;
            }
        }
    }

    /// Checks the most promising unknown candidates; says whether there was one.
    fn check_batch(&mut self) -> bool {
        // 1. How often a candidate with our king on each square was mated.
        let mut mated = [0; 64];
        for judged in self.judged.iter().filter(|judged| matches!(judged.safety, Safety::Mated(_))) {
            mated[judged.king] += 1;
        }
        // 2. The best by value, the cost of the mate, and the luck of others on that king square.
        let promise = |judged: &Judged| {
            judged.value + MATE_COST_ALONE * judged.cost
                - i32::min(mated[judged.king], 20) * MATED_NEIGHBOR
                - judged.tries * TRIED
        };
        let mut unknown: Vec<usize> =
            (0..self.judged.len()).filter(|&i| self.judged[i].safety == Safety::Unknown).collect();
        unknown.sort_by_key(|&i| Reverse(promise(&self.judged[i])));
        unknown.truncate(BATCH);
        // 3. Check them, with a higher cap each time one comes up again.
        for &i in &unknown {
            let cap = TIERS[self.judged[i].tries.min(TIERS.len() as i32 - 1) as usize];
            let candidate = &self.judged[i].candidate;
            let safety = self.threats.judge(candidate, self.solver, &mut self.budget, cap, share::LAST);
            self.judged[i].safety = safety;
            self.judged[i].tries += 1;
        }
        !unknown.is_empty()
    }

    /// Compares safe candidates by what the opponent makes of them.
    pub(super) fn compare_replies(&mut self) {
        let safe: Vec<usize> = (0..self.judged.len())
            .filter(|&i| self.judged[i].safety == Safety::Safe)
            .take(self.level.replies)
            .collect();
        let mut compared = Vec::new();
        for &i in &safe {
            if self.budget.is_past(share::REPLY) && !compared.is_empty() {
                break;
            }
            let judged = &mut self.judged[i];
            let replies = Replies::to(&judged.candidate, &mut self.rng, &mut self.budget, share::REPLY);
            judged.value = replies.value() + judged.candidate.score / 4;
            judged.reply = replies.best();
            compared.push((i, replies));
        }
        // What was not compared stays behind what was.
        for i in safe.into_iter().skip(compared.len()) {
            self.judged[i].value -= 100_000;
        }
        compared.sort_by_key(|&(i, _)| -self.judged[i].value);
        for (i, replies) in compared.iter().take(DEEP) {
            if self.budget.is_past(share::LAST) {
                break;
            }
            self.judged[*i].value += replies.next_mates(self.solver, &mut self.budget, share::LAST);
        }
    }

    /// Best first: safe before drawn before unknown before mated; a draw is better than a bad game.
    pub(super) fn sort(&mut self) {
        let rank = |judged: &Judged| match judged.safety {
            Safety::Won => (5, 0),
            Safety::Safe => (4, judged.value),
            Safety::Drawn => (4, -400),
            Safety::Unknown => (3, judged.value + self.mate_cost * judged.cost),
            Safety::Mated(nodes) => (2, i32::try_from(nodes).unwrap_or(i32::MAX)),
        };
        let mut judged = std::mem::take(&mut self.judged);
        judged.sort_by_key(|judged| Reverse(rank(judged)));
        self.judged = judged;
    }
}
