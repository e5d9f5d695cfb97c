//! `games.jsonl`: one line per game, written as the game ends. It is the state of a run: whatever stops the run, what is in here
//! has been played.
//!
//! Lines are synced in groups: at once when games are rare, otherwise after 64 games or 50 ms.

use super::{Report, ReportError};
use crate::event::Event;
use crate::player::stop::Stop;
use crate::record::GameRecord;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How many lines may wait for their sync.
const GROUP: usize = 64;

/// An open journal; no other run can open it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// What the file has replaced.
    replaced: Option<File>,
    unsynced: usize,
    synced: Instant,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Another run writes it.
    #[error("{}: in use by another run", .0.display())]
    Locked(PathBuf),
    /// A line that is no game.
    #[error("{}:{line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl Journal {
    /// Opens a journal, new or old, and reads the games in it. A last line without its end was torn by a crash: it is cut off.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path) -> Result<(Self, Vec<GameRecord>), JournalError> {
        let mut games = Vec::new();
        let mut journal = Self::lock(path)?;
        journal.read_back(&mut |_, game| games.push(game))?;
        Ok((journal, games))
    }

    /// Opens a journal, new or old, so that nobody else can; [`Journal::read_back`] comes next.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn lock(path: &Path) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|_| JournalError::Locked(path.to_owned()))?;
        Ok(Self { path: path.to_owned(), file, replaced: None, unsynced: 0, synced: Instant::now() })
    }

    /// Tells `visit` of every game and its line, from 1, and cuts off a torn last line. One game at a time, so that a long
    /// journal needs little memory.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn read_back(&mut self, visit: &mut dyn FnMut(usize, GameRecord)) -> Result<(), JournalError> {
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        self.file.seek(SeekFrom::Start(0)).map_err(io)?;
        let mut reader = BufReader::new(&self.file);
        let (mut whole, mut bytes) = (0, Vec::new());
        for line in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).map_err(io)?;
            if bytes.pop() != Some(b'\n') {
                break;
            }
            if !bytes.is_empty() {
                let bad = |source| JournalError::Line { path: self.path.clone(), line, source };
                visit(line, serde_json::from_slice(&bytes).map_err(bad)?);
            }
            whole += read as u64;
        }
        // Cuts nothing from a whole journal.
        self.file.set_len(whole).map_err(io)?;
        self.file.seek(SeekFrom::Start(whole)).map_err(io)?;
        Ok(())
    }

    /// Takes out lines, numbered from 1: games without a result that are to be played again. The old journal is replaced by the
    /// new one in one step.
    ///
    /// # Errors
    /// See [`JournalError`]; the journal is as it was then.
    pub fn drop_lines(&mut self, lines: &BTreeSet<usize>) -> Result<(), JournalError> {
        if lines.is_empty() {
            return Ok(());
        }
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        let draft = self.path.with_extension("tmp");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&draft).map_err(io)?;
        file.try_lock().map_err(|_| JournalError::Locked(draft.clone()))?;
        self.file.seek(SeekFrom::Start(0)).map_err(io)?;
        let (mut reader, mut writer) = (BufReader::new(&self.file), BufWriter::new(file));
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            if reader.read_until(b'\n', &mut bytes).map_err(io)? == 0 {
                break;
            }
            if !lines.contains(&line) {
                writer.write_all(&bytes).map_err(io)?;
            }
        }
        let file = writer.into_inner().map_err(|error| io(error.into_error()))?;
        file.sync_all().and_then(|()| std::fs::rename(&draft, &self.path)).map_err(io)?;
        // The old file stays open and locked, for somebody may have opened it before it lost its name.
        self.replaced = Some(std::mem::replace(&mut self.file, file));
        Ok(())
    }

    /// Writes a game.
    ///
    /// # Errors
    /// The disk is full or gone. What was written before stays whole.
    pub fn push(&mut self, record: &GameRecord) -> io::Result<()> {
        // Room for most lines.
        let mut line = Vec::with_capacity(1024);
        serde_json::to_writer(&mut line, record)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.unsynced += 1;
        if self.unsynced >= GROUP || self.synced.elapsed() >= Stop::INTERVAL { self.sync() } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.unsynced > 0 {
            self.file.sync_data()?;
            self.unsynced = 0;
        }
        self.synced = Instant::now();
        Ok(())
    }
}

impl Report for Journal {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        let done = match event {
            Event::GameEnded { record, .. } => self.push(record),
            Event::Idle | Event::Ended { .. } => self.sync(),
            Event::Kept { .. } | Event::Began { .. } | Event::GameBegan { .. } => Ok(()),
        };
        done.map_err(|error| ReportError::new(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameEnd, VERSION};

    fn record(id: u64) -> GameRecord {
        GameRecord {
            v: VERSION,
            id,
            round: 1,
            pair: 0,
            white: "a \"b\" \u{1f600}".into(),
            black: "c\\d".into(),
            rules: "italian".into(),
            opening: None,
            fen: None,
            book: 0,
            moves: "e2e4 e7e5,g8f6".into(),
            result: "*".into(),
            end: GameEnd::Aborted,
            plies: 3,
            seed: 1,
            control: "-".into(),
            began: jiff::Timestamp::UNIX_EPOCH,
            ms: 5,
            turns: Vec::new(),
            warnings: Vec::new(),
            transcripts: Default::default(),
            crashed: Vec::new(),
        }
    }

    #[test]
    fn a_torn_tail_is_cut_and_a_second_writer_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        {
            let (mut journal, games) = Journal::open(&path).unwrap();
            assert!(games.is_empty());
            journal.push(&record(0)).unwrap();
            assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
        }
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"v\":1,\"id").unwrap();
        drop(file);
        let (mut journal, games) = Journal::open(&path).unwrap();
        assert_eq!(games, [record(0)]);
        assert_eq!(games[0].game().unwrap().plies(), 3);
        journal.push(&record(1)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path).unwrap().1.len(), 2);
    }

    #[test]
    fn lines_are_taken_out_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut journal = Journal::open(&path).unwrap().0;
        for id in 0..4 {
            journal.push(&record(id)).unwrap();
        }
        journal.drop_lines(&BTreeSet::from([1, 3])).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
        journal.push(&record(7)).unwrap();
        drop(journal);
        let ids: Vec<u64> = Journal::open(&path).unwrap().1.iter().map(|game| game.id).collect();
        assert_eq!(ids, [1, 3, 7]);
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut journal =
            Journal { path: "/dev/full".into(), file: full, replaced: None, unsynced: 0, synced: Instant::now() };
        assert!(journal.push(&record(0)).is_err());
    }
}
