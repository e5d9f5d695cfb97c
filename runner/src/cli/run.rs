//! `run` and `resume`: the tournament of a file, from the first check to the exit code.

use super::roster::Processes;
use super::{BAD_INPUT, Failed, INCOMPLETE, IO_FAILED, TOO_MANY_FAILURES, UNDECIDED, complain, files, signals};
use crate::event::Event;
use crate::pairing::schedule::Slice;
use crate::plan::seal::{self, Seal, SealError};
use crate::plan::{Overrides, Plan};
use crate::player::guard::Launcher;
use crate::player::stop::Stop;
use crate::report::checksums::Checksums;
use crate::report::console::Console;
use crate::report::events::{Events, is_stdout};
use crate::report::html::{HtmlFile, Test};
use crate::report::journal::Journal;
use crate::report::pgn::PgnFile;
use crate::report::result::{ResultFile, replace};
use crate::report::transcripts::Transcripts;
use crate::report::{Report, ReportError};
use crate::scheduler::{self, Finish, Past};
use anyhow::{Context, Result, anyhow};
use clap::Args;
use std::collections::BTreeSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The help for `--events`.
const EVENTS: &str = "Tell what happens as JSON, one object a line, to a file or to the standard output (-)

Every object has a field \"event\"; ignore fields that you do not know:
  kept        game: a game of an earlier session of this run; these come first
  began       v: 1, games: how many are planned
  game-began  id: number of the game, from 0
  game-ended  game: a line of games.jsonl
  standing    games: how many count, players and sprt: as in result.json; at most once a second
  ended       games, not_played, harness_errors, aborted, white_advantage, players, sprt, course (bracket,
              Swiss table or gaps, if there is any): as in result.json
With - the final table goes to the error stream.";

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  crescendo-runner run runner/examples/levels.toml --out out/levels\n  \
    crescendo-runner run match.toml --rounds 500 --concurrency 4 --seed 7\n  \
    crescendo-runner run match.toml --out out/match --resume   (interrupted)\n  \
    crescendo-runner run match.toml --slice 2/3 --out south   (others 1/3, 3/3)\n  \
    crescendo-runner run match.toml --events - | my-program\n\n\
    Every key of the file is explained in runner/examples/every-key.toml.")]
