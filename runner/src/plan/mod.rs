//! Tournament files: raw TOML, and the checked plan made of it. Raw and checked are two types, so nothing unchecked is played.

pub mod error;
mod format;
pub mod manner;
pub mod program;
pub mod raw;
pub mod seal;

use crate::clock::{Control, Limits, seconds};
use crate::opening::suite::{Order, Suite};
use crate::pairing::Policy;
use crate::pairing::schedule::{Schedule, Slice};
use crate::player::engine::{Patience, Spec};
use crate::report::pgn::Form;
use crate::scheduler::{Contest, Entrant};
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use error::{PlanError, Source};
use program::{beside, program};
use raw::{Raw, RawPlayer, Seconds};
use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// A checked tournament.
#[derive(Debug)]
pub struct Plan {
    /// The name in reports.
    pub name: String,
    /// What is played.
    pub contest: Contest,
    /// How each player is started, in the contest's order.
    pub specs: Vec<Spec>,
    /// Where each option of each player stands in the file, for errors found later.
    pub option_lines: Vec<BTreeMap<String, usize>>,
    /// Where each player begins in the file.
    pub player_lines: Vec<usize>,
    /// The folder for the outputs.
    pub out: PathBuf,
    /// How games.pgn is written.
    pub pgn: Form,
    /// The file it came from.
    pub file: PathBuf,
    /// Its text.
    pub text: String,
    /// Pairs of games between any two that meet.
    pub rounds: u64,
    /// Which part of the games.
    pub slice: Slice,
    /// Engines that may be starting at a time.
    pub starts: usize,
    /// The suite of openings.
    pub openings: Option<PathBuf>,
}

/// What the command line may say instead of the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The folder for the outputs.
    pub out: Option<PathBuf>,
    /// Games at a time.
    pub concurrency: Option<NonZeroUsize>,
    /// Rounds.
    pub rounds: Option<NonZeroU64>,
    /// The seed.
    pub seed: Option<u64>,
    /// Which part of the games, if not all.
    pub slice: Option<Slice>,
}

impl Plan {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// See [`PlanError`]; nothing has been started or written.
    pub fn read(file: &Path, overrides: &Overrides) -> Result<Self, PlanError> {
        let unreadable =
            |error: std::io::Error| PlanError::Unreadable { file: file.to_owned(), text: error.to_string() };
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        Self::parse(&text, file, overrides)
    }

