//! What must not be said where.
//!
//! In: tokens, so that comments, documentation and strings may speak of anything.
//! Out: a finding for each forbidden word, with what to write instead.

use super::source::Source;
use super::tree::Tree;
use super::{Finding, report};

const CORE: &str = "crates/sseam-core/src/";

/// Tokens that must not follow one another, how to show them, and the fix.
type Word = (&'static [&'static str], &'static str, &'static str);

/// The core does no I/O, allocates nothing, reads no clock, has no panic path.
const CORE_WORDS: &[Word] = &[
    (
        &["std", ":", ":"],
        "std::",
        "the core links `core` only; move it to the crate `sseam`",
    ),
    (
        &["alloc", ":", ":"],
        "alloc::",
        "the core allocates nothing; let the caller lend memory",
    ),
    (
        &["unsafe"],
        "unsafe",
        "unsafe code belongs to sseam-capi; write it safely",
    ),
    (
        &[".", "unwrap", "("],
        "unwrap(",
        "return an error, or use `let … else`",
    ),
    (
        &[":", "unwrap"],
        "unwrap",
        "return an error, or use `let … else`",
    ),
    (
        &[".", "expect", "("],
        "expect(",
        "return an error, or use `let … else`",
    ),
    (
        &[":", "expect"],
        "expect",
        "return an error, or use `let … else`",
    ),
    (
        &["panic", "!"],
        "panic!",
        "the core panics on no input; return an error",
    ),
    (
        &["unreachable", "!"],
        "unreachable!",
        "make the state unrepresentable, or return an error",
    ),
    (
        &["unimplemented", "!"],
        "unimplemented!",
        "implement it, or leave it out",
    ),
    (
        &["async"],
        "async",
        "the core never waits; that is for an adapter crate",
    ),
    (
        &["Instant"],
        "Instant",
        "the core reads no clock; take `now: Duration` from the caller",
    ),
];

/// No crate ships these.
const CRATE_WORDS: &[Word] = &[
    (
        &["todo", "!"],
        "todo!",
        "finish it, or leave it out and file an issue",
    ),
    (&["dbg", "!"], "dbg!", "remove it"),
    (
        &["[", "allow", "("],
        "#[allow(",
        "write `#[expect(lint, reason = \"…\")]`",
    ),
];

/// Crates that use the core's public API and must not parse a stream themselves.
const FACADES: &[&str] = &[
    "crates/sseam/src/",
    "crates/sseam-http/src/",
    "crates/sseam-embedded-io/src/",
    "crates/sseam-llm/src/",
];

/// Bytes that only the tokenizer may know.
const TOKENIZER_BYTES: &[&str] = &["b'\\n'", "b'\\r'", "b':'"];

/// The mark of an exception, followed by its reason.
const EXCEPTION: &str = "// tidy: ";

fn forbid(source: &Source, words: &[Word], findings: &mut Vec<Finding>) {
    for &(pattern, shown, fix) in words {
        for line in source.lines_of(pattern) {
            report(
                findings,
                &source.path,
                line,
                format!("`{shown}` here; {fix}"),
            );
        }
    }
}

pub(crate) fn core(tree: &Tree, findings: &mut Vec<Finding>) {
    for source in tree.sources.iter().filter(|source| source.is_below(CORE)) {
        if !source.is_test() {
            forbid(source, CORE_WORDS, findings);
        }
    }
}

pub(crate) fn crates(tree: &Tree, findings: &mut Vec<Finding>) {
    let is_shipped = |source: &&Source| {
        let mut parts = source.path.split('/');
        parts.next() == Some("crates") && parts.nth(1) == Some("src")
    };
    for source in tree.sources.iter().filter(is_shipped) {
        forbid(source, CRATE_WORDS, findings);
        for (index, _) in source
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains("FIXME"))
        {
            let message = "FIXME here; mend it now, or file an issue".to_string();
            report(findings, &source.path, index + 1, message);
        }
    }
}

/// Law 1 is proved for the core's tokenizer; a second one would need a second proof.
pub(crate) fn facades(tree: &Tree, findings: &mut Vec<Finding>) {
    let is_facade = |source: &&Source| {
        FACADES.iter().any(|folder| source.is_below(folder)) && !source.is_test()
    };
    for source in tree.sources.iter().filter(is_facade) {
        for byte in TOKENIZER_BYTES {
            for line in source
                .lines_of(&[byte])
                .filter(|line| !is_excepted(source, *line))
            {
                let message = format!(
                    "`{byte}` outside the core; leave parsing to the tokenizer, or end the line \
                     with `{EXCEPTION}` and the reason"
                );
                report(findings, &source.path, line, message);
            }
        }
    }
}

/// Where items reach a turn.
const FOLD: &str = "crates/sseam-llm/src/";

/// How a turn is shown something.
const OBSERVES: &[&[&str]] = &[
    &["turn", ".", "observe", "("],
    &[".", "observe_item", "("],
    &[".", "observe_ignored", "("],
    &[".", "observe_skipped", "("],
];

/// Two ways from items to a turn are two verdicts on one stream.
pub(crate) fn one_fold(tree: &Tree, findings: &mut Vec<Finding>) {
    let is_elsewhere = |source: &&Source| {
        // What crates measure or show of a turn alone is no face.
        let is_shipped = source.is_below("crates/") && source.path.contains("/src/");
        (is_shipped || source.is_below("examples/")) && !source.is_below(FOLD) && !source.is_test()
    };
    for source in tree.sources.iter().filter(is_elsewhere) {
        for pattern in OBSERVES {
            for line in source
                .lines_of(pattern)
                .filter(|line| !is_excepted(source, *line))
            {
                let message = format!(
                    "`{}` outside sseam-llm; drive an `Answer`, or end the line with \
                     `{EXCEPTION}` and the reason",
                    pattern.concat()
                );
                report(findings, &source.path, line, message);
            }
        }
    }
}

/// Whether the line ends with an exception and its reason, or the line before
/// is one (rustfmt moves a comment there when the line gets too long).
fn is_excepted(source: &Source, line: usize) -> bool {
    let has_reason = |text: &str| {
        text.split_once(EXCEPTION)
            .is_some_and(|(_, reason)| !reason.trim().is_empty())
    };
    let is_comment = |text: &str| text.trim_start().starts_with("//");
    let mut lines = source.text.lines().skip(line.saturating_sub(2));
    let before = if line > 1 { lines.next() } else { None };
    lines.next().is_some_and(has_reason)
        || before.is_some_and(|it| is_comment(it) && has_reason(it))
}

/// What touches raw pointers, registers, or symbols by name.
const UNSAFE: &[&str] = &[
    "crates/sseam-capi/",
    "examples/firmware/board/",
    "examples/firmware/neighbours/",
    "examples/firmware/probes/",
];

pub(crate) fn forbid_unsafe(tree: &Tree, findings: &mut Vec<Finding>) {
    let is_unsafe = |source: &Source| UNSAFE.iter().any(|folder| source.path.starts_with(folder));
    let is_safe_library = |source: &&Source| source.path.ends_with("/lib.rs") && !is_unsafe(source);
    let attribute = ["#", "!", "[", "forbid", "(", "unsafe_code", ")", "]"];
    for source in tree.sources.iter().filter(is_safe_library) {
        if source.lines_of(&attribute).next().is_none() {
            let message = "unsafe code is not forbidden; add `#![forbid(unsafe_code)]`";
            report(findings, &source.path, 1, message.to_string());
        }
    }
}
