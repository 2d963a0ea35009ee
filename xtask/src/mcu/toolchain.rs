//! Where `core` for a microcontroller comes from.
//!
//! In: the name of a target. Out: the cargo to call and the variables to set for
//! it, and a sentence that says which way was taken. A target that rustup has
//! installed is used as it is. Otherwise `core` and `alloc` are compiled once
//! from a distribution's Rust sources into a sysroot below `target/mcu`, which
//! every later build shares. Nothing is downloaded here but crates.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step;
use crate::tool::{self, Tool};

/// Debian's compiler, which comes with the sources of the library.
pub(crate) const RUSTC: &str = "/usr/bin/rustc";
pub(crate) const CARGO: &str = "/usr/bin/cargo";
pub(crate) const RUSTDOC: &str = "/usr/bin/rustdoc";

/// A cargo that can build for one target.
#[derive(Clone)]
pub(crate) struct Toolchain {
    pub(crate) target: String,
    cargo: OsString,
    variables: Vec<(String, OsString)>,
    flags: Vec<String>,
    /// Which way `core` was got.
    pub(crate) how: String,
}

/// Everything that belongs to these builds: sysroots, objects, images.
pub(crate) fn folder(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    target
        .map_or_else(|| root.join("target"), PathBuf::from)
        .join("mcu")
}

/// What must be installed for these targets, besides Rust itself.
pub(crate) fn needs(targets: &[&str]) -> Vec<Tool> {
    if targets.iter().all(|target| has_core("rustc", target)) {
        return Vec::new();
    }
    vec![tool::DEBIAN_RUSTC, tool::DEBIAN_CARGO, tool::RUST_SOURCES]
}

impl Toolchain {
    /// The first way that this machine has.
    pub(crate) fn pick(root: &Path, target: &str) -> Result<Toolchain> {
        if has_core("rustc", target) {
            return Ok(Toolchain {
                target: target.to_string(),
                cargo: "cargo".into(),
                variables: Vec::new(),
                flags: Vec::new(),
                how: "the target that rustup installed".to_string(),
            });
        }
        if let Some(sources) = sources() {
            return from_sources(root, target, &sources);
        }
        bail!(
            "no `core` for {target}: either rustup target add {target}, or apt-get install \
             --no-install-recommends rustc-web cargo-web rust-web-src"
        )
    }

    /// The same toolchain with further compiler flags for the target.
    pub(crate) fn with_flags(mut self, flags: &[&str]) -> Toolchain {
        self.flags.extend(flags.iter().map(ToString::to_string));
        self
    }

    /// The same toolchain, which lets the compiler's unstable flags pass.
    pub(crate) fn unstable(mut self) -> Toolchain {
        self.variables.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
        self
    }

    /// `cargo COMMAND --target T`, in `folder`.
    pub(crate) fn cargo(&self, root: &Path, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        let key = self.target.to_uppercase().replace('-', "_");
        command
            .current_dir(folder)
            .args(arguments)
            .args(["--target", &self.target])
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env(
                format!("CARGO_TARGET_{key}_RUSTFLAGS"),
                self.flags.join(" "),
            )
            .env("CARGO_TARGET_DIR", self::folder(root).join("build"))
            // They would replace the flags above.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        command
    }

    /// Where `cargo build --release` puts what it links.
    pub(crate) fn release(&self, root: &Path) -> PathBuf {
        folder(root)
            .join("build")
            .join(&self.target)
            .join("release")
    }
}

/// Whether this compiler finds a `core` for the target.
fn has_core(rustc: &str, target: &str) -> bool {
    let arguments = ["--print", "target-libdir", "--target", target];
    let Ok(library) = output(Command::new(rustc).args(arguments)) else {
        return false;
    };
    let is_core = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("libcore-");
    fs::read_dir(library.trim()).is_ok_and(|entries| entries.flatten().any(is_core))
}

/// The sources of the standard library of the compiler at [`RUSTC`].
fn sources() -> Option<PathBuf> {
    let sysroot = output(Command::new(RUSTC).args(["--print", "sysroot"])).ok()?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    let is_here = library.join("core/src/lib.rs").exists() && Path::new(CARGO).exists();
    is_here.then_some(library)
}

fn from_sources(root: &Path, target: &str, sources: &Path) -> Result<Toolchain> {
    let sysroot = sysroot(root)?;
    let mut toolchain = Toolchain {
        target: target.to_string(),
        cargo: CARGO.into(),
        variables: vec![
            ("RUSTC".into(), RUSTC.into()),
            ("RUSTDOC".into(), RUSTDOC.into()),
        ],
        flags: Vec::new(),
        how: format!("compiled from {}", sources.display()),
    };
    if !is_built(&sysroot, target) {
        build_sysroot(root, &sysroot, sources, &[target])?;
    }
    toolchain
        .flags
        .push(format!("--sysroot={}", sysroot.display()));
    let linker = linker()?;
    toolchain
        .flags
        .push(format!("-Clinker={}", linker.display()));
    toolchain.flags.push("-Clinker-flavor=ld.lld".to_string());
    Ok(toolchain)
}

