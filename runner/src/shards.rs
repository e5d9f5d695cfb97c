//! The files of one test, played by several machines, compared with each other: is one of them unlike the rest?
//!
//! Nothing is left out here: a file that is flagged is for a person to look at.

use crate::stats::counts::{Penta, Points};
use crate::stats::shards::{FLAG_BELOW, ShardTest, compare_shards, fault_p_value};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Two players, the one whose name comes first in the alphabet first.
type Meeting = (String, String);

/// What of one journal is compared.
#[derive(Clone, Debug, Default)]
pub struct Shard {
    path: PathBuf,
    games: u64,
    /// Games lost on time, by a crash or by silence: what a bad machine does to sound engines.
    faults: u64,
    /// Complete pairs from the side of the meeting's first player.
    pairs: BTreeMap<Meeting, Penta>,
}

/// The comparison of one journal with the others.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The journal.
    pub file: PathBuf,
    /// Its games that count.
    pub games: u64,
    /// Its complete pairs.
    pub pairs: u64,
    /// Their results against those of the other files that are not flagged, meeting by meeting.
    pub results: ShardTest,
    /// Its games lost on time, by a crash or by silence.
    pub faults: u64,
    /// The chance, in \[0, 1\], of as many or more if they fall on games at random.
    pub faults_p_value: f64,
    /// Whether results or faults are too unlike the others to be chance.
    pub flagged: bool,
}

/// Why a journal cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A line is no game.
    #[error("{}:{line}: {source}; --shards reads journals (games.jsonl) only", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
}

/// What of a journal's line matters here.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    white: Cow<'a, str>,
    #[serde(borrow)]
    black: Cow<'a, str>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    pair: u64,
    #[serde(borrow)]
    end: End<'a>,
}

#[derive(Deserialize)]
struct End<'a> {
    #[serde(default, borrow)]
    fault: Option<Fault<'a>>,
}

#[derive(Deserialize)]
struct Fault<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
}

impl Shard {
    /// Reads a journal; a torn last line is left out.
    ///
    /// # Errors
    /// See [`ShardError`].
    pub fn read(path: &Path) -> Result<Self, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let mut reader = BufReader::new(File::open(path).map_err(io)?);
        let mut shard = Self { path: path.to_owned(), ..Self::default() };
        let (mut text, mut halves) = (Vec::new(), HashMap::new());
        for line in 1.. {
            text.clear();
            reader.read_until(b'\n', &mut text).map_err(io)?;
            if text.last() != Some(&b'\n') {
                break;
            }
            if !text.trim_ascii().is_empty() {
                let fault = |source| ShardError::Line { path: path.to_owned(), line, source };
                shard.add(&serde_json::from_slice(&text).map_err(fault)?, &mut halves);
            }
        }
        Ok(shard)
    }

    fn add(&mut self, game: &Line<'_>, halves: &mut HashMap<u64, Points>) {
        let white = match &*game.result {
            "1-0" => Points::One,
            "1/2-1/2" => Points::Half,
            "0-1" => Points::Zero,
            _ => return,
        };
        self.games += 1;
        let of_a_machine = |fault: &Fault<'_>| matches!(&*fault.kind, "time" | "crash" | "silence");
        self.faults += u64::from(game.end.fault.as_ref().is_some_and(of_a_machine));
        let is_first = game.white <= game.black;
        let first = if is_first { white } else { white.reversed() };
        let Some(other) = halves.remove(&game.pair) else {
            halves.insert(game.pair, first);
            return;
        };
        let (a, b) = if is_first { (&game.white, &game.black) } else { (&game.black, &game.white) };
        self.pairs.entry((a.to_string(), b.to_string())).or_default().record(other, first);
    }

    /// The journal's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Compares the journals with each other. A bad one makes sound ones look odd beside it, so the worst is flagged first and the others
/// are compared again without it, until none is flagged. Where only two are left and their results differ, nobody can say
/// which is the bad one, and both are flagged; faults can tell.
#[must_use]
pub fn compare(shards: &[Shard]) -> Vec<Compared> {
    let mut all: Vec<Compared> = compare_once(&shards.iter().collect::<Vec<_>>());
    let mut left: Vec<usize> = (0..shards.len()).collect();
    loop {
        let compared = compare_once(&left.iter().map(|&at| &shards[at]).collect::<Vec<_>>());
        let bad = worst(&compared);
        for (&at, compared) in left.iter().zip(compared) {
            all[at] = compared;
        }
        if bad.is_empty() {
            return all;
        }
        for &at in &bad {
            all[left[at]].flagged = true;
        }
        left = (0..left.len()).filter(|at| !bad.contains(at)).map(|at| left[at]).collect();
    }
}

