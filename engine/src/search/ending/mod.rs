//! Endings: the exact result, across all turns to come, of positions with at most four men from turn 8 on.
//!
//! **What is searched.** The tree of whole turns. A turn leads to its distinct ends, told apart by all that the rest of the game depends on (men, rights,
//! targets; then turn and quiet count), never by a hash alone. A series that ends in mate is found or refuted by the exact solver. Every line ends by the
//! rules: no position ever comes back, since turns are numbered, and ten quiet turns end the game. So two questions, answered for each other, decide all:
//!
//! * *wins*: the mover mates in this turn, or some end of it is one after which the opponent loses;
//! * *loses*: after every end of this turn the opponent wins; a draw in mid-series (stalemate, bare material) is an end too, and is no loss.
//!
//! Both are asked for one series of the winner, then two, and so on; an answer "no" is kept apart from "not within so many". A position of which both
//! are denied for ever is drawn.
//!
//! **What is cut**, each time without a look at the tree, and why that is exact: a lone king gives no check, so its side never wins; in the last turn
//! that the ten quiet ones leave, whoever does not mate draws; a rook, or two knights, never win against a king on one of its [`havens`], where the
//! proof stands. The order in which ends are tried decides only how soon an answer comes. There is no evaluation.
//!
//! **Limits.** Within its limits the search has an answer or says that it has none; it never guesses. Wins within one or two series, and draws that are
//! plain (the last man is captured, stalemate, a haven), come in milliseconds to seconds. What is not a mate at once takes a look at all ends of a
//! turn: thousands with one man beside the king, a hundred thousand with two. Draws in which a side keeps a man that could mate, and no haven is known
//! (knight against knight, rook against rook, a blocked pawn, bishop and knight against a king that gets away), have in general no answer: their
//! tree is ten turns deep.

mod havens;

use super::ends::{End, Ends};
use super::info::Choice;
use super::limits::Limits;
use super::prove::end_of;
use super::safety::Safety;
use crate::board::men::Board;
use crate::rules::position::Position;
use crate::rules::table::{Captures, Order, Quota};
use crate::solver::{self, Solver, Verdict};
use crate::types::moves::Move;
use crate::types::score::Score;
use crate::types::series::Series;
use crate::types::turn::Turn;
use rustc_hash::FxHashMap;

/// The most men, kings included.
pub const MOST_MEN: u32 = 4;
/// The first turn of which results are claimed.
pub const FIRST_TURN: u16 = 8;

/// Positions of one turn that are kept while its ends are told apart.
const POSITIONS: usize = 1 << 20;
/// Results remembered.
const MEMORY: usize = 1 << 20;
/// Replies remembered because they saved somebody once.
const KILLERS: usize = 8;

/// The exact result for the side to move, with a series that keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins in so many own series, this one counted, and no sooner.
    Win(u16, Series),
    /// Neither side can win against best play.
    Draw(Series),
    /// It loses within so many series of the opponent, whatever it plays.
    Loss(u16),
    /// A limit came first.
    Unknown,
}

/// Whether results are claimed for this position: the game is not over, at most [`MOST_MEN`] men, from turn [`FIRST_TURN`] on, under rules with mate whose
/// turns grow, where men move in any order and what is captured is gone.
#[must_use]
pub fn applies(position: &Position) -> bool {
    let rules = position.rules();
    rules.has_mate()
        && rules.quota == Quota::Progressive
        && rules.order == Order::Free
        && rules.captures == Captures::Remove
        && position.board().occupied().len() <= MOST_MEN
        && position.turn().number() >= FIRST_TURN
        && position.outcome().is_none()
}

/// The result of a position for which results are claimed (see [`applies`]), and the moves made. Of the limits the nodes and the pace hold, as far as
/// `share` of each.
pub fn solve(position: &Position, solver: &mut Solver, limits: &Limits<'_>, share: f64) -> (Value, u64) {
    let mut prober = Prober { solver, limits, share, nodes: 0, known: FxHashMap::default(), killers: Vec::new() };
    let value = prober.value(position);
    (value, prober.nodes)
}

/// An answer for play: a series that keeps the win or the draw; and the moves made. None where nothing is known or the position is lost, and where the
/// opponent has a lone king: then no series loses, and the search chooses better among draws.
pub(super) fn choose(
    position: &Position,
    solver: &mut Solver,
    limits: &Limits<'_>,
    share: f64,
) -> (Option<Choice>, u64) {
    let (value, nodes) = solve(position, solver, limits, share);
    let choice = |series, score| Choice { series: Some(series), nodes, safety: Safety::Safe, ..Choice::none(score) };
    match value {
        Value::Win(own, series) => (Some(choice(series, Score::mate_in(own))), nodes),
        Value::Draw(series) if position.board().them().len() > 1 => (Some(choice(series, Score::DRAW)), nodes),
        Value::Draw(_) | Value::Loss(_) | Value::Unknown => (None, nodes),
    }
}

