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
    /// Those of its binaries that are meant.
    bins: Bins,
    /// What stands before the probes' names, where features tell them apart.
    label: &'static str,
}

#[derive(Clone, Copy)]
enum Bins {
    /// All, but those that features of their own name.
    All,
    /// Those that need nothing but the core.
    Core,
    One(&'static str),
}

impl Package {
    /// The probes of the core, and of the adapters unless only the core is meant.
    pub(crate) const fn new(is_core: bool) -> Package {
        match is_core {
            true => Package::of_core(&[], ""),
            false => Package {
                bins: Bins::All,
                ..Package::of_core(&["io"], "")
            },
        }
    }

    const fn of_core(features: &'static [&'static str], label: &'static str) -> Package {
        Package {
            name: "probes",
            features,
            bins: Bins::Core,
            label,
        }
    }

    const fn one(
        bin: &'static str,
        features: &'static [&'static str],
        label: &'static str,
    ) -> Package {
        Package {
            bins: Bins::One(bin),
            ..Package::of_core(features, label)
        }
    }

    /// The core's types can be logged, and nothing logs them.
    pub(crate) const LOGGABLE: Package = Package::of_core(&["defmt"], "");

    /// Each event is logged.
    pub(crate) const LOGGED: Package = Package::one("log", &["log"], "");

    /// Answers of AI APIs: every public function.
    pub(crate) const LLM: Package = Package::one("llm_all", &["llm-all"], "");

    /// What the reading of an answer keeps.
    pub(crate) const LLM_STATE: Package = Package::one("llm_state", &["llm"], "");

    /// Answers of AI APIs, from events and from bytes: of one on every target.
    pub(crate) const ONE_API: &[Package] = &[
        Package::one("llm", &["llm-responses"], "responses_"),
        Package::one("llm_answer", &["llm-responses"], "responses_"),
    ];

    /// The same of others and of all of them, on one target.
    pub(crate) const OTHER_APIS: &[Package] = &[
        Package::one("llm", &["llm-chat"], "chat_"),
        Package::one("llm", &["llm-anthropic"], "anthropic_"),
        Package::one("llm", &["llm-gemini"], "gemini_"),
        Package::one("llm", &["llm-all"], "every_"),
        Package::one("llm_answer", &["llm-chat"], "chat_"),
        Package::one("llm_answer", &["llm-all"], "every_"),
    ];

    /// What the probes of answers cost, all of them.
    pub(crate) fn answers() -> impl Iterator<Item = Package> {
        let all = [Package::ONE_API, Package::OTHER_APIS, &[Package::LLM]];
        all.into_iter().flatten().copied()
    }

    /// The probes of other libraries, which may panic.
    pub(crate) const NEIGHBOURS: Package = Package {
        name: "neighbours",
        bins: Bins::All,
        ..Package::of_core(&[], "")
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

/// The names of the binaries that are meant; those of the adapters begin with
/// `io`, those of answers with `llm`.
fn names(root: &Path, package: Package) -> Result<Vec<String>> {
    if let Bins::One(name) = package.bins {
        return Ok(vec![name.to_string()]);
    }
    let folder = workspace(root).join(package.name).join("src/bin");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".rs").map(str::to_string));
    }
    let is_core = matches!(package.bins, Bins::Core);
    names.retain(|name| !name.starts_with("llm") && name != "log");
    names.retain(|name| !(is_core && name.starts_with("io")));
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
    for probe in &mut linked {
        probe.name.insert_str(0, package.label);
    }
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
