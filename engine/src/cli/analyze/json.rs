//! The analysis as JSON, one line a game.

use super::words;
use crate::cli::mate::in_san;
use crate::rules::midturn::Midturn;
use crate::rules::notation::pgn::PgnGame;
use crate::tools::analysis::{Budget, Judged, Missed, TurnReport, Worth, mean_accuracy};
use crate::types::Color;
use serde::Serialize;

#[derive(Serialize)]
struct Game<'a> {
    v: u32,
    game: usize,
    white: Option<&'a str>,
    black: Option<&'a str>,
    rules: &'a str,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    accuracy: Accuracy,
    turns: Vec<Turn>,
}

#[derive(Serialize)]
struct Accuracy {
    white: Option<f64>,
    black: Option<f64>,
}

#[derive(Serialize)]
struct Turn {
    turn: u16,
    color: &'static str,
    fen: String,
    played: Series,
    best: Series,
    missed: Option<&'static str>,
    mark: Option<&'static str>,
    accuracy: f64,
}

#[derive(Serialize)]
struct Series {
    series: String,
    san: String,
    /// As the protocol writes it, for the side that moves.
    score: String,
    /// What is known: `wins`, `safe`, `draws`, `lets-mate`, all proved, or `open`.
    known: &'static str,
    /// The series by which the opponent mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_san: Option<String>,
}

fn series(midturn: &Midturn, judged: &Judged) -> Series {
    let (known, reply) = match &judged.worth {
        Worth::Wins => ("wins", None),
        Worth::Safe => ("safe", None),
        Worth::Draws(_) => ("draws", None),
        Worth::LetsMate(reply) => ("lets-mate", Some(reply)),
        Worth::Open => ("open", None),
    };
    Series {
        series: judged.series.to_string(),
        san: in_san(midturn, &judged.series),
        score: judged.score.to_string(),
        known,
        reply: reply.map(ToString::to_string),
        reply_san: reply.map(|reply| words::reply_in_san(midturn, judged, reply)),
    }
}

/// To a hundredth, so that the last bits of a platform's `exp` do not show.
fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}

/// The line of a game.
pub(super) fn line(number: usize, game: &PgnGame, turns: &[TurnReport], budget: Budget) -> String {
    let side = |color| mean_accuracy(turns, color).map(|(mean, _)| rounded(mean));
    let (nodes, seconds) = match budget {
        Budget::Nodes(nodes) => (Some(nodes), None),
        Budget::Time(time) => (None, Some(time.as_secs_f64())),
    };
    let turn = |turn: &TurnReport| Turn {
        turn: turn.turn.number(),
        color: if turn.turn.color() == Color::White { "white" } else { "black" },
        fen: turn.midturn.fen(),
        played: series(&turn.midturn, &turn.played),
        best: series(&turn.midturn, &turn.best),
        missed: turn.missed.map(|missed| match missed {
            Missed::Mate => "mate",
            Missed::Refutation => "refutation",
            Missed::Draw => "draw",
        }),
        mark: turn.mark.map(words::mark),
        accuracy: rounded(turn.accuracy),
    };
    let game = Game {
        v: 1,
        game: number,
        white: game.tag("White"),
        black: game.tag("Black"),
        rules: game.game.rules().name,
        result: game.result.text(),
        nodes,
        seconds,
        accuracy: Accuracy { white: side(Color::White), black: side(Color::Black) },
        turns: turns.iter().map(turn).collect(),
    };
    // Nothing in it can fail to be written: no maps, no foreign types.
    serde_json::to_string(&game).unwrap_or_default()
}