/// Whether something is so within a number of the winner's series.
enum Answer {
    /// Yes: in so many, with a series that shows it where the mover wins.
    Yes(u16, Series),
    /// Never; perhaps with a series that shows it.
    Never(Option<Series>),
    /// Not within so many.
    NotWithin,
    /// A limit came first.
    Unknown,
}

/// What is remembered of a question.
#[derive(Clone, Copy)]
enum Known {
    Yes(u16),
    Never,
    NotWithin(u16),
}

/// A question about a position: whether the mover wins (or else loses), men, turn, quiet count.
type Question = (bool, Board, u16, u8);

struct Prober<'a> {
    solver: &'a mut Solver,
    limits: &'a Limits<'a>,
    share: f64,
    nodes: u64,
    known: FxHashMap<Question, Known>,
    killers: Vec<Vec<Move>>,
}

impl Prober<'_> {
    fn value(&mut self, position: &Position) -> Value {
        // The game ends within the turns that are left, so some number is the last.
        for own in 1..=Turn::LAST.number() {
            let can_win = match self.wins(position, own) {
                Answer::Yes(own, series) => return Value::Win(own, series),
                Answer::Unknown => return Value::Unknown,
                Answer::Never(_) => false,
                Answer::NotWithin => true,
            };
            match self.loses(position, own) {
                Answer::Yes(theirs, _) => return Value::Loss(theirs),
                Answer::Unknown => return Value::Unknown,
                Answer::Never(series) if !can_win => {
                    let series = series.or_else(|| self.saving_series(position, own));
                    return series.map_or(Value::Unknown, Value::Draw);
                }
                Answer::Never(_) | Answer::NotWithin => {}
            }
        }
        Value::Unknown
    }

    /// Whether the mover wins within `own` series. The game is not over.
    fn wins(&mut self, position: &Position, own: u16) -> Answer {
        if cannot_win(position) {
            return Answer::Never(None);
        }
        let question = (true, *position.board(), position.turn().number(), position.quiet());
        match self.known.get(&question) {
            Some(Known::Never) => return Answer::Never(None),
            Some(&Known::NotWithin(most)) if own <= most => return Answer::NotWithin,
            // A win is told with its series, so it is looked for again.
            _ => {}
        }
        match self.mate(position) {
            Verdict::Mate(series) => return Answer::Yes(1, series),
            Verdict::Unknown(_) => return Answer::Unknown,
            Verdict::NoMate if position.quiet() >= position.rules().quiet_limit() => return Answer::Never(None),
            Verdict::NoMate if own <= 1 => return self.remember(question, own, Answer::NotWithin),
            Verdict::NoMate => {}
        }
        let mut answer = Answer::Never(None);
        for (next, path) in self.ends_to_try(position, &mut answer) {
            match self.loses(&next, own - 1) {
                Answer::Yes(theirs, _) => return Answer::Yes(theirs + 1, seen_by_white(position, &path)),
                Answer::Never(_) => {}
                Answer::NotWithin if matches!(answer, Answer::Never(_)) => answer = Answer::NotWithin,
                Answer::NotWithin => {}
                Answer::Unknown => answer = Answer::Unknown,
            }
            if self.is_out() {
                return Answer::Unknown;
            }
        }
        self.remember(question, own, answer)
    }

    /// The ends after which the game goes on, those first that leave the opponent the fewest men and first moves. Says if some are missing.
    fn ends_to_try(&mut self, position: &Position, answer: &mut Answer) -> Vec<(Position, Vec<Move>)> {
        let mut ends = Ends::new(&position.begin(), POSITIONS);
        let mut found = Vec::new();
        for (end, path) in ends.by_ref() {
            if let End::Turn(next) = end
                && next.outcome().is_none()
            {
                found.push(((next.board().us().len(), next.begin().count_legal()), next, path));
            }
        }
        self.nodes += ends.nodes;
        if ends.is_cut {
            *answer = Answer::Unknown;
        }
        found.sort_by_key(|&(order, ..)| order);
        found.into_iter().map(|(_, next, path)| (next, path)).collect()
    }

    /// Whether the mover loses within `own` series of the opponent, whatever it plays. The game is not over.
    fn loses(&mut self, position: &Position, own: u16) -> Answer {
        if cannot_lose(position) {
            return Answer::Never(None);
        }
        if own == 0 {
            return Answer::NotWithin;
        }
        let question = (false, *position.board(), position.turn().number(), position.quiet());
        match self.known.get(&question) {
            Some(Known::Never) => return Answer::Never(None),
            Some(&Known::NotWithin(most)) if own <= most => return Answer::NotWithin,
            Some(&Known::Yes(theirs)) => return Answer::Yes(theirs, Series::default()),
            _ => {}
        }
        if position.board().us().len() > 1
            && let Verdict::Mate(series) = self.mate(position)
        {
            return Answer::Never(Some(series));
        }
        let answer = self.every_reply_fails(position, own);
        self.remember(question, own, answer)
    }

    fn every_reply_fails(&mut self, position: &Position, own: u16) -> Answer {
        // 1. A reply that has helped before.
        for place in 0..self.killers.len() {
            if let Some(next) = end_of(&position.begin(), &self.killers[place])
                && matches!(self.fails(&next, own), Answer::Never(_))
            {
                let path = self.killers[place].clone();
                self.killers[..=place].rotate_right(1);
                return Answer::Never(Some(seen_by_white(position, &path)));
            }
        }
        // 2. Every reply. Once one is not known to fail, the others can only help if they save at sight.
        let mut ends = Ends::new(&position.begin(), POSITIONS);
        let mut answer = Answer::Yes(1, Series::default());
        while let Some((end, path)) = ends.next() {
            self.nodes += std::mem::take(&mut ends.nodes);
            let is_open = matches!(answer, Answer::Yes(..));
            let fails = match &end {
                End::Drawn => Answer::Never(None),
                End::Turn(next) if is_open => self.fails(next, own),
                End::Turn(next) if next.outcome().is_some() || cannot_win(next) => Answer::Never(None),
                End::Turn(_) => Answer::NotWithin,
            };
            match (fails, &mut answer) {
                (Answer::Never(_), _) => {
                    let saving = seen_by_white(position, &path);
                    self.killers.insert(0, path);
                    self.killers.truncate(KILLERS);
                    return Answer::Never(Some(saving));
                }
                (Answer::Yes(theirs, _), Answer::Yes(longest, _)) => *longest = theirs.max(*longest),
                (fails @ (Answer::NotWithin | Answer::Unknown), Answer::Yes(..)) => answer = fails,
                _ => {}
            }
            if self.is_out() {
                return Answer::Unknown;
            }
        }
        if ends.is_cut { Answer::Unknown } else { answer }
    }

    /// Whether a reply that leads here fails: the opponent, now to move, wins within `own` series.
    fn fails(&mut self, next: &Position, own: u16) -> Answer {
        // Nobody is mated by his own last move: if the game is over it is drawn, or won by who replied.
        if next.outcome().is_some() { Answer::Never(None) } else { self.wins(next, own) }
    }

    /// A series after which the opponent never wins, where it is known that there is one.
    fn saving_series(&mut self, position: &Position, own: u16) -> Option<Series> {
        match self.every_reply_fails(position, own) {
            Answer::Never(series) => series,
            Answer::Yes(..) | Answer::NotWithin | Answer::Unknown => None,
        }
    }

    fn mate(&mut self, position: &Position) -> Verdict {
        if self.is_out() {
            return Verdict::Unknown(solver::Limit::Nodes);
        }
        let (pace, share) = (self.limits.pace, self.share);
        let stop = || pace.is_stopped() || pace.used() >= share;
        let answer =
            self.solver.solve(&position.begin(), &solver::Limits { nodes: self.nodes_left(), stop: Some(&stop) });
        self.nodes += answer.nodes;
        answer.verdict
    }

    /// Remembers an answer to a question about `own` series, and gives it back.
    fn remember(&mut self, question: Question, own: u16, answer: Answer) -> Answer {
        let known = match &answer {
            Answer::Yes(theirs, _) => Known::Yes(*theirs),
            Answer::Never(_) => Known::Never,
            Answer::NotWithin => Known::NotWithin(own),
            Answer::Unknown => return answer,
        };
        if self.known.len() < MEMORY || self.known.contains_key(&question) {
            self.known.insert(question, known);
        }
        answer
    }

    fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |limit| ((limit as f64 * self.share) as u64).saturating_sub(self.nodes))
    }

    fn is_out(&self) -> bool {
        self.limits.pace.is_stopped() || self.limits.pace.used() >= self.share || self.nodes_left() == 0
    }
}

/// Whether the mover can never win, at sight.
fn cannot_win(position: &Position) -> bool {
    position.board().us().len() == 1 || havens::opponent_is_on_one(position)
}

/// Whether the mover can never lose, at sight: the opponent has a lone king; or whoever does not mate in this turn draws; or a haven is near.
fn cannot_lose(position: &Position) -> bool {
    position.board().them().len() == 1
        || position.quiet() >= position.rules().quiet_limit()
        || havens::mover_reaches_one(position)
}

/// A series in White's view.
fn seen_by_white(position: &Position, path: &[Move]) -> Series {
    path.iter().map(|mv| mv.seen_by(position.color())).collect()
}
