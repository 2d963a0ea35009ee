//! The crate's public items in, `include/sseam.h` out: cbindgen writes it, and
//! what is said here makes it read as if a C programmer had.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::step::{self, Done, Step, Tally};
use crate::tool;

mod sections; // What is not stable yet -> behind what is.

#[derive(clap::Args)]
pub(crate) struct HeaderArguments {
    /// Compares with the committed header instead of writing it
    #[arg(long)]
    check: bool,
    /// Installs what is missing
    #[arg(long)]
    install: bool,
}

const HEADER: &str = "include/sseam.h";

pub(crate) fn header(root: &Path, arguments: &HeaderArguments) -> Result<Tally> {
    let steps = vec![step(root, arguments.check)];
    tool::require(&steps, arguments.install)?;
    Ok(step::run_all(steps))
}

/// Writes the header, or compares it.
pub(crate) fn step(root: &Path, check: bool) -> Step {
    let root = root.to_path_buf();
    let work = move || {
        let generated = generate(&root)?;
        let path = root.join(HEADER);
        if !check {
            fs::write(&path, generated).with_context(|| format!("cannot write {HEADER}"))?;
            return Ok(Done::Passed);
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        match first_difference(&committed, &generated) {
            None => Ok(Done::Passed),
            Some(line) => bail!("{HEADER}:{line} is not what the source says: cargo xtask header"),
        }
    };
    Step::call("header", work).needs(&[tool::CBINDGEN])
}

/// The first line, from 1, in which two texts differ.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    let (mut a, mut b) = (a.split('\n'), b.split('\n'));
    (1..).find_map(|line| match (a.next(), b.next()) {
        (None, None) => Some(None),
        (a, b) => (a != b).then_some(Some(line)),
    })?
}

fn generate(root: &Path) -> Result<String> {
    let crate_folder = root.join("crates/sseam-capi");
    let raw = root.join("target/capi-header.h");
    let mut command = Command::new("cbindgen");
    command
        .arg("--quiet")
        .arg("--config")
        .arg(crate_folder.join("cbindgen.toml"));
    step::run(command.arg("--output").arg(&raw).arg(&crate_folder))?;
    let raw = fs::read_to_string(&raw).context("cbindgen wrote nothing")?;
    Ok(sections::apart(&polish(&raw)))
}

/// Makes the header read well in C.
fn polish(raw: &str) -> String {
    let text = raw
        .replace("//!", "")
        .replace(" * # Safety\n *\n * ", " * Contract: ");
    let text = text.replace("// __cplusplus", "/* __cplusplus */");
    let text = text.replace("// extern \"C\"", "/* extern \"C\" */");
    let mut lines = Vec::new();
    let mut is_in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("* ```") {
            is_in_code = !is_in_code;
            continue;
        }
        let line = if is_in_code {
            line.replacen("* ", "*     ", 1)
        } else {
            line.to_string()
        };
        lines.push(without_tag(&in_parentheses(line)));
    }
    within_guard(&joined_comments(&lines))
}

/// A negative number in a macro needs them.
fn in_parentheses(line: String) -> String {
    match line
        .strip_prefix("#define ")
        .and_then(|rest| rest.split_once(" -"))
    {
        Some((name, number)) => format!("#define {name} (-{number})"),
        None => line,
    }
}

/// Every struct has a typedef of its name; saying `struct` again is noise.
fn without_tag(line: &str) -> String {
    if line.starts_with("typedef struct ") {
        line.to_string()
    } else {
        line.replace("struct sseam_", "sseam_")
    }
}

/// A comment of one line stands on one line.
fn joined_comments(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        match after {
            [text, end, after @ ..] if line.trim() == "/**" && end.trim() == "*/" => {
                let indent = &line[..line.len() - 3];
                let text = text.trim().trim_start_matches("* ");
                joined.push(format!("{indent}/** {text} */"));
                rest = after;
            }
            _ => {
                joined.push(line.clone());
                rest = after;
            }
        }
    }
    joined
}

/// The macros come last, and within the guard too.
fn within_guard(lines: &[String]) -> String {
    let guard = lines
        .iter()
        .position(|line| line.starts_with("#endif") && line.contains("SSEAM_H"));
    let (before, after) = lines.split_at(guard.unwrap_or(lines.len()));
    let (guard, macros) = after.split_at(after.len().min(1));
    let mut text = [before, &macros[macros.len().min(1)..]].concat().join("\n");
    text.push_str("\n\n");
    text.push_str(&guard.join("\n"));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
