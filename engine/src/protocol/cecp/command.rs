//! From a line of xboard to a [`Command`]: pure and total.

use crate::types::Square;
use crate::types::moves::Move;
use std::str::FromStr;

/// One thing that xboard says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// `protover`: say what you can do.
    Features,
    New,
    /// Which game.
    Variant(String),
    /// `level`: base time and increment in milliseconds.
    Level(i64, i64),
    /// `st`: milliseconds for a series.
    FixedTime(i64),
    /// `sd`: series to look ahead.
    Depth(u16),
    /// The engine's clock in milliseconds.
    OwnTime(i64),
    /// The opponent's clock in milliseconds.
    TheirTime(i64),
    /// `post` or `nopost`.
    Post(bool),
    Force,
    Go,
    PlayOther,
    UserMove(String),
    MoveNow,
    Ping(String),
    /// The game has ended, says xboard.
    Result,
    Draw,
    Lift(Square),
    Put(Square),
    SetBoard(String),
    Edit,
    Undo,
    Remove,
    Hint,
    /// Megabytes.
    Memory(String),
    Cores(String),
    /// An option by its name, with its value unless it is a button.
    SetOption(String, Option<String>),
    /// Known, and of no consequence here.
    Nothing,
    Quit,
    /// A known command that cannot be read.
    Bad(&'static str),
    Unknown,
}

/// Known commands that change nothing: identification of the opponent, pondering, a book that does not exist.
const NOTHING: [&str; 15] = [
    "xboard", "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "hover", "bk",
    ".", "egtpath", "nps",
];

/// Parses a line.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "" => Command::Nothing,
        "protover" => Command::Features,
        "new" => Command::New,
        "variant" => Command::Variant(rest.into()),
        "level" => parse_level(rest).unwrap_or(Command::Bad("level MOVES BASE INCREMENT")),
        "st" => milliseconds(rest, 1000.0).map_or(Command::Bad("st SECONDS"), Command::FixedTime),
        "sd" => rest.parse().map_or(Command::Bad("sd DEPTH"), |depth: u16| Command::Depth(depth.max(1))),
        "time" => milliseconds(rest, 10.0).map_or(Command::Bad("time CENTISECONDS"), Command::OwnTime),
        "otim" => milliseconds(rest, 10.0).map_or(Command::Bad("otim CENTISECONDS"), Command::TheirTime),
        "post" | "nopost" => Command::Post(word == "post"),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "usermove" => Command::UserMove(rest.into()),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest.into()),
        "result" => Command::Result,
        "draw" => Command::Draw,
        "lift" => rest.parse().map_or(Command::Bad("lift SQUARE"), Command::Lift),
        "put" => rest.parse().map_or(Command::Bad("put SQUARE"), Command::Put),
        "setboard" => Command::SetBoard(rest.into()),
        "edit" => Command::Edit,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hint" => Command::Hint,
        "memory" => Command::Memory(rest.into()),
        "cores" => Command::Cores(rest.into()),
        "option" => match rest.split_once('=') {
            Some((name, value)) => Command::SetOption(name.trim().into(), Some(value.trim().into())),
            None => Command::SetOption(rest.into(), None),
        },
        "quit" => Command::Quit,
        _ if NOTHING.contains(&word) => Command::Nothing,
        // Without the feature `usermove` moves come bare.
        _ if rest.is_empty() && read_ply(word).is_some() => Command::UserMove(word.into()),
        _ => Command::Unknown,
    }
}

/// A number times `scale`, from nothing to a year.
fn milliseconds(text: &str, scale: f64) -> Option<i64> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
    Some((number * scale).clamp(-1e9, 32e9) as i64)
}

/// `40 5 0`, `0 2:30 12.5`: base in minutes, or minutes and seconds; increment in seconds. The number of moves to the control
/// counts passes too, so it says nothing about series and is not used.
fn parse_level(rest: &str) -> Option<Command> {
    let mut words = rest.split_whitespace();
    let (_, base, increment) = (words.next()?.parse::<u32>().ok()?, words.next()?, words.next()?);
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    let base = milliseconds(minutes, 60_000.0)? + milliseconds(seconds, 1000.0)?;
    Some(Command::Level(base, milliseconds(increment, 1000.0)?))
}

/// What stands for one ply in xboard's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ply {
    /// The move; a pass has none.
    pub(super) mv: Option<Move>,
    /// Where a pawn was cleared away on the way (see [`super::mirror`]).
    pub(super) swept: Option<Square>,
}

impl Ply {
    pub(super) const PASS: Self = Self { mv: None, swept: None };

    pub(super) const fn of(mv: Move) -> Self {
        Self { mv: Some(mv), swept: None }
    }
}

/// Reads a ply: a pass, a move in coordinates, or the two legs with which a captured pawn is cleared away, as they come back when
/// xboard loads a game that it saved.
pub(super) fn read_ply(text: &str) -> Option<Ply> {
    if text == "@@@@" || text == "--" {
        return Some(Ply::PASS);
    }
    let Some((first, second)) = text.split_once(',') else { return text.parse().ok().map(Ply::of) };
    let (first, second) = (Move::from_str(first).ok()?, Move::from_str(second).ok()?);
    if first.to() != second.from() {
        return None;
    }
    let through = Move::new(first.from(), second.to());
    Some(Ply { mv: Some(through).filter(|mv| mv.from() != mv.to()), swept: Some(first.to()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        assert_eq!(parse("level 40 5 0"), Command::Level(300_000, 0));
        assert_eq!(parse("level 0 2:30 12.5"), Command::Level(150_000, 12_500));
        assert_eq!(parse("st 2"), Command::FixedTime(2000));
        assert_eq!(parse("time 29950"), Command::OwnTime(299_500));
        assert_eq!(parse("otim -7"), Command::TheirTime(-70));
        for line in ["level", "level 40 5", "level x 5 0", "st", "st NaN", "time soon", "sd -1"] {
            assert!(matches!(parse(line), Command::Bad(_)), "{line}");
        }
        assert!(matches!(parse("time 1e300"), Command::OwnTime(_)));
    }

    #[test]
    fn moves_and_passes() {
        let ply = |text: &str| match read_ply(text) {
            Some(Ply { mv: None, .. }) => "pass".into(),
            Some(Ply { mv: Some(mv), .. }) => mv.to_string(),
            None => "none".into(),
        };
        for (text, read) in [
            ("e2e4", "e2e4"),
            ("e7e8q", "e7e8q"),
            ("@@@@", "pass"),
            ("g8d5,d5g8", "pass"),
            ("e4d4,d4d3", "e4d3"),
            ("e4d4,c4d3", "none"),
            ("e4,", "none"),
            ("P@e4", "none"),
        ] {
            assert_eq!(ply(text), read, "{text}");
        }
        assert_eq!(parse("e2e4"), Command::UserMove("e2e4".into()));
        assert_eq!(parse("usermove Nf3"), Command::UserMove("Nf3".into()));
    }

    #[test]
    fn options_and_unknown_words() {
        assert_eq!(parse("option Level=Club player"), Command::SetOption("Level".into(), Some("Club player".into())));
        assert_eq!(parse("option Clear Hash"), Command::SetOption("Clear Hash".into(), None));
        assert_eq!(parse("lift e9"), Command::Bad("lift SQUARE"));
        for line in ["foo", "e2e9", "uci", "exclude e2e4", "\u{0}"] {
            assert_eq!(parse(line), Command::Unknown, "{line}");
        }
        for line in ["", "  ", "hover e4", "accepted done", "random", "hard"] {
            assert_eq!(parse(line), Command::Nothing, "{line}");
        }
    }
}
