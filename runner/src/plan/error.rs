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

    /// An error of the TOML reader; it names keys that are unknown, but not those with a value of the wrong type, nor tables.
    pub(super) fn toml_error(&self, error: &toml::de::Error) -> PlanError {
        let span = error.span().unwrap_or(0..0);
        let line = self.text.lines().nth(self.line(span.start) - 1).unwrap_or_default().trim();
        let message = with_guess(&plain(error.message().trim()));
        let text = match line.split_once('=').map(|(field, value)| (field.trim(), value.trim())) {
            Some((field, value)) if is_bare_word(value) => {
                format!("{field}: text needs quotes, as in {field} = \"{value}\"")
            }
            Some((field, _)) if !field.is_empty() && !message.contains(&format!("`{field}`")) => {
                format!("{field}: {message}")
            }
            None if line.starts_with('[') && message.starts_with("missing") => format!("{line}: {message}"),
            _ => message,
        };
        self.error(span, text)
    }
}

/// Whether a value is a word without quotes, which TOML takes for a number gone wrong.
fn is_bare_word(value: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let known = ["true", "false", "inf", "nan"];
    value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(word) && !known.contains(&value)
}

/// A message about an unknown name, with the known name that was probably meant.
fn with_guess(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let (true, Some(name)) = (message.starts_with("unknown field"), names.next()) else { return message.to_owned() };
    let close = names.map(|known| (distance(name, known), known)).min();
    match close.filter(|&(edits, known)| edits <= 2 && edits < known.len().min(name.len())) {
        Some((_, known)) => message.replacen("`, expected", &format!("`, did you mean `{known}`? expected"), 1),
        None => message.to_owned(),
    }
}

/// How many letters must be put in, left out or changed to make one word of another (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let best = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.chars().count()]
}

/// The TOML reader's message without the names of Rust's types.
fn plain(message: &str) -> String {
    let message = message.replace(" as i128", "");
    let Some((found, expected)) = message.rsplit_once("expected ") else { return message };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_guessed_only_if_it_is_close() {
        assert_eq!((distance("rouns", "rounds"), distance("", "abc"), distance("kitten", "sitting")), (1, 3, 3));
        let said = |name: &str| with_guess(&format!("unknown field `{name}`, expected one of `rounds`, `seed`, `st`"));
        assert_eq!(
            said("rouns"),
            "unknown field `rouns`, did you mean `rounds`? expected one of `rounds`, `seed`, `st`"
        );
        assert!(!said("xyz").contains("did you mean") && !said("s").contains("did you mean"));
        assert!(is_bare_word("italian") && !is_bare_word("true") && !is_bare_word("\"x\"") && !is_bare_word("3.5"));
    }
}
