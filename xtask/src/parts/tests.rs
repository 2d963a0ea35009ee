//! In: the table of parts. Out: whether its steps can be told apart, and whether
//! its budgets are those of the whole run.

use std::collections::BTreeSet;
use std::time::Duration;

use super::PARTS;
use super::budget::Budget;

/// A step is started by its name.
#[test]
fn no_two_steps_have_one_name() {
    let root = crate::root();
    let mut seen = BTreeSet::new();
    for step in PARTS.iter().flat_map(|part| (part.steps)(&root)) {
        assert!(seen.insert(step.name.clone()), "{} twice", step.name);
    }
}

#[test]
fn a_budget_is_compared() {
    let budget = Budget { cold: 20, warm: 5 };
    let line = |seconds| budget.line("part", Duration::from_secs(seconds));
    assert!(line(5).contains("within its budget ("));
    assert!(line(6).contains("within its budget for a new tree"));
    assert!(line(21).contains("OVER"));
}
