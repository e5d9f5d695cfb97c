//! Calibration of the engine's levels: the tournament that measures them, the ratings that come out of it, and the table that
//! the engine is built with.
//!
//! The scale is internal: the first level has 500 by definition, and a difference says how often one level beats another.
//! Nothing here is a human rating; see [`people`] for what games against people add.

pub mod asked;
pub mod people;

use crate::collect::Collection;
use crate::stats::pool::Pool;
use crate::stats::rating::{Anchor, Difference, FitError, FitOptions, Origin, Ratings, fit};
use crescendo::search::levels::{Ladder, Level, Measured};
use std::fmt::Write as _;
use std::path::Path;

/// The Elo of the first level.
pub const ORIGIN: f64 = 500.0;
/// The player of random series.
pub const RANDOM: &str = "Random mover";
/// Shares of random turns of the stepping stones between the random mover and the first level, whom he would hardly ever beat.
const STONES: [f64; 3] = [0.75, 0.5, 0.25];
/// Neighbors should be so far apart, in Elo.
pub const GAPS: std::ops::RangeInclusive<f64> = 80.0..=200.0;

/// What is to be measured, and how.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    /// The rule set.
    pub rules: &'a str,
    /// Every gap between neighbors is to be known to ± so many Elo (95 %).
    pub within: f64,
    /// At most so many games.
    pub max_games: u64,
    /// Nodes for each series.
    pub nodes: u64,
    /// Where games begin.
    pub openings: Option<&'a Path>,
    /// The source of all randomness.
    pub seed: u64,
}

/// The stepping stones' names, the weakest first.
fn stones(first: &str) -> impl Iterator<Item = (String, f64)> {
    STONES.into_iter().map(move |share| (format!("{first}, {:.0}% random", 100.0 * share), share))
}

/// A plan without players, of the adaptive tournament for what these lines of `[adaptive]` say.
fn head(wish: &Wish<'_>, name: &str, of: &str) -> String {
    let Wish { rules, within, max_games, nodes, openings, seed } = wish;
    let mut text = format!(
        "# Made by `crescendo-runner calibrate`.\n\
         name = \"{name} under {rules}\"\nrules = \"{rules}\"\nformat = \"adaptive\"\nseed = {seed}\nmax_turns = 30\n\n\
         [adaptive]\nmax_games = {max_games}\nuntil = {within:?}\n{of}\n\n"
    );
    if let Some(file) = openings {
        let file = toml::Value::from(file.to_string_lossy().into_owned());
        let _ = write!(text, "[openings]\nfile = {file}\npolicy = \"encounter\"\n\n");
    }
    let _ = write!(text, "[defaults]\nnodes = {nodes}\noptions = {{ Hash = 4 }}\n");
    text
}

/// The plan of the adaptive tournament: the random mover, stepping stones, and all levels, from the weakest up.
#[must_use]
pub fn plan(wish: &Wish<'_>, levels: &[Level]) -> String {
    let mut text = head(wish, "Levels", "of = \"gaps\"");
    let Some(first) = levels.first().map(|level| level.name) else { return text };
    let weaker = std::iter::once((RANDOM.to_owned(), 1.0)).chain(stones(first));
    for (name, share) in weaker {
        let _ =
            write!(text, "\n[[players]]\nname = \"{name}\"\nrandom = {share:?}\noptions = {{ Level = \"{first}\" }}\n");
    }
    text + &level_players(levels)
}

fn level_players(levels: &[Level]) -> String {
    let player =
        |Level { name, .. }: &Level| format!("\n[[players]]\nname = \"{name}\"\noptions = {{ Level = \"{name}\" }}\n");
    levels.iter().map(player).collect()
}

/// What a calibration has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// For the table.
    pub measured: Measured,
    /// All players, the weakest first as planned, with their Elo on the scale of the levels.
    pub players: Vec<(String, Difference)>,
    /// The difference of each player to the one before.
    pub gaps: Vec<Difference>,
}

/// Why there is no calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// A player has no games.
    #[error("no games of '{0}'")]
    Missing(String),
    /// The games cannot be rated.
    #[error("{0}")]
    Fit(#[from] FitError),
}

