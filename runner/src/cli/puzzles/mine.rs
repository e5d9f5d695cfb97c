//! `puzzles mine`.

use crate::cli::{BAD_INPUT, Failed, IO_FAILED, complain};
use crate::opening::suite::{Order, Suite};
use crate::puzzle::candidates::Wanted;
use crate::puzzle::files;
use crate::puzzle::item::{Kind, mating_rules};
use crate::puzzle::journal::{Journal, JournalError, Line};
use crate::puzzle::mates::Bounds;
use crate::puzzle::mine::{Games, MineError, mine};
use crate::puzzle::select::{Quotas, Selection};
use crate::puzzle::source::{SelfPlay, games};
use anyhow::{Context, anyhow};
use clap::Args;
use crescendo::rules::table::Rules;
use crescendo::search::levels::Level;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a log that is no terminal hears of the progress.
const LOG_EVERY: Duration = Duration::from_secs(30);

/// Arguments of `puzzles mine`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner puzzles mine --count 50 --seed 1 --out italian.jsonl

What is found goes to the state file (--state, default: --out with .mining
behind it) as it is found. The same command goes on where it was interrupted;
the set that comes out is the same as without the interruption.")]
pub(in crate::cli) struct Arguments {
    /// The game
    #[arg(long, default_value = "italian")]
    rules: String,
    /// How many puzzles
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// The set to write: JSON lines, or CSV in Lichess' columns (name ending in .csv); packed if it ends in .gz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What was found so far
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Look into these games (PGN or games.jsonl) instead of playing
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Source of all randomness of the games played here
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The players; each side of a game is one of them at random
    #[arg(long, value_name = "LEVEL", num_args = 1.., default_values_t = ["Beginner", "Casual", "Improver", "Regular"].map(String::from))]
    levels: Vec<String>,
    /// Most nodes of a player for a series
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Openings for every other game
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Fewest moves of a solution [default: 3; 2 where a check ends the series]
    #[arg(long)]
    shortest: Option<usize>,
    /// Most moves of a solution
    #[arg(long, default_value_t = 9)]
    longest: usize,
    /// What is looked for
    #[arg(long, value_name = "KIND", num_args = 1.., default_values_t = Kind::ALL.map(|kind| kind.word().to_owned()))]
    kinds: Vec<String>,
    /// Most solutions (series), which allows six moves in any order
    #[arg(long, default_value_t = 720)]
    most_series: u64,
    /// Most final positions of the solutions
    #[arg(long, default_value_t = 4)]
    most_positions: u64,
    /// Most moves made until a mate is found or refuted; a turn that takes more is passed over
    #[arg(long, default_value_t = Bounds::default().find_nodes)]
    find_nodes: u64,
    /// Most moves made until all mates are listed; a turn that takes more is passed over
    #[arg(long, default_value_t = Bounds::default().list_nodes)]
    list_nodes: u64,
    /// Stop after so many games even if the set is not full
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    most_games: u64,
    /// Games looked into at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Arguments {
    fn rules(&self) -> Result<&'static Rules, Failed> {
        mating_rules(&self.rules).map_err(|error| Failed::new(BAD_INPUT, anyhow!("--rules: {error}")))
    }

    fn wanted(&self, rules: &Rules) -> Result<Wanted, Failed> {
        let kind = |word: &String| {
            Kind::by_word(word).ok_or_else(|| Failed::new(BAD_INPUT, anyhow!("--kinds: no kind '{word}'")))
        };
        let kinds = self.kinds.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
        let shortest = self.shortest.unwrap_or(if rules.is_italian() { 3 } else { 2 });
        let bounds = Bounds {
            series: self.most_series,
            positions: self.most_positions,
            find_nodes: self.find_nodes,
            list_nodes: self.list_nodes,
        };
        Ok(Wanted { bounds, lengths: shortest..=self.longest, kinds })
    }

    fn source(&self, rules: &'static Rules) -> Result<Games, Failed> {
        let bad = |error: anyhow::Error| Failed::new(BAD_INPUT, error);
        if !self.games.is_empty() {
            let mut all = Vec::new();
            for file in &self.games {
                let (found, left_out) = games(file, rules).map_err(|error| bad(error.into()))?;
                if left_out > 0 {
                    complain(&format!("{}: {left_out} games left out (other rules or unreadable)", file.display()));
                }
                all.extend(found);
            }
            return Ok(Games::Given(all));
        }
        let level = |name: &String| Level::by_name(name).ok_or_else(|| bad(anyhow!("--levels: no level '{name}'")));
        let levels = self.levels.iter().map(level).collect::<Result<Vec<_>, _>>()?;
        let open = |file: &PathBuf| Suite::open(file, rules, Order::Sequential).map_err(|error| bad(error.into()));
        let suite = self.openings.as_ref().map(open).transpose()?;
        let last_turn = u16::try_from(self.longest).unwrap_or(u16::MAX);
        Ok(Games::SelfPlay(SelfPlay { rules, suite, levels, nodes: self.nodes, last_turn, seed: self.seed }))
    }

    /// Everything the content of the state file follows from.
    fn settings(&self, rules: &Rules, wanted: &Wanted) -> String {
        let games = match &self.games[..] {
            [] => format!(
                "seed {}, levels {}, {} nodes, openings {}",
                self.seed,
                self.levels.join("+"),
                self.nodes,
                self.openings.as_ref().map_or_else(|| "none".into(), |file| file.display().to_string())
            ),
            files => files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" "),
        };
        let Bounds { series, positions, find_nodes, list_nodes } = wanted.bounds;
        let kinds: Vec<&str> = wanted.kinds.iter().map(|kind| kind.word()).collect();
        let (shortest, longest) = (wanted.lengths.start(), wanted.lengths.end());
        format!(
            "{}, {games}, {shortest} to {longest} moves, {series} series, {positions} positions, \
             {find_nodes} and {list_nodes} nodes, {}",
            rules.name,
            kinds.join("+")
        )
    }
}

