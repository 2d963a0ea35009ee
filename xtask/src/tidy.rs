//! What a program can check of the project's style.
//!
//! In: the files that git knows. Out: findings, each with its file, its line and
//! the fix. The rules are a table; each is one function from a tree to findings,
//! so that `tidy/tests.rs` can show every rule a tree that breaks it.

use std::path::Path;

use anyhow::{Result, bail};

use crate::step::{Done, Step};
use crate::tool;

mod tree; // The files, read once.
mod source; // A Rust file as tokens and functions, with line numbers.
mod style; // Rules about the shape of every Rust file.
mod words; // What must not be said where.
mod map; // ARCHITECTURE.md, stages, limits: facts that stand in two places.
mod manifests; // Dependencies and their reasons; the one Rust version.
mod promises; // The README's commands, CI, vectors, folders.

use tree::Tree;

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    /// From 1; 0 when it is about the file as a whole.
    line: usize,
    /// What is wrong, and after the semicolon what to do about it.
    message: String,
}

/// A rule: looks at the tree and adds what it finds.
type Rule = fn(&Tree, &mut Vec<Finding>);

/// Every rule; the order only decides what is computed first.
const RULES: &[Rule] = &[
    style::parses,
    style::header,
    style::lengths,
    style::functions,
    style::unsafe_contracts,
    words::core,
    words::crates,
    words::facades,
    words::one_fold,
    words::forbid_unsafe,
    map::architecture_length,
    map::stages,
    map::client,
    map::edges_are_tested,
    manifests::reasons,
    manifests::rust_version,
    promises::commands,
    promises::budgets,
    promises::vectors,
    promises::empty_folders,
];

/// The step that fails when there is a finding.
pub(crate) fn step(root: &Path) -> Step {
    let root = root.to_path_buf();
    Step::call("tidy", move || check(&root)).needs(&[tool::GIT])
}

fn check(root: &Path) -> Result<Done> {
    let findings = findings(&Tree::read(root)?);
    for Finding {
        path,
        line,
        message,
    } in &findings
    {
        println!("{path}:{line}: {message}");
    }
    match findings.len() {
        0 => Ok(Done::Passed),
        1 => bail!("1 finding"),
        count => bail!("{count} findings"),
    }
}

/// All findings, in the order of files and lines.
fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        rule(tree, &mut findings);
    }
    findings.sort();
    findings
}

/// Adds a finding; the rules' only way to do so.
fn report(findings: &mut Vec<Finding>, path: &str, line: usize, message: String) {
    findings.push(Finding {
        path: path.to_string(),
        line,
        message,
    });
}

#[cfg(test)]
mod tests;
