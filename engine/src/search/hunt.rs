//! Which candidates are safe, for a player who uses all of his budget. The most valuable are checked with growing node caps by turns. While
//! nothing is safe the hunt is on: beams that aim at what the mates found have in common, and checks that move away from king squares where
//! all is mated.

use super::beam::{Aim, candidates};
use super::judged::Judged;
use super::pool::{Beams, OwnMate, Pool, share};
use super::rounds::{Done, Promising, Valuable, Work};
use super::safety::Safety;
use super::shifts::{self, Question};
use crate::solver::{Answer, Limit, Verdict};

/// Candidates kept by a beam.
const KEEP: usize = 2000;
/// Where at most so many positions come up at a time, and so many ends, all are gathered.
const ALL_WIDTH: usize = 4000;
const ALL_ENDS: usize = 2000;
/// Up to this turn all ends are gathered however many they are (turn 3 has some 6,000, turn 4 up to 100,000), once so many rounds of beams and
/// checks have found mates that refute most of them, and if at least so many nodes are left, on the clock too: keeping the ends takes as long.
const ALL_UNTIL_TURN: u16 = 4;
pub(super) const ALL_AFTER_ROUND: i32 = 3;
const ALL_NODES: u64 = 500_000;
/// What a candidate gains for each move that the opponent's mate takes at least, in hundredths of a pawn.
pub(super) const MATE_COST: i32 = 1000;
/// Node caps for the first check of a candidate, the second, and so on.
const TIERS: [u64; 4] = [2_000, 16_000, 128_000, u64::MAX];
/// Each cap gets so many times the work of the one before. Measured on turns that are hard to survive: half of what comes up to a cap is mated
/// there, so candidates get fewer by more than this factor with each cap that is eight times as high.
const TIER_GROWTH: u64 = 4;
/// What the last tier is taken to cost.
const LAST_TIER: u64 = 1_000_000;

/// Nodes spent with each cap.
pub(super) type Spent = [u64; TIERS.len()];

