//! Does one machine's share of a test look like the rest?
//!
//! A bad machine (overloaded, wrong build, broken clock) spoils a test. Its pairs are compared with those of all other
//! shards by a chi-squared test of homogeneity, its faults by a binomial tail. Nothing is dropped here: the
//! caller shows the flag and the result with and without the shard.

use serde::Serialize;

use super::counts::Penta;
use super::numeric::{binomial_upper_tail, chi_squared_tail};

/// A shard with a smaller chance than this is flagged. So small that among hundreds of sound shards a false alarm stays rare.
pub const FLAG_BELOW: f64 = 1e-4;

/// The comparison of one shard with the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShardTest {
    /// Pearson's statistic.
    pub chi_squared: f64,
    /// Its degrees of freedom: 4, less for every cell that had to be joined with its neighbor.
    pub degrees_of_freedom: u32,
    /// The chance, in \[0, 1\], of a statistic this large if the shard is like the others.
    pub p_value: f64,
}

impl ShardTest {
    /// Whether the shard is too unlike the others to be chance ([`FLAG_BELOW`]).
    pub fn is_flagged(&self) -> bool {
        self.p_value < FLAG_BELOW
    }

    /// Tests of one shard over tables that share no games, as one: statistics and degrees of freedom add up.
    pub fn sum(tests: impl IntoIterator<Item = ShardTest>) -> ShardTest {
        let (chi_squared, degrees_of_freedom) = tests.into_iter().fold((0.0, 0), |(statistic, freedom), test| {
            (statistic + test.chi_squared, freedom + test.degrees_of_freedom)
        });
        ShardTest { chi_squared, degrees_of_freedom, p_value: chi_squared_tail(chi_squared, degrees_of_freedom) }
    }
}

/// Tests every shard against the sum of the others. The tables must be from the same side.
pub fn compare_shards(shards: &[Penta]) -> Vec<ShardTest> {
    let total: Penta = shards.iter().copied().sum();
    shards.iter().map(|shard| compare(shard, &total)).collect()
}

/// The chance, in \[0, 1\], that a shard with `games` of the test's `all_games` games gets `faults` or more of its
/// `all_faults` faults (losses on time, crashes) if they fall on games at random. Panics if a part exceeds its whole.
pub fn fault_p_value(faults: u64, games: u64, all_faults: u64, all_games: u64) -> f64 {
    assert!(faults <= all_faults && games <= all_games, "the shard is part of the test");
    if all_games == 0 {
        return 1.0;
    }
    binomial_upper_tail(faults, all_faults, games as f64 / all_games as f64)
}

fn compare(shard: &Penta, total: &Penta) -> ShardTest {
    let share = shard.pairs() as f64 / (total.pairs() as f64).max(1.0);
    // Pearson's statistic follows its law only if cells are well filled: neighbors are joined until both rows expect 5.
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let enough = 5.0;
    let is_filled = |all: f64| all * share >= enough && all * (1.0 - share) >= enough;
    let (mut seen, mut all) = (0.0, 0.0);
    for (&in_shard, &in_total) in shard.0.iter().zip(&total.0) {
        seen += in_shard as f64;
        all += in_total as f64;
        if is_filled(all) {
            cells.push((seen, all));
            (seen, all) = (0.0, 0.0);
        }
    }
    match cells.last_mut() {
        Some(last) => *last = (last.0 + seen, last.1 + all),
        None => cells.push((seen, all)),
    }
    if cells.len() < 2 {
        return ShardTest { chi_squared: 0.0, degrees_of_freedom: 0, p_value: 1.0 };
    }
    // Two rows, the shard and the rest, deviate by the same amount in every cell.
    let term = |&(seen, all): &(f64, f64)| (seen - all * share).powi(2) / (all * share * (1.0 - share));
    let chi_squared = cells.iter().map(term).sum();
    let degrees_of_freedom = cells.len() as u32 - 1;
    ShardTest { chi_squared, degrees_of_freedom, p_value: chi_squared_tail(chi_squared, degrees_of_freedom) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_that_loses_on_time_is_found() {
        let sound = Penta([10, 40, 100, 40, 10]);
        let spoiled = Penta([70, 60, 50, 15, 5]);
        let tests = compare_shards(&[sound, sound, sound, spoiled]);
        assert!(tests[3].is_flagged() && tests[3].degrees_of_freedom == 4, "{:?}", tests[3]);
        assert!(!tests[0].is_flagged());
        assert!(fault_p_value(60, 400, 64, 1600) < FLAG_BELOW);
        assert!(fault_p_value(16, 400, 64, 1600) > 0.4);
    }

    #[test]
    fn too_little_to_compare_is_no_alarm() {
        assert!(compare_shards(&[]).is_empty());
        for shards in [vec![Penta::default()], vec![Penta([1, 0, 0, 0, 9])], vec![Penta([1, 0, 0, 0, 0]); 3]] {
            for test in compare_shards(&shards) {
                assert_eq!(test.p_value, 1.0);
            }
        }
    }

    #[test]
    fn statistic_is_that_of_the_contingency_table() {
        // 2 × 2 by hand: N(ad - bc)² / (row and column sums).
        let test = compare(&Penta([30, 0, 0, 0, 20]), &Penta([50, 0, 0, 0, 50]));
        assert!((test.chi_squared - 100.0 * (30.0 * 30.0 - 20.0 * 20.0f64).powi(2) / 50f64.powi(4)).abs() < 1e-9);
        assert_eq!(test.degrees_of_freedom, 1);
    }
}
