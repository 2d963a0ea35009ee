//! Runs steps in queues, several queues at a time.
//!
//! In: queues of steps. Out: each step's output in one piece once it has ended,
//! and a report of each. A step is a process of its own, so that its output and
//! its time can be told from those of the step beside it. Cargo keeps two
//! processors busy only while it compiles many crates; linking, emulators and
//! tests that wait leave one idle, and that is what the second queue is for.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::step::{Outcome, Report, Step};

mod told; // What the process of a step leaves for this one.

pub(crate) use told::run_here;

/// More queues at a time would mostly wait for each other's processors.
const WORKERS_MAX: usize = 4;

/// So much nicer is a step than one whose tests measure time.
const NICENESS: &str = "10";

/// What is known of a step before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) is_timed: bool,
}

/// Steps that run in their order.
#[derive(Debug)]
pub(crate) struct Queue {
    /// Seconds that each of its steps takes, about, on a tree that is new.
    weight: f64,
    /// The next one is the last.
    jobs: Vec<Job>,
    is_busy: bool,
}

impl Queue {
    pub(crate) fn new(seconds: u32, steps: &[&Step]) -> Queue {
        let job = |step: &&Step| Job {
            name: step.name.clone(),
            is_timed: step.is_timed,
        };
        Queue {
            weight: f64::from(seconds) / steps.len().max(1) as f64,
            jobs: steps.iter().rev().map(job).collect(),
            is_busy: false,
        }
    }

    /// Seconds that its steps will take, about.
    fn rest(&self) -> f64 {
        self.weight * self.jobs.len() as f64
    }
}

/// Which step is next.
#[derive(Debug)]
enum Next {
    /// This one, of the queue with this index.
    Job(usize, Job),
    /// One whose queue is busy still.
    Later,
    Nothing,
}

/// The next step of the longest queue that nobody works on: what is longest must
/// not be left to the end, where nothing can run beside it.
fn next(queues: &mut [Queue]) -> Next {
    let waiting = queues
        .iter()
        .enumerate()
        .filter(|(_, queue)| !queue.jobs.is_empty());
    let mut is_any = false;
    let free = waiting
        .inspect(|_| is_any = true)
        .filter(|(_, queue)| !queue.is_busy);
    let longest = free.max_by(|(_, a), (_, b)| a.rest().total_cmp(&b.rest()));
    let index = longest.map(|(index, _)| index);
    let job = index.and_then(|index| {
        let queue = queues.get_mut(index)?;
        queue.is_busy = true;
        Some((index, queue.jobs.pop()?))
    });
    match job {
        Some((index, job)) => Next::Job(index, job),
        None if is_any => Next::Later,
        None => Next::Nothing,
    }
}

/// What all workers share.
struct Run<'a> {
    folder: &'a Path,
    queues: Mutex<Vec<Queue>>,
    /// A queue has become free.
    freed: Condvar,
    reports: Mutex<Vec<Report>>,
}

/// Runs all steps; in `folder` their outputs are kept.
pub(crate) fn run_all(folder: &Path, queues: Vec<Queue>) -> Result<Vec<Report>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let run = Run {
        folder,
        queues: Mutex::new(queues),
        freed: Condvar::new(),
        reports: Mutex::default(),
    };
    thread::scope(|scope| {
        for _ in 0..workers.min(WORKERS_MAX) {
            scope.spawn(|| run.work());
        }
    });
    Ok(run
        .reports
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

impl Run<'_> {
    /// Takes steps until none is left.
    fn work(&self) {
        while let Some((index, job)) = self.take() {
            let start = Instant::now();
            let name = job.name.clone();
            println!("    begins   {name}");
            let log = self.folder.join(format!("{}.log", file_name(&name)));
            let (outcome, cpu) = process(&job, &log)
                .unwrap_or_else(|error| (Outcome::Failed(format!("{error:#}")), None));
            self.end(
                index,
                Report {
                    name,
                    outcome,
                    wall: start.elapsed(),
                    cpu,
                },
                &log,
            );
        }
    }

    /// The next step, once its queue is free.
    fn take(&self) -> Option<(usize, Job)> {
        let mut queues = lock(&self.queues);
        loop {
            match next(&mut queues) {
                Next::Job(index, job) => return Some((index, job)),
                Next::Nothing => return None,
                Next::Later => {
                    queues = self
                        .freed
                        .wait(queues)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Frees the queue and shows what the step has said.
    fn end(&self, index: usize, report: Report, log: &Path) {
        if let Some(queue) = lock(&self.queues).get_mut(index) {
            queue.is_busy = false;
        }
        self.freed.notify_all();
        let mut reports = lock(&self.reports);
        let said = fs::read(log).unwrap_or_default();
        let mut out = std::io::stdout().lock();
        // A reader that has gone away does not make a step fail.
        write!(out, "\n==> {}\n", report.name).ok();
        out.write_all(&said).ok();
        writeln!(out, "{report}").ok();
        reports.push(report);
    }
}

/// A worker that fell over has left nothing half done: each lock is held for one
/// assignment, or for printing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn file_name(step: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    step.chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}

/// Runs a step in a process and waits for its end.
fn process(job: &Job, log: &Path) -> Result<(Outcome, Option<Duration>)> {
    let told = log.with_extension("told");
    fs::remove_file(&told).ok();
    let out = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = this_program(job)?;
    command.args(["step", &job.name]).arg(&told);
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_xtask(name)) {
        command.env_remove(name);
    }
    let status = command
        .stdout(out.try_clone()?)
        .stderr(out)
        .status()
        .context("cannot start xtask again")?;
    Ok(told::read(&told)
        .unwrap_or_else(|| (Outcome::Failed(format!("it ended with {status}")), None)))
}

/// What cargo tells xtask of xtask's own package. A build script that looks at it,
/// as ring's does, would run again, and all that leans on it be compiled again,
/// whenever a developer calls cargo between two runs.
fn is_of_xtask(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

/// This program once more. While it runs, a step may compile it anew; on Linux
/// the running one can still be started by its process.
fn this_program(job: &Job) -> Result<Command> {
    let program = match cfg!(target_os = "linux") {
        true => PathBuf::from(format!("/proc/{}/exe", std::process::id())),
        false => std::env::current_exe()?,
    };
    if job.is_timed || cfg!(not(unix)) {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("nice");
    command.args(["-n", NICENESS]).arg(program);
    Ok(command)
}

#[cfg(test)]
mod tests;
