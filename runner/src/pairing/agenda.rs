//! Hands out the games of a schedule, one at a time, and takes back their results.

use super::adaptive::Adaptive;
use super::course::Course;
use super::knockout::Knockout;
use super::schedule::{Finished, Schedule};
use super::stages::{Director, Stages};
use super::swiss::Swiss;
use super::{Format, Pairing};
use crate::stats::counts::Points;

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Play(Pairing),
    /// Wait for a game that is being played: what comes next depends on it.
    Wait,
    /// There is nothing left to play, or what is left depends on a game that got no result.
    Nothing,
}

/// What of a schedule is left to be played.
#[derive(Debug)]
pub struct Agenda {
    schedule: Schedule,
    /// In formats that are not fixed.
    stages: Option<Stages>,
    /// Games of earlier sessions, and in stages all games.
    finished: Finished,
    next: u64,
    /// Games handed out and not yet booked.
    running: u64,
}

impl Agenda {
    /// Nothing has been played yet.
    #[must_use]
    pub fn new(schedule: Schedule) -> Self {
        let (players, pairs) = (schedule.players(), schedule.rounds());
        let director: Option<Box<dyn Director>> = match schedule.format() {
            Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. } | Format::Match => None,
            Format::Knockout { extra } => Some(Box::new(Knockout::new(players, pairs, extra))),
            Format::Swiss { rounds } => Some(Box::new(Swiss::new(players, pairs, rounds))),
            Format::Adaptive { wanted, max_games } => {
                Some(Box::new(Adaptive::new(players, pairs, wanted, max_games / 2)))
            }
        };
        let stages = director.map(Stages::new);
        Self { schedule, stages, finished: Finished::default(), next: 0, running: 0 }
    }

    /// The game of this number, if the results so far say which it is.
    #[must_use]
    pub fn find(&self, id: u64) -> Option<Pairing> {
        let Some(stages) = &self.stages else { return self.schedule.game(id) };
        let (round, wave, meeting) = stages.pair(id / 2)?;
        Some(self.schedule.pairing(id, round, wave, meeting))
    }

    /// Takes note of a game of an earlier session with White's points; `false` if it was there already.
    pub fn keep(&mut self, pairing: &Pairing, white: Points) -> bool {
        let is_new = self.finished.insert(pairing.id);
        if let (true, Some(stages)) = (is_new, &mut self.stages) {
            stages.book(pairing.pair, pairing.white, white);
        }
        is_new
    }

    /// The next game, or why there is none. Every game that is handed out must be booked.
    pub fn hand_out(&mut self) -> Next {
        loop {
            self.next = self.schedule.next_from(self.next);
            let Some(pairing) = self.find(self.next) else {
                let is_pending = self.stages.is_some() && self.running > 0;
                return if is_pending { Next::Wait } else { Next::Nothing };
            };
            self.next += 1;
            if !self.finished.contains(pairing.id) {
                self.running += 1;
                return Next::Play(pairing);
            }
        }
    }

    /// Takes the result of a game that was handed out: White's points, or none if it does not count.
    pub fn book(&mut self, pairing: &Pairing, white: Option<Points>) {
        self.running = self.running.saturating_sub(1);
        if let (Some(white), true) = (white, self.stages.is_some()) {
            self.keep(pairing, white);
        }
    }

    /// Whether all has been played, if so many games count.
    #[must_use]
    pub fn is_complete(&self, counted: u64) -> bool {
        self.stages.as_ref().map_or(counted == self.schedule.games(), Stages::is_over)
    }

    /// Where things stand in the format's own terms; `None` in the fixed formats.
    #[must_use]
    pub fn course(&self) -> Option<Course> {
        self.stages.as_ref().map(Stages::course)
    }
}