/// Compiles `core` for all these targets at once, where it is needed: that takes
/// less time than one after the other, since no target keeps two cores busy.
pub(crate) fn prepare(root: &Path, targets: &[&str]) -> Result<()> {
    let missing: Vec<&str> = targets
        .iter()
        .filter(|target| !has_core("rustc", target))
        .copied()
        .collect();
    let Some(sources) = sources().filter(|_| !missing.is_empty()) else {
        return Ok(());
    };
    let sysroot = sysroot(root)?;
    let missing: Vec<&str> = missing
        .into_iter()
        .filter(|target| !is_built(&sysroot, target))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    build_sysroot(root, &sysroot, &sources, &missing)
}

/// Where the library of the compiler at [`RUSTC`] is laid out; another compiler
/// needs another.
fn sysroot(root: &Path) -> Result<PathBuf> {
    let version = output(Command::new(RUSTC).arg("-vV"))?;
    let word = |key: &str| {
        let line = version.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().trim().to_string()
    };
    let commit: String = word("commit-hash:").chars().take(9).collect();
    Ok(folder(root).join(format!("sysroot-{}-{commit}", word("release:"))))
}

fn library(sysroot: &Path, target: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(target).join("lib")
}

fn is_built(sysroot: &Path, target: &str) -> bool {
    library(sysroot, target).join("done").exists()
}

/// Compiles `core` and `alloc` for some targets and lays them out as rustup does.
fn build_sysroot(root: &Path, sysroot: &Path, sources: &Path, targets: &[&str]) -> Result<()> {
    let work = folder(root).join("sysroot-work");
    let write = |path: &str, text: String| -> Result<()> {
        let path = work.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&work))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("src/lib.rs", "#![no_std]\n".to_string())?;
    write(
        "Cargo.toml",
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [profile.release]\nopt-level = 3\ndebug = 0\n\
         [profile.release.package.compiler_builtins]\ncodegen-units = 10000\n"
            .to_string(),
    )?;
    // The library's own dependencies lie beside it; no registry is asked.
    write(
        ".cargo/config.toml",
        format!(
            "[source.crates-io]\nreplace-with = \"library\"\n\
             [source.library]\ndirectory = \"{}\"\n",
            sources.join("vendor").display()
        ),
    )?;
    let mut command = Command::new(CARGO);
    command
        .current_dir(&work)
        .args(["build", "--release", "--offline", "-Zbuild-std=core,alloc"])
        .args(targets.iter().flat_map(|target| ["--target", target]))
        .env("RUSTC", RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", work.join("target"))
        // As rustup ships it: code and bitcode both, since fat LTO wants the
        // latter. Frame sizes are a section of their own that costs no code.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes -Zemit-stack-sizes");
    step::run(&mut command)?;
    for target in targets {
        lay_out(&work.join("target"), target, &library(sysroot, target))?;
    }
    fs::remove_dir_all(work.join("target"))?;
    Ok(())
}

fn lay_out(built: &Path, target: &str, library: &Path) -> Result<()> {
    fs::create_dir_all(library)?;
    let built = built.join(target).join("release/deps");
    for entry in fs::read_dir(&built).with_context(|| format!("cannot read {}", built.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(entry.path(), library.join(&name))?;
        }
    }
    fs::write(library.join("done"), "")?;
    Ok(())
}

/// LLVM's linker: the one in rustup's toolchain, else a distribution's.
fn linker() -> Result<PathBuf> {
    let mut candidates = Vec::new();
    if let Ok(sysroot) = output(Command::new("rustc").args(["--print", "sysroot"])) {
        let version = output(Command::new("rustc").arg("-vV")).unwrap_or_default();
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
        candidates.push(
            libraries
                .join(host.unwrap_or_default())
                .join("bin/rust-lld"),
        );
    }
    candidates.push("/usr/bin/rust-lld".into());
    candidates.push("/usr/bin/ld.lld".into());
    let found = candidates.into_iter().find(|path| path.exists());
    found.context("no rust-lld in rustup's toolchain and no ld.lld: apt-get install lld")
}

/// What a command prints, if it ends with success.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = format!("{:?}", command.get_program());
    let output = command
        .output()
        .with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{shown} printed no UTF-8"))
}
