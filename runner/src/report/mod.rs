//! What comes out of a run: one file per output. Reports see events and nothing else of the scheduler; every number of theirs
//! comes from the statistics.

pub mod checksums;
pub mod console;
pub mod course;
pub mod events;
pub mod html;
pub mod journal;
pub mod match_elo;
pub mod pgn;
pub mod ratings;
pub mod result;
pub mod sprt;
pub mod transcripts;

use crate::event::Event;
use std::io;
use std::path::{Path, PathBuf};

/// An output could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ReportError {
    /// The file, or the name of the stream.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

impl ReportError {
    /// An error about this file.
    #[must_use]
    pub fn new(path: &Path, source: io::Error) -> Self {
        Self { path: path.to_owned(), source }
    }
}

/// One output.
pub trait Report {
    /// Takes note of an event.
    ///
    /// # Errors
    /// The output cannot be written.
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError>;
}
