//! The part of the tests that needs little but Rust: valgrind counts instructions.
//!
//! In: the tree. Out: its steps, the quick and the telling ones first.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::parts::Part;
use crate::step::{Step, cargo};
use crate::{bench, fuzz, targets, tidy, tool};

pub(crate) const PART: Part = Part {
    name: "host",
    budget: Duration::from_secs(5 * 60),
    steps,
};

/// How long each fuzz target runs here: enough to replay its corpus and to see
/// that it still builds and finds nothing at once. Longer runs: `xtask fuzz`.
const FUZZ_SECONDS: u32 = 10;

fn steps(root: &Path) -> Vec<Step> {
    let command = |name: &str, arguments: &[&str]| Step::command(name, cargo(root, arguments));
    let mut steps = vec![
        command("fmt", &["fmt", "--all", "--check"]).needs(&[tool::RUSTFMT]),
        tidy::step(root),
        command(
            "clippy",
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        )
        .needs(&[tool::CLIPPY]),
        clippy_all_features(root),
        Step::command("doc", doc(root)),
        command("test", &["test", "--workspace", "--no-fail-fast"]),
        command(
            "test all-features",
            &["test", "--workspace", "--all-features", "--no-fail-fast"],
        ),
        targets::no_std_step(root),
        command(
            "package",
            &[
                "package",
                "--workspace",
                // It leans on the testkit, and neither of them is published.
                "--exclude=xtask",
                "--allow-dirty",
                "--no-verify",
            ],
        ),
    ];
    steps.extend(panic_free(root));
    steps.extend(bench::check_steps(root));
    if fuzz::exists(root) {
        let fmt = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
        steps.push(command("fmt fuzz", &fmt).needs(&[tool::RUSTFMT]));
        let targets = fuzz::targets(root);
        steps.extend(fuzz::steps(
            root,
            &targets,
            FUZZ_SECONDS,
            fuzz::Output::Summary,
        ));
    }
    steps
}

fn clippy_all_features(root: &Path) -> Step {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ];
    Step::command("clippy all-features", cargo(root, &arguments)).needs(&[tool::CLIPPY])
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

/// A broken link in the documentation is an error.
fn doc(root: &Path) -> Command {
    let mut command = cargo(root, &["doc", "--workspace", "--no-deps", "--all-features"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}
