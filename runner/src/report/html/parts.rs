//! What all pages share: the frame `page.html` with its style sheet, the parts of `parts.html`, and tables whose cells are shaded.

use minijinja::Environment;
use minijinja::value::Value;
use serde::Serialize;
use std::io;

const STYLE: &str = include_str!("report.css");
/// The templates that a page may build on.
const SHARED: [(&str, &str); 2] =
    [("page.html", include_str!("page.html")), ("parts.html", include_str!("parts.html"))];

/// The page of a template that extends `page.html` and may use the macros of `parts.html`.
///
/// # Errors
/// The template and the values do not fit.
pub(crate) fn fill(template: &str, values: Value) -> io::Result<String> {
    let mut environment = Environment::new();
    environment.add_global("style", STYLE);
    // The names end in .html, so every value is escaped but for those marked safe: the files of this folder, and games, which are
    // JSON without a bracket.
    for (name, text) in SHARED.into_iter().chain([("this.html", template)]) {
        environment.add_template(name, text).map_err(io::Error::other)?;
    }
    let template = environment.get_template("this.html").map_err(io::Error::other)?;
    template.render(values).map_err(|error| io::Error::other(format!("{error:#}")))
}

/// A table in a box that scrolls, its cells the darker the greater their share; for the macro `shades`.
#[derive(Debug, Serialize)]
pub(crate) struct Shades {
    /// What it shows, for those who do not see it.
    pub(crate) label: &'static str,
    /// What the rows are.
    pub(crate) corner: &'static str,
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    /// The rows.
    pub(crate) rows: Vec<ShadedRow>,
}

/// A row of such a table.
#[derive(Debug, Serialize)]
pub(crate) struct ShadedRow {
    /// What the row is about.
    pub(crate) name: String,
    /// As many as there are columns.
    pub(crate) cells: Vec<Cell>,
    /// Whether it only explains the others.
    pub(crate) is_soft: bool,
}

/// A cell.
#[derive(Debug, Serialize)]
pub(crate) struct Cell {
    text: String,
    /// How dark it is, in percent; none for what is no share.
    shade: Option<u32>,
    /// What is told of it when it is pointed at, if anything.
    title: String,
}

impl Cell {
    /// A share in percent (none: a dash), and what it rests on.
    #[must_use]
    pub(crate) fn percent(percent: Option<f64>, of: String) -> Self {
        let shade = percent.map(|percent| percent.round().clamp(0.0, 100.0) as u32);
        Self { text: shade.map_or_else(|| "–".into(), |percent| percent.to_string()), shade, title: of }
    }

    /// Something that is no share.
    #[must_use]
    pub(crate) fn plain(text: impl ToString) -> Self {
        Self { text: text.to_string(), shade: None, title: String::new() }
    }
}
