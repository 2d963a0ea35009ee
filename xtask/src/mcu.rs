//! The part for microcontrollers: builds, runs and measures.
//!
//! In: a command and a target. Out: images, what they did under QEMU, and
//! tables of flash, stack, panics and instructions.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::parts::{Budget, Part};
use crate::step::{self, Done, Step, Tally};
use crate::tool;

mod toolchain; // Where `core` for a target comes from.
mod image; // What a linked image says about itself.
mod probe; // What each part costs.
mod machine; // The emulated machines.
mod harness; // A guest as an engine of the testkit.
mod run; // Firmware against the oracle and the command.
mod scenario; // Firmware that talks: modem, network, logs.
mod answer; // Firmware that reads an AI API's answer.
mod waiting; // Firmware that waits, and connects again.
mod measure; // Figures of one target, as lines of text.
mod c; // Firmware in C.
mod hosted; // The tests on a 32-bit, big-endian machine.
mod features; // Every combination of features; every function in a probe.
mod figures; // The published figures: measured, kept, compared.
mod tables; // The same figures as tables.

use machine::{MACHINES, Machine};
use toolchain::Toolchain;

pub(crate) const PART: Part = Part {
    name: "mcu",
    budget: Budget {
        cold: 900,
        warm: 200,
    },
    steps: part_steps,
};

/// The targets that are measured, the one with the published figures first.
const TARGETS: &[&str] = &[
    "thumbv7em-none-eabihf",
    "thumbv6m-none-eabi",
    "riscv32imc-unknown-none-elf",
];

#[derive(clap::Args)]
pub(crate) struct McuArguments {
    #[command(subcommand)]
    command: Command,
    /// Only this target
    #[arg(long, global = true, value_name = "TARGET", value_parser = target_names())]
    target: Option<String>,
    /// Only the steps with this word in their name
    #[arg(long, global = true, value_name = "WORD")]
    only: Option<String>,
    /// Only the probes of the core
    #[arg(long, global = true)]
    only_core: bool,
    /// Only the probes of answers of AI APIs
    #[arg(long, global = true, conflicts_with = "only_core")]
    only_answers: bool,
    /// Installs what is missing (as root, where apt-get is used)
    #[arg(long, global = true)]
    install: bool,
}

#[derive(clap::Subcommand, Clone, Copy, PartialEq, Eq)]
enum Command {
    /// Builds the firmware for every machine
    Build,
    /// Runs the firmware under QEMU
    Run,
    /// Shows what each part costs in flash
    Size,
    /// Shows the longest chains of calls
    Stack,
    /// Shows that no panic is reachable
    PanicFree,
    /// Counts instructions for each byte under QEMU
    Icount,
    /// Checks combinations of features, and that probes call every function
    Check,
    /// Compares all figures with those that are kept
    Figures {
        /// Keeps the new ones and writes the tables
        #[arg(long)]
        write: bool,
    },
}

fn target_names() -> clap::builder::PossibleValuesParser {
    TARGETS.to_vec().into()
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
    let is_wanted = |step: &Step| {
        let word = arguments.only.as_ref();
        word.is_none_or(|word| step.name.split(' ').any(|part| part == word))
    };
    let steps: Vec<Step> = targets
        .iter()
        .flat_map(|target| steps_of(root, arguments, target))
        .filter(is_wanted)
        .collect();
    tool::require(&steps, arguments.install)?;
    Ok(step::run_all(steps))
}

fn steps_of(root: &Path, arguments: &McuArguments, target: &'static str) -> Vec<Step> {
    let machines = MACHINES.iter().filter(|machine| machine.target == target);
    match arguments.command {
        Command::Build => machines.map(|machine| build_step(root, machine)).collect(),
        Command::Run => machines
            .flat_map(|machine| run_steps(root, machine))
            .collect(),
        Command::Icount => machines
            .filter(|machine| machine.has_exact_clock())
            .map(|machine| icount_step(root, machine))
            .collect(),
        Command::Check => vec![
            features_step(root, target),
            coverage_step(root),
            features::one_api(root),
        ],
        Command::Figures { write } => {
            let machines = machines.filter(|machine| machine.has_exact_clock());
            let machines = machines.map(|machine| figures_step(root, machine, write));
            std::iter::once(target_figures_step(root, target, write))
                .chain(machines)
                .collect()
        }
        Command::Size | Command::Stack | Command::PanicFree => {
            let (root, command) = (root.to_path_buf(), arguments.command);
            let (is_core, is_answers) = (arguments.only_core, arguments.only_answers);
            let work = move || {
                match is_answers {
                    true => show_answers(&root, command, target)?,
                    false => show(&root, command, target, probe::Package::new(is_core))?,
                }
                Ok(Done::Passed)
            };
            vec![Step::call(target, work).needs(&toolchain::needs(&[target]))]
        }
    }
}

