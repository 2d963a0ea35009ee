//! Each tool that a step may name: how to find out whether it is here, and where
//! it comes from.

use super::{Source, Tool};

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

/// The C compiler, with the C library's headers and binutils.
pub(crate) const CC: Tool = Tool {
    name: "gcc",
    probe: &[
        "gcc",
        "-fsyntax-only",
        "-include",
        "stdio.h",
        "-x",
        "c",
        "/dev/null",
    ],
    source: Source::Apt("build-essential"),
};

/// What CMake builds with; a Debian package that only recommends it brings none.
pub(crate) const MAKE: Tool = Tool {
    name: "make",
    probe: &["make", "--version"],
    source: Source::Apt("make"),
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

/// Compiles C for routers with a 32-bit ARM.
pub(crate) const ARMHF_GCC: Tool = Tool {
    name: "gcc for armhf",
    probe: &["arm-linux-gnueabihf-gcc", "--version"],
    source: Source::Apt("gcc-arm-linux-gnueabihf"),
};

/// The C library of such routers.
pub(crate) const ARMHF_MUSL: Tool = Tool {
    name: "musl for armhf",
    probe: &["test", "-e", "/usr/lib/arm-linux-musleabihf/libc.a"],
    source: Source::Foreign("musl-dev:armhf"),
};

/// The C library that firmware in C is mostly linked to.
pub(crate) const ARM_NEWLIB: Tool = Tool {
    name: "newlib for ARM",
    probe: &[
        "arm-none-eabi-gcc",
        "--specs=nano.specs",
        "-fsyntax-only",
        "-include",
        "stdio.h",
        "-x",
        "c",
        "/dev/null",
    ],
    source: Source::Apt("libnewlib-arm-none-eabi"),
};

/// Compiles C for Cortex-M; its C library is not needed.
pub(crate) const ARM_GCC: Tool = Tool {
    name: "gcc for ARM",
    probe: &["arm-none-eabi-gcc", "--version"],
    source: Source::Apt("gcc-arm-none-eabi"),
};

/// What the standard's `EventSource` is tried in.
pub(crate) const CHROMIUM: Tool = Tool {
    name: "chromium",
    probe: &["chromium", "--version"],
    source: Source::Apt("chromium"),
};
