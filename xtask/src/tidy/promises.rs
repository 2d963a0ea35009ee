//! What the project promises to a newcomer, and what must not lie about.
//!
//! In: README.md, `.ci/run`, the vectors, the folders. Out: findings.

use super::tree::Tree;
use super::{Finding, report};
use crate::parts::{BUDGETS, budget_rows};

const README: &str = "README.md";
const CI: &str = ".ci/run";
const VECTORS: &str = "testdata/vectors/";

const DEMO: &str =
    "cargo run --release -p sseam-cli -- replay examples/streams/demo.sse --chunk-size 1";
const DEMO_STREAM: &str = "examples/streams/demo.sse";
const TEST: &str = "cargo xtask test --install";

/// The README's two commands stand there to the letter; CI runs the second.
pub(crate) fn commands(tree: &Tree, findings: &mut Vec<Finding>) {
    for (path, command) in [(README, DEMO), (README, TEST), (CI, TEST)] {
        let Some(text) = tree.text(path) else {
            report(
                findings,
                path,
                0,
                format!("missing; write it, with the line `{command}`"),
            );
            continue;
        };
        if !text.lines().any(|line| line.trim() == command) {
            report(
                findings,
                path,
                0,
                format!("no line is `{command}`; add it to the letter"),
            );
        }
    }
    if tree.text(DEMO_STREAM).is_none() {
        report(
            findings,
            DEMO_STREAM,
            0,
            format!("missing; {README} replays it"),
        );
    }
}

/// What each part of the test run may take stands where developers look it up.
pub(crate) fn budgets(tree: &Tree, findings: &mut Vec<Finding>) {
    let Some(text) = tree.text(BUDGETS) else {
        return;
    };
    for row in budget_rows() {
        if !text.lines().any(|line| line == row) {
            let message = format!("no line is `{row}`; the table has another budget than the part");
            report(findings, BUDGETS, 0, message);
        }
    }
}

/// A vector that no test loads proves nothing.
pub(crate) fn vectors(tree: &Tree, findings: &mut Vec<Finding>) {
    let mut count = 0;
    for path in tree.below(VECTORS) {
        count += 1;
        let name = path.rsplit('/').next().unwrap_or(path);
        if !tree.sources.iter().any(|source| source.text.contains(name)) {
            let message = format!("no .rs file names {name}; load it in a test, or remove it");
            report(findings, path, 0, message);
        }
    }
    if count == 0 {
        let message = "holds no vector; every engine is tested on the vectors here".to_string();
        report(findings, VECTORS, 0, message);
    }
}

/// A folder stands for something that exists.
pub(crate) fn empty_folders(tree: &Tree, findings: &mut Vec<Finding>) {
    for folder in &tree.empty_folders {
        let message = "an empty folder; remove it until it holds something".to_string();
        report(findings, folder, 0, message);
    }
}
