//! A varied set out of what was found: at most one puzzle of a game, no final picture reached twice by the same moves, quotas by length, class and theme.

use super::item::{Class, Puzzle};
use std::collections::{BTreeMap, HashSet};

/// The most of everything, as shares of the set.
#[derive(Clone, Debug, PartialEq)]
pub struct Quotas {
    /// How many puzzles in all.
    pub count: usize,
    /// The greatest share of one length.
    pub length: f64,
    /// The greatest share of puzzles with several final positions.
    pub several: f64,
    /// The greatest share of one theme of the key.
    pub theme: f64,
}

impl Quotas {
    /// A set of so many puzzles with the usual shares.
    #[must_use]
    pub const fn usual(count: usize) -> Self {
        Self { count, length: 0.3, several: 0.7, theme: 0.7 }
    }

    const fn places(&self, share: f64) -> usize {
        (share * self.count as f64) as usize
    }
}

/// A set that grows.
#[derive(Clone, Debug)]
pub struct Selection {
    quotas: Quotas,
    taken: Vec<Puzzle>,
    ids: HashSet<String>,
    signatures: HashSet<String>,
    counts: BTreeMap<String, usize>,
}

impl Selection {
    /// An empty set.
    #[must_use]
    pub fn new(quotas: Quotas) -> Self {
        Self { quotas, taken: Vec::new(), ids: HashSet::new(), signatures: HashSet::new(), counts: BTreeMap::new() }
    }

    /// Takes at most one puzzle of a game: of those that fit, the one of the rarest length; of these, the one with the fewest
    /// final positions and series.
    pub fn offer(&mut self, mut found: Vec<Puzzle>) {
        if self.is_full() {
            return;
        }
        found.retain(|puzzle| self.fits(puzzle));
        let rarity = |puzzle: &Puzzle| (self.count(&length(puzzle)), puzzle.class, puzzle.counts.series);
        let Some(best) = found.into_iter().min_by_key(rarity) else { return };
        self.ids.insert(best.id.clone());
        self.signatures.insert(best.signature());
        for name in names(&best) {
            *self.counts.entry(name).or_default() += 1;
        }
        self.taken.push(best);
    }

    /// Whether there is nothing left to take.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.taken.len() >= self.quotas.count
    }

    /// The set so far.
    #[must_use]
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.taken
    }

    /// How many of the set have this theme, class, kind or length.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// What there is of everything.
    pub fn counts(&self) -> impl Iterator<Item = (&str, usize)> {
        self.counts.iter().map(|(name, &count)| (name.as_str(), count))
    }

    fn fits(&self, puzzle: &Puzzle) -> bool {
        let quotas = &self.quotas;
        !self.ids.contains(&puzzle.id)
            && !self.signatures.contains(&puzzle.signature())
            && self.count(&length(puzzle)) < quotas.places(quotas.length)
            && (puzzle.class != Class::Several || self.count(Class::Several.word()) < quotas.places(quotas.several))
            && traits(puzzle).all(|word| self.count(word) < quotas.places(quotas.theme))
    }
}

/// The name under which puzzles of this length are counted.
fn length(puzzle: &Puzzle) -> String {
    format!("length {}", puzzle.length())
}

/// The themes of the key.
fn traits(puzzle: &Puzzle) -> impl Iterator<Item = &str> {
    let own = |word: &&str| super::themes::MEANINGS.iter().any(|(name, _)| name == word);
    puzzle.themes.iter().map(String::as_str).filter(own)
}

fn names(puzzle: &Puzzle) -> Vec<String> {
    let mut names = vec![length(puzzle), puzzle.class.word().to_owned(), puzzle.kind.word().to_owned()];
    names.extend(traits(puzzle).map(str::to_owned));
    names
}
