//! How games ended: results by color and by turn, reasons, averages.

use super::read::StoredGame;
use crate::stats::counts::{Points, Wdl};
use crate::stats::elo::{expected_score, match_elo};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts over games of one rule set.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    games: u64,
    /// White's results.
    results: Wdl,
    /// By the last turn played.
    by_turn: BTreeMap<u16, Turn>,
    reasons: BTreeMap<String, Turn>,
    turns: u64,
    plies: u64,
}

/// Games that have something in common: White's results, and those without one.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    results: Wdl,
    unfinished: u64,
}

impl Turn {
    fn add(&mut self, points: Option<Points>) {
        match points {
            Some(points) => self.results.record(points),
            None => self.unfinished += 1,
        }
    }

    fn games(&self) -> u64 {
        self.results.games() + self.unfinished
    }
}

/// A [`Summary`] for JSON.
#[derive(Serialize)]
struct Json {
    games: u64,
    white: u64,
    drawn: u64,
    black: u64,
    unfinished: u64,
    /// White's mean score with its 95 % interval.
    score: Option<[f64; 3]>,
    mean_turns: f64,
    mean_moves: f64,
    by_turn: Vec<Row>,
    reasons: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    games: u64,
    white: u64,
    drawn: u64,
    black: u64,
    unfinished: u64,
}

impl Row {
    fn new(counts: &Turn) -> Self {
        let Wdl { wins, draws, losses } = counts.results;
        Self {
            turn: None,
            reason: None,
            games: counts.games(),
            white: wins,
            drawn: draws,
            black: losses,
            unfinished: counts.unfinished,
        }
    }

    fn cells(&self) -> String {
        format!("{:8} {:8} {:8} {:8} {:8}", self.games, self.white, self.drawn, self.black, self.unfinished)
    }
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, stored: &StoredGame) {
        self.games += 1;
        if let Some(points) = stored.points {
            self.results.record(points);
        }
        let last = stored.game.turns().last().map_or(0, |(turn, _)| turn.number());
        self.by_turn.entry(last).or_default().add(stored.points);
        self.reasons.entry(stored.reason.clone()).or_default().add(stored.points);
        self.turns += stored.game.turns().len() as u64;
        self.plies += stored.game.plies() as u64;
    }

    /// White's mean score with the ends of its 95 % interval, each game for itself.
    fn score(&self) -> Option<[f64; 3]> {
        let elo = match_elo(&self.results)?;
        Some([elo.score, expected_score(elo.interval.low), expected_score(elo.interval.high)])
    }

    fn rows(&self) -> (Vec<Row>, Vec<Row>) {
        let turns = self.by_turn.iter().map(|(&turn, counts)| Row { turn: Some(turn), ..Row::new(counts) });
        let reason = |(reason, counts): (&String, &Turn)| Row { reason: Some(reason.clone()), ..Row::new(counts) };
        let mut reasons: Vec<Row> = self.reasons.iter().map(reason).collect();
        // A stable sort: equal counts stay in the order of the alphabet.
        reasons.sort_by_key(|row| std::cmp::Reverse(row.games));
        (turns.collect(), reasons)
    }

    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.games.max(1) as f64
    }

    /// The counts as text, below a line with this name.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let Wdl { wins, draws, losses } = self.results;
        let unfinished = self.games - self.results.games();
        let mut text = format!("{name}: {} games\n", self.games);
        let _ = writeln!(text, "White won {wins}, drawn {draws}, Black won {losses}, unfinished {unfinished}");
        if let Some([score, low, high]) = self.score().map(|score| score.map(|share| share * 100.0)) {
            let _ = writeln!(text, "White scores {score:.1} % (95 %: {low:.1} to {high:.1})");
        }
        let (turns, moves) = (self.mean(self.turns), self.mean(self.plies));
        let _ = writeln!(text, "on average {turns:.1} turns, {moves:.1} moves");
        let (turns, reasons) = self.rows();
        let head = "   games    White    drawn    Black     open";
        let _ = writeln!(text, "last turn           {head}");
        for row in &turns {
            let _ = writeln!(text, "{:<20}{}", row.turn.unwrap_or_default(), row.cells());
        }
        let _ = writeln!(text, "ended by            {head}");
        for row in &reasons {
            let _ = writeln!(text, "{:<20}{}", row.reason.as_deref().unwrap_or_default(), row.cells());
        }
        text
    }

    /// The counts as a JSON value.
    ///
    /// # Errors
    /// Never: there is nothing in it that JSON cannot say.
    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        let Wdl { wins, draws, losses } = self.results;
        let (by_turn, reasons) = self.rows();
        serde_json::to_value(Json {
            games: self.games,
            white: wins,
            drawn: draws,
            black: losses,
            unfinished: self.games - self.results.games(),
            score: self.score(),
            mean_turns: self.mean(self.turns),
            mean_moves: self.mean(self.plies),
            by_turn,
            reasons,
        })
    }
}
