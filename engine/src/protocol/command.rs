//! From a line to a [`Command`]: pure and total. Whether a command makes sense just now is the session's question.

use super::go::{Go, parse_go};

/// One thing a client asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// Who are you, and which options have you got?
    Uci,
    /// Are you there?
    IsReady,
    /// The next search belongs to another game.
    NewGame,
    /// More remarks, or fewer.
    Debug(bool),
    /// Known, and of no consequence: `register`, `debug` without a value.
    Nothing,
    /// Set an option.
    SetOption {
        /// Its name as written, runs of blanks made one.
        name: String,
        /// Its value, inner blanks kept.
        value: Option<String>,
    },
    /// Set up a position.
    Position(PositionText),
    /// Search or count.
    Go(Box<Go>),
    /// Answer now.
    Stop,
    /// The expected reply was played.
    PonderHit,
    /// A question for clients without rules; the topic as written.
    Query(String),
    /// Show the board.
    Display,
    /// Judge the position without search.
    Eval,
    /// Run the bench.
    Bench,
    /// List the commands.
    Help,
    /// End the program.
    Quit,
}

/// The parts of a `position` line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PositionText {
    /// The text of the FEN, or none for the start position.
    pub(super) fen: Option<String>,
    /// The items after `moves`.
    pub(super) items: Vec<String>,
    /// What is wrong with the line itself.
    pub(super) fault: Option<String>,
}

/// A line, parsed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Parsed {
    /// The command, if the line has one.
    pub(super) command: Option<Command>,
    /// Words before the command that are none.
    pub(super) skipped: Vec<String>,
}

/// Parses a line. Unknown words before the first command are skipped, as UCI wants it; a line that begins with `#` is a comment.
pub(super) fn parse(line: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let mut rest = line.trim();
    if rest.starts_with('#') {
        return parsed;
    }
    while !rest.is_empty() {
        let (word, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let tail = tail.trim_start();
        if let Some(command) = parse_command(word, tail) {
            parsed.command = Some(command);
            break;
        }
        parsed.skipped.push(word.into());
        rest = tail;
    }
    parsed
}

fn parse_command(word: &str, tail: &str) -> Option<Command> {
    Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "debug" => match tail.split_whitespace().find(|&word| word == "on" || word == "off") {
            Some(word) => Command::Debug(word == "on"),
            None => Command::Nothing,
        },
        "register" => Command::Nothing,
        "setoption" => parse_setoption(tail),
        "position" => Command::Position(parse_position(tail)),
        "go" => Command::Go(Box::new(parse_go(tail))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "query" => Command::Query(tail.split_whitespace().next().unwrap_or_default().into()),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "bench" => Command::Bench,
        "help" => Command::Help,
        "quit" => Command::Quit,
        _ => return None,
    })
}

/// `name N [value V]`: the name may have several words; the value begins after the first word `value` and keeps its blanks.
fn parse_setoption(tail: &str) -> Command {
    let (mut name, mut value, mut rest) = (Vec::new(), None, tail);
    let mut in_name = false;
    while !rest.is_empty() {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let after = after.trim_start();
        match word {
            "value" if in_name => {
                value = Some(after.trim_end().into());
                break;
            }
            "name" if !in_name => in_name = true,
            _ if in_name => name.push(word),
            _ => {}
        }
        rest = after;
    }
    Command::SetOption { name: name.join(" "), value }
}

fn parse_position(tail: &str) -> PositionText {
    let mut words = tail.split_whitespace();
    let mut position = PositionText::default();
    match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => {}
            Some(word) => position.fault = Some(format!("move-syntax: '{word}' where 'moves' was expected")),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            position.fen = Some(fields.join(" "));
        }
        other => {
            let found = other.map_or_else(|| "nothing".into(), |word| format!("'{word}'"));
            position.fault = Some(format!("fen-fields: {found} where 'startpos' or 'fen' was expected"));
        }
    }
    position.items = words.map(str::to_owned).collect();
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Option<Command> {
        parse(line).command
    }

    #[test]
    fn blanks_and_line_ends_do_not_matter() {
        for line in ["isready", "  isready\r\n", "\tisready \t ", "isready now"] {
            assert_eq!(command(line), Some(Command::IsReady), "{line:?}");
        }
        assert_eq!(parse(" \t\r\n"), Parsed::default());
        assert_eq!(parse("# stop"), Parsed::default());
    }

    #[test]
    fn unknown_words_are_skipped() {
        let parsed = parse("joho hey debug on");
        assert_eq!((parsed.command, parsed.skipped.len()), (Some(Command::Debug(true)), 2));
        assert_eq!(parse("foo bar"), Parsed { command: None, skipped: vec!["foo".into(), "bar".into()] });
        assert_eq!(command("debug perhaps"), Some(Command::Nothing));
    }

    #[test]
    fn options_keep_the_blanks_of_their_value() {
        let set = |name: &str, value: Option<&str>| {
            Some(Command::SetOption { name: name.into(), value: value.map(Into::into) })
        };
        assert_eq!(command("setoption name  Move \t Overhead value 100 "), set("Move Overhead", Some("100")));
        assert_eq!(command("setoption name Book File value C:\\my  books\\a value.bin"), {
            set("Book File", Some("C:\\my  books\\a value.bin"))
        });
        assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name Book File value"), set("Book File", Some("")));
        assert_eq!(command("setoption"), set("", None));
    }

    #[test]
    fn positions() {
        let position = |line: &str| match command(line) {
            Some(Command::Position(position)) => position,
            other => panic!("{other:?}"),
        };
        assert_eq!(position("position startpos"), PositionText::default());
        assert_eq!(position("position startpos moves e2e4  e7e5,g8f6").items, ["e2e4", "e7e5,g8f6"]);
        let fen = position("position fen 8/8/8/8/8/8/8/8 w - -  moves e2e4");
        assert_eq!((fen.fen.as_deref(), fen.items.len()), (Some("8/8/8/8/8/8/8/8 w - -"), 1));
        for line in ["position", "position e2e4", "position startpos e2e4"] {
            assert!(position(line).fault.is_some(), "{line}");
        }
    }

    #[test]
    fn parsing_is_total() {
        for line in ["\u{0}", "position fen", "go", "go go go", "setoption value name", "query", "\u{fffd} go"] {
            let _ = parse(line);
        }
    }
}