fn pick(root: &Path, target: &str) -> Result<Toolchain> {
    let toolchain = Toolchain::pick(root, target)?;
    println!("core for {target}: {}", toolchain.how);
    Ok(toolchain)
}

fn show(root: &Path, command: Command, target: &str, package: probe::Package) -> Result<()> {
    let toolchain = pick(root, target)?;
    for level in probe::LEVELS {
        show_package(root, &toolchain, command, package, level)?;
    }
    Ok(())
}

/// The same for answers of AI APIs, at the level that is published.
fn show_answers(root: &Path, command: Command, target: &str) -> Result<()> {
    let toolchain = pick(root, target)?;
    for package in probe::Package::answers() {
        show_package(root, &toolchain, command, package, probe::LEVELS[0])?;
    }
    Ok(())
}

fn show_package(
    root: &Path,
    toolchain: &Toolchain,
    command: Command,
    package: probe::Package,
    level: &str,
) -> Result<()> {
    for probe in probe::build(root, toolchain, package, level)? {
        println!(
            "{}",
            match command {
                Command::Size => measure::size(level, &probe),
                Command::Stack => measure::stack(level, &probe),
                _ => measure::panics(level, &probe),
            }
        );
    }
    Ok(())
}

/// A step for a machine, which needs its target and its emulator.
fn machine_step(
    root: &Path,
    what: &str,
    machine: &'static Machine,
    work: impl FnOnce(&Path, &Toolchain) -> Result<()> + 'static,
) -> Step {
    let root = root.to_path_buf();
    let name = format!("mcu {what} {} ({})", machine.name, machine.what);
    let work = move || {
        let toolchain = pick(&root, machine.target)?;
        work(&root, &toolchain)?;
        Ok(Done::Passed)
    };
    Step::call(name, work)
        .needs(&toolchain::needs(&[machine.target]))
        .needs(machine::NEEDS)
}

fn build_step(root: &Path, machine: &'static Machine) -> Step {
    machine_step(root, "build", machine, |root, toolchain| {
        demos(root, toolchain, machine).map(|_| ())
    })
}

fn demos(root: &Path, toolchain: &Toolchain, machine: &Machine) -> Result<PathBuf> {
    machine::build(root, toolchain, machine, "demos", "s")
}

fn run_steps(root: &Path, machine: &'static Machine) -> Vec<Step> {
    let mut steps = vec![
        machine_step(root, "conformance", machine, |root, toolchain| {
            run::conformance(machine, &demos(root, toolchain, machine)?)
        }),
        machine_step(root, "uart", machine, |root, toolchain| {
            run::uart(
                root,
                machine,
                &demos(root, toolchain, machine)?.join("uart"),
            )
        }),
        machine_step(root, "tasks", machine, |root, toolchain| {
            scenario::tasks(root, machine, &demos(root, toolchain, machine)?)
        }),
        machine_step(root, "big-event", machine, |root, toolchain| {
            scenario::big_event(machine, &demos(root, toolchain, machine)?)
        }),
        machine_step(root, "modem", machine, |root, toolchain| {
            scenario::modem(root, machine, &demos(root, toolchain, machine)?).map(|_| ())
        }),
        machine_step(root, "waiting", machine, |root, toolchain| {
            waiting::run(root, machine, &demos(root, toolchain, machine)?)
        }),
        machine_step(root, "answer", machine, |root, toolchain| {
            answer::run(root, machine, &demos(root, toolchain, machine)?).map(|_| ())
        }),
    ];
    // The one with the least memory, and the other architecture.
    if machine.name == "microbit" || machine.name == "virt" {
        steps.push(machine_step(root, "soak", machine, |root, toolchain| {
            scenario::soak(machine, &demos(root, toolchain, machine)?)
        }));
    }
    if machine.name == "lm3s" {
        steps.push(machine_step(root, "net", machine, |root, toolchain| {
            scenario::net(root, toolchain, machine)
        }));
    }
    if machine.name == "an386" {
        let step = machine_step(root, "logs", machine, |root, toolchain| {
            scenario::logs(root, toolchain, machine)
        });
        steps.push(step.needs(&[tool::DEFMT_PRINT]));
        steps.push(machine_step(root, "reqwless", machine, check_reqwless));
        if c::exists(root) {
            let step = machine_step(root, "c", machine, |root, toolchain| {
                c::run(root, toolchain, machine)
            });
            steps.push(step.needs(&[tool::ARM_GCC]));
        }
    }
    steps
}

