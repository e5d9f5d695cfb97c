//! `OwnBook` and `Book File` in a session.

use crescendo::rules::position::Position;
use crescendo::rules::table::{ITALIAN, SCOTTISH};
use crescendo::search::book::Book;
use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

/// All lines that a session answers, up to the answer to the last `go`.
fn session(lines: &[&str]) -> Vec<String> {
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_crescendo")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", lines.join("\n")).unwrap();
    let asked = lines.iter().filter(|line| line.starts_with("go")).count();
    let (mut answered, mut said) = (0, Vec::new());
    // The end of the input would cut a search short.
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    while answered < asked {
        let line = output.next().unwrap().unwrap();
        answered += usize::from(line.starts_with("bestmove"));
        said.push(line);
    }
    drop(input);
    said.extend(output.map(Result::unwrap));
    child.wait().unwrap();
    said
}

/// The answer to `go nodes 2000` at the start, and whether it came from a book: without any node.
fn first_move(options: &[&str]) -> (String, bool) {
    let mut lines = options.to_vec();
    lines.push("go nodes 2000");
    let said = session(&lines);
    let best = said.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap_or_else(|| panic!("{said:?}"));
    let info = said.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
    assert!(info.contains(&format!(" pv {}", best.split(' ').next().unwrap())), "{said:?}");
    (best.split(' ').next().unwrap().to_string(), info.contains(" nodes 0 "))
}

#[test]
fn at_full_strength_it_plays_from_the_shipped_book() {
    for (rules, variant) in [(&ITALIAN, "progressive"), (&SCOTTISH, "scottishprogressive")] {
        let entry = Book::shipped(rules).unwrap().find(&Position::start(rules)).unwrap();
        let playable: HashSet<String> =
            entry.lines.iter().filter(|line| line.weight > 0).map(|line| line.series.to_string()).collect();
        let variant = format!("setoption name UCI_Variant value {variant}");
        for seed in 1..=4 {
            let seed = format!("setoption name Seed value {seed}");
            let (series, from_book) = first_move(&[&variant, &seed]);
            assert!(from_book && playable.contains(&series), "{series} of {playable:?}");
            assert_eq!(first_move(&[&variant, &seed]).0, series, "the same seed, the same series");
        }
    }
}

#[test]
fn without_the_book_it_thinks() {
    for options in [
        &["setoption name OwnBook value false"][..],
        &["setoption name Level value Master"],
        &["setoption name UCI_LimitStrength value true"],
        &["setoption name UCI_AnalyseMode value true"],
        &["setoption name MultiPV value 2"],
        &["setoption name UCI_Variant value circeprogressive"],
        &["position startpos moves a2a3 a7a6"],
    ] {
        assert!(!first_move(options).1, "{options:?}");
    }
    // A move that is asked for is not in question, and analysis wants more than a book.
    let said = session(&["go nodes 500 searchmoves a2a4"]);
    assert!(said.iter().any(|line| line.starts_with("bestmove a2a4")), "{said:?}");
    let said = session(&["go mate 1 nodes 500"]);
    assert!(said.iter().any(|line| line == "info string no mate in 1"), "{said:?}");
}

#[test]
fn a_book_from_a_file_by_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mein Buch.tsv");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let book = format!(
        "# Crescendo book 1\n# rules: italian\nfen\tseries\tscore\tweight\tproof\n\
         {start}\ta2a3\tcp 5\t1\tsafe\n{start}\th2h4\tcp 9\t1\tsafe\n{start}\te2e4\tcp 50\t0\tsafe\n"
    );
    std::fs::write(&path, book).unwrap();
    let file = format!("setoption name Book File value {}", path.display());
    let played: HashSet<String> = (1..=12)
        .map(|seed| {
            let (series, from_book) = first_move(&[&file, &format!("setoption name Seed value {seed}")]);
            assert!(from_book);
            series
        })
        .collect();
    assert_eq!(played, HashSet::from(["a2a3".to_string(), "h2h4".to_string()]));
    // It is a book for the Italian rules only; and without a path the shipped one is back.
    assert!(!first_move(&[&file, "setoption name UCI_Variant value scottishprogressive"]).1);
    assert!(first_move(&[&file, "setoption name Book File value <empty>"]).1);
    // What is no book is an error, and changes nothing.
    std::fs::write(&path, "e2e4").unwrap();
    let said = session(&[&file, "go nodes 500"]);
    assert!(
        said[0].starts_with("info string error option-value: Book File '") && said[0].contains("line 1"),
        "{said:?}"
    );
    let said = session(&["setoption name Book File value /no/such/file"]);
    assert!(said[0].starts_with("info string error option-value: Book File '/no/such/file'"), "{said:?}");
}
