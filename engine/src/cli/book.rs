//! `crescendo book`: makes an opening book, proves one again, and says which replies lose.

use super::{Failure, NO, exit, fen, parse_rules};
use crate::rules::table::Rules;
use crate::search::book::check::{check, losing_series};
use crate::search::book::make::{PROOF_NODES, Plan, Progress, make};
use crate::search::book::{Book, Entry};
use crate::solver::Solver;
use clap::Subcommand;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Commands about books.
#[derive(Subcommand, Debug)]
#[command(after_help = "Examples:
  crescendo book make --rules scottish --out my.book.tsv
  crescendo book check openings/italian.book.tsv")]
pub(super) enum Command {
    /// Make a book of the first turns; started again after a kill, it goes on
    Make(Make),
    /// Check that every series is legal, and prove every proof again
    #[command(after_help = "Example:\n  crescendo book check openings/italian.book.tsv")]
    Check {
        /// The book
        file: PathBuf,
    },
    /// Say which series of a turn lose to a mate in the next, looking at every distinct end
    #[command(after_help = "Example:\n  crescendo book losing --rules scottish startpos")]
    Losing {
        /// The position, in one argument or in several
        #[arg(required = true, num_args = 1..)]
        fen: Vec<String>,
        /// The rule set
        #[arg(long, default_value = "italian", value_parser = parse_rules)]
        rules: &'static Rules,
    },
}

/// Arguments of `crescendo book make`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  crescendo book make --rules scottish --nodes 2000000 --out my.book.tsv")]
pub(super) struct Make {
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// The last turn with series in the book
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=8))]
    turns: u16,
    /// How many series a position may have at most, turn by turn; the last number holds for all later turns
    #[arg(long, value_delimiter = ',', default_value = "20,6,3,3", value_parser = lines)]
    lines: Vec<usize>,
    /// Up to this turn all series that lose to a mate in the next one are named
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=2))]
    losing: u16,
    /// Nodes of the search of each position
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The seed of the searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write; until it is complete, what is done is in FILE.partial
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn lines(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| (1..=64).contains(n)).ok_or_else(|| "not from 1 to 64".into())
}

/// Does what the command says. The exit code: 1 if a book has flaws.
pub(super) fn run(command: &Command, output: &mut dyn Write) -> Result<(), Failure> {
    match command {
        Command::Make(args) => make_book(args),
        Command::Check { file } => check_book(file, output),
        Command::Losing { fen, rules } => losing(&fen.join(" "), rules, output),
    }
}

impl Make {
    fn plan(&self) -> Plan {
        let (turns, lines, losing) = (self.turns, self.lines.clone(), self.losing);
        Plan { rules: self.rules, turns, lines, losing, nodes: self.nodes, seed: self.seed }
    }

    /// The command that makes the same book.
    fn remark(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(usize::to_string).collect();
        format!(
            "made by: crescendo book make --rules {} --turns {} --lines {} --losing {} --nodes {} --seed {}",
            self.rules.name,
            self.turns,
            lines.join(","),
            self.losing,
            self.nodes,
            self.seed
        )
    }
}

/// What ends an entry in the file of work in progress. An entry without it was cut off.
const ENTRY_END: &str = "\n\n";

