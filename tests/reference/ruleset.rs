//! The nine rule sets, each as the answers to the questions the other files ask.

use super::man::Role;

/// The names of the rule sets.
pub(crate) const NAMES: [&str; 9] = [
    "italian",
    "scottish",
    "english",
    "logical",
    "logical-scottish",
    "takeall",
    "circe",
    "circe-scottish",
    "marseillais",
];

/// What a check does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckRule {
    /// Italian: only the last move of the full quota may give check.
    LastMoveOnly,
    /// Scottish: a check is always legal and ends the series.
    EndsSeries,
    /// Take-all: there is no such thing as a check.
    None,
}

/// One game's rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleSet {
    /// What a check does; `CheckRule::None` is take-all.
    pub(crate) check: CheckRule,
    /// Quota 1, then always 2; e.p. twice in a turn; repetition and 100 turns instead of ten turns.
    pub(crate) marseillais: bool,
    /// English balance.
    pub(crate) balance: bool,
    /// Circe: captured men are reborn.
    pub(crate) rebirth: bool,
    /// Whether castling exists.
    pub(crate) castling: bool,
    /// Whether a pawn may make a double step.
    pub(crate) double_step: bool,
    /// Whether en passant exists.
    pub(crate) en_passant: bool,
}

impl RuleSet {
    /// The rule set of that name.
    pub(crate) fn from_name(name: &str) -> Option<RuleSet> {
        let check = match name {
            "italian" | "logical" | "circe" => CheckRule::LastMoveOnly,
            "scottish" | "english" | "logical-scottish" | "circe-scottish" | "marseillais" => CheckRule::EndsSeries,
            "takeall" => CheckRule::None,
            _ => return None,
        };
        let logical = name == "logical" || name == "logical-scottish";
        let english = name == "english";
        Some(RuleSet {
            check,
            marseillais: name == "marseillais",
            balance: english,
            rebirth: name == "circe" || name == "circe-scottish",
            castling: !logical,
            double_step: !logical,
            en_passant: !logical && !english,
        })
    }

    /// How many moves a turn allows.
    pub(crate) fn quota(&self, turn: u16) -> u16 {
        if self.marseillais { turn.min(2) } else { turn }
    }

    /// Whether the kings are royal: everywhere but in take-all.
    pub(crate) fn is_royal(&self) -> bool {
        self.check != CheckRule::None
    }

    /// The quiet turns after which the last turn to mate begins (common rule 7), or, in Marseillais, the game is drawn.
    pub(crate) fn quiet_limit(&self) -> u16 {
        if self.marseillais { 100 } else { 10 }
    }

    /// What a pawn may become; in take-all also a king.
    pub(crate) fn promotions(&self) -> &'static [Role] {
        const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King];
        if self.is_royal() { &ROLES[..4] } else { &ROLES }
    }
}
