//! The core's vectors on a 32-bit, big-endian machine.
//!
//! In: Debian's compiler, a cross linker and an emulator of programs. Out: the
//! counts of `cargo test`. One target covers both the width of `usize` and the
//! order of bytes.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::toolchain::{self, CARGO, RUSTC, RUSTDOC};
use crate::step::{self, Done, Step};
use crate::tool;

const TARGET: &str = "powerpc-unknown-linux-gnu";

/// The tests in which the order of bytes or the width of `usize` may count: every
/// vector and every case at every cut, every distance to a line end, every limit,
/// every number. Emulation takes ten times as long: all others have run on the
/// host, and so have the other ways to drive the same stages.
const TESTS: &[&str] = &[
    "conformance::vectors_in_fixed_memory",
    "conformance::sequences",
    "conformance::cases_in_fixed_memory",
    "limits::",
    "long_lines::",
    "views::",
];

pub(crate) fn step(root: &Path) -> Step {
    let root = root.to_path_buf();
    let work = move || test(&root).map(|()| Done::Passed);
    Step::call("mcu big-endian (powerpc, 32 bits)", work).needs(&[
        tool::DEBIAN_RUSTC,
        tool::DEBIAN_CARGO,
        tool::RUST_SOURCES,
        tool::POWERPC_GCC,
        tool::POWERPC_LIBC,
        tool::QEMU_USER,
    ])
}

/// `std` is compiled with the tests: no distribution and no rustup has it built
/// beside the host's in one step.
fn test(root: &Path) -> Result<()> {
    let mut command = Command::new(CARGO);
    command
        .current_dir(root)
        .args([
            "test",
            "-Zbuild-std=std,panic_abort",
            "--package=sseam-core",
            "--test=it",
            "--target",
            TARGET,
            "--",
        ])
        .args(TESTS)
        .env("RUSTC", RUSTC)
        .env("RUSTDOC", RUSTDOC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", toolchain::folder(root).join("hosted"))
        .env(
            "CARGO_TARGET_POWERPC_UNKNOWN_LINUX_GNU_LINKER",
            "powerpc-linux-gnu-gcc",
        )
        .env(
            "CARGO_TARGET_POWERPC_UNKNOWN_LINUX_GNU_RUNNER",
            "qemu-ppc -L /usr/powerpc-linux-gnu",
        )
        .env("CARGO_PROFILE_TEST_DEBUG", "0");
    step::run(&mut command)
}
