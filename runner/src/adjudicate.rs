//! Ends of games that are no result over the board. All but one are off unless the plan asks for them: who overruns his time
//! against an opponent that could not have won draws. The number of turns is a
//! fact; resignations and draws by score believe what players say of their positions, so a plan that wants them must say so.

use crescendo::rules::game::Game;
use crescendo::types::Color;
use serde::{Deserialize, Serialize};

/// What a mate counts in centipawns, more than any score.
const MATE: i32 = 30_000;

/// What the plan asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A game in which this turn has been played is a draw.
    pub max_turns: Option<u16>,
    /// When a player has lost by his own account.
    pub resign: Option<Resign>,
    /// When both call it even.
    pub draw: Option<DrawByScore>,
}

/// A player has lost when he says so for some turns on end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// So many centipawns behind.
    pub score: i32,
    /// In so many of his turns.
    pub count: usize,
    /// The winner must say the same in as many of his.
    pub two_sided: bool,
}

/// A game is drawn when both players call it even for some turns on end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawByScore {
    /// Within so many centipawns.
    pub score: i32,
    /// In so many turns of each.
    pub count: usize,
    /// Not before this turn has been played.
    pub after: u16,
}

/// What a player said of his position in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub color: Color,
    /// Centipawns from his side, if he gave any score.
    pub score: Option<i32>,
}

impl Said {
    /// From the numbers of an `info` line.
    #[must_use]
    pub fn new(color: Color, cp: Option<i32>, mate: Option<i32>) -> Self {
        let mate = mate.map(|series| if series > 0 { MATE } else { -MATE });
        Self { color, score: mate.or(cp) }
    }
}

/// Why a game was ended by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// A draw, since the last turn that the plan allows has been played.
    MaxTurns,
    /// A draw, since both players call it even.
    EvenScores,
    /// White has lost by his own account.
    WhiteResigns,
    /// Black has lost by his own account.
    BlackResigns,
    /// A draw, since the opponent of a player who overran his time could not have won.
    TimeAgainstBareKing,
}

impl Ruling {
    /// The word for reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::MaxTurns => "max-turns",
            Self::EvenScores => "even-scores",
            Self::WhiteResigns => "white-resigns",
            Self::BlackResigns => "black-resigns",
            Self::TimeAgainstBareKing => "time-against-bare-king",
        }
    }

    /// Who has won, if anybody.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::MaxTurns | Self::EvenScores | Self::TimeAgainstBareKing => None,
            Self::WhiteResigns => Some(Color::Black),
            Self::BlackResigns => Some(Color::White),
        }
    }
}

impl Adjudication {
    /// Judges a game that is not over, between turns. `said` has the turns that were asked for, the last one last.
    #[must_use]
    pub fn judge(&self, game: &Game, said: &[Said]) -> Option<Ruling> {
        let next = game.current().turn().number();
        let resigns = |color: Color| self.resign.is_some_and(|resign| resign.holds(said, color));
        if resigns(Color::White) {
            Some(Ruling::WhiteResigns)
        } else if resigns(Color::Black) {
            Some(Ruling::BlackResigns)
        } else if self.draw.is_some_and(|draw| next > draw.after && draw.holds(said)) {
            Some(Ruling::EvenScores)
        } else {
            self.max_turns.is_some_and(|max| next > max).then_some(Ruling::MaxTurns)
        }
    }
}

/// Whether a player cannot win this game by any moves of both: where mate decides he has only his king left, which can neither give
/// check nor become more than a king (in Circe only men that are captured come back, and he has none).
#[must_use]
pub fn cannot_win(game: &Game, color: Color) -> bool {
    let now = game.current();
    let men = if now.color() == color { now.board().us() } else { now.board().them() };
    now.rules().has_mate() && men.len() == 1
}

/// Whether a player's last `count` turns all have a score for which `test` holds.
fn last(said: &[Said], color: Color, count: usize, test: impl Fn(i32) -> bool) -> bool {
    let own = said.iter().rev().filter(|said| said.color == color).take(count);
    own.filter(|said| said.score.is_some_and(&test)).count() == count
}

impl Resign {
    fn holds(&self, said: &[Said], loser: Color) -> bool {
        last(said, loser, self.count, |score| score <= -self.score)
            && (!self.two_sided || last(said, !loser, self.count, |score| score >= self.score))
    }
}

impl DrawByScore {
    fn holds(&self, said: &[Said]) -> bool {
        [Color::White, Color::Black]
            .iter()
            .all(|&color| last(said, color, self.count, |score| score.abs() <= self.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::ITALIAN;

    fn judged(rule: &Adjudication, scores: &[Option<i32>]) -> Option<Ruling> {
        let colors = [Color::White, Color::Black].into_iter().cycle();
        let said: Vec<Said> = colors.zip(scores).map(|(color, &cp)| Said::new(color, cp, None)).collect();
        rule.judge(&Game::new(&ITALIAN), &said)
    }

    #[test]
    fn resignation_needs_a_row_of_scores_of_both() {
        let resign = Resign { score: 900, count: 2, two_sided: true };
        let two = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let one = Adjudication { resign: Some(Resign { two_sided: false, ..resign }), ..two };
        let lost = [Some(-900), Some(950), Some(-1000), Some(900)];
        assert_eq!(judged(&two, &lost), Some(Ruling::WhiteResigns));
        assert_eq!((judged(&two, &lost[..3]), judged(&one, &lost[..3])), (None, Some(Ruling::WhiteResigns)));
        assert_eq!(judged(&one, &[Some(-900), None, Some(0), None, Some(-900)]), None);
        assert_eq!(judged(&one, &[Some(-900), None, None, None, Some(-900)]), None);
        assert_eq!(judged(&one, &[None, Some(-901), None, Some(-901)]), Some(Ruling::BlackResigns));
        assert_eq!(Said::new(Color::White, Some(5), Some(-2)).score, Some(-MATE));
        assert_eq!(Ruling::BlackResigns.winner(), Some(Color::White));
    }

    #[test]
    fn even_scores_are_a_draw_only_late() {
        let draw = DrawByScore { score: 10, count: 2, after: 0 };
        let rule = Adjudication { draw: Some(draw), ..Adjudication::default() };
        let even = [Some(10), Some(-10), Some(0), Some(3)];
        assert_eq!((judged(&rule, &even), judged(&rule, &even[..3])), (Some(Ruling::EvenScores), None));
        let late = Adjudication { draw: Some(DrawByScore { after: 1, ..draw }), ..rule };
        assert_eq!(judged(&late, &even), None);
        assert_eq!(judged(&Adjudication::default(), &even), None);
    }
}
