//! A mutation fuzzer that needs nothing but stable Rust: seeds from the repository, changes by dice, and inputs kept that make
//! the subject answer in a new way. A subject must not panic, nor need more than a second for one input.
//!
//! `CRESCENDO_FUZZ_SECONDS` sets the time for each target (default 2, long tier 600), `CRESCENDO_FUZZ_SEED` the dice.

mod mutate;
pub(crate) mod words;

use mutate::mutate;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// No input may need longer at work, nor twenty times as long by the clock on the wall.
const LIMIT: Duration = Duration::from_secs(1);
/// An input that needs this long will not be waited for.
const HANG: Duration = Duration::from_secs(60);
/// Inputs that answered in a new way are kept up to this number and size.
const POOL: usize = 4_000;
const POOLED_LENGTH: usize = 8_192;
/// The process as a whole may hold this much.
const MEMORY: u64 = 200 << 20;

/// A subject and how it is fed.
pub(crate) struct Target {
    /// The folder under `tests/fuzz/corpus`.
    pub(crate) name: &'static str,
    /// Words that inputs are made of.
    pub(crate) words: &'static [&'static str],
    /// Whether each line of a corpus file is an input of its own.
    pub(crate) by_line: bool,
    /// Runs the subject; the answer tells one kind of behavior from another. It panics if something is wrong.
    pub(crate) subject: fn(&str) -> u64,
    /// The input at work and when it began.
    pub(crate) current: Mutex<Option<(Instant, Vec<u8>)>>,
}

impl Target {
    /// Replays the corpus, then plays with it for the time given. An input that never ends is reported too.
    pub(crate) fn fuzz(&self) {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| self.watch(&done));
            // Also after a panic, or the watch would wait for ever.
            let result = catch_unwind(AssertUnwindSafe(|| self.play()));
            done.store(true, Ordering::Relaxed);
            if let Err(panic) = result {
                resume_unwind(panic);
            }
        });
    }

    /// Ends the process if one input takes very long.
    fn watch(&self, done: &AtomicBool) {
        while !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
            let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, input)) = current.as_ref().filter(|(start, _)| start.elapsed() > HANG) {
                eprintln!("{} hangs for {}", self.name, self.keep(input));
                std::process::exit(101);
            }
        }
    }

    fn play(&self) {
        let seeds = self.corpus();
        assert!(!seeds.is_empty(), "no corpus for {}", self.name);
        let mut seen = HashSet::new();
        for seed in &seeds {
            seen.insert(self.check(seed));
        }
        let mut pool = seeds.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(number("CRESCENDO_FUZZ_SEED").unwrap_or(1));
        let default = if cfg!(feature = "long") { 600 } else { 2 };
        let end = Instant::now() + Duration::from_secs(number("CRESCENDO_FUZZ_SECONDS").unwrap_or(default));
        let mut runs = 0_u64;
        while let (true, Some(parent)) = (Instant::now() < end, pool.choose(&mut rng)) {
            let input = mutate(parent, &pool, self.words, &mut rng);
            runs += 1;
            if seen.insert(self.check(&input)) && input.len() <= POOLED_LENGTH {
                if pool.len() < POOL {
                    pool.push(input);
                } else {
                    // Seeds stay, others make room.
                    let at = rng.random_range(seeds.len()..pool.len());
                    pool[at] = input;
                }
            }
        }
        println!("{}: {} seeds, {runs} runs, {} kinds of behavior", self.name, seeds.len(), seen.len());
        assert!(runs > 0);
        if let Some(most) = peak_memory() {
            assert!(most < MEMORY, "{}: {} MiB in use at the peak", self.name, most >> 20);
        }
    }

    /// Runs one input; a panic or a slow answer is reported with the input, which is kept for the corpus.
    fn check(&self, input: &[u8]) -> u64 {
        let text = String::from_utf8_lossy(input);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), input.to_vec()));
        let mut fastest = Duration::MAX;
        // The machine may be busy with something else: only an input that is slow every time is slow.
        for _ in 0..3 {
            let (begun, start) = (processor_time(), Instant::now());
            let result = catch_unwind(AssertUnwindSafe(|| (self.subject)(&text)));
            let elapsed = start.elapsed();
            assert!(elapsed < 20 * LIMIT, "{} takes {elapsed:?} for {}", self.name, self.keep(input));
            fastest = fastest.min(elapsed).min(processor_time().saturating_sub(begun));
            match result {
                Err(_) => panic!("{} fails for {}", self.name, self.keep(input)),
                Ok(behavior) if fastest < LIMIT => return behavior,
                Ok(_) => {}
            }
        }
        panic!("{} needs {fastest:?} for {}", self.name, self.keep(input));
    }

    /// Saves an input and describes it.
    fn keep(&self, input: &[u8]) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}-{}", self.name, input.len()));
        let saved = std::fs::write(&path, input);
        let shown: String = String::from_utf8_lossy(input).chars().take(600).collect();
        format!(
            "{shown:?} ({} bytes, {} {})",
            input.len(),
            if saved.is_ok() { "kept in" } else { "lost;" },
            path.display()
        )
    }

    fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus").join(self.name);
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a corpus").filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        let mut seeds = Vec::new();
        for file in files {
            let bytes = std::fs::read(&file).expect("a file of the corpus");
            if self.by_line {
                seeds.extend(bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
            } else {
                seeds.push(bytes);
            }
        }
        seeds
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// How long this thread has been at work: what a busy machine does not change.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Time as it passes, where the system is not asked for more.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The most memory this process has held, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib << 10)
}
