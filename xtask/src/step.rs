//! A step is a named piece of work; here lists of them run one after the other.
//!
//! In: steps, and the names that the caller wants skipped. Out: each step's
//! name, its output untouched (CI reads the test counts of `cargo test` there),
//! its time, a table at the end, and the tally that `main` prints last. What
//! runs several at a time is `queues.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::tool::Tool;

mod report; // How a step ended, and tables of that.

pub(crate) use report::{Outcome, Report, Tally, cpu, table};

/// How a step that broke nothing ended.
pub(crate) enum Done {
    /// It did what its name says.
    Passed,
    /// It could not run here and need not; the reason is shown.
    Skipped(String),
}

/// What a step does when its turn comes.
type Work = Box<dyn FnOnce() -> Result<Done>>;

/// A named piece of work.
pub(crate) struct Step {
    /// Shown, and what `--skip` takes, whole or up to its first space.
    pub(crate) name: String,
    /// What must be installed before any step of the run begins.
    pub(crate) needs: Vec<Tool>,
    /// Without these the step is skipped, which is shown.
    pub(crate) wants: Vec<Tool>,
    /// Steps of one queue run in their order, never two at a time: they use the
    /// same folder, or one what another has made. Without one it is the part's.
    pub(crate) queue: Option<&'static str>,
    /// What runs beside it gives way, lest its tests see a busy machine.
    pub(crate) is_timed: bool,
    work: Work,
}

impl Step {
    /// A step that calls a function.
    pub(crate) fn call(
        name: impl Into<String>,
        work: impl FnOnce() -> Result<Done> + 'static,
    ) -> Step {
        Step {
            name: name.into(),
            needs: Vec::new(),
            wants: Vec::new(),
            queue: None,
            is_timed: false,
            work: Box::new(work),
        }
    }

    /// A step that runs one command and passes if it ends with success.
    pub(crate) fn command(name: impl Into<String>, mut command: Command) -> Step {
        Step::call(name, move || run(&mut command).map(|()| Done::Passed))
    }

    /// The same step, which needs these tools.
    pub(crate) fn needs(mut self, tools: &[Tool]) -> Step {
        self.needs.extend_from_slice(tools);
        self
    }

    /// The same step, which is skipped where one of these tools is missing.
    pub(crate) fn wants(mut self, tools: &[Tool]) -> Step {
        self.wants.extend_from_slice(tools);
        self
    }

    /// The same step, which waits for the steps before it in this queue only.
    pub(crate) fn queue(mut self, name: &'static str) -> Step {
        self.queue = Some(name);
        self
    }

    /// The same step, whose tests measure time.
    pub(crate) fn timed(mut self) -> Step {
        self.is_timed = true;
        self
    }

    /// Does it, unless a tool that it wants is missing.
    pub(crate) fn run(self) -> Outcome {
        if let Some(tool) = self.wants.iter().find(|tool| !tool.is_installed()) {
            return Outcome::Skipped(tool.is_missing());
        }
        match (self.work)() {
            Ok(Done::Passed) => Outcome::Passed,
            Ok(Done::Skipped(why)) => Outcome::Skipped(why),
            Err(error) => Outcome::Failed(format!("{error:#}")),
        }
    }

    /// Whether `--skip` named this step, or the group that it belongs to.
    pub(crate) fn is_skipped_by(&self, skip: &[String]) -> bool {
        let group = self.name.split(' ').next().unwrap_or_default();
        skip.iter().any(|name| *name == self.name || name == group)
    }
}

/// `cargo` with these arguments, in the repository's root.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(root);
    command
}

/// Builds what the host's tests have built already, with the same features lest it
/// be compiled once more, and returns the folder that it is in.
pub(crate) fn built(root: &Path, what: &[&str]) -> Result<PathBuf> {
    let all = ["build", "--quiet", "--workspace", "--all-features"];
    run(&mut cargo(root, &[&all[..], what].concat()))?;
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    // Where it is relative, it is so to the folder that cargo ran in.
    Ok(root.join(target).join("debug"))
}

/// The command `sseam`, which says what C programs and firmware must say too.
pub(crate) fn sseam(root: &Path) -> Result<PathBuf> {
    let folder = built(root, &["--bin", "sseam"])?;
    Ok(folder.join(format!("sseam{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a command to its end, its output passed through.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    println!("$ {shown}");
    let status = command
        .status()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// The command as one would type it, with the variables that were set for it.
fn show(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!(
            "{}={:?}",
            name.to_string_lossy(),
            value?.to_string_lossy()
        ))
    });
    let program = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let words = program.map(|word| word.to_string_lossy().into_owned());
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

/// Runs every step, also after one that failed: a developer wants to see all
/// that is broken, not the first of it.
pub(crate) fn run_all(steps: Vec<Step>) -> Tally {
    let start = Instant::now();
    let mut reports = Vec::with_capacity(steps.len());
    for step in steps {
        let name = step.name.clone();
        println!("\n==> {name}");
        let step_start = Instant::now();
        let outcome = step.run();
        let report = Report {
            name,
            outcome,
            wall: step_start.elapsed(),
            cpu: None,
        };
        println!("{report}");
        reports.push(report);
    }
    println!("{}", table(&reports, start.elapsed()));
    Tally::of(&reports)
}

#[cfg(test)]
mod tests;
