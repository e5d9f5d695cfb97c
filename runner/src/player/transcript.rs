//! The lines between the runner and a player: the last ones, for games that go wrong, or those of a whole game.

use std::collections::VecDeque;
use std::fmt::Write as _;

/// How many lines are kept for games that go wrong.
const LINES: usize = 60;
/// How many lines of a whole game are kept: an engine that floods the runner must not fill its memory.
const MOST: usize = 20_000;
/// How many bytes of a line are kept.
const LENGTH: usize = 2000;

/// What is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// The last 60 lines, for games that go wrong.
    #[default]
    Last,
    /// The lines of the game, at most the last 20,000 of them.
    Game,
}

/// The last lines in both directions.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    lines: VecDeque<(char, String)>,
    kept: Kept,
}

impl Transcript {
    /// Nothing yet.
    #[must_use]
    pub const fn new(kept: Kept) -> Self {
        Self { lines: VecDeque::new(), kept }
    }

    /// A new game begins: of the last one nothing is kept where whole games are.
    pub fn begin_game(&mut self) {
        if self.kept == Kept::Game {
            self.lines.clear();
        }
    }

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
        let most = if self.kept == Kept::Last { LINES } else { MOST };
        let mut kept = if self.lines.len() < most { None } else { self.lines.pop_front() }.unwrap_or_default();
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
