//! From a [`Reply`] to its line. Nothing here decides what to say, only how it is written.

use crate::search::info::Info;
use crate::types::score::{Score, ScoreText};
use crate::types::series::Series;
use std::fmt;
use std::time::Duration;

/// A line to the client.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Reply {
    /// A line as it is: identification, options, board, counts.
    Text(String),
    /// The answer to `isready`.
    ReadyOk,
    /// A line of play.
    Line(Line),
    /// The game is over here.
    Ended {
        /// Whether somebody has won; otherwise drawn.
        won: bool,
    },
    /// The answer of a search.
    BestMove {
        /// What is left of the series.
        series: Option<Series>,
        /// The expected reply.
        ponder: Option<Series>,
        /// Only the first leg is to be said.
        legs: bool,
    },
    /// Something is wrong: a code of the protocol text, section 6, a colon, what is wrong.
    Error(String),
    /// Something was mended: likewise.
    Warning(String),
    /// A remark for people.
    Note(String),
    /// The answer to a question.
    Response {
        /// What was asked.
        topic: &'static str,
        /// The answer.
        text: String,
    },
}

/// A line of play with what the printing side knows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Line {
    /// What the search said.
    pub(super) info: Info,
    /// Time since the start of the search.
    pub(super) elapsed: Duration,
    /// Whether chances are printed.
    pub(super) wdl: bool,
    /// Whether legs are separated by blanks, as ordinary clients want it.
    pub(super) legs: bool,
}

impl Reply {
    pub(super) fn error(code: &str, text: impl fmt::Display) -> Self {
        Self::Error(format!("{code}: {text}"))
    }

    pub(super) fn warning(code: &str, text: impl fmt::Display) -> Self {
        Self::Warning(format!("{code}: {text}"))
    }
}

/// Quoted input can be a megabyte long and hold anything; a message is one readable line.
const LONGEST_MESSAGE: usize = 400;

fn message(text: &str) -> String {
    let mut line: String = text.chars().take(LONGEST_MESSAGE).map(|c| if c.is_control() { '?' } else { c }).collect();
    if line.len() < text.len() {
        line.push('…');
    }
    line
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Line(line) => line.fmt(f),
            Self::Ended { won: true } => f.write_str("info depth 0 score mate 0"),
            Self::Ended { won: false } => f.write_str("info depth 0 score cp 0"),
            Self::BestMove { series: None, .. } => f.write_str("bestmove (none)"),
            Self::BestMove { series: Some(series), legs: true, .. } => match series.first() {
                Some(leg) => write!(f, "bestmove {leg}"),
                None => f.write_str("bestmove (none)"),
            },
            Self::BestMove { series: Some(series), ponder: None, .. } => write!(f, "bestmove {series}"),
            Self::BestMove { series: Some(series), ponder: Some(reply), .. } => {
                write!(f, "bestmove {series} ponder {reply}")
            }
            Self::Error(text) => write!(f, "info string error {}", message(text)),
            Self::Warning(text) => write!(f, "info string warning {}", message(text)),
            Self::Note(text) => write!(f, "info string {}", message(text)),
            Self::Response { topic, text } => write!(f, "response {topic} {text}"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = &self.info;
        write!(f, "info depth {} seldepth {} multipv {}", info.depth, info.seldepth, info.multi_pv)?;
        write!(f, " score {}", info.score)?;
        if self.wdl {
            let [win, draw, loss] = chances(info.score);
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let nanos = self.elapsed.as_nanos().max(1);
        let speed = u128::from(info.nodes) * 1_000_000_000 / nanos;
        write!(f, " nodes {} nps {speed} hashfull {} time {}", info.nodes, info.hashfull, self.elapsed.as_millis())?;
        f.write_str(" pv")?;
        for series in &info.pv {
            if self.legs {
                series.iter().try_for_each(|leg| write!(f, " {leg}"))?;
            } else {
                write!(f, " {series}")?;
            }
        }
        Ok(())
    }
}

/// Chances of win, draw and loss in thousandths: a logistic curve with draws in the middle. Progressive games are rarely
/// drawn; the curve is a rule of thumb, not a measurement.
fn chances(score: Score) -> [u32; 3] {
    let win = |cp: f64| (1000.0 / (1.0 + (-(cp - 60.0) / 180.0).exp())).round() as u32;
    match score.text() {
        ScoreText::Mate(series) if series > 0 => [1000, 0, 0],
        ScoreText::Mate(_) => [0, 0, 1000],
        ScoreText::Cp(cp) => {
            let (wins, losses) = (win(f64::from(cp)), win(-f64::from(cp)));
            [wins, 1000 - wins - losses, losses]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(text: &str) -> Series {
        text.parse().unwrap()
    }

    fn line(wdl: bool, legs: bool) -> String {
        let info = Info {
            depth: 1,
            seldepth: 2,
            multi_pv: 1,
            score: Score::mate_in(1),
            nodes: 9120,
            hashfull: 1,
            pv: vec![series("f1c4,d1h5,h5f7"), series("e8e7")],
        };
        Reply::Line(Line { info, elapsed: Duration::from_millis(3), wdl, legs }).to_string()
    }

    #[test]
    fn lines_of_play() {
        let plain = "info depth 1 seldepth 2 multipv 1 score mate 1 nodes 9120 nps 3040000 hashfull 1 time 3 \
                     pv f1c4,d1h5,h5f7 e8e7";
        assert_eq!(line(false, false), plain);
        assert!(line(true, true).contains("score mate 1 wdl 1000 0 0 nodes"));
        assert!(line(true, true).ends_with("pv f1c4 d1h5 h5f7 e8e7"));
    }

    #[test]
    fn best_moves() {
        let best = |series: Option<Series>, ponder, legs| Reply::BestMove { series, ponder, legs }.to_string();
        assert_eq!(best(None, None, false), "bestmove (none)");
        assert_eq!(best(Some(series("e7e5,g8f6")), None, false), "bestmove e7e5,g8f6");
        assert_eq!(best(Some(series("e7e5,g8f6")), Some(series("a2a3")), true), "bestmove e7e5");
        assert_eq!(best(Some(series("e2e4")), Some(series("e7e5,g8f6")), false), "bestmove e2e4 ponder e7e5,g8f6");
    }

    #[test]
    fn messages_are_one_readable_line() {
        let text = Reply::error("move-syntax", "a\r\nb\u{7}".to_owned() + &"x".repeat(9999)).to_string();
        assert!(text.starts_with("info string error move-syntax: a??b?xxx") && text.ends_with('…'));
        assert!(text.chars().count() < 450);
    }

    #[test]
    fn chances_add_up() {
        for cp in [-29_000, -300, -1, 0, 1, 50, 29_000] {
            let [win, draw, loss] = chances(Score::cp(cp));
            assert_eq!(win + draw + loss, 1000, "{cp}");
            assert_eq!([loss, draw, win], chances(Score::cp(-cp)));
        }
        assert_eq!(chances(Score::MATED), [0, 0, 1000]);
    }
}
