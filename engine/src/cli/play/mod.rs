//! `crescendo play`: a game in the terminal. The smallest example of a client: all it knows of the games it asks the rules.
//!
//! [`session`] is the game itself, a line in and text out; here is the loop around it, which reads and writes.

mod board;
mod command;
mod seats;
mod session;
mod text;

use super::{Failure, exit_code, fen, parse_rules};
use crate::rules::table::Rules;
use crate::search::levels::Level;
use crate::search::think::Searcher;
use board::Look;
use seats::{Seat, Seats, parse_seat};
use session::{Session, Wish};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::SystemTime;

/// Arguments of `crescendo play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  crescendo play --black Casual
  crescendo play --white \"Club player\" --black human --rules scottish")]
pub(crate) struct Args {
    /// Who plays White: human or a level
    #[arg(long, default_value = "human", value_parser = parse_seat)]
    white: Seat,
    /// Who plays Black: human or a level
    #[arg(long, default_value_t = Seat::Engine(Level::full()), value_parser = parse_seat)]
    black: Seat,
    /// The rule set
    #[arg(long, default_value = "italian", value_parser = parse_rules)]
    rules: &'static Rules,
    /// The position to begin from
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// How the men look
    #[arg(long, value_enum, default_value_t = Men::Auto)]
    board: Men,
    /// Color the board
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    /// The most moves that a level makes in its head about one series
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the levels' choices; 0 = from the clock
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Men {
    /// Figures in a terminal that can show them
    Auto,
    /// Figures
    Unicode,
    /// Letters
    Ascii,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    /// In a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// Memory of the solver's tables.
const HASH_MIB: usize = 16;
/// Longer lines are cut.
const LONGEST_LINE: u64 = 1 << 16;

/// Plays until `quit` or the end of the input.
pub(crate) fn run(args: &Args, input: impl Read, output: &mut dyn Write) -> ExitCode {
    exit_code(play(args, &mut BufReader::new(input), output))
}

fn play(args: &Args, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), Failure> {
    let (game, warnings) = fen::position(&args.fen, args.rules, false)?;
    warnings.iter().for_each(|warning| eprintln!("crescendo: warning: {warning}"));
    let searcher = Searcher::new(HASH_MIB).map_err(|error| Failure::Usage(error.to_string()))?;
    let seats = Seats { white: args.white, black: args.black };
    let seed = match args.seed {
        0 => SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64),
        seed => seed,
    };
    let mut session = Session::new(game, seats, look(args), searcher, args.nodes, seed);
    write!(output, "{}", session.greeting())?;
    loop {
        while session.is_engines_turn() {
            // What was said before must be on the screen while the engine thinks.
            output.flush()?;
            write!(output, "{}", session.think())?;
        }
        write!(output, "{}", session.prompt())?;
        output.flush()?;
        let Some(line) = read_line(input)? else {
            writeln!(output)?;
            return Ok(output.flush()?);
        };
        let said = session.hear(&line);
        write!(output, "{}", said.text)?;
        match said.wish {
            Wish::None => {}
            Wish::Quit => return Ok(output.flush()?),
            Wish::Save(path, text) => write!(output, "{}", save(&path, &text))?,
            Wish::Load(path, number) => {
                let said = match fs::read(&path) {
                    Ok(bytes) => session.loaded(&String::from_utf8_lossy(&bytes), number),
                    Err(error) => format!("Not loaded: {path}: {error}.\n"),
                };
                write!(output, "{said}")?;
            }
        }
    }
}

/// Writes a new file; one that is there is never overwritten.
fn save(path: &str, text: &str) -> String {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => format!("Saved to {path}.\n"),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            format!("Not saved: {path} is there already; choose another name.\n")
        }
        Err(error) => format!("Not saved: {path}: {error}.\n"),
    }
}

fn look(args: &Args) -> Look {
    let terminal = std::io::stdout().is_terminal();
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    // The first of these that is set names the character set.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_ascii_lowercase();
    let utf8 = locale.ends_with("utf-8") || locale.ends_with("utf8");
    let unicode = match args.board {
        Men::Auto => terminal && utf8,
        men => men == Men::Unicode,
    };
    let color = match args.color {
        When::Auto => terminal && set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb"),
        when => when == When::Always,
    };
    Look { unicode, color, flipped: args.black == Seat::Human && args.white != Seat::Human }
}

/// The next line, lossily decoded; nothing at the end of the input.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
