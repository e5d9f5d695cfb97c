//! The output stream: one write per line, flushed, with a copy to the log. Only the session holds it, so no two lines can mix.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// The client's end and the log.
pub(super) struct Output {
    client: Box<dyn Write + Send>,
    log: Option<File>,
    closed: bool,
}

impl Output {
    pub(super) fn new(client: impl Write + Send + 'static) -> Self {
        Self { client: Box::new(client), log: None, closed: false }
    }

    /// Writes a line. A client that is gone is noted, not reported: there is nobody to report to.
    pub(super) fn line(&mut self, text: &impl Display) {
        if self.closed {
            return;
        }
        let mut line = text.to_string();
        self.copy("<", &line);
        line.push('\n');
        let written = self.client.write_all(line.as_bytes()).and_then(|()| self.client.flush());
        self.closed = written.is_err();
    }

    /// Whether the client is gone.
    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Copies a line of the client to the log.
    pub(super) fn heard(&mut self, line: &str) {
        self.copy(">", line.trim_end());
    }

    fn copy(&mut self, mark: &str, line: &str) {
        if let Some(log) = &mut self.log
            && log.write_all(format!("{mark} {line}\n").as_bytes()).is_err()
        {
            // A full disk must not disturb the game.
            self.log = None;
        }
    }

    /// Begins a log, or ends it where the path is empty.
    ///
    /// # Errors
    /// The file cannot be opened; the old log goes on.
    pub(super) fn log_to(&mut self, path: &str) -> std::io::Result<()> {
        self.log = match path {
            "" => None,
            path => Some(OpenOptions::new().create(true).append(true).open(path)?),
        };
        Ok(())
    }
}
