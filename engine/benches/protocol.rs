//! The engine's answers through its pipe, as a client sees them: what the tests only hold to generous hang limits is measured here.
//!
//! Every sample drives the real binary: a fresh process for the start and the end, one long-lived process for the rest.

use divan::Bencher;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// A running engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_crescendo"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn say(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).expect("the engine reads");
    }

    /// Reads up to a line that begins so.
    fn wait_for(&mut self, start: &str) {
        let mut line = String::new();
        while !line.starts_with(start) {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("the engine writes") > 0, "no '{start}'");
        }
    }

    fn quit(mut self) {
        self.say("quit\n");
        let _ = self.child.wait();
    }
}

/// Cold start with the largest `Hash` to `uciok` (scenario 6: 200 ms).
#[divan::bench(sample_count = 20, sample_size = 1)]
fn cold_start_to_uciok(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| ()).bench_values(|()| {
        let mut engine = Engine::start();
        engine.say("setoption name Hash value 65536\nuci\n");
        engine.wait_for("uciok");
        engine.quit();
    });
}

/// A session that lasts for all samples of one bench.
fn session(setup: &str) -> Mutex<Engine> {
    let mut engine = Engine::start();
    engine.say(setup);
    engine.say("isready\n");
    engine.wait_for("readyok");
    Mutex::new(engine)
}

fn exchange(bencher: Bencher<'_, '_>, session: Mutex<Engine>, question: &str, answer: &str) {
    bencher.bench(|| {
        let mut engine = session.lock().expect("no panic");
        engine.say(question);
        engine.wait_for(answer);
    });
    session.into_inner().expect("no panic").quit();
}

/// `isready` while idle.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn isready_idle(bencher: Bencher<'_, '_>) {
    exchange(bencher, session("position startpos\n"), "isready\n", "readyok");
}

/// `isready` while searching (scenario 1: 50 ms).
#[divan::bench(sample_count = 50, sample_size = 1)]
fn isready_while_searching(bencher: Bencher<'_, '_>) {
    exchange(bencher, session("position startpos moves e2e4\ngo infinite\n"), "isready\n", "readyok");
}

/// `go movetime 10000` and `stop` at once, to `bestmove` (scenario 19).
#[divan::bench(sample_count = 50, sample_size = 1)]
fn stop_to_bestmove(bencher: Bencher<'_, '_>) {
    exchange(bencher, session("position startpos moves e2e4\n"), "go movetime 10000\nstop\n", "bestmove");
}

/// `quit` while searching, to the end of the process (scenario 16: 200 ms).
#[divan::bench(sample_count = 20, sample_size = 1)]
fn quit_while_searching(bencher: Bencher<'_, '_>) {
    let start = || {
        let mut engine = Engine::start();
        engine.say("position startpos moves e2e4\ngo infinite\nisready\n");
        engine.wait_for("readyok");
        engine
    };
    bencher.with_inputs(start).bench_values(Engine::quit);
}

fn main() {
    divan::main();
}
