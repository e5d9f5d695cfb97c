//! What the games of a match say of its two players, in numbers and words: everything from the first one's side.

use crate::standing::Standing;
use crate::stats::counts::{Penta, Wdl};
use crate::stats::elo::match_elo;
use serde::Serialize;

/// The numbers of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
    /// The player whose numbers these are.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Complete pairs by the first player's points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Elo by the pairs; infinite numbers are `null`.
    pub elo: f64,
    /// Its 95 % interval.
    pub elo95: [f64; 2],
    /// Normalized Elo: half points in standard deviations of a game, times 800 / ln 10.
    pub normalized_elo: f64,
    /// Half its 95 % interval.
    pub normalized_error95: f64,
    /// The confidence, 0 to 1, that the first player is the stronger one.
    pub los: f64,
    /// The share of drawn games.
    pub draw_ratio: f64,
    /// Pairs won by the first player for each pair lost; absent if none was lost.
    pub pairs_ratio: Option<f64>,
    /// The share of pairs in which both took a point, be it by two draws or by a win each.
    pub even_pairs: f64,
}

impl MatchSummary {
    /// The numbers of a standing of two players; `None` of more, or without a complete pair.
    #[must_use]
    pub fn new(standing: &Standing) -> Option<Self> {
        let [first, second] = standing.names() else { return None };
        let pairs: &Penta = standing.pairs();
        let elo = match_elo(pairs)?;
        let games: Wdl = standing.tallies()[0].both();
        let [lost, half_lost, even, half_won, won] = pairs.0;
        let below = lost + half_lost;
        Some(Self {
            first: first.clone(),
            second: second.clone(),
            pairs: pairs.0,
            elo: elo.elo,
            elo95: [elo.interval.low, elo.interval.high],
            normalized_elo: elo.normalized_elo,
            normalized_error95: elo.normalized_margin,
            los: elo.los,
            draw_ratio: games.draws as f64 / games.games().max(1) as f64,
            pairs_ratio: (below > 0).then(|| (half_won + won) as f64 / below as f64),
            even_pairs: even as f64 / pairs.pairs() as f64,
        })
    }

    /// The numbers in lines of at most 80 columns, but for the names.
    #[must_use]
    pub fn text(&self) -> String {
        let end = |elo: f64| if elo.is_finite() { format!("{elo:+.1}") } else { "no bound".into() };
        let [a, b, c, d, e] = self.pairs;
        let [low, high] = self.elo95.map(end);
        let ratio = self.pairs_ratio.map_or("none lost".into(), |ratio| format!("{ratio:.2}"));
        format!(
            "{} against {}: pairs with 0, ½, 1, 1½, 2 points: {a} {b} {c} {d} {e}.\n\
             Elo {} (95 %: {low} to {high}); LOS {:.1}%.\n\
             Normalized Elo {} ± {:.1}.\n\
             Drawn games {:.1}%, even pairs {:.1}%, pairs won for each lost: {ratio}.\n",
            self.first,
            self.second,
            end(self.elo),
            100.0 * self.los,
            end(self.normalized_elo),
            self.normalized_error95,
            100.0 * self.draw_ratio,
            100.0 * self.even_pairs,
        )
    }
}
