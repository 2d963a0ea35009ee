//! What the process of a step tells the one that started it, in a file.
//!
//! In: a step. Out: its outcome and what it took of the processors, as one line
//! of words and the reason behind it; and the same read back.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::step::{Outcome, Step};

/// Runs a step in this process and writes how it ended.
pub(crate) fn run_here(step: Step, told: &Path) -> Result<()> {
    let outcome = step.run();
    fs::write(told, text(&outcome, cpu()))
        .with_context(|| format!("cannot write {}", told.display()))
}

/// How the step ended that left this file; `None` if it left none.
pub(super) fn read(told: &Path) -> Option<(Outcome, Option<Duration>)> {
    parse(&fs::read_to_string(told).ok()?)
}

pub(super) fn text(outcome: &Outcome, cpu: Option<Duration>) -> String {
    let (word, why) = match outcome {
        Outcome::Passed => ("passed", ""),
        Outcome::Skipped(why) => ("skipped", why.as_str()),
        Outcome::Failed(why) => ("failed", why.as_str()),
    };
    let cpu = cpu.map_or("-".to_string(), |cpu| cpu.as_millis().to_string());
    format!("{word} {cpu}\n{why}")
}

pub(super) fn parse(text: &str) -> Option<(Outcome, Option<Duration>)> {
    let (head, why) = text.split_once('\n')?;
    let (word, cpu) = head.split_once(' ')?;
    let outcome = match word {
        "passed" => Outcome::Passed,
        "skipped" => Outcome::Skipped(why.to_string()),
        "failed" => Outcome::Failed(why.to_string()),
        _ => return None,
    };
    Some((outcome, cpu.parse().ok().map(Duration::from_millis)))
}

/// What this process and all that it has waited for took of the processors.
/// Linux tells it in hundredths of a second; elsewhere nobody is asked.
fn cpu() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let times = rest.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.filter_map(|word| word.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks * 10))
}
