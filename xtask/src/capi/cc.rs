//! C and C++ programs: sources and flags in, a program out, and then its run.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail};

use super::default_prefix;
use crate::step;

/// Warnings are errors in all that is ours.
pub(crate) const STRICT: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Address and undefined-behaviour sanitizers, whose first finding ends the run.
pub(crate) const SANITIZED: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

/// Which of the libraries a program is linked to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    Static,
    Shared,
}

/// A program to be compiled.
pub(crate) struct Program<'a> {
    /// The name of the result; each variant needs one of its own.
    pub(crate) name: &'a str,
    /// `gcc -std=c99`, as one would type it.
    pub(crate) compiler: &'a str,
    pub(crate) flags: &'a [&'a str],
    /// Relative to the repository's root.
    pub(crate) source: &'a str,
    pub(crate) library: Library,
    /// Behind the libraries, such as `-lcurl`.
    pub(crate) last: &'a [&'a str],
}

impl Program<'_> {
    /// Compiles and links it, with every warning an error.
    pub(crate) fn build(&self, root: &Path) -> Result<PathBuf> {
        let folder = folder(root)?;
        let program = folder.join(self.name);
        let mut words = self.compiler.split(' ');
        let mut command = Command::new(words.next().unwrap_or("cc"));
        let prefix = default_prefix(root);
        command
            .current_dir(root)
            .args(words)
            .args(STRICT)
            .args(["-g", "-O1"])
            .args(self.flags);
        command
            .arg("-I")
            .arg(prefix.join("include"))
            .arg(self.source);
        command.arg("-o").arg(&program);
        match self.library {
            Library::Static => {
                command.arg(prefix.join("lib/libsseam.a"));
            }
            Library::Shared => {
                let lib = prefix.join("lib");
                command.arg("-L").arg(&lib).arg("-lsseam");
                command.arg(format!("-Wl,-rpath,{}", lib.display()));
            }
        }
        step::run(command.args(self.last))?;
        Ok(program)
    }
}

/// Where the programs go.
pub(crate) fn folder(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/capi-tests");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Runs a program that is to end with success.
pub(crate) fn run(program: &Path, arguments: &[&str]) -> Result<()> {
    step::run(Command::new(program).args(arguments))
}

/// Runs commands, as many at a time as the machine has processors, and fails as the
/// first that failed.
pub(crate) fn run_all(commands: Vec<Command>) -> Result<()> {
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    let commands = Mutex::new(commands.into_iter());
    let next = || commands.lock().ok()?.next();
    let work = || {
        while let Some(mut command) = next() {
            step::run(&mut command)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| {
            let panicked = |_| Err(anyhow::anyhow!("a worker panicked"));
            worker.join().unwrap_or_else(panicked)
        });
        // All are waited for, also behind one that failed.
        ended.collect::<Vec<Result<()>>>().into_iter().collect()
    })
}

/// Runs a command and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = format!("{command:?}");
    let output = command
        .output()
        .with_context(|| format!("cannot start {shown}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("{shown} ended with {}:\n{printed}\n{error}", output.status);
    }
    Ok(printed)
}
