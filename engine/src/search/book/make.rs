//! Makes a book: the tree of the first turns, a few series wide, every series proved, scores brought back from the leaves.
//!
//! Turn by turn, each position of the tree is [`expand`]ed: a search within a node limit names its best series with scores; the solver proves of each
//! whether the opponent mates next. Up to turn `losing` every distinct end of the turn is judged, and all that lose are named. A series that is safe
//! leads on to the next turn. At last each score is replaced by what the tree behind it says (negamax), and scores become weights.
//!
//! What each position brings depends only on it and on the plan, so a tree that was interrupted goes on from the positions that are known.

use super::check::{claim_of, losing_series};
use super::{Book, Claim, Entry, Line, value, weigh};
use crate::rules::midturn::SeriesEnd;
use crate::rules::position::Position;
use crate::rules::table::Rules;
use crate::search::info::Event;
use crate::search::levels::Level;
use crate::search::limits::Limits;
use crate::search::think::{Searcher, Settings};
use crate::solver::Solver;
use crate::types::score::Score;
use crate::types::series::Series;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::TryReserveError;

/// How a book is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The game.
    pub rules: &'static Rules,
    /// The last turn with series in the book, from 1.
    pub turns: u16,
    /// How many series a position of each turn may have at most, from turn 1; the last number holds for all later turns. 1 to 64.
    pub lines: Vec<usize>,
    /// Up to this turn all series that lose to a mate in the next one are named.
    pub losing: u16,
    /// Nodes of the search of each position.
    pub nodes: u64,
    /// Seed of the searches.
    pub seed: u64,
}

/// Nodes within which a proof must come. More than any position of the first turns has needed by far.
pub const PROOF_NODES: u64 = 50_000_000;
/// Tables of the search.
const HASH_MIB: usize = 16;
/// Tables of the proofs.
const TABLE_BYTES: usize = 64 << 20;

/// How far the making is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The turn whose positions are expanded.
    pub turn: u16,
    /// How many of them are done.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

/// Makes a book. What `known` has is not worked out again; each position that is, goes to `on_entry`, which says whether to go on. `None`: it
/// said no.
///
/// # Errors
/// There is not enough memory for the tables.
pub fn make(
    plan: &Plan,
    known: Vec<Entry>,
    on_entry: &mut dyn FnMut(Progress, &Entry) -> bool,
) -> Result<Option<Book>, TryReserveError> {
    let mut searcher = Searcher::new(HASH_MIB)?;
    let mut solver = Solver::proving(TABLE_BYTES);
    let mut known: FxHashMap<u64, Entry> = known.into_iter().map(|entry| (entry.position.key(), entry)).collect();
    let (mut entries, mut seen) = (Vec::new(), FxHashSet::default());
    let mut layer = vec![Position::start(plan.rules)];
    for turn in 1..=plan.turns {
        let (of, mut next) = (layer.len(), Vec::new());
        for (i, position) in layer.into_iter().enumerate() {
            let entry = match known.remove(&position.key()) {
                Some(entry) => entry,
                None => {
                    let lines = expand(plan, &position, &mut searcher, &mut solver);
                    let entry = Entry { position, lines };
                    if !on_entry(Progress { turn, done: i + 1, of }, &entry) {
                        return Ok(None);
                    }
                    entry
                }
            };
            next.extend(entry.lines.iter().filter_map(|line| leads_to(&position, line)));
            entries.push(entry);
        }
        next.retain(|position: &Position| seen.insert(position.key()));
        layer = next;
    }
    bring_back(&mut entries);
    Ok(Some(Book::new(plan.rules, plan.losing.min(plan.turns), entries)))
}

/// The position behind a line that is worth following.
fn leads_to(position: &Position, line: &Line) -> Option<Position> {
    match (&line.claim, position.begin().end_of(&line.series)?) {
        (Claim::Safe | Claim::Open, SeriesEnd::Turn(next)) => Some(next),
        _ => None,
    }
}

