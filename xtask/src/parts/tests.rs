//! In: the table of parts. Out: whether its steps can be told apart, and whether
//! its budgets are those of the whole run.

use std::collections::BTreeSet;
use std::time::Duration;

use super::budget::Budget;
use super::{PARTS, budget_rows};

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

/// Two processors, 20 minutes for a new tree, 6 for one that is built; a part may
/// take more only if another takes less.
#[test]
fn all_budgets_fit_into_that_of_the_whole() {
    let sum = |of: fn(&Budget) -> u32| PARTS.iter().map(|part| of(&part.budget)).sum::<u32>();
    assert!(sum(|budget| budget.cold) <= 2 * 20 * 60);
    assert!(sum(|budget| budget.warm) <= 2 * 6 * 60);
}

#[test]
fn each_part_has_a_row() {
    let rows: Vec<String> = budget_rows().collect();
    assert_eq!(rows.len(), PARTS.len());
    assert!(rows[0].starts_with("| `host` | "), "{rows:?}");
}
