//! Files of puzzles: CSV in the columns of Lichess, or JSON lines with everything; either packed with gzip.

use super::item::Puzzle;
use super::row::{COLUMNS, FieldFault, Row};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Unpacked, no file of puzzles is longer than this.
const MOST_BYTES: u64 = 1 << 30;

/// What is wrong at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {fault}")]
pub struct LineFault {
    /// The line, from 1.
    pub line: u64,
    /// The field and what is wrong with it.
    pub fault: FieldFault,
}

/// Why a file cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// It holds something else.
    #[error("{0}: {1}")]
    Bad(String, LineFault),
    /// Rating needs what only JSON lines hold.
    #[error("{0}: expected JSON lines, as puzzles mine writes them to a file that does not end in .csv")]
    NotJson(String),
}

/// What a line of a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The line, from 1.
    pub line: u64,
    /// The puzzle as a row.
    pub row: Row,
    /// Everything, if the file is of JSON lines.
    pub puzzle: Option<Box<Puzzle>>,
}

/// The text of a file, unpacked if it is packed.
///
/// # Errors
/// The operating system refused, or the packing is damaged.
pub fn text(path: &Path) -> Result<String, FileError> {
    let bad = |error| FileError::Io(path.display().to_string(), error);
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(bad)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(&bytes[..]).take(MOST_BYTES).read_to_end(&mut plain).map_err(bad)?;
        bytes = plain;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a text of either form. Lines that are no puzzle are faults; reading goes on behind them.
#[must_use]
pub fn parse(text: &str) -> (Vec<Entry>, Vec<LineFault>) {
    if text.starts_with('{') { parse_json(text) } else { parse_csv(text) }
}

fn parse_json(text: &str) -> (Vec<Entry>, Vec<LineFault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for (line, content) in (1..).zip(text.lines()) {
        match serde_json::from_str::<Puzzle>(content) {
            Ok(puzzle) => entries.push(Entry { line, row: Row::of(&puzzle), puzzle: Some(Box::new(puzzle)) }),
            Err(error) => faults.push(LineFault { line, fault: FieldFault::new("JSON", error.to_string()) }),
        }
    }
    (entries, faults)
}

fn parse_csv(text: &str) -> (Vec<Entry>, Vec<LineFault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut is_first = true;
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                faults.push(LineFault { line, fault: FieldFault::new("CSV", error.to_string()) });
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Vec<&str> = record.iter().collect();
        if std::mem::take(&mut is_first) && fields.first() == Some(&COLUMNS[0]) {
            if fields != COLUMNS {
                let text = format!("expected the columns {}", COLUMNS.join(","));
                faults.push(LineFault { line, fault: FieldFault::new("header", text) });
            }
            continue;
        }
        match Row::parse(&fields) {
            Ok(row) => entries.push(Entry { line, row, puzzle: None }),
            Err(found) => faults.extend(found.into_iter().map(|fault| LineFault { line, fault })),
        }
    }
    (entries, faults)
}

/// Reads a file; the first fault is an error.
///
/// # Errors
/// See [`FileError`].
pub fn read(path: &Path) -> Result<Vec<Entry>, FileError> {
    let (entries, faults) = parse(&text(path)?);
    match faults.into_iter().next() {
        Some(fault) => Err(FileError::Bad(path.display().to_string(), fault)),
        None => Ok(entries),
    }
}

/// Reads a file of JSON lines.
///
/// # Errors
/// See [`FileError`].
pub fn puzzles(path: &Path) -> Result<Vec<Puzzle>, FileError> {
    let whole = |entry: Entry| entry.puzzle.map(|puzzle| *puzzle);
    let puzzles: Option<Vec<Puzzle>> = read(path)?.into_iter().map(whole).collect();
    puzzles.ok_or_else(|| FileError::NotJson(path.display().to_string()))
}

/// The rows as CSV with a header.
///
/// # Errors
/// None, as writing to memory goes.
pub fn csv<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The puzzles as JSON lines.
///
/// # Errors
/// None, as their fields go.
pub fn jsonl<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    for puzzle in puzzles {
        serde_json::to_writer(&mut text, puzzle)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// Writes a file whole or not at all, packed if its name ends in `.gz`.
///
/// # Errors
/// The operating system refused.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_added_extension("new");
    let mut file = File::create(&beside)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        // No name and no time in the head, so that equal sets are equal files.
        let mut packer = GzEncoder::new(file, Compression::best());
        packer.write_all(content)?;
        file = packer.finish()?;
    } else {
        file.write_all(content)?;
    }
    file.sync_all()?;
    drop(file);
    std::fs::rename(&beside, path)
}

/// Whether a file of this name holds CSV.
#[must_use]
pub fn is_csv(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(".gz").ends_with(".csv")
}

/// Writes puzzles in the form that the file's name asks for.
///
/// # Errors
/// The operating system refused.
pub fn write_puzzles(path: &Path, puzzles: &[Puzzle]) -> io::Result<()> {
    let content = if is_csv(path) {
        let rows: Vec<Row> = puzzles.iter().map(Row::of).collect();
        csv(&rows).map_err(io::Error::other)?
    } else {
        jsonl(puzzles).map_err(io::Error::other)?
    };
    write(path, &content)
}
