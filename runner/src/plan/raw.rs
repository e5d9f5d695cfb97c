//! The tournament file as it is written. Every key is known here or refused.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::{NonZeroU16, NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;

/// A length of time, written as a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(pub Duration);

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// The name in reports; the file's by default.
    pub name: Option<String>,
    /// The rule set; italian by default.
    pub rules: Option<Spanned<String>>,
    /// `round-robin` (default), `pyramid`, `gauntlet`, `match`, `knockout`, `swiss` or `adaptive`.
    pub format: Option<Spanned<String>>,
    /// In a gauntlet: how many of the first players meet all others.
    pub seeds: Option<Spanned<u16>>,
    /// Of a knockout.
    pub knockout: Option<Spanned<RawKnockout>>,
    /// Of a Swiss tournament.
    pub swiss: Option<Spanned<RawSwiss>>,
    /// Of an adaptive tournament.
    pub adaptive: Option<Spanned<RawAdaptive>>,
    /// Pairs of games between any two that meet; 1 by default.
    pub rounds: Option<NonZeroU64>,
    /// Whether the first game of every pair is played with the colors of its second, and the second with those of the first.
    pub reverse: Option<bool>,
    /// Whether the two games of a pair have swapped colors; true by default.
    pub swap: Option<Spanned<bool>>,
    /// How long each of the games at a time waits before its next one; not at all by default.
    pub wait: Option<Seconds>,
    /// `abnormal` (default) or `all`: which games have transcripts.
    pub transcripts: Option<Spanned<String>>,
    /// Games at a time; the number of cores by default.
    pub concurrency: Option<NonZeroU16>,
    /// The source of all randomness; by default a new one, written into the results.
    pub seed: Option<u64>,
    /// The folder for outputs, seen from where the runner is started; a new one under `out/` by default.
    pub out: Option<PathBuf>,
    /// `canonical` (default), `padded` or `headers`: how games.pgn is written.
    pub pgn: Option<Spanned<String>>,
    /// A game in which this turn has been played is a draw.
    pub max_turns: Option<u16>,
    /// `lose` (default), `replay` or `stop`.
    pub on_crash: Option<Spanned<String>>,
    /// Stop when a player has crashed more often in one session; never by default.
    pub max_crashes: Option<u64>,
    /// Engines that may be starting at a time; the number of cores by default.
    pub starts: Option<NonZeroU16>,
    /// Whether every worker and its engines have a processor of their own.
    pub affinity: Option<Spanned<bool>>,
    /// When a game is lost by the loser's own account; never by default.
    pub resign: Option<Spanned<RawResign>>,
    /// When a game is drawn by both players' account; never by default.
    pub draw: Option<Spanned<RawDraw>>,
    /// Of a match: stop as soon as this test has its verdict.
    pub sprt: Option<Spanned<RawSprt>>,
    /// Where games begin.
    pub openings: Option<RawOpenings>,
    /// How long to wait for what is no move.
    #[serde(default)]
    pub timeouts: RawTimeouts,
    /// For players that do not say otherwise.
    #[serde(default)]
    pub defaults: RawDefaults,
    /// The players.
    #[serde(default)]
    pub players: Vec<Spanned<RawPlayer>>,
}

/// `[knockout]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawKnockout {
    /// At most so many further pairs for a tie that is level; 4 by default.
    pub extra: Option<u16>,
}

/// `[swiss]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSwiss {
    /// How many rounds; by default as many as a knockout of these players would have, and one more.
    pub rounds: Option<Spanned<u16>>,
}

/// `[adaptive]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawAdaptive {
    /// At most so many games.
    pub max_games: Spanned<u64>,
    /// Stop when all that is wanted is known to ± so many Elo.
    pub until: Option<Spanned<f64>>,
    /// What is wanted: `ratings` (default) or `gaps`.
    pub of: Option<Spanned<String>>,
    /// The ratings of the first so many players are known, those of the others are wanted; nobody's is known by default.
    pub known: Option<Spanned<u16>>,
}

/// `[resign]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawResign {
    /// So many centipawns behind.
    pub score: NonZeroU32,
    /// In so many turns of his on end; 3 by default.
    pub count: Option<NonZeroU32>,
    /// Whether the winner must say the same; true by default.
    pub two_sided: Option<bool>,
}

