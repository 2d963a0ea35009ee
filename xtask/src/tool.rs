//! What the steps need installed, and how to get it.
//!
//! In: steps. Out: a list that says of each tool whether it is here. What is
//! missing is installed only when the caller asked for it; otherwise the run
//! ends before its first step, with the lines that would install it. A tool that
//! a step only wants may be missing: its step is skipped and says how to get it.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::step::{self, Step};

mod known; // Each tool by its name.

pub(crate) use known::*;

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
    /// The same for another machine: `package:architecture`.
    Foreign(&'static str),
    /// A crate with a program in it.
    Crate(&'static str),
    /// Arguments for rustup.
    Rustup(&'static [&'static str]),
}

/// How Debian's packages are installed here.
const APT_INSTALL: &[&str] = &["apt-get", "install", "--yes", "--no-install-recommends"];

/// The lists of a mirror that is just being renewed fail to load, and the old ones
/// do: whether a package can be had is for its installation to say.
const APT_UPDATE: &str = "apt-get update || true";

/// Installs `package:architecture`. Where that cannot be, the architecture is taken
/// away again, whose lists every later update would load.
const APT_FOREIGN: &str = "dpkg --add-architecture \"${1#*:}\" && \
    { apt-get update || true; } && \
    apt-get install --yes --no-install-recommends \"$1\" || \
    { dpkg --remove-architecture \"${1#*:}\"; exit 1; }";

impl Tool {
    pub(crate) fn is_installed(&self) -> bool {
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

    /// Why a step that wants it was skipped.
    pub(crate) fn is_missing(&self) -> String {
        format!("no {}: {}", self.name, shown(&self.install_command()))
    }

    fn install_command(&self) -> Vec<&'static str> {
        match self.source {
            Source::Apt(package) => [APT_INSTALL, &[package]].concat(),
            Source::Foreign(package) => vec!["sh", "-c", APT_FOREIGN, "sh", package],
            Source::Crate(name) => vec!["cargo", "install", name, "--locked"],
            Source::Rustup(arguments) => [&["rustup"], arguments].concat(),
        }
    }
}

/// A command as one would type it.
fn shown(words: &[&str]) -> String {
    let quoted = words.iter().map(|word| match word.contains(' ') {
        true => format!("'{word}'"),
        false => (*word).to_string(),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Sees to it that everything the steps need is here, or fails before the first;
/// what they only want is looked for, and got where that can be done.
pub(crate) fn require<'a>(steps: impl IntoIterator<Item = &'a Step>, install: bool) -> Result<()> {
    println!("==> tools");
    let steps: Vec<&Step> = steps.into_iter().collect();
    let needed = named(&steps, |step| &step.needs);
    let wanted = named(&steps, |step| &step.wants);
    let missing = missing(&needed, "MISSING");
    let wanted: Vec<Tool> = wanted
        .into_iter()
        .filter(|tool| !needed.contains(tool))
        .collect();
    let missed = self::missing(&wanted, "missing, and not needed by all steps");
    if install {
        install_all(&missing, &missed)?;
    } else if !missing.is_empty() {
        let lines = install_lines(&missing);
        let lines: Vec<String> = lines.iter().map(|line| shown(line)).collect();
        bail!(
            "missing tools: add --install, or install them yourself:\n    {}",
            lines.join("\n    ")
        );
    }
    Ok(())
}

/// Prints of each tool whether it is here; returns those that are not.
fn missing(tools: &[Tool], word: &str) -> Vec<Tool> {
    let is_missing = |tool: &&Tool| {
        let is_installed = tool.is_installed();
        let here = if is_installed { "here" } else { word };
        println!("    {:<14} {here}", tool.name);
        !is_installed
    };
    tools.iter().filter(is_missing).copied().collect()
}

/// Installs what is missing; what is only wanted may fail to install.
fn install_all(missing: &[Tool], wanted: &[Tool]) -> Result<()> {
    for line in &install_lines(missing) {
        step::run(&mut command(line))?;
    }
    if let Some(tool) = missing.iter().find(|tool| !tool.is_installed()) {
        bail!(
            "{} was installed, yet `{}` fails",
            tool.name,
            tool.probe.join(" ")
        );
    }
    for line in &install_lines(wanted) {
        if let Err(error) = step::run(&mut command(line)) {
            println!("    {error:#}; the steps that want it are skipped");
        }
    }
    Ok(())
}

/// A line that installs something, which must not ask back: nobody may be there.
fn command(line: &[&str]) -> Command {
    let mut command = Command::new(line[0]);
    command.args(&line[1..]);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command.stdin(Stdio::null());
    command
}

/// Each tool that a step names, once.
fn named(steps: &[&Step], of: impl Fn(&Step) -> &[Tool]) -> Vec<Tool> {
    let mut named = Vec::new();
    for step in steps {
        for tool in of(step) {
            if !named.contains(tool) {
                named.push(*tool);
            }
        }
    }
    named
}

/// The lines that install `missing`; a new machine's package lists are empty,
/// hence the update before the first Debian package.
fn install_lines(missing: &[Tool]) -> Vec<Vec<&'static str>> {
    let from_apt = |tool: &&Tool| matches!(tool.source, Source::Apt(_));
    let update = missing
        .iter()
        .find(from_apt)
        .map(|_| vec!["sh", "-c", APT_UPDATE]);
    update
        .into_iter()
        .chain(missing.iter().map(Tool::install_command))
        .collect()
}

#[cfg(test)]
mod tests;
