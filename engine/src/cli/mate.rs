//! `crescendo mate`: can the side to move mate in this turn? And `crescendo bench mates`: how fast is that found out?

use super::{Failure, NO, UNKNOWN, exit, fen, parse_rules};
use crate::rules::midturn::Midturn;
use crate::rules::notation::san;
use crate::rules::table::Rules;
use crate::solver::all::{End, Go, Tally};
use crate::solver::{Limits, Solver, Verdict};
use crate::tools::mate_suite::{self, Question, Solved, Summary, TABLE_BYTES};
use crate::types::series::Series;
use crate::workers::team;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `crescendo mate`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo mate \"7k/8/5K2/8/8/8/8/6R1 w - - 0 3\"
  crescendo mate --all --rules scottish FEN
  crescendo mate --file positions.tsv --threads 2

Exit codes: 0 a mate (of a file: in every line), 1 there is none, 2 bad input,
3 a limit came first.")]
pub(super) struct Args {
    /// The position, in one argument or in several; `startpos` is the start of the game
    #[arg(required_unless_present = "file", num_args = 0..)]
    fen: Vec<String>,
    /// A file of positions instead, one a line; after a tab a line may say `mate` or `none`
    #[arg(long, conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Show every mating series
    #[arg(long)]
    all: bool,
    /// Only say how many mating series there are
    #[arg(long, conflicts_with = "all")]
    count: bool,
    /// Give a position up after so many nodes
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    /// Use so many threads: on one position all of them, of several positions one each. The verdicts do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Memory for the tables of each position
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl Args {
    /// A "none" from here may be published, so the solver tells positions apart by 128 bits.
    fn solver(&self) -> Solver {
        Solver::proving((self.hash as usize) << 20)
    }

    fn limits(&self) -> Limits<'static> {
        Limits::nodes(self.limit.unwrap_or(u64::MAX))
    }
}

/// Arguments of `crescendo bench mates`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo bench mates tests/data/solver.tsv --each")]
pub(super) struct SuiteArgs {
    /// A file of positions, one a line; after a tab a line may say `mate` or `none`
    file: PathBuf,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// Give a position up after so many nodes
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    /// Also say a line for each position
    #[arg(long)]
    each: bool,
}

/// The questions of a file. Lines that cannot be read are named and left out.
pub(super) fn read(file: &Path, rules: &'static Rules) -> Result<Vec<Question>, Failure> {
    let text = fs::read_to_string(file).map_err(|e| Failure::Usage(format!("{}: {e}", file.display())))?;
    let (questions, bad) = mate_suite::read(&text, rules);
    bad.iter().for_each(|line| eprintln!("crescendo: {}: {line}; left out", file.display()));
    Ok(questions)
}

/// Answers the questions. The exit code: 0 if all are mates, 3 if one was left open, else 1.
pub(super) fn run(args: &Args, output: &mut dyn Write) -> Result<(), Failure> {
    let questions = match &args.file {
        Some(file) => read(file, args.rules)?,
        None => {
            let (game, warnings) = fen::position(&args.fen.join(" "), args.rules, false)?;
            warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
            vec![Question { fen: args.fen.join(" "), midturn: *game.current(), expected: None }]
        }
    };
    if args.all || args.count {
        let mut worst = 0;
        for question in &questions {
            worst = worst.max(show_all(args, question, output)?);
        }
        return exit(worst);
    }
    let (mut worst, mut written) = (0, Ok(()));
    let threads = usize::from(args.threads);
    if let [question] = &questions[..]
        && threads > 1
    {
        // The time of all threads together would say little, so this is the time by the clock.
        let begun = Instant::now();
        let answer = team::solve(&mut args.solver(), &question.midturn, threads, &args.limits());
        worst = code(&answer.verdict);
        show(question, &Solved { answer, time: begun.elapsed() }, args.file.is_some(), output)?;
        return exit(worst);
    }
    mate_suite::solve_each(&questions, threads, &|| args.solver(), &args.limits(), &mut |i, solved| {
        worst = worst.max(code(&solved.answer.verdict));
        if written.is_ok() {
            written = show(&questions[i], solved, args.file.is_some(), output);
        }
    });
    written?;
    exit(worst)
}

/// Measures.
pub(super) fn suite(args: &SuiteArgs, output: &mut dyn Write) -> Result<(), Failure> {
    let questions = read(&args.file, args.rules)?;
    let (mut summary, mut written) = (Summary::default(), Ok(()));
    let limits = Limits::nodes(args.limit.unwrap_or(u64::MAX));
    mate_suite::solve_each(&questions, 1, &|| Solver::new(TABLE_BYTES), &limits, &mut |i, solved| {
        summary.add(&questions[i], solved);
        if args.each && written.is_ok() {
            written = show(&questions[i], solved, true, output);
        }
    });
    written?;
    for line in summary.lines() {
        writeln!(output, "{line}")?;
    }
    output.flush()?;
    exit(if summary.wrong > 0 { NO } else { 0 })
}

const fn code(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Mate(_) => 0,
        Verdict::NoMate => NO,
        Verdict::Unknown(_) => UNKNOWN,
    }
}

fn show(question: &Question, solved: &Solved, with_fen: bool, output: &mut dyn Write) -> io::Result<()> {
    if with_fen {
        writeln!(output, "{}", question.fen)?;
    }
    match &solved.answer.verdict {
        Verdict::Mate(series) => {
            writeln!(output, "mate {series}")?;
            writeln!(output, "     {}", in_san(&question.midturn, series))?;
        }
        Verdict::NoMate => writeln!(output, "none")?,
        Verdict::Unknown(limit) => writeln!(output, "unknown: {limit}")?,
    }
    writeln!(output, "     {} nodes, {:.2} ms", solved.answer.nodes, solved.time.as_secs_f64() * 1000.0)?;
    output.flush()
}

/// The series as people write it.
pub(super) fn in_san(midturn: &Midturn, series: &Series) -> String {
    let mut now = *midturn;
    let mut words = Vec::new();
    for &mv in series.iter() {
        words.push(san::write(&now, mv));
        if now.play(mv).is_err() {
            break;
        }
    }
    format!("{}.{}", midturn.turn(), words.join(" "))
}

/// Counts or shows all mates of one position; gives the exit code.
fn show_all(args: &Args, question: &Question, output: &mut dyn Write) -> Result<u8, Failure> {
    let (limits, mut solver) = (args.limits(), args.solver());
    if args.file.is_some() {
        writeln!(output, "{}", question.fen)?;
    }
    let (mut tally, mut written) = (Tally::default(), Ok(()));
    let (count, end) = if args.count {
        solver.count(&question.midturn, &limits)
    } else {
        let (end, _) = solver.all(&question.midturn, None, &limits, &mut |solution| {
            tally.add(solution);
            written = writeln!(output, "{}", solution.series);
            if written.is_ok() { Go::On } else { Go::Stop }
        });
        (tally.series().into(), end)
    };
    written?;
    let at_least = if end == End::Complete { "" } else { "at least " };
    write!(output, "{at_least}{count} series")?;
    if args.all {
        write!(output, ", {} sets of moves, {} mated positions", tally.move_sets(), tally.positions())?;
    }
    writeln!(output)?;
    output.flush()?;
    Ok(match (count, end) {
        (0, End::Complete) => NO,
        (_, End::Limit(_)) => UNKNOWN,
        _ => 0,
    })
}
