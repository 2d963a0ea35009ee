//! Microcontrollers: what `cargo xtask mcu` prints in, figures out.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::figure::Figure;
use super::programs;

/// Whether this tree has the commands.
pub(crate) fn exists(root: &Path) -> bool {
    root.join("xtask/src/mcu.rs").exists()
}

/// Instructions of every machine, and flash of every probe.
pub(crate) fn measure(root: &Path) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for command in ["icount", "size"] {
        let mut xtask = Command::new(env::current_exe()?);
        let printed = programs::output(xtask.args(["mcu", command]).current_dir(root))?;
        let found = figures_in(&printed)?;
        if found.is_empty() {
            bail!("`cargo xtask mcu {command}` prints no figure");
        }
        figures.extend(found);
    }
    Ok(figures)
}

/// The figures among lines of all kinds. The name of a step says on which
/// machine or for which target those that follow were measured.
pub(crate) fn figures_in(printed: &str) -> Result<Vec<Figure>> {
    let (mut figures, mut place) = (Vec::new(), "");
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["==>", "mcu", _, machine, ..] => place = machine,
            ["==>", target] => place = target,
            ["icount", corpus, read, _, _, per_byte] => {
                let contender = match *read {
                    "0" => "tokenizer",
                    _ => "parser",
                };
                let read = if *read == "0" { "whole" } else { read };
                figures.push(figure(
                    "mcu",
                    &format!("{contender} {place}"),
                    corpus,
                    read,
                    per_byte,
                )?);
            }
            ["opt", level, probe, ".text", text, ..] => {
                let level = format!("opt {level}");
                figures.push(figure("flash", probe, place, &level, text)?);
            }
            _ => {}
        }
    }
    Ok(figures)
}

fn figure(part: &str, contender: &str, corpus: &str, read: &str, value: &str) -> Result<Figure> {
    let unit = if part == "mcu" {
        "instructions/byte"
    } else {
        ".text"
    };
    Ok(Figure {
        part: part.to_string(),
        contender: contender.to_string(),
        kind: "own".to_string(),
        corpus: corpus.to_string(),
        read: read.to_string(),
        unit: unit.to_string(),
        value: value
            .parse()
            .with_context(|| format!("no number: {value}"))?,
    })
}
