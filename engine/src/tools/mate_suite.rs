//! Many series-mate questions at once: read from a file, solved by several threads, summed up by quota.

use crate::rules::fen;
use crate::rules::midturn::Midturn;
use crate::rules::setup::Strictness;
use crate::rules::table::Rules;
use crate::solver::{Answer, Limits, Solver, Verdict};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The seen-table of one solver may grow to this.
pub(crate) const TABLE_BYTES: usize = 256 << 20;

/// One line of a file of questions.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The FEN as it was written.
    pub(crate) fen: String,
    pub(crate) midturn: Midturn,
    /// What the file says about it.
    pub(crate) expected: Option<bool>,
}

/// A question answered.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    pub(crate) answer: Answer,
    /// Processor time of the thread.
    pub(crate) time: Duration,
}

/// Why a file of questions cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub(crate) struct BadLine {
    line: usize,
    fault: String,
}

/// Reads questions, one a line: the FEN, and after tabs whatever else; if one of these fields is `mate` or `none`, that is the verdict
/// expected. Empty lines and lines that begin with `#` do not count. What cannot be read comes back besides.
pub(crate) fn read(text: &str, rules: &'static Rules) -> (Vec<Question>, Vec<BadLine>) {
    let (mut questions, mut bad) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let fen = fields.next().unwrap_or_default().trim().to_owned();
        let expected = fields.find_map(|field| match field.trim() {
            "mate" => Some(true),
            "none" => Some(false),
            _ => None,
        });
        match fen::read(&fen, rules, Strictness::Lenient) {
            Ok((entry, _)) => questions.push(Question { fen, midturn: entry.midturn(), expected }),
            Err(fault) => bad.push(BadLine { line: i + 1, fault: fault.to_string() }),
        }
    }
    (questions, bad)
}

/// Answers the questions with `threads` solvers, each within the limits, and shows each answer with its number as soon as those before are
/// there.
pub(crate) fn solve_each(
    questions: &[Question],
    threads: usize,
    new_solver: &(dyn Fn() -> Solver + Sync),
    limits: &Limits<'_>,
    show: &mut dyn FnMut(usize, &Solved),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, questions.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut solver = new_solver();
                while let Some(i) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < questions.len()) {
                    let begun = thread_time();
                    let answer = solver.solve(&questions[i].midturn, limits);
                    let time = thread_time().saturating_sub(begun);
                    if sender.send((i, Solved { answer, time })).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut shown) = (BTreeMap::new(), 0);
        for (i, solved) in receiver {
            waiting.insert(i, solved);
            while let Some(solved) = waiting.remove(&shown) {
                show(shown, &solved);
                shown += 1;
            }
        }
    });
}

/// Processor time this thread has used. Where the system does not tell, time by the clock.
pub(crate) fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }
}

/// Answers of one quota and verdict.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn at(&self, share: f64) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get((last as f64 * share) as usize).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (median, most, worst) = (ms(self.at(0.5)), ms(self.at(0.9)), ms(self.at(1.0)));
        write!(f, "{:4} {median:9.2} {most:9.2} {worst:9.2}", self.0.len())
    }
}

/// The summary: per quota the number of mates with median, 90th percentile and worst time, the same for the others, and the sum.
#[derive(Default)]
pub(crate) struct Summary {
    by_quota: BTreeMap<u8, (Times, Times, Duration)>,
    total: Duration,
    nodes: u64,
    /// Answers that contradict the file.
    pub(crate) wrong: usize,
    /// Questions left open.
    pub(crate) unknown: usize,
}

impl Summary {
    pub(crate) fn add(&mut self, question: &Question, solved: &Solved) {
        let (mates, others, sum) = self.by_quota.entry(question.midturn.left()).or_default();
        let is_mate = match solved.answer.verdict {
            Verdict::Mate(_) => Some(true),
            Verdict::NoMate => Some(false),
            Verdict::Unknown(_) => None,
        };
        let times = if is_mate == Some(true) { mates } else { others };
        let place = times.0.partition_point(|&time| time <= solved.time);
        times.0.insert(place, solved.time);
        *sum += solved.time;
        self.total += solved.time;
        self.nodes += solved.answer.nodes;
        self.unknown += usize::from(is_mate.is_none());
        self.wrong += usize::from(matches!((is_mate, question.expected), (Some(ours), Some(theirs)) if ours != theirs));
    }

    /// The lines of the summary, times in milliseconds of processor time.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines =
            vec!["left  mates    median       90%     worst  none    median       90%     worst       sum".into()];
        for (quota, (mates, others, sum)) in &self.by_quota {
            lines.push(format!("{quota:4}  {mates}  {others} {:9.1}", sum.as_secs_f64() * 1000.0));
        }
        let (ms, nodes) = (self.total.as_secs_f64() * 1000.0, self.nodes);
        lines.push(format!("total {ms:.1} ms, {nodes} nodes, {} unknown, {} wrong", self.unknown, self.wrong));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_solved_and_summed_up() {
        let rules = Rules::by_name("italian").unwrap();
        let text = "# comment\n\nrnbqkb1r/ppp1pppp/5n2/1B1P4/8/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4\t4\tmate\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\tmate\n";
        let (questions, bad) = read(text, rules);
        assert_eq!((questions.len(), bad.len()), (2, 0));
        let (mut summary, mut order) = (Summary::default(), Vec::new());
        solve_each(&questions, 2, &|| Solver::new(TABLE_BYTES), &Limits::default(), &mut |i, solved| {
            order.push(i);
            summary.add(&questions[i], solved);
        });
        assert_eq!(order, [0, 1]);
        assert_eq!((summary.wrong, summary.unknown), (1, 0));
        assert_eq!(summary.lines().len(), 4);
        assert_eq!(read("\nnonsense\n", rules).1[0].line, 2);
    }
}
