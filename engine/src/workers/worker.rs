//! The search thread: one, long-lived, fed with jobs; what it finds comes back as reports.

use super::clock::{Clock, Control};
use super::crew::Threads;
use super::passes;
use super::rescue::{any_series, is_allowed, is_complete};
use super::team;
use crate::rules::midturn::Midturn;
use crate::search::info::{Choice, Event, Info};
use crate::search::limits::Limits;
use crate::search::prove::{Proof, prove};
use crate::search::think::{Searcher, Settings};
use crate::solver::{self, Grade};
use crate::types::score::Score;
use crate::types::series::Series;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// A search to be made.
pub(crate) struct Task {
    /// Where: the game is not over here.
    pub(crate) midturn: Midturn,
    /// An answer that is known already, from a book.
    pub(crate) book: Option<Choice>,
    /// Level and seed.
    pub(crate) settings: Settings,
    /// Size of the tables.
    pub(crate) hash_mib: usize,
    /// Limit in moves made.
    pub(crate) nodes: Option<u64>,
    /// Limit in series.
    pub(crate) depth: Option<u16>,
    /// First of all a forced win within so many own series is looked for.
    pub(crate) mate: Option<u16>,
    /// How many threads work.
    pub(crate) threads: usize,
    /// Beginnings allowed; empty = all.
    pub(crate) prefixes: Vec<Series>,
    /// Lines to report.
    pub(crate) multi_pv: usize,
    /// Time and switches.
    pub(crate) clock: Clock,
}

/// What else can run on the search thread: it gets the switches and a way to say lines, and tells whether it came to its end.
pub(crate) type Chore = Box<dyn FnOnce(&Control, &mut dyn FnMut(String)) -> bool + Send>;

enum Job {
    Prepare { hash_mib: usize },
    Clear,
    Think(Box<Task>),
    Chore(Chore, Arc<Control>),
}

/// What the search thread tells.
#[derive(Debug)]
pub(crate) enum Report {
    /// The tables have the size asked for, or kept the old one for want of memory.
    Prepared {
        /// The size they have now.
        hash_mib: usize,
        /// The size they were to have.
        wanted_mib: usize,
    },
    /// Progress of a search, and how long it has been running.
    Line(Info, Duration),
    /// A remark for people.
    Note(String),
    /// A line of a chore, to be printed as it is.
    Text(String),
    /// The search is over.
    Chosen(Choice, Duration),
    /// The chore is over.
    ChoreDone {
        /// Whether it came to its end.
        completed: bool,
    },
}

/// The search thread, seen from outside. Dropping it ends the thread after its present job.
#[derive(Debug)]
pub(crate) struct Worker {
    jobs: Sender<Job>,
    reports: Receiver<Report>,
}

/// Series of up to 255 moves are walked by recursion: more than the usual two megabytes.
const STACK_BYTES: usize = 64 << 20;
/// Reports wait here; a full channel slows the search down to the speed of the reader, so memory is bounded.
const WAITING_REPORTS: usize = 4096;
/// Once it is proved that there is no mate, so many nodes are spent on a series to play.
const AFTER_PROOF: u64 = 200_000;

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn spawn() -> std::io::Result<Self> {
        let (jobs, todo) = unbounded();
        let (done, reports) = bounded(WAITING_REPORTS);
        std::thread::Builder::new()
            .name("search".into())
            .stack_size(STACK_BYTES)
            .spawn(move || Desk { tables: None, reports: done }.work(&todo))?;
        Ok(Self { jobs, reports })
    }

    /// Where the reports arrive.
    pub(crate) const fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }

    /// Gives the tables this size; answered by [`Report::Prepared`].
    pub(crate) fn prepare(&self, hash_mib: usize) {
        self.send(Job::Prepare { hash_mib });
    }

    /// Empties the tables.
    pub(crate) fn clear(&self) {
        self.send(Job::Clear);
    }

    /// Searches; answered by [`Report::Chosen`].
    pub(crate) fn think(&self, task: Task) {
        self.send(Job::Think(Box::new(task)));
    }

    /// Runs something else; answered by [`Report::ChoreDone`].
    pub(crate) fn chore(&self, chore: Chore, control: Arc<Control>) {
        self.send(Job::Chore(chore, control));
    }

    /// The thread ends only when this end of the channel is dropped, so sending cannot fail.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

/// The thread's own side. A report that nobody receives any more is lost on purpose: the program is ending.
struct Desk {
    tables: Option<(usize, Searcher)>,
    reports: Sender<Report>,
}

