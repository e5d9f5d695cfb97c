//! The last lines between the runner and a player, kept for games that go wrong.

use std::collections::VecDeque;
use std::fmt::Write as _;

/// How many lines are kept.
const LINES: usize = 60;
/// How many bytes of a line are kept.
const LENGTH: usize = 2000;

/// The last lines in both directions.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    lines: VecDeque<(char, String)>,
}

impl Transcript {
    /// Notes what was sent, one line or several.
    pub fn sent(&mut self, text: &str) {
        text.lines().for_each(|line| self.note('>', line));
    }

    /// Notes a line that came.
    pub fn came(&mut self, line: &str) {
        self.note('<', line);
    }

    fn note(&mut self, mark: char, line: &str) {
        // The oldest line lends its memory to the newest: there are thousands of lines a second.
        let mut kept = if self.lines.len() < LINES { None } else { self.lines.pop_front() }.unwrap_or_default();
        kept.0 = mark;
        kept.1.clear();
        kept.1.push_str(&line[..line.floor_char_boundary(LENGTH)]);
        if line.len() > LENGTH {
            let _ = write!(kept.1, "… ({} bytes)", line.len());
        }
        self.lines.push_back(kept);
    }

    /// The lines, `> ` before what was sent and `< ` before what came.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().map(|(mark, line)| format!("{mark} {line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let mut transcript = Transcript::default();
        transcript.sent("position startpos\ngo nodes 1\n");
        transcript.came("bestmove e2e4");
        assert_eq!(transcript.text(), "> position startpos\n> go nodes 1\n< bestmove e2e4\n");
        (0..LINES).for_each(|number| transcript.came(&format!("info depth {number}")));
        transcript.came(&"é".repeat(LENGTH));
        let text = transcript.text();
        assert_eq!(text.lines().count(), LINES);
        assert!(text.starts_with("< info depth 1\n") && text.ends_with("… (4000 bytes)\n"), "{text}");
    }
}
