//! Tournaments of players whose true strength is known.

use crescendo_runner::pairing::agenda::{Agenda, Next};
use crescendo_runner::pairing::schedule::Schedule as Fixture;
use crescendo_runner::pairing::{Format, Policy};
use crescendo_runner::stats::counts::{Penta, Points, Wdl};
use crescendo_runner::stats::design::Wanted;
use crescendo_runner::stats::elo::expected_score;
use crescendo_runner::stats::pool::{GameTally, Pool};
use crescendo_runner::stats::rating::{FitOptions, Ratings, fit};
use crescendo_runner::stats::sprt::{Sprt, SprtVerdict};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Who meets whom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Schedule {
    /// Everybody meets everybody in this many pairs.
    RoundRobin(usize),
    /// The first player meets each of the others in this many pairs.
    Gauntlet(usize),
    /// The runner's own adaptive format: what is wanted, and the budget of games.
    Adaptive(Wanted, u64),
    /// In each of this many rounds, players next to each other by points so far meet in a pair, as in a Swiss tournament.
    ByStandings(usize),
}

/// A tournament and the truth behind it.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    /// True ratings, in Elo.
    pub(crate) strengths: Vec<f64>,
    /// True advantage of White, in Elo.
    pub(crate) advantage: f64,
    /// Share of the possible draws that happen: the draw rate of equals.
    pub(crate) draws: f64,
    /// Chance that the opening decides both games of a pair alike (for White).
    pub(crate) correlation: f64,
    pub(crate) schedule: Schedule,
}

impl World {
    /// White's points in a game. The expected score is the logistic one whatever the draw rate.
    fn play(&self, white: usize, black: usize, luck: f64) -> Points {
        let e = expected_score(self.strengths[white] - self.strengths[black] + self.advantage);
        let draw = 2.0 * self.draws * e.min(1.0 - e);
        match luck {
            _ if luck < e - 0.5 * draw => Points::One,
            _ if luck < e + 0.5 * draw => Points::Half,
            _ => Points::Zero,
        }
    }

    /// White's points in the two games of a pair; `i` has White in the first, `j` in the second. With the chance
    /// `correlation` both games share their luck, which leaves each game's law as it is.
    pub(crate) fn pair(&self, i: usize, j: usize, random: &mut ChaCha8Rng) -> (Points, Points) {
        let first: f64 = random.random();
        let second = if random.random::<f64>() < self.correlation { first } else { random.random() };
        (self.play(i, j, first), self.play(j, i, second))
    }

    /// A whole tournament; the same seed gives the same games.
    pub(crate) fn tournament(&self, seed: u64) -> Pool {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let n = self.strengths.len();
        let mut table = Table { pool: Pool::new(n), points: vec![0.0; n], pairs: 0 };
        self.fill(&mut table, &mut random);
        table.pool
    }

    fn fill(&self, table: &mut Table, random: &mut ChaCha8Rng) {
        let n = self.strengths.len();
        match self.schedule {
            Schedule::RoundRobin(times) => {
                for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    (0..times).for_each(|_| {
                        table.meet(self, i, j, random);
                    });
                }
            }
            Schedule::Gauntlet(times) => {
                for j in 1..n {
                    (0..times).for_each(|_| {
                        table.meet(self, 0, j, random);
                    });
                }
            }
            Schedule::Adaptive(wanted, max_games) => {
                let format = Format::Adaptive { wanted, max_games };
                let mut agenda = Agenda::new(Fixture::new(format, n, 1, Policy::Round, 0));
                while let Next::Play(first) = agenda.hand_out() {
                    let Next::Play(second) = agenda.hand_out() else { panic!("games come in pairs") };
                    let points = table.meet(self, first.white, first.black, random);
                    agenda.book(&first, Some(points.0));
                    agenda.book(&second, Some(points.1));
                }
            }
            Schedule::ByStandings(rounds) => {
                for round in 0..rounds {
                    let mut order: Vec<usize> = (0..n).collect();
                    order.sort_by(|&i, &j| table.points[j].total_cmp(&table.points[i]));
                    // Every other round starts with the second, so that nobody keeps one partner.
                    for two in order[round % 2..].chunks_exact(2) {
                        table.meet(self, two[0], two[1], random);
                    }
                }
            }
        }
    }
}

struct Table {
    pool: Pool,
    points: Vec<f64>,
    pairs: u64,
}

impl Table {
    /// White's points in a pair of games in which `i` has White first.
    fn meet(&mut self, world: &World, i: usize, j: usize, random: &mut ChaCha8Rng) -> (Points, Points) {
        let (first, second) = world.pair(i, j, random);
        for (white, black, points) in [(i, j, first), (j, i, second)] {
            let mut results = Wdl::default();
            results.record(points);
            self.points[white] += results.points();
            self.points[black] += 1.0 - results.points();
            self.pool.add(self.pairs, GameTally { white, black, results });
        }
        self.pairs += 1;
        (first, second)
    }
}

/// How often 95 % intervals held the truth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    pub(crate) ratings: f64,
    pub(crate) differences: f64,
    pub(crate) advantage: f64,
}

/// Plays and fits `tournaments` tournaments and counts, over all players, pairs of players and tournaments.
pub(crate) fn coverage(world: &World, options: &FitOptions, tournaments: u64) -> Coverage {
    let mut sum = Coverage::default();
    for seed in 0..tournaments {
        let ratings = fit(&world.tournament(seed), options).expect("a pool with a prior has ratings");
        let one = covered(world, &ratings);
        sum.ratings += one.ratings / tournaments as f64;
        sum.differences += one.differences / tournaments as f64;
        sum.advantage += one.advantage / tournaments as f64;
    }
    sum
}

/// The shares of one tournament's intervals that hold the truth.
fn covered(world: &World, ratings: &Ratings) -> Coverage {
    let n = ratings.players();
    let mean = world.strengths.iter().sum::<f64>() / n as f64;
    let held = (0..n).filter(|&i| ratings.interval(i).contains(world.strengths[i] - mean)).count();
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let is_right = |&&(i, j): &&(usize, usize)| {
        let difference = ratings.difference(i, j).expect("one group");
        difference.interval().contains(world.strengths[i] - world.strengths[j])
    };
    let right = pairs.iter().filter(is_right).count();
    Coverage {
        ratings: held as f64 / n as f64,
        differences: right as f64 / pairs.len() as f64,
        advantage: f64::from(u8::from(ratings.white_advantage().interval().contains(world.advantage))),
    }
}

/// Plays pairs until the test decides, asking after every `batch` pairs.
pub(crate) fn run_sprt(world: &World, sprt: &Sprt, batch: usize, seed: u64) -> (SprtVerdict, Penta) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut table = Penta::default();
    loop {
        for _ in 0..batch {
            let (first, second) = world.pair(0, 1, &mut random);
            table.record(first, second.reversed());
        }
        let verdict = sprt.verdict(&table);
        if verdict != SprtVerdict::Continue {
            return (verdict, table);
        }
    }
}
