//! What a person sees: a progress bar while games are played (on a terminal only), and the table at the end.

use super::course::CourseSummary;
use super::match_elo::MatchSummary;
use super::result::{PlayerSummary, players};
use super::sprt::SprtSummary;
use super::{Report, ReportError};
use crate::event::Event;
use crate::record::GameEnd;
use crate::standing::Standing;
use crate::stats::sprt::Sprt;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write as _;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

/// The width that everything fits into.
pub const WIDTH: usize = 80;
/// How long a name may be in the table.
const NAME: usize = 20;
/// How often the standing is worked out for the progress bar.
const REFRESH: Duration = Duration::from_secs(1);

/// The console.
#[derive(Debug)]
pub struct Console {
    bar: ProgressBar,
    refreshed: Instant,
    /// Whether the standard output is somebody else's.
    is_apart: bool,
    test: Option<Sprt>,
}

impl Console {
    /// A console whose progress goes to the error stream, if that is a terminal and `quiet` is not asked for.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1}/s", state.per_sec());
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:16} {pos}/{len} games  {rate}  left {eta}\n{wide_msg}") {
            bar.set_style(style.with_key("rate", rate));
        }
        Self { bar, refreshed: Instant::now(), is_apart: false, test: None }
    }

    /// The same, with the table on the error stream.
    #[must_use]
    pub fn apart(self) -> Self {
        Self { is_apart: true, ..self }
    }

    /// The same with a sequential test of the first player.
    #[must_use]
    pub const fn with_test(mut self, test: Option<Sprt>) -> Self {
        self.test = test;
        self
    }

    /// The standing in one line, with the test's state before it.
    fn message(&self, standing: &Standing) -> String {
        let test = self.test.map(|test| SprtSummary::new(&test, standing.pairs()).short() + "  ");
        test.unwrap_or_default() + &leaders(standing)
    }
}

impl Report for Console {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        match event {
            Event::Began { games } => {
                self.bar.set_length(*games);
                self.bar.reset_eta();
                self.bar.enable_steady_tick(Duration::from_millis(500));
            }
            Event::Kept { .. } => self.bar.inc(1),
            Event::GameEnded { record, standing, .. } => {
                self.bar.inc(1);
                if !record.crashed.is_empty() {
                    let times = record.crashed.len();
                    self.bar.println(format!("game {}: played again, after {times} crashes", record.id + 1));
                }
                if let GameEnd::Forfeit { fault, .. } = &record.end {
                    let loser = if record.result == "1-0" { &record.black } else { &record.white };
                    self.bar.println(format!("game {}: {loser} loses: {}", record.id + 1, fault.text));
                }
                // The fit is cheap, but not for every one of ten thousand games a second.
                if !self.bar.is_hidden() && self.refreshed.elapsed() >= REFRESH {
                    self.bar.set_message(self.message(standing));
                    self.refreshed = Instant::now();
                }
            }
            Event::Ended { standing, course } => {
                self.bar.finish_and_clear();
                let mut text = table(standing);
                if let Some(course) = course {
                    text += &CourseSummary::new(course, standing).text();
                }
                if let Some(test) = self.test {
                    let names = standing.names();
                    text += &SprtSummary::new(&test, standing.pairs()).text(&names[0], &names[1]);
                }
                let (name, mut out): (_, Box<dyn Write>) = match self.is_apart {
                    false => ("standard output", Box::new(stdout().lock())),
                    true => ("standard error", Box::new(stderr().lock())),
                };
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                written.map_err(|error| ReportError::new(Path::new(name), error))?;
            }
            Event::GameBegan { .. } | Event::Idle => {}
        }
        Ok(())
    }
}

/// The standing in one line, best first, as many as fit.
fn leaders(standing: &Standing) -> String {
    let mut line = String::new();
    for player in players(standing).0 {
        let Some(rating) = player.rating else { continue };
        let part = format!("{} {:+.0}  ", shortened(&player.name), rating.elo);
        if line.chars().count() + part.chars().count() > WIDTH {
            break;
        }
        line += &part;
    }
    line
}

pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The final table and what is to be said about the run.
#[must_use]
pub fn table(standing: &Standing) -> String {
    let (players, advantage) = players(standing);
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["player", "Elo", "±95%", "games", "W", "D", "L", "score", "White", "Black"]);
    for player in &players {
        table.add_row(row(player));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((u16::from(number > 0), 1));
    }
    let mut text = String::new();
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text, "Elo by one fit of all games (Bradley-Terry on points), mean of the pool 0.");
    if let Some(advantage) = advantage {
        let error = advantage.error95.map_or("?".into(), |error| format!("{error:.0}"));
        let _ = writeln!(text, "White's advantage: {:+.0} ± {error} Elo.", advantage.elo);
    }
    if players.iter().any(|player| player.prior_dominated) {
        text += "? = too few informative games: the number rests on the prior.\n";
    }
    if let Some(summary) = MatchSummary::new(standing) {
        text += &summary.text();
    }
    if standing.repeats > 0 {
        let _ = writeln!(
            text,
            "{} of {} games repeat another one move by move: the sample is smaller\n\
             than it looks and the true errors are larger. More openings help.",
            standing.repeats,
            standing.counted()
        );
    }
    text += &remarks(&players);
    for (count, what) in [
        (standing.not_played, "not played: a player did not start"),
        (standing.harness_errors, "without a result: fault of the runner, see games.jsonl"),
        (standing.aborted, "cut off and not counted"),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{count} games {what}.");
        }
    }
    text
}

/// What is to be said of single players: colors, faults, warnings.
fn remarks(players: &[PlayerSummary]) -> String {
    let mut text = String::new();
    for player in players {
        if player.games > 1 && (player.white_score.is_none() || player.black_score.is_none()) {
            let _ = writeln!(
                text,
                "{} has played one color only, so his strength and\n\
                 White's advantage can hardly be told apart.",
                shortened(&player.name)
            );
        }
        for (fault, count) in &player.faults {
            let _ = writeln!(text, "{}: {count} lost by {fault}", shortened(&player.name));
        }
        if player.warnings > 0 {
            let (name, count) = (shortened(&player.name), player.warnings);
            let _ = writeln!(text, "{name}: {count} warnings (pv), see games.jsonl; they cost nothing");
        }
    }
    text
}

fn row(player: &PlayerSummary) -> [String; 10] {
    let percent = |score: Option<f64>| score.map_or("-".into(), |score| format!("{:.1}%", 100.0 * score));
    let doubt = if player.prior_dominated { "?" } else { "" };
    let rating = player.rating;
    [
        shortened(&player.name),
        rating.map_or("-".into(), |rating| format!("{:.0}{doubt}", rating.elo)),
        rating.and_then(|rating| rating.error95).map_or("-".into(), |error| format!("{error:.0}")),
        player.games.to_string(),
        player.wins.to_string(),
        player.draws.to_string(),
        player.losses.to_string(),
        percent(player.score),
        percent(player.white_score),
        percent(player.black_score),
    ]
}
