//! The crate of the artifacts in, a shared library and a static one out.
//!
//! The static library is taken apart: one object of it is ours, with nothing but
//! the functions of the header to be seen, and the other three hundred are
//! Rust's own, which would stand in the way of a second Rust library and of the
//! C library's own memory functions. Only the one is kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::prefix;
use crate::step::{self, Done, Step, cargo};
use crate::tool;

/// What was built.
pub(crate) struct Built {
    pub(crate) static_library: PathBuf,
    /// `None` for targets that have no shared libraries.
    pub(crate) shared_library: Option<PathBuf>,
}

/// Where Rust's core library for the target comes from.
#[derive(Clone, Copy)]
pub(crate) enum Core {
    /// From rustup.
    Installed,
    /// From its source, by this compiler or by the one that RUSTC names.
    Built(Option<&'static str>),
}

const MANIFEST: &str = "crates/sseam-capi/artifact/Cargo.toml";

/// Builds the libraries, proves that they cannot panic, and lays them out.
pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let proof = |name: &str, is_firmware: bool| {
        let root = root.to_path_buf();
        let work = move || prove(&root, is_firmware);
        Step::call(format!("capi-proof {name}"), work).needs(&[tool::CC])
    };
    let here = root.to_path_buf();
    let build = Step::call("capi-build", move || {
        let built = build(&here, None, Core::Installed, Answers::In)?;
        prefix::lay_out(&here, &built, &super::default_prefix(&here))?;
        Ok(Done::Passed)
    });
    vec![
        build.needs(&[tool::CC]),
        proof("for servers", false),
        proof("for firmware", true),
    ]
}

/// Whether the answers of AI APIs are in the library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    In,
    Out,
}

