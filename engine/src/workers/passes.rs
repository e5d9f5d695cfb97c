//! A search without an end: passes one after the other, each with more effort and twice the time of the one before.

use super::clock::Clock;
use crate::search::info::{Choice, Event, Info};
use crate::search::limits::{Limits, Pace};
use crate::search::safety::Safety;
use std::time::Duration;

/// The time of the first pass.
const FIRST: Duration = Duration::from_secs(1);
/// The effort of the last pass: 64 times as many candidates and replies as in play. Memory grows with it.
const MOST_EFFORT: u8 = 6;

/// The pace of one pass.
struct Pass<'a> {
    clock: &'a Clock,
    begun: Duration,
    length: Duration,
}

impl Pace for Pass<'_> {
    fn used(&self) -> f64 {
        self.clock.elapsed().saturating_sub(self.begun).as_secs_f64() / self.length.as_secs_f64()
    }

    fn is_stopped(&self) -> bool {
        self.clock.is_stopped()
    }
}

/// A search within limits, and where it tells what it finds.
type Search<'a> = dyn FnMut(&Limits<'_>, &mut dyn FnMut(Event)) -> Choice + 'a;

/// Searches until the clock is stopped, everything there is to know is known, or the last effort is through. A pass that is cut off has not seen as
/// much as the one before it, whose answer stands then.
pub(super) fn think(
    clock: &Clock,
    limits: &Limits<'_>,
    search: &mut Search<'_>,
    on_event: &mut dyn FnMut(Event),
) -> Choice {
    let (mut nodes, mut deepest, mut length, mut effort) = (0, 0, FIRST, 0);
    let mut best: Option<Choice> = None;
    loop {
        let pass = Pass { clock, begun: clock.elapsed(), length };
        let limits = Limits { pace: &pass, effort, ..limits.clone() };
        let mut reached = 0;
        let mut choice = search(&limits, &mut |event| match event {
            Event::Line(info) => {
                reached = info.depth;
                // What a pass thinks at its beginning is no news.
                if info.depth >= deepest || info.score.is_mate() {
                    on_event(Event::Line(Info { nodes: nodes + info.nodes, ..info }));
                }
            }
            note @ Event::Note(_) => on_event(note),
        });
        nodes += choice.nodes;
        choice.nodes = nodes;
        if clock.is_stopped()
            && let Some(best) = best
        {
            return Choice { nodes, ..best };
        }
        let is_over = choice.safety == Safety::Won || effort == MOST_EFFORT && pass.used() < 1.0;
        if is_over || clock.is_stopped() {
            return choice;
        }
        (best, deepest, length, effort) = (Some(choice), reached, 2 * length, MOST_EFFORT.min(effort + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::Score;
    use crate::workers::clock::{Budget, Control};
    use std::time::Instant;

    fn line(depth: u16, score: Score, nodes: u64) -> Event {
        Event::Line(Info { depth, seldepth: depth, multi_pv: 1, score, nodes, hashfull: 0, pv: Vec::new() })
    }

    /// Runs passes whose search answers its effort as a score, after 100 nodes. In the pass `stop` the clock is stopped.
    fn run(stop: Option<u8>, safety: Safety) -> (Choice, Vec<u8>, Vec<Info>) {
        let control = Control::new(false);
        let clock = Clock::new(Instant::now(), Budget::Endless, control.clone());
        let (mut efforts, mut lines) = (Vec::new(), Vec::new());
        let mut search = |limits: &Limits<'_>, on_event: &mut dyn FnMut(Event)| {
            efforts.push(limits.effort);
            on_event(line(1, Score::DRAW, 50));
            if stop == Some(limits.effort) {
                control.stop();
            } else {
                on_event(line(3, Score::cp(i32::from(limits.effort)), 100));
            }
            Choice { safety, nodes: 100, ..Choice::none(Score::cp(i32::from(limits.effort))) }
        };
        let choice = think(&clock, &Limits::nodes(0), &mut search, &mut |event| match event {
            Event::Line(info) => lines.push(info),
            Event::Note(note) => panic!("{note}"),
        });
        (choice, efforts, lines)
    }

    #[test]
    fn each_pass_makes_more_effort_and_only_its_news_is_told() {
        let (choice, efforts, lines) = run(None, Safety::Safe);
        assert_eq!(efforts, (0..=MOST_EFFORT).collect::<Vec<_>>());
        assert_eq!((choice.score, choice.nodes), (Score::cp(i32::from(MOST_EFFORT)), 700));
        assert_eq!(lines.iter().map(|info| info.nodes).collect::<Vec<_>>(), [50, 100, 200, 300, 400, 500, 600, 700]);
    }

    #[test]
    fn a_pass_that_is_cut_off_leaves_the_answer_of_the_one_before() {
        let (choice, efforts, _) = run(Some(2), Safety::Safe);
        assert_eq!((efforts.len(), choice.score, choice.nodes), (3, Score::cp(1), 300));
        let (choice, efforts, lines) = run(Some(0), Safety::Safe);
        assert_eq!((efforts.len(), choice.score, lines.len()), (1, Score::cp(0), 1));
    }

    #[test]
    fn what_is_won_needs_no_second_pass() {
        assert_eq!(run(None, Safety::Won).1, [0]);
    }
}
