//! The published figures: measured, kept, compared, and shown as tables.
//!
//! In: `examples/firmware/figures.txt`, one figure a line, and what is measured
//! now. Out: a failure that names what grew by more than two in a hundred, and
//! the tables of `docs/microcontrollers.md`, which must be those of the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::machine::{MACHINES, Machine};
use super::measure::icount;
use super::probe::{self, LEVELS, Package, Probe};
use super::toolchain::Toolchain;

/// A figure by its name, such as `thumbv7em-none-eabihf s parser text`.
type Figures = BTreeMap<String, u64>;

const DOCUMENT: &str = "docs/microcontrollers.md";
const BEGIN: &str = "<!-- figures: written by `cargo xtask mcu figures --write` -->";
const END: &str = "<!-- end of figures -->";

fn store(root: &Path) -> PathBuf {
    probe::workspace(root).join("figures.txt")
}

/// Measures the probes of one target: ours at every level, the neighbours on the
/// published one.
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
    }
    if toolchain.target == super::TARGETS[0] {
        add(Package::NEIGHBOURS, LEVELS[0])?;
    }
    Ok(figures)
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

/// Counts instructions on one machine.
pub(crate) fn of_machine(machine: &Machine, release: &Path) -> Result<Figures> {
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
    let path = root.join(DOCUMENT);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {DOCUMENT}"))?;
    fs::write(&path, with_tables(&text, &figures)?)?;
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

/// Fails unless the document shows the figures that are kept.
pub(crate) fn check_document(root: &Path) -> Result<()> {
    let text = fs::read_to_string(root.join(DOCUMENT))
        .with_context(|| format!("cannot read {DOCUMENT}"))?;
    if with_tables(&text, &read(root)?)? != text {
        bail!(
            "{DOCUMENT} shows other figures than are kept; run `cargo xtask mcu figures --write`"
        );
    }
    Ok(())
}

fn with_tables(text: &str, figures: &Figures) -> Result<String> {
    let (before, rest) = text
        .split_once(BEGIN)
        .context("the document has no place for tables")?;
    let (_, after) = rest
        .split_once(END)
        .context("the document's place for tables has no end")?;
    Ok(format!(
        "{before}{BEGIN}\n\n{}{END}{after}",
        tables(figures)
    ))
}

/// The parts that are shown, by the names of their probes.
const PARTS: &[(&str, &str)] = &[
    ("parser", "parser: `next_event` and its views"),
    ("parsers3", "three parsers of three capacities"),
    ("tokenizer", "tokenizer alone"),
    ("encoder", "encoder"),
    ("io_chunked", "chunked bodies"),
    ("io_head", "head of an answer"),
    ("httparse", "httparse: head of an answer, 16 fields"),
    ("httparse_chunk", "httparse: size of a chunk"),
    ("picojson", "picojson: stream, 32-bit integers, no floats"),
    ("serde_json_core", "serde-json-core: three fields"),
];

fn tables(figures: &Figures) -> String {
    let mut text = String::new();
    let targets: Vec<&str> = super::TARGETS.to_vec();
    for target in &targets {
        text.push_str(&flash_table(figures, target));
    }
    text.push_str(&state_table(figures, &targets));
    text.push_str(&count_table(figures));
    text
}

fn flash_table(figures: &Figures, target: &str) -> String {
    let mut text = format!(
        "**{target}**: bytes of flash, `.text` + `.rodata`, and of it `memcpy` and the like; then \
         the longest chain of calls in bytes of stack\n\n\
         | part | opt s | opt z | opt 3 | stack at s | panics |\n\
         | --- | ---: | ---: | ---: | ---: | --- |\n"
    );
    for (probe, what) in PARTS {
        let of = |level: &str, what: &str| figures.get(&format!("{target} {level} {probe} {what}"));
        let flash = |level: &str| {
            let (text, rodata) = (of(level, "text")?, of(level, "rodata")?);
            let copying = of(level, "text-of-memcpy").copied().unwrap_or(0);
            let copying = if copying > 0 {
                format!(" ({copying})")
            } else {
                String::new()
            };
            Some(format!("{text} + {rodata}{copying}"))
        };
        let panics = match of("s", "panics") {
            Some(0) => "none",
            _ => "reachable",
        };
        if flash(LEVELS[0]).is_none() {
            continue;
        }
        let cells: Vec<String> = LEVELS
            .iter()
            .map(|level| flash(level).unwrap_or_default())
            .collect();
        let stack = of("s", "stack").copied().unwrap_or(0);
        text.push_str(&format!(
            "| {what} | {} | {stack} | {panics} |\n",
            cells.join(" | ")
        ));
    }
    text + "\n"
}

fn state_table(figures: &Figures, targets: &[&str]) -> String {
    let mut text = String::from(
        "State in bytes, besides the memory that the caller lends\n\n\
         | target | engine | parser over a slice | tokenizer |\n\
         | --- | ---: | ---: | ---: |\n",
    );
    for target in targets {
        let of = |what: &str| {
            figures
                .get(&format!("{target} - state {what}"))
                .copied()
                .unwrap_or(0)
        };
        let (engine, parser, tokenizer) = (of("engine"), of("parser"), of("tokenizer"));
        text.push_str(&format!(
            "| {target} | {engine} | {parser} | {tokenizer} |\n"
        ));
    }
    text + "\n"
}

/// The streams and reads that are counted, in the order of the columns.
const COUNTS: &[&str] = &["4096", "256", "64", "1", "0"];

fn count_table(figures: &Figures) -> String {
    let mut text = String::from(
        "Instructions per byte at opt s, by the length of a read; the last column is the \
         tokenizer alone\n\n\
         | machine | stream | 4096 | 256 | 64 | 1 | tokenizer |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let streams = [
        ("chat", "`data` alone, 201 bytes an event"),
        ("blocks", "`event` and `data`, 114 bytes"),
        ("delta71", "`event`, `id` and `data`, 71 bytes"),
    ];
    for machine in MACHINES {
        for (stream, what) in streams {
            let of = |read_len: &&str| {
                let key = format!("{} s icount {stream}-{read_len}", machine.name);
                let hundredths = figures.get(&key)?;
                Some(format!("{}.{:02}", hundredths / 100, hundredths % 100))
            };
            if let Some(cells) = COUNTS.iter().map(of).collect::<Option<Vec<_>>>() {
                text.push_str(&format!(
                    "| {} | {what} | {} |\n",
                    machine.what,
                    cells.join(" | ")
                ));
            }
        }
    }
    text + "\n"
}
