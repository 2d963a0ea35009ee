//! In: queues of steps, and what a step's process tells. Out: which step is next,
//! and whether what is told is read back as it was.

use std::time::Duration;

use super::told::{parse, text};
use super::{Next, Queue, file_name, is_of_xtask, next};
use crate::step::{Done, Outcome, Step};

fn queue(seconds: u32, steps: &[&str]) -> Queue {
    let steps: Vec<Step> = steps
        .iter()
        .map(|name| Step::call(*name, || Ok(Done::Passed)))
        .collect();
    Queue::new(seconds, &steps.iter().collect::<Vec<_>>())
}

/// Takes the next step, and says which, or why there is none.
fn take(queues: &mut [Queue]) -> String {
    match next(queues) {
        Next::Job(_, job) => job.name,
        Next::Later => "later".to_string(),
        Next::Nothing => "nothing".to_string(),
    }
}

#[test]
fn the_longest_queue_is_first_and_a_busy_one_waits() {
    let mut queues = [queue(10, &["a"]), queue(100, &["b", "c"])];
    assert_eq!(take(&mut queues), "b");
    assert_eq!(take(&mut queues), "a");
    assert_eq!(take(&mut queues), "later");
    queues[1].is_busy = false;
    assert_eq!(take(&mut queues), "c");
    assert_eq!(take(&mut queues), "nothing");
}

#[test]
fn what_is_left_of_a_queue_counts_and_not_what_it_was() {
    let mut queues = [queue(90, &["a", "b", "c"]), queue(50, &["d"])];
    let mut order = Vec::new();
    for _ in 0..4 {
        order.push(take(&mut queues));
        for queue in &mut queues {
            queue.is_busy = false;
        }
    }
    assert_eq!(order, ["a", "b", "d", "c"]);
}

#[test]
fn what_a_process_tells_is_read_back() {
    let outcomes = [
        Outcome::Passed,
        Outcome::Skipped("no target".to_string()),
        Outcome::Failed("two lines\nof reasons".to_string()),
    ];
    for outcome in outcomes {
        for cpu in [None, Some(Duration::from_millis(1230))] {
            let told = parse(&text(&outcome, cpu)).expect("it was told");
            assert_eq!(told, (outcome.clone(), cpu));
        }
    }
    assert_eq!(parse(""), None);
    assert_eq!(parse("exploded 1\n"), None);
}

#[test]
fn the_name_of_a_step_is_made_the_name_of_a_file() {
    assert_eq!(
        file_name("mcu run a/b (Cortex-M4)"),
        "mcu_run_a_b__Cortex-M4_"
    );
}

#[test]
fn a_step_inherits_all_but_what_describes_xtask() {
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_VERSION"] {
        assert!(is_of_xtask(name.as_ref()), "{name}");
    }
    for name in ["PATH", "CARGO_TARGET_DIR", "CARGO_INCREMENTAL"] {
        assert!(!is_of_xtask(name.as_ref()), "{name}");
    }
}
