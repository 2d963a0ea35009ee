//! The part for microcontrollers: builds, runs and measures.
//!
//! In: a command and a target. Out: images, what they printed under QEMU, and
//! tables of flash, stack, panics and instructions.

use std::path::Path;

use anyhow::Result;

use crate::step::{self, Done, Step, Tally};
use crate::tool;

mod toolchain; // Where `core` for a target comes from.
mod image; // What a linked image says about itself.
mod probe; // What each part costs.

use toolchain::Toolchain;

/// The targets that are measured, the one with the published figures first.
const TARGETS: &[&str] = &[
    "thumbv7em-none-eabihf",
    "thumbv6m-none-eabi",
    "riscv32imc-unknown-none-elf",
];

/// The levels that a firmware is built with.
const LEVELS: &[&str] = &["s", "z", "3"];

#[derive(clap::Args)]
pub(crate) struct McuArguments {
    #[command(subcommand)]
    command: Command,
    /// Only this target
    #[arg(long, global = true, value_name = "TARGET", value_parser = target_names())]
    target: Option<String>,
    /// Installs what is missing (as root, where apt-get is used)
    #[arg(long, global = true)]
    install: bool,
}

#[derive(clap::Subcommand, Clone, Copy)]
enum Command {
    /// Shows what each part costs in flash
    Size,
    /// Shows the longest chains of calls
    Stack,
    /// Shows that no panic is reachable
    PanicFree,
}

fn target_names() -> clap::builder::PossibleValuesParser {
    TARGETS.iter().copied().collect::<Vec<_>>().into()
}

/// Runs one command for the asked targets.
pub(crate) fn mcu(root: &Path, arguments: &McuArguments) -> Result<Tally> {
    let is_asked = |target: &&&str| {
        arguments
            .target
            .as_ref()
            .is_none_or(|name| name == **target)
    };
    let targets: Vec<&'static str> = TARGETS.iter().filter(is_asked).copied().collect();
    let needs = toolchain::needs(&targets);
    let steps: Vec<Step> = targets
        .iter()
        .map(|&target| {
            let (root, command) = (root.to_path_buf(), arguments.command);
            let work = move || run(&root, command, target).map(|()| Done::Passed);
            Step::call(target, work).needs(&needs)
        })
        .collect();
    tool::require(&steps, &[], arguments.install)?;
    Ok(step::run_all(steps, &[]))
}

fn run(root: &Path, command: Command, target: &str) -> Result<()> {
    let toolchain = Toolchain::pick(root, target)?;
    println!("core for {target}: {}", toolchain.how);
    let toolchain = toolchain.with_flags(&["-Zemit-stack-sizes"]).unstable();
    for level in LEVELS {
        let probes = probe::build(root, &toolchain, "probes", level)?;
        for probe in &probes {
            let image = &probe.image;
            match command {
                Command::Size => println!(
                    "opt {level} {:<16} .text {:>6} (memcpy and the like {:>5}) .rodata {:>5} \
                     .data {:>4} .bss {:>4}",
                    probe.name,
                    image.text,
                    image.text_of_memory_functions(),
                    image.rodata,
                    image.data,
                    image.bss
                ),
                Command::Stack => {
                    println!("opt {level} {:<16} {:?}", probe.name, image.chain("probe"))
                }
                Command::PanicFree => {
                    println!("opt {level} {:<16} {}", probe.name, probe.is_panic_free);
                }
            }
        }
    }
    Ok(())
}