    /// Checks the text of a file; relative paths are relative to the file.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn parse(text: &str, file: &Path, overrides: &Overrides) -> Result<Self, PlanError> {
        let source = Source { file, text };
        let raw: Raw = toml::from_str(text).map_err(|error| source.toml_error(&error))?;
        let rules = rules(&source, raw.rules.as_ref())?;
        let format = format::format(&source, &raw)?;
        let seed = overrides.seed.or(raw.seed).unwrap_or_else(fresh_seed);
        let (openings, policy, first) = openings(&source, &raw, rules, seed)?;
        let rounds = overrides.rounds.or(raw.rounds).map_or(1, NonZeroU64::get);
        let patience = patience(&raw);
        let workers =
            overrides.concurrency.or(raw.concurrency.map(NonZeroUsize::from)).map_or_else(cores, NonZeroUsize::get);
        let schedule = Schedule::new(format, raw.players.len(), rounds, policy, first);
        let schedule = format::colors(&source, &raw, schedule)?;
        let schedule = format::part(&source, &raw, schedule, overrides)?;
        let mut plan = Self {
            name: raw.name.clone().unwrap_or_else(|| stem(file)),
            contest: Contest {
                rules,
                schedule,
                entrants: Vec::new(),
                openings,
                adjudication: manner::adjudication(&raw),
                seed,
                on_crash: manner::on_crash(&source, &raw)?,
                max_crashes: raw.max_crashes,
                cpus: manner::cpus(&source, &raw, workers)?,
                sprt: manner::sprt(&source, &raw, format)?,
                concurrency: workers,
                wait: raw.wait.map_or(Duration::ZERO, |wait| wait.0),
                transcripts: manner::transcripts(&source, &raw)?,
            },
            specs: Vec::new(),
            option_lines: Vec::new(),
            player_lines: Vec::new(),
            out: overrides.out.clone().or_else(|| raw.out.clone()).unwrap_or_else(|| default_out(file)),
            pgn: form(&source, raw.pgn.as_ref())?,
            file: file.to_owned(),
            text: text.to_owned(),
            rounds,
            slice: overrides.slice.unwrap_or(Slice::WHOLE),
            starts: raw.starts.map_or_else(cores, |starts| usize::from(starts.get())),
            openings: raw.openings.as_ref().map(|openings| beside(file, openings.file.get_ref())),
        };
        for player in &raw.players {
            plan.add_player(&source, &raw, player, patience)?;
        }
        Ok(plan)
    }

    fn add_player(
        &mut self,
        source: &Source<'_>,
        raw: &Raw,
        player: &Spanned<RawPlayer>,
        patience: Patience,
    ) -> Result<(), PlanError> {
        let span = player.span();
        let RawPlayer { name, restart, .. } = player.get_ref();
        let text = name.get_ref().trim();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(source.error(name.span(), "players.name: empty or with control characters; give a name"));
        }
        if let Some(at) = self.contest.entrants.iter().position(|entrant| entrant.name == text) {
            let line = self.player_lines[at];
            let text = format!("players.name: '{text}' is taken by the player of line {line}; names must differ");
            return Err(source.error(name.span(), text));
        }
        let limits = limits(source, raw, player.get_ref())?;
        if limits.is_endless() {
            let text = format!(
                "players: '{text}' has no limit; give tc, st, nodes or depth, to the player or under [defaults]"
            );
            return Err(source.error(span, text));
        }
        let program = program(source, player.get_ref())?;
        let mut options = BTreeMap::new();
        for (key, value) in raw.defaults.options.iter().chain(&player.get_ref().options) {
            let text = raw::option_text(value.get_ref()).ok_or_else(|| {
                let text = format!("options.{key}: takes text, a number, true or false");
                source.error(value.span(), text)
            })?;
            options.insert(key.to_lowercase(), (key.clone(), text, source.line(value.span().start)));
        }
        self.option_lines.push(options.values().map(|(key, _, line)| (key.clone(), *line)).collect());
        self.specs.push(Spec {
            program,
            options: options.into_values().map(|(key, text, _)| (key, text)).collect(),
            rules: self.contest.rules,
            patience,
            dialect: manner::dialect(source, player.get_ref())?,
            random: manner::random(source, player.get_ref())?,
            transcript: self.contest.transcripts,
        });
        self.player_lines.push(source.line(span.start));
        let restart = restart.or(raw.defaults.restart).unwrap_or(false);
        self.contest.entrants.push(Entrant { name: text.to_owned(), limits, restart });
        Ok(())
    }
}

fn rules(source: &Source<'_>, name: Option<&Spanned<String>>) -> Result<&'static Rules, PlanError> {
    let Some(name) = name else { return Ok(&ITALIAN) };
    Rules::by_name(name.get_ref()).ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|rules| rules.name).collect();
        source.error(name.span(), format!("rules: unknown '{}'; one of {}", name.get_ref(), known.join(", ")))
    })
}

fn form(source: &Source<'_>, name: Option<&Spanned<String>>) -> Result<Form, PlanError> {
    let Some(name) = name else { return Ok(Form::default()) };
    let unknown =
        || source.error(name.span(), format!("pgn: unknown '{}'; canonical, padded or headers", name.get_ref()));
    Form::by_name(name.get_ref()).ok_or_else(unknown)
}

type Dealt = (Option<Suite>, Policy, u64);

