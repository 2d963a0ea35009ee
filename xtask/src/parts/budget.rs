//! What each part may take, and what each queue takes about.
//!
//! In: the name of a part and its seconds. Out: a line that compares. Seconds of
//! the processors are compared, not of the clock: a machine that is busy with
//! something else stretches the latter alone.

use std::time::Duration;

/// Seconds of the processors that a part may take on the machine of CI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    /// On a tree that was just cloned.
    pub(crate) cold: u32,
    /// When everything is built already.
    pub(crate) warm: u32,
}

/// The file whose table shows the budgets; tidy compares.
pub(crate) const PLACE: &str = "CONTRIBUTING.md";

impl Budget {
    /// Its row in the table.
    pub(super) fn row(self, name: &str) -> String {
        format!("| `{name}` | {} | {} |", self.cold, self.warm)
    }

    /// What a part took, beside what it may.
    pub(super) fn line(self, name: &str, cpu: Duration) -> String {
        let Budget { cold, warm } = self;
        let seconds = cpu.as_secs();
        let told = match seconds {
            _ if seconds > u64::from(cold) => "OVER its budget",
            _ if seconds > u64::from(warm) => "within its budget for a new tree",
            _ => "within its budget",
        };
        format!("    {name:<8} {seconds:5} s, {told} (cold {cold}, warm {warm})")
    }
}

/// What the steps of each queue take on a new tree, in seconds of the clock,
/// about: the longest begins first. A queue that is not named here is short.
const QUEUES: &[(&str, u32)] = &[
    ("host", 450),
    ("mcu", 600),
    ("c", 350),
    ("fuzz", 200),
    ("bench", 40),
    ("client", 90),
    ("big-endian", 250),
];

pub(super) fn of_queue(name: &str) -> u32 {
    let known = QUEUES.iter().find(|(known, _)| *known == name);
    known.map_or(1, |(_, seconds)| *seconds)
}
