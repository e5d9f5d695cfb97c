//! From a line to a [`Command`]: pure and total.

/// One thing a person asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// An empty line: the board again.
    Show,
    /// Moves, in any notation, to be played one after the other.
    Moves(Vec<String>),
    /// Take back a move, or with `true` a series.
    Undo(bool),
    /// What would the engine play?
    Hint,
    /// The legal moves.
    Legal,
    /// Show or set who plays: the side if it was named, and the level or `human`.
    Level(Option<String>),
    /// Show the rules, or begin a game by other rules.
    Rules(Option<String>),
    /// Begin again, perhaps by other rules.
    New(Option<String>),
    /// Write the game to a file.
    Save(String),
    /// Read a game from a file: the first, or that of this number.
    Load(String, usize),
    /// The position as text.
    Fen,
    /// The board from the other side.
    Flip,
    /// The commands.
    Help,
    /// Leave.
    Quit,
    /// A command that lacks something, and how it is used.
    Usage(&'static str),
}

/// Parses a line. Whatever is no command is taken for moves; whether it is one the referee says.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let argument = (!rest.is_empty()).then(|| rest.to_owned());
    match word.to_ascii_lowercase().as_str() {
        "" | "board" | "show" => Command::Show,
        "undo" | "back" => match rest {
            "" | "move" => Command::Undo(false),
            "series" | "turn" => Command::Undo(true),
            _ => Command::Usage("undo [move|series]"),
        },
        "hint" => Command::Hint,
        "moves" | "legal" => Command::Legal,
        "level" => Command::Level(argument),
        "rules" => Command::Rules(argument),
        "new" => Command::New(argument),
        "save" => argument.map_or(Command::Usage("save FILE"), Command::Save),
        "load" => parse_load(rest),
        "fen" => Command::Fen,
        "flip" => Command::Flip,
        "help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        _ => Command::Moves(words(line)),
    }
}

/// `load FILE [N]`: a last word that is a number is the number of the game.
fn parse_load(rest: &str) -> Command {
    let usage = Command::Usage("load FILE [number of the game in it]");
    match rest.rsplit_once(char::is_whitespace).map(|(path, number)| (path.trim(), number.parse())) {
        Some((path, Ok(number))) if number > 0 => Command::Load(path.into(), number),
        Some((_, Ok(_))) => usage,
        _ if rest.is_empty() => usage,
        _ => Command::Load(rest.into(), 1),
    }
}

/// The words of a list of moves: blanks or commas between them, turn numbers dropped.
fn words(line: &str) -> Vec<String> {
    line.split(|c: char| c.is_whitespace() || c == ',')
        .map(without_number)
        .filter(|w| !w.is_empty())
        .map(Into::into)
        .collect()
}

/// `3.Bc4` → `Bc4`, `3...` → nothing; a move in coordinates never begins with a digit.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_every_dress() {
        let moves = |line: &str| match parse(line) {
            Command::Moves(words) => words.join(" "),
            other => panic!("{other:?}"),
        };
        assert_eq!(moves("  e4 "), "e4");
        assert_eq!(moves("3. Bc4 Qh5 Qxf7#"), "Bc4 Qh5 Qxf7#");
        assert_eq!(moves("f1c4,d1h5, h5f7"), "f1c4 d1h5 h5f7");
        assert_eq!(moves("5...Qf3 0-0"), "Qf3 0-0");
    }

    #[test]
    fn commands() {
        assert_eq!(parse("UNDO"), Command::Undo(false));
        assert_eq!(parse("undo series"), Command::Undo(true));
        assert!(matches!(parse("undo all"), Command::Usage(_)));
        assert_eq!(parse("level black Club player"), Command::Level(Some("black Club player".into())));
        assert_eq!(parse("load my games.pgn 3"), Command::Load("my games.pgn".into(), 3));
        assert_eq!(parse("load my games.pgn"), Command::Load("my games.pgn".into(), 1));
        for line in ["load", "load x 0", "save"] {
            assert!(matches!(parse(line), Command::Usage(_)), "{line}");
        }
        assert_eq!(parse(" \r\n"), Command::Show);
    }
}
