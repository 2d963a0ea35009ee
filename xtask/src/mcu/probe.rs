//! What each part costs: probes, built and read.
//!
//! In: a toolchain and an optimisation level. Out: an image for each probe, and
//! which of them linked without a way to panic.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::image::Image;
use super::toolchain::Toolchain;

/// The levels that a firmware is built with, the published one first.
pub(crate) const LEVELS: &[&str] = &["s", "z", "3"];

/// A package of probes, each a binary.
#[derive(Clone, Copy)]
pub(crate) struct Package {
    name: &'static str,
    features: &'static [&'static str],
    is_core: bool,
}

impl Package {
    /// The probes of the project's own crates.
    pub(crate) const fn new(is_core: bool) -> Package {
        let features: &[&str] = if is_core { &[] } else { &["io"] };
        Package {
            name: "probes",
            features,
            is_core,
        }
    }

    /// The probes of other libraries, which may panic.
    pub(crate) const NEIGHBOURS: Package = Package {
        name: "neighbours",
        features: &[],
        is_core: false,
    };
}

/// A probe and what was linked of it.
pub(crate) struct Probe {
    pub(crate) name: String,
    pub(crate) image: Image,
    /// It linked although nobody defines what a panic calls.
    pub(crate) is_panic_free: bool,
}

/// The workspace of everything that runs on a microcontroller.
pub(crate) fn workspace(root: &Path) -> PathBuf {
    root.join("examples/firmware")
}

/// The names of the binaries of a package; those of the adapters begin with `io`.
fn names(root: &Path, package: Package) -> Result<Vec<String>> {
    let folder = workspace(root).join(package.name).join("src/bin");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".rs").map(str::to_string));
    }
    names.retain(|name| !(package.is_core && name.starts_with("io")));
    names.sort();
    Ok(names)
}

/// Builds every probe of a package at one optimisation level.
pub(crate) fn build(
    root: &Path,
    toolchain: &Toolchain,
    package: Package,
    level: &str,
) -> Result<Vec<Probe>> {
    let toolchain = toolchain
        .clone()
        .with_flags(&["-Zemit-stack-sizes"])
        .unstable();
    let names = names(root, package)?;
    let features = package.features.to_vec();
    let mut linked = link(root, &toolchain, package, level, &names, &features)?;
    if linked.len() < names.len() {
        let is_missing = |name: &String| !linked.iter().any(|probe| probe.name == *name);
        let left: Vec<String> = names.into_iter().filter(is_missing).collect();
        let features = [features, vec!["may-panic"]].concat();
        let others = link(root, &toolchain, package, level, &left, &features)?;
        if others.len() < left.len() {
            bail!(
                "{}: of {} one at least does not link",
                package.name,
                left.join(", ")
            );
        }
        linked.extend(others.into_iter().map(|probe| Probe {
            is_panic_free: false,
            ..probe
        }));
    }
    linked.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(linked)
}

/// Builds and reads those that link.
fn link(
    root: &Path,
    toolchain: &Toolchain,
    package: Package,
    level: &str,
    names: &[String],
    features: &[&str],
) -> Result<Vec<Probe>> {
    let release = toolchain.release(root);
    for name in names {
        // What is left from another level must not be taken for this one's.
        fs::remove_file(release.join(name)).ok();
    }
    let features = features.join(",");
    let mut arguments = vec![
        "build",
        "--release",
        "--keep-going",
        "--package",
        package.name,
    ];
    arguments.extend(["--features", &features]);
    arguments.extend(names.iter().flat_map(|name| ["--bin", name]));
    let mut command = toolchain.cargo(root, &workspace(root), &arguments);
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    let output = command.output().context("cannot start cargo")?;
    let told = String::from_utf8_lossy(&output.stderr);
    let is_other_error = |line: &&str| {
        line.starts_with("error") && !line.contains("linking with") && !line.contains("could not")
    };
    if let Some(line) = told.lines().find(is_other_error) {
        bail!("{} at {level}: {line}\n{told}", package.name);
    }
    let mut probes = Vec::new();
    for name in names {
        let path = release.join(name);
        if path.exists() {
            let image = Image::read(&path)?;
            probes.push(Probe {
                name: name.clone(),
                image,
                is_panic_free: true,
            });
        } else if !told.contains("a_panic_is_reachable") {
            bail!("{} {name} at {level} does not link:\n{told}", package.name);
        }
    }
    Ok(probes)
}