/// The series of a position: the best that a search finds with their scores, each proved; and all that lose, where the plan wants them.
fn expand(plan: &Plan, position: &Position, searcher: &mut Searcher, solver: &mut Solver) -> Vec<Line> {
    let turn = position.turn().number();
    let most = *plan.lines.get(usize::from(turn) - 1).or(plan.lines.last()).unwrap_or(&1);
    let start = position.begin();
    let mut lines = Vec::new();
    for (series, score) in best(plan, position, most, searcher) {
        let Some(end) = start.end_of(&series) else { continue };
        let claim = claim_of(&end, solver, PROOF_NODES);
        // Losing ones are named below, where all are.
        if !matches!(claim, Claim::Loses(_)) {
            lines.push(Line::new(series, score, claim));
        }
    }
    if turn <= plan.losing
        && let Some((losing, _)) = losing_series(position, solver, PROOF_NODES)
    {
        let line = |(series, mate)| Line::new(series, Score::mated_in(1), Claim::Loses(mate));
        lines.extend(losing.into_iter().map(line));
    }
    lines
}

/// The best series that a search finds within the plan's nodes, with their scores; the lines of its last report.
fn best(plan: &Plan, position: &Position, most: usize, searcher: &mut Searcher) -> Vec<(Series, Score)> {
    let settings = Settings { level: *Level::full(), seed: plan.seed };
    let limits = Limits { multi_pv: most, ..Limits::nodes(plan.nodes) };
    let mut found: Vec<(Series, Score)> = Vec::new();
    searcher.think(&position.begin(), &settings, &limits, &mut |event| {
        if let Event::Line(info) = event
            && let Some(series) = info.pv.first()
        {
            if info.multi_pv == 1 {
                found.clear();
            }
            found.push((series.clone(), info.score));
        }
    });
    found
}

/// Replaces scores by what the book says of the positions they lead to, from the last turn to the first; then sorts and weighs.
fn bring_back(entries: &mut [Entry]) {
    let mut scores: FxHashMap<u64, Score> = FxHashMap::default();
    for entry in entries.iter_mut().rev() {
        for line in &mut entry.lines {
            if let Some(next) = leads_to(&entry.position, line)
                && let Some(&score) = scores.get(&next.key())
            {
                line.score = one_series_later(-score);
            }
        }
        entry.lines.sort_by_key(|line| (matches!(line.claim, Claim::Loses(_)), Reverse(value(line.score))));
        weigh(&mut entry.lines);
        if let Some(best) = entry.lines.first() {
            scores.insert(entry.position.key(), best.score);
        }
    }
}

/// A score seen from one turn earlier, by the same side: a mate of the mover's takes one series more. A mate against him counts the winner's series,
/// of which none is added.
fn one_series_later(score: Score) -> Score {
    use crate::types::score::ScoreText::{Cp, Mate};
    match score.text() {
        Mate(series) if series > 0 => Score::mate_in(series.unsigned_abs() + 1),
        Mate(_) | Cp(_) => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ITALIAN;

    fn plan() -> Plan {
        Plan { rules: &ITALIAN, turns: 3, lines: vec![3, 2], losing: 1, nodes: 3_000, seed: 5 }
    }

    #[test]
    fn interrupted_anywhere_it_comes_to_the_same() {
        let mut known = Vec::new();
        let whole = make(&plan(), Vec::new(), &mut |_, entry| {
            known.push(entry.clone());
            true
        });
        let whole = whole.unwrap().unwrap().text(&[]);
        assert!(known.len() > 6, "{}", known.len());
        for done in [1, 2, 5] {
            let mut count = 0;
            let stopped = make(&plan(), Vec::new(), &mut |_, _| {
                count += 1;
                count < done
            });
            assert!(stopped.unwrap().is_none() && count == done);
            let resumed = make(&plan(), known[..done].to_vec(), &mut |_, _| true).unwrap().unwrap();
            assert_eq!(resumed.text(&[]), whole);
        }
        let other = Plan { seed: 6, nodes: 2_000, ..plan() };
        assert_ne!(make(&other, Vec::new(), &mut |_, _| true).unwrap().unwrap().text(&[]), whole);
    }

    #[test]
    fn scores_come_back_from_the_leaves() {
        let book = make(&plan(), Vec::new(), &mut |_, _| true).unwrap().unwrap();
        let first = &book.entries()[0];
        for line in first.lines.iter() {
            let next = leads_to(&first.position, line).unwrap();
            let reply = &book.find(&next).unwrap().lines[0];
            assert_eq!(line.score, one_series_later(-reply.score));
        }
        assert!(first.lines.is_sorted_by_key(|line| Reverse(line.score)));
        assert_eq!(first.lines[0].weight, 1000);
    }
}
