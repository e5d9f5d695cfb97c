//! Move lists in the protocol's three forms: series with commas, single moves, single moves padded with `0000`.
//!
//! Everything is played move by move under the game's own rules and nothing is guessed: the first move that is not legal ends
//! the reading with an error that names turn, leg and reason.

use super::fen::{self, FenError};
use super::game::{Game, PlayError};
use super::illegal::IllegalMove;
use super::midturn::{Midturn, Progress, SeriesEnd};
use super::outcome::Outcome;
use super::setup::Strictness;
use super::table::Rules;
use crate::types::moves::{Move, MoveSyntax};
use crate::types::series::Series;
use crate::types::turn::Turn;
use crate::types::{File, Rank, Role, Square};

/// Where in a move list something is wrong, and the text that is wrong there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turn {turn} leg {leg} '{text}'")]
pub struct Place {
    /// The turn.
    pub turn: Turn,
    /// Which move of the turn, from 1.
    pub leg: u8,
    /// The move or the item as written.
    pub text: String,
}

impl Place {
    fn of(midturn: &Midturn, text: &str) -> Self {
        let played = midturn.rules().quota(midturn.turn()) - midturn.left();
        Self { turn: midturn.turn(), leg: played.saturating_add(1), text: text.into() }
    }
}

/// Why a move list is refused. The text begins with the protocol's code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveListError {
    /// Not a move.
    #[error("move-syntax: {0}: {1}")]
    Syntax(Place, MoveSyntax),
    /// Not a legal move.
    #[error("move-illegal: {0}: {1}")]
    Illegal(Place, IllegalMove),
    /// Italian: a check before the last move of the quota.
    #[error("move-early-check: {0} gives check before the last move")]
    EarlyCheck(Place),
    /// A pass where no series is running.
    #[error("move-illegal: {0}: a pass is read only inside a running series")]
    Pass(Place),
    /// An item with more moves than its series has left.
    #[error("series-too-long: {0} runs past the end of its series")]
    TooLong(Place),
    /// An item with several moves that stops short of its series' end, with more items behind it.
    #[error("series-incomplete: {0}: {1} more to play before the next item")]
    Incomplete(Place, u8),
    /// A move after the end of the game.
    #[error("game-over: {0}: the game is over: {1}")]
    Over(Place, Outcome),
}

/// Why a game that was written down cannot be played again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// No rule set has this name.
    #[error("unknown rule set '{0}'")]
    Rules(String),
    /// The position it began with.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Its moves.
    #[error(transparent)]
    Moves(#[from] MoveListError),
}

/// The game that a journal's line tells of: the name of its rules, the position it began with if that is not their start, and its move list.
///
/// # Errors
/// See [`ReplayError`].
pub fn replay(rules: &str, fen: Option<&str>, moves: &str) -> Result<Game, ReplayError> {
    let rules = Rules::by_name(rules).ok_or_else(|| ReplayError::Rules(rules.to_owned()))?;
    let mut game = match fen {
        None => Game::new(rules),
        Some(text) => Game::from_entry(fen::read(text, rules, Strictness::Lenient)?.0),
    };
    play_items(&mut game, moves.split_whitespace())?;
    Ok(game)
}

/// Plays the items of a move list. On an error the game is where the last good move left it: the caller drops it.
///
/// # Errors
/// See [`MoveListError`].
pub fn play_items<'a>(game: &mut Game, items: impl IntoIterator<Item = &'a str>) -> Result<(), MoveListError> {
    let mut items = items.into_iter().peekable();
    while let Some(item) = items.next() {
        if item == "0000" {
            check_pass(game)?;
            continue;
        }
        let begins = *game.current();
        let mut series_over = false;
        for text in item.split(',') {
            if series_over && game.outcome().is_none() {
                return Err(MoveListError::TooLong(Place::of(&begins, item)));
            }
            series_over = play_leg(game, text)? != Progress::More;
        }
        if item.contains(',') && !series_over && items.peek().is_some() {
            return Err(MoveListError::Incomplete(Place::of(&begins, item), game.current().left()));
        }
    }
    Ok(())
}

fn play_leg(game: &mut Game, text: &str) -> Result<Progress, MoveListError> {
    let place = || Place::of(game.current(), text);
    let mv = text.parse().map_err(|e| MoveListError::Syntax(place(), e))?;
    let here = place();
    game.play(as_written_here(game.current(), mv)).map_err(|e| refusal(here, e))
}

fn refusal(place: Place, error: PlayError) -> MoveListError {
    match error {
        PlayError::Over(outcome) | PlayError::Illegal(IllegalMove::GameOver(outcome)) => {
            MoveListError::Over(place, outcome)
        }
        PlayError::Illegal(IllegalMove::EarlyCheck) => MoveListError::EarlyCheck(place),
        PlayError::Illegal(reason) => MoveListError::Illegal(place, reason),
    }
}

/// A pass changes nothing; it stands between the moves of a series where ordinary tools need the colors to alternate.
fn check_pass(game: &Game) -> Result<(), MoveListError> {
    let place = Place::of(game.current(), "0000");
    match game.outcome() {
        Some(outcome) => Err(MoveListError::Over(place, outcome)),
        None if game.current().is_fresh() => Err(MoveListError::Pass(place)),
        None => Ok(()),
    }
}