/// What the library is made of: a firmware has no heap, and flash is scarce there.
fn features(is_firmware: bool, answers: Answers) -> String {
    let all = [
        ("heap", !is_firmware),
        ("wide-scan", !is_firmware),
        ("answer", answers == Answers::In),
    ];
    let asked = all.iter().filter(|(_, is_asked)| *is_asked);
    asked.map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

const OPT_LEVEL: &str = "CARGO_PROFILE_RELEASE_OPT_LEVEL";

/// Builds for one target.
pub(crate) fn build(
    root: &Path,
    target: Option<&str>,
    core: Core,
    answers: Answers,
) -> Result<Built> {
    let triple = match target {
        Some(target) => target.to_string(),
        None => host()?,
    };
    let folder = root.join("target/capi-build");
    let mut command = cargo(root, &["rustc", "--release", "--lib"]);
    command.args(["--manifest-path", MANIFEST, "--target-dir"]);
    command.arg(&folder);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    if let Core::Built(compiler) = core {
        command.arg("-Zbuild-std=core").env("RUSTC_BOOTSTRAP", "1");
        command.envs(compiler.map(|compiler| ("RUSTC", compiler)));
    }
    let features = features(is_firmware(&triple), answers);
    command.args(["--no-default-features", "--features", &features]);
    if is_firmware(&triple) {
        // Flash is scarcer than time.
        command.env(OPT_LEVEL, "s");
    }
    if !has_shared(&triple) {
        command.args(["--crate-type", "staticlib"]);
    }
    command.arg("--").args(link_arguments(&triple)?);
    step::run(&mut command).with_context(|| {
        format!("`rustup target add {triple}` brings its core library, or try --build-std")
    })?;
    let release = match target {
        Some(target) => folder.join(target).join("release"),
        None => folder.join("release"),
    };
    let static_library = one_object(&release, &triple)?;
    let shared_library = has_shared(&triple).then(|| release.join(shared_name(&triple)));
    Ok(Built {
        static_library,
        shared_library,
    })
}

/// Links the library with a panic handler that calls a function which nobody
/// defines: a panic that is left does not link.
fn prove(root: &Path, is_firmware: bool) -> Result<Done> {
    let triple = host()?;
    if !triple.contains("linux") {
        return Ok(Done::Skipped(format!(
            "the proof is in ELF, not on {triple}"
        )));
    }
    let mut command = cargo(
        root,
        &["rustc", "--release", "--lib", "--manifest-path", MANIFEST],
    );
    let features = features(is_firmware, Answers::In);
    command.args(["--no-default-features", "--features", &features]);
    command.env(OPT_LEVEL, if is_firmware { "s" } else { "3" });
    command.args(["--crate-type", "cdylib", "--target-dir"]);
    command.arg(root.join("target/capi-proof"));
    command.args(["--", "--cfg", "sseam_prove_no_panic"]);
    command.args(["-Clink-arg=-lc", "-Clink-arg=-Wl,-z,defs"]);
    step::run(&mut command).context("a panic can be reached: see the undefined symbol")?;
    // The proof must be able to fail.
    command.args(["--cfg", "sseam_plant_a_panic"]);
    let output = command.output().context("cannot start cargo")?;
    let error = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !error.contains("sseam_a_panic_can_be_reached") {
        bail!("a planted panic was not found:\n{error}");
    }
    Ok(Done::Passed)
}

/// A library without DT_NEEDED and soname links, and surprises later.
fn link_arguments(triple: &str) -> Result<Vec<String>> {
    let abi = prefix::abi_version()?;
    Ok(match triple {
        _ if !has_shared(triple) => Vec::new(),
        _ if triple.contains("apple") => vec![
            "-Clink-arg=-lSystem".to_string(),
            format!("-Clink-arg=-Wl,-install_name,@rpath/libsseam.{abi}.dylib"),
        ],
        _ if triple.contains("windows") => Vec::new(),
        _ => vec![
            "-Clink-arg=-lc".to_string(),
            "-Clink-arg=-Wl,-z,defs".to_string(),
            format!("-Clink-arg=-Wl,-soname,libsseam.so.{abi}"),
        ],
    })
}

/// Keeps the one object of the static library that is ours.
fn one_object(release: &Path, triple: &str) -> Result<PathBuf> {
    let whole = release.join("libsseam.a");
    if triple.contains("windows") {
        return Ok(release.join("sseam.lib"));
    }
    let folder = release.join("one-object");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let (ar, strip) = (binary_tool(triple, "ar")?, binary_tool(triple, "strip")?);
    let listed = Command::new(&ar).arg("t").arg(&whole).output();
    let listed = listed.with_context(|| format!("cannot start {ar}"))?;
    let listed = String::from_utf8(listed.stdout)?;
    let ours: Vec<&str> = listed
        .lines()
        .filter(|name| name.starts_with("sseam.") || name.starts_with("sseam-"))
        .collect();
    let [object] = ours.as_slice() else {
        bail!(
            "{} has {} objects of ours, not 1",
            whole.display(),
            ours.len()
        );
    };
    step::run(
        Command::new(&ar)
            .current_dir(&folder)
            .arg("x")
            .arg(&whole)
            .arg(object),
    )?;
    step::run(
        Command::new(&strip)
            .current_dir(&folder)
            .args(["-g", object]),
    )?;
    fs::rename(folder.join(object), folder.join("sseam.o"))?;
    step::run(
        Command::new(&ar)
            .current_dir(&folder)
            .args(["rcsD", "libsseam.a", "sseam.o"]),
    )?;
    Ok(folder.join("libsseam.a"))
}

/// The binutils for a target: the host's own, a cross compiler's, or LLVM's.
fn binary_tool(triple: &str, name: &str) -> Result<String> {
    if triple == host()? {
        return Ok(name.to_string());
    }
    let cross = match triple.split('-').next().unwrap_or_default() {
        arch if arch.starts_with("thumb") => "arm-none-eabi",
        arch if arch.starts_with("arm") => "arm-linux-gnueabihf",
        arch if arch.starts_with("riscv") => "riscv64-unknown-elf",
        "aarch64" => "aarch64-linux-gnu",
        arch => arch,
    };
    let candidates = [format!("{cross}-{name}"), format!("llvm-{name}")];
    let is_here = |tool: &&String| Command::new(tool).arg("--version").output().is_ok();
    let found = candidates.iter().find(is_here).cloned();
    found.with_context(|| format!("none of {} is installed", candidates.join(", ")))
}

/// Whether the machine has no operating system.
fn is_firmware(triple: &str) -> bool {
    triple.contains("-none")
}

fn has_shared(triple: &str) -> bool {
    !is_firmware(triple) && !triple.contains("musl") && !triple.contains("wasm")
}

fn shared_name(triple: &str) -> &'static str {
    match triple {
        _ if triple.contains("apple") => "libsseam.dylib",
        _ if triple.contains("windows") => "sseam.dll",
        _ => "libsseam.so",
    }
}

/// The triple of this machine.
pub(crate) fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output();
    let version = String::from_utf8(output.context("cannot start rustc")?.stdout)?;
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_string)
        .context("`rustc -vV` names no host")
}
