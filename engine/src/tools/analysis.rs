//! What a played turn was worth: the best series, what was missed, and how accurate the player was.
//!
//! Whatever is called proved comes from the solver with positions told apart by 128 bits, or from a series that was replayed. Scores in hundredths of a
//! pawn are the search's judgment and prove nothing.

use super::safe_suite::ThreadPace;
use crate::rules::game::Game;
use crate::rules::midturn::{Midturn, Progress, SeriesEnd};
use crate::rules::outcome::{DrawBy, Outcome};
use crate::search::beam::enumerate;
use crate::search::info::Event;
use crate::search::levels::Level;
use crate::search::limits::{Limits, Pace};
use crate::search::safety::Safety;
use crate::search::think::{Searcher, Settings};
use crate::solver::{self, Grade, Verdict};
use crate::types::Color;
use crate::types::score::{Score, ScoreText};
use crate::types::series::Series;
use crate::types::turn::Turn;
use std::time::Duration;

/// What one turn may cost, all its questions together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Budget {
    /// Moves made in search: the same analysis on every machine.
    Nodes(u64),
    /// Processor time.
    Time(Duration),
}

/// What is known of a series.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Worth {
    /// It wins at once, and can be replayed.
    Wins,
    /// Proved: the opponent has no mate in the next turn.
    Safe,
    /// The game ends with it as a draw.
    Draws(DrawBy),
    /// The opponent mates in the next turn, by this series.
    LetsMate(Series),
    /// Neither is proved.
    Open,
}

/// A series with what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Judged {
    pub(crate) series: Series,
    /// For its mover.
    pub(crate) score: Score,
    pub(crate) worth: Worth,
}

/// What the player overlooked, all of it proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missed {
    /// A mate in this turn.
    Mate,
    /// The series lets the opponent mate, and one is known that does not.
    Refutation,
    /// The series lets the opponent mate, and one is known that draws at once.
    Draw,
}

/// How a series is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// `!`: proved to let no mate, and every other series that the search looked at loses to a mate.
    Good,
    /// `?`: by the search's judgment much worse than the best; nothing is proved.
    Mistake,
    /// `??`: something was missed that is proved.
    Blunder,
}

/// A turn that was looked at.
#[derive(Clone, Debug)]
pub(crate) struct TurnReport {
    pub(crate) turn: Turn,
    /// Where it began.
    pub(crate) midturn: Midturn,
    /// Single moves of the game up to its end.
    pub(crate) plies: usize,
    pub(crate) played: Judged,
    pub(crate) best: Judged,
    pub(crate) missed: Option<Missed>,
    pub(crate) mark: Option<Mark>,
    /// In percent: see [`accuracy`].
    pub(crate) accuracy: f64,
}

/// The parts of a turn's budget.
mod part {
    /// Is there a mate in this turn?
    pub(super) const MATE: f64 = 0.2;
    /// The best series.
    pub(super) const BEST: f64 = 0.4;
    /// Does the opponent mate after what was played?
    pub(super) const REFUTE: f64 = 0.2;
    /// What the played series is worth apart from that.
    pub(super) const PLAYED: f64 = 0.2;
}

/// Where no series is proved to hold, all distinct ends of the turn are looked through for a draw, if they are no more than this, and than a
/// tenth of the node limit.
const ENDS: usize = 20_000;
/// Percent of winning chances that a mistake costs at least (Lichess marks 10 of 100 as a mistake).
const MISTAKE: f64 = 10.0;

/// Looks at the complete turns of a game one by one.
pub(crate) fn game(searcher: &mut Searcher, game: &Game, budget: Budget, visit: &mut dyn FnMut(&TurnReport) -> bool) {
    let (mut midturn, mut plies) = (*game.start(), 0);
    for (turn, series) in game.turns() {
        let begun = midturn;
        plies += series.len();
        let mut is_complete = false;
        for &mv in series.iter() {
            match midturn.play_unchecked(mv) {
                Progress::More => {}
                Progress::Over(end) => {
                    is_complete = true;
                    if let SeriesEnd::Turn(position) = end {
                        midturn = position.begin();
                    }
                }
            }
        }
        if !is_complete {
            return;
        }
        let mut report = self::turn(searcher, &begun, series, budget);
        (report.turn, report.plies) = (*turn, plies);
        if !visit(&report) {
            return;
        }
    }
}

