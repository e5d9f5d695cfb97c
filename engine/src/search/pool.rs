//! The candidates of a turn: gathered by beams, checked for safety in the order of their value.
//!
//! Where that leaves nothing safe, [`super::hunt`] looks on; what is safe is compared by [`super::tree`].

use super::beam::{Aim, Candidate, Found, candidates};
use super::budget::Budget;
use super::judged::Judged;
use super::levels::Level;
use super::root::Root;
use super::safety::{Safety, Threats};
use super::think::Settings;
use crate::eval::weights::{CLASSIC, Phases};
use crate::rules::midturn::Midturn;
use crate::solver::Solver;
use crate::types::series::Series;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
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
/// What a candidate gains for each move the opponent's mate takes at least, in hundredths of a pawn.
const MATE_COST: i32 = 60;
/// Safe candidates after which checking stops, without extra effort.
const ENOUGH: usize = 24;
/// Most nodes for a turn in which there is nothing to choose.
const ONLY_NODES: u64 = 20_000;

/// What is known of a mate in this turn.
#[derive(Clone, Debug)]
pub(super) enum OwnMate {
    /// Nothing more is to be found out.
    Settled,
    /// To be asked.
    Open(Midturn),
    /// Found: the moves in White's view.
    Found(Series),
}

/// The candidates, and what looking for them needs.
pub(super) struct Pool<'a> {
    /// One for each worker.
    pub(super) solvers: &'a mut [Solver],
    pub(super) budget: Budget<'a>,
    pub(super) roots: Vec<Root>,
    pub(super) level: Level,
    /// The seed of what a player who errs sees.
    pub(super) seed: u64,
    /// What the terms of the static score are worth.
    pub(super) phases: &'static Phases,
    pub(super) rng: ChaCha8Rng,
    pub(super) judged: Vec<Judged>,
    /// Keys of all ends gathered.
    pub(super) known: FxHashSet<u64>,
    pub(super) threats: Threats,
    /// Whether the mover mates in this turn: a question still open, for whoever comes first to ask; and the answer.
    pub(super) own_mate: OwnMate,
    /// Whether the first candidates have been gathered.
    pub(super) is_gathered: bool,
    /// Whether there is nothing to choose: one end of the turn, and it does not win at once.
    pub(super) is_only: bool,
    /// What a candidate of which nothing is known gains for each move the opponent's mate takes at least.
    pub(super) mate_cost: i32,
}

/// Beams from all roots.
pub(super) struct Beams {
    roots: Vec<Root>,
    aim: Aim,
    /// Until so much of the budget is used.
    share: f64,
}

impl Beams {
    /// What each of them finds.
    pub(super) fn find(&self, rng: &mut ChaCha8Rng, budget: &mut Budget<'_>) -> Vec<Found> {
        // Once the budget is used up, one greedy line is enough to have a legal series.
        let width = if budget.is_past(self.share) { 1 } else { self.aim.width };
        let aim = Aim { width, ..self.aim.clone() };
        self.roots.iter().map(|root| candidates(root, &aim, rng, budget, self.share)).collect()
    }
}

impl<'a> Pool<'a> {
    /// An empty pool.
    pub(super) fn new(
        solvers: &'a mut [Solver],
        budget: Budget<'a>,
        roots: Vec<Root>,
        settings: Settings,
        rng: ChaCha8Rng,
    ) -> Self {
        let Settings { level, seed } = settings;
        let phases = roots.first().map_or(&CLASSIC, |root| level.phases(root.state.rules()));
        let (judged, known, threats) = (Vec::new(), FxHashSet::default(), Threats::default());
        Self {
            solvers,
            budget,
            roots,
            level,
            seed,
            phases,
            rng,
            judged,
            known,
            threats,
            own_mate: OwnMate::Settled,
            is_gathered: false,
            is_only: false,
            mate_cost: MATE_COST,
        }
    }

    /// The candidates; best first after [`Pool::sort`].
    pub(super) fn candidates(&self) -> &[Judged] {
        &self.judged
    }

    /// A candidate that wins at once, if there is one.
    pub(super) fn won(&self) -> Option<&Candidate> {
        self.judged.iter().find(|judged| judged.is_won()).map(|judged| &judged.candidate)
    }

    /// So many without extra effort, more with it.
    pub(super) fn wider(&self, number: usize) -> usize {
        number << self.budget.limits().effort
    }

    /// Safe candidates after which checking stops.
    pub(super) fn enough(&self) -> usize {
        self.wider(ENOUGH)
    }

    /// Gathers the first candidates.
    pub(super) fn gather(&mut self) {
        self.is_gathered = true;
        let (width, keep) = (self.wider(self.level.width), self.wider(KEEP));
        let aim = Aim { noise: self.level.noise, ..Aim::plain(self.phases, width, keep) };
        let is_complete = self.collect(aim, share::BEAM);
        self.mind_slips();
        self.sort();
        self.is_only = is_complete && self.judged.len() == 1 && self.won().is_none();
    }

    /// Judges the only candidate, within what is nothing beside a normal turn: it will be played anyway.
    pub(super) fn judge_only(&mut self) {
        self.judge(0, ONLY_NODES, share::SAFETY);
    }

    /// Checks candidates for safety, and looks for others while none is safe.
    pub(super) fn check(&mut self) {
        if self.level.persists {
            self.check_by_turns();
        } else {
            self.check_as_seen(share::SAFETY);
        }
        self.sort();
    }

    /// Gathers what is new among the ends that a beam from each root finds. Says whether these are all ends of the turn.
    pub(super) fn collect(&mut self, aim: Aim, share: f64) -> bool {
        let beams = self.beams(aim, share);
        let found = beams.find(&mut self.rng, &mut self.budget);
        self.take(found)
    }

    /// A beam from each root, to be sent out until `share` of the budget is used.
    pub(super) fn beams(&self, aim: Aim, share: f64) -> Beams {
        Beams { roots: self.roots.clone(), aim, share }
    }

    /// Adds what is new. Says whether these are all ends of the turn.
    pub(super) fn take(&mut self, found: Vec<Found>) -> bool {
        let mut is_complete = true;
        for found in found {
            is_complete &= found.is_complete;
            for mut candidate in found.ends {
                if self.known.insert(candidate.end.board().key()) {
                    if self.level.checked > 0 {
                        candidate.ask_cost();
                    }
                    self.judged.push(Judged::new(candidate));
                }
            }
        }
        is_complete
    }

    /// Checks candidate `i` for safety within `nodes`.
    fn judge(&mut self, i: usize, nodes: u64, share: f64) {
        let (judged, solver) = (&mut self.judged[i], &mut self.solvers[0]);
        judged.safety = self.threats.judge(&judged.candidate, solver, &mut self.budget, nodes, share);
        if judged.safety == Safety::Unknown {
            judged.tries += 1;
        }
    }

    /// Lends the solvers to some work on the pool.
    pub(super) fn shift(&mut self, work: impl FnOnce(&mut Self, &mut [Solver])) {
        let solvers = std::mem::take(&mut self.solvers);
        work(self, solvers);
        self.solvers = solvers;
    }

    /// How many candidates are proved safe.
    pub(super) fn safe(&self) -> usize {
        self.judged.iter().filter(|judged| judged.safety == Safety::Safe).count()
    }

    /// Best first.
    pub(super) fn sort(&mut self) {
        let mate_cost = self.mate_cost;
        self.judged.sort_by_key(|judged| Reverse(judged.rank(mate_cost)));
    }
}
