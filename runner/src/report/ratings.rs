//! Ratings of players out of any files, in words and as JSON.

use super::console::shortened;
use super::result::Estimate;
use crate::shards::Compared;
use crate::stats::bootstrap::Bootstrap;
use crate::stats::rating::Ratings;
use serde::Serialize;
use std::fmt::Write as _;

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct RatingList {
    /// The version of the schema.
    pub v: u32,
    /// Games that count.
    pub games: usize,
    /// Games without a result.
    pub unfinished: u64,
    /// White's advantage.
    pub white_advantage: Estimate,
    /// The players, best first.
    pub players: Vec<Rated>,
    /// Groups of players that no chain of games joins, if there are several: ratings of different groups mean nothing together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<String>>,
    /// In the order of the list: the confidence, 0 to 1, that the player of the row is stronger than that of the column; null where they
    /// cannot be compared. Only if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub los: Vec<Vec<Option<f64>>>,
    /// How many times the games were drawn again for the intervals `bootstrap95`; absent if they were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resamplings: Option<usize>,
    /// The files against each other, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shards: Vec<Compared>,
    /// The list without the files that are flagged, if any are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_flagged: Option<Box<RatingList>>,
}

/// One player.
#[derive(Clone, Debug, Serialize)]
pub struct Rated {
    /// His name.
    pub name: String,
    /// His rating.
    pub rating: Estimate,
    /// Whether it rests more on the prior than on games.
    pub prior_dominated: bool,
    /// Games that count.
    pub games: f64,
    /// Points from them.
    pub points: f64,
    /// The 95 % interval of resampled games, in Elo, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap95: Option<[f64; 2]>,
    /// The confidence, 0 to 1, that he is stronger than the next in the list; absent where they cannot be compared.
    pub los_next: Option<f64>,
}

impl RatingList {
    /// The list of a fit of these players.
    #[must_use]
    pub fn new(names: &[String], fit: &Ratings, unfinished: u64) -> Self {
        let estimate = |elo: f64, margin: f64| Estimate { elo, error95: Some(margin).filter(|m| m.is_finite()) };
        let order = order(fit);
        let rated = |(place, &player): (usize, &usize)| Rated {
            name: names[player].clone(),
            rating: estimate(fit.rating(player), fit.interval(player).margin()),
            prior_dominated: fit.is_prior_dominated(player),
            games: fit.games(player),
            points: fit.points(player),
            bootstrap95: None,
            los_next: order.get(place + 1).and_then(|&next| fit.difference(player, next)).map(|d| d.los()),
        };
        let advantage = fit.white_advantage();
        let weak = &fit.connectivity().weak;
        let group = |members: &Vec<usize>| members.iter().map(|&player| names[player].clone()).collect();
        Self {
            v: 1,
            games: (order.iter().map(|&player| fit.games(player)).sum::<f64>() / 2.0) as usize,
            unfinished,
            white_advantage: estimate(advantage.elo, advantage.interval().margin()),
            players: order.iter().enumerate().map(rated).collect(),
            groups: if weak.len() > 1 { weak.iter().map(group).collect() } else { Vec::new() },
            los: Vec::new(),
            resamplings: None,
            shards: Vec::new(),
            without_flagged: None,
        }
    }

    /// The same with the intervals of resampled games; `fit` is that of the list.
    #[must_use]
    pub fn with_bootstrap(mut self, fit: &Ratings, drawn: &Bootstrap) -> Self {
        for (rated, player) in self.players.iter_mut().zip(order(fit)) {
            let interval = drawn.ratings[player];
            rated.bootstrap95 = Some([interval.low, interval.high]);
        }
        self.resamplings = Some(drawn.replicates);
        self
    }

    /// The same with everybody's confidence against everybody; `fit` is that of the list.
    #[must_use]
    pub fn with_matrix(mut self, fit: &Ratings) -> Self {
        let (order, all) = (order(fit), fit.los_matrix());
        self.los = order.iter().map(|&row| order.iter().map(|&column| all[row][column]).collect()).collect();
        self
    }

