//! What is kept of a game, and the few ways in which one can end.

use crate::adjudicate::Ruling;
use crate::player::reply::Report;
use crate::stats::counts::Points;
use crescendo::rules::game::Game;
use crescendo::rules::movelist::replay;
use crescendo::rules::outcome::{DrawBy, Outcome, WinBy};
use crescendo::types::Color;
use serde::{Deserialize, Serialize};

/// The version of [`GameRecord`] as written.
pub const VERSION: u32 = 1;

/// How a game ended. Only the first three count; faults of the runner and games that never began are never scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GameEnd {
    /// By the rules.
    #[serde(with = "outcome_text")]
    Played(Outcome),
    /// One player broke the rules, the clock or the protocol.
    Forfeit {
        /// Who loses.
        loser: Side,
        /// What he did.
        fault: Fault,
    },
    /// Ended by the plan's adjudication.
    Adjudicated {
        /// Why.
        ruling: Ruling,
    },
    /// The runner's own fault.
    HarnessError {
        /// What went wrong.
        text: String,
    },
    /// A player could not be started.
    NotPlayed {
        /// Why.
        text: String,
    },
    /// The run was stopped during the game.
    Aborted,
}

/// White or Black, as records write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

/// What a player did to lose without a result over the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// The turn.
    pub turn: u16,
    /// Which move of his series, from 1, where one is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leg: Option<usize>,
    /// The reason as a sentence.
    pub text: String,
    /// What the player sent, shortened, where there was something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The end of what the process wrote to its error stream.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// Kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// A move that the rules do not allow.
    IllegalMove,
    /// A check before the last move, under the rules that forbid it.
    EarlyCheck,
    /// Fewer moves than the turn asks for.
    SeriesTooShort,
    /// Moves after the end of the series.
    SeriesTooLong,
    /// More time than allowed.
    Time,
    /// The process ended.
    Crash,
    /// No answer at all.
    Silence,
    /// Text that is no answer.
    Garbage,
}

impl FaultKind {
    /// The word in records and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::EarlyCheck => "early-check",
            Self::SeriesTooShort => "series-too-short",
            Self::SeriesTooLong => "series-too-long",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Silence => "silence",
            Self::Garbage => "garbage",
        }
    }
}

impl GameEnd {
    /// Who crashed or fell silent, if the game ended so.
    #[must_use]
    pub const fn crashed(&self) -> Option<Side> {
        match self {
            Self::Forfeit { loser, fault: Fault { kind: FaultKind::Crash | FaultKind::Silence, .. } } => Some(*loser),
            _ => None,
        }
    }

    /// White's points, if the game counts.
    #[must_use]
    pub const fn points(&self) -> Option<Points> {
        Some(match self {
            Self::Played(outcome) => match outcome.winner() {
                Some(Color::White) => Points::One,
                Some(Color::Black) => Points::Zero,
                None => Points::Half,
            },
            Self::Forfeit { loser: Side::White, .. } => Points::Zero,
            Self::Forfeit { loser: Side::Black, .. } => Points::One,
            Self::Adjudicated { ruling } => match ruling.winner() {
                Some(Color::White) => Points::One,
                Some(Color::Black) => Points::Zero,
                None => Points::Half,
            },
            Self::HarnessError { .. } | Self::NotPlayed { .. } | Self::Aborted => return None,
        })
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that does not count.
    #[must_use]
    pub const fn result(&self) -> &'static str {
        match self.points() {
            Some(Points::One) => "1-0",
            Some(Points::Half) => "1/2-1/2",
            Some(Points::Zero) => "0-1",
            None => "*",
        }
    }

    /// The reason in one word.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Played(outcome) => outcome.reason(),
            Self::Forfeit { fault, .. } => fault.kind.word(),
            Self::Adjudicated { ruling } => ruling.word(),
            Self::HarnessError { .. } => "harness-error",
            Self::NotPlayed { .. } => "not-played",
            Self::Aborted => "aborted",
        }
    }

    /// The value of the PGN tag `Termination`.
    #[must_use]
    pub const fn termination(&self) -> &'static str {
        match self {
            Self::Played(_) => "normal",
            Self::Forfeit { fault: Fault { kind: FaultKind::Time, .. }, .. } => "time forfeit",
            Self::Forfeit { fault: Fault { kind: FaultKind::Crash | FaultKind::Silence, .. }, .. } => "abandoned",
            Self::Forfeit { .. } => "rules infraction",
            Self::Adjudicated { .. } => "adjudication",
            Self::HarnessError { .. } | Self::NotPlayed { .. } | Self::Aborted => "unterminated",
        }
    }
}

/// One turn as it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// The turn number.
    pub turn: u16,
    /// Milliseconds from `go` to the answer.
    pub ms: u64,
    /// Milliseconds that the clock allowed; absent where time is not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Milliseconds from `go` to the player's first line; absent where that was the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// What the player told of its search.
    #[serde(flatten)]
    pub report: Report,
}

