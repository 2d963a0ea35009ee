//! The C library: the corpora in, the instructions of a C program's loop out.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::figure::Figure;
use super::programs::{self, Programs, target_dir};
use crate::step;

/// Whether this tree has the library.
pub(crate) fn exists(root: &Path) -> bool {
    root.join("xtask/src/capi.rs").exists() && root.join("include/sseam.h").exists()
}

/// Builds the library and the program, and counts at these reads.
pub(crate) fn measure(root: &Path, reads: &str) -> Result<Vec<Figure>> {
    let (prefix, corpora) = (
        target_dir(root).join("capi"),
        target_dir(root).join("corpora"),
    );
    let mut capi = Command::new(env::current_exe()?);
    capi.args(["capi", "--prefix"]).arg(&prefix);
    step::run(capi.current_dir(root))?;

    let program = target_dir(root).join("feed");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]);
    compiler.arg(prefix.join("include")).arg("benches/c/feed.c");
    compiler
        .arg(prefix.join("lib/libsseam.a"))
        .arg("-o")
        .arg(&program);
    step::run(compiler.current_dir(root))?;

    let mut figures = Vec::new();
    for line in Programs::Rivals.write_corpora(root, &corpora)?.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, blocks, events] = fields.as_slice() else {
            bail!("no corpus: {line}");
        };
        let file = corpora.join(format!("{name}.sse"));
        let file = file.to_str().context("a path that is text")?;
        let arguments = [
            &[*name, file, *blocks, *events][..],
            &reads.split(',').collect::<Vec<_>>(),
        ];
        let folder = format!("c-{name}");
        figures.extend(programs::count_below_callgrind(
            root,
            &program,
            &arguments.concat(),
            &folder,
        )?);
    }
    Ok(figures)
}
