//! What was played in a position: series with their counts, results, and whether they lose to a mate by proof.
//!
//! Games that reach the position by other moves count too, and series that lead to the same position are one.

use super::read::StoredGame;
use crate::stats::counts::{Points, Wdl};
use crescendo::rules::midturn::{Midturn, Progress, SeriesEnd};
use crescendo::rules::notation::san;
use crescendo::rules::outcome::Outcome;
use crescendo::rules::position::Position;
use crescendo::solver::{Limits, Solver, Verdict};
use crescendo::types::Color;
use crescendo::types::series::Series;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The series played in one position.
#[derive(Debug)]
pub struct Explorer {
    position: Position,
    games: u64,
    /// By where they lead.
    ends: HashMap<u64, End>,
}

/// Where some series lead.
#[derive(Debug)]
struct End {
    /// How often each was played.
    series: BTreeMap<Series, u64>,
    next: Next,
    /// The mover's results.
    results: Wdl,
    unfinished: u64,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Turn(Position),
    Over(Outcome),
}

/// What is known of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "known", rename_all = "kebab-case")]
pub enum Known {
    /// It wins at once.
    Wins,
    /// The game is drawn with it.
    Draws,
    /// Proved: the opponent mates in the next turn, with this series.
    Loses {
        /// The mate.
        mate: String,
    },
    /// Proved: the opponent has no mate in the next turn.
    Safe,
    /// Not asked, or a limit came first.
    Open,
}

/// A line of the answer.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// The series in the protocol's form: of those that lead to the same position the most frequent.
    pub series: String,
    /// The same as people write it.
    pub san: String,
    /// How many orders of moves lead there.
    pub orders: usize,
    /// How many games have it.
    pub games: u64,
    /// Won by the mover.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost by the mover.
    pub lost: u64,
    /// The mover's mean score; absent without a finished game.
    pub score: Option<f64>,
    /// What is known of it.
    #[serde(flatten)]
    pub known: Known,
}

impl Explorer {
    /// Nothing played yet in this position.
    #[must_use]
    pub fn new(position: Position) -> Self {
        Self { position, games: 0, ends: HashMap::new() }
    }

    /// How many games came here and went on.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Counts a game, if it has the position.
    pub fn add(&mut self, stored: &StoredGame) {
        let game = &stored.game;
        if game.rules() != self.position.rules() {
            return;
        }
        // The turn of a position is part of it, so only one of the game's can be it; only the way up to there is replayed.
        let mut now = *game.start();
        for (turn, series) in game.turns() {
            if turn.number() == self.position.turn().number() {
                // The quiet count belongs to the way, not to the position.
                if now.position().is_some_and(|here| here.key() == self.position.key()) {
                    self.note(&now, series, stored.points);
                }
                return;
            }
            match play(&mut now, series) {
                Some(Next::Turn(position)) => now = position.begin(),
                Some(Next::Over(_)) | None => return,
            }
        }
    }

    fn note(&mut self, from: &Midturn, series: &Series, points: Option<Points>) {
        let mut now = *from;
        // A series that breaks off leads nowhere.
        let Some(next) = play(&mut now, series) else { return };
        let key = match next {
            Next::Turn(position) => position.key(),
            Next::Over(_) => now.key(),
        };
        self.games += 1;
        let new = || End { series: BTreeMap::new(), next, results: Wdl::default(), unfinished: 0 };
        let end = self.ends.entry(key).or_insert_with(new);
        *end.series.entry(series.clone()).or_default() += 1;
        match points {
            Some(points) if from.color() == Color::White => end.results.record(points),
            Some(points) => end.results.record(points.reversed()),
            None => end.unfinished += 1,
        }
    }

    /// The `most` most frequent series, and how many there are; the solver proves what it can within `nodes` for each.
    #[must_use]
    pub fn played(&self, most: usize, nodes: u64) -> (Vec<Played>, usize) {
        let mut ends: Vec<(&Series, &End)> = self.ends.values().filter_map(|end| Some((frequent(end)?, end))).collect();
        let count = |end: &End| end.results.games() + end.unfinished;
        ends.sort_by(|(a, x), (b, y)| count(y).cmp(&count(x)).then(a.cmp(b)));
        let all = ends.len();
        let mut solver = Solver::proving(64 << 20);
        let mut played = |(series, end): (&Series, &End)| {
            let Wdl { wins, draws, losses } = end.results;
            let finished = end.results.games();
            Played {
                series: series.to_string(),
                san: in_san(&self.position.begin(), series),
                orders: end.series.len(),
                games: count(end),
                won: wins,
                drawn: draws,
                lost: losses,
                score: (finished > 0).then(|| end.results.points() / finished as f64),
                known: known(self.position.color(), &end.next, &mut solver, nodes),
            }
        };
        (ends.into_iter().take(most).map(&mut played).collect(), all)
    }
}

