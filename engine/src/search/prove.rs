//! `go mate`: is a forced win within so many own series proved, or that there is none?
//!
//! A tree of whole turns. The mover wins if a series mates, or leads to where every series of the opponent leaves him a win with one
//! series less. Every end of a turn is looked at, the last series are judged by the exact solver; so both answers are proofs.
//! Where a turn has too many ends or a limit comes first there is no answer. Two own series are within reach where
//! the opponent has few replies: in check, with few men, or early in the game.

use super::ends::{End, Ends};
use super::info::{Choice, Event, Info};
use super::limits::Limits;
use super::root::roots;
use super::safety::Safety;
use crate::rules::midturn::{Midturn, Step};
use crate::rules::outcome::Outcome;
use crate::rules::position::Position;
use crate::solver::{self, Answer, Verdict};
use crate::types::moves::Move;
use crate::types::score::Score;
use crate::types::series::Series;

/// Asks the solver about one turn; who calls decides how many threads it takes.
pub type Solve<'a> = dyn FnMut(&Midturn, &solver::Limits<'_>) -> Answer + 'a;

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// A forced win, the shortest: the answer.
    Win(Choice),
    /// There is none; the number of moves made.
    NoWin(u64),
    /// Not known; the number of moves made.
    Unknown(u64),
}

/// The share of the budget it may use. The rest is for a series to play all the same.
const SHARE: f64 = 0.97;
/// Positions of one turn that are kept. With more the turn is not looked through.
const POSITIONS: usize = 1 << 20;
/// Replies remembered because they saved the opponent once.
const KILLERS: usize = 32;

/// Looks for a forced win of the mover within `most` own series, the present one counted, shortest first. Of the limits the nodes, the pace
/// and the prefixes hold.
pub fn prove(
    midturn: &Midturn,
    most: u16,
    limits: &Limits<'_>,
    solve: &mut Solve<'_>,
    on_event: &mut dyn FnMut(Event),
) -> Proof {
    let mut prover = Prover { solve, limits, nodes: 0, killers: Vec::new() };
    for own in 1..=most.max(1) {
        match prover.root(midturn, own) {
            Value::Yes(pv) => return Proof::Win(prover.answer(own, pv, on_event)),
            Value::Unknown => return Proof::Unknown(prover.nodes),
            Value::No => {}
        }
    }
    on_event(Event::Note(format!("no mate in {}", most.max(1))));
    Proof::NoWin(prover.nodes)
}

/// Whether something is so.
enum Value {
    /// Yes, and a line of series from here that shows it.
    Yes(Vec<Series>),
    No,
    Unknown,
}

struct Prover<'a> {
    solve: &'a mut Solve<'a>,
    limits: &'a Limits<'a>,
    nodes: u64,
    killers: Vec<Vec<Move>>,
}

