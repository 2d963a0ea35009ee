//! Figures as lines of text, each a name and its numbers.
//!
//! In: probes and machines. Out: lines for a person; the same numbers are what
//! `figures.rs` keeps and compares.

use std::path::Path;

use anyhow::{Result, bail};

use super::machine::{Guest, Machine};
use super::probe::Probe;

/// What a probe costs in flash and in static memory.
pub(crate) fn size(level: &str, probe: &Probe) -> String {
    let image = &probe.image;
    format!(
        "opt {level} {:<14} .text {:>6} (of it memcpy and the like {:>4}) .rodata {:>5} \
         .data {} .bss {}",
        probe.name,
        image.text,
        image.text_of_memory_functions(),
        image.rodata,
        image.data,
        image.bss
    )
}

/// The longest chain of calls of a probe.
pub(crate) fn stack(level: &str, probe: &Probe) -> String {
    let chain = probe.image.chain("probe");
    let mut line = format!(
        "opt {level} {:<14} {:>4}: {}",
        probe.name,
        chain.bytes,
        chain.names.join(" > ")
    );
    if chain.is_recursive {
        line.push_str("; recursive");
    }
    if !chain.unknown.is_empty() {
        let unknown: Vec<String> = chain.unknown.into_iter().collect();
        line.push_str(&format!("; not counted: {}", unknown.join(", ")));
    }
    line
}

/// Whether a probe can panic.
pub(crate) fn panics(level: &str, probe: &Probe) -> String {
    let told = match (probe.is_panic_free, probe.image.panics()) {
        (true, _) => "no panic is reachable: it links without".to_string(),
        (false, panics) if panics.is_empty() => {
            "no panic is reachable but that of async functions polled again".to_string()
        }
        (false, panics) => {
            format!(
                "CAN PANIC: {}",
                panics.into_iter().collect::<Vec<_>>().join(", ")
            )
        }
    };
    format!("opt {level} {:<14} {told}", probe.name)
}

/// Instructions for each byte, as the firmware counts them.
pub(crate) fn icount(machine: &Machine, release: &Path) -> Result<Vec<String>> {
    let exact = ["-icount", "shift=0,align=off,sleep=off"];
    let guest = Guest::start(machine, &release.join("perf"), &exact)?;
    let lines = guest.finish()?;
    if lines.is_empty() || lines.iter().any(|line| !line.starts_with("icount ")) {
        bail!("the firmware counted nothing: {lines:?}");
    }
    Ok(lines)
}