/// Looks at one turn: `played` is a complete legal series from here.
pub(crate) fn turn(searcher: &mut Searcher, midturn: &Midturn, played: &Series, budget: Budget) -> TurnReport {
    // What is proved is published.
    searcher.solver().set_grade(Grade::Proof);
    let mut look = Look { searcher, midturn, budget, others_lose: false };
    let settled = look.settled(played);
    let (played, best) = if let Some(played) = settled.clone().filter(|judged| judged.worth == Worth::Wins) {
        (played.clone(), played)
    } else {
        let best = look.mate().unwrap_or_else(|| look.best());
        let played = settled.unwrap_or_else(|| look.played(played, &best));
        let best = if is_better(&played, &best) { played.clone() } else { best };
        (played, best)
    };
    let missed = missed(&played, &best);
    let accuracy = accuracy(win_percent(best.score) - win_percent(played.score));
    let is_best = end_key(midturn, &played.series) == end_key(midturn, &best.series);
    let mark = match (&missed, &played.worth) {
        (Some(_), _) => Some(Mark::Blunder),
        (None, Worth::Safe | Worth::Draws(_)) if is_best && look.others_lose => Some(Mark::Good),
        _ if win_percent(best.score) - win_percent(played.score) >= MISTAKE => Some(Mark::Mistake),
        _ => None,
    };
    let turn = midturn.turn();
    TurnReport { turn, midturn: *midturn, plies: played.series.len(), played, best, missed, mark, accuracy }
}

/// Something is missed only where both sides of the comparison are proved.
fn missed(played: &Judged, best: &Judged) -> Option<Missed> {
    match (&played.worth, &best.worth) {
        (Worth::Wins, _) => None,
        (_, Worth::Wins) => Some(Missed::Mate),
        (Worth::LetsMate(_), Worth::Safe) => Some(Missed::Refutation),
        (Worth::LetsMate(_), Worth::Draws(_)) => Some(Missed::Draw),
        _ => None,
    }
}

/// Whether what was played is at least as surely good as what the search found, and scores higher.
fn is_better(played: &Judged, best: &Judged) -> bool {
    let holds = |judged: &Judged| matches!(judged.worth, Worth::Wins | Worth::Safe | Worth::Draws(_));
    holds(played) >= holds(best) && played.score > best.score
}

/// The chances to win in percent, 0 to 100, by Lichess' formula (`https://lichess.org/page/accuracy`):
/// `50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1)`, with centipawns cut at ± 1000. Forced mates count 100 and 0. Its constant was fitted to ordinary chess.
pub(crate) fn win_percent(score: Score) -> f64 {
    match score.text() {
        ScoreText::Mate(series) if series > 0 => 100.0,
        ScoreText::Mate(_) => 0.0,
        ScoreText::Cp(cp) => {
            let cp = f64::from(cp.clamp(-1000, 1000));
            50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * cp).exp()) - 1.0)
        }
    }
}

/// The accuracy of a turn in percent, 0 to 100, from what it lost in [`win_percent`]; by Lichess' formula:
/// `103.1668 exp(-0.04354 lost) - 3.1669`.
pub(crate) fn accuracy(lost: f64) -> f64 {
    if lost <= 0.0 { 100.0 } else { (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0) }
}

/// The plain mean of the accuracies of a side's turns, and how many they are; `None` without a turn. (Lichess weighs by how the game swings around each move,
/// which needs more turns than these games have.)
pub(crate) fn mean_accuracy(turns: &[TurnReport], color: Color) -> Option<(f64, usize)> {
    let own: Vec<f64> = turns.iter().filter(|turn| turn.turn.color() == color).map(|turn| turn.accuracy).collect();
    (!own.is_empty()).then(|| (own.iter().sum::<f64>() / own.len() as f64, own.len()))
}

/// One turn while it is looked at.
struct Look<'a> {
    searcher: &'a mut Searcher,
    midturn: &'a Midturn,
    budget: Budget,
    /// Whether every series that the search looked at but its best loses to a mate.
    others_lose: bool,
}