impl Pool<'_> {
    /// Checks the most valuable candidates by turns, then hunts if nothing is safe.
    pub(super) fn check_by_turns(&mut self) {
        let mut spent = [0; TIERS.len()];
        self.shift(|pool, solvers| {
            let crew = pool.budget.limits().crew;
            shifts::run(&mut Valuable { pool, spent: &mut spent, patience: None }, solvers, crew);
        });
        if !matches!(self.own_mate, OwnMate::Found(_)) && !self.judged.is_empty() && !self.is_only {
            self.hunt(&mut spent);
        }
    }

    /// Looks for a safe candidate until there is one, until all ends are known to be mated, or until the budget is used up.
    fn hunt(&mut self, spent: &mut Spent) {
        if self.is_settled() {
            return;
        }
        self.mate_cost = MATE_COST;
        // Where there are few ends, all of them.
        let all = Aim { all_or_nothing: true, ..Aim::plain(self.phases, ALL_WIDTH, ALL_ENDS) };
        let is_complete = self.collect(all, share::LAST);
        // Else beams and checks by turns.
        self.shift(|pool, solvers| {
            let crew = pool.budget.limits().crew;
            let most_at_beams = crew.size().div_ceil(2);
            let mut promising = Promising {
                pool,
                spent,
                round: 0,
                until: 0,
                at_beams: 0,
                most_at_beams,
                is_complete,
                tried_early: false,
                barren: 0,
            };
            shifts::run(&mut promising, solvers, crew);
        });
    }

    /// The beams of the hunt's round of this number, from 1.
    pub(super) fn beams_of(&mut self, round: i32) -> Beams {
        let squares = Some(Box::new(self.threats.aims(round, &mut self.rng)));
        let width = 100 + 100 * round.min(4) as usize;
        let aim = Aim { noise: 120 * round.min(20), squares, ..Aim::plain(self.phases, width, KEEP) };
        self.beams(aim, share::LAST)
    }

    /// Gathers all ends of an early turn but those that a mate already found refutes: they are not worth keeping. Says whether it did.
    pub(super) fn collect_early_turn(&mut self) -> bool {
        let is_early = self.roots.iter().all(|root| root.state.turn().number() <= ALL_UNTIL_TURN);
        if !is_early || self.budget.likely_nodes_until(share::LAST) < ALL_NODES {
            return false;
        }
        let aim = Aim { all_or_nothing: true, ..Aim::plain(self.phases, usize::MAX, usize::MAX) };
        let mut is_complete = true;
        for root in &self.roots {
            let found = candidates(root, &aim, &mut self.rng, &mut self.budget, share::LAST);
            is_complete &= found.is_complete;
            for mut candidate in found.ends {
                if self.budget.is_past(share::LAST) {
                    return false;
                }
                if !self.known.insert(candidate.end.board().key()) {
                    continue;
                }
                let refuted = self.threats.without_solver(&candidate, &mut self.budget);
                if !matches!(refuted, Some(Safety::Mated(_))) {
                    candidate.ask_cost();
                    self.judged.push(Judged::new(candidate));
                }
            }
        }
        is_complete
    }

    /// Whether looking on is over: something survives the next turn, or the budget is used up.
    pub(super) fn is_settled(&self) -> bool {
        let has_safe = self.judged.iter().any(|judged| judged.safety >= Safety::Safe);
        // What no question could spend any more is as good as spent.
        let least = self.budget.limits().crew.size() as u64;
        has_safe || self.budget.is_past(share::LAST) || self.budget.nodes_until(share::LAST) < least
    }

    /// The next candidate to be checked. Most are mated soon, the few that are not deserve more the longer they resist: it is the most promising of
    /// those that are due for the cap that is most in arrears. Those that need no solver are judged on the way.
    pub(super) fn next_check(
        &mut self,
        spent: &mut Spent,
        promise: impl Fn(&Judged) -> i32,
    ) -> Option<(Check, Question)> {
        loop {
            let mut best = [None; TIERS.len()];
            for (index, judged) in self.judged.iter().enumerate() {
                if judged.safety == Safety::Unknown && !judged.is_busy {
                    let tier = &mut best[judged.tries.min(TIERS.len() - 1)];
                    if tier.is_none_or(|(most, _)| promise(judged) > most) {
                        *tier = Some((promise(judged), index));
                    }
                }
            }
            let arrears = |tier: usize| (spent[tier] + TIERS[tier].min(LAST_TIER)) / TIER_GROWTH.pow(tier as u32);
            let due = (0..TIERS.len()).filter_map(|tier| best[tier].map(|(_, index)| (arrears(tier), tier, index)));
            let (_, tier, index) = due.min()?;
            let judged = &mut self.judged[index];
            spent[tier] += 1;
            match self.threats.without_solver(&judged.candidate, &mut self.budget) {
                Some(safety) => {
                    judged.safety = safety;
                    if safety >= Safety::Drawn {
                        return None;
                    }
                }
                None => {
                    judged.is_busy = true;
                    let midturn = judged.candidate.next_position().begin();
                    return Some((Check { index, tier }, Question { midturn, nodes: TIERS[tier], share: share::LAST }));
                }
            }
        }
    }

    /// Notes what came of some work. Of beams it says whether they found all ends of the turn, and whether they found nothing new.
    pub(super) fn note_work(&mut self, spent: &mut Spent, task: Work, done: Done) -> Option<(bool, bool)> {
        match (task, done) {
            (Work::Check(check, _), Done::Answer(answer)) => self.note_check(spent, check, &answer),
            (_, Done::Found(found)) => {
                let before = self.judged.len();
                let is_complete = self.take(found);
                return Some((is_complete, self.judged.len() == before));
            }
            (Work::Mate(_) | Work::Beams(..), Done::Answer(_)) => {}
        }
        None
    }

    fn note_check(&mut self, spent: &mut Spent, Check { index, tier }: Check, answer: &Answer) {
        let judged = &mut self.judged[index];
        spent[tier] += answer.nodes;
        judged.safety = self.threats.note(&judged.candidate, answer);
        // A question beyond the solver costs nothing, so it would be asked for ever: whoever asks stays busy with it.
        judged.is_busy = answer.verdict == Verdict::Unknown(Limit::Quota);
        judged.tries += usize::from(judged.safety == Safety::Unknown);
    }
}

/// Which candidate is being checked with which cap.
pub(super) struct Check {
    index: usize,
    tier: usize,
}