impl Prover<'_> {
    fn root(&mut self, midturn: &Midturn, own: u16) -> Value {
        let mut worst = Value::No;
        for root in roots(midturn, &self.limits.prefixes) {
            let mut prefix: Series = root.prefix.iter().map(|mv| mv.seen_by(midturn.color())).collect();
            let value = if root.is_complete {
                self.loses(&root.state.next_position(), own - 1)
            } else {
                self.wins(&root.state, own)
            };
            match value {
                Value::Yes(mut line) if !root.is_complete => {
                    line[0].iter().for_each(|&mv| prefix.push(mv));
                    line[0] = prefix;
                    return Value::Yes(line);
                }
                Value::Yes(line) => return Value::Yes(std::iter::once(prefix).chain(line).collect()),
                Value::Unknown => worst = Value::Unknown,
                Value::No => {}
            }
        }
        worst
    }

    /// Whether the mover wins within `own` series, this one counted.
    fn wins(&mut self, midturn: &Midturn, own: u16) -> Value {
        let mut value = self.mates(midturn);
        if own <= 1 || matches!(value, Value::Yes(_)) {
            return value;
        }
        for (position, path) in self.ends_to_try(midturn, &mut value) {
            match self.loses(&position, own - 1) {
                Value::Yes(line) => {
                    let series = path.iter().map(|mv| mv.seen_by(midturn.color())).collect();
                    return Value::Yes(std::iter::once(series).chain(line).collect());
                }
                Value::No => {}
                Value::Unknown => value = Value::Unknown,
            }
            if self.is_out() {
                return Value::Unknown;
            }
        }
        value
    }

    /// All ends of a turn that do not end the game, those first that leave the opponent the fewest first moves. Says if some are missing.
    fn ends_to_try(&mut self, midturn: &Midturn, value: &mut Value) -> Vec<(Position, Vec<Move>)> {
        let mut ends = Ends::new(midturn, POSITIONS);
        let mut found = Vec::new();
        while let Some((end, path)) = ends.next() {
            if let End::Turn(position) = end
                && position.outcome().is_none()
            {
                found.push((position.begin().count_legal(), position, path));
            }
            if found.len().is_multiple_of(1024) && self.is_out() {
                ends.is_cut = true;
                break;
            }
        }
        self.nodes += ends.nodes;
        if ends.is_cut {
            *value = Value::Unknown;
        }
        found.sort_by_key(|&(replies, ..)| replies);
        found.into_iter().map(|(_, position, path)| (position, path)).collect()
    }

    /// Whether the side to move loses within `own` series of the other side, whatever it plays.
    fn loses(&mut self, position: &Position, own: u16) -> Value {
        match position.outcome() {
            Some(Outcome::Win { winner, .. }) if winner != position.color() => return Value::Yes(Vec::new()),
            Some(_) => return Value::No,
            None if own == 0 => return Value::No,
            None => {}
        }
        let turn = position.begin();
        // 1. A mate, or a reply that has helped before.
        if let Value::Yes(_) = self.mates(&turn) {
            return Value::No;
        }
        for place in 0..self.killers.len() {
            if let Some(next) = end_of(&turn, &self.killers[place])
                && let Value::No = self.fails(&next, own)
            {
                self.killers[..=place].rotate_right(1);
                return Value::No;
            }
        }
        // 2. Every reply.
        let mut ends = Ends::new(&turn, POSITIONS);
        let (mut longest, mut is_known) = (Vec::new(), true);
        while let Some((end, path)) = ends.next() {
            self.nodes += std::mem::take(&mut ends.nodes);
            let value = match &end {
                End::Turn(next) => self.fails(next, own),
                End::Drawn => Value::No,
            };
            match value {
                Value::Yes(line) if line.len() >= longest.len() => {
                    let series = path.iter().map(|mv| mv.seen_by(turn.color())).collect();
                    longest = std::iter::once(series).chain(line).collect();
                }
                Value::Yes(_) => {}
                Value::No => {
                    self.killers.insert(0, path);
                    self.killers.truncate(KILLERS);
                    return Value::No;
                }
                Value::Unknown => is_known = false,
            }
            if self.is_out() {
                return Value::Unknown;
            }
        }
        if is_known && !ends.is_cut { Value::Yes(longest) } else { Value::Unknown }
    }

    /// Whether a reply that leads here fails: the other side, to move now, wins within `own` series.
    fn fails(&mut self, position: &Position, own: u16) -> Value {
        if position.outcome().is_some() { Value::No } else { self.wins(&position.begin(), own) }
    }

    /// Whether the mover mates in this turn.
    fn mates(&mut self, midturn: &Midturn) -> Value {
        if self.is_out() {
            return Value::Unknown;
        }
        let pace = self.limits.pace;
        let stop = || pace.is_stopped() || pace.used() >= SHARE;
        let nodes = self.nodes_left();
        let answer = (self.solve)(midturn, &solver::Limits { nodes, stop: Some(&stop) });
        self.nodes += answer.nodes;
        match answer.verdict {
            Verdict::Mate(series) => Value::Yes(vec![series]),
            Verdict::NoMate => Value::No,
            Verdict::Unknown(_) => Value::Unknown,
        }
    }

    fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |limit| ((limit as f64 * SHARE) as u64).saturating_sub(self.nodes))
    }

    fn is_out(&self) -> bool {
        self.limits.pace.is_stopped() || self.limits.pace.used() >= SHARE || self.nodes_left() == 0
    }

    fn answer(&self, own: u16, pv: Vec<Series>, on_event: &mut dyn FnMut(Event)) -> Choice {
        let (score, depth) = (Score::mate_in(own), pv.len() as u16);
        let safety = if own == 1 { Safety::Won } else { Safety::Safe };
        let (series, ponder) = (pv.first().cloned(), pv.get(1).cloned());
        let choice = Choice { series, ponder, score, safety, nodes: self.nodes };
        on_event(Event::Line(Info { depth, seldepth: depth, multi_pv: 1, score, nodes: self.nodes, hashfull: 0, pv }));
        choice
    }
}

