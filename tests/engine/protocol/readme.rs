//! The README's section for authors of GUIs: its transcript is what the engine says.

use super::transcripts::play;
use std::fs;
use std::path::Path;

#[test]
fn the_transcript_for_gui_authors_is_true() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let section = readme.split("\n## Adding progressive chess to a GUI\n").nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    // The blocks are one session: what is between them explains it.
    let blocks = section.split("```text\n").skip(1).map(|block| block.split("```").next().unwrap());
    let transcript: String = blocks.filter(|block| block.starts_with("> ")).collect();
    assert!(transcript.lines().count() > 30, "{transcript}");
    play("README.md", &transcript, |line| format!("{line}\n"));
}
