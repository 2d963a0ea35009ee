//! What each part costs: probes, built and read.
//!
//! In: a toolchain and an optimisation level. Out: an image for each probe, and
//! which of them linked without a way to panic.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::image::Image;
use super::toolchain::Toolchain;

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

/// The names of the binaries of a package.
pub(crate) fn names(root: &Path, package: &str) -> Result<Vec<String>> {
    let folder = workspace(root).join(package).join("src/bin");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".rs").map(str::to_string));
    }
    names.sort();
    Ok(names)
}

/// Builds every probe of a package at one optimisation level.
pub(crate) fn build(
    root: &Path,
    toolchain: &Toolchain,
    package: &str,
    level: &str,
) -> Result<Vec<Probe>> {
    let names = names(root, package)?;
    let mut linked = link(root, toolchain, package, level, &names, &[])?;
    if linked.len() < names.len() {
        let left: Vec<String> = names
            .into_iter()
            .filter(|name| !linked.iter().any(|probe| probe.name == *name))
            .collect();
        let may_panic = ["--features", "may-panic"];
        let others = link(root, toolchain, package, level, &left, &may_panic)?;
        if others.len() < left.len() {
            bail!(
                "{package}: of {} one at least does not build",
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
    package: &str,
    level: &str,
    names: &[String],
    further: &[&str],
) -> Result<Vec<Probe>> {
    let release = toolchain.release(root);
    for name in names {
        // What is left from another level must not be taken for this one's.
        fs::remove_file(release.join(name)).ok();
    }
    let mut arguments = vec!["build", "--release", "--keep-going", "--package", package];
    arguments.extend(names.iter().flat_map(|name| ["--bin", name]));
    arguments.extend(further);
    let mut command = toolchain.cargo(root, &workspace(root), &arguments);
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    let output = command.output().context("cannot start cargo")?;
    let told = String::from_utf8_lossy(&output.stderr);
    let is_other_error = |line: &&str| {
        line.starts_with("error") && !line.contains("linking with") && !line.contains("could not")
    };
    if let Some(line) = told.lines().find(is_other_error) {
        bail!("{package} at {level}: {line}\n{told}");
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
            bail!("{package} {name} at {level} does not link:\n{told}");
        }
    }
    Ok(probes)
}