impl Desk {
    fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Prepare { hash_mib } => {
                    let now = self.prepare(hash_mib);
                    self.tell(Report::Prepared { hash_mib: now, wanted_mib: hash_mib });
                }
                Job::Clear => {
                    if let Some((_, searcher)) = &mut self.tables {
                        searcher.clear();
                    }
                }
                Job::Think(task) => self.think(&task),
                Job::Chore(chore, control) => {
                    let reports = &self.reports;
                    let say = &mut |line| drop(reports.send(Report::Text(line)));
                    let completed = catch_unwind(AssertUnwindSafe(|| chore(&control, say))).unwrap_or_else(|_| {
                        self.tell(Report::Note("error internal: the command failed".into()));
                        false
                    });
                    self.tell(Report::ChoreDone { completed });
                }
            }
        }
    }

    fn tell(&self, report: Report) {
        drop(self.reports.send(report));
    }

    /// Makes tables of this size unless they are there; returns the size they have afterwards, 0 for none.
    fn prepare(&mut self, hash_mib: usize) -> usize {
        let now = self.tables.as_ref().map_or(0, |(mib, _)| *mib);
        if now == hash_mib {
            return now;
        }
        match Searcher::new(hash_mib) {
            Ok(searcher) => self.tables = Some((hash_mib, searcher)),
            Err(_) if now == 0 && hash_mib > 1 => {
                // There is nothing to fall back on yet: the smallest tables are better than none.
                self.tables = Searcher::new(1).ok().map(|searcher| (1, searcher));
            }
            Err(_) => {}
        }
        self.tables.as_ref().map_or(0, |(mib, _)| *mib)
    }

    fn think(&mut self, task: &Task) {
        let now = self.prepare(task.hash_mib);
        if now != task.hash_mib {
            self.tell(Report::Prepared { hash_mib: now, wanted_mib: task.hash_mib });
        }
        let found = task.book.clone().or_else(|| self.search(task));
        let answer = found.filter(|choice| {
            choice.series.as_ref().is_some_and(|s| is_complete(&task.midturn, s) && is_allowed(s, &task.prefixes))
        });
        let choice = answer.unwrap_or_else(|| {
            self.tell(Report::Note("error internal: the search gave no playable series; playing another".into()));
            let series = any_series(&task.midturn, &task.prefixes);
            Choice { series, ..Choice::none(Score::DRAW) }
        });
        self.tell(Report::Chosen(choice, task.clock.elapsed()));
    }

    /// Runs the search. One that panics is an error of ours, but no reason to lose the game: its tables are dropped.
    fn search(&mut self, task: &Task) -> Option<Choice> {
        let (mib, mut searcher) = self.tables.take()?;
        let reports = &self.reports;
        let mut on_event = |event| {
            drop(reports.send(match event {
                Event::Line(info) => Report::Line(info, task.clock.elapsed()),
                Event::Note(text) => Report::Note(text),
            }));
        };
        let mut limits = Limits {
            nodes: task.nodes,
            depth: task.depth,
            mate: task.mate,
            prefixes: task.prefixes.clone(),
            multi_pv: task.multi_pv,
            effort: 0,
            pace: &task.clock,
            crew: &Threads(task.threads),
        };
        let think = || {
            if let Some(most) = task.mate {
                match prove_mate(&mut searcher, task, most, &limits, &mut on_event) {
                    Proof::Win(choice) => return choice,
                    // What was asked is answered; the rest is for something to play.
                    Proof::NoWin(nodes) => {
                        let most = nodes.saturating_add(AFTER_PROOF);
                        limits.nodes =
                            Some(limits.nodes.map_or(most, |limit| limit.min(most)).saturating_sub(nodes).max(1));
                    }
                    Proof::Unknown(nodes) => {
                        limits.nodes = limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
                    }
                }
            }
            let mut search = |limits: &Limits<'_>, on_event: &mut dyn FnMut(Event)| {
                searcher.think(&task.midturn, &task.settings, limits, on_event)
            };
            let is_endless = task.clock.is_endless() && limits.nodes.is_none() && limits.depth.is_none();
            if is_endless && task.settings.level.persists {
                passes::think(&task.clock, &limits, &mut search, &mut on_event)
            } else {
                search(&limits, &mut on_event)
            }
        };
        let choice = catch_unwind(AssertUnwindSafe(think)).ok()?;
        self.tables = Some((mib, searcher));
        Some(choice)
    }
}

/// Looks for a forced win, by as many threads as the task allows. Positions are told apart by 128 bits meanwhile: a "none" is told.
fn prove_mate(
    searcher: &mut Searcher,
    task: &Task,
    most: u16,
    limits: &Limits<'_>,
    on_event: &mut dyn FnMut(Event),
) -> Proof {
    let solver = searcher.solver();
    solver.set_grade(Grade::Proof);
    let mut solve = |midturn: &Midturn, limits: &solver::Limits<'_>| team::solve(solver, midturn, task.threads, limits);
    let proof = prove(&task.midturn, most, limits, &mut solve, on_event);
    searcher.solver().set_grade(Grade::Play);
    proof
}
