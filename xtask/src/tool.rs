//! What the steps need installed, and how to get it.
//!
//! In: steps. Out: a list that says of each tool whether it is here. What is
//! missing is installed only when the caller asked for it; otherwise the run
//! ends before its first step, with the lines that would install it.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::step::{self, Step};

/// A program that a step calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tool {
    name: &'static str,
    /// A command that succeeds only where the tool is installed.
    probe: &'static [&'static str],
    source: Source,
}

/// Where a tool comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A package of Debian and its children; root may install it.
    Apt(&'static str),
    /// A crate with a program in it.
    Crate(&'static str),
    /// Arguments for rustup.
    Rustup(&'static [&'static str]),
}

pub(crate) const RUSTFMT: Tool = Tool {
    name: "rustfmt",
    probe: &["cargo", "fmt", "--version"],
    source: Source::Rustup(&["component", "add", "rustfmt"]),
};

pub(crate) const CLIPPY: Tool = Tool {
    name: "clippy",
    probe: &["cargo", "clippy", "--version"],
    source: Source::Rustup(&["component", "add", "clippy"]),
};

pub(crate) const GIT: Tool = Tool {
    name: "git",
    probe: &["git", "--version"],
    source: Source::Apt("git"),
};

/// Sanitizers and coverage for fuzzing exist on nightly only.
pub(crate) const NIGHTLY: Tool = Tool {
    name: "nightly",
    probe: &["rustup", "run", "nightly", "cargo", "--version"],
    source: Source::Rustup(&["toolchain", "install", "nightly", "--profile", "minimal"]),
};

pub(crate) const CARGO_FUZZ: Tool = Tool {
    name: "cargo-fuzz",
    probe: &["cargo", "fuzz", "--version"],
    source: Source::Crate("cargo-fuzz"),
};

/// libFuzzer comes as C++ source and is compiled with the first fuzz target.
pub(crate) const CXX: Tool = Tool {
    name: "c++",
    probe: &["c++", "--version"],
    source: Source::Apt("g++"),
};

/// The C compiler, with the binutils that come with it.
pub(crate) const CC: Tool = Tool {
    name: "gcc",
    probe: &["gcc", "--version"],
    source: Source::Apt("gcc"),
};

pub(crate) const CLANG: Tool = Tool {
    name: "clang",
    probe: &["clang++", "--version"],
    source: Source::Apt("clang"),
};

pub(crate) const CMAKE: Tool = Tool {
    name: "cmake",
    probe: &["cmake", "--version"],
    source: Source::Apt("cmake"),
};

pub(crate) const VALGRIND: Tool = Tool {
    name: "valgrind",
    probe: &["valgrind", "--version"],
    source: Source::Apt("valgrind"),
};

pub(crate) const PKG_CONFIG: Tool = Tool {
    name: "pkg-config",
    probe: &["pkg-config", "--version"],
    source: Source::Apt("pkg-config"),
};

pub(crate) const LIBCURL: Tool = Tool {
    name: "libcurl",
    probe: &[
        "gcc",
        "-fsyntax-only",
        "-include",
        "curl/curl.h",
        "-x",
        "c",
        "/dev/null",
    ],
    source: Source::Apt("libcurl4-openssl-dev"),
};

/// Its headers are all that the example of Boost.Beast needs.
pub(crate) const BOOST: Tool = Tool {
    name: "boost",
    probe: &[
        "c++",
        "-fsyntax-only",
        "-include",
        "boost/version.hpp",
        "-x",
        "c++",
        "/dev/null",
    ],
    source: Source::Apt("libboost-dev"),
};

/// Pinned: another version may write the header in other words.
pub(crate) const CBINDGEN: Tool = Tool {
    name: "cbindgen",
    probe: &[
        "sh",
        "-c",
        "cbindgen --version | grep -qx 'cbindgen 0.29.4'",
    ],
    source: Source::Crate("cbindgen@0.29.4"),
};

pub(crate) const CARGO_MUTANTS: Tool = Tool {
    name: "cargo-mutants",
    probe: &["cargo", "mutants", "--version"],
    source: Source::Crate("cargo-mutants"),
};

pub(crate) const DEBIAN_RUSTC: Tool = Tool {
    name: "rustc of Debian",
    probe: &["/usr/bin/rustc", "--version"],
    source: Source::Apt("rustc-web"),
};

pub(crate) const DEBIAN_CARGO: Tool = Tool {
    name: "cargo of Debian",
    probe: &["/usr/bin/cargo", "--version"],
    source: Source::Apt("cargo-web"),
};

