//! In: small trees, each breaking one rule. Out: whether that rule, and only
//! that rule, finds it; and the repository itself, which must be tidy.

use std::collections::BTreeMap;
use std::path::Path;

use super::tree::Tree;
use super::{Finding, findings};

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root");
    let found = findings(&Tree::read(root).expect("git lists the repository"));
    assert!(found.is_empty(), "{}", show(&found));
}

#[test]
fn the_smallest_tidy_tree() {
    check(&[], &[]);
}

#[test]
fn a_file_opens_with_its_header() {
    let readme = "#![doc = include_str!(\"../README.md\")]\n#![forbid(unsafe_code)]\n";
    check(&[("crates/sseam/src/lib.rs", readme)], &[]);
    check(
        &[("xtask/src/a.rs", "fn a() {}\n")],
        &["xtask/src/a.rs:1: does not open with `//!`"],
    );
    check(
        &[("xtask/src/a.rs", "//! A.\nfn (\n")],
        &["xtask/src/a.rs:2: not Rust: "],
    );
}

#[test]
fn every_file_of_the_client_is_on_the_map() {
    let modules = "//! A.\nmod wire; // A.\nmod iter;\n#[cfg(unix)]\nmod tls;\n";
    let with = |map: &str| format!("{MAP}{map}");
    let path = "crates/sseam/src/client.rs";
    let whole = "\n## The client, in order\n\n`wire.rs`, `iter.rs`, `tls.rs`\n\n## More\n";
    check(&[(path, modules), ("ARCHITECTURE.md", &with(whole))], &[]);
    let other = "\n`iter.rs`\n## The client, in order\n\n`wire.rs`\n\n## More\n\n`tls.rs`\n";
    check(
        &[(path, modules), ("ARCHITECTURE.md", &with(other))],
        &[
            "crates/sseam/src/client.rs:3: iter.rs is not in ARCHITECTURE.md",
            "crates/sseam/src/client.rs:5: tls.rs is not in ARCHITECTURE.md",
        ],
    );
}

#[test]
fn lengths_pass_at_the_maximum_and_fail_one_above() {
    let line = |len: usize| format!("//! {}\n", "ä".repeat(len - 4));
    check(&[("a.rs", &line(100))], &[]);
    check(&[("a.rs", &line(101))], &["a.rs:1: 101 columns; break"]);

    let function = |lines: usize| format!("//! A.\nfn a() {{{}}}\n", "\n".repeat(lines - 1));
    check(&[("a.rs", &function(70))], &[]);
    check(
        &[("a.rs", &function(71))],
        &["a.rs:2: fn a has 71 lines; split"],
    );

    let file = |lines: usize| "//! A.\n".repeat(lines);
    check(&[("a.rs", &file(400))], &[]);
    check(&[("a.rs", &file(401))], &["a.rs:401: 401 lines; split"]);
    check(
        &[("tests/it/a.rs", &file(401)), ("src/tests.rs", &file(401))],
        &[],
    );
}

#[test]
fn methods_and_functions_within_functions_are_counted() {
    let body = "\n".repeat(71);
    let method = format!("//! A.\nstruct A;\nimpl A {{\n    fn a() {{{body}}}\n}}\n");
    check(&[("a.rs", &method)], &["a.rs:4: fn a has 72 lines"]);
    let inner = format!("//! A.\nfn a() {{\nfn b() {{{body}}}\n}}\n");
    check(
        &[("a.rs", &inner)],
        &["a.rs:2: fn a has 74 lines", "a.rs:3: fn b has 72 lines"],
    );
}

#[test]
fn an_unsafe_function_has_a_contract() {
    let path = "crates/sseam-capi/src/a.rs";
    check(
        &[(path, "//! A.\nunsafe fn a() {}\n")],
        &[&format!("{path}:2: unsafe fn a has no")],
    );
    check(
        &[(
            path,
            "//! A.\n/// A.\n///\n/// # Safety\n///\n/// B.\nunsafe fn a() {}\n",
        )],
        &[],
    );
    check(
        &[(path, "//! A.\ntrait T { unsafe fn a(); }\n")],
        &[&format!("{path}:2: unsafe fn a")],
    );
    check(
        &[(path, "//! A.\nimpl T for A { unsafe fn a() {} }\n")],
        &[],
    );
}

