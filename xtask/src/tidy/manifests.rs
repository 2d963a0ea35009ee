//! Rules about every `Cargo.toml`.
//!
//! In: their lines. Out: findings on dependencies without a reason, and on a
//! second place that states the Rust version.

use super::tree::Tree;
use super::{Finding, report};

/// Each dependency has its reason in a comment on its line or on the line
/// before. A `path` alone needs none: it is the project's own, and the map says
/// what each crate is for.
pub(crate) fn reasons(tree: &Tree, findings: &mut Vec<Finding>) {
    for (path, text) in manifests(tree) {
        for (line, name) in unexplained(text) {
            let message = format!(
                "dependency {name} without a reason; say in a comment on this line, or on the \
                 one before, why it is needed"
            );
            report(findings, path, line, message);
        }
    }
}

/// The lines that begin a dependency and have no comment.
fn unexplained(manifest: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut is_in_list, mut before, mut depth) = (false, "", 0_usize);
    for (index, line) in manifest.lines().enumerate() {
        let (code, comment) = split_comment(line);
        let code = code.trim();
        let name = if depth > 0 {
            None // Within an array or table that began on an earlier line.
        } else if let Some(section) = code.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            is_in_list = section.ends_with("dependencies");
            section.rsplit_once("dependencies.").map(|(_, name)| name)
        } else {
            code.split_once(['=', '.'])
                .map(|(name, _)| name.trim())
                .filter(|_| is_in_list)
        };
        let is_ours = code.contains("path = \"");
        let has_reason = comment.is_some() || before.trim_start().starts_with('#');
        if let Some(name) = name.filter(|_| !has_reason && !is_ours) {
            found.push((index + 1, name));
        }
        depth = (depth + opening(code)).saturating_sub(closing(code));
        before = line;
    }
    found
}

/// A line up to its comment, and the comment; a `#` in a string begins none.
fn split_comment(line: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return (&line[..at], Some(&line[at + 1..])),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    (line, None)
}

fn opening(code: &str) -> usize {
    code.matches(['[', '{']).count()
}

fn closing(code: &str) -> usize {
    code.matches([']', '}']).count()
}

/// The Rust version is stated in the root's manifest and nowhere else.
pub(crate) fn rust_version(tree: &Tree, findings: &mut Vec<Finding>) {
    let elsewhere = manifests(tree).filter(|(path, _)| *path != "Cargo.toml");
    let clippy = tree.ending("clippy.toml");
    for (path, text) in elsewhere.chain(clippy) {
        for (index, line) in text.lines().enumerate() {
            let key = line.split('=').next().unwrap_or_default().trim();
            if key == "rust-version" || key == "msrv" {
                let message = "a second Rust version; write `rust-version.workspace = true`, or \
                               remove it: only the root's Cargo.toml states it";
                report(findings, path, index + 1, message.to_string());
            }
        }
    }
    let is_stated = |text: &str| text.lines().any(|line| line.starts_with("rust-version = "));
    if !tree.text("Cargo.toml").is_some_and(is_stated) {
        let message = "no Rust version; state `rust-version = \"…\"` in [workspace.package]";
        report(findings, "Cargo.toml", 0, message.to_string());
    }
}

fn manifests(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.ending("Cargo.toml")
        .filter(|(path, _)| *path == "Cargo.toml" || path.ends_with("/Cargo.toml"))
}