/// Mines.
///
/// # Errors
/// Bad input or a failed output.
pub(in crate::cli) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let rules = arguments.rules()?;
    let wanted = arguments.wanted(rules)?;
    let source = arguments.source(rules)?;
    let state = arguments.state.clone().unwrap_or_else(|| {
        let mut name = arguments.out.clone().into_os_string();
        name.push(".mining");
        name.into()
    });
    let mut selection = Selection::new(Quotas::usual(arguments.count));
    let settings = arguments.settings(rules, &wanted);
    let mut journal = Journal::open(&state, &settings, &mut |line: Line| selection.offer(line.found))
        .map_err(|error| journal_failed(&error))?;
    let mut progress = Progress::new(arguments.count as u64);
    progress.show(journal.lines(), &selection);
    if !selection.is_full() && journal.lines() < arguments.most_games {
        let mut go_on = |line: Line| {
            let game = line.game + 1;
            selection.offer(line.found);
            progress.tick(game, &selection);
            !selection.is_full() && game < arguments.most_games
        };
        mine(&source, &wanted, &mut journal, arguments.threads, &mut go_on).map_err(|error| match error {
            MineError::Journal(error) => journal_failed(&error),
            other => Failed::new(BAD_INPUT, other),
        })?;
    }
    progress.show(journal.lines(), &selection);
    files::write_puzzles(&arguments.out, selection.puzzles())
        .with_context(|| format!("cannot write {}", arguments.out.display()))
        .map_err(|error| Failed::new(IO_FAILED, error))?;
    Ok(0)
}

fn journal_failed(error: &JournalError) -> Failed {
    let code = if matches!(error, JournalError::Io { .. }) { IO_FAILED } else { BAD_INPUT };
    Failed::new(code, anyhow!("{error}"))
}

/// A bar on a terminal, a line now and then in a log.
struct Progress {
    bar: ProgressBar,
    last: Instant,
}

impl Progress {
    fn new(count: u64) -> Self {
        let bar = ProgressBar::new(count);
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} puzzles [{bar:40}] {msg}, {elapsed}") {
            bar.set_style(style);
        }
        Self { bar, last: Instant::now() }
    }

    fn tick(&mut self, games: u64, selection: &Selection) {
        self.bar.set_position(selection.puzzles().len() as u64);
        self.bar.set_message(format!("{games} games"));
        if !std::io::stderr().is_terminal() && self.last.elapsed() >= LOG_EVERY {
            self.last = Instant::now();
            self.show(games, selection);
        }
    }

    fn show(&self, games: u64, selection: &Selection) {
        let counts: Vec<String> = selection.counts().map(|(name, count)| format!("{name}: {count}")).collect();
        let text = format!("{} puzzles of {games} games; {}", selection.puzzles().len(), counts.join(", "));
        self.bar.suspend(|| complain(&text));
    }
}
