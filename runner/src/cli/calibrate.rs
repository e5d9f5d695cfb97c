//! `calibrate`: how strong the engine's levels are, among themselves and against people.

mod report;

use super::run::{Manner, begin_or_go_on};
use super::{BAD_INPUT, Failed, IO_FAILED, complain, print};
use crate::calibrate::people::{Bots, People};
use crate::calibrate::{self, Wish, asked, measure, rewrite};
use crate::collect::Collection;
use crate::report::result::replace;
use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use crescendo::rules::table::{ALL, Rules};
use crescendo::search::levels::{LADDER, Ladder, Level, Measured};
use std::path::{Path, PathBuf};

/// The ladder does not rise.
const NO: u8 = 1;

/// What to calibrate.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  crescendo-runner calibrate levels --out out/italian --table engine/levels.toml
  crescendo-runner calibrate people games.csv --bot Housebot=1250")]
pub(super) enum Command {
    /// Measure the built-in engine's levels by an adaptive tournament, and write the table that the engine is built with
    Levels(Levels),
    /// Measure whether UCI_Elo is as strong as it says, by games that were not used for the table
    Elo(Elo),
    /// Fit the scale of bots to that of people by games between them
    People(PeopleArguments),
    /// Show how the levels err: mates solved by length and kind, turns that leave a mate, sample games
    Report(report::Report),
}

/// Arguments of `calibrate levels`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner calibrate levels --out out/italian --table engine/levels.toml

The same command goes on with a calibration that was interrupted; with --so-far
it ends it there. Novice has 500 by definition: the scale is internal and no
human rating. The random mover is joined to it by stepping stones, Novice with
some random turns. The table is written only if every level is stronger than
the one before (exit code 1 otherwise).")]
pub(super) struct Levels {
    #[command(flatten)]
    tournament: Tournament,
    /// The table to write the results into; without it they are only told
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

/// Arguments of `calibrate elo`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crescendo-runner calibrate elo --rules italian --out out/elo --seed 2\n\n\
    A strength in the middle between every two levels is asked for; the levels hold\n\
    the scale by the Elo of the table that the engine was built with. Exit code 1 if\n\
    any is more than 40 Elo off. With --table the players half way between two\n\
    levels play, and where they turn out to be is written into the table; build the\n\
    engine again, and play other games without --table to see whether it holds.")]
pub(super) struct Elo {
    #[command(flatten)]
    tournament: Tournament,
    /// The table to write into what Elo lies half way between levels
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

/// What kind of games are played.
#[derive(Debug, Args)]
struct Games {
    /// The rule set
    #[arg(long, value_name = "NAME", default_value = "italian")]
    rules: String,
    /// Nodes for each series
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    nodes: u64,
    /// Where games begin [default: openings/RULES.txt, if it is there]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Source of all randomness
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The tournament to be played.
#[derive(Debug, Args)]
struct Tournament {
    #[command(flatten)]
    games: Games,
    /// Folder for the games, calibration.txt and report.html
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Stop when all that is wanted is known to ± so many Elo (95 %)
    #[arg(long, value_name = "ELO", default_value_t = 20.0)]
    within: f64,
    /// Stop after so many games
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    max_games: u64,
    /// Play nothing: tell what the games in the folder say so far
    #[arg(long)]
    so_far: bool,
    #[command(flatten)]
    manner: Manner,
}

/// Runs the command.
///
/// # Errors
/// Bad input or a failed output.
pub(super) fn run(command: &Command) -> Result<u8, Failed> {
    match command {
        Command::Levels(arguments) => levels(arguments),
        Command::Elo(arguments) => elo(arguments),
        Command::People(arguments) => people(arguments),
        Command::Report(arguments) => report::run(arguments),
    }
}

fn bad(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(BAD_INPUT, error)
}

fn io(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(IO_FAILED, error)
}

/// The rule set of this name.
fn rule_set(name: &str) -> Result<&'static Rules, Failed> {
    let known: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
    let unknown = || bad(anyhow!("--rules: unknown '{name}'; one of {}", known.join(", ")));
    Rules::by_name(name).ok_or_else(unknown)
}

impl Games {
    fn rules(&self) -> Result<&'static Rules, Failed> {
        rule_set(&self.rules)
    }

