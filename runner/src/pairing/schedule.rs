//! What a plan wants to be played. The fixed formats are arithmetic: game number → pairing, so that a billion rounds need no
//! memory, any game can be found again by its number, and slices of a schedule are disjoint by construction.

use super::{Format, Meeting, Pairing, Policy};
use std::collections::BTreeSet;

/// All games of a tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    format: Format,
    players: usize,
    rounds: u64,
    policy: Policy,
    first_opening: u64,
    reversed: bool,
    swaps: bool,
}

impl Schedule {
    /// The schedule in which every two players that meet play `rounds` pairs of games.
    #[must_use]
    pub const fn new(format: Format, players: usize, rounds: u64, policy: Policy, first_opening: u64) -> Self {
        Self { format, players, rounds, policy, first_opening, reversed: false, swaps: true }
    }

    /// The same schedule with colors exchanged in every game.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { reversed: !self.reversed, ..self }
    }

    /// The same schedule without swapped colors: of two players that meet the first one has White in both games of a pair, and since
    /// these would be one game twice, each has an opening of its own. For fixed formats only.
    #[must_use]
    pub const fn unswapped(self) -> Self {
        Self { swaps: false, ..self }
    }

    /// How many encounters a round has.
    #[must_use]
    pub const fn encounters(&self) -> u64 {
        let players = self.players as u64;
        match self.format {
            Format::RoundRobin | Format::Pyramid => players * players.saturating_sub(1) / 2,
            Format::Gauntlet { seeds } => seeds as u64 * players.saturating_sub(seeds as u64),
            Format::Match => (self.players >= 2) as u64,
            Format::Swiss { .. } => players / 2,
            Format::Knockout { .. } | Format::Adaptive { .. } => 0,
        }
    }

    /// Whether who meets whom is known from the start, whatever the results.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        matches!(self.format, Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. } | Format::Match)
    }

    /// How many games there are. In a knockout level ties need more; an adaptive tournament may know enough with fewer.
    #[must_use]
    pub const fn games(&self) -> u64 {
        let pairs = match self.format {
            Format::Knockout { .. } => (self.players as u64).saturating_sub(1).saturating_mul(self.rounds),
            Format::Swiss { rounds } => self.encounters().saturating_mul(self.rounds).saturating_mul(rounds),
            Format::Adaptive { max_games, .. } => max_games / 2,
            Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. } | Format::Match => {
                self.encounters().saturating_mul(self.rounds)
            }
        };
        pairs.saturating_mul(2)
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// How many players there are.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Pairs of games between any two that meet.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The game of this number in a fixed format; `None` beyond the end and in the other formats.
    #[must_use]
    pub fn game(&self, id: u64) -> Option<Pairing> {
        if !self.is_fixed() || id >= self.games() {
            return None;
        }
        let pair = id / 2;
        let (round, encounter) = match self.format {
            // Two players are done with each other before the next two meet.
            Format::Pyramid => (pair % self.rounds, pair / self.rounds),
            _ => (pair / self.encounters(), pair % self.encounters()),
        };
        Some(self.pairing(id, round, round, self.meeting(encounter)))
    }

    /// The game of this number between these two, in this round. `wave` is the opening's number where all encounters of a
    /// round share it.
    pub(super) const fn pairing(&self, id: u64, round: u64, wave: u64, meeting: Meeting) -> Pairing {
        let (pair, second) = (id / 2, id % 2);
        let swapped = if self.swaps { second == 1 } else { pair % 2 == 1 };
        let (white, black) = meeting.seats(pair, swapped != self.reversed);
        let dealt = match self.policy {
            Policy::Round => wave,
            Policy::Encounter => pair,
        };
        let dealt = if self.swaps { dealt } else { dealt.wrapping_mul(2).wrapping_add(second) };
        let opening = self.first_opening.wrapping_add(dealt);
        Pairing { id, round, pair, opening, white, black }
    }

    /// The games of a fixed format in order; nothing is stored.
    pub fn iter(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.games()).map_while(|id| self.game(id))
    }

    /// The players of an encounter.
    fn meeting(&self, encounter: u64) -> Meeting {
        // An encounter number is less than the square of the number of players, which fits.
        let encounter = usize::try_from(encounter).unwrap_or(usize::MAX);
        let (first, second) = match self.format {
            Format::Gauntlet { seeds } => (encounter % seeds, seeds + encounter / seeds),
            Format::RoundRobin | Format::Pyramid => {
                // Row by row: player 1 meets 0, player 2 meets 0 and 1, and so on.
                let mut row = (((8 * encounter + 1) as f64).sqrt() as usize).div_ceil(2).max(1);
                while row * (row - 1) / 2 > encounter {
                    row -= 1;
                }
                while row * (row + 1) / 2 <= encounter {
                    row += 1;
                }
                (encounter - row * (row - 1) / 2, row)
            }
            // A match; the other formats do not come here.
            _ => (0, 1),
        };
        Meeting { first, second }
    }
}

/// Which games of a schedule have been played: all below a number and a few above it, since games end nearly in order. So the
/// state of a long run needs little memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    below: u64,
    above: BTreeSet<u64>,
}

impl Finished {
    /// Notes a game; the answer is `false` if it was there already.
    pub fn insert(&mut self, id: u64) -> bool {
        let new = !self.contains(id) && self.above.insert(id);
        while self.above.remove(&self.below) {
            self.below += 1;
        }
        new
    }

