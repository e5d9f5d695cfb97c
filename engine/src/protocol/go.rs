//! The parameters of `go`: keywords in any order, unknown words skipped, bad numbers reported.

use crate::tools::counting::Unit;

/// What `go` says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    /// White's and Black's clock in milliseconds.
    pub(super) time: [Option<i64>; 2],
    /// White's and Black's increment in milliseconds.
    pub(super) increment: [Option<i64>; 2],
    /// Series to the next control.
    pub(super) moves_to_go: Option<i64>,
    /// Milliseconds for the series.
    pub(super) movetime: Option<i64>,
    /// Series to look ahead.
    pub(super) depth: Option<i64>,
    /// Moves to make in search.
    pub(super) nodes: Option<i64>,
    /// Own series within which a mate is looked for.
    pub(super) mate: Option<i64>,
    /// No answer until `stop`.
    pub(super) infinite: bool,
    /// No answer until `stop` or `ponderhit`.
    pub(super) ponder: bool,
    /// Beginnings of the series, as written; `None` if `searchmoves` was not said or lists nothing.
    pub(super) prefixes: Option<Vec<String>>,
    /// Count instead of search; a depth that was no number stays away and makes a fault.
    pub(super) perft: Option<(Option<i64>, Unit)>,
    /// Words that are not understood.
    pub(super) skipped: Vec<String>,
    /// Parameters without a good number, for the message.
    pub(super) faults: Vec<String>,
}

impl Go {
    /// Whether nothing bounds the search, so that it is infinite without saying so.
    pub(super) fn is_unbounded(&self) -> bool {
        let clocks = self.time.iter().any(Option::is_some) || self.movetime.is_some();
        !clocks && self.depth.is_none() && self.nodes.is_none() && self.mate.is_none()
    }
}

const KEYWORDS: [&str; 14] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "series",
];

/// Parses what follows `go`.
pub(super) fn parse_go(tail: &str) -> Go {
    let mut go = Go::default();
    let mut words = tail.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let slot = match word {
            "wtime" => &mut go.time[0],
            "btime" => &mut go.time[1],
            "winc" => &mut go.increment[0],
            "binc" => &mut go.increment[1],
            "movestogo" => &mut go.moves_to_go,
            "movetime" => &mut go.movetime,
            "depth" => &mut go.depth,
            "nodes" => &mut go.nodes,
            "mate" => &mut go.mate,
            "perft" => &mut go.perft.insert((None, Unit::Plies)).0,
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "searchmoves" => {
                while let Some(item) = words.next_if(|next| !KEYWORDS.contains(next)) {
                    go.prefixes.get_or_insert_default().push(item.into());
                }
                continue;
            }
            "series" if go.perft.is_some() => {
                go.perft = go.perft.map(|(depth, _)| (depth, Unit::Series));
                continue;
            }
            _ => {
                go.skipped.push(word.into());
                continue;
            }
        };
        match words.next_if(|next| !KEYWORDS.contains(next)) {
            None => go.faults.push(format!("go {word} without a number")),
            Some(text) => match whole_number(text) {
                Some(number) => *slot = Some(number),
                None => go.faults.push(format!("go {word} '{text}' is not a number")),
            },
        }
    }
    go
}

/// A whole number with an optional sign; numbers too long for 64 bits become the nearest that fit.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order() {
        let a = parse_go("searchmoves e7e5 d7d5,g8f6 depth 1 movetime 50");
        let b = parse_go("movetime 50 depth 1 searchmoves e7e5 d7d5,g8f6");
        assert_eq!(a, b);
        assert_eq!((a.depth, a.movetime, a.prefixes.unwrap().len()), (Some(1), Some(50), 2));
    }

    #[test]
    fn numbers_are_tolerated() {
        let go = parse_go("wtime -170671 btime 99999999999999999999 winc abc binc movestogo 0 foo nodes 7");
        assert_eq!(go.time, [Some(-170_671), Some(i64::MAX)]);
        assert_eq!((go.increment, go.moves_to_go, go.nodes), ([None, None], Some(0), Some(7)));
        assert_eq!((go.faults.len(), go.skipped), (2, vec!["foo".to_owned()]));
    }

    #[test]
    fn nothing_is_unbounded() {
        assert!(parse_go("").is_unbounded() && parse_go("ponder searchmoves e2e4").is_unbounded());
        for bounded in ["depth 1", "nodes 1", "mate 1", "movetime 1", "btime 1"] {
            assert!(!parse_go(bounded).is_unbounded(), "{bounded}");
        }
    }

    #[test]
    fn perft_units() {
        assert_eq!(parse_go("perft 3").perft, Some((Some(3), Unit::Plies)));
        assert_eq!(parse_go("perft 2 series").perft, Some((Some(2), Unit::Series)));
        assert_eq!(parse_go("perft").perft, Some((None, Unit::Plies)));
        assert_eq!(parse_go("perft x").faults.len(), 1);
        assert_eq!(parse_go("series").skipped, ["series"]);
    }
}
