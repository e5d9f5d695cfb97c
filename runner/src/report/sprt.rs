//! A sequential test in words and numbers.

use super::result::Estimate;
use crate::stats::counts::{Penta, Tally};
use crate::stats::elo::Interval;
use crate::stats::sprt::{Sprt, SprtVerdict};
use crate::stats::stopped::{SEARCH_LIMIT, elo_after_sprt};
use serde::Serialize;

/// Where a test stands.
#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    /// The first player's advantage under H0, on the scale.
    pub elo0: f64,
    /// The same under H1.
    pub elo1: f64,
    /// `normalized` or `logistic`.
    pub scale: &'static str,
    /// H0 is accepted at this ratio.
    pub lower: f64,
    /// H1 is accepted at this ratio.
    pub upper: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The pairs it is made of, by the first player's points (0, ½, 1, 1½, 2); absent where games were counted singly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[u64; 5]>,
    /// `accept-h0`, `accept-h1`, or `inconclusive` as long as it is neither.
    pub verdict: &'static str,
    /// The first player's advantage in logistic Elo, free of the bias of stopping; absent without games.
    pub elo: Option<Estimate>,
    #[serde(skip)]
    interval: Option<Interval>,
}

impl SprtSummary {
    /// What the test says of these pairs.
    #[must_use]
    pub fn new(test: &Sprt, pairs: &Penta) -> Self {
        Self { pairs: Some(pairs.0), ..Self::of(test, pairs) }
    }

    /// What the test says of any table.
    #[must_use]
    pub fn of(test: &Sprt, table: &impl Tally) -> Self {
        let llr = test.llr(table);
        let elo = (table.cells().observations() > 0.0).then(|| elo_after_sprt(test, table));
        let half = |interval: Interval| (interval.high - interval.low) / 2.0;
        let bounded = |interval: &Interval| interval.low > -SEARCH_LIMIT && interval.high < SEARCH_LIMIT;
        Self {
            elo0: test.elo0(),
            elo1: test.elo1(),
            scale: test.scale().word(),
            lower: test.lower_bound(),
            upper: test.upper_bound(),
            llr,
            pairs: None,
            verdict: match test.judge(llr) {
                SprtVerdict::AcceptH0 => "accept-h0",
                SprtVerdict::AcceptH1 => "accept-h1",
                SprtVerdict::Continue => "inconclusive",
            },
            elo: elo.map(|elo| {
                let error95 = Some(elo.interval).filter(bounded).map(half);
                Estimate { elo: elo.elo, error95 }
            }),
            interval: elo.map(|elo| elo.interval),
        }
    }

    /// A few words for a progress bar.
    #[must_use]
    pub fn short(&self) -> String {
        format!("LLR {:.2} ({:.2}, {:.2})", self.llr, self.lower, self.upper)
    }

    /// The verdict in lines of at most 80 columns, but for the names.
    #[must_use]
    pub fn text(&self, first: &str, second: &str) -> String {
        let Self { elo0, elo1, scale, llr, lower, upper, .. } = self;
        let verdict = match self.verdict {
            "accept-h0" => format!("H0 accepted: no more than {elo0} Elo"),
            "accept-h1" => format!("H1 accepted: at least {elo1} Elo"),
            _ => "inconclusive: neither bound is reached".to_owned(),
        };
        let mut text = format!(
            "SPRT of {first} against {second}: {verdict}.\n\
             H0 {elo0}, H1 {elo1} {scale} Elo; LLR {llr:.3}, bounds {lower:.3} and {upper:.3}.\n"
        );
        if let Some([a, b, c, d, e]) = self.pairs {
            text += &format!("Pairs with 0, ½, 1, 1½, 2 points: {a} {b} {c} {d} {e}.\n");
        }
        if let (Some(elo), Some(interval)) = (self.elo, self.interval) {
            let end = |elo: f64| if elo.abs() < SEARCH_LIMIT { format!("{elo:+.1}") } else { "no bound".into() };
            let (low, high) = (end(interval.low), end(interval.high));
            text += &format!("Elo, free of the bias of stopping: {:+.1}, 95 %: {low} to {high}.\n", elo.elo);
        }
        text
    }
}
