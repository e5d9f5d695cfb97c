//! A book as text.

use super::{Book, Claim, Entry, Line};
use crate::rules::fen;
use crate::rules::position::Position;
use crate::rules::setup::{Entry as Placed, Strictness};
use crate::rules::table::Rules;
use crate::types::score::Score;
use std::fmt;
use std::str::FromStr;

/// The first line of a book.
const TITLE: &str = "# Crescendo book 1";
/// The line before the first series.
const COLUMNS: &str = "fen\tseries\tscore\tweight\tproof";

/// What is wrong with a text that should be a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {text}")]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub text: String,
}

impl Book {
    /// Reads a book. Only the form is judged, not what it claims: that is [`super::check`]'s.
    ///
    /// # Errors
    /// The first line that is not of the form.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let fault = |line: usize, text: String| Fault { line: line + 1, text };
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line.trim_end() != TITLE) {
            return Err(fault(0, format!("a book begins with '{TITLE}'")));
        }
        let (mut rules, mut losing) = (None, 0);
        for (number, line) in &mut lines {
            if line.trim_end() == COLUMNS {
                let rules = rules.ok_or_else(|| fault(number, "no line '# rules: NAME' before this".into()))?;
                let entries = rows(rules, lines).map_err(|(number, text)| fault(number, text))?;
                return Ok(Self::new(rules, losing, entries));
            }
            let Some(remark) = line.strip_prefix('#') else {
                return Err(fault(number, format!("expected a remark or the columns '{COLUMNS}'")));
            };
            match remark.split_once(':').map(|(name, value)| (name.trim(), value.trim())) {
                Some(("rules", name)) => {
                    let known = Rules::by_name(name);
                    rules = Some(known.ok_or_else(|| fault(number, format!("unknown rules '{name}'")))?);
                }
                Some(("losing", turn)) => {
                    losing = turn.parse().map_err(|_| fault(number, format!("'{turn}' is not a turn number")))?;
                }
                _ => {}
            }
        }
        Err(fault(text.lines().count(), format!("no columns '{COLUMNS}'")))
    }

    /// The book as text; `remarks` are lines that tell how it was made.
    #[must_use]
    pub fn text(&self, remarks: &[String]) -> String {
        let mut text = format!("{TITLE}\n# rules: {}\n# losing: {}\n", self.rules.name, self.losing);
        remarks.iter().for_each(|remark| text.push_str(&format!("# {remark}\n")));
        text.push_str(COLUMNS);
        text.push('\n');
        self.entries.iter().for_each(|entry| text.push_str(&entry.to_string()));
        text
    }
}

/// The entries of the lines after the columns: lines of one position stand together.
fn rows<'a>(
    rules: &'static Rules,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<Entry>, (usize, String)> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut last = "";
    for (number, row) in lines.filter(|(_, row)| !row.trim().is_empty()) {
        let (fen, rest) = row.split_once('\t').ok_or_else(|| (number, "no tab".to_string()))?;
        let line = rest.parse().map_err(|text| (number, text))?;
        if fen != last {
            let position = between(fen, rules).map_err(|text| (number, text))?;
            entries.push(Entry { position, lines: Vec::new() });
            last = fen;
        }
        if let Some(entry) = entries.last_mut() {
            entry.lines.push(line);
        }
    }
    Ok(entries)
}

fn between(text: &str, rules: &'static Rules) -> Result<Position, String> {
    match fen::read(text, rules, Strictness::Strict).map_err(|error| error.to_string())?.0 {
        Placed::Between(position) if position.outcome().is_none() => Ok(position),
        Placed::Between(_) => Err("the game is over in this position".into()),
        Placed::Inside(_) => Err("not the start of a turn".into()),
    }
}

impl fmt::Display for Entry {
    /// A line for each series, with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.fen();
        self.lines.iter().try_for_each(|line| writeln!(f, "{fen}\t{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}\t{}", self.series, self.score, self.weight, self.claim)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wins => f.write_str("wins"),
            Self::Draws => f.write_str("draws"),
            Self::Safe => f.write_str("safe"),
            Self::Loses(series) => write!(f, "loses {series}"),
            Self::Open => f.write_str("open"),
        }
    }
}

impl FromStr for Line {
    type Err = String;

    /// Reads the columns behind the FEN.
    fn from_str(text: &str) -> Result<Self, String> {
        let columns: Vec<&str> = text.trim_end().split('\t').collect();
        let &[series, score, weight, proof] = &columns[..] else {
            return Err(format!("{} columns, not 5", columns.len() + 1));
        };
        let series = series.parse().map_err(|error| format!("series '{series}': {error}"))?;
        let score = read_score(score).ok_or_else(|| format!("score '{score}' is neither 'cp N' nor 'mate N'"))?;
        let weight = weight.parse().map_err(|_| format!("weight '{weight}' is not a number"))?;
        Ok(Self { series, score, weight, claim: proof.parse()? })
    }
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(' ') {
            None if text == "wins" => Ok(Self::Wins),
            None if text == "draws" => Ok(Self::Draws),
            None if text == "safe" => Ok(Self::Safe),
            None if text == "open" => Ok(Self::Open),
            Some(("loses", series)) => {
                series.parse().map(Self::Loses).map_err(|error| format!("proof '{text}': {error}"))
            }
            _ => Err(format!("proof '{text}' is none of wins, draws, safe, open, loses SERIES")),
        }
    }
}

fn read_score(text: &str) -> Option<Score> {
    match text.split_once(' ')? {
        ("cp", cp) => cp.parse().ok().map(Score::cp),
        ("mate", "0") => Some(Score::MATED),
        ("mate", series) => {
            let number: i16 = series.parse().ok()?;
            let count = number.unsigned_abs();
            Some(if number > 0 { Score::mate_in(count) } else { Score::mated_in(count) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "# Crescendo book 1\n# rules: scottish\n# losing: 2\n# made by hand\nfen\tseries\tscore\tweight\tproof\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4\tcp 31\t1000\tsafe\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\td2d4\tcp -3\t70\topen\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\te7e5,g8f6\tmate -1\t0\tloses f1c4,d1h5,h5f7\n";

    #[test]
    fn a_book_reads_back_as_written() {
        let book = Book::parse(SMALL).unwrap();
        assert_eq!((book.rules().name, book.losing(), book.entries().len()), ("scottish", 2, 2));
        assert_eq!(book.entries()[0].lines.len(), 2);
        assert_eq!(book.text(&["made by hand".into()]), SMALL);
    }

    #[test]
    fn faults_are_named_by_line() {
        for (from, to, part) in [
            ("book 1", "book 2", "line 1: a book begins"),
            ("scottish", "chess", "line 2: unknown rules 'chess'"),
            ("losing: 2", "losing: x", "line 3: 'x'"),
            ("fen\tseries", "fen\tmoves", "line 5: expected a remark"),
            ("e2e4", "e2e9", "line 6: series 'e2e9'"),
            ("cp 31", "31", "line 6: score '31'"),
            ("1000", "-1", "line 6: weight '-1'"),
            ("\t1000", "", "line 6: 4 columns"),
            ("open", "sure", "line 7: proof 'sure'"),
            ("loses ", "loses x", "line 8: proof"),
            ("KQkq - 0 2", "KQkq - 0 1", "line 8: fen-parity"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let error = Book::parse(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}, not {part}");
        }
        assert_eq!(Book::parse("").unwrap_err().line, 1);
    }
}
