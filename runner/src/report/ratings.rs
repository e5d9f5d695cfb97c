//! Ratings of players out of any files, in words and as JSON.

use super::console::shortened;
use super::result::Estimate;
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
    /// The confidence, 0 to 1, that he is stronger than the next in the list; absent where they cannot be compared.
    pub los_next: Option<f64>,
}

impl RatingList {
    /// The list of a fit of these players.
    #[must_use]
    pub fn new(names: &[String], fit: &Ratings, unfinished: u64) -> Self {
        let estimate = |elo: f64, margin: f64| Estimate { elo, error95: Some(margin).filter(|m| m.is_finite()) };
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| fit.rating(b).total_cmp(&fit.rating(a)));
        let rated = |(place, &player): (usize, &usize)| Rated {
            name: names[player].clone(),
            rating: estimate(fit.rating(player), fit.interval(player).margin()),
            prior_dominated: fit.is_prior_dominated(player),
            games: fit.games(player),
            points: fit.points(player),
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
        }
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
        text
    }
}