    /// Whether the game has been played.
    #[must_use]
    pub fn contains(&self, id: u64) -> bool {
        id < self.below || self.above.contains(&id)
    }

    /// How many games have been played.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.below + self.above.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn meetings(format: Format, players: usize) -> Vec<(usize, usize)> {
        Schedule::new(format, players, 1, Policy::Round, 0).iter().map(|game| (game.white, game.black)).collect()
    }

    #[test]
    fn golden_schedules() {
        assert_eq!(meetings(Format::Match, 2), [(0, 1), (1, 0)]);
        assert_eq!(meetings(Format::RoundRobin, 3), [(0, 1), (1, 0), (2, 0), (0, 2), (1, 2), (2, 1)]);
        assert_eq!(meetings(Format::Gauntlet { seeds: 1 }, 3), [(0, 1), (1, 0), (2, 0), (0, 2)]);
        assert_eq!(
            meetings(Format::Gauntlet { seeds: 2 }, 4),
            [(0, 2), (2, 0), (2, 1), (1, 2), (0, 3), (3, 0), (3, 1), (1, 3)]
        );
        assert!(meetings(Format::RoundRobin, 1).is_empty());
    }

    // 100: a newcomer plays all games with each player before him, then the next one comes.
    #[test]
    fn a_pyramid_grows_by_one_player_after_the_other() {
        let schedule = Schedule::new(Format::Pyramid, 3, 2, Policy::Round, 0);
        let games: Vec<_> = schedule.iter().map(|game| (game.white, game.black, game.round, game.opening)).collect();
        let first = [(0, 1, 0, 0), (1, 0, 0, 0), (1, 0, 1, 1), (0, 1, 1, 1)];
        let second = [(0, 2, 0, 0), (2, 0, 0, 0), (2, 0, 1, 1), (0, 2, 1, 1)];
        let third = [(1, 2, 0, 0), (2, 1, 0, 0), (2, 1, 1, 1), (1, 2, 1, 1)];
        assert_eq!(games, [first, second, third].concat());
        let many = Schedule::new(Format::Pyramid, 100, 1_000_000_000, Policy::Round, 0);
        let last = many.game(many.games() - 1).unwrap();
        assert_eq!((last.white.max(last.black), last.round), (99, 999_999_999));
    }

    #[test]
    fn reversed_colors_are_those_of_the_other_game_of_the_pair() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3, Policy::Encounter, 0);
        for game in schedule.iter() {
            let reversed = schedule.reversed().game(game.id).unwrap();
            assert_eq!(reversed, Pairing { white: game.black, black: game.white, ..game });
        }
    }

    #[test]
    fn colors_that_are_not_swapped_are_the_first_players_white() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3, Policy::Round, 10).unswapped();
        for game in schedule.iter() {
            assert!(game.white < game.black, "{game:?}");
            assert_eq!(game.opening, 10 + 2 * game.round + game.id % 2);
            let reversed = schedule.reversed().game(game.id).unwrap();
            assert_eq!(reversed, Pairing { white: game.black, black: game.white, ..game });
        }
        let each = Schedule::new(Format::Match, 2, 3, Policy::Encounter, 0).unswapped();
        assert!(each.iter().all(|game| game.opening == game.id));
    }

    #[test]
    fn everybody_meets_everybody_equally_often_with_both_colors() {
        for players in 2..40 {
            let schedule = Schedule::new(Format::RoundRobin, players, 3, Policy::Round, 5);
            let mut counts = BTreeMap::new();
            for game in schedule.iter() {
                *counts.entry((game.white, game.black)).or_insert(0) += 1;
                assert_eq!(game.opening, 5 + game.round);
                let twin = schedule.game(game.id ^ 1).unwrap();
                assert_eq!((twin.white, twin.black, twin.opening), (game.black, game.white, game.opening));
            }
            assert_eq!(counts.len(), players * (players - 1));
            assert!(counts.values().all(|&n| n == 3));
        }
    }

    #[test]
    fn a_tenth_of_the_games_is_a_fair_picture() {
        let schedule = Schedule::new(Format::RoundRobin, 5, 100, Policy::Encounter, 0);
        let mut counts = BTreeMap::new();
        for game in schedule.iter().take(200) {
            *counts.entry((game.white.min(game.black), game.white.max(game.black))).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|n| (10..=30).contains(n)), "{counts:?}");
    }

    #[test]
    fn a_billion_rounds_need_no_memory() {
        let schedule = Schedule::new(Format::RoundRobin, 100, 1_000_000_000, Policy::Round, 0);
        let last = schedule.game(schedule.games() - 1).unwrap();
        assert_eq!((last.white.min(last.black), last.white.max(last.black)), (98, 99));
        assert_eq!(schedule.game(schedule.games()), None);
    }

    #[test]
    fn finished_games_are_counted_once() {
        let mut finished = Finished::default();
        for id in [2, 0, 5, 1] {
            assert!(finished.insert(id));
        }
        assert!(!finished.insert(2) && !finished.insert(5));
        assert_eq!((finished.below, finished.above.len(), finished.count()), (3, 1, 4));
        assert!(finished.contains(5) && !finished.contains(4) && !finished.contains(3));
    }
}