#[test]
fn the_core_stays_bare() {
    let path = "crates/sseam-core/src/scan.rs";
    for (code, word) in [
        ("use std::fmt;", "std::"),
        ("use alloc::vec::Vec;", "alloc::"),
        ("fn a() { unsafe { b() } }", "unsafe"),
        ("fn a() { b().unwrap(); }", "unwrap("),
        ("fn a() { b().map(Option::unwrap); }", "unwrap"),
        ("fn a() { b().expect(\"c\"); }", "expect("),
        ("fn a() { panic!() }", "panic!"),
        ("fn a() { unreachable!() }", "unreachable!"),
        ("async fn a() {}", "async"),
        ("fn a(now: Instant) {}", "Instant"),
    ] {
        let text = format!("//! Stage 1.\n{code}\n");
        check(&[(path, &text)], &[&format!("{path}:2: `{word}` here; ")]);
        check(&[("crates/sseam-core/src/tests.rs", &text)], &[]);
        check(&[("crates/sseam-cli/src/a.rs", &text)], &[]);
    }
    let harmless = "//! Stage 1: no std::, no unsafe, no async.\n// panic! unwrap( alloc::\n\
                    #![forbid(unsafe_code)]\n#[expect(dead_code, reason = \"r\")]\n\
                    fn a() { b(\"std:: Instant\").unwrap_or(c) }\n";
    check(&[(path, harmless)], &[]);
}

#[test]
fn crates_ship_nothing_unfinished() {
    let path = "crates/sseam-cli/src/a.rs";
    for (code, word) in [
        ("fn a() { todo!() }", "todo!"),
        ("fn a() { dbg!(b); }", "dbg!"),
        ("#[allow(b)]\nfn a() {}", "#[allow("),
    ] {
        let text = format!("//! A.\n{code}\n");
        check(&[(path, &text)], &[&format!("{path}:2: `{word}` here; ")]);
        check(&[("xtask/src/a.rs", &text)], &[]);
    }
    check(
        &[(path, "//! A.\n// FIXME\n")],
        &[&format!("{path}:2: FIXME here; ")],
    );
}

#[test]
fn facades_leave_parsing_to_the_core() {
    let path = "crates/sseam/src/a.rs";
    for byte in ["b'\\n'", "b'\\r'", "b':'"] {
        let text = format!("//! A.\nconst A: u8 = {byte};\n");
        check(
            &[(path, &text)],
            &[&format!("{path}:2: `{byte}` outside the core; ")],
        );
        check(&[("crates/sseam/src/tests.rs", &text)], &[]);
        check(&[("crates/sseam-cli/src/a.rs", &text)], &[]);
        let excepted = format!("//! A.\nconst A: u8 = {byte}; // tidy: JSON, not a field.\n");
        check(&[(path, &excepted)], &[]);
        let above = format!("//! A.\n// tidy: JSON, not a field.\nconst A: u8 = {byte};\n");
        check(&[(path, &above)], &[]);
        let bare = format!("//! A.\nconst A: u8 = {byte}; // tidy: \n");
        check(&[(path, &bare)], &[&format!("{path}:2: `{byte}` outside")]);
    }
}

#[test]
fn items_reach_a_turn_in_one_place() {
    let text = "//! A.\nfn a() {\n    self.turn.observe(&event);\n}\n";
    for path in ["crates/sseam/src/a.rs", "examples/src/bin/a.rs"] {
        check(
            &[(path, text)],
            &[&format!("{path}:3: `turn.observe(` outside sseam-llm; ")],
        );
        let excepted = text.replace(");", "); // tidy: events of another parser.");
        check(&[(path, &excepted)], &[]);
    }
    check(&[("crates/sseam-llm/src/a.rs", text)], &[]);
    check(&[("crates/sseam/tests/it/a.rs", text)], &[]);
}

#[test]
fn libraries_forbid_unsafe_code() {
    let path = "crates/sseam/src/lib.rs";
    check(
        &[(path, "//! A.\n")],
        &[&format!("{path}:1: unsafe code is not forbidden")],
    );
    check(
        &[(path, "//! A.\n// #![forbid(unsafe_code)]\n")],
        &[&format!("{path}:1: unsafe code")],
    );
    check(&[(path, "//! A.\n#![forbid(unsafe_code)]\n")], &[]);
    check(&[("crates/sseam-capi/src/lib.rs", "//! A.\n")], &[]);
}

