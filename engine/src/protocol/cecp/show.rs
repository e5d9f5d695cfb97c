//! What xboard is to show: marks on squares, results, lines of play.

use crate::rules::game::Game;
use crate::rules::midturn::Midturn;
use crate::rules::notation::movetext::series_in_san;
use crate::rules::outcome::{DrawBy, Outcome, WinBy};
use crate::rules::setup::Entry;
use crate::search::info::Info;
use crate::types::score::{Score, ScoreText};
use crate::types::{Color, File, Rank, Square};
use std::time::Duration;

/// `highlight` for a lifted man: Y where it can go, R where it captures, M where it promotes. What is not marked, xboard refuses.
pub(super) fn highlight(midturn: &Midturn, from: Option<Square>) -> String {
    let mut marks = [None; 64];
    for mv in midturn.legal().into_iter().filter(|mv| Some(mv.from()) == from) {
        let captures = midturn.board().is_capture(mv.seen_by(midturn.color()));
        let mark = match (mv.promotion().is_some(), captures) {
            (true, _) => 'M',
            (false, true) => 'R',
            (false, false) => 'Y',
        };
        marks[mv.to() as usize] = Some(mark);
    }
    let rank = |rank: Rank| -> String {
        let mut text = String::new();
        let mut empty = 0;
        for mark in File::ALL.map(|file| marks[Square::new(file, rank) as usize]) {
            match mark {
                None => empty += 1,
                Some(mark) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(mark);
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
    format!("highlight {}", ranks.join("/"))
}

/// The result line of a game that is over.
pub(super) fn result(outcome: Outcome) -> String {
    let why = match outcome {
        Outcome::Win { winner, by } => {
            let winner = if winner == Color::White { "White" } else { "Black" };
            match by {
                WinBy::Mate => format!("{winner} mates"),
                WinBy::ItalianMate => format!("{winner} mates (Italian mate)"),
                WinBy::TakeAll => format!("{winner} has captured everything"),
            }
        }
        Outcome::Draw(by) => match by {
            DrawBy::Stalemate => "progressive stalemate",
            DrawBy::Material => "too little material to mate",
            DrawBy::TenTurns => "too many turns without capture or pawn move",
            DrawBy::Repetition => "third occurrence of the position",
            DrawBy::TurnLimit => "turn 255 is over",
        }
        .into(),
    };
    format!("{} {{{why}}}", outcome.result())
}

/// A line of thinking: depth, score, time in centiseconds, nodes, the moves with the passes between.
pub(super) fn thinking(midturn: &Midturn, info: &Info, elapsed: Duration) -> String {
    let mut game = Game::from_entry(midturn.position().map_or(Entry::Inside(*midturn), Entry::Between));
    for &mv in info.pv.iter().flat_map(|series| series.iter()) {
        if game.play(mv).is_err() {
            break;
        }
    }
    let line: Vec<String> = series_in_san(&game).iter().map(|(_, moves)| moves.join(" -- ")).collect();
    let centiseconds = elapsed.as_millis() / 10;
    format!("{} {} {centiseconds} {} {}", info.depth, score(info.score), info.nodes, line.join(" "))
}

/// Hundredths of a pawn; mates beyond 100,000.
fn score(score: Score) -> i32 {
    match score.text() {
        ScoreText::Cp(cp) => i32::from(cp),
        ScoreText::Mate(series) if series > 0 => 100_000 + i32::from(series),
        ScoreText::Mate(series) => -100_000 + i32::from(series),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::ITALIAN;

    fn at(text: &str) -> Midturn {
        fen::read(text, &ITALIAN, Strictness::Strict).unwrap().0.midturn()
    }

    #[test]
    fn marks() {
        let start = *Game::new(&ITALIAN).current();
        assert_eq!(highlight(&start, Some(Square::E2)), "highlight 8/8/8/8/4Y3/4Y3/8/8");
        assert_eq!(highlight(&start, Some(Square::A1)), "highlight 8/8/8/8/8/8/8/8");
        assert_eq!(highlight(&start, None), "highlight 8/8/8/8/8/8/8/8");
        let pawn = at("3n4/4P3/8/8/8/7k/8/4K3 w - - 0 3");
        assert_eq!(highlight(&pawn, Some(Square::E7)), "highlight 3MM3/8/8/8/8/8/8/8");
        let passing = at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3");
        assert_eq!(highlight(&passing, Some(Square::E5)), "highlight 8/8/3RY3/8/8/8/8/8");
    }

    #[test]
    fn lines_of_thinking() {
        let midturn = at("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
        let info = Info {
            depth: 1,
            seldepth: 1,
            multi_pv: 1,
            score: Score::mate_in(1),
            nodes: 9120,
            hashfull: 0,
            pv: vec!["f1c4,d1h5,h5f7".parse().unwrap()],
        };
        assert_eq!(thinking(&midturn, &info, Duration::from_millis(1234)), "1 100001 123 9120 Bc4 -- Qh5 -- Qxf7#");
        assert_eq!((score(Score::mated_in(2)), score(Score::cp(-34))), (-100_002, -34));
    }
}
