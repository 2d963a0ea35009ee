//! In: steps that pass, fail and skip. Out: whether the tally, by which CI
//! judges, counts each as what it is.

use std::process::{Command, Stdio};

use super::{Done, Step, run_all};

#[test]
fn each_outcome_is_counted_as_what_it_is() {
    let steps = vec![
        Step::call("passes", || Ok(Done::Passed)),
        Step::call("fails", || anyhow::bail!("broken")),
        Step::call("cannot run", || Ok(Done::Skipped("no target".to_string()))),
        Step::call("after a failure", || Ok(Done::Passed)),
    ];
    let tally = run_all(steps);
    assert!(!tally.is_good());
    assert_eq!(tally.to_string(), "2 passed, 1 failed, 1 skipped");
}

#[test]
fn a_command_fails_by_its_exit_code_and_by_not_starting() {
    let mut unknown = Command::new("cargo");
    unknown
        .arg("no-such-command-of-cargo")
        .stderr(Stdio::null());
    let missing = Command::new("no-such-program-anywhere");
    let steps = vec![
        Step::command("unknown", unknown),
        Step::command("missing", missing),
    ];
    assert_eq!(run_all(steps).to_string(), "0 passed, 2 failed");
}

#[test]
fn a_step_is_skipped_by_its_name_or_by_its_first_word() {
    let step = |name: &str| Step::call(name, || Ok(Done::Passed));
    let skip = ["fuzz".to_string(), "test all-features".to_string()];
    for name in ["fuzz cuts", "fuzz oracle", "test all-features"] {
        assert!(step(name).is_skipped_by(&skip), "{name}");
    }
    for name in ["fuzzing", "test", "no fuzz"] {
        assert!(!step(name).is_skipped_by(&skip), "{name}");
    }
}
