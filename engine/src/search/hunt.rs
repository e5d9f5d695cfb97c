//! Which candidates are safe, for a player who uses all of his budget. The most valuable are checked with growing node caps by turns. While
//! nothing is safe the hunt is on: beams that aim at what the mates found have in common, and checks that move away from king squares where
//! all is mated.

use super::beam::{Aim, candidates};
use super::budget::Budget;
use super::judged::Judged;
use super::pool::{OwnMate, Pool, share};
use super::safety::Safety;
use super::shifts::{self, Question, Shifts};
use crate::solver::{Answer, Limit, Verdict};

/// Candidates kept by a beam.
const KEEP: usize = 2000;
/// Where at most so many positions come up at a time, and so many ends, all are gathered.
const ALL_WIDTH: usize = 4000;
const ALL_ENDS: usize = 2000;
/// Up to this turn all ends are gathered however many they are (turn 3 has some 6,000, turn 4 up to 100,000), once so many rounds of beams and
/// checks have found mates that refute most of them, and if at least so many nodes are left, on the clock too: keeping the ends takes as long.
const ALL_UNTIL_TURN: u16 = 4;
const ALL_AFTER_ROUND: i32 = 3;
const ALL_NODES: u64 = 500_000;
/// What a candidate gains for each move that the opponent's mate takes at least, in hundredths of a pawn.
const MATE_COST: i32 = 1000;
/// Nodes spent on checks between two beams.
const ROUND_NODES: u64 = 60_000;
/// Beams without anything new after which the looking ends.
const BARREN_ROUNDS: usize = 6;
/// What a candidate loses for each other one, with our king on the same square, that was mated.
const MATED_NEIGHBOR: i32 = 150;
/// Node caps for the first check of a candidate, the second, and so on.
const TIERS: [u64; 4] = [2_000, 16_000, 128_000, u64::MAX];
/// Each cap gets so many times the work of the one before. Measured on turns that are hard to survive: half of what comes up to a cap is mated
/// there, so candidates get fewer by more than this factor with each cap that is eight times as high.
const TIER_GROWTH: u64 = 4;
/// What the last tier is taken to cost.
const LAST_TIER: u64 = 1_000_000;

/// When so many candidates are mated and none is safe, value is not what counts.
const HOPELESS: usize = 24;
/// The part of the budget left that may be used before, while nothing is safe.
const PATIENCE: f64 = 0.3;

/// Nodes spent with each cap.
type Spent = [u64; TIERS.len()];

impl Pool<'_> {
    /// Checks the most valuable candidates by turns, then hunts if nothing is safe.
    pub(super) fn check_by_turns(&mut self) {
        let mut spent = [0; TIERS.len()];
        self.shift(|pool, solvers| {
            let crew = pool.budget.limits().crew;
            shifts::run(&mut Valuable { pool, spent: &mut spent, patience: None }, solvers, crew);
        });
        if !matches!(self.own_mate, OwnMate::Found(_)) && !self.judged.is_empty() {
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
            let begun = spent.iter().sum();
            let promising = Promising { pool, spent, round: 0, begun, until: begun, is_complete, barren: 0 };
            shifts::run(&mut { promising }, solvers, crew);
        });
    }

    /// Beams of the hunt's round of this number, from 1. Says whether all ends are known now.
    fn beams(&mut self, round: i32) -> bool {
        if round == ALL_AFTER_ROUND && self.collect_early_turn() {
            return true;
        }
        let squares = Some(Box::new(self.threats.aims(round, &mut self.rng)));
        let width = 100 + 100 * round.min(4) as usize;
        let aim = Aim { noise: 120 * round.min(20), squares, ..Aim::plain(self.phases, width, KEEP) };
        self.collect(aim, share::LAST)
    }

    /// Gathers all ends of an early turn but those that a mate already found refutes: they are not worth keeping. Says whether it did.
    fn collect_early_turn(&mut self) -> bool {
        let is_early = self.roots.iter().all(|root| root.state.turn().number() <= ALL_UNTIL_TURN);
        if !is_early || self.budget.likely_nodes_until(share::LAST) < ALL_NODES {
            return false;
        }
        let aim = Aim { all_or_nothing: true, ..Aim::plain(self.phases, usize::MAX, usize::MAX) };
        let mut is_complete = true;
        for root in &self.roots {
            let found = candidates(root, &aim, &mut self.rng, &mut self.budget, share::LAST);
            is_complete &= found.is_complete;
            for candidate in found.ends {
                if self.budget.is_past(share::LAST) {
                    return false;
                }
                if !self.known.insert(candidate.end.board().key()) {
                    continue;
                }
                let refuted = self.threats.without_solver(&candidate, &mut self.budget);
                if !matches!(refuted, Some(Safety::Mated(_))) {
                    self.judged.push(Judged::new(candidate, true));
                }
            }
        }
        is_complete
    }

    /// Whether looking on is over: something survives the next turn, or the budget is used up.
    fn is_settled(&self) -> bool {
        self.judged.iter().any(|judged| judged.safety >= Safety::Safe) || self.budget.is_past(share::LAST)
    }

    /// The next candidate to be checked. Most are mated soon, the few that are not deserve more the longer they resist: it is the most promising of
    /// those that are due for the cap that is most in arrears. Those that need no solver are judged on the way.
    fn next_check(&mut self, spent: &mut Spent, promise: impl Fn(&Judged) -> i32) -> Option<(Check, Question)> {
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
struct Check {
    index: usize,
    tier: usize,
}

/// What the first shift does.
enum Work {
    /// Looks for a mate in this turn.
    Mate,
    Check(Check),
}

/// The first shift: the most valuable candidates, and a mate in this turn if that is still open.
struct Valuable<'p, 'a> {
    pool: &'p mut Pool<'a>,
    spent: &'p mut Spent,
    /// The share of the budget until which value counts, whatever has been mated; not known before candidates are gathered.
    patience: Option<f64>,
}

impl<'a> Shifts<'a> for Valuable<'_, 'a> {
    type Task = Work;

    fn budget(&mut self) -> &mut Budget<'a> {
        &mut self.pool.budget
    }

    fn next(&mut self) -> Option<(Work, Question)> {
        if let OwnMate::Open(midturn) = self.pool.own_mate {
            self.pool.own_mate = OwnMate::Settled;
            return Some((Work::Mate, Question { midturn, nodes: u64::MAX, share: share::MATE }));
        }
        if !self.pool.is_gathered {
            self.pool.gather();
        }
        let begun = self.pool.budget.used();
        let patience = *self.patience.get_or_insert(begun + (share::LAST - begun) * PATIENCE);
        let safe = self.pool.safe();
        let pool = &mut *self.pool;
        let mated = pool.judged.iter().filter(|judged| matches!(judged.safety, Safety::Mated(_))).count();
        let is_hopeless = safe == 0 && (mated >= HOPELESS || pool.budget.is_past(patience));
        let is_won = || pool.judged.iter().any(|judged| judged.safety == Safety::Won);
        if safe >= pool.enough() || is_hopeless || pool.budget.is_past(share::SAFETY) || is_won() {
            return None;
        }
        let mate_cost = pool.mate_cost;
        let next = pool.next_check(self.spent, |judged| judged.value + mate_cost * judged.cost);
        next.map(|(check, question)| (Work::Check(check), question))
    }

    fn note(&mut self, work: Work, answer: &Answer) -> bool {
        match (work, &answer.verdict) {
            (Work::Check(check), _) => self.pool.note_check(self.spent, check, answer),
            (Work::Mate, Verdict::Mate(series)) => {
                self.pool.own_mate = OwnMate::Found(series.clone());
                return true;
            }
            (Work::Mate, _) => {}
        }
        false
    }
}

