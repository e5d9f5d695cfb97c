//! One game: asks the players in turn, referees every move of every answer, and writes down what happened.
//!
//! Architecture Invariant: what counts is what the rules library says of the moves; nothing a player claims is believed.

use crate::adjudicate::{Adjudication, Ruling, Said, cannot_win};
use crate::clock::{Clock, Limits, Spent, go};
use crate::opening::Opening;
use crate::player::transcript::Kept;
use crate::player::{Answer, Failure, Player, Question};
use crate::record::{Fault, FaultKind, GameEnd, Side, TurnRecord, Warning};
use crate::variation;
use crescendo::rules::game::{Game, PlayError};
use crescendo::rules::illegal::IllegalMove;
use crescendo::rules::midturn::Progress;
use crescendo::types::moves::Move;
use crescendo::types::series::Series;
use crescendo::types::{Color, File, Role, Square};
use std::fmt::Write as _;
use std::time::Duration;

/// How much of a player's text is quoted.
const QUOTED: usize = 300;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The moves before the first question.
    pub opening: &'a Opening,
    /// White's and Black's limits.
    pub limits: [Limits; 2],
    /// Ends that are no result over the board.
    pub adjudication: Adjudication,
    /// Randomness of the players.
    pub seed: u64,
    /// Whether the transcript of every game is wanted, or only of those that go wrong.
    pub transcripts: Kept,
}

/// What came of it.
#[derive(Debug)]
pub struct Played {
    /// The game with all legal moves of it.
    pub game: Game,
    /// How it ended.
    pub end: GameEnd,
    /// The answered turns.
    pub turns: Vec<TurnRecord>,
    /// What was odd but costs nobody anything.
    pub warnings: Vec<Warning>,
    /// Whether each player can go on with another game.
    pub healthy: [bool; 2],
    /// The lines to and from White and Black, if the game went wrong or the setting wants them of every game.
    pub transcripts: [String; 2],
}

/// A game in progress.
struct Table<'a, 'p> {
    players: [&'p mut dyn Player; 2],
    clocks: [Clock; 2],
    game: Game,
    position: String,
    turns: Vec<TurnRecord>,
    warnings: Vec<Warning>,
    said: Vec<Said>,
    adjudication: &'a Adjudication,
    healthy: [bool; 2],
}

/// Plays a game between two players that have said `readyok`.
pub fn play<'p>(setting: &Setting<'_>, white: &'p mut dyn Player, black: &'p mut dyn Player) -> Played {
    let game = setting.opening.game();
    let mut table = Table {
        players: [white, black],
        clocks: setting.limits.map(Clock::new),
        position: setting.opening.position_line(),
        game,
        turns: Vec::new(),
        warnings: Vec::new(),
        said: Vec::new(),
        adjudication: &setting.adjudication,
        healthy: [true; 2],
    };
    let end = table.prepare(setting.seed).unwrap_or_else(|| table.run());
    let went_wrong = matches!(end, GameEnd::Forfeit { .. } | GameEnd::HarnessError { .. });
    let transcripts = if went_wrong || setting.transcripts == Kept::Game {
        table.players.each_ref().map(|player| player.transcript())
    } else {
        Default::default()
    };
    Played { game: table.game, end, turns: table.turns, warnings: table.warnings, healthy: table.healthy, transcripts }
}

impl Table<'_, '_> {
    /// Tells both players of the new game, then waits for both.
    fn prepare(&mut self, seed: u64) -> Option<GameEnd> {
        let told = [Color::White, Color::Black].map(|color| self.players[color as usize].announce(seed));
        // Who was told owes a word: whatever became of the other, it must not be taken for an answer of the next game.
        let mut end = None;
        for (color, told) in [Color::White, Color::Black].into_iter().zip(told) {
            let ready = told.and_then(|()| self.players[color as usize].get_ready());
            if let Err(failure) = ready
                && end.is_none()
            {
                end = Some(self.failed(color, failure, false));
            }
        }
        end
    }

    fn run(&mut self) -> GameEnd {
        loop {
            if let Some(outcome) = self.game.outcome() {
                return GameEnd::Played(outcome);
            }
            if let Some(ruling) = self.adjudication.judge(&self.game, &self.said) {
                return GameEnd::Adjudicated { ruling };
            }
            if let Err(end) = self.turn() {
                return end;
            }
        }
    }

    /// One turn: question, answer, clock, moves.
    fn turn(&mut self) -> Result<(), GameEnd> {
        let color = self.game.color();
        let mover = color as usize;
        let go = go(&self.clocks[0], &self.clocks[1], color);
        let patience = self.clocks[mover].patience();
        let question = Question { game: &self.game, position: &self.position, go: &go, patience };
        let answer = match self.players[mover].choose(&question) {
            Ok(answer) => answer,
            Err(failure) => return Err(self.failed(color, failure, true)),
        };
        let turn = self.game.current().turn().number();
        self.note(turn, &answer);
        if let Spent::Overrun(over) = self.clocks[mover].spend(answer.elapsed) {
            return Err(self.overrun(color, over));
        }
        if answer.elapsed + answer.unsure > patience {
            let text = format!(
                "turn {turn}: the machine had no time for the runner for {} ms, so nobody knows whether the answer came in time",
                answer.unsure.as_millis()
            );
            return Err(GameEnd::HarnessError { text });
        }
        match referee(&mut self.game, &answer.series) {
            Ok(()) => {
                let turns = self.game.turns();
                let list = if turns.len() == 1 { " moves" } else { "" };
                let _ = write!(self.position, "{list} {}", turns.last().map_or(&Series::default(), |turn| &turn.1));
                Ok(())
            }
            Err(breach) => Err(self.forfeit(color, breach.fault(turn, &answer.series))),
        }
    }

