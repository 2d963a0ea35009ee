//! The part of the tests for the client: requests over loopback, with faults.
//!
//! In: the tree. Out: its steps: the client with and without TLS, what it adds to
//! the crates that a user has to trust, and a browser beside `sseam get`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::host::CLIENT_TESTS;
use crate::parts::{Budget, Part};
use crate::step::{Done, Step, cargo};
use crate::tool;

pub(crate) const PART: Part = Part {
    name: "client",
    budget: Budget {
        cold: 150,
        warm: 60,
    },
    steps,
};

/// What the crate `sseam` consists of without any feature.
const OWN: &[&str] = &[
    "memchr",
    "sseam",
    "sseam-core",
    "sseam-llm",
    // Blocks of bytes in vectors, and the two crates that it stands on.
    "wide",
    "safe_arch",
    "bytemuck",
];

/// So many crates more has the client without TLS, at most.
const CLIENT_CRATES_MAX: usize = 12;

fn steps(root: &Path) -> Vec<Step> {
    let command = |name: &str, arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        Step::command(name, cargo(root, &arguments))
    };
    let plain = "clippy --package sseam --all-targets --features client -- -D warnings";
    // The output tells how long cancels took.
    let tests = format!("--test it {CLIENT_TESTS} -- --show-output");
    let without_tls = format!("test --package sseam --features client {tests}");
    // As the part for the host builds them, lest all be compiled once more.
    let with_tls = format!("test --workspace --all-features {tests}");
    let root = root.to_path_buf();
    vec![
        Step::call("client crates", move || crates(&root)),
        command("client clippy", plain).needs(&[tool::CLIPPY]),
        command("client tls", &with_tls).timed(),
        command("client doc", "test --workspace --all-features --doc client"),
        command("client plain", &without_tls).timed(),
        command(
            "client browser",
            "test --workspace --all-features --test it browser:: -- --ignored",
        )
        .needs(&[tool::CHROMIUM]),
    ]
}

/// Counts the crates of `sseam`, without features and with the client.
fn crates(root: &Path) -> Result<Done> {
    let (default, client) = (tree(root, "")?, tree(root, "client")?);
    let own: BTreeSet<String> = OWN.iter().map(|name| (*name).to_string()).collect();
    if let Some(other) = default.difference(&own).next() {
        bail!("without features, sseam depends on {other}");
    }
    let more: Vec<&str> = client.difference(&own).map(String::as_str).collect();
    println!("the client adds {}: {}", more.len(), more.join(", "));
    if more.len() > CLIENT_CRATES_MAX {
        bail!("the client adds more than {CLIENT_CRATES_MAX} crates");
    }
    Ok(Done::Passed)
}

/// The names of the crates that are linked with these features on this host.
fn tree(root: &Path, features: &str) -> Result<BTreeSet<String>> {
    let mut command: Command = cargo(root, &["tree", "--package", "sseam", "--edges", "normal"]);
    command.args(["--prefix", "none", "--features", features]);
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout)?;
    let name = |line: &str| line.split(' ').next().map(str::to_string);
    Ok(text
        .lines()
        .filter_map(name)
        .filter(|name| !name.is_empty())
        .collect())
}
