//! What holds for the help of both programs: complete, with examples, within 80 columns, and the same in manual pages and completions.

use std::path::Path;
use std::process::Command;

/// The longest line of help.
const WIDTH: usize = 80;

fn output(program: &str, args: &[&str]) -> String {
    let done = Command::new(program).args(args).output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{args:?}: {text}");
    text
}

/// The commands that the help of a command lists.
fn listed(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A line that goes on is indented further.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// Looks at the help of a command and of all below it; their paths are added to `found`.
fn walk(program: &str, path: &[&str], found: &mut Vec<Vec<String>>) {
    let help = output(program, &[path, &["--help"]].concat());
    let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > WIDTH).collect();
    assert!(wide.is_empty(), "{path:?}: {wide:#?}");
    assert!(help.contains("\nExample"), "{path:?} has no example: {help}");
    found.push(path.iter().map(|&name| name.to_owned()).collect());
    for name in listed(&help) {
        walk(program, &[path, &[name]].concat(), found);
    }
}

/// Holds a program to it. `name` is the program's, and there are at least `least` commands.
pub(crate) fn is_complete(program: &str, name: &str, least: usize, folder: &Path) {
    let mut commands = Vec::new();
    walk(program, &[], &mut commands);
    assert!(commands.len() > least, "{commands:?}");
    output(program, &["man", folder.to_str().unwrap()]);
    let completions = ["bash", "zsh", "fish"].map(|shell| output(program, &["completions", shell]));
    for path in commands {
        let page = [&[name.to_owned()], path.as_slice()].concat().join("-") + ".1";
        let text = std::fs::read_to_string(folder.join(&page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains("Example"), "{page}");
        for word in &path {
            assert!(completions.iter().all(|text| text.contains(word.as_str())), "{word} is not completed");
        }
    }
}