/// One game: everything that reports need, and enough to play it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// [`VERSION`].
    pub v: u32,
    /// The number of the game in the schedule, from 0.
    pub id: u64,
    /// Its round, from 1.
    pub round: u64,
    /// Which pair of games with swapped colors it belongs to.
    pub pair: u64,
    /// The players' names.
    pub white: String,
    /// The players' names.
    pub black: String,
    /// The name of the rule set.
    pub rules: String,
    /// The line of the openings file, or the number of its game, from 1; absent without a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<usize>,
    /// The position the game is told from; absent for the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// How many of the series belong to the opening.
    pub book: usize,
    /// The series, moves joined by commas, series by blanks.
    pub moves: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// How it ended.
    pub end: GameEnd,
    /// Single moves played, opening included.
    pub plies: usize,
    /// The seed the players were given.
    pub seed: u64,
    /// The value of the PGN tag `TimeControl`.
    pub control: String,
    /// When it began.
    pub began: jiff::Timestamp,
    /// How long it took.
    pub ms: u64,
    /// The turns that were asked for and answered.
    pub turns: Vec<TurnRecord>,
    /// What was odd but costs nobody anything: variations (`pv`) that cannot be played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The last lines to and from White and Black in a game that went wrong; not in the journal.
    #[serde(skip)]
    pub transcripts: [String; 2],
    /// Who crashed in earlier attempts at this game, if the plan has games played again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crashed: Vec<Side>,
}

/// Something odd in a turn that costs nobody anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Who did it.
    pub player: Side,
    /// The turn.
    pub turn: u16,
    /// What is odd.
    pub text: String,
}

impl TurnRecord {
    /// Milliseconds beyond those of the player's own account, which pipes, the scheduler of the system and the player's own
    /// last steps have taken; absent where he told no time.
    #[must_use]
    pub fn overhead(&self) -> Option<u64> {
        self.report.time.map(|own| self.ms.saturating_sub(own))
    }
}

impl GameRecord {
    /// Makes it a game that was cut off and does not count.
    pub fn abort(&mut self) {
        self.end = GameEnd::Aborted;
        self.result = self.end.result().to_owned();
    }

    /// The game itself, played again from its text; `None` if the text is no game of these rules.
    #[must_use]
    pub fn game(&self) -> Option<Game> {
        replay(&self.rules, self.fen.as_deref(), &self.moves).ok()
    }
}

/// The outcome as `result` and `reason`.
mod outcome_text {
    use super::{DrawBy, Outcome, WinBy};
    use crescendo::types::Color;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    struct Text {
        result: String,
        reason: String,
    }

    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        Text { result: outcome.result().into(), reason: outcome.reason().into() }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let text = Text::deserialize(deserializer)?;
        let wins = [WinBy::Mate, WinBy::ItalianMate, WinBy::TakeAll];
        let draws = [DrawBy::Stalemate, DrawBy::Material, DrawBy::TenTurns, DrawBy::Repetition, DrawBy::TurnLimit];
        let colors = [Color::White, Color::Black];
        let all = wins
            .into_iter()
            .flat_map(|by| colors.map(|winner| Outcome::Win { winner, by }))
            .chain(draws.map(Outcome::Draw));
        let mut fit = all.filter(|outcome| outcome.result() == text.result && outcome.reason() == text.reason);
        fit.next().ok_or_else(|| D::Error::custom(format!("no outcome '{} {}'", text.result, text.reason)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_survive_the_journal() {
        let fault = Fault {
            kind: FaultKind::EarlyCheck,
            turn: 4,
            leg: Some(2),
            text: "gives check".into(),
            raw: Some("bestmove \"x\"".into()),
            stderr: String::new(),
        };
        let ends = [
            GameEnd::Played(Outcome::Win { winner: Color::Black, by: WinBy::ItalianMate }),
            GameEnd::Played(Outcome::Draw(DrawBy::TenTurns)),
            GameEnd::Forfeit { loser: Side::Black, fault },
            GameEnd::Adjudicated { ruling: Ruling::MaxTurns },
            GameEnd::Adjudicated { ruling: Ruling::WhiteResigns },
            GameEnd::NotPlayed { text: "no".into() },
            GameEnd::Aborted,
        ];
        for end in ends {
            let text = serde_json::to_string(&end).unwrap();
            assert_eq!(serde_json::from_str::<GameEnd>(&text).unwrap(), end, "{text}");
        }
    }

    #[test]
    fn only_what_was_decided_counts() {
        assert_eq!(GameEnd::Aborted.points(), None);
        assert_eq!(GameEnd::HarnessError { text: String::new() }.result(), "*");
        let draw = GameEnd::Adjudicated { ruling: Ruling::MaxTurns };
        assert_eq!((draw.result(), draw.termination()), ("1/2-1/2", "adjudication"));
    }
}
