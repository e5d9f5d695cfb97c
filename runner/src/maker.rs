//! Makes openings, and proves that there is a game in them: the side to move has no series-mate, and has a series after which the
//! opponent has none.

use crate::opening::Opening;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::position::Position;
use crescendo::rules::table::Rules;
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::moves::Move;
use crescendo::types::series::Series;
use crescendo::types::{BitBoard, Role};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::fmt;

/// How many nodes a proof may take. A question that takes more is left out of a suite.
pub const NODES: u64 = 20_000_000;
/// How many series are tried as the one after which the opponent has no mate.
const TRIES: usize = 60;
/// The table of the solver; with its long keys, since a suite publishes that there is no mate.
const TABLE_BYTES: usize = 16 << 20;
/// How much more material than the opponent's a side may have, in pawns.
const ODDS: i32 = 1;

/// An opening that has been proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The moves, as a suite has them.
    pub text: String,
    /// A series of the side to move after which the opponent has no series-mate.
    pub safe: Series,
}

/// Why a position is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The side to move mates.
    #[error("the side to move mates with {0}")]
    Mate(Series),
    /// The solver did not finish.
    #[error("not proved within {NODES} nodes that there is no series-mate")]
    Unproved,
    /// Every series that was tried lets the opponent mate.
    #[error("no series found after which the opponent has no series-mate ({TRIES} tried)")]
    NoSafeSeries,
}

/// Proves openings.
pub struct Prover {
    solver: Solver,
}

impl fmt::Debug for Prover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prover").finish_non_exhaustive()
    }
}

impl Default for Prover {
    fn default() -> Self {
        Self { solver: Solver::proving(TABLE_BYTES) }
    }
}

impl Prover {
    /// Proves that there is a game in this position; `hint` is tried first. The answer is a safe series.
    ///
    /// # Errors
    /// What is wrong, or what could not be proved.
    pub fn prove(&mut self, game: &Game, hint: Option<&Series>, rng: &mut ChaCha8Rng) -> Result<Series, Flaw> {
        let now = game.current();
        match self.solver.solve(now, &Limits::nodes(NODES)).verdict {
            Verdict::Mate(series) => return Err(Flaw::Mate(series)),
            Verdict::Unknown(_) => return Err(Flaw::Unproved),
            Verdict::NoMate => {}
        }
        let tries = (0..TRIES).map(|_| random_series(now, rng));
        for series in hint.cloned().into_iter().chain(tries) {
            if let Some(next) = after(now, &series)
                && next.outcome().is_none()
                && self.solver.solve(&next.begin(), &Limits::nodes(NODES)).verdict == Verdict::NoMate
            {
                return Ok(series);
            }
        }
        Err(Flaw::NoSafeSeries)
    }
}

/// The position after a whole series, if it is one and the game goes on.
fn after(now: &Midturn, series: &Series) -> Option<Position> {
    match now.end_of(series)? {
        SeriesEnd::Turn(position) => Some(position),
        SeriesEnd::Game(_) => None,
    }
}

/// A number below `bound`, by the rule of the multiplication's high half.
fn below(bound: usize, rng: &mut ChaCha8Rng) -> usize {
    // Less than `bound`, so it fits.
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// Random moves to the end of the turn. Under the Italian rules a series can run into a stalemate; then it is not whole.
fn random_series(now: &Midturn, rng: &mut ChaCha8Rng) -> Series {
    let (mut now, mut series) = (*now, Series::default());
    loop {
        let legal = now.legal();
        if legal.is_empty() {
            return series;
        }
        let mv = legal[below(legal.len(), rng)];
        series.push(mv);
        if now.play_unchecked(mv) != Progress::More {
            return series;
        }
    }
}

/// Makes `count` different openings of two or three turns, half of each, with the first moves dealt out evenly. `on_made` hears of
/// each as it is found.
#[must_use]
pub fn make(rules: &'static Rules, count: usize, seed: u64, on_made: &mut dyn FnMut(&Proved)) -> Vec<Proved> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut prover = Prover::default();
    let mut seen = HashSet::new();
    let mut made = Vec::with_capacity(count);
    let mut first = Vec::new();
    while made.len() < count {
        let turns = 2 + made.len() % 2;
        if first.is_empty() {
            first = Game::new(rules).legal().to_vec();
        }
        let deal = below(first.len(), &mut rng);
        let Some(game) = candidate(rules, first[deal], turns, &mut rng) else { continue };
        let Some(position) = game.current().position() else { continue };
        if !is_even(&position) || seen.contains(&position.repetition_key()) {
            continue;
        }
        if let Ok(safe) = prover.prove(&game, None, &mut rng) {
            // Only now is the first move used up: each comes equally often among the openings that are kept.
            first.swap_remove(deal);
            seen.insert(position.repetition_key());
            let series: Vec<String> = game.turns().iter().map(|(_, series)| series.to_string()).collect();
            let proved = Proved { text: series.join(" "), safe };
            on_made(&proved);
            made.push(proved);
        }
    }
    made
}

/// A random game of so many turns that begins with `first`; nothing if it is over by then.
fn candidate(rules: &'static Rules, first: Move, turns: usize, rng: &mut ChaCha8Rng) -> Option<Game> {
    let mut game = Game::new(rules);
    game.play(first).ok()?;
    for _ in 1..turns {
        for mv in random_series(game.current(), rng).iter() {
            game.play(*mv).ok()?;
        }
    }
    (game.outcome().is_none() && game.turns().len() == turns).then_some(game)
}

/// Whether neither side is more than a pawn ahead.
fn is_even(position: &Position) -> bool {
    let board = position.board();
    let worth = |side: BitBoard| -> i32 {
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
            .into_iter()
            .map(|(role, pawns)| pawns * (side & board.role(role)).len() as i32)
            .sum()
    };
    (worth(board.us()) - worth(board.them())).abs() <= ODDS
}

/// Proves a line of a suite again. The comment may name the safe series as [`safe_comment`] writes it.
///
/// # Errors
/// What is wrong.
pub fn check(opening: &Opening, comment: &str, prover: &mut Prover) -> Result<(), Flaw> {
    let hint = comment.trim().strip_prefix("safe ").and_then(|text| text.split_whitespace().next()?.parse().ok());
    prover.prove(&opening.game(), hint.as_ref(), &mut ChaCha8Rng::seed_from_u64(1)).map(|_| ())
}

/// The comment that carries the proof.
#[must_use]
pub fn safe_comment(proved: &Proved) -> String {
    format!("safe {}", proved.safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::table::{ITALIAN, SCOTTISH};

    #[test]
    fn made_openings_differ_and_can_be_proved_again() {
        for rules in [&ITALIAN, &SCOTTISH] {
            let made = make(rules, 4, 7, &mut |_| {});
            assert_eq!(made, make(rules, 4, 7, &mut |_| {}));
            let texts: HashSet<&str> = made.iter().map(|proved| proved.text.as_str()).collect();
            assert_eq!(texts.len(), 4);
            for proved in &made {
                let opening = Opening::parse(&proved.text, rules).unwrap();
                assert_eq!(check(&opening, &safe_comment(proved), &mut Prover::default()), Ok(()));
            }
        }
    }

    #[test]
    fn an_opening_with_a_mate_in_it_is_found_out() {
        let opening = Opening::parse("e2e4 f7f6,g7g5", &ITALIAN).unwrap();
        let flaw = check(&opening, "", &mut Prover::default()).unwrap_err();
        assert!(matches!(flaw, Flaw::Mate(_)), "{flaw}");
    }
}
