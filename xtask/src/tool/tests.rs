//! In: steps and what they need. Out: whether the right tools are asked for, and
//! what would install them.

use super::{CARGO_FUZZ, CXX, NIGHTLY, RUSTFMT, Source, Tool, install_lines, named, require};
use crate::step::{Done, Step};

const NOWHERE: Tool = Tool {
    name: "nowhere",
    probe: &["no-such-program-anywhere"],
    source: Source::Crate("nowhere"),
};

fn step(name: &str, tools: &[Tool]) -> Step {
    Step::call(name, || Ok(Done::Passed)).needs(tools)
}

#[test]
fn each_tool_is_needed_once() {
    let steps = [
        step("fmt", &[RUSTFMT]),
        step("fuzz a", &[CXX, RUSTFMT]),
        step("fuzz b", &[CXX]),
    ];
    let needed = named(&steps.each_ref(), |step| &step.needs);
    let names: Vec<&str> = needed.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["rustfmt", "c++"]);
}

#[test]
fn a_missing_tool_ends_the_run_with_the_line_that_installs_it() {
    let steps = [step("a", &[NOWHERE])];
    let error = require(&steps, false)
        .expect_err("it is missing")
        .to_string();
    assert!(error.contains("--install"), "{error}");
    assert!(error.contains("cargo install nowhere --locked"), "{error}");
}

#[test]
fn a_step_that_only_wants_a_tool_is_skipped_and_says_how_to_get_it() {
    let wants = Step::call("a", || anyhow::bail!("it ran")).wants(&[NOWHERE]);
    let steps = vec![wants];
    require(&steps, false).expect("nothing is needed");
    assert!(NOWHERE.is_missing().contains("cargo install nowhere"));
    let tally = crate::step::run_all(steps);
    assert_eq!(tally.to_string(), "0 passed, 0 failed, 1 skipped");
}

#[test]
fn package_lists_are_fetched_once_and_only_for_packages() {
    let shown = |tools: &[Tool]| -> Vec<String> {
        install_lines(tools)
            .iter()
            .map(|line| line.join(" "))
            .collect()
    };
    assert_eq!(
        shown(&[CARGO_FUZZ, CXX]),
        [
            "sh -c apt-get update || true",
            "cargo install cargo-fuzz --locked",
            "apt-get install --yes --no-install-recommends g++",
        ]
    );
    assert_eq!(
        shown(&[NIGHTLY]),
        ["rustup toolchain install nightly --profile minimal"]
    );
}