/// `[draw]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawDraw {
    /// Within so many centipawns.
    pub score: u16,
    /// In so many turns of each on end; 3 by default.
    pub count: Option<NonZeroU32>,
    /// Not before this turn has been played; 10 by default.
    pub after: Option<u16>,
}

/// `[sprt]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSprt {
    /// The first player's advantage under H0.
    pub elo0: f64,
    /// The same under H1.
    pub elo1: f64,
    /// The chance of accepting H1 wrongly; 0.05 by default.
    pub alpha: Option<f64>,
    /// The chance of accepting H0 wrongly; 0.05 by default.
    pub beta: Option<f64>,
    /// `normalized` (default) or `logistic`.
    pub scale: Option<Spanned<String>>,
}

/// `[openings]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawOpenings {
    /// The suite, relative to the plan; whole games if it ends in `.pgn`.
    pub file: Spanned<PathBuf>,
    /// Of whole games: how many turns of each are the opening.
    pub turns: Option<Spanned<u16>>,
    /// `random` (default) or `sequential`.
    pub order: Option<Spanned<String>>,
    /// `round` (default: one opening for all encounters of a round) or `encounter`.
    pub policy: Option<Spanned<String>>,
    /// The first opening in the order of play, from 1.
    pub start: Option<Spanned<u64>>,
}

/// `[timeouts]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTimeouts {
    /// To the first `readyok`.
    pub start: Option<Seconds>,
    /// For any later `readyok`.
    pub ping: Option<Seconds>,
    /// From `quit` to the end of the process.
    pub quit: Option<Seconds>,
    /// For any turn, whatever the other limits.
    pub turn: Option<Seconds>,
}

/// `[defaults]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawDefaults {
    /// A clock: `series/seconds+increment`.
    pub tc: Option<Spanned<String>>,
    /// Seconds for each series.
    pub st: Option<Seconds>,
    /// Nodes for each series.
    pub nodes: Option<NonZeroU64>,
    /// Depth in series.
    pub depth: Option<NonZeroU32>,
    /// Seconds by which time may be overrun.
    pub margin: Option<Seconds>,
    /// Options for all.
    #[serde(default)]
    pub options: BTreeMap<String, Spanned<toml::Value>>,
    /// Whether to start engines afresh for every game.
    pub restart: Option<bool>,
}

/// The limits of a player, as both tables that have them give them.
#[derive(Clone, Debug)]
pub struct RawLimits<'a> {
    /// A clock.
    pub tc: Option<&'a Spanned<String>>,
    /// Time for each series.
    pub st: Option<Seconds>,
    /// Nodes for each series.
    pub nodes: Option<NonZeroU64>,
    /// Depth in series.
    pub depth: Option<NonZeroU32>,
}

/// `[[players]]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawPlayer {
    /// The name, different from all others.
    pub name: Spanned<String>,
    /// The engine; the built-in one by default.
    pub command: Option<Spanned<String>>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// `series` (default), `flat` or `fairy`: how it is asked for a series.
    pub dialect: Option<Spanned<String>>,
    /// Where it runs.
    pub dir: Option<PathBuf>,
    /// A clock: `series/seconds+increment`.
    pub tc: Option<Spanned<String>>,
    /// Seconds for each series.
    pub st: Option<Seconds>,
    /// Nodes for each series.
    pub nodes: Option<NonZeroU64>,
    /// Depth in series.
    pub depth: Option<NonZeroU32>,
    /// Seconds by which time may be overrun.
    pub margin: Option<Seconds>,
    /// His own options.
    #[serde(default)]
    pub options: BTreeMap<String, Spanned<toml::Value>>,
    /// Whether to start the engine afresh for every game.
    pub restart: Option<bool>,
    /// The share of turns, 0 to 1, in which a random legal series is played; 0 by default.
    pub random: Option<Spanned<f64>>,
}

impl RawDefaults {
    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> RawLimits<'_> {
        RawLimits { tc: self.tc.as_ref(), st: self.st, nodes: self.nodes, depth: self.depth }
    }
}

impl RawPlayer {
    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> RawLimits<'_> {
        RawLimits { tc: self.tc.as_ref(), st: self.st, nodes: self.nodes, depth: self.depth }
    }
}

impl RawLimits<'_> {
    /// Whether it limits nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tc.is_none() && self.st.is_none() && self.nodes.is_none() && self.depth.is_none()
    }
}

/// The value of an option as the protocol writes it.
#[must_use]
pub fn option_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) if !text.contains(['\n', '\r']) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
