//! Files of puzzles: what is written is read again, every fault is named by line and field, and no text ends the program.

use crescendo_runner::puzzle::check::Checker;
use crescendo_runner::puzzle::files::{csv, parse, read, write};
use crescendo_runner::puzzle::people;
use crescendo_runner::puzzle::row::{COLUMNS, Row};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The mate in three of the README.
const GOOD: [&str; 10] = [
    "Yq0LyAyH",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    "e7e5,g8f6 d1h5,f1c4,h5f7",
    "712",
    "80",
    "0",
    "0",
    "italian mate uniqueMoves mateIn3",
    "",
    "e2e4",
];

/// The faults of a row that differs from a good one in one field.
fn faults(field: usize, text: &str) -> Vec<String> {
    let mut fields = good();
    fields[field] = text.to_owned();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    match Row::parse(&fields) {
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
        Ok(row) => {
            let bytes = csv([&row]).unwrap();
            let (entries, bad) = parse(&String::from_utf8(bytes).unwrap());
            assert_eq!(bad, vec![]);
            Checker::default().check(&entries[0]).iter().map(ToString::to_string).collect()
        }
    }
}

/// The good row, its name and themes as the checker wants them.
fn good() -> [String; 10] {
    GOOD.map(str::to_owned)
}

#[test]
fn a_good_row_has_no_fault_and_every_bad_field_is_named() {
    assert_eq!(faults(9, "e2e4"), Vec::<String>::new());
    let first = |field: usize, text: &str| faults(field, text).first().cloned().unwrap_or_default();
    assert!(first(0, "AAAAAAAA").starts_with("line 2, PuzzleId: 'AAAAAAAA', but"), "{}", first(0, "AAAAAAAA"));
    assert!(first(1, "8/8/8/8/8/8/8/8 w - - 0 3").starts_with("line 2, FEN: "));
    assert!(first(1, "x").starts_with("line 2, FEN: fen-fields"));
    assert!(first(2, "e7e5,g8f6").starts_with("line 2, Moves: expected the opponent's series"));
    assert!(first(2, "e7e5,g8f6 d1h5,f1c4,a2a3").contains("Moves: the solution is none: NoMate"));
    assert!(first(2, "e7e5,e7e6 d1h5,f1c4,h5f7").contains("Moves: the opponent's series: leg 2: no man on e7"));
    assert!(first(2, "e7e5,g8f6 d1h5,f1c4,h5f9").contains("is no series"));
    assert_eq!(first(3, "-3"), "Rating: '-3' is not a whole number from 0 to 5000");
    assert_eq!(first(4, "x"), "RatingDeviation: 'x' is not a whole number from 0 to 1000");
    assert_eq!(first(5, "101"), "Popularity: '101' is not a whole number from -100 to 100");
    assert!(first(7, "mate").contains("Themes: no rule set"));
    assert!(first(7, "italian scottish mate").contains("Themes: more than one rule set"));
    assert!(first(7, "italian").contains("Themes: no kind"));
    let wrong = "italian mate uniqueSeries mateIn3 castling ourOwnTheme";
    let found = faults(7, wrong);
    assert!(found.iter().any(|fault| fault.ends_with("'castling' does not apply")), "{found:?}");
    assert!(found.iter().any(|fault| fault.ends_with("'uniqueSeries' does not apply")), "{found:?}");
    assert!(!found.iter().any(|fault| fault.contains("ourOwnTheme")), "{found:?}");
}

#[test]
fn the_same_puzzle_twice_is_a_fault_of_the_second() {
    let fields = good();
    let row = Row::parse(&fields.each_ref().map(String::as_str)).unwrap();
    let text = String::from_utf8(csv([&row, &row]).unwrap()).unwrap();
    let mut checker = Checker::default();
    let faults: Vec<String> = parse(&text).0.iter().flat_map(|e| checker.check(e)).map(|f| f.to_string()).collect();
    assert!(faults.contains(&"line 3, PuzzleId: the same puzzle as line 2".to_owned()), "{faults:?}");
}

#[test]
fn packed_and_plain_files_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let row = Row::parse(&good().each_ref().map(String::as_str)).unwrap();
    let bytes = csv([&row]).unwrap();
    for name in ["a.csv", "a.csv.gz"] {
        let path = folder.path().join(name);
        write(&path, &bytes).unwrap();
        let rows: Vec<Row> = read(&path).unwrap().into_iter().map(|entry| entry.row).collect();
        assert_eq!(rows, std::slice::from_ref(&row));
    }
    let packed = std::fs::read(folder.path().join("a.csv.gz")).unwrap();
    assert!(packed.starts_with(&[0x1f, 0x8b]) && packed != bytes);
    assert!(String::from_utf8(bytes).unwrap().starts_with(&COLUMNS.join(",")));
    // A damaged packing is an error and no puzzle.
    write(&folder.path().join("b.csv"), &packed[..packed.len() / 2]).unwrap();
    assert!(read(&folder.path().join("b.csv")).is_err());
}

#[test]
fn no_text_ends_the_readers() {
    let good = good().each_ref().map(|field| format!("\"{field}\"")).join(",");
    let json = "{\"id\":\"x\",\"rules\":\"italian\",\"kind\":\"mate\",\"fen\":\"8/8\",\"before\":\"\",\"key\":\"\",\"counts\":{}}";
    let seeds = [
        format!("{}\n{good}\n{good}\n", COLUMNS.join(",")),
        format!("{json}\n{json}\n"),
        "PuzzleId,Solver,Solved,Theme\na,b,1,\nc,d,0,castling\n".to_owned(),
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for round in 0..6000 {
        let mut bytes = seeds[round % seeds.len()].clone().into_bytes();
        for _ in 0..rng.random_range(1..12) {
            let at = rng.random_range(0..bytes.len());
            match rng.random_range(0..5) {
                0 => bytes[at] = rng.random(),
                1 => drop(bytes.drain(at..(at + rng.random_range(0..20)).min(bytes.len()))),
                2 => bytes.insert(at, b"\",\n\r{}\\ 0"[rng.random_range(0..9)]),
                3 => {
                    let again = bytes[at..(at + 30).min(bytes.len())].to_vec();
                    bytes.splice(at..at, again);
                }
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                bytes.push(b'{');
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let (entries, faults) = parse(&text);
        assert!(entries.len() + faults.len() <= 1 + 12 * text.lines().count(), "more found than there is");
        for entry in &entries {
            let _ = (entry.row.series(), entry.row.kind(), entry.row.rules());
            if let Some(puzzle) = &entry.puzzle {
                assert!(puzzle.position().is_err() || !puzzle.fen.is_empty());
            }
        }
        let _ = people::parse(&text);
    }
}