/// `core` for a target is compiled from them where rustup has not brought it.
pub(crate) const RUST_SOURCES: Tool = Tool {
    name: "sources of core",
    probe: &[
        "test",
        "-e",
        "/usr/lib/rustlib/src/rust/library/core/src/lib.rs",
    ],
    source: Source::Apt("rust-web-src"),
};

pub(crate) const QEMU_ARM: Tool = Tool {
    name: "qemu for ARM",
    probe: &["qemu-system-arm", "--version"],
    source: Source::Apt("qemu-system-arm"),
};

pub(crate) const QEMU_RISCV: Tool = Tool {
    name: "qemu for RISC-V",
    probe: &["qemu-system-riscv32", "--version"],
    source: Source::Apt("qemu-system-misc"),
};

/// Decodes what firmware logs.
pub(crate) const DEFMT_PRINT: Tool = Tool {
    name: "defmt-print",
    probe: &["defmt-print", "--version"],
    source: Source::Crate("defmt-print"),
};

/// Links for a 32-bit, big-endian machine.
pub(crate) const POWERPC_GCC: Tool = Tool {
    name: "gcc for powerpc",
    probe: &["powerpc-linux-gnu-gcc", "--version"],
    source: Source::Apt("gcc-powerpc-linux-gnu"),
};

pub(crate) const POWERPC_LIBC: Tool = Tool {
    name: "libc for powerpc",
    probe: &["test", "-e", "/usr/powerpc-linux-gnu/lib/libc.so"],
    source: Source::Apt("libc6-dev-powerpc-cross"),
};

/// Runs programs of another machine on this one's kernel.
pub(crate) const QEMU_USER: Tool = Tool {
    name: "qemu-user",
    probe: &["qemu-ppc", "--version"],
    source: Source::Apt("qemu-user"),
};

/// Compiles C for Cortex-M; its C library is not needed.
pub(crate) const ARM_GCC: Tool = Tool {
    name: "gcc for ARM",
    probe: &["arm-none-eabi-gcc", "--version"],
    source: Source::Apt("gcc-arm-none-eabi"),
};

impl Tool {
    fn is_installed(&self) -> bool {
        let [program, arguments @ ..] = self.probe else {
            return false;
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn install_command(&self) -> Vec<&'static str> {
        match self.source {
            Source::Apt(package) => {
                vec![
                    "apt-get",
                    "install",
                    "--yes",
                    "--no-install-recommends",
                    package,
                ]
            }
            Source::Crate(name) => vec!["cargo", "install", name, "--locked"],
            Source::Rustup(arguments) => [&["rustup"], arguments].concat(),
        }
    }
}

/// Sees to it that everything the steps need is here, or fails before the first.
pub(crate) fn require(steps: &[Step], skip: &[String], install: bool) -> Result<()> {
    let mut missing: Vec<Tool> = Vec::new();
    println!("==> tools");
    for tool in wanted(steps, skip) {
        let is_installed = tool.is_installed();
        println!(
            "    {:<14} {}",
            tool.name,
            if is_installed { "here" } else { "MISSING" }
        );
        if !is_installed {
            missing.push(tool);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let lines = install_lines(&missing);
    if !install {
        let shown: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        bail!(
            "missing tools: add --install, or install them yourself:\n    {}",
            shown.join("\n    ")
        );
    }
    for line in &lines {
        let mut command = Command::new(line[0]);
        step::run(command.args(&line[1..]))?;
    }
    match missing.iter().find(|tool| !tool.is_installed()) {
        Some(tool) => bail!(
            "{} was installed, yet `{}` fails",
            tool.name,
            tool.probe.join(" ")
        ),
        None => Ok(()),
    }
}

/// Each tool that a step to be run needs, once.
fn wanted(steps: &[Step], skip: &[String]) -> Vec<Tool> {
    let mut wanted = Vec::new();
    for step in steps.iter().filter(|step| !step.is_skipped_by(skip)) {
        for tool in &step.needs {
            if !wanted.contains(tool) {
                wanted.push(*tool);
            }
        }
    }
    wanted
}

/// The lines that install `missing`; a new machine's package lists are empty,
/// hence the update before the first Debian package.
fn install_lines(missing: &[Tool]) -> Vec<Vec<&'static str>> {
    let from_apt = |tool: &&Tool| matches!(tool.source, Source::Apt(_));
    let update = missing
        .iter()
        .find(from_apt)
        .map(|_| vec!["apt-get", "update"]);
    update
        .into_iter()
        .chain(missing.iter().map(Tool::install_command))
        .collect()
}

#[cfg(test)]
mod tests;
