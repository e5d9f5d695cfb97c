//! Answers about the current position: for clients without rules, and for people.

use super::reply::Reply;
use crate::eval::terms::features;
use crate::eval::weights::Phases;
use crate::rules::game::Game;
use crate::rules::notation::movetext::movetext;
use crate::rules::table::Rules;
use crate::types::Color;
use crate::types::score::Score;

/// The topics of `query`.
const TOPICS: [&str; 8] = ["legal", "fen", "turn", "series", "left", "check", "result", "san"];

/// Answers `query`: exactly one line.
pub(super) fn query(game: &Game, topic: &str) -> Vec<Reply> {
    let Some(&topic) = TOPICS.iter().find(|known| known.eq_ignore_ascii_case(topic)) else {
        let text = format!("query '{topic}'; known are {}", TOPICS.join(", "));
        return vec![Reply::error("unknown-command", text)];
    };
    vec![Reply::Response { topic, text: answer(game, topic) }]
}

fn answer(game: &Game, topic: &str) -> String {
    let current = game.current();
    let over = game.outcome().is_some();
    match topic {
        "legal" => {
            let mut legs: Vec<String> = game.legal().iter().map(ToString::to_string).collect();
            legs.sort();
            none_if_empty(legs.join(" "))
        }
        "fen" => current.fen(),
        "turn" => current.turn().to_string(),
        "series" => {
            let running = game.turns().last().filter(|(turn, _)| *turn == current.turn());
            none_if_empty(running.map_or_else(String::new, |(_, series)| series.to_string()))
        }
        "left" => if over { 0 } else { current.left() }.to_string(),
        "check" => current.is_in_check().to_string(),
        "result" => game.outcome().map_or_else(|| "*".into(), |outcome| outcome.to_string()),
        _ => none_if_empty(movetext(game)),
    }
}

fn none_if_empty(text: String) -> String {
    if text.is_empty() { "(none)".into() } else { text }
}

/// Answers `d`: board, FEN and where the turn stands.
pub(super) fn display(game: &Game) -> Vec<Reply> {
    let current = game.current();
    let fen = current.fen();
    let placement = fen.split(' ').next().unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    for (rank, row) in (1..=8).rev().zip(placement.split('/')) {
        let squares: String = row
            .chars()
            .flat_map(|c| match c.to_digit(10) {
                Some(empty) => vec!['.'; empty as usize],
                None => vec![c],
            })
            .flat_map(|c| [' ', c])
            .collect();
        lines.push(format!("{rank} {squares}"));
    }
    lines.push("   a b c d e f g h".into());
    lines.push(format!("Fen: {fen}"));
    let Rules { name, variant, .. } = current.rules();
    lines.push(format!("Rules: {name} ({variant})"));
    let mover = if current.color() == Color::White { "White" } else { "Black" };
    let quota = current.rules().quota(current.turn());
    lines.push(format!("Turn: {} ({mover}), {} of {quota} legs left", current.turn(), answer(game, "left")));
    lines.push(format!("Series: {}", answer(game, "series")));
    lines.push(format!("Check: {}", answer(game, "check")));
    lines.push(format!("Result: {}", answer(game, "result")));
    lines.into_iter().map(Reply::Text).collect()
}

/// Answers `eval`: the static score from the side to move, and its terms. Between turns it is the series just completed that is
/// judged; inside a turn, the series as if it ended here.
pub(super) fn eval(game: &Game) -> Vec<Reply> {
    let current = game.current();
    let (rules, turn) = (current.rules(), current.turn());
    let (board, turn, sign) =
        if current.is_fresh() { (current.board().flipped(), turn, -1) } else { (*current.board(), turn.next(), 1) };
    let reply = rules.quota(turn);
    let features = features(&board, current.terms(), reply);
    let weights = &Phases::full(rules).at(reply);
    let terms = features.named(weights).map(|(name, score)| format!("{name} {}", sign * score));
    let terms: Vec<String> = terms.collect();
    let score = Score::cp(sign * features.score(weights));
    vec![Reply::Note(format!("eval {score} from the side to move: {}", terms.join(", ")))]
}

/// Answers `help`.
pub(super) fn help() -> Vec<Reply> {
    const LINES: [&str; 12] = [
        "uci | isready | ucinewgame | debug on|off | quit",
        "setoption name NAME [value VALUE]",
        "position startpos|fen FEN [moves ITEM ...]",
        "  item: e7e5,g8f6 (a series), e7e5 (a leg) or 0000 (a pass inside a series)",
        "go [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] [depth SERIES] [nodes LEGS] [mate SERIES]",
        "   [infinite] [ponder] [searchmoves PREFIX ...]",
        "go perft N [series]",
        "stop | ponderhit",
        "query legal|fen|turn|series|left|check|result|san",
        "d (board and FEN) | eval (static judgment) | bench (signature)",
        "The answer of go is the rest of the series: bestmove e7e5,g8f6",
        "Names of rule sets: see the option UCI_Variant in the answer to uci",
    ];
    LINES.into_iter().map(|line| Reply::Note(line.into())).collect()
}
