//! The plots of the page: ratings, their progress, the test, time by turn.

use super::collect::{Collected, Test};
use super::page::numbers;
use super::plot::{Axis, CURVES, Data, Labels, Plot, Tick, percent, plot};
use super::tables::estimate;
use crate::report::result::{Estimate, PlayerSummary};
use crate::stats::quantile::Sample;
use crate::stats::sprt::{EloScale, SprtVerdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// How often the ratings are fitted again for the plot of their progress.
const FITS: usize = 32;
/// The same for journals so long that a fit takes its time.
const FEW_FITS: usize = 8;
const LONG: usize = 100_000;
/// How many points of the test's curve are drawn.
const TEST_POINTS: usize = 400;

/// Ratings as dots with error bars on a common axis.
#[derive(Debug, Serialize)]
pub(super) struct Dots {
    ticks: Vec<Tick>,
    rows: Vec<Dot>,
}

/// One player's rating; places in percent.
#[derive(Debug, Serialize)]
struct Dot {
    name: String,
    at: f64,
    left: f64,
    width: f64,
    /// Whether the interval has no end that could be drawn.
    endless: bool,
    text: String,
}

/// The ratings; `None` if there are none.
pub(super) fn ratings(ranked: &[PlayerSummary]) -> Option<Dots> {
    let rated: Vec<_> = ranked.iter().filter_map(|player| Some((player, player.rating?))).collect();
    let ends = |rating: Estimate| {
        let error = rating.error95.unwrap_or(0.0);
        [rating.elo - error, rating.elo + error]
    };
    let axis = Axis::around(rated.iter().flat_map(|(_, rating)| ends(*rating)));
    let dot = |(player, rating): &(&PlayerSummary, Estimate)| {
        let [low, high] = ends(*rating).map(|end| axis.place(end));
        Dot {
            name: player.name.clone(),
            at: percent(axis.place(rating.elo)),
            left: percent(low),
            width: percent(high - low),
            endless: rating.error95.is_none(),
            text: estimate(*rating),
        }
    };
    (!rated.is_empty()).then(|| Dots { ticks: axis.ticks(), rows: rated.iter().map(dot).collect() })
}

/// Ratings over games, of the best players; with error bands if they are few.
pub(super) fn progress(collected: &Collected, ranked: &[PlayerSummary]) -> Option<Plot> {
    let count = collected.standing.counted();
    let fits = if count > LONG { FEW_FITS } else { FITS };
    let mut moments: Vec<usize> = (1..=fits).map(|n| count * n / fits).filter(|&n| n >= 2).collect();
    moments.dedup();
    if moments.len() < 2 {
        return None;
    }
    let order = numbers(collected, ranked);
    let shown = &order[..order.len().min(CURVES)];
    let mut data: Vec<Data> = shown
        .iter()
        .enumerate()
        .map(|(color, &player)| {
            let name = collected.standing.names()[player].clone();
            Data { name, color, points: Vec::new(), is_faint: false }
        })
        .collect();
    for &moment in &moments {
        let Some(fit) = collected.standing.ratings_after(moment) else { continue };
        for (data, &player) in data.iter_mut().zip(shown) {
            if fit.games(player) > 0.0 {
                let band = (shown.len() <= 3).then(|| fit.interval(player).margin()).filter(|m| m.is_finite());
                data.points.push((moment as f64, fit.rating(player), band));
            }
        }
    }
    let heights = data.iter().flat_map(|data| &data.points).flat_map(|&(_, elo, _)| [elo]);
    // Bands of the first few games would press the rest flat: they may leave the plot.
    let bands = data.iter().flat_map(|data| data.points.iter().skip(data.points.len() / 4));
    let ends = |&(_, elo, band): &(f64, f64, Option<f64>)| [elo - band.unwrap_or(0.0), elo + band.unwrap_or(0.0)];
    let y = Axis::around(heights.chain(bands.flat_map(ends)));
    let x = Axis::counting(moments[0] as f64, count as f64);
    let best = if order.len() > CURVES { " of the best players" } else { "" };
    let labels = Labels {
        title: "Ratings over games",
        description: format!("Ratings{best} by one fit of all games up to each point; {count} games at the right end"),
        x: "games",
        y: "Elo",
    };
    plot(labels, &data, x, y, &[])
}

/// The log-likelihood ratio over pairs, between its bounds.
pub(super) fn test_curve(collected: &Collected, test: &Test) -> Option<Plot> {
    let all = &collected.curve;
    let (pairs, _) = *all.last()?;
    let every = all.len().div_ceil(TEST_POINTS).max(1);
    // Counted from the end, so that the last point, which decides, is always there.
    let mut points: Vec<_> = all.iter().rev().step_by(every).map(|&(n, llr)| (n as f64, llr, None)).collect();
    points.reverse();
    let (low, high) = (test.sprt.lower_bound(), test.sprt.upper_bound());
    let y = Axis::around(points.iter().map(|point| point.1).chain([low, high]));
    let lines = [(low, format!("accept H0 ({low:.2})")), (high, format!("accept H1 ({high:.2})"))];
    let data = [Data { name: test.player.clone(), color: 0, points, is_faint: false }];
    let labels = Labels { title: "SPRT", description: test_text(collected, test), x: "pairs of games", y: "LLR" };
    plot(labels, &data, Axis::counting(1.0, pairs as f64), y, &lines)
}

/// Where the test stands, in a sentence.
pub(super) fn test_text(collected: &Collected, test: &Test) -> String {
    let sprt = &test.sprt;
    let (pairs, llr) = collected.curve.last().copied().unwrap_or((0, 0.0));
    let verdict = match sprt.judge(llr) {
        SprtVerdict::AcceptH0 => "H0 accepted",
        SprtVerdict::AcceptH1 => "H1 accepted",
        SprtVerdict::Continue => "undecided",
    };
    let scale = match sprt.scale() {
        EloScale::Logistic => "Elo",
        EloScale::Normalized => "normalized Elo",
    };
    format!(
        "{}: H0 {} against H1 {} {scale}; LLR {llr:.2} in [{:.2}, {:.2}] after {pairs} pairs: {verdict}",
        test.player,
        sprt.elo0(),
        sprt.elo1(),
        sprt.lower_bound(),
        sprt.upper_bound(),
    )
}

/// Time for a series by turn: median, and faintly the time that nine of ten stay under.
pub(super) fn time_by_turn(collected: &Collected, ranked: &[PlayerSummary]) -> Option<Plot> {
    let data = by_turn(collected, ranked, &collected.times, 1.0);
    let description = "Milliseconds for a series by turn: the median as a line, the time that nine of ten series stay under \
                       dashed";
    let labels = Labels { title: "Time by turn", description: description.into(), x: "turn", y: "ms" };
    turns_plot(labels, &data, &[])
}

/// The same in percent of the time that the clock allowed, where time was limited.
pub(super) fn time_of_limit(collected: &Collected, ranked: &[PlayerSummary]) -> Option<Plot> {
    let data = by_turn(collected, ranked, &collected.shares, 0.1);
    let description = "Time for a series in percent of what the clock allowed then: the median as a line, what nine of ten \
                       series stay under dashed";
    let labels = Labels { title: "Time used of the limit", description: description.into(), x: "turn", y: "%" };
    turns_plot(labels, &data, &[(100.0, "the limit".into())])
}

/// Curves over turns: the median of the numbers of each player and turn, and faintly what nine of ten stay under.
fn by_turn(
    collected: &Collected,
    ranked: &[PlayerSummary],
    values: &BTreeMap<(usize, u16), Sample>,
    unit: f64,
) -> Vec<Data> {
    let order = numbers(collected, ranked);
    let mut data = Vec::new();
    for (p, is_faint) in [(0.5, false), (0.9, true)] {
        for (color, &player) in order.iter().take(CURVES).enumerate() {
            let turns = values.range((player, 0)..=(player, u16::MAX));
            let point = |((_, turn), values): (&(usize, u16), &Sample)| {
                Some((f64::from(*turn), unit * values.quantile(p)?, None))
            };
            let points: Vec<_> = turns.filter_map(point).collect();
            if !points.is_empty() {
                data.push(Data { name: collected.standing.names()[player].clone(), color, points, is_faint });
            }
        }
    }
    data
}

fn turns_plot(labels: Labels, data: &[Data], lines: &[(f64, String)]) -> Option<Plot> {
    let all = || data.iter().flat_map(|data: &Data| &data.points);
    let (first, last) = all().fold((f64::INFINITY, 0.0_f64), |(l, h), point| (l.min(point.0), h.max(point.0)));
    let y = Axis::around(all().map(|point| point.1).chain(lines.iter().map(|line| line.0)).chain([0.0]));
    plot(labels, data, Axis::counting(first, last), y, lines)
}

/// How many milliseconds beyond the players' own account answers took: what each share of the turns stays under.
pub(super) fn overhead(collected: &Collected, ranked: &[PlayerSummary]) -> Option<Plot> {
    let curve = |(color, player): (usize, &usize)| {
        let sample = collected.overheads.get(player)?;
        let point = |p: f64| Some((p, sample.quantile(p / 100.0)?, None));
        let points = (0..=100).filter_map(|p| point(f64::from(p))).collect();
        Some(Data { name: collected.standing.names()[*player].clone(), color, points, is_faint: false })
    };
    let data: Vec<Data> = numbers(collected, ranked).iter().take(CURVES).enumerate().filter_map(curve).collect();
    let labels = Labels {
        title: "Overhead",
        description: "Milliseconds from the question to the answer beyond those that the player itself reported, which pipes and a \
                      busy machine take: how many percent of the turns stay under each height"
            .into(),
        x: "% of turns",
        y: "ms",
    };
    let y = Axis::around(data.iter().flat_map(|data| &data.points).map(|point| point.1).chain([0.0, 1.0]));
    plot(labels, &data, Axis::counting(0.0, 100.0), y, &[])
}
