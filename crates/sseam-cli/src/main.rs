//! The command `sseam`: arguments and standard streams in, exit code out.

#![forbid(unsafe_code)]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let mut console = sseam_cli::Console {
        stdin: &mut io::stdin().lock(),
        is_stdout_terminal: stdout.is_terminal(),
        is_stderr_terminal: stderr.is_terminal(),
        stdout: &mut stdout.lock(),
        // Not locked: an interrupt is told there while this thread waits.
        stderr: &mut &stderr,
        ends_on_interrupt: true,
    };
    sseam_cli::run(std::env::args_os(), &mut console).into()
}
