//! The search of one turn.

use super::beam::Candidate;
use super::budget::Budget;
use super::crew::Alone;
use super::ending;
use super::info::{Choice, Event, Info};
use super::levels::Level;
use super::limits::Limits;
use super::pool::{OwnMate, Pool, share};
use super::root::roots;
use super::safety::Safety;
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::rules::outcome::Outcome;
use crate::solver::all::Go;
use crate::solver::{Solver, Verdict};
use crate::types::score::Score;
use crate::types::series::Series;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

/// What a search is asked to be.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Strength.
    pub level: Level,
    /// Seed of all randomness: the same seed, node limit and one thread give the same series.
    pub seed: u64,
}

/// A searcher: tables that last from turn to turn.
pub struct Searcher {
    table_bytes: usize,
    /// One for each worker.
    solvers: Vec<Solver>,
}

struct Think<'a, 'b> {
    pool: Pool<'a>,
    level: Level,
    limits: &'a Limits<'b>,
    midturn: Midturn,
    on_event: &'a mut dyn FnMut(Event),
    depth: u16,
    /// Series that win at once, the one to be played first.
    wins: Vec<Series>,
}

impl Searcher {
    /// A searcher whose tables take about `hash_mib` MiB, 1 to 65536.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(hash_mib: usize) -> Result<Self, std::collections::TryReserveError> {
        // The table grows only as a question needs it; asking once for the whole tells whether it can.
        Vec::<u8>::new().try_reserve_exact(hash_mib << 20)?;
        let table_bytes = hash_mib << 20;
        Ok(Self { table_bytes, solvers: vec![Solver::new(table_bytes)] })
    }

    /// The solver, for other questions between two searches.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solvers[0]
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
        let level = settings.level.under(midturn.rules());
        // Workers that race would make a level another player on another machine.
        let alone = Limits { crew: &Alone, ..limits.clone() };
        let limits = if level.is_full() { limits } else { &alone };
        // The turn goes into the seed, so that a bot does not repeat its slips in every turn.
        let seed = settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ midturn.key();
        let roots = roots(midturn, &limits.prefixes);
        let rng = ChaCha8Rng::seed_from_u64(seed);
        let size = limits.crew.size();
        if self.solvers.len() != size {
            self.solvers = (0..size).map(|_| Solver::new(self.table_bytes / size)).collect();
        }
        self.solvers.iter_mut().for_each(Solver::forget_peak);
        let pool = Pool::new(&mut self.solvers, Budget::new(limits), roots, Settings { level, ..*settings }, rng);
        let mut think = Think { pool, level, limits, midturn: *midturn, on_event, depth: 1, wins: Vec::new() };
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
    Some(Choice::none(score))
}

/// With several workers, nodes spent on a mate in this turn before the others begin with what comes after. Most mates take fewer.
const MATE_ALONE: u64 = 4_000;

impl Think<'_, '_> {
    fn run(&mut self) -> Choice {
        if let Some(series) = self.mate() {
            return self.answer_win(series);
        }
        if let Some(choice) = self.ending() {
            return choice;
        }
        if matches!(self.pool.own_mate, OwnMate::Open(_)) {
            // One worker looks for a mate, another gathers meanwhile.
            self.check_at_once();
            if let OwnMate::Found(series) = std::mem::replace(&mut self.pool.own_mate, OwnMate::Settled) {
                return self.answer_win(series);
            }
        } else {
            self.pool.gather();
            if !self.pool.candidates().is_empty() && !self.pool.is_only {
                self.report();
            }
            if self.pool.won().is_none() {
                self.check();
            }
        }
        if self.pool.candidates().is_empty() {
            return Choice { nodes: self.pool.budget.nodes(), ..Choice::none(Score::DRAW) };
        }
        if self.pool.is_only {
            self.pool.judge_only();
            self.report();
            return self.answer();
        }
        if let Some(won) = self.pool.won() {
            let series = self.series(won);
            return self.answer_win(series);
        }
        self.compare();
        self.answer()
    }

    fn check(&mut self) {
        if self.goes_to_depth(2) && self.level.checked > 0 && !self.pool.is_only {
            self.check_at_once();
        }
    }

    fn check_at_once(&mut self) {
        self.depth = 2;
        self.pool.check();
        self.report();
    }

    fn compare(&mut self) {
        if self.goes_to_depth(3) && self.level.replies > 0 {
            self.depth = 3;
            self.pool.compare_replies();
            self.pool.sort();
            self.report();
        }
    }

    fn goes_to_depth(&self, depth: u16) -> bool {
        self.limits.depth.is_none_or(|limit| limit >= depth) && !self.pool.budget.is_past(1.0)
    }

    // 1. A mate in this series.

