//! The games of files, for commands that look at games: PGN, the journal `games.jsonl` of a tournament, or a table of published games.

use super::Failure;
use crate::rules::movelist::replay;
use crate::rules::notation::pgn::{PgnGame, PgnResult, read};
use crate::rules::table::Rules;
use serde::Deserialize;
use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What of a journal's line matters here; it has more.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    white: Cow<'a, str>,
    #[serde(borrow)]
    black: Cow<'a, str>,
    #[serde(borrow)]
    rules: Cow<'a, str>,
    #[serde(borrow, default)]
    fen: Option<Cow<'a, str>>,
    #[serde(borrow)]
    moves: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
}

/// How many games were read, and how many could not be.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) read: usize,
    pub(super) unreadable: usize,
}

/// Tells of every game of the files that can be read, in order, until `visit` fails; `-` is the standard input, which is `input`. A game that cannot be
/// read is named on the error stream, counted and left out. `default` is the rule set of PGN games that do not name theirs.
pub(super) fn each(
    files: &[PathBuf],
    default: &'static Rules,
    input: &mut dyn Read,
    visit: &mut dyn FnMut(&str, PgnGame) -> Result<(), Failure>,
) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    for file in files {
        let name = file.display().to_string();
        let bytes = bytes(file, input).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut take = |game: Result<PgnGame, String>| match game {
            Ok(game) => {
                counts.read += 1;
                visit(&name, game)
            }
            Err(error) => {
                counts.unreadable += 1;
                eprintln!("crescendo: {name}: {error}; left out");
                Ok(())
            }
        };
        if text.starts_with('{') {
            // A line without its end was torn by a crash.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            for (i, line) in whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                take(of_line(line).map_err(|error| format!("line {}: {error}", i + 1)))?;
            }
        } else if text.lines().find(|line| !line.starts_with('#')).is_some_and(|line| line.contains('\t')) {
            for (i, row) in text.lines().enumerate().filter(|(_, row)| !row.starts_with('#') && !row.is_empty()) {
                take(of_row(row).map_err(|error| format!("line {}: {error}", i + 1)))?;
            }
        } else {
            for game in read::games(&text, default) {
                take(game.map_err(|error| error.to_string()))?;
            }
        }
    }
    if counts.read == 0 {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let names = names.join(", ");
        return Err(Failure::Usage(format!(
            "{names}: no game that can be read; expected PGN, the games.jsonl of a tournament or a table (`crescendo pgn --check FILE` tells more)"
        )));
    }
    Ok(counts)
}

fn bytes(file: &Path, input: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A row of a table: rule set, result, name and series, with tabs between.
fn of_row(row: &str) -> Result<PgnGame, String> {
    let fields: Vec<&str> = row.split('\t').collect();
    let [rules, result, name, series] = fields[..] else {
        return Err(format!("{} fields; expected rule set, result, name and series", fields.len()));
    };
    let rules = Rules::by_name(rules).ok_or_else(|| format!("'{rules}' is no rule set"))?;
    let text = format!("[Event \"{}\"]\n[Result \"{result}\"]\n\n{series} {result}\n", name.replace(['"', '\\'], "'"));
    let game = read::games(&text, rules).next().ok_or("no game")?;
    game.map_err(|error| error.to_string())
}

fn of_line(text: &str) -> Result<PgnGame, String> {
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let game = replay(&line.rules, line.fen.as_deref(), &line.moves).map_err(|error| error.to_string())?;
    let mut game = PgnGame::new(game);
    game.set_tag("White", line.white);
    game.set_tag("Black", line.black);
    game.result = PgnResult::parse(&line.result).ok_or_else(|| format!("'{}' is no result", line.result))?;
    Ok(game)
}