/// The places of those to be flagged next.
fn worst(compared: &[Compared]) -> Vec<usize> {
    let least = |p: fn(&Compared) -> f64| {
        let below = (0..compared.len()).filter(|&at| p(&compared[at]) < FLAG_BELOW);
        // Chances too small for a number are all 0; then the larger statistic is the worse.
        below.min_by(|&a, &b| {
            let statistic = |at: usize| compared[at].results.chi_squared;
            p(&compared[a]).total_cmp(&p(&compared[b])).then(statistic(b).total_cmp(&statistic(a)))
        })
    };
    match (least(|shard| shard.faults_p_value), least(|shard| shard.results.p_value)) {
        (Some(at), _) => vec![at],
        (None, Some(_)) if compared.len() == 2 => vec![0, 1],
        (None, at) => at.into_iter().collect(),
    }
}

/// Compares every journal with all the others and flags none.
fn compare_once(shards: &[&Shard]) -> Vec<Compared> {
    let meetings: BTreeSet<&Meeting> = shards.iter().flat_map(|shard| shard.pairs.keys()).collect();
    let mut tests: Vec<Vec<ShardTest>> = vec![Vec::new(); shards.len()];
    for meeting in meetings {
        let tables: Vec<Penta> =
            shards.iter().map(|shard| shard.pairs.get(meeting).copied().unwrap_or_default()).collect();
        for (tests, test) in tests.iter_mut().zip(compare_shards(&tables)) {
            tests.push(test);
        }
    }
    let (games, faults) = shards.iter().fold((0, 0), |(g, f), shard| (g + shard.games, f + shard.faults));
    let compared = |(shard, tests): (&&Shard, Vec<ShardTest>)| Compared {
        file: shard.path.clone(),
        games: shard.games,
        pairs: shard.pairs.values().map(Penta::pairs).sum(),
        results: ShardTest::sum(tests),
        faults: shard.faults,
        faults_p_value: fault_p_value(shard.faults, shard.games, faults, games),
        flagged: false,
    };
    shards.iter().zip(tests).map(compared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// A journal of pairs in which player "a" has won so many of ten games against "b" and against "c".
    fn shard(wins: usize, late: usize) -> Shard {
        let mut text = String::new();
        for game in 0..400 {
            let (pair, other) = (game / 2, if game < 200 { "b" } else { "c" });
            let won = game * 7 % 10 < wins;
            let (white, black) = if game % 2 == 0 { ("a", other) } else { (other, "a") };
            let result = if won == (white == "a") { "1-0" } else { "0-1" };
            let end =
                if game < late { r#"{"kind":"forfeit","fault":{"kind":"time"}}"# } else { r#"{"kind":"played"}"# };
            let _ = writeln!(
                text,
                r#"{{"white":"{white}","black":"{black}","result":"{result}","pair":{pair},"end":{end}}}"#
            );
        }
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, (text + "{\"torn").as_bytes()).unwrap();
        Shard::read(file.path()).unwrap()
    }

    #[test]
    fn a_bad_machine_is_flagged_and_a_sound_one_is_not() {
        let sound = compare(&[shard(5, 1), shard(5, 0), shard(5, 2)]);
        assert!(sound.iter().all(|shard| !shard.flagged && shard.pairs == 200 && shard.games == 400), "{sound:?}");
        let spoiled = compare(&[shard(5, 1), shard(5, 0), shard(9, 2)]);
        assert_eq!(spoiled.iter().map(|shard| shard.flagged).collect::<Vec<_>>(), [false, false, true], "{spoiled:?}");
        let late = compare(&[shard(5, 1), shard(5, 0), shard(5, 240)]);
        assert!(late[2].flagged && !late[0].flagged && late[2].results.p_value > 0.5 && late[2].faults == 240);
        // Of two that differ, only faults can say which is the bad one.
        let two = |a, b| compare(&[a, b]).iter().map(|shard| shard.flagged).collect::<Vec<_>>();
        assert_eq!(two(shard(5, 1), shard(9, 0)), [true, true]);
        assert_eq!(two(shard(5, 1), shard(9, 200)), [false, true]);
        assert_eq!(two(shard(5, 1), shard(5, 0)), [false, false]);
        let many = compare(&[shard(5, 0), shard(9, 0), shard(5, 1), shard(8, 300), shard(5, 0)]);
        assert_eq!(many.iter().map(|shard| shard.flagged).collect::<Vec<_>>(), [false, true, false, true, false]);
        assert!(compare(&[]).is_empty());
    }

    #[test]
    fn no_journal_is_an_error_with_its_line() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, b"\n[White \"a\"]\n").unwrap();
        let error = Shard::read(file.path()).unwrap_err().to_string();
        assert!(error.contains(":2: ") && error.contains("journals (games.jsonl) only"), "{error}");
        assert!(Shard::read(Path::new("no-such-file")).unwrap_err().to_string().contains("No such file"));
    }
}