#[test]
fn stages_agree_wherever_they_stand() {
    let lib = "crates/sseam-core/src/lib.rs";
    let map = "ARCHITECTURE.md";
    let missed = |number: u32, module: &str| {
        format!("ARCHITECTURE.md:0: does not say that Stage {number} is {module}.rs; ")
    };
    check(&[(map, "")], &[&missed(1, "scan")]);
    check(&[(map, "- Stage 1: `rescan.rs`\n")], &[&missed(1, "scan")]);
    check(&[(map, "- Stage 1: `scan.rs`\n")], &[&missed(2, "token")]);
    let swapped = "- Stage 2: `token/`\n- Stage 1: `scan.rs`\n";
    check(
        &[(map, swapped)],
        &["ARCHITECTURE.md:1: says Stage 2 is token.rs where "],
    );
    let twice = format!("{MAP}{MAP}Stage 3: scan.rs\n");
    check(
        &[(map, &twice)],
        &["ARCHITECTURE.md:5: says Stage 3 is scan.rs, and "],
    );
    let scan = "crates/sseam-core/src/scan.rs";
    check(
        &[(scan, "//! Stage 3: a.\n")],
        &[&format!("{scan}:1: says Stage 3; ")],
    );
    let shared = LIB.replace("Stage 2", "Stage 1");
    check(
        &[(lib, &shared), (map, "Stage 1: scan.rs, token.rs\n")],
        &[],
    );

    let gap = LIB.replace("Stage 2", "Stage 3");
    let agreeing = "Stage 1 scan.rs\nStage 3 token.rs\n";
    check(
        &[(lib, &gap), (map, agreeing)],
        &[&format!("{lib}:4: Stage 3 follows Stage 1; ")],
    );
    let unnumbered = LIB.replace("Stage", "stage");
    check(
        &[(lib, &unnumbered)],
        &[&format!("{lib}:1: no `mod name; // Stage N")],
    );
    check(
        &[(map, &format!("{MAP}{}", "\n".repeat(199)))],
        &["ARCHITECTURE.md:201: 201 lines; "],
    );
}

#[test]
fn every_edge_has_a_test() {
    let path = "crates/sseam-core/src/limits.rs";
    let enums = "//! A.\nenum Limit { Line,\n Data }\nenum Error { Finished }\n";
    check(
        &[(path, enums)],
        &[&format!("{path}:3: no test names `Limit::Data`; ")],
    );
    check(
        &[(path, "//! A.\nenum Limit { Line }\n")],
        &["crates/sseam-core/src/lib.rs:0: no `enum Error`"],
    );
}

#[test]
fn a_dependency_has_a_reason() {
    let path = "crates/sseam/Cargo.toml";
    let found = |line: usize, name: &str| format!("{path}:{line}: dependency {name} without");
    check(&[(path, "[dependencies]\na = \"1\"\n")], &[&found(2, "a")]);
    check(
        &[(
            path,
            "[dependencies]\na = \"1\" # Why.\n# Why.\nb.workspace = true\n",
        )],
        &[],
    );
    check(
        &[(path, "[dependencies]\n# Why.\na = \"1\"\nb = \"1#2\"\n")],
        &[&found(4, "b")],
    );
    check(
        &[(
            path,
            "[target.'cfg(unix)'.dev-dependencies]\na.workspace = true\n",
        )],
        &[&found(2, "a")],
    );
    check(
        &[(path, "[dependencies.a]\nversion = \"1\"\n")],
        &[&found(1, "a")],
    );
    check(
        &[(
            path,
            "[build-dependencies]\na = { path = \"../a\" }\n[features]\nb = []\n",
        )],
        &[],
    );
    let long = "[dependencies]\n# Why.\na = { version = \"1\", features = [\n  \"b = 1\",\n] }\n\
                [lib]\nc = 1\n";
    check(&[(path, long)], &[]);
}

