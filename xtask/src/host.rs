//! The part of the tests that needs little but Rust: valgrind counts instructions.
//!
//! In: the tree. Out: its steps, the quick and the telling ones first.

use std::path::Path;
use std::process::Command;

use crate::parts::{Budget, Part};
use crate::step::{Step, cargo};
use crate::{bench, fuzz, targets, tidy, tool};

pub(crate) const PART: Part = Part {
    name: "host",
    budget: Budget {
        cold: 800,
        warm: 220,
    },
    steps,
};

/// How long each fuzz target runs here: enough to replay its corpus and to see
/// that it still builds and finds nothing at once. Longer runs: `xtask fuzz`.
const FUZZ_SECONDS: u32 = 10;

/// The crates for small machines, without what servers and std ask of them: the
/// workspace as a whole turns `wide-scan` on.
const PORTABLE: &[&str] = &["--package=sseam-core", "--package=sseam-embedded-io"];

/// Everything, with every feature: features add and never alter, so that what is
/// right with all of them need not be compiled and run once more with some.
const ALL: &[&str] = &["--workspace", "--all-features"];

/// The part for the client runs them.
pub(crate) const CLIENT_TESTS: &str = "client::";

fn steps(root: &Path) -> Vec<Step> {
    let mut steps = quick_steps(root);
    steps.extend([
        clippy(root, "clippy portable", PORTABLE),
        test(root, "test portable", PORTABLE),
        Step::command("doc", doc(root)),
        targets::no_std_step(root),
        package(root),
    ]);
    let counting = panic_free(root).into_iter().chain(bench::check_steps(root));
    steps.extend(counting.map(|step| step.queue("bench")));
    if fuzz::exists(root) {
        let fuzzing = fuzz_steps(root);
        steps.extend(fuzzing.into_iter().map(|step| step.queue("fuzz")));
    }
    steps
}

/// What a developer runs after each change, and what the others begin with.
pub(crate) fn quick_steps(root: &Path) -> Vec<Step> {
    vec![
        fmt(root),
        tidy::step(root),
        clippy(root, "clippy", ALL),
        test(root, "test", ALL),
    ]
}

fn fmt(root: &Path) -> Step {
    let command = cargo(root, &["fmt", "--all", "--check"]);
    Step::command("fmt", command).needs(&[tool::RUSTFMT])
}

/// Lints, of which each is an error.
fn clippy(root: &Path, name: &str, what: &[&str]) -> Step {
    let mut command = cargo(root, &["clippy", "--all-targets"]);
    command.args(what).args(["--", "-D", "warnings"]);
    Step::command(name, command).needs(&[tool::CLIPPY])
}

/// Tests, some of which measure time; those of the client are a part of their own.
fn test(root: &Path, name: &str, what: &[&str]) -> Step {
    let mut command = cargo(root, &["test", "--no-fail-fast"]);
    command.args(what).args(["--", "--skip", CLIENT_TESTS]);
    Step::command(name, command).timed()
}

/// A broken link in the documentation is an error.
fn doc(root: &Path) -> Command {
    let mut command = cargo(root, &["doc", "--workspace", "--no-deps", "--all-features"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// Packages are laid out; xtask leans on the testkit, and neither is published.
fn package(root: &Path) -> Step {
    let arguments = [
        "package",
        "--workspace",
        "--exclude=xtask",
        "--allow-dirty",
        "--no-verify",
    ];
    Step::command("package", cargo(root, &arguments))
}

/// A library that calls every function of the core links only if none of them can
/// panic, in the general way and in the fast lane.
fn panic_free(root: &Path) -> [Step; 2] {
    let manifest = "xtask/probes/panic-free/Cargo.toml";
    let build = ["build", "--release", "--manifest-path", manifest];
    let wide = [&build[..], &["--features", "wide-scan"]].concat();
    [
        Step::command("panic-free", cargo(root, &build)),
        Step::command("panic-free wide-scan", cargo(root, &wide)),
    ]
}

fn fuzz_steps(root: &Path) -> Vec<Step> {
    let arguments = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    let fmt = Step::command("fmt fuzz", cargo(root, &arguments)).needs(&[tool::RUSTFMT]);
    let targets = fuzz::targets(root);
    let runs = fuzz::steps(root, &targets, FUZZ_SECONDS, fuzz::Output::Summary);
    std::iter::once(fmt).chain(runs).collect()
}
