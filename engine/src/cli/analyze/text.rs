//! The analysis as text of 80 columns.

use super::words;
use crate::cli::mate::in_san;
use crate::rules::notation::pgn::PgnGame;
use crate::tools::analysis::TurnReport;

/// Lines are no longer.
const COLUMNS: usize = 80;

/// The line above a game.
pub(super) fn head(number: usize, game: &PgnGame) -> String {
    let name = |tag| game.tag(tag).unwrap_or("?");
    let rules = game.game.rules().name;
    let text = format!("Game {number}: {} - {} {}, {rules}", name("White"), name("Black"), game.result);
    wrapped(&text, "").trim_end().to_owned()
}

/// One turn: the series with its mark, what it was worth, and what would have been better.
pub(super) fn turn(turn: &TurnReport) -> String {
    let mut series = in_san(&turn.midturn, &turn.played.series);
    if let Some(mark) = turn.mark {
        series.push(' ');
        series.push_str(words::mark(mark));
    }
    let known = words::worth(&turn.midturn, &turn.played);
    let mut text = wrapped(&series, "");
    text += &wrapped(&format!("{:.0} %, {}, {known}", turn.accuracy, words::score(turn.played.score)), "    ");
    if let Some(better) = words::better(turn) {
        text += &wrapped(&better, "    ");
    }
    text
}

/// The line below a game.
pub(super) fn foot(turns: &[TurnReport]) -> String {
    if turns.is_empty() { "No complete turn.".into() } else { format!("Accuracy: {}", words::accuracies(turns)) }
}

/// The words in lines that begin with `indent`, further ones with four blanks more.
fn wrapped(words: &str, indent: &str) -> String {
    let (mut text, mut line) = (String::new(), indent.to_owned());
    let mut is_empty = true;
    for word in words.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            text.push_str(&line);
            text.push('\n');
            line = format!("{indent}    ");
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    text.push_str(&line);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_and_nothing_is_lost() {
        let words = "abc defg ".repeat(40);
        let text = wrapped(&words, "  ");
        assert!(text.lines().all(|line| line.len() <= COLUMNS && line.starts_with("  ")), "{text}");
        assert!(text.lines().count() > 3);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words.split_whitespace().collect::<Vec<_>>());
        assert_eq!(wrapped("", ""), "\n");
    }
}
