//! `--events`: what happens, for other programs, one JSON object a line, flushed as it happens.
//!
//! Every object has a field `event`; fields are only ever added, so a reader should ignore those it does not know:
//!
//! | `event` | fields |
//! |---|---|
//! | `kept` | `game`: a game of an earlier session of this run; these come first |
//! | `began` | `v`: version of this schema, 1; `games`: how many are planned |
//! | `game-began` | `id`: number of the game, from 0 |
//! | `game-ended` | `game`: a line of `games.jsonl` |
//! | `standing` | `games`: how many count, `players`: as in `result.json`, best first, `sprt`: the same, if there is a test; at most once a second |
//! | `ended` | `games`, `not_played`, `harness_errors`, `aborted`, `white_advantage`, `players`, `sprt`, `course`, all as in `result.json` |
//!
//! The last line of a run that was not killed is `ended`.

use super::course::CourseSummary;
use super::result::{Estimate, PlayerSummary, players};
use super::sprt::SprtSummary;
use super::{Report, ReportError};
use crate::event::Event;
use crate::pairing::course::Course;
use crate::record::GameRecord;
use crate::standing::Standing;
use crate::stats::sprt::Sprt;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The version of the schema.
const VERSION: u32 = 1;
/// How often the standing is told at most.
const REFRESH: Duration = Duration::from_secs(1);

/// A line.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Line<'a> {
    Kept {
        game: &'a GameRecord,
    },
    Began {
        v: u32,
        games: u64,
    },
    GameBegan {
        id: u64,
    },
    GameEnded {
        game: &'a GameRecord,
    },
    Standing {
        games: usize,
        players: Vec<PlayerSummary>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sprt: Option<SprtSummary>,
    },
    Ended {
        games: usize,
        not_played: u64,
        harness_errors: u64,
        aborted: u64,
        white_advantage: Option<Estimate>,
        players: Vec<PlayerSummary>,
        #[serde(skip_serializing_if = "Option::is_none")]
        course: Option<CourseSummary>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sprt: Option<SprtSummary>,
    },
}

/// The stream of events.
pub struct Events {
    path: PathBuf,
    out: Box<dyn Write>,
    told: Instant,
    test: Option<Sprt>,
}

impl Events {
    /// A stream to this file, made anew, or to the standard output for `-`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> Result<Self, ReportError> {
        let out: Box<dyn Write> = if is_stdout(path) {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).map_err(|error| ReportError::new(path, error))?)
        };
        Ok(Self { path: path.to_owned(), out, told: Instant::now(), test: None })
    }

    /// The same with a sequential test of the first player.
    #[must_use]
    pub fn with_test(self, test: Option<Sprt>) -> Self {
        Self { test, ..self }
    }

    fn sprt(&self, standing: &Standing) -> Option<SprtSummary> {
        self.test.map(|test| SprtSummary::new(&test, standing.pairs()))
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.out.write_all(&text)?;
        self.out.flush()
    }

    fn write(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Kept { record } => self.line(&Line::Kept { game: record }),
            Event::Began { games } => self.line(&Line::Began { v: VERSION, games: *games }),
            Event::GameBegan { id } => self.line(&Line::GameBegan { id: *id }),
            Event::GameEnded { record, standing, .. } => {
                self.line(&Line::GameEnded { game: record })?;
                if self.told.elapsed() < REFRESH {
                    return Ok(());
                }
                self.told = Instant::now();
                let (players, _) = players(standing);
                self.line(&Line::Standing { games: standing.counted(), players, sprt: self.sprt(standing) })
            }
            Event::Ended { standing, course } => {
                let sprt = self.sprt(standing);
                self.line(&ended(standing, *course, sprt))
            }
            Event::Idle => Ok(()),
        }
    }
}

/// Whether this is the standard output.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

fn ended(standing: &Standing, course: Option<&Course>, sprt: Option<SprtSummary>) -> Line<'static> {
    let (players, white_advantage) = players(standing);
    Line::Ended {
        games: standing.counted(),
        not_played: standing.not_played,
        harness_errors: standing.harness_errors,
        aborted: standing.aborted,
        white_advantage,
        players,
        course: course.map(|course| CourseSummary::new(course, standing)),
        sprt,
    }
}

impl Report for Events {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        self.write(event).map_err(|error| ReportError::new(&self.path, error))
    }
}
