//! Tournaments that come in stages: what is played next follows from the results of earlier stages.

use super::Meeting;
use super::course::Course;
use crate::stats::counts::Points;
use std::fmt::Debug;

/// Meetings that are decided on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    /// The round, from 0.
    pub(super) round: u64,
    /// How many pairs of games each meeting has.
    pub(super) pairs: u64,
    /// Who meets.
    pub(super) meetings: Vec<Meeting>,
}

/// The first player's points in the games of a pair: with White, and with Black.
pub(super) type PairPoints = [Points; 2];

/// The rules of a format that comes in stages. It sees results in the order of the stages and nothing else, so the same
/// results lead to the same stages.
pub(super) trait Director: Debug + Send {
    /// How many stages may be open at a time, at least 1: with 2, a stage is decided on before the results of the one before it
    /// are there, and nobody waits for its last game.
    fn ahead(&self) -> usize {
        1
    }

    /// The next stage; `None` when the tournament is over. It comes with the stage's number of meetings, at least 1.
    fn next(&mut self) -> Option<Stage>;

    /// Takes the results of the oldest stage without them: for each meeting its pairs.
    fn absorb(&mut self, results: &[(Meeting, Vec<PairPoints>)]);

    /// Where things stand, in the format's own terms.
    fn course(&self) -> Course;
}

/// A stage with its place among all and what is known of its results.
#[derive(Debug)]
struct Open {
    stage: Stage,
    first_pair: u64,
    /// How many openings were used up before it where all meetings share one.
    first_wave: u64,
    /// The first player's points, two for each pair of the stage, with White before Black; empty once absorbed.
    results: Vec<Option<Points>>,
    missing: usize,
}

impl Open {
    fn pairs(&self) -> u64 {
        self.stage.pairs * self.stage.meetings.len() as u64
    }

    /// Results by meeting. Pairs are numbered in waves: each meeting's first pair, each one's second, and so on.
    fn close(&mut self) -> Vec<(Meeting, Vec<PairPoints>)> {
        let count = self.stage.meetings.len();
        let points: Vec<Points> = std::mem::take(&mut self.results).into_iter().flatten().collect();
        let pairs: Vec<PairPoints> = points.as_chunks().0.to_vec();
        let of = |at: usize| pairs.iter().skip(at).step_by(count).copied().collect();
        self.stage.meetings.iter().enumerate().map(|(at, meeting)| (*meeting, of(at))).collect()
    }
}

/// All stages so far.
#[derive(Debug)]
pub(super) struct Stages {
    director: Box<dyn Director>,
    all: Vec<Open>,
    absorbed: usize,
    /// Whether the director has no further stage.
    is_last: bool,
}

impl Stages {
    pub(super) fn new(director: Box<dyn Director>) -> Self {
        let mut stages = Self { director, all: Vec::new(), absorbed: 0, is_last: false };
        stages.extend();
        stages
    }

    /// How many pairs of games are known so far.
    pub(super) fn pairs(&self) -> u64 {
        self.all.last().map_or(0, |open| open.first_pair + open.pairs())
    }

    /// Whether the tournament is over: no further stage, and no result is missing.
    pub(super) fn is_over(&self) -> bool {
        self.is_last && self.absorbed == self.all.len()
    }

    pub(super) fn course(&self) -> Course {
        self.director.course()
    }

    /// Round, wave and players of a pair, if they are known by now.
    pub(super) fn pair(&self, pair: u64) -> Option<(u64, u64, Meeting)> {
        let (open, at) = self.place(pair)?;
        let open = &self.all[open];
        let count = open.stage.meetings.len() as u64;
        let meeting = *open.stage.meetings.get(usize::try_from(at % count).ok()?)?;
        Some((open.stage.round, open.first_wave + at / count, meeting))
    }

    /// Takes White's points in a game of this pair, and who had White; what follows from them is decided at once.
    pub(super) fn book(&mut self, pair: u64, white: usize, points: Points) {
        let Some((_, _, meeting)) = self.pair(pair) else { return };
        let Some((at, within)) = self.place(pair) else { return };
        let (color, first) = if meeting.first == white { (0, points) } else { (1, points.reversed()) };
        let open = &mut self.all[at];
        let game = usize::try_from(2 * within + color).unwrap_or(usize::MAX);
        if let Some(result @ None) = open.results.get_mut(game) {
            *result = Some(first);
            open.missing -= 1;
        }
        while let Some(open) = self.all.get_mut(self.absorbed).filter(|open| open.missing == 0) {
            let results = open.close();
            self.director.absorb(&results);
            self.absorbed += 1;
            self.extend();
        }
    }

    /// The stage of a pair, and the pair's place in it.
    fn place(&self, pair: u64) -> Option<(usize, u64)> {
        let at = self.all.partition_point(|open| open.first_pair <= pair).checked_sub(1)?;
        let within = pair - self.all[at].first_pair;
        (within < self.all[at].pairs()).then_some((at, within))
    }

    fn extend(&mut self) {
        while !self.is_last && self.all.len() - self.absorbed < self.director.ahead() {
            let Some(stage) = self.director.next() else {
                self.is_last = true;
                return;
            };
            let first_wave = self.all.last().map_or(0, |open| open.first_wave + open.stage.pairs);
            let mut open = Open { stage, first_pair: self.pairs(), first_wave, results: Vec::new(), missing: 0 };
            open.missing = usize::try_from(2 * open.pairs()).unwrap_or(usize::MAX);
            open.results = vec![None; open.missing];
            self.all.push(open);
        }
    }
}