/// Reads the first moves of a series, to be played from here; it may be complete.
///
/// # Errors
/// See [`MoveListError`].
pub fn read_prefix(midturn: &Midturn, item: &str) -> Result<Series, MoveListError> {
    let mut now = *midturn;
    let mut prefix = Series::default();
    let mut over = None;
    for text in item.split(',') {
        let place = Place::of(&now, text);
        match over {
            Some(SeriesEnd::Game(outcome)) => return Err(MoveListError::Over(place, outcome)),
            Some(SeriesEnd::Turn(_)) => return Err(MoveListError::TooLong(Place::of(midturn, item))),
            None => {}
        }
        let mv: Move = text.parse().map_err(|e| MoveListError::Syntax(place.clone(), e))?;
        let mv = as_written_here(&now, mv);
        if let Progress::Over(end) = now.play(mv).map_err(|e| refusal(place, e.into()))? {
            over = Some(end);
        }
        prefix.push(mv);
    }
    Ok(prefix)
}

/// The move as the rules write it: castling given as king takes own rook becomes the king's two-square step, where that right
/// exists. Other moves stay as they are.
#[must_use]
pub fn as_written_here(midturn: &Midturn, mv: Move) -> Move {
    let (board, seen) = (midturn.board(), mv.seen_by(midturn.color()));
    let is_castling = seen.promotion().is_none()
        && seen.from() == Square::E1
        && board.ours(Role::King).has(Square::E1)
        && board.castling().has(seen.to());
    if !is_castling {
        return mv;
    }
    let file = if seen.to().file() == File::H { File::G } else { File::C };
    Move::new(Square::E1, Square::new(file, Rank::First)).seen_by(midturn.color())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;
    use crate::rules::setup::Strictness;
    use crate::rules::table::{ITALIAN, SCOTTISH};

    fn play(list: &str) -> Result<Game, String> {
        let mut game = Game::new(&ITALIAN);
        play_items(&mut game, list.split_whitespace()).map_err(|e| e.to_string()).map(|()| game)
    }

    fn error(list: &str) -> String {
        play(list).expect_err(list)
    }

    #[test]
    fn three_forms_of_one_game() {
        let forms = [
            "e2e4 e7e5,g8f6 f1c4,d1h5,h5f7",
            "e2e4 e7e5 g8f6 f1c4 d1h5 h5f7",
            "e2e4 e7e5 0000 g8f6 f1c4 0000 d1h5 0000 h5f7",
            "e2e4 e7e5 g8f6 f1c4 d1h5,h5f7",
        ];
        for form in forms {
            let game = play(form).unwrap();
            assert_eq!(game.outcome().unwrap().to_string(), "1-0 mate", "{form}");
        }
        assert_eq!(play("e2e4 e7e5,g8f6 f1c4,d1h5").unwrap().current().left(), 1);
    }

    #[test]
    fn errors_name_turn_leg_and_reason() {
        assert_eq!(error("e2e4 e7e5,d8h4 e2e3"), "move-illegal: turn 3 leg 1 'e2e3': no man on e2");
        let early = "e2e4 e7e5,d7d6 f2f4,a2a3,b2b3 a7a6,d8h4";
        assert_eq!(error(early), "move-early-check: turn 4 leg 2 'd8h4' gives check before the last move");
        assert!(error("e2e4 e7e5,g8f6,b8c6").starts_with("series-too-long: turn 2 leg 1 'e7e5,g8f6,b8c6'"));
        assert!(
            error("e2e4 e7e5,g8f6 f1c4,d1h5 a7a6").starts_with("series-incomplete: turn 3 leg 1 'f1c4,d1h5': 1 more")
        );
        assert!(error("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7 a7a6").starts_with("game-over: turn 4 leg 1 'a7a6'"));
        assert!(error("0000").starts_with("move-illegal: turn 1 leg 1 '0000': a pass"));
        assert!(error("e2e4 e7e5,0000,g8f6").starts_with("move-syntax: turn 2 leg 2 '0000'"));
        assert!(error("e2e4 ,").starts_with("move-syntax: turn 2 leg 1 ''"));
    }

    #[test]
    fn castling_as_king_takes_rook() {
        let entry = |fen: &str| fen::read(fen, &SCOTTISH, Strictness::Lenient).unwrap().0;
        let start = entry("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 3");
        let after = |item: &str| {
            let mut game = Game::from_entry(start);
            play_items(&mut game, [item]).map_err(|e| e.to_string()).map(|()| game.current().fen())
        };
        assert_eq!(after("e1h1"), after("e1g1"));
        assert_eq!(after("e1a1"), after("e1c1"));
        assert!(after("e1h1").is_ok() && after("e1c1").is_ok());
        let without = entry("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 3").midturn();
        assert!(read_prefix(&without, "e1h1").is_err());
        assert_eq!(read_prefix(&without, "e1a1").unwrap().to_string(), "e1c1");
    }

    #[test]
    fn prefixes_are_legal_or_refused() {
        let start = *Game::new(&ITALIAN).current();
        assert_eq!(read_prefix(&start, "e2e4").unwrap().to_string(), "e2e4");
        assert!(read_prefix(&start, "e2e5").unwrap_err().to_string().starts_with("move-illegal"));
        assert!(read_prefix(&start, "e2e4,d2d4").unwrap_err().to_string().starts_with("series-too-long"));
        assert!(read_prefix(&start, "x").unwrap_err().to_string().starts_with("move-syntax"));
    }
}
