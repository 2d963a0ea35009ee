//! A step is a named piece of work; here lists of them run and are counted.
//!
//! In: steps, and the names that the caller wants skipped. Out: each step's
//! name, its output untouched (CI reads the test counts of `cargo test` there),
//! its time, a table at the end, and the tally that `main` prints last.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::tool::Tool;

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

    /// Does it, unless a tool that it wants is missing.
    fn run(self) -> Result<Done> {
        match self.wants.iter().find(|tool| !tool.is_installed()) {
            Some(tool) => Ok(Done::Skipped(tool.is_missing())),
            None => (self.work)(),
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

/// How many steps ended in which way.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    /// Whether the run as a whole is good.
    pub(crate) fn is_good(&self) -> bool {
        self.failed == 0
    }

    fn count(&mut self, outcome: &Result<Done>) {
        match outcome {
            Ok(Done::Passed) => self.passed += 1,
            Ok(Done::Skipped(_)) => self.skipped += 1,
            Err(_) => self.failed += 1,
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match self.skipped {
            0 => Ok(()),
            skipped => write!(f, ", {skipped} skipped"),
        }
    }
}

/// Runs every step, also after one that failed: a developer wants to see all
/// that is broken, not the first of it.
pub(crate) fn run_all(steps: Vec<Step>, skip: &[String]) -> Tally {
    let mut tally = Tally::default();
    let mut lines = Vec::with_capacity(steps.len());
    let start = Instant::now();
    for step in steps {
        let name = step.name.clone();
        println!("\n==> {name}");
        let step_start = Instant::now();
        let outcome = if step.is_skipped_by(skip) {
            Ok(Done::Skipped("asked by --skip".to_string()))
        } else {
            step.run()
        };
        tally.count(&outcome);
        let line = line(&name, step_start.elapsed(), &outcome);
        println!("{line}");
        lines.push(line);
    }
    println!("\n==> all steps\n{}", lines.join("\n"));
    println!("    in all   {:7.1} s", start.elapsed().as_secs_f64());
    tally
}

fn line(name: &str, time: Duration, outcome: &Result<Done>) -> String {
    let seconds = time.as_secs_f64();
    match outcome {
        Ok(Done::Passed) => format!("    ok       {seconds:7.1} s  {name}"),
        Ok(Done::Skipped(why)) => format!("    skipped  {seconds:7.1} s  {name}: {why}"),
        Err(error) => format!("    FAILED   {seconds:7.1} s  {name}: {error:#}"),
    }
}

#[cfg(test)]
mod tests;