fn openings(source: &Source<'_>, raw: &Raw, rules: &'static Rules, seed: u64) -> Result<Dealt, PlanError> {
    let Some(openings) = &raw.openings else { return Ok((None, Policy::Round, 0)) };
    let order = match openings.order.as_ref().map_or("random", |order| order.get_ref().as_str()) {
        "random" => Order::Random(seed),
        "sequential" => Order::Sequential,
        other => {
            let span = openings.order.as_ref().map_or(0..0, Spanned::span);
            return Err(source.error(span, format!("openings.order: unknown '{other}'; random or sequential")));
        }
    };
    let policy = match openings.policy.as_ref().map_or("round", |policy| policy.get_ref().as_str()) {
        "round" => Policy::Round,
        "encounter" => Policy::Encounter,
        other => {
            let span = openings.policy.as_ref().map_or(0..0, Spanned::span);
            return Err(source.error(span, format!("openings.policy: unknown '{other}'; round or encounter")));
        }
    };
    let path = beside(source.file, openings.file.get_ref());
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let suite = match (is_pgn, &openings.turns) {
        (false, None) => Suite::open(&path, rules, order),
        (true, Some(turns)) if *turns.get_ref() > 0 => {
            Suite::of_games(&path, usize::from(*turns.get_ref()), rules, order)
        }
        (_, turns) => {
            let span = turns.as_ref().map_or(openings.file.span(), Spanned::span);
            let text = "openings.turns: how many turns of each game are its opening; needed for .pgn files, and for these only";
            return Err(source.error(span, text));
        }
    };
    let suite = suite.map_err(|error| PlanError::Openings {
        file: source.file.to_owned(),
        line: source.line(openings.file.span().start),
        text: error.to_string(),
    })?;
    let start = openings.start.as_ref().map_or(1, |start| *start.get_ref());
    if start == 0 || start > suite.len() as u64 {
        let span = openings.start.as_ref().map_or(0..0, Spanned::span);
        return Err(source.error(span, format!("openings.start: {start}; from 1 to {}", suite.len())));
    }
    Ok((Some(suite), policy, start - 1))
}

fn patience(raw: &Raw) -> Patience {
    let (times, default) = (&raw.timeouts, Patience::default());
    let or = |time: &Option<Seconds>, default| time.map_or(default, |time| time.0);
    Patience {
        start: or(&times.start, default.start),
        ping: or(&times.ping, default.ping),
        quit: or(&times.quit, default.quit),
    }
}

/// The player's limits; those of `[defaults]` hold only for a player without any of his own.
fn limits(source: &Source<'_>, plan: &Raw, player: &RawPlayer) -> Result<Limits, PlanError> {
    let (own, turn) = (player.limits(), plan.timeouts.turn);
    let raw = if own.is_empty() { plan.defaults.limits() } else { own };
    let control = match raw.tc {
        None => None,
        Some(tc) => Some(tc.get_ref().parse::<Control>().map_err(|e| source.error(tc.span(), format!("tc: {e}")))?),
    };
    let limits = Limits {
        control,
        series_time: raw.st.map(|time| time.0),
        nodes: raw.nodes.map(|nodes| nodes.get()),
        depth: raw.depth.map(|depth| depth.get()),
        margin: player.margin.or(plan.defaults.margin).map_or(Limits::NONE.margin, |time| time.0),
        turn: turn.map_or(Limits::NONE.turn, |time| time.0),
    };
    // A clock that grants more than the turn limit would turn slow play into silence.
    let longest = limits.series_time.or(limits.control.map(|control| control.time + control.increment));
    let wanted = longest.map_or(Duration::ZERO, |time| time + limits.margin);
    Ok(Limits { turn: if turn.is_none() { limits.turn.max(wanted) } else { limits.turn }, ..limits })
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "tournament".into(), |stem| stem.to_string_lossy().into_owned())
}

/// `out/NAME-TIME`, a new folder for every run.
fn default_out(file: &Path) -> PathBuf {
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    Path::new("out").join(format!("{}-{now}", stem(file)))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A seed that nobody chose; it is written into the results, so that the run can be played again.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard hasher's keys are the operating system's randomness. 53 bits survive every JSON reader.
    std::hash::RandomState::new().build_hasher().finish() >> 11
}

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let time = seconds(&value.to_string());
        time.map(Seconds).ok_or_else(|| format!("{value} is no time; give seconds, as in 2.5"))
    }
}
