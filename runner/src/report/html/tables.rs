//! The tables and bars of the page.

use super::collect::{Abnormal, Collected};
use super::page::numbers;
use crate::record::GameEnd;
use crate::report::result::{Estimate, PlayerSummary, score};
use crate::stats::counts::Wdl;
use crate::stats::quantile::Sample;
use serde::Serialize;

/// How many players have bars of their own.
pub(super) const BARS: usize = 12;

/// An answer that took so many milliseconds more than the player's own account is worth a look.
const GAP: u32 = 500;

/// A row: a name and its cells.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    name: String,
    cells: Vec<String>,
}

/// A bar of wins, draws and losses.
#[derive(Debug, Serialize)]
pub(super) struct Bar {
    name: String,
    /// Won, drawn, lost in percent of the longest bar.
    shares: [f64; 3],
    counts: [u64; 3],
    text: String,
}

/// Everybody against everybody.
#[derive(Debug, Serialize)]
pub(super) struct CrossTable {
    names: Vec<String>,
    /// `None` on the diagonal.
    rows: Vec<Vec<Option<Meeting>>>,
}

/// The games of two players, from the row's side.
#[derive(Debug, Serialize)]
struct Meeting {
    /// Points of games; empty if there were none.
    points: String,
    los: String,
    title: String,
    /// The score in percent, for the color of the cell.
    score: Option<f64>,
}

/// A game that did not end over the board.
#[derive(Debug, Serialize)]
pub(super) struct Fault {
    game: u64,
    player: String,
    kind: &'static str,
    text: String,
    raw: String,
    stderr: String,
}

/// 0.5 as `50.0%`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// `+12 ± 30`; `± ?` where the games give no bound.
pub(super) fn estimate(estimate: Estimate) -> String {
    let error = estimate.error95.map_or("?".into(), |error| format!("{error:.0}"));
    format!("{} ± {error}", signed(estimate.elo))
}

/// With a true minus, and no sign for zero.
fn signed(elo: f64) -> String {
    let text = format!("{elo:+.0}").replace('-', "−");
    if text.trim_start_matches(['+', '−']) == "0" { "0".into() } else { text }
}

fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or("–".into(), percent)
}

pub(super) fn standing(player: &PlayerSummary) -> Row {
    let doubt = if player.prior_dominated { "?" } else { "" };
    let faults: u64 = player.faults.values().sum();
    let cells = vec![
        player.rating.map_or("–".into(), |rating| format!("{}{doubt}", signed(rating.elo))),
        player.rating.and_then(|rating| rating.error95).map_or("–".into(), |error| format!("{error:.0}")),
        player.games.to_string(),
        player.wins.to_string(),
        player.draws.to_string(),
        player.losses.to_string(),
        percent_or_dash(player.score),
        percent_or_dash(player.white_score),
        percent_or_dash(player.black_score),
        faults.to_string(),
    ];
    Row { name: player.name.clone(), cells }
}

