//! Transcripts: what goes in, what comes out, line by line. See tests/data/transcripts/README.md for the form.

use super::client::{Client, HANG};
use std::fs;
use std::path::Path;

/// Whether the text fits the pattern, in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).any(|at| rest.is_char_boundary(at) && fits(tail, &rest[at..]))),
    }
}

pub(crate) fn play(name: &str, transcript: &str, disguise: impl Fn(&str) -> String) {
    let mut client = Client::start();
    for (i, line) in transcript.lines().enumerate() {
        let place = format!("{name}:{}", i + 1);
        if let Some(input) = line.strip_prefix("> ") {
            client.send_bytes(disguise(input).as_bytes());
        } else if let Some(pattern) = line.strip_prefix("< ").or((line == "<").then_some("")) {
            let said = client.line_within(HANG).unwrap_or_else(|| panic!("{place}: nothing said"));
            assert!(fits(pattern, &said), "{place}\n expected {pattern}\n      got {said}");
        } else if let Some(pattern) = line.strip_prefix("<... ") {
            while !fits(pattern, &client.line_within(HANG).unwrap_or_else(|| panic!("{place}: nothing fits {pattern}")))
            {
            }
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{place}: {line}");
        }
    }
    let ended = client.quit();
    ended.assert_clean();
    assert_eq!(ended.rest, Vec::<String>::new(), "{name}: more was said than the transcript has");
}

fn transcripts(subfolder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/transcripts").join(subfolder);
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(&path).unwrap()))
        .collect();
    found.sort();
    assert!(found.len() >= 8, "only {} transcripts", found.len());
    found
}

/// Plays the transcripts of a subfolder; returns how many there are.
pub(crate) fn play_folder(subfolder: &str) -> usize {
    let found = transcripts(subfolder);
    found.iter().for_each(|(name, text)| play(name, text, |line| format!("{line}\n")));
    found.len()
}

#[test]
fn every_transcript() {
    for (name, text) in transcripts("") {
        play(&name, &text, |line| format!("{line}\n"));
    }
}

#[test]
fn s11_line_ends_and_blanks_do_not_matter() {
    for (name, text) in transcripts("") {
        play(&name, &text, |line| format!("{line}\r\n"));
        // A value keeps its inner blanks, so only other lines are stretched.
        play(&name, &text, |line| {
            let stretched = if line.contains(" value ") { line.to_owned() } else { line.replace(' ', " \t  ") };
            format!(" \t{stretched} \t \r\n")
        });
    }
}

#[test]
fn patterns() {
    assert!(fits("a*c", "abc") && fits("a*c", "ac") && fits("*", "") && fits("x", "x") && fits("a*b*c", "a b b c"));
    assert!(!fits("a*c", "abd") && !fits("", "x") && !fits("a", "ab"));
}
