//! Programs for other machines: a static one for a router, run under emulation,
//! and what the library adds to firmware.
//!
//! Neither is what every machine can build: where a tool cannot be had, the step
//! is skipped and says which.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::link::{DEMO, REPLAY};
use super::{artifact, cc};
use crate::step::{self, Done, Step};
use crate::tool::{self, Tool};

const ROUTER: &str = "armv7-unknown-linux-musleabihf";
const ROUTER_TOOLS: &[Tool] = &[tool::ARMHF_GCC, tool::ARMHF_MUSL, tool::QEMU_USER];
const FIRMWARE: &str = "thumbv7em-none-eabihf";
/// Far less than an answer takes.
const PULL_LOOP_LEN_MAX: u64 = 12 * 1024;
const FIRMWARE_TOOLS: &[Tool] = &[tool::ARM_GCC, tool::ARM_NEWLIB];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, target: &str, tools: &[Tool], work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        let step = Step::call(format!("link {name}"), move || work(&root));
        step.wants(tools).wants(core_tools(target))
    };
    vec![
        step("armv7 musl", ROUTER, ROUTER_TOOLS, armv7_musl),
        step("firmware", FIRMWARE, FIRMWARE_TOOLS, firmware),
    ]
}

/// Whether rustup has brought the core library for a target.
fn has_core(target: &str) -> bool {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]);
    let printed = cc::output(&mut command);
    printed.is_ok_and(|folder| Path::new(folder.trim()).exists())
}

/// What must be installed to have it otherwise.
fn core_tools(target: &str) -> &'static [Tool] {
    match has_core(target) {
        true => &[],
        false => &[tool::DEBIAN_RUSTC, tool::RUST_SOURCES],
    }
}

/// Where a target's core library comes from here: rustup, or else Debian's
/// compiler, which brings the source.
fn core_for(target: &str) -> artifact::Core {
    match has_core(target) {
        true => artifact::Core::Installed,
        false => artifact::Core::Built(Some("/usr/bin/rustc")),
    }
}

/// The replayer as one static file for a router, and its run under emulation.
fn armv7_musl(root: &Path) -> Result<Done> {
    let libc = Path::new("/usr/lib/arm-linux-musleabihf");
    let built = artifact::build(root, Some(ROUTER), core_for(ROUTER), artifact::Answers::In)?;
    let program = cc::folder(root)?.join("replay-armv7");
    let mut command = Command::new("arm-linux-gnueabihf-gcc");
    command
        .current_dir(root)
        .args(["-static", "-nostdinc", "-nostartfiles", "-nodefaultlibs"]);
    for folder in ["/usr/include/arm-linux-musleabihf", "include"] {
        command.arg("-isystem").arg(folder);
    }
    command
        .args(["crt1.o", "crti.o"].map(|name| libc.join(name)))
        .arg(REPLAY);
    command.arg(&built.static_library).arg("-Wl,--start-group");
    command
        .arg(libc.join("libc.a"))
        .args(["-lgcc", "-lgcc_eh", "-Wl,--end-group"]);
    step::run(command.arg(libc.join("crtn.o")).arg("-o").arg(&program))?;
    let size = fs::metadata(&program)?.len();
    let mut command = Command::new("qemu-arm");
    let printed = cc::output(
        command
            .arg(&program)
            .stdin(fs::File::open(root.join(DEMO))?),
    )?;
    ensure!(printed.starts_with("{\"event\":"), "{printed}");
    println!("a static replayer for armv7 of {size} bytes, not stripped, ran");
    Ok(Done::Passed)
}

/// The library for a Cortex-M4: what it exports, what it needs, and what the
/// parser's functions add to a program that uses them.
fn firmware(root: &Path) -> Result<Done> {
    let built = artifact::build(
        root,
        Some(FIRMWARE),
        core_for(FIRMWARE),
        artifact::Answers::In,
    )?;
    let library = &built.static_library;
    let needed = cc::output(Command::new("arm-none-eabi-nm").arg("-u").arg(library))?;
    ensure!(
        !needed.contains("malloc") && !needed.contains("abort"),
        "firmware needs:\n{needed}"
    );
    let source = root.join("crates/sseam-capi/tests/c/firmware.c");
    let without = text_len(root, &source, &["-DWITHOUT"], library)?;
    println!("on a Cortex-M4, bytes of flash over an empty main:");
    let with = text_len(root, &source, &[], library)? - without;
    println!("    {with:>6}  pull loop");
    // Who calls no function of an answer must not pay for them.
    ensure!(
        with < PULL_LOOP_LEN_MAX,
        "the pull loop takes too much flash"
    );
    let with_answer = text_len(root, &source, &["-DWITH_ANSWER"], library)? - without;
    println!("    {with_answer:>6}  pull loop of an answer of any API that gives the text");
    let (example, flags) = (root.join("examples/c/static_arena.c"), ["-DSSEAM_NO_HEAP"]);
    println!(
        "static_arena with newlib: {} bytes",
        text_len(root, &example, &flags, library)?
    );
    Ok(Done::Passed)
}

/// Links a firmware program and counts its code and constants.
fn text_len(root: &Path, source: &Path, flags: &[&str], library: &Path) -> Result<u64> {
    let program = cc::folder(root)?.join("firmware.elf");
    let mut command = Command::new("arm-none-eabi-gcc");
    command
        .current_dir(root)
        .args(["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard"]);
    command.args([
        "-mfpu=fpv4-sp-d16",
        "--specs=nano.specs",
        "--specs=nosys.specs",
        "-Os",
    ]);
    command
        .args(["-Wl,--gc-sections", "-I", "include"])
        .args(flags);
    step::run(command.arg(source).arg(library).arg("-o").arg(&program))
        .context("the firmware does not link")?;
    let size = cc::output(Command::new("arm-none-eabi-size").arg(&program))?;
    let number = size
        .lines()
        .nth(1)
        .and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .context("no size")
}
