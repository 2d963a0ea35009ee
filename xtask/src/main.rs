//! The project's commands: `cargo xtask test | tidy | fuzz | bench | build | capi |
//! header | mutants | mcu`.
//!
//! In: a command line. Out: what the tools print, then one line that counts the
//! steps, and an exit code that is not zero when a step failed. Each command is
//! a list of steps; `step.rs` runs them all alike. What CI runs and what a
//! developer runs at home is the same list, so that neither can surprise the
//! other.
//!
//! A new part of `test` is a module like `host.rs` and one row in `parts.rs`.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod step; // A named piece of work; runs a list of them and counts.
mod queues; // Several lists of steps beside each other, each step a process.
mod tool; // What a step needs installed, and how to get it.
mod parts; // The table of what `test` can test.
mod host; // The part that needs little but Rust.
mod targets; // What the core is built for, and whether it is installed here.
mod capi; // The C libraries, their headers, and the part that tests them.
mod fuzz; // One step for each fuzz target.
mod client; // The part for the client.
mod bench; // How fast, beside the others.
mod mcu; // The part for microcontrollers: firmware, sizes, proofs.
mod tidy; // What a program can check of the project's style.

/// The commands of the sseam project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the tests of the named parts, or of all parts
    Test(parts::TestArguments),
    /// Runs one step of `test` and writes how it ended: `test` starts it so
    #[command(hide = true)]
    Step { name: String, told: PathBuf },
    /// Checks what a program can check of the project's style
    Tidy,
    /// Runs each fuzz target for a while
    Fuzz(fuzz::FuzzArguments),
    /// Measures speed and memory beside other parsers
    Bench(bench::BenchArguments),
    /// Builds the workspace in release mode, and the core for each installed target
    Build,
    /// Builds the C libraries and lays them out with their headers
    Capi(capi::CapiArguments),
    /// Writes the C header anew from the source of its crate
    Header(capi::header::HeaderArguments),
    /// Changes the core in many small ways: each change must fail a test
    Mutants(MutantsArguments),
    /// Builds, runs and measures the firmware for microcontrollers
    Mcu(mcu::McuArguments),
}

#[derive(clap::Args)]
struct MutantsArguments {
    /// Installs what is missing
    #[arg(long)]
    install: bool,
    /// Further arguments for cargo-mutants, after `--`
    #[arg(last = true)]
    rest: Vec<String>,
}

fn main() -> ExitCode {
    let root = root();
    let outcome = match Arguments::parse().command {
        Command::Test(arguments) => parts::test(&root, &arguments),
        Command::Step { name, told } => return one_step(&root, &name, &told),
        Command::Tidy => Ok(step::run_all(vec![tidy::step(&root)])),
        Command::Fuzz(arguments) => fuzz::fuzz(&root, &arguments),
        Command::Bench(arguments) => bench::bench(&root, &arguments),
        Command::Build => Ok(step::run_all(targets::steps(&root))),
        Command::Capi(arguments) => capi::capi(&root, &arguments),
        Command::Header(arguments) => capi::header::header(&root, &arguments),
        Command::Mutants(arguments) => mutants(&root, arguments),
        Command::Mcu(arguments) => mcu::mcu(&root, &arguments),
    };
    match outcome {
        Ok(tally) => {
            println!("\n{tally}");
            if tally.is_good() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The exit code says whether the step could be told of, not how it ended.
fn one_step(root: &Path, name: &str, told: &Path) -> ExitCode {
    match parts::one(root, name, told) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root. Compiled in, since xtask is always run by cargo.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

fn mutants(root: &Path, arguments: MutantsArguments) -> Result<step::Tally> {
    let mut command = step::cargo(root, &["mutants", "--package", "sseam-core"]);
    // Beside the other output of the build, where git ignores it.
    command.args(["--output", "target"]).args(arguments.rest);
    let step = step::Step::command("mutants", command).needs(&[tool::CARGO_MUTANTS]);
    let steps = vec![step];
    tool::require(&steps, arguments.install)?;
    Ok(step::run_all(steps))
}
