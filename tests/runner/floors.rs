//! Holds the floor plan: imports go down, never up and never round.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the ground up. A module may use those above it in this list, which are below it in the plan.
const FLOORS: [&str; 24] = [
    "stats",
    "lines",
    "opening",
    "player",
    "clock",
    "adjudicate",
    "record",
    "variation",
    "game",
    "pairing",
    "maker",
    "collect",
    "shards",
    "database",
    "standing",
    "event",
    "scheduler",
    "report",
    "conform",
    "calibrate",
    "puzzle",
    "plan",
    "cli",
    "lib",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| *floor == module)
}

#[test]
fn imports_go_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    let mut faults = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if module == "main" {
            continue;
        }
        let Some(own) = floor(module) else {
            faults.push(format!("{module} has no floor: enter it in the plan and here"));
            continue;
        };
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for used in line.split("crate::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let place = format!("{}:{}", inside.display(), number + 1);
                match floor(&name) {
                    Some(other) if other < own || name == module => {}
                    Some(_) => faults.push(format!("{place}: {module} must not use {name}")),
                    None => faults.push(format!("{place}: write out which module is meant: '{}'", line.trim())),
                }
            }
            if module == "stats" && line.contains("crescendo::") {
                faults.push(format!("{}: stats know no chess", inside.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_are_short_and_the_library_exports_nothing_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(root.join("lib.rs")).unwrap();
    assert!(!lib.contains("pub use"));
    let mut all = Vec::new();
    files(&root, &mut all);
    for path in all {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 500, "{} has {lines} lines", path.display());
    }
}
