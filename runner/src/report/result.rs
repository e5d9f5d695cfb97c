//! `result.json`: the tournament in numbers, written when it ends. The schema is [`Summary`]; fields are only ever added.

use super::course::CourseSummary;
use super::match_elo::MatchSummary;
use super::sprt::SprtSummary;
use super::{Report, ReportError};
use crate::event::Event;
use crate::standing::Standing;
use crate::stats::counts::Wdl;
use crate::stats::sprt::Sprt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The whole file.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version of the schema.
    pub v: u32,
    /// The tournament's name.
    pub name: String,
    /// The rule set.
    pub rules: String,
    /// The seed with which the run can be played again.
    pub seed: u64,
    /// Games planned.
    pub planned: u64,
    /// Games that count.
    pub games: u64,
    /// Games not played since a player did not start.
    pub not_played: u64,
    /// Games lost to the runner's faults.
    pub harness_errors: u64,
    /// Games cut off by a stop.
    pub aborted: u64,
    /// Games that repeat another one of the same players and colors move by move.
    pub repeats: u64,
    /// White's advantage in Elo, if it can be said.
    pub white_advantage: Option<Estimate>,
    /// Of two players: the match from the first one's side.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub of_two: Option<MatchSummary>,
    /// The sequential test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// Bracket, Swiss table or gaps, if the format has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<CourseSummary>,
    /// The players, best first.
    pub players: Vec<PlayerSummary>,
}

/// A number with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// In Elo.
    pub elo: f64,
    /// In Elo; absent where the data do not bound it.
    pub error95: Option<f64>,
}

/// One player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// His name.
    pub name: String,
    /// From one joint fit of all games; the mean of the pool is 0.
    pub rating: Option<Estimate>,
    /// Whether the rating rests more on the prior than on games.
    pub prior_dominated: bool,
    /// All games.
    pub games: u64,
    /// All games, from his side.
    pub wins: u64,
    /// All games, from his side.
    pub draws: u64,
    /// All games, from his side.
    pub losses: u64,
    /// Points a game, 0 to 1.
    pub score: Option<f64>,
    /// With White.
    pub white_score: Option<f64>,
    /// With Black.
    pub black_score: Option<f64>,
    /// Games lost by a fault, by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Variations (`pv`) that cannot be played or do not fit the answer; they cost nothing.
    pub warnings: u64,
}

/// Points a game.
#[must_use]
pub fn score(results: &Wdl) -> Option<f64> {
    (results.games() > 0).then(|| results.points() / results.games() as f64)
}

/// The players of a standing, best first; equal ones in the order of the plan.
#[must_use]
pub fn players(standing: &Standing) -> (Vec<PlayerSummary>, Option<Estimate>) {
    let ratings = standing.ratings();
    let estimate = |elo: f64, margin: f64| Estimate { elo, error95: Some(margin).filter(|margin| margin.is_finite()) };
    let mut players: Vec<PlayerSummary> = standing
        .names()
        .iter()
        .zip(standing.tallies())
        .enumerate()
        .map(|(number, (name, tally))| {
            let both = tally.both();
            let rating = ratings.as_ref().filter(|_| both.games() > 0);
            PlayerSummary {
                name: name.clone(),
                rating: rating.map(|fit| estimate(fit.rating(number), fit.interval(number).margin())),
                prior_dominated: rating.is_some_and(|fit| fit.is_prior_dominated(number)),
                games: both.games(),
                wins: both.wins,
                draws: both.draws,
                losses: both.losses,
                score: score(&both),
                white_score: score(&tally.white),
                black_score: score(&tally.black),
                faults: tally.faults.iter().map(|(kind, count)| (kind.word(), *count)).collect(),
                warnings: tally.warnings,
            }
        })
        .collect();
    let key = |player: &PlayerSummary| player.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
    players.sort_by(|a, b| key(b).total_cmp(&key(a)));
    let advantage = ratings.map(|fit| fit.white_advantage());
    (players, advantage.map(|advantage| estimate(advantage.elo, advantage.interval().margin())))
}

/// Writes the file when the run ends.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    summary: Summary,
    test: Option<Sprt>,
}

impl ResultFile {
    /// The file to be.
    #[must_use]
    pub fn new(path: &Path, name: &str, rules: &str, seed: u64) -> Self {
        let summary = Summary {
            v: 1,
            name: name.into(),
            rules: rules.into(),
            seed,
            planned: 0,
            games: 0,
            not_played: 0,
            harness_errors: 0,
            aborted: 0,
            repeats: 0,
            white_advantage: None,
            of_two: None,
            sprt: None,
            course: None,
            players: Vec::new(),
        };
        Self { path: path.to_owned(), summary, test: None }
    }

    /// The same with a sequential test of the first player.
    #[must_use]
    pub const fn with_test(mut self, test: Option<Sprt>) -> Self {
        self.test = test;
        self
    }
}

impl Report for ResultFile {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        match event {
            Event::Began { games } => self.summary.planned = *games,
            Event::Ended { standing, course } => {
                let summary = &mut self.summary;
                (summary.players, summary.white_advantage) = players(standing);
                summary.course = course.map(|course| CourseSummary::new(course, standing));
                summary.sprt = self.test.map(|test| SprtSummary::new(&test, standing.pairs()));
                summary.games = standing.counted() as u64;
                summary.not_played = standing.not_played;
                summary.harness_errors = standing.harness_errors;
                summary.aborted = standing.aborted;
                summary.repeats = standing.repeats;
                summary.of_two = MatchSummary::new(standing);
                let text = serde_json::to_vec_pretty(summary).map_err(std::io::Error::from);
                let written = text.and_then(|text| replace(&self.path, &text));
                written.map_err(|error| ReportError::new(&self.path, error))?;
            }
            Event::Kept { .. } | Event::GameBegan { .. } | Event::GameEnded { .. } | Event::Idle => {}
        }
        Ok(())
    }
}

/// Writes a file so that it is there whole or not at all.
///
/// # Errors
/// It cannot be written; an older file of that name is still there.
pub fn replace(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let draft = path.with_extension("tmp");
    let mut file = std::fs::File::create(&draft)?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    std::fs::rename(draft, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    // 62: whatever goes wrong while a file is written, the old one is whole.
    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        replace(&path, b"old").unwrap();
        // The draft cannot be made where a folder stands in its place.
        let draft = path.with_extension("tmp");
        std::fs::create_dir(&draft).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old\n");
        // Nor can it be written where the disk is full.
        std::fs::remove_dir(&draft).unwrap();
        std::os::unix::fs::symlink("/dev/full", &draft).unwrap();
        assert!(replace(&path, b"new").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old\n");
        std::fs::remove_file(&draft).unwrap();
        replace(&path, b"new").unwrap();
        assert!(std::fs::read(&path).unwrap() == b"new\n" && !draft.exists());
    }
}
