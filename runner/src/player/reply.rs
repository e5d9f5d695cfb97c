//! Reading what engines write: tolerant of blanks, case and numbers out of range, never of a missing answer.

use serde::{Deserialize, Serialize};

/// What an engine told of its search in its last `info` line with a score of the first line of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Series looked ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Centipawns for the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Series to mate; negative when the side to move is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Milliseconds by the player's own account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
}

/// One line of an engine, as far as the runner cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `id name …`.
    Name(String),
    /// `option …`.
    Option(Advertised),
    /// `bestmove …`: the text of the series, empty if there is none.
    BestMove(String),
    /// `info …`.
    Info(Report),
    /// Anything else.
    Other,
}

/// An option as advertised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertised {
    /// Its name; case does not matter.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A number in a range.
    Spin {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of these.
    Combo(Vec<String>),
    /// No value.
    Button,
    /// Any text; also what a type we do not know is taken for.
    Text,
}

/// Reads one line.
#[must_use]
pub fn read(line: &str) -> Reply {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Reply::Other };
    // The hot one first: engines write hundreds of these for one of any other.
    if first == "info" {
        return read_info(words);
    }
    match first.to_ascii_lowercase().as_str() {
        "info" => read_info(words),
        "bestmove" => Reply::BestMove(words.next().unwrap_or_default().to_owned()),
        "readyok" => Reply::ReadyOk,
        "uciok" => Reply::UciOk,
        "option" => read_option(words.collect()).map_or(Reply::Other, Reply::Option),
        "id" if words.next().is_some_and(|word| word.eq_ignore_ascii_case("name")) => {
            Reply::Name(words.collect::<Vec<_>>().join(" "))
        }
        _ => Reply::Other,
    }
}

fn read_info<'a>(mut words: impl Iterator<Item = &'a str>) -> Reply {
    let mut report = Report::default();
    let mut bound = false;
    while let Some(word) = words.next() {
        match word {
            "string" => break,
            "depth" => report.depth = words.next().and_then(|value| value.parse().ok()),
            "nodes" => report.nodes = words.next().and_then(|value| value.parse().ok()),
            "time" => report.time = words.next().and_then(|value| value.parse().ok()),
            "multipv" if words.next() != Some("1") => return Reply::Other,
            "cp" => report.cp = words.next().and_then(|value| value.parse().ok()),
            "mate" => report.mate = words.next().and_then(|value| value.parse().ok()),
            "lowerbound" | "upperbound" => bound = true,
            "pv" => break,
            _ => {}
        }
    }
    if bound || report.cp.is_none() && report.mate.is_none() { Reply::Other } else { Reply::Info(report) }
}

/// `option name N type T [default D] [min A] [max B] [var V]…`; names and values may hold blanks.
fn read_option(words: Vec<&str>) -> Option<Advertised> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words {
        // Within a name, `type` alone ends it; the other key words may be part of it.
        let in_name = matches!(fields.last(), Some((key, _)) if *key == "name");
        let is_key = KEYS.contains(&word) && (!in_name || word == "type");
        match fields.last_mut() {
            Some((_, values)) if !is_key => values.push(word),
            _ if is_key => fields.push((word, Vec::new())),
            _ => return None,
        }
    }
    let text = |key: &str| fields.iter().find(|(k, _)| *k == key).map(|(_, values)| values.join(" "));
    let number = |key: &str, default: i64| text(key).and_then(|value| value.parse().ok()).unwrap_or(default);
    let kind = match text("type")?.as_str() {
        "check" => Kind::Check,
        "spin" => Kind::Spin { min: number("min", i64::MIN), max: number("max", i64::MAX) },
        "combo" => {
            Kind::Combo(fields.iter().filter(|(key, _)| *key == "var").map(|(_, values)| values.join(" ")).collect())
        }
        "button" => Kind::Button,
        _ => Kind::Text,
    };
    Some(Advertised { name: text("name").filter(|name| !name.is_empty())?, kind })
}

impl Advertised {
    /// Says what is wrong with `value`, if anything.
    #[must_use]
    pub fn complaint(&self, value: &str) -> Option<String> {
        match &self.kind {
            Kind::Check if !matches!(value, "true" | "false") => Some("takes true or false".into()),
            Kind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => None,
                _ => Some(format!("takes a whole number from {min} to {max}")),
            },
            Kind::Combo(values) if !values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                Some(format!("takes one of: {}", values.join(", ")))
            }
            Kind::Button if !matches!(value, "" | "true") => Some("is a button: write true to press it".into()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_case_and_ends_do_not_matter() {
        assert_eq!(read("  uciok \r"), Reply::UciOk);
        assert_eq!(read("\treadyok\r\r"), Reply::ReadyOk);
        assert_eq!(read(" bestmove\te2e4,e7e5  ponder a2a3"), Reply::BestMove("e2e4,e7e5".into()));
        assert_eq!(read("bestmove"), Reply::BestMove(String::new()));
        assert_eq!(read(""), Reply::Other);
        assert_eq!(read("\u{fffd}\0 noise"), Reply::Other);
    }

    #[test]
    fn only_exact_scores_of_the_first_line_count() {
        let report = Report { depth: Some(3), nodes: Some(9), cp: Some(-12), time: Some(7), ..Report::default() };
        assert_eq!(read("info depth 3 score cp -12 nodes 9 time 7 pv a2a3 cp 7"), Reply::Info(report));
        assert_eq!(read("info depth 3 multipv 2 score cp 900"), Reply::Other);
        assert_eq!(read("info depth 3 score cp 900 upperbound"), Reply::Other);
        assert_eq!(read("info string score cp 900"), Reply::Other);
        assert_eq!(read("info score cp 9999999999 nps nan nodes"), Reply::Other);
        let huge = Report { mate: Some(2), ..Report::default() };
        assert_eq!(read("info score mate 2 nodes 99999999999999999999 nps -1"), Reply::Info(huge));
    }

    #[test]
    fn options_of_every_type() {
        let option = |line| match read(line) {
            Reply::Option(option) => option,
            other => panic!("{other:?}"),
        };
        let spin = option("option name Move Overhead type spin default 20 min 0 max 5000");
        assert_eq!((spin.name.as_str(), &spin.kind), ("Move Overhead", &Kind::Spin { min: 0, max: 5000 }));
        assert!(spin.complaint("5001").is_some() && spin.complaint("x").is_some() && spin.complaint("0").is_none());
        let combo = option("option name Level type combo default Full var Novice var Club player var Full");
        assert_eq!(combo.kind, Kind::Combo(vec!["Novice".into(), "Club player".into(), "Full".into()]));
        assert!(combo.complaint("club player").is_none() && combo.complaint("club").is_some());
        assert_eq!(option("option name Clear Hash type button").kind, Kind::Button);
        assert_eq!(option("option name Book File type string default <empty>").kind, Kind::Text);
        assert!(option("option name Ponder type check default false").complaint("yes").is_some());
        assert_eq!(read("option nonsense"), Reply::Other);
    }
}
