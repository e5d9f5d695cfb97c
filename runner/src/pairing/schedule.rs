//! What a plan wants to be played. The fixed formats are arithmetic: game number → pairing, so that a billion rounds need no
//! memory, any game can be found again by its number, and slices of a schedule are disjoint by construction.

use super::{Format, Meeting, Pairing, Policy};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// One machine's share of a schedule: of every so many pairs one, each time the one before the last, so that everybody meets
/// everybody on every machine. The slices of a schedule have no game in common, and all of them together are the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Which one, from 0.
    number: u64,
    /// How many there are.
    count: u64,
}

impl Slice {
    /// Everything.
    pub const WHOLE: Self = Self { number: 0, count: 1 };

    /// Whether a pair belongs to it.
    #[must_use]
    pub const fn has(self, pair: u64) -> bool {
        (pair % self.count + pair / self.count % self.count) % self.count == self.number
    }

    /// How many of the first `pairs` pairs belong to it.
    #[must_use]
    const fn of(self, pairs: u64) -> u64 {
        let (blocks, rest) = (pairs / self.count, pairs % self.count);
        // Its place in the last block, which is not whole.
        let place = (self.number + self.count - blocks % self.count) % self.count;
        blocks + (place < rest) as u64
    }
}

impl FromStr for Slice {
    type Err = String;

    /// Reads `2/8`: the second of eight.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(number, count)| (number.parse::<u64>(), count.parse::<u64>()));
        match numbers {
            Some((Ok(number), Ok(count))) if number >= 1 && number <= count => Ok(Self { number: number - 1, count }),
            _ => Err("write K/N, as in 2/8 for the second of eight".into()),
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.count)
    }
}

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
    slice: Slice,
}

impl Schedule {
    /// The schedule in which every two players that meet play `rounds` pairs of games.
    #[must_use]
    pub const fn new(format: Format, players: usize, rounds: u64, policy: Policy, first_opening: u64) -> Self {
        Self { format, players, rounds, policy, first_opening, reversed: false, swaps: true, slice: Slice::WHOLE }
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

    /// Only these games of the same schedule. For fixed formats only.
    #[must_use]
    pub const fn sliced(self, slice: Slice) -> Self {
        Self { slice, ..self }
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
        self.slice.of(self.pairs()).saturating_mul(2)
    }

    /// How many pairs of games the whole schedule has.
    const fn pairs(&self) -> u64 {
        match self.format {
            Format::Knockout { .. } => (self.players as u64).saturating_sub(1).saturating_mul(self.rounds),
            Format::Swiss { rounds } => self.encounters().saturating_mul(self.rounds).saturating_mul(rounds),
            Format::Adaptive { max_games, .. } => max_games / 2,
            Format::RoundRobin | Format::Pyramid | Format::Gauntlet { .. } | Format::Match => {
                self.encounters().saturating_mul(self.rounds)
            }
        }
    }

    /// The number of the first game from `id` on that is to be played: those of other slices are left out.
    #[must_use]
    pub const fn next_from(&self, mut id: u64) -> u64 {
        while !self.slice.has(id / 2) {
            id = (id / 2 + 1) * 2;
        }
        id
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

    /// The game of this number in a fixed format; `None` beyond the end, of other slices and in the other formats.
    #[must_use]
    pub fn game(&self, id: u64) -> Option<Pairing> {
        let pair = id / 2;
        if !self.is_fixed() || pair >= self.pairs() || !self.slice.has(pair) {
            return None;
        }
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
        let mut next = 0;
        std::iter::from_fn(move || {
            let id = self.next_from(next);
            next = id + 1;
            self.game(id)
        })
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

    // 75: whatever the number of slices, they are the schedule, and no two have a game in common.
    #[test]
    fn slices_are_disjoint_and_complete() {
        let whole = Schedule::new(Format::RoundRobin, 5, 7, Policy::Encounter, 3);
        let all: Vec<Pairing> = whole.iter().collect();
        assert_eq!(all.len(), 140);
        let meetings = |slice: &Schedule| {
            slice.iter().map(|game| (game.white.min(game.black), game.white.max(game.black))).collect::<BTreeSet<_>>()
        };
        assert!(["1/2", "3/5"].iter().all(|slice| meetings(&whole.sliced(slice.parse().unwrap())).len() >= 7));
        for count in [1, 2, 3, 8, 70, 71, 100] {
            let slices = (1..=count).map(|number| whole.sliced(format!("{number}/{count}").parse().unwrap()));
            let mut parts = Vec::new();
            for slice in slices {
                let games: Vec<Pairing> = slice.iter().collect();
                assert_eq!(games.len() as u64, slice.games());
                assert!(games.iter().all(|game| slice.game(game.id) == whole.game(game.id)));
                parts.extend(games);
            }
            parts.sort_by_key(|game| game.id);
            assert_eq!(parts, all, "{count} slices");
        }
        assert_eq!(whole.sliced("2/3".parse().unwrap()).game(0), None);
        for text in ["", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "a/b"] {
            assert!(text.parse::<Slice>().is_err(), "{text}");
        }
        assert_eq!("2/8".parse::<Slice>().unwrap().to_string(), "2/8");
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
