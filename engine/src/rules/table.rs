//! The rule sets, one row each. A tenth game is one more row, or one more arm of an enum here and where it is asked.

use crate::types::turn::Turn;

/// One game: its names and its rules. Compared by name; there is one static row for each.
#[derive(Debug)]
pub struct Rules {
    /// The name in files and on the command line.
    pub name: &'static str,
    /// The value of the option `UCI_Variant`.
    pub variant: &'static str,
    /// The value of the PGN tag `Variant`.
    pub pgn: &'static str,
    /// How many moves a turn allows.
    pub quota: Quota,
    /// What wins.
    pub goal: Goal,
    /// Which men may move next.
    pub order: Order,
    /// How pawns leave home, and what that exposes them to.
    pub pawns: PawnStart,
    /// Whether castling exists.
    pub castling: bool,
    /// What becomes of captured men.
    pub captures: Captures,
}

/// How many moves a turn allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quota {
    /// Turn n allows n moves.
    Progressive,
    /// One move in turn 1, then always two. Positions can come back, so repetition and 100 quiet turns draw.
    Double,
}

/// What wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate, under this check rule.
    Mate(Check),
    /// Capturing every enemy man; kings are men like others.
    TakeAll,
}

/// When a check may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Only by the last move of the full quota (Italian).
    LastPlyOnly,
    /// At any time, and it ends the series (Scottish).
    EndsSeries,
}

/// Which men may move next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Any man.
    Free,
    /// Every mobile man once before any moves again (English).
    Balanced,
}

/// How pawns leave home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PawnStart {
    /// One step only.
    Single,
    /// Two steps allowed, no en passant.
    Double,
    /// Two steps allowed, and the opponent may answer en passant.
    DoubleEnPassant(Reply),
}

/// With which moves of the next turn an en passant capture can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Only the first.
    FirstMove,
    /// The first, and further targets right after an en passant capture (Marseillais).
    AfterCapture,
}

/// What becomes of captured men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captures {
    /// They are gone.
    Remove,
    /// They are reborn on their home squares (Circe).
    Rebirth,
}

/// Only the last move may give check. The default.
pub static ITALIAN: Rules = Rules {
    name: "italian",
    variant: "progressive",
    pgn: "Progressive",
    quota: Quota::Progressive,
    goal: Goal::Mate(Check::LastPlyOnly),
    order: Order::Free,
    pawns: PawnStart::DoubleEnPassant(Reply::FirstMove),
    castling: true,
    captures: Captures::Remove,
};

/// As Italian, except: a check ends the series.
pub static SCOTTISH: Rules = Rules {
    name: "scottish",
    variant: "scottishprogressive",
    pgn: "Scottish Progressive",
    goal: Goal::Mate(Check::EndsSeries),
    ..ITALIAN
};

/// As Scottish, except: balance, and no en passant.
pub static ENGLISH: Rules = Rules {
    name: "english",
    variant: "englishprogressive",
    pgn: "English Progressive",
    order: Order::Balanced,
    pawns: PawnStart::Double,
    ..SCOTTISH
};

/// As Italian, except: no castling, no double step.
pub static LOGICAL: Rules = Rules {
    name: "logical",
    variant: "logicalprogressive",
    pgn: "Logical Progressive",
    pawns: PawnStart::Single,
    castling: false,
    ..ITALIAN
};

/// As Scottish, except: no castling, no double step.
pub static LOGICAL_SCOTTISH: Rules = Rules {
    name: "logical-scottish",
    variant: "logicalscottishprogressive",
    pgn: "Scottish Logical Progressive",
    goal: Goal::Mate(Check::EndsSeries),
    ..LOGICAL
};

/// As Italian, except: capture everything; kings are not royal.
pub static TAKE_ALL: Rules = Rules {
    name: "takeall",
    variant: "takeallprogressive",
    pgn: "Progressive Take-All",
    goal: Goal::TakeAll,
    ..ITALIAN
};

/// As Italian, except: captured men are reborn.
pub static CIRCE: Rules = Rules {
    name: "circe",
    variant: "circeprogressive",
    pgn: "Circe Progressive",
    captures: Captures::Rebirth,
    ..ITALIAN
};

/// As Scottish, except: captured men are reborn.
pub static CIRCE_SCOTTISH: Rules = Rules {
    name: "circe-scottish",
    variant: "circescottishprogressive",
    pgn: "Scottish Circe Progressive",
    captures: Captures::Rebirth,
    ..SCOTTISH
};

/// As Scottish, except: two moves a turn.
pub static MARSEILLAIS: Rules = Rules {
    name: "marseillais",
    variant: "marseillais",
    pgn: "Marseillais",
    quota: Quota::Double,
    pawns: PawnStart::DoubleEnPassant(Reply::AfterCapture),
    ..SCOTTISH
};

/// Every game, the default first.
pub static ALL: [&Rules; 9] =
    [&ITALIAN, &SCOTTISH, &ENGLISH, &LOGICAL, &LOGICAL_SCOTTISH, &TAKE_ALL, &CIRCE, &CIRCE_SCOTTISH, &MARSEILLAIS];

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Rules {}

impl Rules {
    /// The game of this name: any of its three names; case, hyphens and blanks do not matter.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
        };
        let wanted = plain(name);
        ALL.into_iter().find(|rules| [rules.name, rules.variant, rules.pgn].into_iter().any(|n| plain(n) == wanted))
    }

    /// How many moves `turn` allows, 1 to 255 (also for the turn after the last, which is never played).
    #[inline]
    #[must_use]
    pub const fn quota(&self, turn: Turn) -> u8 {
        match self.quota {
            Quota::Progressive if turn.is_past_last() => u8::MAX,
            Quota::Progressive => turn.number() as u8,
            Quota::Double if turn.number() == 1 => 1,
            Quota::Double => 2,
        }
    }

    /// How many quiet turns in a row there may be before the game is, or is about to be, a draw.
    #[must_use]
    pub const fn quiet_limit(&self) -> u8 {
        match self.quota {
            Quota::Progressive => 10,
            Quota::Double => 100,
        }
    }

    /// Whether only the last move of the quota may give check.
    #[inline]
    #[must_use]
    pub const fn is_italian(&self) -> bool {
        matches!(self.goal, Goal::Mate(Check::LastPlyOnly))
    }

    /// Whether kings are royal, so that mate decides.
    #[inline]
    #[must_use]
    pub const fn has_mate(&self) -> bool {
        matches!(self.goal, Goal::Mate(_))
    }

    /// Whether a check given before the quota is used up ends the series.
    #[inline]
    #[must_use]
    pub const fn check_ends_series(&self) -> bool {
        matches!(self.goal, Goal::Mate(Check::EndsSeries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_row() {
        for rules in ALL {
            for name in [rules.name, rules.variant, rules.pgn] {
                assert_eq!(Rules::by_name(name), Some(rules), "{name}");
            }
        }
        assert_eq!(Rules::by_name("Logical Scottish"), Some(&LOGICAL_SCOTTISH));
        assert_eq!(Rules::by_name("chess"), None);
    }

    #[test]
    fn quotas() {
        let turn = |n| Turn::new(n).unwrap();
        assert_eq!([1, 2, 7, 255].map(|n| ITALIAN.quota(turn(n))), [1, 2, 7, 255]);
        assert_eq!([1, 2, 7, 255].map(|n| MARSEILLAIS.quota(turn(n))), [1, 2, 2, 2]);
    }
}
