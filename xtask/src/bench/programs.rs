//! The measuring programs: built, run, and run below callgrind. Their lines come
//! in, figures go out.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::figure::Figure;
use crate::step;

/// A workspace with measuring programs.
#[derive(Clone, Copy)]
pub(crate) enum Programs {
    /// sseam and the floors.
    Own,
    /// Those and the rivals.
    Rivals,
}

/// A string instruction that copies or fills is one instruction for a machine and
/// one for each byte for callgrind. The C library is told to use vectors instead.
const TUNABLES: &str = "glibc.cpu.x86_rep_movsb_threshold=1000000000:\
                        glibc.cpu.x86_rep_stosb_threshold=1000000000";

/// Where the programs are built: both workspaces share what they can.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("bench")
}

impl Programs {
    fn manifest(self) -> &'static str {
        match self {
            Programs::Own => "benches/Cargo.toml",
            Programs::Rivals => "benches/rivals/Cargo.toml",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Programs::Own => "sseam-bench",
            Programs::Rivals => "sseam-bench-rivals",
        }
    }

    /// A command of cargo in this workspace.
    pub(crate) fn cargo(self, root: &Path, arguments: &[&str]) -> Command {
        let mut command = step::cargo(root, arguments);
        command.args(["--manifest-path", self.manifest(), "--target-dir"]);
        command.arg(target_dir(root));
        command
    }

    /// Builds the programs. Those of an earlier run are removed first, lest they
    /// be measured where today's cannot be built.
    pub(crate) fn build(self, root: &Path) -> Result<()> {
        for suffix in ["", "-heap"] {
            let program = self.program(root, suffix);
            if program.exists() {
                fs::remove_file(&program)?;
            }
        }
        // Not `--locked`: a new dependency of sseam's own is no reason to fail,
        // and the versions of the rivals stay as they are locked all the same.
        step::run(&mut self.cargo(root, &["build", "--release"]))
    }

    fn program(self, root: &Path, suffix: &str) -> PathBuf {
        let name = format!("{}{suffix}{}", self.name(), env::consts::EXE_SUFFIX);
        target_dir(root).join("release").join(name)
    }

    /// The names of all contenders that the program knows.
    pub(crate) fn contenders(self, root: &Path) -> Result<Vec<String>> {
        let lines = output(Command::new(self.program(root, "")).arg("list"))?;
        Ok(lines.lines().map(str::to_string).collect())
    }

    /// Runs the program that measures time and the like.
    pub(crate) fn run(self, root: &Path, arguments: &[&str]) -> Result<Vec<Figure>> {
        figures(Command::new(self.program(root, "")).args(arguments))
    }

    /// Runs the program whose allocator counts.
    pub(crate) fn run_heap(self, root: &Path, arguments: &[&str]) -> Result<Vec<Figure>> {
        figures(Command::new(self.program(root, "-heap")).args(arguments))
    }

    /// Counts instructions, once it is known whether the events are seen.
    pub(crate) fn count(
        self,
        root: &Path,
        contender: &str,
        corpora: &str,
        reads: &str,
    ) -> Result<Vec<Figure>> {
        let checked = self.run(root, &["check", contender, corpora, reads])?;
        let mut dumps = self.below_callgrind(root, &["count", contender, corpora, reads])?;
        if checked.len() != dumps.len() {
            bail!("{} checks and {} counts", checked.len(), dumps.len());
        }
        for ((figure, _), check) in dumps.iter_mut().zip(&checked) {
            if check.value == 0.0 {
                figure.unit.push('*');
            }
        }
        per_unit_all(&dumps)
    }

    /// Counts the instructions of many streams in turns.
    pub(crate) fn count_streams(self, root: &Path, contender: &str) -> Result<Vec<Figure>> {
        let streams = "1000";
        per_unit_all(&self.below_callgrind(root, &["count-streams", contender, streams])?)
    }

    fn below_callgrind(self, root: &Path, arguments: &[&str]) -> Result<Vec<(Figure, f64)>> {
        below_callgrind(
            root,
            &self.program(root, ""),
            arguments,
            &arguments.join("-"),
        )
    }

    /// Writes each corpus to a file, and tells their names, blocks and events.
    pub(crate) fn write_corpora(self, root: &Path, folder: &Path) -> Result<String> {
        let mut command = Command::new(self.program(root, ""));
        output(command.arg("write").arg(empty_dir(folder)?))
    }
}

/// Counts the instructions of another program that prints the same lines.
pub(crate) fn count_below_callgrind(
    root: &Path,
    program: &Path,
    arguments: &[&str],
    folder: &str,
) -> Result<Vec<Figure>> {
    per_unit_all(&below_callgrind(root, program, arguments, folder)?)
}

/// Runs a program below callgrind. Each line that it prints is about one dump,
/// whose total comes beside it.
fn below_callgrind(
    root: &Path,
    program: &Path,
    arguments: &[&str],
    folder: &str,
) -> Result<Vec<(Figure, f64)>> {
    let dumps = empty_dir(&target_dir(root).join("callgrind").join(folder))?;
    let mut command = Command::new("valgrind");
    command
        .env("GLIBC_TUNABLES", TUNABLES)
        .args(["--quiet", "--tool=callgrind"])
        .arg("--toggle-collect=*sseam_measured_feed*")
        .arg("--dump-before=*sseam_measured_dump*")
        .arg(format!(
            "--callgrind-out-file={}",
            dumps.join("out").display()
        ))
        .arg(program)
        .args(arguments);
    let figures = figures(&mut command)?.into_iter().enumerate();
    let with_total = |(index, figure)| {
        let dump = dumps.join(format!("out.{}", index + 1));
        Ok((figure, total(&dump)?))
    };
    figures.map(with_total).collect()
}

/// An empty folder of a name that no file system minds.
fn empty_dir(path: &Path) -> Result<PathBuf> {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "./_-".contains(c) {
            c
        } else {
            '-'
        }
    };
    let path: String = path.to_string_lossy().chars().map(plain).collect();
    let path = PathBuf::from(path);
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    fs::create_dir_all(&path)?;
    Ok(path)
}

fn figures(command: &mut Command) -> Result<Vec<Figure>> {
    output(command)?.lines().map(Figure::parse).collect()
}

/// What a command prints; what it complains of goes to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("what {name} prints"))
}

/// The instructions that a dump holds.
fn total(path: &Path) -> Result<f64> {
    let dump = fs::read_to_string(path).with_context(|| format!("no dump {}", path.display()))?;
    let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.with_context(|| format!("no total in {}", path.display()))?;
    Ok(total.trim().parse()?)
}

fn per_unit_all(dumps: &[(Figure, f64)]) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (figure, total) in dumps {
        figures.extend(per_unit(figure, *total)?);
    }
    Ok(figures)
}

/// `dump/EVENTS/BYTES` says what to divide the total by; 0 for not at all.
pub(crate) fn per_unit(figure: &Figure, total: f64) -> Result<Vec<Figure>> {
    let parts: Vec<&str> = figure.unit().split('/').collect();
    let ["dump", events, bytes] = parts.as_slice() else {
        bail!("no unit of a dump: {}", figure.unit);
    };
    let mark = if figure.is_right() { "" } else { "*" };
    let divided = |(unit, count): (&str, f64)| {
        let unit = format!("instructions/{unit}{mark}");
        let value = total / count;
        (count > 0.0).then(|| Figure {
            unit,
            value,
            ..figure.clone()
        })
    };
    let units = [("event", events.parse()?), ("byte", bytes.parse()?)];
    Ok(units.into_iter().filter_map(divided).collect())
}