/// Where these moves (the mover's view) lead, if they are legal and a complete series here.
pub(super) fn end_of(turn: &Midturn, moves: &[Move]) -> Option<Position> {
    let mut now = *turn;
    for (i, mv) in moves.iter().enumerate() {
        if !now.is_legal(*mv) {
            return None;
        }
        let is_over = now.step(*mv) == Step::TurnOver;
        if is_over != (i + 1 == moves.len()) || !is_over && now.has_bare_material() {
            return None;
        }
    }
    (!moves.is_empty()).then(|| now.next_position())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::Rules;
    use crate::solver::Solver;

    fn midturn(rules: &str, text: &str) -> Midturn {
        fen::read(text, Rules::by_name(rules).unwrap(), Strictness::Lenient).unwrap().0.midturn()
    }

    fn ask(midturn: &Midturn, most: u16, nodes: u64) -> (Proof, Vec<Event>) {
        let mut solver = Solver::proving(1 << 22);
        let mut events = Vec::new();
        let proof = prove(
            midturn,
            most,
            &Limits::nodes(nodes),
            &mut |midturn, limits| solver.solve(midturn, limits),
            &mut |event| events.push(event),
        );
        (proof, events)
    }

    /// Minimax over all move orders, without solver and tables: does the side that is `ours` win within so many own series?
    fn by_hand(midturn: &Midturn, ours: bool, own: u16) -> bool {
        let mut results = midturn.legal_seen_by_mover().into_iter().map(|mv| {
            let mut next = *midturn;
            match next.step(mv) {
                Step::More if next.outcome().is_some() => false,
                Step::More => by_hand(&next, ours, own),
                Step::TurnOver => match next.next_position().outcome() {
                    Some(outcome) => ours && outcome.winner() == Some(midturn.color()),
                    None if ours && own == 1 => false,
                    None => by_hand(&next.next_position().begin(), !ours, if ours { own - 1 } else { own }),
                },
            }
        });
        if ours { results.any(|won| won) } else { results.all(|won| won) }
    }

    #[test]
    fn small_endings_as_by_hand() {
        let endings = [
            "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
            "7k/8/8/5K2/8/8/8/R7 w - - 0 1",
            "k7/8/1K6/8/8/8/8/7R w - - 0 1",
            "k7/2p5/8/1K6/8/8/8/7R w - - 0 1",
            "7k/8/8/8/8/8/P7/K7 w - - 0 1",
        ];
        let (mut won, mut not_won) = (0, 0);
        for rules in ["italian", "scottish", "marseillais"] {
            for text in endings {
                let midturn = midturn(rules, text);
                let (proof, events) = ask(&midturn, 2, u64::MAX);
                let name = format!("{rules} {text}: {proof:?}");
                match proof {
                    Proof::Win(choice) => {
                        let own = if by_hand(&midturn, true, 1) { 1 } else { 2 };
                        assert!(by_hand(&midturn, true, 2), "{name}");
                        assert_eq!(choice.score, Score::mate_in(own), "{name}");
                        won += 1;
                    }
                    Proof::NoWin(_) => {
                        assert!(!by_hand(&midturn, true, 2), "{name}");
                        assert_eq!(events, [Event::Note("no mate in 2".into())]);
                        not_won += 1;
                    }
                    Proof::Unknown(_) => panic!("{name}"),
                }
            }
        }
        assert!(won > 0 && not_won > 0, "{won} won, {not_won} not");
    }

    #[test]
    fn limits_leave_it_open() {
        let start = midturn("italian", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let (proof, events) = ask(&start, 3, 5_000);
        assert!(matches!(proof, Proof::Unknown(4_000..=6_000)), "{proof:?}");
        assert_eq!(events, []);
    }

    #[test]
    fn the_line_can_be_played() {
        let start = midturn("italian", "7k/8/8/5K2/8/8/8/R7 w - - 0 1");
        let (Proof::Win(_), events) = ask(&start, 2, u64::MAX) else { panic!("no win") };
        let [Event::Line(info)] = &events[..] else { panic!("{events:?}") };
        let mut now = start;
        for (i, series) in info.pv.iter().enumerate() {
            for &mv in series.iter() {
                now.play(mv).unwrap();
            }
            let next = now.next_position();
            assert_eq!(next.outcome().is_some(), i + 1 == info.pv.len());
            now = next.begin();
        }
    }
}
