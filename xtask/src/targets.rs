//! What the crates are built for, and which of it this machine can build.
//!
//! In: the installed toolchain. Out: a step for each target; one that is not
//! installed is skipped aloud, with the line that installs it. And the proof
//! that the `no_std` crates need nothing of std or alloc, which needs no target
//! at all: a copy of the host's own sysroot that holds `core` alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step::{self, Done, Step, cargo};

/// Each target besides the host, who has it, and what is built for it.
const TARGETS: &[(&str, &str, &[&str])] = &[
    (
        "wasm32-unknown-unknown",
        "browsers and edge workers",
        &["sseam-core", "sseam-http"],
    ),
    (
        "thumbv6m-none-eabi",
        "Cortex-M0, no compare-and-swap",
        &["sseam-core"],
    ),
    ("thumbv7em-none-eabihf", "Cortex-M4 and M7", &["sseam-core"]),
    (
        "riscv32imc-unknown-none-elf",
        "RISC-V, no atomics",
        &["sseam-core"],
    ),
];

/// The crates that promise to need `core` only.
const NO_STD_CRATES: &[&str] = &["sseam-core", "sseam-llm", "sseam-embedded-io"];

/// The workspace for the host, then for each target what runs there.
pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let host = Step::command(
        "build host",
        cargo(root, &["build", "--workspace", "--release"]),
    );
    let other = TARGETS.iter().map(|&(target, who, packages)| {
        let root = root.to_path_buf();
        Step::call(format!("build {target} ({who})"), move || {
            build(&root, target, packages)
        })
    });
    std::iter::once(host).chain(other).collect()
}

fn build(root: &Path, target: &str, packages: &[&str]) -> Result<Done> {
    if !sysroot_library(&sysroot()?, target).exists() {
        return Ok(Done::Skipped(format!(
            "not installed; rustup target add {target}"
        )));
    }
    let mut command = cargo(root, &["build", "--release", "--target", target]);
    command.args(packages.iter().flat_map(|name| ["--package", name]));
    step::run(&mut command)?;
    Ok(Done::Passed)
}

/// Checks the `no_std` crates where neither std nor alloc can be found, not even
/// by a dependency. Without features, since a feature may ask for std. Build
/// scripts and procedural macros keep the whole sysroot: flags for a named
/// target are not theirs.
pub(crate) fn no_std_step(root: &Path) -> Step {
    let root = root.to_path_buf();
    Step::call("no-std", move || {
        let host = host()?;
        let bare = bare_sysroot(&root, &host)?;
        let is_here = |name: &&&str| root.join("crates").join(name).exists();
        let packages = NO_STD_CRATES
            .iter()
            .filter(is_here)
            .flat_map(|name| ["--package", name]);
        let mut command = cargo(
            &root,
            &["check", "--no-default-features", "--target", &host],
        );
        command
            .args(packages)
            .env("RUSTFLAGS", format!("--sysroot={}", bare.display()));
        // A folder of its own: other flags would rebuild the usual one each time.
        command.arg("--target-dir").arg(root.join("target/no-std"));
        step::run(&mut command)?;
        Ok(Done::Passed)
    })
}

/// Lays out a sysroot with nothing but `core` and what it links.
fn bare_sysroot(root: &Path, host: &str) -> Result<PathBuf> {
    let bare = root.join("target/no-std/sysroot");
    let (from, to) = (
        sysroot_library(&sysroot()?, host),
        sysroot_library(&bare, host),
    );
    // Another toolchain's files may be left from an earlier run.
    if bare.exists() {
        fs::remove_dir_all(&bare)?;
    }
    fs::create_dir_all(&to)?;
    let mut copied = 0;
    for entry in fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        let is_of = |start: &str| name.to_string_lossy().starts_with(start);
        if is_of("libcore-") || is_of("libcompiler_builtins-") {
            fs::copy(entry.path(), to.join(&name))?;
            copied += 1;
        }
    }
    if copied == 0 {
        bail!("no core library in {}", from.display());
    }
    Ok(bare)
}

/// Where a sysroot keeps the libraries of a target.
fn sysroot_library(sysroot: &Path, target: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(target).join("lib")
}

fn sysroot() -> Result<PathBuf> {
    Ok(PathBuf::from(rustc(&["--print", "sysroot"])?.trim()))
}

/// The triple of the machine that this runs on.
fn host() -> Result<String> {
    let version = rustc(&["-vV"])?;
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_string)
        .context("`rustc -vV` names no host")
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let output = Command::new("rustc")
        .args(arguments)
        .output()
        .context("cannot start rustc")?;
    if !output.status.success() {
        bail!("rustc {} ended with {}", arguments.join(" "), output.status);
    }
    String::from_utf8(output.stdout).context("rustc printed something that is not UTF-8")
}