    fn mate(&mut self) -> Option<Series> {
        let is_free = self.pool.roots.len() == 1 && self.pool.roots[0].prefix.is_empty();
        let together = self.limits.crew.size() > 1 && self.level.is_full() && self.goes_to_depth(2) && is_free;
        let nodes = if together { MATE_ALONE.min(self.level.mate_nodes) } else { self.level.mate_nodes };
        if nodes == 0 || self.limits.mate.is_some() {
            return None;
        }
        for i in 0..self.pool.roots.len() {
            let root = &self.pool.roots[i];
            if root.is_complete {
                continue;
            }
            let answer = self.pool.budget.solve(&mut self.pool.solvers[0], &root.state, nodes, share::MATE);
            match answer.verdict {
                Verdict::Mate(series) => {
                    let Some(series) = self.pool.seen_mate(i, series) else { continue };
                    let color = self.midturn.color();
                    let prefix = self.pool.roots[i].prefix.iter().map(|mv| mv.seen_by(color));
                    return Some(prefix.chain(series.iter().copied()).collect());
                }
                Verdict::Unknown(_) if together => {
                    self.pool.own_mate = OwnMate::Open(root.state);
                }
                Verdict::Unknown(_) | Verdict::NoMate => {}
            }
        }
        None
    }

    /// Answers a series that wins at once. Where several lines are wanted, others that win stand beside it, and then the best of the rest.
    fn answer_win(&mut self, series: Series) -> Choice {
        self.depth = 1;
        self.wins = vec![series.clone()];
        let wanted = self.limits.multi_pv;
        if wanted > 1 {
            let others = self.other_mates(&series, wanted - 1);
            self.wins.extend(others);
        }
        self.report();
        if self.wins.len() < wanted {
            if self.pool.candidates().is_empty() {
                self.pool.gather();
            }
            self.pool.judged.retain(|judged| !judged.is_won());
            self.check();
            self.pool.judged.retain(|judged| !judged.is_won());
            self.compare();
        }
        let nodes = self.pool.budget.nodes();
        Choice { series: Some(series), nodes, safety: Safety::Won, ..Choice::none(Score::mate_in(1)) }
    }

    /// At most `most` series that mate in another position than `first` does.
    fn other_mates(&mut self, first: &Series, most: usize) -> Vec<Series> {
        let color = self.midturn.color();
        let mut others = Vec::new();
        for root in self.pool.roots.iter().filter(|root| !root.is_complete) {
            let (nodes, mut ends) = (self.level.mate_nodes, FxHashSet::default());
            self.pool.budget.each_mate(&mut self.pool.solvers[0], &root.state, nodes, share::MATE, &mut |mate| {
                if ends.insert(mate.position) {
                    let prefix = root.prefix.iter().map(|mv| mv.seen_by(color));
                    others.push(prefix.chain(mate.series.iter().copied()).collect::<Series>());
                }
                if ends.len() > most { Go::Stop } else { Go::On }
            });
        }
        let key = |series: &Series| match self.midturn.end_of(series) {
            Some(SeriesEnd::Turn(position)) => Some(position.board().key()),
            Some(SeriesEnd::Game(_)) | None => None,
        };
        let mut known = vec![key(first)];
        others.retain(|series| {
            let key = key(series);
            let is_new = key.is_some() && !known.contains(&key);
            known.push(key);
            is_new
        });
        others.truncate(most);
        others
    }

    /// With few men the exact result, if it comes within its share: then a series that keeps it, unless all is lost.
    fn ending(&mut self) -> Option<Choice> {
        let is_free = self.level.is_full() && self.limits.prefixes.is_empty() && self.limits.multi_pv <= 1;
        let position = self.midturn.position().filter(|position| is_free && ending::applies(position))?;
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(self.pool.budget.nodes()));
        let limits = Limits { nodes: left, ..self.limits.clone() };
        let (choice, nodes) = ending::choose(&position, &mut self.pool.solvers[0], &limits, share::MATE);
        self.pool.budget.spend(nodes);
        let choice = Choice { nodes: self.pool.budget.nodes(), ..choice? };
        let pv = choice.series.iter().cloned().collect();
        let (score, nodes, hashfull) = (choice.score, choice.nodes, self.hashfull());
        (self.on_event)(Event::Line(Info { depth: 1, seldepth: 1, multi_pv: 1, score, nodes, hashfull, pv }));
        Some(choice)
    }

    // 2. The answer.

    /// How full the fullest table was, in thousandths.
    fn hashfull(&self) -> u16 {
        self.pool.solvers.iter().map(Solver::peak).max().unwrap_or(0)
    }

    fn series(&self, candidate: &Candidate) -> Series {
        candidate.moves.iter().map(|mv| mv.seen_by(self.midturn.color())).collect()
    }

    fn report(&mut self) {
        let wins = self.wins.iter().map(|series| (Score::mate_in(1), vec![series.clone()]));
        let others = self.pool.candidates().iter().map(|judged| {
            let pv = [self.series(&judged.candidate)].into_iter().chain(judged.reply.clone()).collect();
            (judged.score(), pv)
        });
        let (nodes, hashfull) = (self.pool.budget.nodes(), self.hashfull());
        let lines: Vec<(Score, Vec<Series>)> = wins.chain(others).take(self.limits.multi_pv.max(1)).collect();
        for (i, (score, pv)) in lines.into_iter().enumerate() {
            let (depth, multi_pv) = (if i < self.wins.len() { 1 } else { self.depth }, i + 1);
            (self.on_event)(Event::Line(Info { depth, seldepth: depth, multi_pv, score, nodes, hashfull, pv }));
        }
    }

    fn answer(&self) -> Choice {
        let best = &self.pool.candidates()[0];
        Choice {
            series: Some(self.series(&best.candidate)),
            ponder: best.reply.clone(),
            score: best.score(),
            safety: best.safety,
            nodes: self.pool.budget.nodes(),
        }
    }
}
