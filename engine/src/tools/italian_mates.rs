//! Italian mates seen by the Scottish rules: does a mate follow all the same?

use crate::rules::fen;
use crate::rules::game::Game;
use crate::rules::midturn::{Midturn, Progress, SeriesEnd};
use crate::rules::outcome::{Outcome, WinBy};
use crate::rules::setup::Strictness;
use crate::rules::table::{CIRCE_SCOTTISH, LOGICAL_SCOTTISH, Rules, SCOTTISH};
use crate::solver::{self, Solver, Verdict};
use std::collections::BTreeSet;
use std::fmt;

/// Memory of the solver's table.
const TABLE_BYTES: usize = 64 << 20;

/// What bounds a study.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The solver's nodes for each parry.
    pub(crate) nodes: u64,
}

/// What comes after an Italian mate, if the Scottish rules are then played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    /// A mate follows whichever parry is played.
    Always,
    /// After some parries, not after others.
    Sometimes,
    /// After none.
    Never,
    /// A limit came first.
    Open,
}

/// An Italian mate.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The mated position.
    fen: String,
    parries: usize,
    after: After,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = match self.after {
            After::Always => "a mate follows",
            After::Sometimes => "a mate follows some parries only",
            After::Never => "no mate follows",
            After::Open => "not known whether a mate follows",
        };
        write!(f, "{}: {} {}, {after}", self.fen, self.parries, if self.parries == 1 { "parry" } else { "parries" })
    }
}

/// Counts over games.
pub(crate) struct Study {
    solver: Solver,
    limits: Limits,
    /// Games looked at, of them those that ended in mate, Italian ones included.
    games: u64,
    mates: u64,
    other: u64,
    /// By [`After`].
    italian: [u64; 4],
    /// The positions in which the Italian mates stand: games of one opening may end alike.
    positions: BTreeSet<String>,
}

impl Study {
    /// Nothing counted yet.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            solver: Solver::proving(TABLE_BYTES),
            limits,
            games: 0,
            mates: 0,
            other: 0,
            italian: [0; 4],
            positions: BTreeSet::new(),
        }
    }

    /// Counts a game; tells of it if it ended in an Italian mate.
    pub(crate) fn add(&mut self, game: &Game) -> Option<Found> {
        let Some(scottish) = with_scottish_check(game.rules()) else {
            self.other += 1;
            return None;
        };
        self.games += 1;
        let Some(Outcome::Win { by, .. }) = game.outcome() else { return None };
        self.mates += 1;
        if by != WinBy::ItalianMate {
            return None;
        }
        let fen = game.current().fen();
        let (entry, _) = fen::read(&fen, scottish, Strictness::Lenient).ok()?;
        let (parries, after) = self.judge(&entry.midturn());
        self.italian[after as usize] += 1;
        self.positions.insert(fen.clone());
        Some(Found { fen, parries, after })
    }

    /// The parries of the mated side under the Scottish rules, and whether the other side mates after them. Every one gives check, or it would have been
    /// a parry under the Italian rules too; so each is a whole series.
    fn judge(&mut self, mated: &Midturn) -> (usize, After) {
        let (mut parries, mut mates, mut is_open) = (0, 0, false);
        for mv in mated.legal() {
            parries += 1;
            let mut now = *mated;
            let Progress::Over(SeriesEnd::Turn(position)) = now.play_unchecked(mv) else { continue };
            // The parry may be a mate itself.
            if position.outcome().is_some() {
                continue;
            }
            match self.solver.solve(&position.begin(), &solver::Limits::nodes(self.limits.nodes)).verdict {
                Verdict::Mate(_) => mates += 1,
                Verdict::NoMate => {}
                Verdict::Unknown(_) => is_open = true,
            }
        }
        let after = match mates {
            _ if is_open => After::Open,
            0 => After::Never,
            _ if mates == parries => After::Always,
            _ => After::Sometimes,
        };
        (parries, after)
    }

    /// Whether something was not found out.
    pub(crate) const fn is_open(&self) -> bool {
        self.italian[After::Open as usize] > 0
    }

    /// The counts in lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        let italian: u64 = self.italian.iter().sum();
        let share = |part: u64, whole: u64| {
            if whole == 0 { String::new() } else { format!(" ({:.1} %)", part as f64 * 100.0 / whole as f64) }
        };
        let count = |after: After| self.italian[after as usize];
        let mut lines = vec![
            format!("games under rules with the Italian check: {}", self.games),
            format!("mates: {}{}", self.mates, share(self.mates, self.games)),
            format!("Italian mates: {italian}{}, in {} positions", share(italian, self.mates), self.positions.len()),
        ];
        let rows = [
            (After::Always, "a mate follows whatever the parry"),
            (After::Sometimes, "a mate follows some parries only"),
            (After::Never, "no mate follows"),
            (After::Open, "not known"),
        ];
        for (after, name) in rows {
            lines.push(format!("  {name}: {}{}", count(after), share(count(after), italian)));
        }
        if self.other > 0 {
            lines.push(format!("games under other rules, left out: {}", self.other));
        }
        lines
    }
}

/// The same rules, but that a check ends the series; `None` for rules that have another check rule than the Italian.
fn with_scottish_check(rules: &'static Rules) -> Option<&'static Rules> {
    match rules.name {
        "italian" => Some(&SCOTTISH),
        "logical" => Some(&LOGICAL_SCOTTISH),
        "circe" => Some(&CIRCE_SCOTTISH),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::table::ITALIAN;

    fn game(rules: &'static Rules, fen: &str) -> Game {
        Game::from_entry(fen::read(fen, rules, Strictness::Strict).unwrap().0)
    }

    #[test]
    fn what_follows_is_counted() {
        let mut study = Study::new(Limits { nodes: u64::MAX });
        // The only parry is Na3, a check. Two rooks then mate in five moves; a rook that the pawn keeps off does not in three.
        let followed = study.add(&game(&ITALIAN, "k7/8/8/1R6/8/8/2K5/Rn6 b - - 0 4")).unwrap();
        assert_eq!((followed.parries, followed.after), (1, After::Always));
        let saved = study.add(&game(&ITALIAN, "k7/8/2P5/2p5/1p6/8/2K4B/Rn6 b - - 0 2")).unwrap();
        assert_eq!((saved.parries, saved.after), (1, After::Never));
        // An ordinary mate, a game that goes on, and one whose rules know no Italian mate.
        assert!(study.add(&game(&ITALIAN, "k6R/8/1K6/8/8/8/8/8 b - - 0 4")).is_none());
        assert!(study.add(&game(&ITALIAN, "k7/8/8/8/8/8/2K5/1R6 b - - 0 4")).is_none());
        assert!(study.add(&game(&SCOTTISH, "k7/8/8/1R6/8/8/2K5/Rn6 b - - 0 4")).is_none());
        let expected = [
            "games under rules with the Italian check: 4",
            "mates: 3 (75.0 %)",
            "Italian mates: 2 (66.7 %), in 2 positions",
            "  a mate follows whatever the parry: 1 (50.0 %)",
            "  a mate follows some parries only: 0 (0.0 %)",
            "  no mate follows: 1 (50.0 %)",
            "  not known: 0 (0.0 %)",
            "games under other rules, left out: 1",
        ];
        assert_eq!(study.lines(), expected);
        assert!(!study.is_open());
        let mut hasty = Study::new(Limits { nodes: 0 });
        assert_eq!(hasty.add(&game(&ITALIAN, "k7/8/8/1R6/8/8/2K5/Rn6 b - - 0 4")).unwrap().after, After::Open);
        assert!(hasty.is_open());
    }
}