    /// The list as a table of at most 80 columns.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:>5}  {:<21} {:>8} {:>7} {:>9} {:>7} {:>10}\n",
            "rank", "player", "Elo", "±95%", "games", "score", "LOS next"
        );
        for (place, player) in self.players.iter().enumerate() {
            let doubt = if player.prior_dominated { "?" } else { "" };
            let error = player.rating.error95.map_or("-".into(), |error| format!("{error:.1}"));
            let percent = |share: f64| format!("{:.1}%", 100.0 * share);
            let score = if player.games > 0.0 { percent(player.points / player.games) } else { "-".into() };
            let los = player.los_next.map_or("-".into(), percent);
            let elo = format!("{:.1}{doubt}", player.rating.elo);
            let name = shortened(&player.name);
            let _ = writeln!(
                text,
                "{:>5}  {name:<21} {elo:>8} {error:>7} {:>9} {score:>7} {los:>10}",
                place + 1,
                player.games
            );
        }
        let error = self.white_advantage.error95.map_or("?".into(), |error| format!("{error:.1}"));
        let _ =
            writeln!(text, "{} games. White's advantage: {:+.1} ± {error} Elo.", self.games, self.white_advantage.elo);
        if self.unfinished > 0 {
            let _ = writeln!(text, "{} games without a result were left out.", self.unfinished);
        }
        if self.players.iter().any(|player| player.prior_dominated) {
            text += "? = too few informative games: the number rests on the prior.\n";
        }
        if !self.groups.is_empty() {
            let _ = writeln!(
                text,
                "The players fall into {} groups that never met; ratings compare only within one:",
                self.groups.len()
            );
            for group in &self.groups {
                let _ = writeln!(text, "  {}", group.join(", "));
            }
        }
        text + &self.resampled() + &self.matrix() + &self.files()
    }

    /// The intervals of resampled games.
    fn resampled(&self) -> String {
        let Some(times) = self.resamplings else { return String::new() };
        let mut text = format!("\n95 % intervals of {times} times as many games drawn from these (bootstrap):\n");
        for player in &self.players {
            if let Some([low, high]) = player.bootstrap95 {
                let _ = writeln!(text, "  {:<21} {low:>8.1} to {high:>8.1}", shortened(&player.name));
            }
        }
        text
    }

    /// Everybody's confidence against everybody, as many columns at a time as fit.
    fn matrix(&self) -> String {
        let mut text = String::new();
        let columns: Vec<usize> = (0..self.los.len()).collect();
        for block in columns.chunks(COLUMNS) {
            text += "\nConfidence in % that the player of the row is stronger than that of the column\n";
            let _ = write!(text, "{:27}", "");
            for column in block {
                let _ = write!(text, "{:>4}", column + 1);
            }
            for (row, (player, confidences)) in self.players.iter().zip(&self.los).enumerate() {
                let _ = write!(text, "\n{:>5} {:<21}", row + 1, shortened(&player.name));
                for &column in block {
                    let percent = confidences[column].map_or("-".into(), |los| format!("{:.0}", 100.0 * los));
                    let _ = write!(text, "{percent:>4}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// The files against each other, and the list without those that are flagged.
    fn files(&self) -> String {
        if self.shards.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "\n{:<36} {:>7} {:>8} {:>7} {:>7} {:>8}\n",
            "file, against the others", "pairs", "chi2", "p", "faults", "p"
        );
        for shard in &self.shards {
            let _ = writeln!(
                text,
                "{:<36} {:>7} {:>8} {:>7} {:>7} {:>7}{}",
                tail(&shard.file.to_string_lossy(), 36),
                shard.pairs,
                format!("{:.1}/{}", shard.results.chi_squared, shard.results.degrees_of_freedom),
                chance(shard.results.p_value),
                shard.faults,
                chance(shard.faults_p_value),
                if shard.flagged { "!" } else { "" }
            );
        }
        text += "faults: games lost on time, by a crash or by silence\n";
        if let Some(list) = &self.without_flagged {
            text += "! = too unlike the others for chance (p < 0.0001): a bad machine? Without it:\n\n";
            text += &list.text();
        } else if self.shards.iter().any(|shard| shard.flagged) {
            text += "! = too unlike the others for chance (p < 0.0001), all of them\n";
        }
        text
    }
}

/// How many columns of the matrix fit beside the names.
const COLUMNS: usize = 13;

/// The players, best first.
fn order(fit: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fit.players()).collect();
    order.sort_by(|&a, &b| fit.rating(b).total_cmp(&fit.rating(a)));
    order
}

/// The end of a text, at most so many characters.
fn tail(text: &str, most: usize) -> String {
    let surplus = text.chars().count().saturating_sub(most);
    if surplus == 0 {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(surplus + 1)).collect()
}

/// A chance with what of it matters.
fn chance(p: f64) -> String {
    if p < 1e-9 {
        "<1e-9".into()
    } else if p < 0.001 {
        format!("{p:.0e}")
    } else {
        format!("{p:.3}")
    }
}
