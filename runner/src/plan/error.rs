//! What is wrong with a tournament file: the place, the field, and what would be right.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// What is wrong with a plan, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{}: {text}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        text: String,
    },
    /// Something in the file.
    #[error("{}:{line}: {text}", file.display())]
    At {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The field, what is wrong with it, and what would be right.
        text: String,
    },
    /// Something in a file that the plan names.
    #[error("{}:{line}: openings.file: {text}", file.display())]
    Openings {
        /// The plan.
        file: PathBuf,
        /// The line of the plan.
        line: usize,
        /// The error, which names the other file and its line.
        text: String,
    },
}

/// The file's text, for turning places into lines.
pub(super) struct Source<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
}

impl Source<'_> {
    pub(super) fn line(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count() + 1
    }

    pub(super) fn error(&self, span: Range<usize>, text: impl Into<String>) -> PlanError {
        PlanError::At { file: self.file.to_owned(), line: self.line(span.start), text: text.into() }
    }

    /// An error of the TOML reader; it names keys that are unknown, but not those with a value of the wrong type.
    pub(super) fn toml_error(&self, error: &toml::de::Error) -> PlanError {
        let span = error.span().unwrap_or(0..0);
        let line = self.text.lines().nth(self.line(span.start) - 1).unwrap_or_default();
        let field = line.split('=').next().unwrap_or_default().trim();
        let message = plain(error.message().trim());
        let names_it = message.contains(&format!("`{field}`")) || field.is_empty() || !line.contains('=');
        self.error(span, if names_it { message } else { format!("{field}: {message}") })
    }
}

/// The TOML reader's message without the names of Rust's types.
fn plain(message: &str) -> String {
    let Some((found, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let expected = match expected {
        "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "a nonzero u16" | "a nonzero u32" | "a nonzero u64" => "a whole number above 0",
        "f64" => "a number",
        "a boolean" => "true or false",
        "path string" => "text in quotes",
        "a string" => "text in quotes",
        "a sequence" => "a list",
        "a map" => "a table",
        other => other,
    };
    format!("{found}expected {expected}")
}