/// The shifts of the hunt, round by round: beams, then checks of candidates that move away from the mates found. With several workers one may
/// be at the beams of a round while others are still at checks of the one before.
struct Promising<'p, 'a> {
    pool: &'p mut Pool<'a>,
    spent: &'p mut Spent,
    /// From 1.
    round: i32,
    /// What was spent before this round's checks, and when beams are due again.
    begun: u64,
    until: u64,
    /// Whether all ends are known.
    is_complete: bool,
    /// Rounds of beams without anything new.
    barren: usize,
}

impl Promising<'_, '_> {
    /// Beams for the next round.
    fn begin_round(&mut self) {
        self.round += 1;
        let before = self.pool.judged.len();
        if !self.is_complete {
            self.is_complete = self.pool.beams(self.round);
        }
        self.barren = if self.pool.judged.len() == before { self.barren + 1 } else { 0 };
        self.begun = self.spent.iter().sum();
        self.until = self.begun + ROUND_NODES;
    }

    /// By value, the cost of the mate, and the luck of others with our king on the same square.
    fn next_promising(&mut self) -> Option<(Check, Question)> {
        let mut mated = [0; 64];
        for judged in self.pool.judged.iter().filter(|judged| matches!(judged.safety, Safety::Mated(_))) {
            mated[judged.king] += 1;
        }
        let promise = |judged: &Judged| {
            judged.value + MATE_COST * judged.cost - i32::min(mated[judged.king], 20) * MATED_NEIGHBOR
        };
        self.pool.next_check(self.spent, promise)
    }
}

impl<'a> Shifts<'a> for Promising<'_, 'a> {
    type Task = Check;

    fn budget(&mut self) -> &mut Budget<'a> {
        &mut self.pool.budget
    }

    fn next(&mut self) -> Option<(Check, Question)> {
        loop {
            let spent: u64 = self.spent.iter().sum();
            if self.pool.is_settled() {
                return None;
            }
            if spent < self.until
                && let Some(next) = self.next_promising()
            {
                return Some(next);
            }
            // Beams that find nothing new any more will not find anything in the next rounds either.
            let is_idle = self.spent.iter().sum::<u64>() == self.begun;
            let is_barren = self.is_complete || self.barren >= BARREN_ROUNDS;
            if self.pool.is_settled() || self.round > 0 && is_idle && is_barren {
                return None;
            }
            self.begin_round();
        }
    }

    fn note(&mut self, check: Check, answer: &Answer) -> bool {
        self.pool.note_check(self.spent, check, answer);
        false
    }
}
