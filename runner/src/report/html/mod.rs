//! `report.html`: the tournament as one page that needs nothing else, no network and no program but a browser.
//!
//! The page is made from the journal and not from events in memory, so that the report of a run, of a resumed run and of a
//! journal from elsewhere is the same page, and a run of a million games holds none of them.
//!
//! Plots are drawn by the template rather than by a plotting library: they follow the colors of the page, light or dark, and
//! keep their letters readable on a phone.

mod charts;
mod collect;
mod page;
pub(crate) mod parts;
pub(crate) mod plot;
mod replay;
mod tables;

pub use collect::Test;

use super::course::CourseSummary;
use super::{Report, ReportError};
use crate::event::Event;
use minijinja::value::{Serde, Value};
use std::io;
use std::path::{Path, PathBuf};

/// How many games can be replayed at most; of more a sample is included.
pub const REPLAYED: usize = 500;

const TEMPLATE: &str = include_str!("report.html");
const SCRIPT: &str = include_str!("report.js");

/// What of a tournament its journal does not say.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// The heading of the page.
    pub title: String,
    /// The test whose curve is drawn.
    pub test: Option<Test>,
    /// Bracket, Swiss table or gaps.
    pub course: Option<CourseSummary>,
}

/// The page of this journal.
///
/// # Errors
/// The journal cannot be read or has a line that is no game.
pub fn render(journal: &Path, heading: &Heading) -> io::Result<String> {
    let test = heading.test.as_ref();
    let collected = collect::Collected::read(journal, test)?;
    let chosen = page::sample(&collected.places, REPLAYED);
    let mut games = page::Games::default();
    collect::read_at(journal, &chosen, &mut |game| games.push(game))?;
    let page = page::Page::new(heading, &collected, games);
    parts::fill(TEMPLATE, minijinja::context! { page => Value::from(Serde(page)), script => SCRIPT })
}

/// Writes the page of this journal.
///
/// # Errors
/// The journal cannot be read or the page not written.
pub fn write(journal: &Path, heading: &Heading, out: &Path) -> Result<(), ReportError> {
    let text = render(journal, heading).map_err(|error| ReportError::new(journal, error))?;
    super::result::replace(out, text.as_bytes()).map_err(|error| ReportError::new(out, error))
}

/// Writes the page when the run ends. It must come after the journal among the reports.
#[derive(Debug)]
pub struct HtmlFile {
    journal: PathBuf,
    out: PathBuf,
    heading: Heading,
}

impl HtmlFile {
    /// The page to be. With a `test` it shows the test's curve.
    #[must_use]
    pub fn new(journal: &Path, out: &Path, title: &str, test: Option<Test>) -> Self {
        let heading = Heading { title: title.to_owned(), test, course: None };
        Self { journal: journal.to_owned(), out: out.to_owned(), heading }
    }
}

impl Report for HtmlFile {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        match event {
            Event::Ended { standing, course } => {
                self.heading.course = course.map(|course| CourseSummary::new(course, standing));
                write(&self.journal, &self.heading, &self.out)
            }
            Event::Began { .. }
            | Event::GameBegan { .. }
            | Event::GameEnded { .. }
            | Event::Kept { .. }
            | Event::Idle => Ok(()),
        }
    }
}
