//! How steps ended: one line each, a table of all, and their count.
//!
//! In: outcomes and times. Out: text. The table begins with what took longest,
//! since that is where the next minute is to be saved.

use std::fmt;
use std::time::Duration;

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// It did not run, and why.
    Skipped(String),
    /// Something is broken, and what.
    Failed(String),
}

/// A step that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) wall: Duration,
    /// What it and all its children took of the processors, where that is known.
    pub(crate) cpu: Option<Duration>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, why) = match &self.outcome {
            Outcome::Passed => ("ok", None),
            Outcome::Skipped(why) => ("skipped", Some(why)),
            Outcome::Failed(why) => ("FAILED", Some(why)),
        };
        write!(f, "    {word:<7}  {:7.1} s", self.wall.as_secs_f64())?;
        if let Some(cpu) = self.cpu {
            write!(f, "  CPU {:7.1} s", cpu.as_secs_f64())?;
        }
        write!(f, "  {}", self.name)?;
        why.map_or(Ok(()), |why| write!(f, ": {why}"))
    }
}

/// All steps, the longest first, what failed once more at the end, and the time
/// of the whole run.
pub(crate) fn table(reports: &[Report], wall: Duration) -> String {
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by_key(|report| std::cmp::Reverse(report.wall));
    let is_failed = |report: &&Report| matches!(report.outcome, Outcome::Failed(_));
    let failed = sorted.iter().copied().filter(is_failed);
    let lines: Vec<String> = sorted
        .iter()
        .copied()
        .chain(failed)
        .map(Report::to_string)
        .collect();
    let mut text = format!("\n==> all steps, the longest first\n{}\n", lines.join("\n"));
    text.push_str(&format!("    in all   {:7.1} s", wall.as_secs_f64()));
    if let Some(cpu) = cpu(reports) {
        text.push_str(&format!("  CPU {:7.1} s", cpu.as_secs_f64()));
    }
    text
}

/// What these steps took of the processors, if any of them knows.
pub(crate) fn cpu(reports: &[Report]) -> Option<Duration> {
    reports
        .iter()
        .filter_map(|report| report.cpu)
        .reduce(|a, b| a + b)
}

/// How many steps ended in which way.
#[derive(Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    pub(crate) fn of(reports: &[Report]) -> Tally {
        let mut tally = Tally::default();
        for report in reports {
            match report.outcome {
                Outcome::Passed => tally.passed += 1,
                Outcome::Skipped(_) => tally.skipped += 1,
                Outcome::Failed(_) => tally.failed += 1,
            }
        }
        tally
    }

    /// Whether the run as a whole is good.
    pub(crate) fn is_good(&self) -> bool {
        self.failed == 0
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
