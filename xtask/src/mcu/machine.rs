//! The emulated machines: what each is, how it is built for and started.
//!
//! In: a machine and a program. Out: a running guest whose UART is a pipe; every
//! wait for it has an end.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::probe::workspace;
use super::toolchain::Toolchain;
use crate::tool::{self, Tool};

/// A machine that QEMU emulates.
pub(crate) struct Machine {
    /// Also the feature of the firmware's packages.
    pub(crate) name: &'static str,
    pub(crate) target: &'static str,
    pub(crate) what: &'static str,
    emulator: &'static str,
    arguments: &'static [&'static str],
}

pub(crate) const MACHINES: &[Machine] = &[
    Machine {
        name: "an386",
        target: "thumbv7em-none-eabihf",
        what: "mps2-an386, Cortex-M4",
        emulator: "qemu-system-arm",
        arguments: &["-cpu", "cortex-m4", "-machine", "mps2-an386"],
    },
    Machine {
        name: "lm3s",
        target: "thumbv7em-none-eabihf",
        what: "lm3s6965evb, as Cortex-M4, with Ethernet",
        emulator: "qemu-system-arm",
        arguments: &["-cpu", "cortex-m4", "-machine", "lm3s6965evb"],
    },
    Machine {
        name: "microbit",
        target: "thumbv6m-none-eabi",
        what: "BBC micro:bit, Cortex-M0, 16 KB of RAM",
        emulator: "qemu-system-arm",
        arguments: &["-machine", "microbit"],
    },
    Machine {
        name: "virt",
        target: "riscv32imc-unknown-none-elf",
        what: "RISC-V virt, rv32imc",
        emulator: "qemu-system-riscv32",
        arguments: &["-machine", "virt", "-bios", "none"],
    },
];

impl Machine {
    /// Whether its timer is known to count instructions under `-icount`.
    pub(crate) fn has_exact_clock(&self) -> bool {
        self.name != "lm3s"
    }
}

/// What emulates these machines.
pub(crate) const NEEDS: &[Tool] = &[tool::QEMU_ARM, tool::QEMU_RISCV];

/// How long a guest may be silent.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// Builds programs for a machine and tells where they are.
pub(crate) fn build(
    root: &Path,
    toolchain: &Toolchain,
    machine: &Machine,
    package: &str,
    level: &str,
) -> Result<PathBuf> {
    let arguments = [
        "build",
        "--quiet",
        "--release",
        "--package",
        package,
        "--features",
        machine.name,
    ];
    let mut command = toolchain.cargo(root, &workspace(root), &arguments);
    // What is not logged when it is compiled in cannot be read later.
    command
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .env("DEFMT_LOG", "trace");
    crate::step::run(&mut command)?;
    Ok(toolchain.release(root))
}

/// A program that runs on an emulated machine.
pub(crate) struct Guest {
    child: Child,
    to: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Guest {
    /// Starts `program`, with its UART as our pipe.
    pub(crate) fn start(machine: &Machine, program: &Path, further: &[&str]) -> Result<Guest> {
        let mut command = Command::new(machine.emulator);
        command
            .args(machine.arguments)
            .args(["-display", "none", "-monitor", "none", "-serial", "stdio"])
            .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
            .arg(program)
            .args(further)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", machine.emulator))?;
        let (sender, lines) = channel();
        let out = child.stdout.take().context("the guest has no output")?;
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut line = Vec::new();
            while out.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
                let text = String::from_utf8_lossy(&line)
                    .trim_end_matches('\n')
                    .to_string();
                line.clear();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Ok(Guest {
            to: child.stdin.take(),
            child,
            lines,
        })
    }

    /// All that a program writes to the emulator's output by semihosting.
    pub(crate) fn output(machine: &Machine, program: &Path) -> Result<Vec<u8>> {
        let mut command = Command::new("timeout");
        command
            .arg(SILENCE_MAX.as_secs().to_string())
            .arg(machine.emulator)
            .args(machine.arguments)
            .args(["-display", "none", "-monitor", "none", "-serial", "null"])
            .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
            .arg(program)
            .stdin(Stdio::null());
        let output = command.output().context("cannot start the emulator")?;
        if !output.status.success() {
            bail!("{} ended with {}", program.display(), output.status);
        }
        Ok(output.stdout)
    }

    /// Sends bytes to the guest's UART.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let to = self.to.as_mut().context("the guest has no input")?;
        to.write_all(bytes)
            .and_then(|()| to.flush())
            .context("the guest takes no input")
    }

    /// The guest's next line; `None` when it has ended.
    pub(crate) fn line(&self) -> Result<Option<String>> {
        match self.lines.recv_timeout(SILENCE_MAX) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                bail!("the guest was silent for {} s", SILENCE_MAX.as_secs())
            }
        }
    }

    /// The guest's next line, unless there is none for this long.
    pub(crate) fn line_within(&self, time: Duration) -> Result<Option<String>> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("the guest has ended"),
        }
    }

    /// All lines up to the end of the guest, which must end well.
    pub(crate) fn finish(mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        while let Some(line) = self.line()? {
            lines.push(line);
        }
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait()? {
                Some(status) => break status,
                None if start.elapsed() > SILENCE_MAX => bail!("the guest does not end"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        if !status.success() {
            bail!(
                "the guest ended with {status}; its last lines:\n{}",
                last(&lines)
            );
        }
        Ok(lines)
    }
}

/// A guest that is no longer wanted must not run on.
impl Drop for Guest {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.child.kill().ok();
            self.child.wait().ok();
        }
    }
}

/// The end of what a guest said.
pub(crate) fn last(lines: &[String]) -> String {
    lines[lines.len().saturating_sub(5)..].join("\n")
}
