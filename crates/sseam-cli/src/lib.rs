#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod exit; // What a run comes to.
mod args; // The command line -> what is asked.
mod escape; // What a terminal must not be given.
mod json; // A value -> one line of JSON.
mod stop; // Why a run ended before its input did, in words.
mod source; // A file or standard input -> bytes.
mod print; // Items -> lines on standard output.
mod signals; // Signals -> lines of JSON.
mod told; // Signals -> text, reasoning, tool calls, or lines of their own.
mod verdict; // What became of an answer -> words, and a line for programs.
mod session; // Bytes -> items and signals -> lines, up to the end or a stop.
mod summary; // Counters -> the last line on standard error.
mod progress; // How far a long input has been read.
mod recording; // What came over a connection, to a file and back.
mod replay; // The command `replay`.
mod serve; // The command `serve`.
mod get; // The command `get`.
mod generate; // Completion scripts and man pages.

use std::ffi::OsString;
use std::io::{Read, Write};

pub use exit::Exit;

use args::{Args, Command};
use clap::Parser as _;

/// Where the command reads and writes, and what it may assume about it.
pub struct Console<'io> {
    /// Read where the command line says `-`.
    pub stdin: &'io mut dyn Read,
    /// Gets events and what else was asked for.
    pub stdout: &'io mut dyn Write,
    /// Gets messages, the summary and the progress.
    pub stderr: &'io mut dyn Write,
    /// Whether a person reads `stdout`: control characters are escaped then.
    pub is_stdout_terminal: bool,
    /// Whether a person reads `stderr`: there may be progress then.
    pub is_stderr_terminal: bool,
    /// Whether an interrupt may end the process: `get` then says what it has
    /// seen, on the process's standard error, and exits with 130.
    pub ends_on_interrupt: bool,
}

/// Runs the command, its name first among `args`.
///
/// It returns when the input ends, when something stops it, or when nobody reads
/// the output any more. It ends the process only where the console says so.
///
/// ```
/// use sseam_cli::{Console, Exit, run};
///
/// let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
/// let mut console = Console {
///     stdin: &mut &b"data: hello\n\n"[..],
///     stdout: &mut stdout,
///     stderr: &mut stderr,
///     is_stdout_terminal: false,
///     is_stderr_terminal: false,
///     ends_on_interrupt: false,
/// };
/// assert_eq!(run(["sseam", "replay", "-"], &mut console), Exit::Clean);
/// assert_eq!(stdout, b"{\"event\":\"message\",\"data\":\"hello\",\"id\":\"\"}\n");
/// ```
pub fn run<I, T>(args: I, console: &mut Console<'_>) -> Exit
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    match Args::try_parse_from(args) {
        Ok(args) => match args.command {
            Command::Replay(args) => replay::replay(&args, console),
            Command::Get(args) => get::get(&args, console),
            Command::Serve(args) => serve::serve(&args, console),
            Command::Completions { shell } => generate::completions(shell, console),
            Command::Man { command } => generate::man(command.as_deref(), console),
        },
        Err(error) => usage(&error, console),
    }
}

/// Writes help to standard output, or a usage error to standard error.
fn usage(error: &clap::Error, console: &mut Console<'_>) -> Exit {
    // An argument that is repeated in the message may hold anything.
    let text = escape::escaped_but_line_feeds(&error.render().to_string());
    if error.use_stderr() {
        // Nobody is left to be told that standard error is closed.
        let _ = console.stderr.write_all(text.as_bytes());
        return Exit::Usage;
    }
    let result = console.stdout.write_all(text.as_bytes());
    generate::written(result, console)
}
