//! Lines and bytes: scenarios 11 to 14. Scenario 11, line ends and blanks, is held by every transcript.

use super::client::{Client, assert_complete, game};
use std::fs;

#[test]
fn s12_bytes_that_are_no_text() {
    let mut client = Client::start();
    client.send_bytes(b"position startpos moves \xff\xfe e2e4\n\xc3\nposition startpos\n");
    let said = client.sync();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("info string error move-syntax: turn 1 leg 1"), "{said:?}");
    assert!(said[1].starts_with("info string error unknown-command"), "{said:?}");
    assert_eq!(client.ask("query turn"), "response turn 1");
}

#[test]
fn s12_a_megabyte_of_moves() {
    let mut client = Client::start();
    // Just short enough to be read, and refused for its moves; too long to be read; and a long line that is all right.
    let mut line = String::from("position startpos moves");
    while line.len() + 5 < 1 << 20 {
        line.push_str(" e2e4");
    }
    client.send(&line);
    let said = client.sync();
    assert!(said.len() == 1 && said[0].starts_with("info string error move-illegal: turn 2 leg 1 'e2e4'"), "{said:?}");
    client.send("position startpos");
    client.send(&line.repeat(3));
    let said = client.sync();
    assert!(said.len() == 1 && said[0].contains("longer than 1 MiB"), "{said:?}");
    client.send("go nodes 1");
    assert!(client.line().starts_with("info string error no-position"));
    assert_eq!(client.best(), "(none)");
    client.send(&format!("position startpos moves e2e4{}", " ".repeat(1_000_000)));
    client.send("go nodes 50");
    assert_complete(&super::client::replay(&game("startpos"), "e2e4"), &client.best());
    client.quit().assert_clean();
}

#[test]
fn s13_paths_in_any_script() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("Échecs русский  два");
    fs::create_dir(&folder).unwrap();
    let log = folder.join("my log.txt");
    let book = folder.join("my  book.tsv");
    fs::write(&book, "# Crescendo book 1\n# rules: italian\nfen\tseries\tscore\tweight\tproof\n").unwrap();
    let mut client = Client::start();
    client.send(&format!("setoption name Debug Log File value {}", log.display()));
    client.send(&format!("setoption name Book File value {}", book.display()));
    client.assert_quiet();
    client.send(&format!("setoption name Book File value {}", folder.join("none").display()));
    client.send(&format!("setoption name Debug Log File value {}", folder.join("no/such/log").display()));
    let said = client.sync();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("info string error option-value: Book File '"), "{said:?}");
    assert!(said[1].starts_with("info string error option-value: Debug Log File '"), "{said:?}");
    client.send("setoption name Debug Log File value <empty>");
    client.assert_quiet();
    client.quit().assert_clean();
    let log = fs::read_to_string(&log).unwrap();
    assert!(
        log.contains("> isready\n< readyok\n") && log.contains("< info string error option-value: Book File"),
        "{log}"
    );
    assert!(log.ends_with("> setoption name Debug Log File value <empty>\n"), "{log}");
}

#[test]
fn s14_unknown_things_are_skipped() {
    let mut client = Client::told(&["", "   ", "#x", "# stop", "\t"]);
    client.assert_quiet();
    client.send("hello there");
    let said = client.sync();
    let expected = ["'hello'", "'there'"].map(|word| format!("info string error unknown-command: {word}"));
    assert_eq!(said, expected);
    client.send("joho position startpos moves e2e4");
    client.send("go quickly depth 1 wtime x");
    assert_complete(&super::client::replay(&game("startpos"), "e2e4"), &client.best());
    client.quit().assert_clean();
}