pub(super) struct Arguments {
    /// The tournament, as TOML
    file: PathBuf,
    /// Folder for games.jsonl, games.pgn, result.json and report.html [default: out/NAME-TIME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Pairs of games between any two players that meet
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rounds: Option<NonZeroU64>,
    /// Source of all randomness
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Play only the K-th of N parts of the games, as one of N machines with the same plan and seed
    #[arg(long, value_name = "K/N")]
    slice: Option<Slice>,
    /// If the folder holds this tournament already, go on with it instead of refusing
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    manner: Manner,
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  crescendo-runner resume out/levels

Games with a result are not played again; games that were cut off or could not
be played are. The run is refused if the plan, an engine or the openings have
changed since it began.")]
pub(super) struct Resume {
    /// The folder of the run
    folder: PathBuf,
    #[command(flatten)]
    manner: Manner,
}

/// What may differ from session to session of a run.
#[derive(Clone, Debug, Args)]
pub(super) struct Manner {
    /// Games at a time [default: the file's, or the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    concurrency: Option<NonZeroUsize>,
    /// Tell what happens as JSON, one object a line, to a file or to the standard output (-)
    #[arg(long, value_name = "FILE|-", long_help = EVENTS)]
    events: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

fn bad(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(BAD_INPUT, error)
}

fn io(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(IO_FAILED, error)
}

/// Plays a tournament.
///
/// # Errors
/// Bad input (nothing was written then) or a failed output.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failed> {
    let overrides = Overrides {
        out: arguments.out.clone(),
        concurrency: arguments.manner.concurrency,
        rounds: arguments.rounds,
        seed: arguments.seed,
        slice: arguments.slice,
    };
    let plan = Plan::read(&arguments.file, &overrides).map_err(bad)?;
    if arguments.resume && plan.out.join(seal::FILE).exists() {
        let old = Seal::read(&plan.out).map_err(bad)?;
        old.check_plan(&plan.file, &plan.text).map_err(bad)?;
        return go_on(&plan.out, &old, &overrides, &arguments.manner);
    }
    if plan.out.join("games.jsonl").exists() {
        let text = "holds a tournament already; go on with it by --resume, name another folder with --out or `out`, or remove it";
        return Err(bad(anyhow!("{}: {text}", plan.out.display())));
    }
    let seal = Seal::of(&plan).map_err(bad)?;
    play(&plan, &seal, &arguments.manner)
}

/// Plays a plan of the runner's own making in this folder, or what an earlier session has left of it; the answer is the exit
/// code.
///
/// # Errors
/// Another run is in the folder, or an output failed.
pub(super) fn begin_or_go_on(text: &str, folder: &Path, manner: &Manner) -> Result<u8, Failed> {
    let overrides = Overrides { out: Some(folder.to_owned()), concurrency: manner.concurrency, ..Overrides::default() };
    let plan = Plan::parse(text, &folder.join(seal::PLAN), &overrides).map_err(bad)?;
    let now = Seal::of(&plan).map_err(bad)?;
    if folder.join(seal::FILE).exists() {
        let old = Seal::read(folder).map_err(bad)?;
        old.check_plan(&folder.join(seal::PLAN), text).and_then(|()| old.check(&now)).map_err(bad)?;
        return play(&plan, &old, manner);
    }
    if folder.join("games.jsonl").exists() {
        return Err(bad(anyhow!("{}: holds other games already; name another folder", folder.display())));
    }
    play(&plan, &now, manner)
}

/// Goes on with a tournament.
///
/// # Errors
/// There is none, something has changed since it began, or an output failed.
pub(super) fn resume(arguments: &Resume) -> Result<u8, Failed> {
    let seal = Seal::read(&arguments.folder).map_err(bad)?;
    // The original may be gone; if it is there, it must not have changed, for whoever changed it expects that to matter.
    if let Ok(text) = std::fs::read_to_string(&seal.plan) {
        seal.check_plan(&seal.plan, &text).map_err(bad)?;
    }
    let overrides = Overrides { concurrency: arguments.manner.concurrency, ..Overrides::default() };
    go_on(&arguments.folder, &seal, &overrides, &arguments.manner)
}

/// Plays what is left of the run in a folder.
fn go_on(folder: &Path, seal: &Seal, overrides: &Overrides, manner: &Manner) -> Result<u8, Failed> {
    let copy = folder.join(seal::PLAN);
    let text = std::fs::read_to_string(&copy).map_err(|source| bad(SealError::Io { path: copy.clone(), source }))?;
    seal.check_plan(&copy, &text).map_err(bad)?;
    let overrides = Overrides {
        out: Some(folder.to_owned()),
        concurrency: overrides.concurrency,
        rounds: overrides.rounds.or(NonZeroU64::new(seal.rounds)),
        seed: overrides.seed.or(Some(seal.seed)),
        slice: overrides.slice.or_else(|| seal.slice.parse().ok()),
    };
    let plan = Plan::parse(&text, &seal.plan, &overrides).map_err(bad)?;
    seal.check(&Seal::of(&plan).map_err(bad)?).map_err(bad)?;
    play(&plan, seal, manner)
}

/// Plays what is left of a checked plan.
fn play(plan: &Plan, seal: &Seal, manner: &Manner) -> Result<u8, Failed> {
    // 1. The players, before anything is written.
    files::reserve(plan).map_err(bad)?;
    let stop = Stop::default();
    signals::register(&stop).context("signals").map_err(io)?;
    let helper = std::env::current_exe().context("the runner's own binary").map_err(io)?;
    let launcher = Arc::new(Launcher::new(helper).context("the guard process").map_err(io)?);
    let roster = match Processes::meet(plan, launcher, &stop) {
        Ok(roster) => roster,
        Err(error) => return interrupted(&stop).ok_or_else(|| bad(error)),
    };
    // 2. The outputs, and what earlier sessions have left in them.
    let (mut reports, past) = open_reports(plan, seal, manner).map_err(io)?;
    if !manner.quiet {
        complain(&format!("games and results go to {}", plan.out.display()));
    }
    // 3. The games.
    let mut emit = |event: &Event<'_>| reports.iter_mut().try_for_each(|report| report.on(event));
    let Finish { standing, is_complete } = scheduler::resume(&plan.contest, past, &roster, &stop, &mut emit)
        .map_err(|error: ReportError| io(anyhow!("{error}; what was written before is whole")))?;
    complain(&format!("games and results are in {}", plan.out.display()));
    // 4. How it went.
    if let Some(player) = plan.contest.given_up(&standing) {
        let (name, crashes) = (&standing.names()[player], standing.crashes[player]);
        complain(&format!(
            "error: stopped, since {name} has crashed or fallen silent {crashes} times; see games.jsonl"
        ));
        return Ok(interrupted(&stop).unwrap_or(TOO_MANY_FAILURES));
    }
    let decided = plan.contest.is_decided(&standing);
    if !is_complete {
        complain(&format!("to go on: crescendo-runner resume {}", plan.out.display()));
    }
    Ok(interrupted(&stop).unwrap_or(match plan.contest.sprt {
        _ if !is_complete => INCOMPLETE,
        Some(_) if !decided => UNDECIDED,
        _ => 0,
    }))
}

/// The exit code after a signal, if there was one.
fn interrupted(stop: &Stop) -> Option<u8> {
    let signal = i32::try_from(stop.signal()?).ok()?;
    u8::try_from(signals::exit_code(signal)).ok()
}

type Reports = Vec<Box<dyn Report>>;

/// Opens the files and reads back what earlier sessions have left. The journal comes first: an event is on disk before anybody
/// is told.
fn open_reports(plan: &Plan, seal: &Seal, manner: &Manner) -> Result<(Reports, Past)> {
    let out = &plan.out;
    std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let path = out.join(seal::FILE);
    if !path.exists() {
        let copy = out.join(seal::PLAN);
        std::fs::write(&copy, &plan.text).with_context(|| format!("cannot write {}", copy.display()))?;
        let text = serde_json::to_vec_pretty(seal)?;
        replace(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let contest = &plan.contest;
    // Nothing else is touched before the journal is locked: another session may be at it.
    let path = out.join("games.jsonl");
    let mut journal = Journal::lock(&path)?;
    let test = contest.sprt.map(|sprt| Test { sprt, player: contest.entrants[0].name.clone() });
    let mut others: Reports = vec![
        Box::new(Transcripts::new(&out.join("transcripts"), plan.contest.transcripts)),
        Box::new(PgnFile::create(&out.join("games.pgn"), &plan.name, plan.pgn)?),
        Box::new(
            ResultFile::new(&out.join("result.json"), &plan.name, contest.rules.name, contest.seed)
                .with_test(contest.sprt),
        ),
        Box::new(HtmlFile::new(&path, &out.join("report.html"), &plan.name, test)),
    ];
    let names = ["games.jsonl", "games.pgn", "result.json", "report.html"];
    others.push(Box::new(Checksums::new(out, &names)));
    let mut console = Console::new(manner.quiet).with_test(contest.sprt);
    if let Some(path) = &manner.events {
        others.push(Box::new(Events::create(path)?.with_test(contest.sprt)));
        if is_stdout(path) {
            console = console.apart();
        }
    }
    others.push(Box::new(console));
    let past = read_back(plan, &mut journal, &mut others)?;
    let mut reports: Reports = vec![Box::new(journal)];
    reports.append(&mut others);
    Ok((reports, past))
}

/// Books the games in the journal and tells the other reports of them. Games without a result leave the journal: they
/// will be played.
fn read_back(plan: &Plan, journal: &mut Journal, reports: &mut Reports) -> Result<Past> {
    let contest = &plan.contest;
    let mut past = Past::none(contest);
    let (mut dropped, mut wrong) = (BTreeSet::new(), Ok(()));
    let path = plan.out.join("games.jsonl");
    journal.read_back(&mut |line, record| {
        if wrong.is_err() {
            return;
        }
        let name = |player: usize| contest.entrants[player].name.as_str();
        let pairing = past.agenda.find(record.id).filter(|pairing| {
            let names = (name(pairing.white), name(pairing.black));
            names == (&record.white, &record.black) && record.seed == contest.game_seed(record.id)
        });
        match (pairing, record.end.points()) {
            // In stages, too: the results that lead to a game stand before it in the journal.
            (None, _) => wrong = Err(anyhow!("{}:{line}: not a game of this tournament", path.display())),
            (Some(_), None) => {
                dropped.insert(line);
            }
            (Some(pairing), Some(points)) if !past.agenda.keep(&pairing, points) => {
                dropped.insert(line);
            }
            (Some(pairing), Some(_)) => {
                past.standing.book(&record, pairing.white, pairing.black);
                let kept = Event::Kept { record: &record };
                wrong = reports.iter_mut().try_for_each(|report| report.on(&kept)).map_err(Into::into);
            }
        }
    })?;
    wrong?;
    journal.drop_lines(&dropped)?;
    Ok(past)
}
