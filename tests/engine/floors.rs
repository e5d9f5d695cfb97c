//! The floors of the engine: imports go down, never up or sideways. The table here is the plan; the code is held to it.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Each top-level module with its floor. It may use what stands on a lower floor, and itself.
const FLOORS: [(&str, u8); 10] = [
    ("types", 0),
    ("board", 1),
    ("rules", 2),
    ("solver", 3),
    ("eval", 3),
    ("search", 4),
    ("workers", 5),
    ("tools", 5),
    ("protocol", 6),
    ("cli", 6),
];

/// The highest floor that knows no thread, no clock, no file, no stream, no process and no randomness of the system.
const PURE: u8 = 4;

/// What a pure floor must not name.
const IMPURE: [&str; 15] = [
    "std::thread",
    "std::time",
    "std::fs",
    "std::io",
    "std::process",
    "std::env",
    "std::net",
    "use std::{",
    "thread_local!",
    "SystemTime",
    "Instant",
    "OsRng",
    "from_os_rng",
    "rand::rng(",
    "getrandom",
];

/// A breach of the plan.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    place: String,
    text: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.place)
    }
}

fn floor_of(module: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|(_, floor)| *floor)
}

/// The top-level modules that a line of a file names, and how it breaks the plan otherwise. `path` is the file's module path,
/// `["board", "men"]` for board/men.rs.
fn check_line(path: &[&str], line: &str) -> Vec<String> {
    let (module, mut faults) = (path[0], Vec::new());
    let own = floor_of(module);
    let mut used: Vec<&str> = line.split("crate::").skip(1).collect();
    // From deep inside, `super::super::…` reaches the root too.
    for (at, _) in line.match_indices("super::") {
        let rest = &line[at..];
        let names = rest.trim_start_matches("super::");
        let ups = (rest.len() - names.len()) / "super::".len();
        if ups >= path.len() && !line[..at].ends_with("super::") {
            used.push(names);
        }
    }
    for rest in used {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.is_empty() {
            faults.push(format!("{module} must name the modules it uses one by one, not by `crate::*` or `crate::{{`"));
        } else if name != module
            && let (Some(own), Some(other)) = (own, floor_of(&name))
            && other >= own
        {
            faults.push(format!("{module} must not use {name}"));
        }
    }
    if own.is_some_and(|floor| floor <= PURE) {
        let named = IMPURE.iter().filter(|name| line.contains(*name));
        faults.extend(named.map(|name| format!("{module} must not name {name}: floors 0 to {PURE} are pure")));
    }
    faults
}

/// Comments may name what they like; so may unit tests, which stand at the end of a file.
fn check_file(path: &[&str], text: &str, place: &str) -> Vec<Breach> {
    let code = text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
    let lines = code.filter(|(_, line)| !line.trim_start().starts_with("//"));
    let check = |(i, line)| {
        let breach = move |text| Breach { place: format!("{place}:{}", i + 1), text };
        check_line(path, line).into_iter().map(breach)
    };
    lines.flat_map(check).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// `board/men.rs` is the module board::men, `board/mod.rs` the module board.
fn module_path(file: &Path) -> Vec<String> {
    let mut names: Vec<String> = file.with_extension("").iter().map(|name| name.to_string_lossy().into()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

#[test]
fn imports_go_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut breaches) = (Vec::new(), Vec::new());
    sources(&root, &mut files);
    for file in &files {
        let short = file.strip_prefix(&root).unwrap();
        if [Path::new("lib.rs"), Path::new("main.rs")].contains(&short) {
            continue;
        }
        let names = module_path(short);
        assert!(floor_of(&names[0]).is_some(), "{} has no floor in the table of this test", names[0]);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        breaches.extend(check_file(&names, &fs::read_to_string(file).unwrap(), &short.display().to_string()));
    }
    assert!(files.len() > 30, "only {} files found", files.len());
    let list: Vec<String> = breaches.iter().map(Breach::to_string).collect();
    assert!(list.is_empty(), "\n{}\n", list.join("\n"));
}

#[test]
fn breaches_are_found() {
    let faults = |path: &[&str], text: &str| -> Vec<String> {
        check_file(path, text, "file.rs").iter().map(Breach::to_string).collect()
    };
    assert_eq!(faults(&["board", "men"], "use crate::search::think;"), ["board must not use search (file.rs:1)"]);
    assert_eq!(
        faults(&["board", "men"], "\nlet x = crate::rules::perft::perft;"),
        ["board must not use rules (file.rs:2)"]
    );
    assert_eq!(faults(&["eval"], "use crate::solver::solve;"), ["eval must not use solver (file.rs:1)"]);
    assert_eq!(
        faults(&["board", "men"], "use super::super::search::think;"),
        ["board must not use search (file.rs:1)"]
    );
    assert_eq!(faults(&["cli"], "use super::protocol;"), ["cli must not use protocol (file.rs:1)"]);
    assert_eq!(faults(&["protocol", "session"], "use crate::*;").len(), 1);
    assert_eq!(faults(&["protocol", "session"], "use crate::{rules, types};").len(), 1);
    assert_eq!(faults(&["search", "think"], "let now = std::time::Instant::now();").len(), 2);
    for fine in [
        "use crate::types::Color;",
        "use super::attacks;",
        "use super::super::perft;",
        "/// See [`crate::search`].",
        "#[cfg(test)]\nuse std::fs;",
    ] {
        assert!(faults(&["rules", "notation", "pgn"], fine).is_empty(), "{fine}");
    }
    assert!(faults(&["workers", "clock"], "use crate::search::limits::Pace;\nuse std::time::Instant;").is_empty());
}