/// The series played most often; of equals the first in the order of the alphabet.
fn frequent(end: &End) -> Option<&Series> {
    end.series.iter().min_by_key(|(_, count)| std::cmp::Reverse(**count)).map(|(series, _)| series)
}

/// Plays a series of a game; `None` if it breaks off.
fn play(now: &mut Midturn, series: &Series) -> Option<Next> {
    for &mv in series.iter() {
        match now.play_unchecked(mv) {
            Progress::More => {}
            Progress::Over(SeriesEnd::Turn(position)) => {
                return Some(position.outcome().map_or(Next::Turn(position), Next::Over));
            }
            Progress::Over(SeriesEnd::Game(outcome)) => return Some(Next::Over(outcome)),
        }
    }
    None
}

fn known(mover: Color, next: &Next, solver: &mut Solver, nodes: u64) -> Known {
    let position = match next {
        Next::Over(outcome) if outcome.winner() == Some(mover) => return Known::Wins,
        Next::Over(Outcome::Draw(_)) => return Known::Draws,
        Next::Over(_) => return Known::Open,
        Next::Turn(position) => position,
    };
    if nodes == 0 || !position.rules().has_mate() {
        return Known::Open;
    }
    match solver.solve(&position.begin(), &Limits::nodes(nodes)).verdict {
        Verdict::Mate(series) => Known::Loses { mate: in_san(&position.begin(), &series) },
        Verdict::NoMate => Known::Safe,
        Verdict::Unknown(_) => Known::Open,
    }
}

fn in_san(midturn: &Midturn, series: &Series) -> String {
    let mut now = *midturn;
    let mut words = Vec::new();
    for &mv in series.iter() {
        words.push(san::write(&now, mv));
        now.play_unchecked(mv);
    }
    format!("{}.{}", midturn.turn(), words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crescendo::rules::game::Game;
    use crescendo::rules::movelist::play_items;
    use crescendo::rules::table::{ITALIAN, SCOTTISH};

    fn stored(moves: &str, points: Option<Points>) -> StoredGame {
        let mut game = Game::new(if moves.starts_with('s') { &SCOTTISH } else { &ITALIAN });
        play_items(&mut game, moves.trim_start_matches("s ").split_whitespace()).unwrap();
        StoredGame { number: 1, id: None, book: None, game, points, reason: String::new() }
    }

    fn explorer(moves: &str, games: &[StoredGame]) -> Explorer {
        let here = stored(moves, None).game;
        let mut explorer = Explorer::new(here.current().position().unwrap());
        games.iter().for_each(|game| explorer.add(game));
        explorer
    }

    #[test]
    fn orders_are_merged_and_the_mover_counts() {
        let games = [
            stored("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7", Some(Points::One)),
            stored("e2e4 g8f6,e7e5 d2d4,d4e5,e5f6", Some(Points::Zero)),
            stored("e2e4 d7d5,b8c6 a2a3,b2b3,c2c3", None),
            stored("s e2e4 d7d5,b8c6", Some(Points::One)),
            stored("d2d4 d7d5,b8c6", Some(Points::One)),
            // Breaks off.
            stored("e2e4 d7d5", None),
        ];
        let explorer = explorer("e2e4", &games);
        let (played, all) = explorer.played(10, 1_000_000);
        assert_eq!((explorer.games(), all, played.len()), (3, 2, 2));
        let first = &played[0];
        assert_eq!((first.san.as_str(), first.orders, first.games, first.score), ("2.e5 Nf6", 2, 2, Some(0.5)));
        assert_eq!(first.known, Known::Loses { mate: "3.Bc4 Qh5 Qxf7#".into() });
        assert_eq!((&played[1].known, played[1].score), (&Known::Safe, None));
        assert_eq!(explorer.played(1, 0).0[0].known, Known::Open);
    }

    #[test]
    fn other_ways_to_the_position_count() {
        let games = [
            stored("e2e4 e7e5,g8f6 f1c4,d1h5,h5f7", Some(Points::One)),
            stored("e2e4 g8f6,e7e5 a2a3,b2b3,c2c3", Some(Points::Zero)),
        ];
        let explorer = explorer("e2e4 e7e5,g8f6", &games);
        let (played, _) = explorer.played(10, 0);
        let said: Vec<_> = played.iter().map(|p| (p.san.as_str(), p.won, p.lost, &p.known)).collect();
        assert_eq!(said, [("3.a3 b3 c3", 0, 1, &Known::Open), ("3.Bc4 Qh5 Qxf7#", 1, 0, &Known::Wins)]);
    }
}