    /// The file of the openings, if there is one.
    fn openings(&self, rules: &Rules) -> Option<PathBuf> {
        let usual = Path::new("openings").join(format!("{}.txt", rules.name));
        self.openings.clone().or_else(|| usual.exists().then_some(usual))
    }
}

impl Tournament {
    /// Plays the tournament that `plan` makes of the wish, or what is left of it: its games, or the exit code if it did not
    /// come to its end.
    fn play(&self, plan: impl Fn(&Wish<'_>) -> String) -> Result<Result<Collection, u8>, Failed> {
        let rules = self.games.rules()?;
        let openings = self.games.openings(rules).map(std::path::absolute).transpose().map_err(bad)?;
        let wish = Wish {
            rules: rules.name,
            within: self.within,
            max_games: self.max_games,
            nodes: self.games.nodes,
            openings: openings.as_deref(),
            seed: self.games.seed,
        };
        let code = if self.so_far { 0 } else { begin_or_go_on(&plan(&wish), &self.out, &self.manner)? };
        if code != 0 {
            return Ok(Err(code));
        }
        let mut games = Collection::default();
        games.read(&self.out.join("games.jsonl")).map_err(bad)?;
        Ok(Ok(games))
    }

    /// Tells what was found, and leaves it in the folder.
    fn tell(&self, text: &str) -> Result<(), Failed> {
        replace(&self.out.join("calibration.txt"), text.trim_end().as_bytes())
            .context("calibration.txt")
            .map_err(io)?;
        print(text).map(|_| ())
    }
}

fn levels(arguments: &Levels) -> Result<u8, Failed> {
    let Levels { tournament, table } = arguments;
    // Everything is checked before hours are spent.
    let rules = tournament.games.rules()?.name;
    let old = table.as_ref().map(|path| read_table(path)).transpose()?;
    let games = match tournament.play(|wish| calibrate::plan(wish, Level::all()))? {
        Ok(games) => games,
        Err(code) => return Ok(code),
    };
    let date = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
    let found = measure(Level::all(), &games, date, tournament.games.nodes).map_err(bad)?;
    tournament.tell(&found.text(rules))?;
    if !found.rises() {
        complain("the ladder does not rise everywhere: the table is not written; play more games or change the levels");
        return Ok(NO);
    }
    if let (Some(path), Some(old)) = (table, old) {
        write_table(path, &old, rules, &found.measured)?;
    }
    Ok(0)
}

fn write_table(path: &Path, old: &str, rules: &str, measured: &Measured) -> Result<(), Failed> {
    let new = rewrite(old, rules, measured).map_err(|error| bad(anyhow!(error)))?;
    replace(path, new.trim_end().as_bytes()).with_context(|| path.display().to_string()).map_err(io)?;
    complain(&format!("{} is written; build the engine again to use it", path.display()));
    Ok(())
}

fn elo(arguments: &Elo) -> Result<u8, Failed> {
    let Elo { tournament, table } = arguments;
    let old = table.as_ref().map(|path| read_table(path)).transpose()?;
    let rules = tournament.games.rules()?;
    let unknown = || bad(anyhow!("the levels have not been measured; see `calibrate levels`"));
    let measured = LADDER.measured(rules).ok_or_else(unknown)?;
    let strengths = if table.is_some() { asked::half_way(measured) } else { asked::strengths(measured) };
    let games = match tournament.play(|wish| asked::plan(wish, Level::all(), &strengths))? {
        Ok(games) => games,
        Err(code) => return Ok(code),
    };
    let found = asked::measure(Level::all(), measured, &strengths, &games).map_err(bad)?;
    tournament.tell(&found.text(rules.name))?;
    if let (Some(path), Some(old)) = (table, old) {
        write_table(path, &old, rules.name, &found.corrected(measured))?;
        return Ok(0);
    }
    Ok(if found.holds() { 0 } else { NO })
}

/// The text of a table that has the engine's levels.
fn read_table(path: &Path) -> Result<String, Failed> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string()).map_err(bad)?;
    let ladder = Ladder::parse(&text).map_err(|error| bad(anyhow!("{}: {error}", path.display())))?;
    if ladder.levels != Level::all() {
        let text = "its levels are not those of this engine; build the engine with it first";
        return Err(bad(anyhow!("{}: {text}", path.display())));
    }
    Ok(text)
}

/// Arguments of `calibrate people`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crescendo-runner calibrate people games.csv --bot \"House bot\"=1250\n\n\
    CSV has a header with the columns bot, rating (the person's), score (the bot's\n\
    points) and, if known, person and deviation. PGN needs the tags White, Black,\n\
    Result and the person's WhiteElo or BlackElo (and WhiteRD or BlackRD).\n\
    Bots are the engine's levels by their names, with their measured Elo, and those\n\
    of --bot. What comes out is the line from the internal scale to that of the\n\
    people, with errors; without such games no Elo here is a human rating.")]
pub(super) struct PeopleArguments {
    /// Games of bots against rated people
    file: PathBuf,
    /// The rule set whose measured levels are meant
    #[arg(long, value_name = "NAME", default_value = "italian")]
    rules: String,
    /// A bot and its internal Elo
    #[arg(long, value_name = "NAME=ELO")]
    bot: Vec<String>,
    /// Deviation of people's ratings where the file does not give it
    #[arg(long, value_name = "ELO", default_value_t = 80.0)]
    deviation: f64,
}

fn people(arguments: &PeopleArguments) -> Result<u8, Failed> {
    let PeopleArguments { file, rules, bot, deviation } = arguments;
    let rules = rule_set(rules)?;
    if !(*deviation >= 0.0 && deviation.is_finite()) {
        return Err(bad(anyhow!("--deviation: {deviation}; 0 or more")));
    }
    let mut bots = Bots::new();
    for (level, elo) in Level::all().iter().zip(LADDER.measured(rules).iter().flat_map(|known| &known.elo)) {
        bots.insert(level.name.to_lowercase(), *elo);
    }
    for text in bot {
        let known = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.trim().parse::<f64>().ok()?)));
        let (name, elo) = known
            .filter(|(_, elo)| elo.is_finite())
            .ok_or_else(|| bad(anyhow!("--bot {text}: write NAME=ELO, as in \"House bot\"=1250")))?;
        bots.insert(name.trim().to_lowercase(), elo);
    }
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string()).map_err(bad)?;
    let found = People::read(&text, &bots, *deviation).map_err(|error| bad(anyhow!("{}: {error}", file.display())))?;
    let fitted = found.fit(&bots).ok_or_else(|| bad(anyhow!("{}: no games", file.display())))?;
    let mut text = fitted.text();
    if found.left_out > 0 {
        text += &format!("{} games without a result, a bot or a rating were left out.\n", found.left_out);
    }
    print(&text)
}
