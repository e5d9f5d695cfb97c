//! Runs the runner's binary on a plan and reads what it leaves behind.

use crescendo_runner::record::{FaultKind, GameEnd, GameRecord, Side};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const RUNNER: &str = env!("CARGO_BIN_EXE_crescendo-runner");
pub(crate) const STUB: &str = env!("CARGO_BIN_EXE_crescendo-stub");
/// No run of a test takes as long; one that does hangs.
const HANG: Duration = Duration::from_secs(50);

/// A run in a folder of its own.
pub(crate) struct Run {
    pub(crate) folder: TempDir,
    child: Child,
    began: Instant,
}

/// What is left of a run.
pub(crate) struct Done {
    pub(crate) folder: TempDir,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
}

/// The head of a plan for quick games: the limits are generous where an innocent engine could meet them on a busy machine.
pub(crate) const QUICK: &str = "seed = 1\nconcurrency = 1\nmax_turns = 8\n\
    [timeouts]\nstart = 10\nping = 5\nquit = 1\nturn = 10\n[defaults]\nnodes = 100\n";

/// The same, with limits that a silent engine meets soon.
pub(crate) const IMPATIENT: &str = "seed = 1\nconcurrency = 1\nmax_turns = 8\n\
    [timeouts]\nstart = 10\nping = 1\nquit = 1\nturn = 1.5\n[defaults]\nnodes = 100\n";

/// A player of a plan that is the stub in these modes.
pub(crate) fn stub(name: &str, modes: &[&str]) -> String {
    format!("[[players]]\nname = \"{name}\"\ncommand = \"{STUB}\"\nargs = {modes:?}\n")
}

impl Run {
    /// Starts the runner on this plan.
    pub(crate) fn start(plan: &str) -> Self {
        Self::start_in(None, plan, &[])
    }

    /// The same in a folder that may hold an earlier run.
    pub(crate) fn start_in(folder: Option<TempDir>, plan: &str, flags: &[&str]) -> Self {
        let folder = folder.unwrap_or_else(|| tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join("plan.toml"), plan.replace("FOLDER", folder.path().to_str().unwrap()))
            .unwrap();
        let mut command = Command::new(RUNNER);
        command.args(["run", "plan.toml", "--out", "out"]).args(flags).current_dir(folder.path());
        let files = ["stdout", "stderr"].map(|name| std::fs::File::create(folder.path().join(name)).unwrap());
        let [out, err] = files;
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
        Self { folder, child, began: Instant::now() }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits for its end; a run that hangs fails the test.
    pub(crate) fn finish(mut self) -> Done {
        while !self.is_over() {
            if self.began.elapsed() > HANG {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                panic!("the run hangs: {}", read(self.folder.path(), "stderr"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let status = self.child.wait().unwrap();
        Done {
            code: status.code(),
            out: read(self.folder.path(), "stdout"),
            err: read(self.folder.path(), "stderr"),
            took: self.began.elapsed(),
            folder: self.folder,
        }
    }
}

fn read(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.join(name)).unwrap_or_default()).into_owned()
}

impl Done {
    pub(crate) fn text(&self, name: &str) -> String {
        read(self.folder.path(), name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }

    /// The games of the journal by number.
    pub(crate) fn games(&self) -> Vec<GameRecord> {
        let text = self.text("out/games.jsonl");
        let mut games: Vec<GameRecord> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        games.sort_by_key(|game| game.id);
        games
    }
}

/// Plays a plan to its end.
pub(crate) fn tournament(plan: &str) -> Done {
    Run::start(plan).finish()
}

/// The forfeit of a game: who, and for what.
pub(crate) fn forfeit(game: &GameRecord) -> Option<(&str, FaultKind, &str)> {
    match &game.end {
        GameEnd::Forfeit { loser, fault } => {
            let loser = if *loser == Side::White { &game.white } else { &game.black };
            Some((loser, fault.kind, &fault.text))
        }
        _ => None,
    }
}

/// Whether a process of this number lives; zombies do not.
pub(crate) fn is_alive(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, seconds: u64, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(seconds), "not within {seconds} s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until none of these processes lives.
pub(crate) fn all_gone(pids: &[u32]) {
    eventually("no process is left", 5, || !pids.iter().any(|&pid| is_alive(pid)));
}

pub(crate) fn signal(pid: u32, name: &str) {
    let done = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status().unwrap();
    assert!(done.success());
}

/// The numbers of the processes that wrote themselves into this file.
pub(crate) fn pids(path: &Path) -> Vec<u32> {
    std::fs::read_to_string(path).unwrap_or_default().lines().filter_map(|line| line.parse().ok()).collect()
}

/// Holds a page to it: nothing is fetched from anywhere, every element is closed in its order, every attribute quoted, every id
/// there once.
pub(crate) fn well_formed(page: &str) {
    for outside in ["http:", "https:", "src=", "url(", "@import", "fetch(", "<link", "//cdn"] {
        assert!(!page.contains(outside), "{outside}");
    }
    const VOID: [&str; 3] = ["meta", "br", "!DOCTYPE"];
    let (mut open, mut ids, mut rest) = (Vec::new(), Vec::new(), page);
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if let Some((_, id)) = tag.split_once(" id=\"") {
            ids.push(id.split('"').next().unwrap());
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {}", &after[..after.floor_char_boundary(80)]);
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
            // What is inside is no markup.
            if name == "script" || name == "style" {
                rest = &rest[rest.find(&format!("</{name}")).unwrap()..];
            }
        }
    }
    assert_eq!(open, [""; 0], "not closed");
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id is there twice");
}

/// The first lines of a set that ships.
pub(crate) fn shipped_lines(set: &str, count: usize) -> String {
    let path = format!("{}/puzzles/{set}.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let file = std::io::BufReader::new(flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()));
    file.lines().take(count).map(|line| line.unwrap() + "\n").collect()
}
