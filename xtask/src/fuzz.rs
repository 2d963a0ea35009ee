//! The fuzz targets, one step each, on the nightly toolchain.
//!
//! In: `fuzz/Cargo.toml`, which names the targets, and the committed inputs in
//! `fuzz/corpus/TARGET`. Out: a run of each; new inputs go to `target/fuzz-new`,
//! so that a test run leaves no trace in the work tree.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step::{self, Done, Step, Tally};
use crate::tool;

#[derive(clap::Args)]
pub(crate) struct FuzzArguments {
    /// How long each target runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Runs only this target
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Installs what is missing
    #[arg(long)]
    install: bool,
}

/// Whether this tree has fuzz targets at all.
pub(crate) fn exists(root: &Path) -> bool {
    root.join("fuzz/Cargo.toml").exists()
}

/// The names of the targets, in the manifest's order.
pub(crate) fn targets(root: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap_or_default();
    target_names(&manifest)
}

/// Every target is a `[[bin]]`, and cargo-fuzz writes its name below that line.
fn target_names(manifest: &str) -> Vec<String> {
    let mut is_bin = false;
    let mut names = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            is_bin = line == "[[bin]]";
        }
        match line.split_once('=') {
            Some((key, value)) if is_bin && key.trim() == "name" => {
                names.push(value.trim().trim_matches('"').to_string());
            }
            _ => {}
        }
    }
    names
}

/// Runs the asked targets.
pub(crate) fn fuzz(root: &Path, arguments: &FuzzArguments) -> Result<Tally> {
    let all = targets(root);
    let asked = match &arguments.target {
        None => all,
        Some(name) if all.contains(name) => vec![name.clone()],
        Some(name) => bail!("no fuzz target {name}; there are: {}", all.join(", ")),
    };
    if asked.is_empty() {
        bail!("fuzz/Cargo.toml names no target");
    }
    let steps = steps(root, &asked, arguments.seconds, Output::Progress);
    tool::require(&steps, arguments.install)?;
    Ok(step::run_all(steps))
}

/// What libFuzzer prints while it finds nothing wrong.
#[derive(Clone, Copy)]
pub(crate) enum Output {
    /// Each input that reaches new code.
    Progress,
    /// Figures at the end.
    Summary,
}

/// A step for each of `targets`.
pub(crate) fn steps(root: &Path, targets: &[String], seconds: u32, output: Output) -> Vec<Step> {
    let step = |target: &String| {
        let (root, name) = (root.to_path_buf(), target.clone());
        let work = move || run(&root, &name, seconds, output);
        Step::call(format!("fuzz {target}"), work).needs(&[
            tool::NIGHTLY,
            tool::CARGO_FUZZ,
            tool::CXX,
        ])
    };
    targets.iter().map(step).collect()
}

/// libFuzzer writes what it finds new to the first folder and only reads the
/// others, so the committed corpus comes second.
fn run(root: &Path, target: &str, seconds: u32, output: Output) -> Result<Done> {
    let new = root.join("target/fuzz-new").join(target);
    fs::create_dir_all(&new).with_context(|| format!("cannot create {}", new.display()))?;
    let mut command = Command::new("rustup");
    command
        .current_dir(root)
        .args(["run", "nightly", "cargo", "fuzz", "run", target])
        .arg(new);
    let committed = root.join("fuzz/corpus").join(target);
    if committed.exists() {
        command.arg(committed);
    }
    command.args([
        "--",
        &format!("-max_total_time={seconds}"),
        "-print_final_stats=1",
    ]);
    if let Output::Summary = output {
        command.arg("-verbosity=0");
    }
    step::run(&mut command)?;
    Ok(Done::Passed)
}

#[cfg(test)]
mod tests;