    fn note(&mut self, turn: u16, answer: &Answer) {
        let color = self.game.color();
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let limit = self.clocks[color as usize].allowed().map(ms);
        let report = answer.report;
        self.said.push(Said::new(color, report.cp, report.mate));
        if let Some(text) = variation::fault(&self.game, &answer.series, &report, &answer.variation) {
            self.warnings.push(Warning { player: Side::from(color), turn, text });
        }
        self.turns.push(TurnRecord { turn, ms: ms(answer.elapsed), limit, first: answer.first.map(ms), report });
    }

    /// The loss of a player who overran his time, or a draw if his opponent could not have won.
    fn overrun(&self, color: Color, over: Duration) -> GameEnd {
        if cannot_win(&self.game, !color) {
            return GameEnd::Adjudicated { ruling: Ruling::TimeAgainstBareKing };
        }
        let turn = self.game.current().turn();
        self.forfeit(color, (FaultKind::Time, format!("time overrun by {} ms in turn {turn}", over.as_millis())))
    }

    /// No answer: whose fault it is, and whether the player can go on.
    fn failed(&mut self, color: Color, failure: Failure, asked: bool) -> GameEnd {
        let mover = color as usize;
        self.healthy[mover] = matches!(failure, Failure::Silence(_)) && self.players[mover].recovers();
        let allowed = self.clocks[mover].allowed();
        let (kind, text) = match failure {
            Failure::Stopped => return GameEnd::Aborted,
            Failure::Harness(text) => return GameEnd::HarnessError { text },
            Failure::Crash(text) => (FaultKind::Crash, text),
            Failure::Garbage(text) => (FaultKind::Garbage, text),
            Failure::Silence(waited) => match allowed {
                Some(allowed) if asked && waited >= allowed => {
                    return self.overrun(color, waited.saturating_sub(allowed));
                }
                _ if asked => (FaultKind::Silence, failure.to_string()),
                _ => (FaultKind::Silence, format!("not ready for the game: {failure}")),
            },
        };
        self.forfeit(color, (kind, text))
    }

    fn forfeit(&self, loser: Color, fault: impl Into<Blame>) -> GameEnd {
        let Blame { kind, leg, text, raw } = fault.into();
        let stderr = match kind {
            FaultKind::Crash | FaultKind::Silence | FaultKind::Garbage => self.players[loser as usize].last_words(),
            _ => String::new(),
        };
        let turn = self.game.current().turn().number();
        GameEnd::Forfeit { loser: Side::from(loser), fault: Fault { kind, turn, leg, text, raw, stderr } }
    }
}

/// A fault before the turn and the last words are known.
struct Blame {
    kind: FaultKind,
    leg: Option<usize>,
    text: String,
    raw: Option<String>,
}

impl From<(FaultKind, String)> for Blame {
    fn from((kind, text): (FaultKind, String)) -> Self {
        Self { kind, leg: None, text, raw: None }
    }
}

/// What is wrong with a series. The legs count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breach {
    /// There is no series at all.
    NoSeries,
    /// Text that is no move.
    NoMove(usize, String),
    /// A move the rules do not allow.
    Illegal(usize, Move, IllegalMove),
    /// The series ends before the turn is over.
    TooShort(usize, usize),
    /// The series goes on after the turn is over.
    TooLong(usize),
}

impl Breach {
    fn fault(&self, turn: u16, series: &str) -> Blame {
        let (kind, leg, text) = match self {
            Self::NoSeries => (FaultKind::Garbage, None, format!("turn {turn}: no series")),
            Self::NoMove(leg, text) => {
                (FaultKind::Garbage, Some(*leg), format!("turn {turn} leg {leg}: '{text}' is no move"))
            }
            Self::Illegal(leg, mv, why) => {
                let early = *why == IllegalMove::EarlyCheck;
                let kind = if early { FaultKind::EarlyCheck } else { FaultKind::IllegalMove };
                (kind, Some(*leg), format!("turn {turn} leg {leg} '{mv}': {why}"))
            }
            Self::TooShort(played, left) => (
                FaultKind::SeriesTooShort,
                Some(played + 1),
                format!("turn {turn}: {played} moves, and {left} more were due"),
            ),
            Self::TooLong(leg) => (
                FaultKind::SeriesTooLong,
                Some(*leg),
                format!("turn {turn} leg {leg}: the series was over with leg {}", leg - 1),
            ),
        };
        Blame { kind, leg, text, raw: Some(quote(series)) }
    }
}

