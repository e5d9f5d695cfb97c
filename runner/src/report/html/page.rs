//! What the template is given: every number worked out and written as text.

use super::Heading;
use super::charts::{self, Dots};
use super::collect::{Collected, FAULTS, Place};
use super::plot::Plot;
use super::replay::Replay;
use super::tables::{self, Bar, CrossTable, Fault, Row};
use crate::record::GameRecord;
use crate::report::course::CourseSummary;
use crate::report::result::{Estimate, PlayerSummary, players};
use crate::stats::counts::Wdl;
use crescendo::rules::table::Rules;
use serde::Serialize;

/// The whole page.
#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    course: Option<CourseSummary>,
    /// Label and value.
    facts: Vec<(&'static str, String)>,
    standings: Vec<Row>,
    ratings: Option<Dots>,
    doubtful: bool,
    cross: CrossTable,
    plots: Vec<Plot>,
    /// What the test says, in a sentence.
    test: Option<String>,
    colors: Vec<Bar>,
    /// How many players these are at most.
    bars: usize,
    last_turns: Vec<Bar>,
    times: Vec<Row>,
    reasons: Vec<Row>,
    faults: Vec<Fault>,
    /// How many faults are not listed.
    more_faults: u64,
    games: Vec<Listed>,
    /// The games for the board, as JSON that can stand in a page.
    replays: String,
    all_games: usize,
}

/// A line of the list of games.
#[derive(Debug, Serialize)]
struct Listed {
    id: u64,
    white: String,
    black: String,
    result: &'static str,
    reason: &'static str,
    turns: usize,
}

impl Listed {
    fn new(game: &Replay) -> Self {
        let (white, black) = (game.white.clone(), game.black.clone());
        Self { id: game.id, white, black, result: game.result, reason: game.reason, turns: game.series.len() }
    }
}

/// The games for the board and the list of them.
#[derive(Debug, Default)]
pub(super) struct Games {
    listed: Vec<Listed>,
    /// One after the other, with commas between them.
    replays: String,
}

impl Games {
    /// Adds a game. What is kept of it is text: hundreds of games take much more memory than what the page says of them.
    pub(super) fn push(&mut self, record: &GameRecord) {
        let replay = Replay::new(record);
        // Text and numbers only, so nothing can fail. In JSON this letter stands in strings only, and so written no browser takes
        // it for the end of the script that it stands in.
        let Ok(json) = serde_json::to_string(&replay) else { return };
        if !self.replays.is_empty() {
            self.replays.push(',');
        }
        self.replays.push_str(&json.replace('<', "\\u003c"));
        self.listed.push(Listed::new(&replay));
    }
}

impl Page {
    pub(super) fn new(heading: &Heading, collected: &Collected, games: Games) -> Self {
        let test = heading.test.as_ref();
        let (ranked, advantage) = players(&collected.standing);
        let abnormal = collected.places.iter().filter(|place| place.is_abnormal).count();
        let plots = [
            charts::progress(collected, &ranked),
            test.and_then(|test| charts::test_curve(collected, test)),
            charts::time_by_turn(collected, &ranked),
            charts::time_of_limit(collected, &ranked),
            charts::overhead(collected, &ranked),
        ];
        Self {
            title: heading.title.clone(),
            course: heading.course.clone(),
            facts: facts(collected, abnormal, advantage),
            standings: ranked.iter().map(tables::standing).collect(),
            ratings: charts::ratings(&ranked),
            doubtful: ranked.iter().any(|player| player.prior_dominated),
            cross: tables::cross(collected, &ranked),
            plots: plots.into_iter().flatten().collect(),
            test: test.map(|test| charts::test_text(collected, test)),
            colors: tables::colors(collected, &ranked),
            bars: tables::BARS,
            last_turns: tables::last_turns(collected),
            times: tables::times(collected, &ranked),
            reasons: tables::reasons(collected),
            faults: collected.abnormal.iter().map(tables::fault).collect(),
            more_faults: abnormal.saturating_sub(FAULTS) as u64,
            games: games.listed,
            replays: format!("[{}]", games.replays),
            all_games: collected.places.len(),
        }
    }
}

/// The places of at most so many games: at most a fifth for games that did not end over the board, the rest spread evenly.
pub(super) fn sample(places: &[Place], limit: usize) -> Vec<Place> {
    if places.len() <= limit {
        return places.to_vec();
    }
    let mut chosen: Vec<bool> = vec![false; places.len()];
    let (abnormal, usual): (Vec<usize>, Vec<usize>) = (0..places.len()).partition(|&at| places[at].is_abnormal);
    let first = spread(&abnormal, limit / 5);
    let rest = spread(&usual, limit - first.len());
    first.into_iter().chain(rest).for_each(|at| chosen[at] = true);
    places.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(place, _)| *place).collect()
}

/// At most so many of these, evenly spread.
fn spread(all: &[usize], limit: usize) -> Vec<usize> {
    let count = all.len().min(limit);
    (0..count).map(|n| all[n * all.len() / count]).collect()
}

fn facts(collected: &Collected, abnormal: usize, advantage: Option<Estimate>) -> Vec<(&'static str, String)> {
    let standing = &collected.standing;
    let mut facts = Vec::new();
    let rules =
        Rules::by_name(&collected.rules).map_or(collected.rules.clone(), |rules| format!("{} chess", rules.pgn));
    facts.push(("Rules", rules));
    facts.push(("Players", standing.names().len().to_string()));
    facts.push(("Games", format!("{} counted of {}", standing.counted(), standing.ended)));
    let results: Wdl = collected.last_turns.values().copied().sum();
    if let Some(score) = crate::report::result::score(&results) {
        let counts = format!("+{} ={} −{}", results.wins, results.draws, results.losses);
        facts.push(("White scored", format!("{} ({counts})", tables::percent(score))));
    }
    if let Some(advantage) = advantage {
        facts.push(("White’s advantage", format!("{} Elo", tables::estimate(advantage))));
    }
    facts.push(("Faults and unfinished", abnormal.to_string()));
    if let (Some(began), Some(ended)) = (collected.began, collected.ended) {
        let form = "%Y-%m-%d %H:%M";
        facts.push(("Played (UTC)", format!("{} to {}", began.strftime(form), ended.strftime("%m-%d %H:%M"))));
    }
    facts
}

/// The players' numbers in the standing, best first.
pub(super) fn numbers(collected: &Collected, ranked: &[PlayerSummary]) -> Vec<usize> {
    let names = collected.standing.names();
    ranked.iter().filter_map(|player| names.iter().position(|name| *name == player.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_sample_is_spread_over_all() {
        let all: Vec<usize> = (0..100).collect();
        assert_eq!(spread(&all, 4), [0, 25, 50, 75]);
        assert_eq!(spread(&all[..3], 10), [0, 1, 2]);
        assert!(spread(&[], 4).is_empty());
    }
}
