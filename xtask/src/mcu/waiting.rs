//! Firmware that waits: for a stream that falls silent, and before it connects
//! again.
//!
//! In: a machine and its program. Out: a failure, unless it prints the lines that
//! are stored. The emulator's clock counts instructions, so that a busy host
//! makes the firmware's time pass more slowly and never too fast.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::machine::{Guest, Machine};

/// A time between two comments; to the firmware it is much shorter.
const PAUSE: Duration = Duration::from_millis(1);

/// Plays a server that sends events, then nothing but comments, then nothing.
pub(crate) fn run(root: &Path, machine: &Machine, release: &Path) -> Result<()> {
    let counted = ["-icount", "shift=0,align=off,sleep=off"];
    let mut guest = Guest::start(machine, &release.join("waiting"), &counted)?;
    let mut lines = Vec::new();
    let mut connections = 0;
    while let Some(line) = guest.line()? {
        let is_connecting = line == "connecting";
        lines.push(line);
        if !is_connecting {
            continue;
        }
        connections += 1;
        match connections {
            1 => {
                guest.send(b"retry: 10\nid: 1\ndata: a\n\n")?;
                lines.extend(comments(&mut guest)?);
            }
            3 => guest.send(b"id: 2\ndata: b\n\n")?,
            _ => {}
        }
    }
    guest.finish()?;
    let stored = super::probe::workspace(root).join("demos/waiting.txt");
    let expected =
        fs::read_to_string(&stored).with_context(|| format!("cannot read {}", stored.display()))?;
    if !lines.iter().map(String::as_str).eq(expected.lines()) {
        bail!(
            "{} differs from what is printed:\n{}",
            stored.display(),
            lines.join("\n")
        );
    }
    println!("{}: {} lines, as stored", machine.name, lines.len());
    Ok(())
}

/// Sends comments until the guest has enough of them; gives the lines up to there.
fn comments(guest: &mut Guest) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    while !lines.iter().any(|line: &String| line.starts_with("silent")) {
        guest.send(b": ping\n\n")?;
        match guest.line_within(PAUSE)? {
            Some(line) => lines.push(line),
            None => continue,
        }
    }
    Ok(lines)
}
