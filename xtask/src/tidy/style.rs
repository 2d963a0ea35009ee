//! Rules about the shape of every Rust file.
//!
//! In: the parsed files. Out: findings on headers, lengths and unsafe contracts.

use super::tree::Tree;
use super::{Finding, report};

const LINE_LEN_MAX: usize = 100;
const FUNCTION_LINES_MAX: usize = 70;
const FILE_LINES_MAX: usize = 400;

/// A file that cannot be parsed hides from the other rules.
pub(crate) fn parses(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in &tree.sources {
        if let Some((line, error)) = &source.error {
            report(
                findings,
                &source.path,
                *line,
                format!("not Rust: {error}; correct it"),
            );
        }
    }
}

/// A file says first what comes in and what goes out; a library's README may
/// say it in its place.
pub(crate) fn header(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in &tree.sources {
        let is_readme =
            source.path.ends_with("/lib.rs") && source.text.starts_with("#![doc = include_str!(\"");
        if !source.text.starts_with("//!") && !is_readme {
            let message = "does not open with `//!`; say on its first lines what comes in, what \
                           goes out and what it remembers";
            report(findings, &source.path, 1, message.to_string());
        }
    }
}

/// Lines, and files other than tests.
pub(crate) fn lengths(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in &tree.sources {
        for (index, line) in source.text.lines().enumerate() {
            let len = line.chars().count();
            if len > LINE_LEN_MAX {
                let message = format!("{len} columns; break the line at {LINE_LEN_MAX}");
                report(findings, &source.path, index + 1, message);
            }
        }
        let lines = source.text.lines().count();
        if lines > FILE_LINES_MAX && !source.is_test() {
            let message =
                format!("{lines} lines; split the file: at most {FILE_LINES_MAX} but for tests");
            report(findings, &source.path, lines, message);
        }
    }
}

/// Functions, counted from `fn` to the closing brace.
pub(crate) fn functions(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in &tree.sources {
        for function in &source.functions {
            if function.lines > FUNCTION_LINES_MAX {
                let message = format!(
                    "fn {} has {} lines; split it at a word of the standard: at most {}",
                    function.name, function.lines, FUNCTION_LINES_MAX
                );
                report(findings, &source.path, function.line, message);
            }
        }
    }
}

/// An unsafe function says what its caller must see to.
pub(crate) fn unsafe_contracts(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in &tree.sources {
        let bare = source.functions.iter().filter(|function| {
            function.is_unsafe && !function.has_safety_section && !function.implements_trait
        });
        for function in bare {
            let message = format!(
                "unsafe fn {} has no `# Safety`; add the section with what its caller must see to",
                function.name
            );
            report(findings, &source.path, function.line, message);
        }
    }
}
