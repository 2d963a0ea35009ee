//! What the libraries export in; whether it is what the header declares, what a
//! list in the repository names, and what the tests call, out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{default_prefix, prefix};
use crate::step::{Done, Step};
use crate::tool;

/// The exported functions, one per line: a change of it is a change of the ABI.
const LIST: &str = "crates/sseam-capi/symbols.txt";
const TESTS: &str = "crates/sseam-capi/tests/c";

/// What the libraries may take from C: memory functions and the heap.
const ALLOWED: &[&str] = &[
    "bcmp",
    "free",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "realloc",
    // What every shared object of this toolchain refers to, weakly.
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
    "__cxa_finalize",
    "__gmon_start__",
    "_GLOBAL_OFFSET_TABLE_",
];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let root = root.to_path_buf();
    vec![Step::call("symbols", move || check(&root)).needs(&[tool::CC])]
}

fn check(root: &Path) -> Result<Done> {
    let lib = default_prefix(root).join("lib");
    let (shared, archive) = (lib.join("libsseam.so"), lib.join("libsseam.a"));
    let listed: BTreeSet<String> = read(root, LIST)?.lines().map(str::to_string).collect();
    let declared = functions(&read(root, "include/sseam.h")?);
    same("the header's functions", &declared, LIST, &listed)?;
    let exported = nm(&["-D", "--defined-only"], &shared)?;
    same("what libsseam.so exports", &exported, LIST, &listed)?;
    let global = nm(&["-g", "--defined-only"], &archive)?;
    same("what libsseam.a exports", &global, LIST, &listed)?;
    for (library, flags) in [(&shared, ["-D", "-u"]), (&archive, ["-g", "-u"])] {
        let needed = nm(&flags, library)?;
        let strange: Vec<&String> = needed
            .iter()
            .filter(|name| !ALLOWED.contains(&bare(name)))
            .collect();
        if !strange.is_empty() {
            bail!("{} needs {strange:?}", library.display());
        }
    }
    let objects = output(Command::new("ar").arg("t").arg(&archive))?;
    if objects.lines().count() != 1 {
        bail!("libsseam.a has more than one object:\n{objects}");
    }
    soname(&shared)?;
    called(root, &listed)?;
    println!(
        "{} functions: header = list = .so = .a; each is called by a C test",
        listed.len()
    );
    Ok(Done::Passed)
}

/// A name without the version of the library that it is to come from.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// The functions that a header declares.
fn functions(header: &str) -> BTreeSet<String> {
    let is_declaration = |line: &&str| !line.starts_with(['#', ' ', '*', '/']);
    let name = |line: &str| {
        let before = line.split_once('(')?.0;
        let name = before.rsplit([' ', '*']).next()?;
        (name.starts_with("sseam_") && !line.starts_with("typedef")).then(|| name.to_string())
    };
    header
        .lines()
        .filter(is_declaration)
        .filter_map(name)
        .collect()
}

fn nm(flags: &[&str], library: &Path) -> Result<BTreeSet<String>> {
    let text = output(Command::new("nm").args(flags).arg(library))?;
    let is_symbol = |line: &&str| !line.is_empty() && !line.ends_with(':');
    let name = |line: &str| line.rsplit(' ').next().map(str::to_string);
    Ok(text.lines().filter(is_symbol).filter_map(name).collect())
}

fn same(what: &str, found: &BTreeSet<String>, list: &str, listed: &BTreeSet<String>) -> Result<()> {
    let more: Vec<&String> = found.difference(listed).collect();
    let less: Vec<&String> = listed.difference(found).collect();
    if !more.is_empty() || !less.is_empty() {
        bail!("{what} differ from {list}: more {more:?}, less {less:?}");
    }
    Ok(())
}

/// The soname is the interface's number, the file's name the release's.
fn soname(shared: &Path) -> Result<()> {
    let dynamic = output(Command::new("readelf").arg("-d").arg(shared))?;
    let expected = format!("[libsseam.so.{}]", prefix::abi_version()?);
    if !dynamic
        .lines()
        .any(|line| line.contains("SONAME") && line.contains(&expected))
    {
        bail!("no soname {expected} in\n{dynamic}");
    }
    let real = fs::read_link(shared)?;
    if real != Path::new(&format!("libsseam.so.{}", prefix::VERSION)) {
        bail!("libsseam.so is {}, not the release's", real.display());
    }
    Ok(())
}

/// A function that no C program calls was never called from C.
fn called(root: &Path, listed: &BTreeSet<String>) -> Result<()> {
    let mut text = String::new();
    for entry in fs::read_dir(root.join(TESTS)).with_context(|| format!("no {TESTS}"))? {
        text.push_str(&fs::read_to_string(entry?.path()).unwrap_or_default());
    }
    let missing: Vec<&String> = listed
        .iter()
        .filter(|name| !text.contains(&format!("{}(", unnumbered(name))))
        .collect();
    if !missing.is_empty() {
        bail!("no program in {TESTS} calls {missing:?}");
    }
    Ok(())
}

/// The name that programs use: a macro of the header adds the interface's number.
fn unnumbered(name: &str) -> &str {
    name.trim_end_matches(|byte: char| byte.is_ascii_digit() || byte == '_')
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
