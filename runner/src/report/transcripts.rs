//! `transcripts/GAME.txt`: the lines between the runner and both players, for games that did not end over the board, or for all.

use super::{Report, ReportError};
use crate::event::Event;
use crate::player::transcript::Kept;
use crate::record::GameRecord;
use std::path::{Path, PathBuf};

/// How many are written unless those of all games are wanted: an engine that fails in every game of a long run must not fill the disk.
const MOST: usize = 500;

/// The folder, made when it is needed.
#[derive(Debug)]
pub struct Transcripts {
    folder: PathBuf,
    kept: Kept,
    written: usize,
}

impl Transcripts {
    /// The folder to be.
    #[must_use]
    pub fn new(folder: &Path, kept: Kept) -> Self {
        Self { folder: folder.to_owned(), kept, written: 0 }
    }
}

impl Report for Transcripts {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        let Event::GameEnded { record, .. } = event else { return Ok(()) };
        if self.kept == Kept::Last && self.written >= MOST || record.transcripts.iter().all(String::is_empty) {
            return Ok(());
        }
        self.written += 1;
        let path = self.folder.join(format!("{}.txt", record.id + 1));
        let written =
            std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, text(record, self.kept)));
        written.map_err(|error| ReportError::new(&path, error))
    }
}

fn text(record: &GameRecord, kept: Kept) -> String {
    let [white, black] = &record.transcripts;
    format!(
        "game {}: {} {}\n{}; > to the player, < from him\n\nWhite: {}\n{white}\nBlack: {}\n{black}",
        record.id + 1,
        record.end.result(),
        record.end.reason(),
        if kept == Kept::Last { "the last lines" } else { "the lines of the game" },
        record.white,
        record.black,
    )
}
