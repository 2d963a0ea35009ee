//! Every combination of features on the targets without compare-and-swap, and
//! every public function in a probe.
//!
//! In: the crates. Out: a failure that names what does not build, or which
//! function no probe calls.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use syn::visit::Visit;

use super::probe::workspace;
use super::toolchain::Toolchain;
use crate::step::{self, Step};

/// The crates for microcontrollers, and their features.
const CRATES: &[(&str, &[&str])] = &[
    ("sseam-core", &["defmt", "heapless", "wide-scan"]),
    ("sseam-embedded-io", &["defmt"]),
];

/// The APIs of `sseam-llm`: they do not know each other, so that each alone, and
/// all of them, stand for every set.
const APIS: &[&str] = &[
    "openai-responses",
    "openai-chat",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "cohere",
    "mcp",
    "custom",
    "auto",
];

/// Behind `wide-scan`, which microcontrollers leave off.
const FOR_SERVERS: &str = "sseam-core/src/whole.rs";

/// The target where each set is checked: it has the fewest of instructions. What
/// builds there in every set, and elsewhere with no feature and with all of them,
/// has no way left to fail: features only add.
const EVERY_SET: &str = "thumbv6m-none-eabi";

/// Checks each crate with each set of its features, or with none and with all.
pub(crate) fn combinations(root: &Path, toolchain: &Toolchain) -> Result<()> {
    let is_every = toolchain.target == EVERY_SET;
    for (name, features) in CRATES {
        let all = (1_u32 << features.len()) - 1;
        for set in (0..=all).filter(|set| is_every || [0, all].contains(set)) {
            let chosen = features
                .iter()
                .enumerate()
                .filter(|(bit, _)| set >> bit & 1 == 1);
            let chosen: Vec<&str> = chosen.map(|(_, feature)| *feature).collect();
            check(root, toolchain, name, &chosen.join(","))?;
        }
    }
    let alone = APIS.iter().filter(|_| is_every).map(ToString::to_string);
    for list in alone.chain([String::new(), APIS.join(",")]) {
        check(root, toolchain, "sseam-llm", &list)?;
    }
    Ok(())
}

fn check(root: &Path, toolchain: &Toolchain, name: &str, features: &str) -> Result<()> {
    let arguments = [
        "check",
        "--quiet",
        "--no-default-features",
        "--package",
        name,
        "--features",
        features,
    ];
    step::run(&mut toolchain.cargo(root, root, &arguments))
}

/// On this machine: that an API which was left out is never taken for complete.
pub(crate) fn one_api(root: &Path) -> Step {
    let arguments = [
        "test",
        "--package",
        "sseam-llm",
        "--no-default-features",
        "--features",
        APIS[0],
        "--test",
        "it",
        "features::",
    ];
    Step::command("mcu one API", step::cargo(root, &arguments))
}

/// Fails where a public function is called by no probe: it would escape the
/// proof that nothing panics.
pub(crate) fn coverage(root: &Path) -> Result<()> {
    let mut called = BTreeSet::new();
    let probes = [
        workspace(root).join("probes/src"),
        // The probe of `sseam-llm` is part of its own tests.
        root.join("crates/sseam-llm/tests/panic_free/src"),
    ];
    for folder in probes {
        for path in rust_files(&folder)? {
            called.extend(words(&fs::read_to_string(&path)?));
        }
    }
    let mut missing = Vec::new();
    let names = CRATES.iter().map(|(name, _)| *name);
    for name in names.chain(["sseam-llm"]) {
        for path in rust_files(&root.join("crates").join(name).join("src"))? {
            if path.ends_with(FOR_SERVERS) {
                continue;
            }
            let text = fs::read_to_string(&path)?;
            let mut functions = Functions::default();
            functions.visit_file(&syn::parse_file(&text)?);
            let unseen = functions
                .names
                .into_iter()
                .filter(|name| !called.contains(name));
            missing.extend(unseen.map(|name| format!("{}: {name}", path.display())));
        }
    }
    if !missing.is_empty() {
        bail!(
            "public functions that no probe calls:\n{}",
            missing.join("\n")
        );
    }
    Ok(())
}

/// The names of public functions and methods.
#[derive(Default)]
struct Functions {
    names: Vec<String>,
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if matches!(item.vis, syn::Visibility::Public(_)) {
            self.names.push(item.sig.ident.to_string());
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if matches!(item.vis, syn::Visibility::Public(_)) {
            self.names.push(item.sig.ident.to_string());
        }
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(str::to_string)
        .collect()
}

fn rust_files(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