#[test]
fn one_place_states_the_rust_version() {
    let path = "crates/sseam/Cargo.toml";
    check(&[(path, "[package]\nrust-version.workspace = true\n")], &[]);
    check(
        &[(path, "[package]\nrust-version = \"1.88\"\n")],
        &[&format!("{path}:2: a second Rust version")],
    );
    check(
        &[("clippy.toml", "msrv = \"1.88\"\n")],
        &["clippy.toml:1: a second Rust version"],
    );
    check(&[("Cargo.toml", "")], &["Cargo.toml:0: no Rust version; "]);
}

#[test]
fn promises_are_kept() {
    check(
        &[("README.md", "cargo xtask test --install\n")],
        &["README.md:0: no line is `cargo run"],
    );
    check(
        &[(".ci/run", "cargo xtask test\n")],
        &[".ci/run:0: no line is `cargo xtask test --install`"],
    );
    check(
        &[("testdata/vectors/other.json", "")],
        &["testdata/vectors/other.json:0: no .rs file names"],
    );
    let found = findings(&Tree::new(files(&[]), vec!["docs/".to_string()]));
    assert_eq!(
        show(&found),
        "docs/:0: an empty folder; remove it until it holds something"
    );
}

#[test]
fn the_table_of_budgets_is_that_of_the_parts() {
    let rows: Vec<String> = crate::parts::budget_rows().collect();
    let path = crate::parts::BUDGETS;
    check(&[(path, &rows.join("\n"))], &[]);
    let finding = format!("{path}:0: no line is `{}`", rows[0]);
    check(&[(path, &rows[1..].join("\n"))], &[&finding]);
}

#[test]
fn a_missing_file_is_a_finding() {
    let found = findings(&Tree::new(BTreeMap::new(), Vec::new()));
    let paths: Vec<&str> = found.iter().map(|finding| finding.path.as_str()).collect();
    for path in [
        "ARCHITECTURE.md",
        "README.md",
        ".ci/run",
        "testdata/vectors/",
        "Cargo.toml",
    ] {
        assert!(paths.contains(&path), "{path} is not missed");
    }
}

const LIB: &str = "//! The core.\n#![forbid(unsafe_code)]\n\
                   mod scan; // Stage 1: a.\nmod token; // Stage 2: b.\n\
                   mod limits; // The bounds.\n";
const MAP: &str = "- Stage 1: `scan.rs`\n- Stage 2: `token/`\n";

/// A tree that is tidy, with `changes` laid over it.
fn files(changes: &[(&str, &str)]) -> BTreeMap<String, String> {
    let readme = "cargo run --release -p sseam-cli -- replay examples/streams/demo.sse \
                  --chunk-size 1\ncargo xtask test --install\n";
    let tidy = [
        ("ARCHITECTURE.md", MAP),
        (
            "Cargo.toml",
            "[workspace.package]\nrust-version = \"1.88\"\n",
        ),
        ("README.md", readme),
        (".ci/run", "cargo xtask test --install\n"),
        ("crates/sseam-core/src/lib.rs", LIB),
        (
            "crates/sseam-core/src/limits.rs",
            "//! A.\nenum Limit { Line }\nenum Error { Finished }\n",
        ),
        (
            "crates/sseam-core/tests/it/main.rs",
            "//! A.\nfn a() { b(Limit::Line, Error::Finished, \"hand.json\") }\n",
        ),
        ("examples/streams/demo.sse", ""),
        ("testdata/vectors/hand.json", ""),
    ];
    let all = tidy.iter().chain(changes);
    all.map(|(path, text)| (path.to_string(), text.to_string()))
        .collect()
}

/// Asserts that the findings of a tidy tree with `changes` begin as `expected`.
#[track_caller]
fn check(changes: &[(&str, &str)], expected: &[&str]) {
    let found = findings(&Tree::new(files(changes), Vec::new()));
    let shown: Vec<String> = found
        .iter()
        .map(|it| show(std::slice::from_ref(it)))
        .collect();
    let is_equal = shown.len() == expected.len()
        && shown
            .iter()
            .zip(expected)
            .all(|(shown, expected)| shown.starts_with(expected));
    assert!(is_equal, "found {shown:#?}, expected {expected:#?}");
}

fn show(found: &[Finding]) -> String {
    let line = |Finding {
                    path,
                    line,
                    message,
                }: &Finding| format!("{path}:{line}: {message}");
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
