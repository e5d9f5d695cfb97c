//! What long work has found so far, on disk: lines of JSON that are only ever appended to, so that a kill costs the line being
//! written and no more.

use super::item::Puzzle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How many lines may pass until the disk must have them. A kill of the process loses none; only a power cut could.
const LINES_BETWEEN_SYNCS: u64 = 100;

/// The first line: from what everything else follows. A journal is continued only with the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format, 1.
    pub v: u32,
    /// The settings in words and numbers.
    pub settings: String,
}

/// A line of mining: the puzzles of one game. Games come in the order of their numbers, from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The number of the game, from 0.
    pub game: u64,
    /// Its puzzles, in the order of its turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<Puzzle>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A line that this program did not write.
    #[error("{}:{line}: {text}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        text: String,
    },
    /// Begun with other settings.
    #[error("{}: begun with other settings: {there}; now: {here}; use another --state or the same settings", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// Those of the file.
        there: String,
        /// Those of this call.
        here: String,
    },
    /// Another process writes to it.
    #[error("{}: another process is writing to it", .0.display())]
    Locked(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    lines: u64,
}

impl Journal {
    /// Opens a journal or begins one, and shows what it holds to `on_line`, in order. A torn last line is cut off.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        settings: &str,
        on_line: &mut dyn FnMut(T),
    ) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|_| JournalError::Locked(path.to_owned()))?;
        let (whole, lines) = read(path, &mut BufReader::new(&file), settings, on_line)?;
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut journal = Self { path: path.to_owned(), file, lines };
        if whole == 0 {
            journal.write(&Header { v: 1, settings: settings.to_owned() })?;
        }
        Ok(journal)
    }

    /// How many lines it has, not counting the first.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Appends a line.
    ///
    /// # Errors
    /// The disk refused.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        self.write(line)?;
        self.lines += 1;
        if self.lines.is_multiple_of(LINES_BETWEEN_SYNCS) {
            self.file.sync_data().map_err(|source| JournalError::Io { path: self.path.clone(), source })?;
        }
        Ok(())
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let mut text = serde_json::to_vec(value).map_err(|error| io(error.into()))?;
        text.push(b'\n');
        self.file.write_all(&text).map_err(io)
    }
}

/// Reads the whole lines; how many bytes they are, and how many lines without the first.
fn read<T: DeserializeOwned>(
    path: &Path,
    reader: &mut impl BufRead,
    settings: &str,
    on_line: &mut dyn FnMut(T),
) -> Result<(u64, u64), JournalError> {
    let (mut bytes, mut whole, mut lines) = (Vec::new(), 0, 0);
    for line in 1.. {
        bytes.clear();
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let bad =
            |error: serde_json::Error| JournalError::Line { path: path.to_owned(), line, text: error.to_string() };
        if reader.read_until(b'\n', &mut bytes).map_err(io)? == 0 || bytes.last() != Some(&b'\n') {
            break;
        }
        if line == 1 {
            let header: Header = serde_json::from_slice(&bytes).map_err(bad)?;
            if header.settings != settings {
                let (there, here) = (header.settings, settings.to_owned());
                return Err(JournalError::Settings { path: path.to_owned(), there, here });
            }
        } else {
            on_line(serde_json::from_slice(&bytes).map_err(bad)?);
            lines += 1;
        }
        whole += bytes.len() as u64;
    }
    Ok((whole, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(path: &Path, settings: &str) -> (Result<Journal, JournalError>, Vec<u64>) {
        let mut seen = Vec::new();
        let journal = Journal::open(path, settings, &mut |line: Line| seen.push(line.game));
        (journal, seen)
    }

    #[test]
    fn goes_on_after_a_torn_line_and_refuses_other_settings_and_a_second_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let mut journal = opened(&path, "a").0.unwrap();
        (0..3).for_each(|game| journal.append(&Line { game, found: Vec::new() }).unwrap());
        assert!(matches!(opened(&path, "a").0, Err(JournalError::Locked(_))));
        drop(journal);
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":3,\"fou").unwrap();
        let (journal, seen) = opened(&path, "a");
        assert_eq!((journal.unwrap().lines(), seen), (3, vec![0, 1, 2]));
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("{\"game\":2}\n"));
        assert!(matches!(opened(&path, "b").0, Err(JournalError::Settings { .. })));
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(matches!(opened(&path, "a").0, Err(JournalError::Line { line: 5, .. })));
    }
}
