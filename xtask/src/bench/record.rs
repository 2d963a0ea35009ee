//! What a whole run leaves behind: figures in; a record of the day, the tables
//! of the documentation and the plot of the README out.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::figure::{Figure, HEADER};
use super::{programs, report};
use crate::step::{self, Done};

const DOCUMENT: &str = "docs/performance.md";
const PLOT: &str = "docs/speed.svg";
/// The tables of the document stand between these lines.
const BEGIN: &str = "<!-- tables: `cargo xtask bench` writes what follows -->";
const END: &str = "<!-- end of tables -->";

/// Writes all of it.
pub(crate) fn write(root: &Path, figures: &[Figure]) -> Result<Done> {
    for part in [
        "instructions",
        "long",
        "linear",
        "time",
        "heap",
        "delay",
        "streams",
    ] {
        if !figures.iter().any(|figure| figure.part == part) {
            bail!("no figures of {part}: a record has all of them");
        }
    }
    let day = time::OffsetDateTime::now_utc().date();
    let record = format!("benches/record/{day}.csv");
    let lines = figures.iter().map(|figure| format!("{figure}\n"));
    let text = format!("{HEADER}\n{}", lines.collect::<String>());
    fs::create_dir_all(root.join("benches/record"))?;
    fs::write(root.join(&record), text).with_context(|| record.clone())?;

    let path = root.join(DOCUMENT);
    let document = fs::read_to_string(&path).with_context(|| DOCUMENT.to_string())?;
    let tables = format!(
        "\nOn {day}, with {}:\n{}",
        compiler()?,
        report::tables(figures)
    );
    fs::write(&path, with_tables(&document, &tables)?)?;

    let mut plot = step::cargo(root, &["run", "--manifest-path", "benches/plot/Cargo.toml"]);
    plot.arg("--locked")
        .arg("--target-dir")
        .arg(programs::target_dir(root));
    step::run(plot.args(["--", &record, PLOT]))?;
    Ok(Done::Passed)
}

/// The compiler's name and version.
fn compiler() -> Result<String> {
    let version = programs::output(std::process::Command::new("rustc").arg("--version"))?;
    Ok(version.trim().to_string())
}

/// The document with these tables in the place of the old ones.
pub(crate) fn with_tables(document: &str, tables: &str) -> Result<String> {
    let parts = document.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| format!("{DOCUMENT} has no place for tables"))?;
    Ok(format!("{before}{BEGIN}\n{tables}\n{END}{after}"))
}
