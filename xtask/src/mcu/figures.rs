//! The published figures: measured, kept, compared, and written down.
//!
//! In: `examples/firmware/figures.txt`, one figure a line, and what is measured
//! now. Out: a failure that names what grew by more than two in a hundred, and
//! the documents, whose tables must be those of the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::image::Image;
use super::machine::Machine;
use super::measure::icount;
use super::probe::{self, LEVELS, Package, Probe};
use super::toolchain::Toolchain;
use super::{answer, scenario, tables};

/// A figure by its name, such as `thumbv7em-none-eabihf s parser text`.
pub(super) type Figures = BTreeMap<String, u64>;

/// The firmware whose whole images are measured.
pub(super) const PROGRAMS: &[&str] = &["uart", "modem", "tasks", "big_event", "answer"];

/// A document, and the tables that it has of these figures.
type Document = (&'static str, fn(&Figures) -> String);

const DOCUMENTS: &[Document] = &[
    ("docs/microcontrollers.md", tables::all),
    ("README.md", tables::summary),
];

const BEGIN: &str = "<!-- figures: written by `cargo xtask mcu figures --write` -->";
const END: &str = "<!-- end of figures -->";

fn store(root: &Path) -> PathBuf {
    probe::workspace(root).join("figures.txt")
}

/// Measures the probes of one target: ours at every level; on the published one
/// also the neighbours, and each API alone.
pub(crate) fn of_target(root: &Path, toolchain: &Toolchain) -> Result<Figures> {
    let mut figures = Figures::new();
    let mut add = |package: Package, level: &str| -> Result<()> {
        for probe in probe::build(root, toolchain, package, level)? {
            add_probe(&mut figures, &toolchain.target, level, &probe);
        }
        Ok(())
    };
    for level in LEVELS {
        add(Package::new(false), level)?;
        add(Package::LLM, level)?;
    }
    for package in Package::ONE_API.iter().chain([&Package::LLM_STATE]) {
        add(*package, LEVELS[0])?;
    }
    if toolchain.target == super::TARGETS[0] {
        let others = [Package::NEIGHBOURS, Package::LOGGED];
        for package in others.iter().chain(Package::OTHER_APIS) {
            add(*package, LEVELS[0])?;
        }
        unused_costs_nothing(root, toolchain, &figures)?;
    }
    Ok(figures)
}

/// Fails if types that can be logged cost anything where nothing is logged.
fn unused_costs_nothing(root: &Path, toolchain: &Toolchain, without: &Figures) -> Result<()> {
    let mut with = Figures::new();
    for mut probe in probe::build(root, toolchain, Package::LOGGABLE, LEVELS[0])? {
        // Two bytes name defmt's version; its linker script moves them out of
        // flash, and here is none.
        let marks = probe.image.constants.iter();
        let marks = marks.filter(|(name, _)| name.starts_with("_defmt_"));
        probe.image.rodata -= marks.map(|(_, len)| len).sum::<u64>();
        add_probe(&mut with, &toolchain.target, LEVELS[0], &probe);
    }
    for (key, value) in &with {
        if without.get(key) != Some(value) {
            bail!(
                "{key} is {value} with the feature defmt, and {:?} without",
                without.get(key)
            );
        }
    }
    println!(
        "{} figures, the same with the feature defmt and nothing logged",
        with.len()
    );
    Ok(())
}

fn add_probe(figures: &mut Figures, target: &str, level: &str, probe: &Probe) {
    let image = &probe.image;
    let values = [
        ("text", image.text),
        ("text-of-memcpy", image.text_of_memory_functions()),
        ("rodata", image.rodata + image.data),
        ("bss", image.bss),
        ("stack", image.chain("probe").bytes),
        ("panics", image.panics().len() as u64),
    ];
    for (what, value) in values {
        figures.insert(format!("{target} {level} {} {what}", probe.name), value);
    }
    for (constant, len) in &image.constants {
        if let Some(what) = constant.strip_prefix("size_of_") {
            figures.insert(format!("{target} - state {what}"), *len);
        }
    }
}

/// Counts instructions on one machine, and measures whole programs.
pub(crate) fn of_machine(root: &Path, machine: &Machine, release: &Path) -> Result<Figures> {
    let mut figures = Figures::new();
    for line in icount(machine, release)? {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, stream, read_len, bytes, instructions, _] = words[..] else {
            bail!("{line:?} is no count");
        };
        let per_100 = instructions.parse::<u64>()? * 100 / bytes.parse::<u64>()?;
        figures.insert(
            format!("{} s icount {stream}-{read_len}", machine.name),
            per_100,
        );
    }
    let mut add = |program: &str, what: &str, value: u64| {
        figures.insert(format!("{} s {program} {what}", machine.name), value);
    };
    for program in PROGRAMS {
        let image = Image::read(&release.join(program))?;
        add(program, "flash", image.text + image.rodata + image.data);
        add(program, "static", image.data + image.bss);
    }
    let memory = scenario::modem(root, machine, release)?;
    add("modem", "stack", memory.stack);
    add("modem", "event-memory", memory.event_memory);
    add("modem", "buffers", memory.buffers);
    add("answer", "stack", answer::run(root, machine, release)?);
    Ok(figures)
}

