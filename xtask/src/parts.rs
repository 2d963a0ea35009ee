//! The table of what `cargo xtask test` can test.
//!
//! In: the names of parts, or none for all of them. Out: one run of the steps of
//! those parts, in the table's order.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::step::{self, Step, Tally};
use crate::{capi, client, host, mcu, tool};

/// One thing that `test` can be asked for by name.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// What it takes at most when everything is built already.
    pub(crate) budget: Duration,
    /// The steps that this tree has; a step whose subject is missing is absent.
    pub(crate) steps: fn(root: &Path) -> Vec<Step>,
}

/// Every part, in the order in which they run.
const PARTS: &[Part] = &[host::PART, client::PART, capi::PART, mcu::PART];

#[derive(clap::Args)]
pub(crate) struct TestArguments {
    /// The parts to test (without a name all of them)
    #[arg(value_name = "PART", value_parser = part_names())]
    parts: Vec<String>,
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
    let asked = &arguments.parts;
    let is_asked = |part: &&Part| asked.is_empty() || names(asked, part.name);
    let asked: Vec<&Part> = PARTS.iter().filter(is_asked).collect();
    let parts: Vec<(&Part, Vec<Step>)> = asked
        .into_iter()
        .map(|part| (part, (part.steps)(root)))
        .collect();
    refuse_unknown_skips(&parts, &arguments.skip)?;

    let (skipped, parts): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|(part, _)| names(&arguments.skip, part.name));
    for (part, _) in &skipped {
        println!("part {} is skipped, asked by --skip", part.name);
    }
    let budget: Duration = parts.iter().map(|(part, _)| part.budget).sum();
    let steps: Vec<Step> = parts.into_iter().flat_map(|(_, steps)| steps).collect();
    if steps.is_empty() {
        bail!("nothing is left to test");
    }
    tool::require(&steps, &arguments.skip, arguments.install)?;
    let start = Instant::now();
    let tally = step::run_all(steps, &arguments.skip);
    // No failure: a first build and a busy machine take longer and may.
    if start.elapsed() > budget {
        println!(
            "over the budget of {} s for a tree that is built",
            budget.as_secs()
        );
    }
    Ok(tally)
}

fn names(skip: &[String], name: &str) -> bool {
    skip.iter().any(|skipped| skipped == name)
}

/// A misspelt `--skip` would run what the caller wanted to leave out.
fn refuse_unknown_skips(parts: &[(&Part, Vec<Step>)], skip: &[String]) -> Result<()> {
    for name in skip {
        let one = std::slice::from_ref(name);
        let is_step = |step: &Step| step.is_skipped_by(one);
        let is_known = PARTS.iter().any(|part| part.name == name)
            || parts.iter().flat_map(|(_, steps)| steps).any(is_step);
        if !is_known {
            let steps = parts
                .iter()
                .flat_map(|(_, steps)| steps)
                .map(|step| step.name.as_str());
            let known: Vec<&str> = PARTS.iter().map(|part| part.name).chain(steps).collect();
            bail!(
                "--skip {name}: no such part or step; there are: {}",
                known.join(", ")
            );
        }
    }
    Ok(())
}