/// Rates the levels by these games.
///
/// # Errors
/// A player is missing, or the games cannot be rated.
pub fn measure(levels: &[Level], games: &Collection, date: String, nodes: u64) -> Result<Found, CalibrateError> {
    let weaker = levels.first().into_iter().flat_map(|first| {
        std::iter::once(RANDOM.to_owned()).chain(stones(first.name).map(|(name, _)| name)).collect::<Vec<_>>()
    });
    let names: Vec<String> = weaker.chain(levels.iter().map(|level| level.name.to_owned())).collect();
    let number = |name: &String| games.player(name).ok_or_else(|| CalibrateError::Missing(name.clone()));
    let numbers = names.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    let at = numbers.len() - levels.len();
    let fit = rate(&games.pool(), numbers[at])?;
    let player = |&player: &usize| Difference { elo: fit.rating(player), std_error: fit.std_error(player) };
    let players: Vec<Difference> = numbers.iter().map(player).collect();
    let zero = Difference { elo: 0.0, std_error: f64::INFINITY };
    let gaps = numbers.windows(2).map(|two| fit.difference(two[1], two[0]).unwrap_or(zero)).collect();
    let margin = |player: &Difference| player.interval().margin().round();
    let ladder = &players[at..];
    let measured = Measured {
        date,
        games: games.games() as u64,
        nodes,
        elo: ladder.iter().map(|level| level.elo.round()).collect(),
        error95: ladder.iter().map(margin).collect(),
        middle: None,
        random: Some([players[0].elo.round(), margin(&players[0])]),
    };
    Ok(Found { measured, players: names.into_iter().zip(players).collect(), gaps })
}

fn rate(pool: &Pool, first: usize) -> Result<Ratings, FitError> {
    let origin = Origin::Anchors(vec![Anchor { player: first, rating: ORIGIN, std_error: None }]);
    fit(pool, &FitOptions { origin, ..FitOptions::default() })
}

impl Found {
    /// What is wrong with the ladder: levels that are not stronger than those before, gaps that are too small or too large.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let first = self.players.len() - self.measured.elo.len();
        let steps = self.players.windows(2).zip(&self.gaps).skip(first);
        let complain = |(two, gap): (&[(String, Difference)], &Difference)| {
            let (from, to) = (&two[0].0, &two[1].0);
            match gap.elo {
                elo if elo <= 0.0 => Some(format!("{to} is not stronger than {from}")),
                elo if !GAPS.contains(&elo) => {
                    Some(format!("{to} is {elo:.0} above {from}; {} to {} is wanted", GAPS.start(), GAPS.end()))
                }
                _ => None,
            }
        };
        steps.filter_map(complain).collect()
    }

    /// Whether each level is stronger than the one before.
    #[must_use]
    pub fn rises(&self) -> bool {
        self.measured.elo.windows(2).all(|two| two[0] < two[1])
    }

    /// The findings as a table of at most 80 columns.
    #[must_use]
    pub fn text(&self, rules: &str) -> String {
        let Measured { games, nodes, .. } = &self.measured;
        let mut text = format!("{:<24} {:>6} {:>6} {:>7} {:>6}\n", "player", "Elo", "±95%", "gap", "±95%");
        for (at, (name, player)) in self.players.iter().enumerate() {
            let _ = write!(text, "{name:<24} {:>6.0} {:>6.0}", player.elo, player.interval().margin());
            if let Some(gap) = at.checked_sub(1).and_then(|before| self.gaps.get(before)) {
                let _ = write!(text, " {:>+7.0} {:>6.0}", gap.elo, gap.interval().margin());
            }
            text.push('\n');
        }
        let _ = writeln!(text, "{games} games under {rules} at {nodes} nodes a series.");
        text += "An internal scale: the first level has 500 by definition; no human rating.\n";
        for complaint in self.complaints() {
            let _ = writeln!(text, "! {complaint}.");
        }
        text
    }
}

/// The text of a table with what has been measured for a rule set in place of what was there before. Everything else stays as
/// it is.
///
/// # Errors
/// The result is no table.
pub fn rewrite(table: &str, rules: &str, measured: &Measured) -> Result<String, String> {
    let head = format!("[measured.{rules}]");
    let (mut lines, mut is_old) = (Vec::new(), false);
    for line in table.lines() {
        if line.starts_with('[') {
            is_old = line.trim() == head;
        }
        if !is_old {
            lines.push(line);
        }
    }
    let list = |values: &[f64]| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.0}")).collect();
        format!("[{}]", values.join(", "))
    };
    let Measured { date, games, nodes, elo, error95, middle, random } = measured;
    let mut text = lines.join("\n").trim_end().to_owned();
    let _ = write!(text, "\n\n{head}\ndate = \"{date}\"\ngames = {games}\nnodes = {nodes}\n");
    let _ = write!(text, "elo = {}\nerror95 = {}\n", list(elo), list(error95));
    if let Some(middle) = middle {
        let _ = writeln!(text, "middle = {}", list(middle));
    }
    if let Some(random) = random {
        let _ = writeln!(text, "random = {}", list(random));
    }
    Ladder::parse(&text).map(|_| text)
}