/// Halves as `7½`.
fn points(results: &Wdl) -> String {
    let halves = 2 * results.wins + results.draws;
    match (halves / 2, halves % 2) {
        (0, 1) => "½".into(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

pub(super) fn cross(collected: &Collected, ranked: &[PlayerSummary]) -> CrossTable {
    let order = numbers(collected, ranked);
    let los = collected.standing.ratings().map(|ratings| ratings.los_matrix());
    let meeting = |row: usize, column: usize| {
        let results = collected.meetings.get(&(row, column)).copied().unwrap_or_default();
        let los = los.as_ref().and_then(|los| *los.get(row)?.get(column)?);
        let games = results.games();
        Meeting {
            points: if games > 0 { format!("{}/{games}", points(&results)) } else { String::new() },
            los: los.map_or(String::new(), percent),
            title: format!("{} won, {} drawn, {} lost", results.wins, results.draws, results.losses),
            score: score(&results).map(|score| (100.0 * score).round()),
        }
    };
    let cells = |row: usize| order.iter().map(|&column| (row != column).then(|| meeting(row, column))).collect();
    CrossTable {
        names: ranked.iter().map(|player| player.name.clone()).collect(),
        rows: order.iter().map(|&row| cells(row)).collect(),
    }
}

/// A bar whose length is its part of `most` games.
fn bar(name: String, results: &Wdl, most: u64) -> Bar {
    let counts = [results.wins, results.draws, results.losses];
    let shares = counts.map(|count| super::plot::percent(count as f64 / most.max(1) as f64));
    Bar { name, shares, counts, text: percent_or_dash(score(results)) }
}

/// All games from White's side, then each player with each color.
pub(super) fn colors(collected: &Collected, ranked: &[PlayerSummary]) -> Vec<Bar> {
    let all: Wdl = collected.last_turns.values().copied().sum();
    let mut bars = vec![bar("White: all".into(), &all, all.games())];
    for player in numbers(collected, ranked).into_iter().take(BARS) {
        let (name, tally) = (&collected.standing.names()[player], &collected.standing.tallies()[player]);
        for (color, results) in [("White", tally.white), ("Black", tally.black)] {
            bars.push(bar(format!("{color}: {name}"), &results, results.games()));
        }
    }
    bars
}

pub(super) fn last_turns(collected: &Collected) -> Vec<Bar> {
    let most = collected.last_turns.values().map(Wdl::games).max().unwrap_or(0);
    collected.last_turns.iter().map(|(turn, results)| bar(format!("turn {turn}"), results, most)).collect()
}

/// Time use of each player over all turns.
pub(super) fn times(collected: &Collected, ranked: &[PlayerSummary]) -> Vec<Row> {
    let row = |player: usize| {
        let mut all = Sample::default();
        for (_, times) in collected.times.range((player, 0)..=(player, u16::MAX)) {
            all.extend(times);
        }
        let at = |sample: &Sample, p: f64| sample.quantile(p).map_or("–".into(), |ms| format!("{ms:.0}"));
        let mut cells = vec![all.count().to_string()];
        cells.extend([0.5, 0.9, 0.99, 1.0].map(|p| at(&all, p)));
        cells.push(format!("{:.1}", all.sum() / 1000.0));
        let none = Sample::default();
        let beyond = collected.overheads.get(&player).unwrap_or(&none);
        cells.push(at(beyond, 0.99));
        cells.push(if beyond.count() == 0 { "–".into() } else { beyond.above(GAP).to_string() });
        Row { name: collected.standing.names()[player].clone(), cells }
    };
    numbers(collected, ranked).into_iter().map(row).collect()
}

/// Ends by reason, the most frequent first.
pub(super) fn reasons(collected: &Collected) -> Vec<Row> {
    let mut all: Vec<_> = collected.reasons.iter().collect();
    all.sort_by_key(|(_, ways)| std::cmp::Reverse(ways.results.games() + ways.open));
    let cells = |won: &Wdl, open: u64| {
        [won.games() + open, won.wins, won.draws, won.losses, open].iter().map(ToString::to_string).collect()
    };
    all.into_iter()
        .map(|(reason, ways)| Row { name: (*reason).into(), cells: cells(&ways.results, ways.open) })
        .collect()
}

pub(super) fn fault(abnormal: &Abnormal) -> Fault {
    let (text, raw, stderr) = match &abnormal.end {
        GameEnd::Forfeit { fault, .. } => {
            (fault.text.clone(), fault.raw.clone().unwrap_or_default(), fault.stderr.clone())
        }
        GameEnd::HarnessError { text } | GameEnd::NotPlayed { text } => (text.clone(), String::new(), String::new()),
        _ => ("the run was stopped".into(), String::new(), String::new()),
    };
    let player = abnormal.player.clone().unwrap_or_else(|| "–".into());
    Fault { game: abnormal.id + 1, player, kind: abnormal.end.reason(), text, raw, stderr }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_printed() {
        let wdl = |wins, draws| Wdl { wins, draws, losses: 0 };
        assert_eq!([wdl(0, 1), wdl(3, 1), wdl(2, 2), wdl(0, 0)].map(|w| points(&w)), ["½", "3½", "3", "0"]);
        assert_eq!([signed(-12.4), signed(0.3), signed(7.0)], ["−12", "0", "+7"]);
        assert_eq!(estimate(Estimate { elo: -0.2, error95: None }), "0 ± ?");
    }
}
