//! The search of one turn.

use super::beam::{Aim, Candidate, candidates};
use super::budget::Budget;
use super::info::{Choice, Event, Info};
use super::levels::Level;
use super::limits::Limits;
use super::reply::Replies;
use super::root::{Root, roots};
use super::safety::{Safety, Threats};
use crate::rules::midturn::Midturn;
use crate::rules::outcome::Outcome;
use crate::solver::{Solver, Verdict, bound};
use crate::types::score::Score;
use crate::types::series::Series;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Shares of the budget, each "until so much is used".
mod share {
    /// A mate in this series.
    pub(super) const MATE: f64 = 0.5;
    /// The first beam.
    pub(super) const BEAM: f64 = 0.6;
    /// Checking candidates while none or few are safe.
    pub(super) const SAFETY: f64 = 0.75;
    /// Comparing safe candidates by the replies.
    pub(super) const REPLY: f64 = 0.92;
    /// Looking on for a safe series when there is none.
    pub(super) const LAST: f64 = 0.97;
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

/// What a search is asked to be.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Strength.
    pub level: &'static Level,
    /// Seed of all randomness: the same seed, node limit and one thread give the same series.
    pub seed: u64,
}

/// A searcher: tables that last from turn to turn.
pub struct Searcher {
    solver: Solver,
}

/// A candidate with all that is known of it.
struct Judged {
    candidate: Candidate,
    safety: Safety,
    /// For our side, in hundredths of a pawn.
    value: i32,
    /// How many moves the opponent's mate takes at least, quota apart.
    cost: i32,
    /// Where our king stands, as an index.
    king: usize,
    /// How often it was checked.
    tries: i32,
    reply: Option<Series>,
}

struct Think<'a, 'b> {
    solver: &'a mut Solver,
    level: &'static Level,
    limits: &'a Limits<'b>,
    budget: Budget<'a>,
    rng: ChaCha8Rng,
    midturn: Midturn,
    roots: Vec<Root>,
    judged: Vec<Judged>,
    threats: Threats,
    on_event: &'a mut dyn FnMut(Event),
    depth: u16,
    /// See [`MATE_COST`].
    mate_cost: i32,
}

impl Searcher {
    /// A searcher whose tables take about `hash_mib` MiB, 1 to 65536.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(hash_mib: usize) -> Result<Self, std::collections::TryReserveError> {
        // The table grows only as a question needs it; asking once for the whole tells whether it can.
        Vec::<u8>::new().try_reserve_exact(hash_mib << 20)?;
        Ok(Self { solver: Solver::new(hash_mib << 20) })
    }

    /// Forgets everything, for a new game. What the tables hold is keyed by question, so there is nothing to forget yet.
    pub fn clear(&mut self) {}

    /// Chooses what is left of the series of this turn. Always answers with a legal, complete series if there is one.
    pub fn think(
        &mut self,
        midturn: &Midturn,
        settings: &Settings,
        limits: &Limits<'_>,
        on_event: &mut dyn FnMut(Event),
    ) -> Choice {
        if let Some(choice) = finished(midturn, on_event) {
            return choice;
        }
        // The turn goes into the seed, so that a bot does not repeat its slips in every turn.
        let seed = settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ midturn.key();
        let mut think = Think {
            solver: &mut self.solver,
            level: settings.level,
            limits,
            budget: Budget::new(limits),
            rng: ChaCha8Rng::seed_from_u64(seed),
            midturn: *midturn,
            roots: roots(midturn, &limits.prefixes),
            judged: Vec::new(),
            threats: Threats::default(),
            on_event,
            depth: 1,
            mate_cost: MATE_COST,
        };
        think.run()
    }
}

/// The answer where the game is over already.
fn finished(midturn: &Midturn, on_event: &mut dyn FnMut(Event)) -> Option<Choice> {
    let score = match midturn.outcome()? {
        Outcome::Win { winner, .. } if winner == midturn.color() => Score::mate_in(1),
        Outcome::Win { .. } => Score::MATED,
        Outcome::Draw(_) => Score::DRAW,
    };
    on_event(Event::Line(Info { depth: 0, seldepth: 0, multi_pv: 1, score, nodes: 0, hashfull: 0, pv: Vec::new() }));
    Some(Choice { series: None, ponder: None, score, nodes: 0 })
}

impl Think<'_, '_> {
    fn run(&mut self) -> Choice {
        if let Some(series) = self.mate() {
            return self.answer_mate(series);
        }
        self.collect(self.level.width, self.level.noise, None, share::BEAM);
        if self.judged.is_empty() {
            return Choice { series: None, ponder: None, score: Score::DRAW, nodes: self.budget.nodes() };
        }
        self.sort();
        self.report();
        if let Some(won) = self.won() {
            return self.answer_mate(won);
        }
        if self.goes_to_depth(2) && self.level.checked > 0 {
            self.depth = 2;
            self.check_all(share::SAFETY);
            self.persist();
            self.sort();
            self.report();
        }
        if let Some(won) = self.won() {
            return self.answer_mate(won);
        }
        if self.goes_to_depth(3) && self.level.replies > 0 {
            self.depth = 3;
            self.compare_replies();
            self.sort();
            self.report();
        }
        self.answer()
    }

    fn goes_to_depth(&self, depth: u16) -> bool {
        self.limits.depth.is_none_or(|limit| limit >= depth) && !self.budget.is_past(1.0)
    }

