//! Which puzzle to show next: near a rating, not seen yet, and not always the same.

use super::row::Row;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Among how many of the nearest one is drawn.
const SPREAD: usize = 12;

/// A puzzle near `rating` that is not among `seen`; of the nearest few each is as likely. The same input and seed give the same. `None` if
/// all have been seen.
#[must_use]
pub fn next<'a>(rows: &'a [Row], rating: f64, seen: &HashSet<&str>, seed: u64) -> Option<&'a Row> {
    let mut fresh: Vec<&Row> = rows.iter().filter(|row| !seen.contains(row.puzzle_id.as_str())).collect();
    let far = |row: &Row| (f64::from(row.rating) - rating).abs();
    fresh.sort_by(|a, b| far(a).total_cmp(&far(b)).then_with(|| a.puzzle_id.cmp(&b.puzzle_id)));
    fresh.truncate(SPREAD);
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ (seen.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (!fresh.is_empty()).then(|| fresh[rng.random_range(0..fresh.len())])
}

/// The names in a text: the first field of every line, so that a list, a file of attempts and a file of puzzles will all do.
#[must_use]
pub fn seen(text: &str) -> HashSet<&str> {
    let name = |line: &'_ str| -> usize { line.find([',', ' ', '\t', ';']).unwrap_or(line.len()) };
    text.lines().map(str::trim).map(|line| &line[..name(line)]).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, rating: u32) -> Row {
        let fields = [id, "", "", &rating.to_string(), "80", "0", "0", "", "", ""];
        Row::parse(&fields).unwrap()
    }

    #[test]
    fn near_unseen_and_spread() {
        let rows: Vec<Row> = (0..100).map(|k| row(&format!("id{k}"), 1000 + 10 * k)).collect();
        let mut shown = HashSet::new();
        for _ in 0..SPREAD {
            let one = next(&rows, 1503.0, &shown, 1).unwrap();
            assert!((f64::from(one.rating) - 1503.0).abs() <= 10.0 * SPREAD as f64, "{}", one.rating);
            assert!(shown.insert(&one.puzzle_id), "shown twice");
        }
        let others: HashSet<&str> =
            (0..50).map(|seed| &*next(&rows, 1503.0, &shown, seed).unwrap().puzzle_id).collect();
        assert!(others.len() > 5 && others.is_disjoint(&shown));
        assert_eq!(next(&rows, 1500.0, &rows.iter().map(|row| &*row.puzzle_id).collect(), 1), None);
    }

    #[test]
    fn lists_of_names_in_any_form() {
        assert_eq!(seen("a\r\nb,1\n\n c d\n"), HashSet::from(["a", "b", "c"]));
    }
}
