//! Firmware in C against the C library, built for the target and run.
//!
//! In: `examples/firmware/c` and `crates/sseam-capi/artifact`. Out: whether it
//! prints what the command prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::machine::Machine;
use super::probe::workspace;
use super::toolchain::{self, Toolchain};

/// Whether this tree has the C library.
pub(crate) fn exists(root: &Path) -> bool {
    artifact(root).join("Cargo.toml").exists()
}

fn artifact(root: &Path) -> PathBuf {
    root.join("crates/sseam-capi/artifact")
}

/// Builds library and program, and sends the recorded streams.
pub(crate) fn run(root: &Path, toolchain: &Toolchain, machine: &Machine) -> Result<()> {
    let arguments = [
        "rustc",
        "--quiet",
        "--release",
        "--no-default-features",
        "--crate-type",
        "staticlib",
    ];
    let mut library = toolchain.cargo(root, &artifact(root), &arguments);
    library.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s");
    crate::step::run(&mut library)?;
    let sources = workspace(root).join("c");
    let program = toolchain::folder(root).join("c.elf");
    let mut compiler = Command::new("arm-none-eabi-gcc");
    compiler
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-Os",
        ])
        .args([
            "-mcpu=cortex-m4",
            "-mthumb",
            "-mfloat-abi=hard",
            "-mfpu=fpv4-sp-d16",
        ])
        .args([
            "-ffreestanding",
            "-nostdlib",
            "-ffunction-sections",
            "-fdata-sections",
        ])
        .args(["-Wl,--gc-sections", "-Wl,-z,noexecstack", "-T"])
        .arg(sources.join("an386.ld"))
        .arg("-I")
        .arg(root.join("include"))
        .arg(sources.join("main.c"))
        .arg(toolchain.release(root).join("libsseam.a"))
        .arg("-o")
        .arg(&program);
    crate::step::run(&mut compiler)?;
    super::run::uart(root, machine, &program)
}