impl Look<'_> {
    /// The part of the budget in nodes, and its pace.
    fn part(&self, share: f64) -> (Option<u64>, ThreadPace) {
        match self.budget {
            Budget::Nodes(nodes) => (Some(((nodes as f64 * share) as u64).max(1)), ThreadPace::new(Duration::MAX)),
            Budget::Time(time) => (None, ThreadPace::new(time.mul_f64(share))),
        }
    }

    /// What the rules alone say of a series.
    fn settled(&self, series: &Series) -> Option<Judged> {
        let outcome = self.midturn.end_of(series)?.outcome()?;
        let (score, worth) = match outcome {
            Outcome::Draw(by) => (Score::DRAW, Worth::Draws(by)),
            Outcome::Win { winner, .. } if winner == self.midturn.color() => (Score::mate_in(1), Worth::Wins),
            // In take-all one can give one's last man away.
            Outcome::Win { .. } => (Score::mated_in(1), Worth::Open),
        };
        Some(Judged { series: series.clone(), score, worth })
    }

    /// Asks the solver within a part of the budget.
    fn solve(&mut self, midturn: &Midturn, share: f64) -> Verdict {
        let (nodes, pace) = self.part(share);
        let stop = || pace.used() >= 1.0;
        let limits = solver::Limits { nodes: nodes.unwrap_or(u64::MAX), stop: Some(&stop) };
        self.searcher.solver().solve(midturn, &limits).verdict
    }

    fn mate(&mut self) -> Option<Judged> {
        match self.solve(&self.midturn.clone(), part::MATE) {
            Verdict::Mate(series) => Some(Judged { series, score: Score::mate_in(1), worth: Worth::Wins }),
            Verdict::NoMate | Verdict::Unknown(_) => None,
        }
    }

    /// The search's choice, from series that begin with `prefix` if there is one.
    fn think(&mut self, prefix: Option<&Series>, share: f64) -> Judged {
        let (nodes, pace) = self.part(share);
        let limits = Limits {
            nodes,
            // It was looked for already.
            mate: Some(1),
            prefixes: prefix.into_iter().cloned().collect(),
            multi_pv: 2,
            pace: &pace,
            ..Limits::nodes(0)
        };
        // Nothing may pass from one turn to the next: the same turn gets the same answer.
        self.searcher.clear();
        self.searcher.solver().set_grade(Grade::Proof);
        let settings = Settings { level: *Level::full(), seed: 1 };
        let mut second = None;
        let choice = self.searcher.think(self.midturn, &settings, &limits, &mut |event| match event {
            Event::Line(info) if info.multi_pv == 2 => second = Some(info.score),
            _ => {}
        });
        self.others_lose |= second.is_some_and(|score| matches!(score.text(), ScoreText::Mate(n) if n < 0));
        let series = choice.series.unwrap_or_default();
        let worth = if choice.safety == Safety::Safe { Worth::Safe } else { Worth::Open };
        self.settled(&series).unwrap_or(Judged { series, score: choice.score, worth })
    }

    /// The best series that can be found; where none is proved to hold, a draw if one is there.
    fn best(&mut self) -> Judged {
        let best = self.think(None, part::BEST);
        if best.worth != Worth::Open || best.score > Score::DRAW && !best.score.is_mate() {
            return best;
        }
        let most = match self.budget {
            Budget::Nodes(nodes) => ENDS.min(usize::try_from(nodes / 10).unwrap_or(ENDS)),
            Budget::Time(_) => ENDS,
        };
        let ends = enumerate(self.midturn, most).unwrap_or_default();
        let drawn = ends.into_iter().find_map(|end| {
            let series: Series = end.moves.iter().map(|mv| mv.seen_by(self.midturn.color())).collect();
            self.settled(&series).filter(|judged| matches!(judged.worth, Worth::Draws(_)))
        });
        drawn.unwrap_or(best)
    }

    /// A played series that did not end the game.
    fn played(&mut self, series: &Series, best: &Judged) -> Judged {
        let mut now = *self.midturn;
        for &mv in series.iter() {
            if let Progress::Over(SeriesEnd::Turn(position)) = now.play_unchecked(mv) {
                now = position.begin();
            }
        }
        let worth = match self.solve(&now, part::REFUTE) {
            Verdict::Mate(reply) => {
                let (series, worth) = (series.clone(), Worth::LetsMate(reply));
                return Judged { series, score: Score::mated_in(1), worth };
            }
            // In take-all a "none" of the solver says nothing.
            Verdict::NoMate if now.rules().has_mate() => Worth::Safe,
            Verdict::NoMate | Verdict::Unknown(_) => Worth::Open,
        };
        if end_key(self.midturn, series) == end_key(self.midturn, &best.series) {
            return Judged { series: series.clone(), score: best.score, worth };
        }
        let others_lose = self.others_lose;
        let found = self.think(Some(series), part::PLAYED);
        self.others_lose = others_lose;
        Judged { worth, ..found }
    }
}

/// What two series that lead to the same position share.
fn end_key(midturn: &Midturn, series: &Series) -> u64 {
    let mut now = *midturn;
    for &mv in series.iter() {
        match now.play_unchecked(mv) {
            Progress::Over(SeriesEnd::Turn(position)) => return position.key(),
            Progress::More | Progress::Over(SeriesEnd::Game(_)) => {}
        }
    }
    now.key()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas() {
        assert_eq!(win_percent(Score::DRAW), 50.0);
        assert_eq!(win_percent(Score::mate_in(3)), 100.0);
        assert_eq!(win_percent(Score::mated_in(1)), 0.0);
        // Values computed from the published formulas.
        assert!((win_percent(Score::cp(100)) - 59.1).abs() < 0.05);
        assert!((win_percent(Score::cp(1000)) - win_percent(Score::cp(5000))).abs() < 1e-9);
        assert_eq!(accuracy(-3.0), 100.0);
        assert!((accuracy(10.0) - 63.58).abs() < 0.01, "{}", accuracy(10.0));
        assert_eq!(accuracy(100.0), 0.0);
    }
}
