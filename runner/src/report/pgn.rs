//! `games.pgn`: every game that has a result, in the canonical or the padded form of the protocol.

use super::{Report, ReportError};
use crate::event::Event;
use crate::record::{GameEnd, GameRecord};
use crescendo::rules::game::Game;
use crescendo::rules::notation::pgn::{PgnGame, PgnResult};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How games are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// One number a series.
    #[default]
    Canonical,
    /// With passes of the other side, for programs that know ordinary chess only.
    Padded,
    /// Tags and result without the moves, for programs that only rate.
    Headers,
}

impl Form {
    /// The form of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "canonical" => Some(Self::Canonical),
            "padded" => Some(Self::Padded),
            "headers" => Some(Self::Headers),
            _ => None,
        }
    }
}

/// The open file.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    file: File,
    event: String,
    form: Form,
}

impl PgnFile {
    /// Creates the file. `event` is the value of the tag `Event`.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(path: &Path, event: &str, form: Form) -> Result<Self, ReportError> {
        let file = File::create(path).map_err(|error| ReportError::new(path, error))?;
        Ok(Self { path: path.to_owned(), file, event: event.to_owned(), form })
    }
}

impl Report for PgnFile {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        let text = match event {
            Event::GameEnded { record, game: Some(game), .. } => text_of(record, game, &self.event, self.form),
            Event::GameEnded { record, game: None, .. } | Event::Kept { record } => {
                text(record, &self.event, self.form)
            }
            _ => None,
        };
        let Some(text) = text else { return Ok(()) };
        // One write a game, so that a kill cannot leave half of one but by the disk's fault.
        self.file.write_all(text.as_bytes()).map_err(|error| ReportError::new(&self.path, error))
    }
}

/// The game as PGN; nothing for one without a result, which would only spoil other tools' tables.
#[must_use]
pub fn text(record: &GameRecord, event: &str, form: Form) -> Option<String> {
    record.end.points()?;
    text_of(record, &record.game()?, event, form)
}

/// The same of a game that need not be played again.
#[must_use]
pub fn text_of(record: &GameRecord, game: &Game, event: &str, form: Form) -> Option<String> {
    record.end.points()?;
    let mut game = PgnGame::new(game.clone());
    game.result = PgnResult::parse(record.end.result())?;
    let round = format!("{}.{}", record.round, record.id + 1);
    let began = record.began.strftime("%Y.%m.%d").to_string();
    let tags: [(&str, &str); 9] = [
        ("Event", event),
        ("Site", "?"),
        ("Date", &began),
        ("Round", &round),
        ("White", &record.white),
        ("Black", &record.black),
        ("Result", record.end.result()),
        ("TimeControl", &record.control),
        ("Termination", record.end.termination()),
    ];
    for (name, value) in tags {
        game.set_tag(name, value);
    }
    match &record.end {
        GameEnd::Forfeit { fault, .. } => game.add_comment(record.plies, fault.text.clone()),
        GameEnd::Adjudicated { ruling } => game.add_comment(record.plies, ruling.word()),
        _ => {}
    }
    Some(match form {
        Form::Canonical => game.canonical(),
        Form::Padded => game.padded(),
        Form::Headers => headers(&game.canonical(), record.end.result()),
    })
}

/// A game's tags, up to the blank line after them, and its result.
fn headers(text: &str, result: &str) -> String {
    let tags = text.split_once("\n\n").map_or(text, |(tags, _)| tags);
    format!("{tags}\n\n{result}\n\n")
}