fn make_book(args: &Make) -> Result<(), Failure> {
    if !args.rules.has_mate() {
        return Err(Failure::Usage(format!("there is no mate in '{}', so nothing to prove", args.rules.name)));
    }
    let name = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut partial = args.out.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let known = resume(args, &partial)?;
    let mut file = File::options().append(true).open(&partial).map_err(|error| name(&partial, error))?;
    if !known.is_empty() {
        eprintln!("{}: {} positions are done already", partial.display(), known.len());
    }
    let mut written = Ok(());
    let on_entry = &mut |progress: Progress, entry: &Entry| {
        let Progress { turn, done, of } = progress;
        eprintln!("turn {turn}: {done} of {of} positions, {} series", entry.lines.len());
        written = writeln!(file, "{entry}").and_then(|()| file.flush());
        written.is_ok()
    };
    let memory = |_| Failure::Usage("not enough memory".into());
    let book = make(&args.plan(), known, on_entry).map_err(memory)?;
    written.map_err(|error| name(&partial, error))?;
    if let Some(book) = book {
        fs::write(&partial, book.text(&[args.remark()])).map_err(|error| name(&partial, error))?;
        fs::rename(&partial, &args.out).map_err(|error| name(&args.out, error))?;
        let count: usize = book.entries().iter().map(|entry| entry.lines.len()).sum();
        eprintln!("{}: {} positions, {count} series", args.out.display(), book.entries().len());
    }
    Ok(())
}

/// The entries that a killed making has left; an entry that was cut off is cut away. Begins the file if there is none.
fn resume(args: &Make, partial: &Path) -> Result<Vec<Entry>, Failure> {
    let head = Book::new(args.rules, args.losing, Vec::new()).text(&[args.remark()]);
    let text = match fs::read_to_string(partial) {
        // A kill in the very first write leaves a part of the head.
        Ok(text) if !head.starts_with(&text) || text == head => text,
        Ok(_) => String::new(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::Usage(format!("{}: {error}", partial.display()))),
    };
    let kept = match text.rfind(ENTRY_END) {
        _ if text.is_empty() => head.as_str(),
        _ if !text.starts_with(&head) => {
            let said = "was begun with other arguments; delete it to begin anew";
            return Err(Failure::Usage(format!("{} {said}", partial.display())));
        }
        Some(end) => &text[..end + ENTRY_END.len()],
        None => &head,
    };
    fs::write(partial, kept)?;
    let book = Book::parse(kept).map_err(|fault| Failure::Usage(format!("{}: {fault}", partial.display())))?;
    Ok(book.entries().to_vec())
}

/// Reads a book from a file.
pub(super) fn read(file: &Path) -> Result<Book, Failure> {
    let named = |error: &dyn std::fmt::Display| Failure::Usage(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    Book::parse(&text).map_err(|fault| named(&fault))
}

fn check_book(file: &Path, output: &mut dyn Write) -> Result<(), Failure> {
    let book = read(file)?;
    let mut solver = Solver::proving(64 << 20);
    let (mut flaws, mut count, mut losing) = (0, 0, 0);
    for entry in book.entries() {
        check(&book, entry, &mut solver, PROOF_NODES, &mut |i, flaw| {
            flaws += 1;
            let series = entry.lines.get(i).map_or_else(String::new, |line| line.series.to_string());
            eprintln!("{}: {series}: {flaw}", entry.position.fen());
        });
        count += entry.lines.len();
        losing += entry.lines.iter().filter(|line| line.is_losing()).count();
    }
    let positions = book.entries().len();
    writeln!(output, "{positions} positions, {count} series, {losing} of them losing to a mate, {flaws} flaws")?;
    exit(if flaws > 0 { NO } else { 0 })
}

fn losing(text: &str, rules: &'static Rules, output: &mut dyn Write) -> Result<(), Failure> {
    let (game, warnings) = fen::position(text, rules, false)?;
    warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
    let position = game.current().position().filter(|_| game.outcome().is_none());
    let position = position.ok_or_else(|| Failure::Usage("not the start of a turn, or the game is over".into()))?;
    let mut solver = Solver::proving(64 << 20);
    let Some((losing, ends)) = losing_series(&position, &mut solver, PROOF_NODES) else {
        writeln!(output, "undecided: too many ends, or a limit came first")?;
        return Err(Failure::Unknown);
    };
    for (series, mate) in &losing {
        writeln!(output, "{series}\t{mate}")?;
    }
    writeln!(output, "{} of {ends} distinct ends lose to a mate in the next turn", losing.len())?;
    Ok(())
}