/// An example for a library that has no server here: it is compiled.
fn check_reqwless(root: &Path, toolchain: &Toolchain) -> Result<()> {
    let arguments = [
        "check",
        "--quiet",
        "--release",
        "--package",
        "reqwless-body",
    ];
    step::run(&mut toolchain.cargo(root, &probe::workspace(root), &arguments))
}

fn icount_step(root: &Path, machine: &'static Machine) -> Step {
    machine_step(root, "icount", machine, |root, toolchain| {
        for line in measure::icount(machine, &demos(root, toolchain, machine)?)? {
            println!("{line}");
        }
        Ok(())
    })
}

fn figures_step(root: &Path, machine: &'static Machine, write: bool) -> Step {
    machine_step(root, "figures", machine, move |root, toolchain| {
        let measured = figures::of_machine(root, machine, &demos(root, toolchain, machine)?)?;
        if write {
            figures::write(root, measured)
        } else {
            figures::compare(root, &measured)
        }
    })
}

fn target_figures_step(root: &Path, target: &'static str, write: bool) -> Step {
    let root = root.to_path_buf();
    let work = move || {
        let measured = figures::of_target(&root, &pick(&root, target)?)?;
        if write {
            figures::write(&root, measured)?;
        } else {
            figures::compare(&root, &measured)?;
        }
        Ok(Done::Passed)
    };
    Step::call(format!("mcu figures {target}"), work).needs(&toolchain::needs(&[target]))
}

fn document_step(root: &Path) -> Step {
    let root = root.to_path_buf();
    Step::call("mcu tables", move || {
        figures::check_documents(&root).map(|()| Done::Passed)
    })
}

/// What the other steps would do one target after the other.
fn core_step(root: &Path) -> Step {
    let root = root.to_path_buf();
    let work = move || {
        toolchain::prepare(&root, TARGETS)?;
        Ok(Done::Passed)
    };
    Step::call("mcu core", work).needs(&toolchain::needs(TARGETS))
}

fn features_step(root: &Path, target: &'static str) -> Step {
    let root = root.to_path_buf();
    let work = move || {
        features::combinations(&root, &pick(&root, target)?)?;
        Ok(Done::Passed)
    };
    Step::call(format!("mcu features {target}"), work).needs(&toolchain::needs(&[target]))
}

fn coverage_step(root: &Path) -> Step {
    let root = root.to_path_buf();
    Step::call("mcu probes call every function", move || {
        features::coverage(&root).map(|()| Done::Passed)
    })
}

/// What `cargo xtask test mcu` runs.
fn part_steps(root: &Path) -> Vec<Step> {
    let exact = MACHINES.iter().filter(|machine| machine.has_exact_clock());
    let targets = TARGETS
        .iter()
        .map(|target| target_figures_step(root, target, false));
    [document_step(root), core_step(root)]
        .into_iter()
        .chain(MACHINES.iter().flat_map(|machine| run_steps(root, machine)))
        .chain(targets)
        .chain(exact.map(|machine| figures_step(root, machine, false)))
        .chain(TARGETS.iter().map(|target| features_step(root, target)))
        .chain([
            coverage_step(root),
            // They use nothing that the other steps build.
            features::one_api(root).queue("host"),
            hosted::step(root).queue("big-endian"),
        ])
        .collect()
}