/// Keeps what was measured, beside what was not, and writes the tables.
pub(crate) fn write(root: &Path, measured: Figures) -> Result<()> {
    let mut figures = read(root).unwrap_or_default();
    // What a target no longer has must not stay.
    let heads: Vec<String> = measured.keys().filter_map(|key| head(key)).collect();
    figures.retain(|key, _| head(key).is_none_or(|head| !heads.contains(&head)));
    figures.extend(measured);
    let lines: String = figures
        .iter()
        .map(|(key, value)| format!("{key} {value}\n"))
        .collect();
    fs::write(store(root), lines)?;
    for document in DOCUMENTS {
        let text = read_document(root, document)?;
        fs::write(
            root.join(document.0),
            with_tables(&text, document, &figures)?,
        )?;
    }
    Ok(())
}

/// The first word: a target or a machine.
fn head(key: &str) -> Option<String> {
    key.split(' ').next().map(str::to_string)
}

fn read(root: &Path) -> Result<Figures> {
    let path = store(root);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let figure = |line: &str| {
        let (key, value) = line.rsplit_once(' ').context("a line without a figure")?;
        Ok((key.to_string(), value.parse()?))
    };
    text.lines().map(figure).collect()
}

/// Holds what was measured against what is kept.
pub(crate) fn compare(root: &Path, measured: &Figures) -> Result<()> {
    let kept = read(root)?;
    let mut worse = Vec::new();
    for (key, value) in measured {
        let Some(before) = kept.get(key) else {
            worse.push(format!("{key} is {value} and was never kept"));
            continue;
        };
        // Two in a hundred, and a few bytes where that is less.
        let most = before + (before / 50).max(if *before == 0 { 0 } else { 8 });
        if *value > most {
            worse.push(format!("{key} is {value}, it was {before}"));
        }
    }
    if !worse.is_empty() {
        bail!(
            "{}\nif that is wanted: cargo xtask mcu figures --write",
            worse.join("\n")
        );
    }
    println!("{} figures, none worse by more than 2 %", measured.len());
    Ok(())
}

/// Fails unless the documents show the figures that are kept.
pub(crate) fn check_documents(root: &Path) -> Result<()> {
    let figures = read(root)?;
    for document in DOCUMENTS {
        let text = read_document(root, document)?;
        if with_tables(&text, document, &figures)? != text {
            bail!(
                "{} shows other figures than are kept; run `cargo xtask mcu figures --write`",
                document.0
            );
        }
    }
    Ok(())
}

fn read_document(root: &Path, document: &Document) -> Result<String> {
    let name = document.0;
    fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"))
}

fn with_tables(text: &str, document: &Document, figures: &Figures) -> Result<String> {
    let (before, rest) = text
        .split_once(BEGIN)
        .context("the document has no place for tables")?;
    let (_, after) = rest
        .split_once(END)
        .context("the document's place for tables has no end")?;
    Ok(format!(
        "{before}{BEGIN}\n\n{}{END}{after}",
        (document.1)(figures)
    ))
}
