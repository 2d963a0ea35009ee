//! The table of what `cargo xtask test` can test.
//!
//! In: the names of parts, or none for all of them. Out: one run of the steps of
//! those parts, what each part took beside its budget, and the count.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::queues::{self, Queue};
use crate::step::{self, Report, Step, Tally};
use crate::{capi, client, host, mcu, tool};

mod budget; // Seconds that each part may take.

pub(crate) use budget::{Budget, PLACE as BUDGETS};

/// One thing that `test` can be asked for by name.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) budget: Budget,
    /// The steps that this tree has; a step whose subject is missing is absent.
    pub(crate) steps: fn(root: &Path) -> Vec<Step>,
}

/// Every part.
const PARTS: &[Part] = &[host::PART, client::PART, capi::PART, mcu::PART];

/// What the table of budgets must say of each part.
pub(crate) fn budget_rows() -> impl Iterator<Item = String> {
    PARTS.iter().map(|part| part.budget.row(part.name))
}

#[derive(clap::Args)]
pub(crate) struct TestArguments {
    /// The parts to test (without a name all of them)
    #[arg(value_name = "PART", value_parser = part_names())]
    parts: Vec<String>,
    /// Only what tells most in the shortest time: style, lints, and the tests of
    /// the crates on this machine
    #[arg(long, conflicts_with = "parts")]
    quick: bool,
    /// Installs the tools that are missing (as root, where apt-get is used)
    #[arg(long)]
    install: bool,
    /// Leaves out a part, a step, or all steps that begin with this word; repeatable
    #[arg(long, value_name = "PART|STEP")]
    skip: Vec<String>,
}

fn part_names() -> clap::builder::PossibleValuesParser {
    PARTS
        .iter()
        .map(|part| part.name)
        .collect::<Vec<_>>()
        .into()
}

/// Runs the asked parts.
pub(crate) fn test(root: &Path, arguments: &TestArguments) -> Result<Tally> {
    let parts = asked(root, arguments);
    refuse_unknown_skips(&parts, &arguments.skip)?;
    let parts = without_skipped(parts, &arguments.skip);
    if parts.iter().all(|(_, steps)| steps.is_empty()) {
        bail!("nothing is left to test");
    }
    let all = parts.iter().flat_map(|(_, steps)| steps);
    tool::require(all, arguments.install)?;

    println!("\n==> steps; what each says is shown when it has ended");
    let start = Instant::now();
    let reports = queues::run_all(&root.join("target/steps"), queues(&parts))?;
    let wall = start.elapsed();
    println!("{}", step::table(&reports, wall));
    if !arguments.quick {
        compare(&parts, &reports);
    }
    Ok(Tally::of(&reports))
}

/// Runs one step of any part in this process: what `queues` starts.
pub(crate) fn one(root: &Path, name: &str, told: &Path) -> Result<()> {
    let mut steps = PARTS.iter().flat_map(|part| (part.steps)(root));
    let step = steps.find(|step| step.name == name);
    queues::run_here(step.with_context(|| format!("no step {name}"))?, told)
}

/// A part, and those of its steps that are to run.
type Chosen = (&'static Part, Vec<Step>);

fn asked(root: &Path, arguments: &TestArguments) -> Vec<Chosen> {
    if arguments.quick {
        return vec![(&host::PART, host::quick_steps(root))];
    }
    let is_asked = |part: &&Part| arguments.parts.is_empty() || names(&arguments.parts, part.name);
    let asked = PARTS.iter().filter(is_asked);
    asked.map(|part| (part, (part.steps)(root))).collect()
}

fn without_skipped(parts: Vec<Chosen>, skip: &[String]) -> Vec<Chosen> {
    let left = parts.into_iter().filter_map(|(part, steps)| {
        if names(skip, part.name) {
            println!("part {} is skipped, asked by --skip", part.name);
            return None;
        }
        let (skipped, steps): (Vec<_>, Vec<_>) =
            steps.into_iter().partition(|step| step.is_skipped_by(skip));
        for step in skipped {
            println!("step {} is skipped, asked by --skip", step.name);
        }
        Some((part, steps))
    });
    left.collect()
}

fn names(skip: &[String], name: &str) -> bool {
    skip.iter().any(|skipped| skipped == name)
}

/// Sorts steps into their queues.
fn queues(parts: &[Chosen]) -> Vec<Queue> {
    let mut sorted: Vec<(&'static str, Vec<&Step>)> = Vec::new();
    for (part, steps) in parts {
        for step in steps {
            let name = step.queue.unwrap_or(part.name);
            match sorted.iter_mut().find(|(known, _)| *known == name) {
                Some((_, queued)) => queued.push(step),
                None => sorted.push((name, vec![step])),
            }
        }
    }
    let queue =
        |(name, steps): (&'static str, Vec<&Step>)| Queue::new(budget::of_queue(name), &steps);
    sorted.into_iter().map(queue).collect()
}

/// Says of each part what it took of the processors and what it may take. More is
/// no failure: a first build takes it, and another machine may.
fn compare(parts: &[Chosen], reports: &[Report]) {
    println!("\n==> parts, in seconds of the processors");
    for (part, steps) in parts {
        let is_own = |report: &&Report| steps.iter().any(|step| step.name == report.name);
        let own: Vec<Report> = reports.iter().filter(is_own).cloned().collect();
        let cpu = step::cpu(&own).unwrap_or_default();
        println!("{}", part.budget.line(part.name, cpu));
    }
}

/// A misspelt `--skip` would run what the caller wanted to leave out.
fn refuse_unknown_skips(parts: &[Chosen], skip: &[String]) -> Result<()> {
    let steps = || parts.iter().flat_map(|(_, steps)| steps);
    for name in skip {
        let one = std::slice::from_ref(name);
        let is_known = PARTS.iter().any(|part| part.name == name)
            || steps().any(|step| step.is_skipped_by(one));
        if !is_known {
            let steps = steps().map(|step| step.name.as_str());
            let known: Vec<&str> = PARTS.iter().map(|part| part.name).chain(steps).collect();
            bail!(
                "--skip {name}: no such part or step; there are: {}",
                known.join(", ")
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