    // 1. A mate in this series.

    fn mate(&mut self) -> Option<Series> {
        let nodes = self.level.mate_nodes;
        // `go mate 1` wants the proof and nothing else.
        let share = if self.limits.mate == Some(1) { share::LAST } else { share::MATE };
        let mut all_refuted = self.midturn.rules().has_mate();
        for i in 0..self.roots.len() {
            let root = &self.roots[i];
            if root.is_complete || nodes == 0 {
                all_refuted = false;
                continue;
            }
            let answer = self.budget.solve(self.solver, &root.state, nodes, share);
            match answer.verdict {
                Verdict::Mate(series) => {
                    let color = self.midturn.color();
                    return Some(
                        root.prefix.iter().map(|mv| mv.seen_by(color)).chain(series.iter().copied()).collect(),
                    );
                }
                Verdict::NoMate => {}
                Verdict::Unknown(_) => all_refuted = false,
            }
        }
        if self.limits.mate == Some(1) && all_refuted {
            (self.on_event)(Event::Note("no mate in 1".into()));
        }
        None
    }

    fn answer_mate(&mut self, series: Series) -> Choice {
        let score = Score::mate_in(1);
        let nodes = self.budget.nodes();
        let pv = vec![series.clone()];
        (self.on_event)(Event::Line(Info { depth: 1, seldepth: 1, multi_pv: 1, score, nodes, hashfull: 0, pv }));
        Choice { series: Some(series), ponder: None, score, nodes }
    }

    // 2. Candidates.

    fn collect(&mut self, width: usize, noise: i32, squares: Option<Box<super::beam::SquareAims>>, share: f64) {
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

    // 3. Safety.

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

    /// While there is no safe candidate: beams that aim at what the mates found have in common, and small batches of checks that
    /// move away from king squares where all is mated.
    fn persist(&mut self) {
        if !self.level.persists {
            return;
        }
        self.mate_cost = MATE_COST_ALONE;
        let mut barren = 0;
        for round in 1.. {
            let before = self.judged.len();
            let squares = Box::new(self.threats.aims(round, &mut self.rng));
            let width = 100 + 100 * round.min(4) as usize;
            self.collect(width, 120 * round.min(20), Some(squares), share::LAST);
            barren = if self.judged.len() == before { barren + 1 } else { 0 };
            for _ in 0..BATCHES {
                if self.judged.iter().any(|judged| judged.safety >= Safety::Safe) || self.budget.is_past(share::LAST) {
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
        unknown.sort_by_key(|&i| std::cmp::Reverse(promise(&self.judged[i])));
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

    fn won(&self) -> Option<Series> {
        let won = self.judged.iter().find(|judged| judged.safety == Safety::Won).map(|judged| &judged.candidate);
        let won = won.or_else(|| {
            // Cheap wins show without a check: a candidate after which the opponent has no answer.
            self.judged.iter().map(|judged| &judged.candidate).find(|candidate| {
                let decisive = candidate.end.board().them().is_empty() || candidate.end.board().gives_check();
                decisive
                    && !candidate.is_drawn
                    && matches!(candidate.next_position().outcome(), Some(Outcome::Win { winner, .. })
                        if winner == self.midturn.color())
            })
        });
        won.map(|candidate| self.series(candidate))
    }

    // 4. Replies.

    fn compare_replies(&mut self) {
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

    // 5. The answer.

    /// Best first: safe before drawn before unknown before mated; a draw is better than a bad game.
    fn sort(&mut self) {
        let rank = |judged: &Judged| match judged.safety {
            Safety::Won => (5, 0),
            Safety::Safe => (4, judged.value),
            Safety::Drawn => (4, -400),
            Safety::Unknown => (3, judged.value + self.mate_cost * judged.cost),
            Safety::Mated(nodes) => (2, i32::try_from(nodes).unwrap_or(i32::MAX)),
        };
        let mut judged = std::mem::take(&mut self.judged);
        judged.sort_by_key(|judged| std::cmp::Reverse(rank(judged)));
        self.judged = judged;
    }

    fn series(&self, candidate: &Candidate) -> Series {
        candidate.moves.iter().map(|mv| mv.seen_by(self.midturn.color())).collect()
    }

    fn score(judged: &Judged) -> Score {
        match judged.safety {
            Safety::Won => Score::mate_in(1),
            Safety::Mated(_) => Score::mated_in(1),
            Safety::Drawn => Score::DRAW,
            Safety::Safe | Safety::Unknown => Score::cp(judged.value),
        }
    }

    fn report(&mut self) {
        for (i, judged) in self.judged.iter().take(self.limits.multi_pv.max(1)).enumerate() {
            let mut pv = vec![self.series(&judged.candidate)];
            pv.extend(judged.reply.clone());
            let info = Info {
                depth: self.depth,
                seldepth: self.depth,
                multi_pv: i + 1,
                score: Self::score(judged),
                nodes: self.budget.nodes(),
                hashfull: 0,
                pv,
            };
            (self.on_event)(Event::Line(info));
        }
    }

    fn answer(&self) -> Choice {
        let best = &self.judged[0];
        Choice {
            series: Some(self.series(&best.candidate)),
            ponder: best.reply.clone(),
            score: Self::score(best),
            nodes: self.budget.nodes(),
        }
    }
}
