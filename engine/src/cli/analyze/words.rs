//! What is said of a turn, in words for people; text and PGN say the same.

use crate::cli::mate::in_san;
use crate::rules::midturn::{Midturn, SeriesEnd};
use crate::rules::outcome::DrawBy;
use crate::tools::analysis::{Judged, Mark, Missed, TurnReport, Worth, mean_accuracy};
use crate::types::Color;
use crate::types::score::{Score, ScoreText};

/// `+0.34`, `mates in 2`, `is mated in 1`: for the side that moves, series counted as the protocol does.
pub(super) fn score(score: Score) -> String {
    match score.text() {
        ScoreText::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreText::Mate(series) => format!("mate {series}"),
    }
}

/// What is known of a series, with the proof's grade.
pub(super) fn worth(midturn: &Midturn, judged: &Judged) -> String {
    match &judged.worth {
        Worth::Wins => "wins at once".into(),
        Worth::Safe => "no mate in reply (proved)".into(),
        Worth::Draws(DrawBy::Stalemate) => "draws by stalemate (proved)".into(),
        Worth::Draws(by) => format!("draws by {} (proved)", crate::rules::outcome::Outcome::Draw(*by).reason()),
        Worth::LetsMate(reply) => {
            format!("lets the opponent mate by {} (proved)", reply_in_san(midturn, judged, reply))
        }
        Worth::Open => "nothing proved".into(),
    }
}

/// The mating reply as people write it.
pub(super) fn reply_in_san(midturn: &Midturn, judged: &Judged, reply: &crate::types::series::Series) -> String {
    match midturn.end_of(&judged.series) {
        Some(SeriesEnd::Turn(position)) => in_san(&position.begin(), reply),
        _ => reply.to_string(),
    }
}

/// What should have been played, if that is worth saying.
pub(super) fn better(turn: &TurnReport) -> Option<String> {
    let best = in_san(&turn.midturn, &turn.best.series);
    let known = worth(&turn.midturn, &turn.best);
    match (turn.missed, turn.mark) {
        (Some(Missed::Mate), _) => Some(format!("missed mate: {best} (proved)")),
        (Some(Missed::Draw), _) => Some(format!("missed draw: {best} {known}")),
        (Some(Missed::Refutation), _) => Some(format!("better: {best} {}, {known}", score(turn.best.score))),
        (None, Some(Mark::Mistake)) => Some(format!("better: {best} {}, {known}", score(turn.best.score))),
        _ => None,
    }
}

/// `!`, `?` or `??`.
pub(super) const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "!",
        Mark::Mistake => "?",
        Mark::Blunder => "??",
    }
}

/// `White 93.1 % in 3 turns, Black 50.2 % in 2 turns`.
pub(super) fn accuracies(turns: &[TurnReport]) -> String {
    let side = |color, name| {
        mean_accuracy(turns, color)
            .map(|(mean, count)| format!("{name} {mean:.1} % in {count} {}", if count == 1 { "turn" } else { "turns" }))
    };
    let sides: Vec<String> = [side(Color::White, "White"), side(Color::Black, "Black")].into_iter().flatten().collect();
    sides.join(", ")
}