/// Text of a player, shortened for the record.
fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Plays a series as written, leg by leg. After a breach the game holds the legal moves before it; a series that is too long
/// is taken back whole, since its beginning would have been a complete answer.
///
/// # Errors
/// The first thing that is wrong.
pub fn referee(game: &mut Game, series: &str) -> Result<(), Breach> {
    if matches!(series, "" | "(none)" | "0000") {
        return Err(Breach::NoSeries);
    }
    let start = *game.current();
    let mut over = false;
    let mut legs = 0;
    for text in series.split(',') {
        if over {
            take_back(game);
            return Err(Breach::TooLong(legs + 1));
        }
        legs += 1;
        let mv: Move = text.parse().map_err(|_| Breach::NoMove(legs, quote(text)))?;
        let progress = match game.play(mv) {
            Err(PlayError::Illegal(why)) => match written_as_rook(game, mv).map(|mv| game.play(mv)) {
                Some(Ok(progress)) => progress,
                _ => return Err(Breach::Illegal(legs, mv, why)),
            },
            Err(PlayError::Over(outcome)) => {
                return Err(Breach::Illegal(legs, mv, IllegalMove::GameOver(outcome)));
            }
            Ok(progress) => progress,
        };
        over = progress != Progress::More;
    }
    let left = usize::from(start.left()).saturating_sub(legs);
    if over { Ok(()) } else { Err(Breach::TooShort(legs, left)) }
}

/// Castling written as king takes own rook, as the king's step.
fn written_as_rook(game: &Game, mv: Move) -> Option<Move> {
    let now = game.current();
    let seen = |square: Square| square.relative_to(now.color());
    let board = now.board();
    let is_king = board.us().has(seen(mv.from())) && board.role_at(seen(mv.from())) == Some(Role::King);
    let is_rook = board.us().has(seen(mv.to())) && board.role_at(seen(mv.to())) == Some(Role::Rook);
    let file = if mv.to().file() > mv.from().file() { File::G } else { File::C };
    (is_king && is_rook).then(|| Move::new(mv.from(), Square::new(file, mv.from().rank())))
}

/// The game without its last series.
fn take_back(game: &mut Game) {
    let mut before = Game::from_entry(match game.start().position() {
        Some(position) => crescendo::rules::setup::Entry::Between(position),
        None => crescendo::rules::setup::Entry::Inside(*game.start()),
    });
    let turns = game.turns();
    for mv in turns[..turns.len().saturating_sub(1)].iter().flat_map(|(_, series)| series.iter()) {
        // These moves have been played before, so they can be played again.
        if before.play(*mv).is_err() {
            return;
        }
    }
    *game = before;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::{ITALIAN, Rules, SCOTTISH};

    fn after(rules: &'static Rules, series: &[&str]) -> Game {
        let mut game = Game::new(rules);
        for series in series {
            referee(&mut game, series).unwrap();
        }
        game
    }

    #[test]
    fn each_breach_is_named() {
        let mut game = after(&ITALIAN, &["e2e4", "e7e5,g8f6"]);
        let before = game.turns().to_vec();
        assert_eq!(referee(&mut game.clone(), "(none)"), Err(Breach::NoSeries));
        assert_eq!(referee(&mut game.clone(), "f1c4,????,h5f7"), Err(Breach::NoMove(2, "????".into())));
        assert_eq!(referee(&mut game.clone(), "f1c4,d1h5"), Err(Breach::TooShort(2, 1)));
        let early = Breach::Illegal(2, "c4f7".parse().unwrap(), IllegalMove::EarlyCheck);
        assert_eq!(referee(&mut game.clone(), "f1c4,c4f7,d1h5"), Err(early));
        assert!(matches!(referee(&mut game.clone(), "a1a5,d1h5,h5f7"), Err(Breach::Illegal(1, ..))));
        assert_eq!(referee(&mut game, "f1c4,d1h5,h5f7,a2a3"), Err(Breach::TooLong(4)));
        assert_eq!((game.turns(), game.outcome()), (before.as_slice(), None));
        referee(&mut game, "F1C4,d1h5,h5f7").unwrap();
        assert!(game.outcome().is_some());
    }

    #[test]
    fn a_check_ends_the_series_where_the_rules_say_so() {
        let mut game = after(&SCOTTISH, &["e2e4", "d7d5,e7e5"]);
        assert_eq!(referee(&mut game.clone(), "f1b5,a2a3,a3a4"), Err(Breach::TooLong(2)));
        referee(&mut game, "f1b5").unwrap();
    }

    #[test]
    fn castling_may_be_written_as_king_takes_rook() {
        let mut game = after(&ITALIAN, &["e2e4", "e7e5,a7a6", "g1f3,f1e2,a2a3", "h7h6,g7g6,b7b6,c7c6"]);
        assert!(matches!(referee(&mut game.clone(), "e1a1,a3a4,b2b3,b3b4,c2c3"), Err(Breach::Illegal(1, ..))));
        referee(&mut game, "e1h1,a3a4,b2b3,b3b4,c2c3").unwrap();
        assert_eq!(game.turns()[4].1[0].to_string(), "e1g1");
    }
}
