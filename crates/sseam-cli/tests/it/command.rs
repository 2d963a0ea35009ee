//! Runs the command: arguments and input in, exit code and output out.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;

use serde_json::Value;
use sseam_cli::{Console, Exit};

/// What one run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The lines on standard output as JSON.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        let parsed = |line: &str| serde_json::from_str(line).expect("a line of JSON");
        self.stdout.lines().map(parsed).collect()
    }

    /// The last line on standard error as JSON.
    pub(crate) fn summary(&self) -> Value {
        let line = self.stderr.lines().last().expect("a summary");
        serde_json::from_str(line).expect("a summary in JSON")
    }

    /// The messages on standard error, all but the summary.
    pub(crate) fn messages(&self) -> Vec<&str> {
        let mut lines: Vec<_> = self.stderr.lines().collect();
        lines.pop();
        lines
    }
}

/// What the command is run with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Terminals {
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
}

/// Runs `sseam ARGS`, with `stdin` to read.
pub(crate) fn run(args: &[&str], stdin: &[u8]) -> Ran {
    run_from(args, &mut &stdin[..], Terminals::default())
}

/// Runs `sseam replay - ARGS` over `stream`.
pub(crate) fn replay(stream: impl AsRef<[u8]>, args: &[&str]) -> Ran {
    run(&[&["replay", "-"], args].concat(), stream.as_ref())
}

/// Runs `sseam replay - ARGS` at every chunk size; all must give the same.
#[track_caller]
pub(crate) fn replay_at_every_size(stream: impl AsRef<[u8]>, args: &[&str]) -> Ran {
    let stream = stream.as_ref();
    let whole = replay(stream, args);
    for size in 1..=stream.len() {
        let size = size.to_string();
        let ran = replay(stream, &[args, &["--chunk-size", &size]].concat());
        assert_eq!(ran, whole, "in chunks of {size}");
    }
    whole
}

/// Runs `sseam ARGS`, with all that can be different.
pub(crate) fn run_from(args: &[&str], stdin: &mut dyn Read, terminals: Terminals) -> Ran {
    let mut stdout = Vec::new();
    let (exit, stderr) = run_to(args, stdin, &mut stdout, terminals);
    let stdout = String::from_utf8(stdout).expect("the output is UTF-8");
    Ran {
        exit,
        stdout,
        stderr,
    }
}

/// Runs `sseam ARGS` into an output of the caller's.
pub(crate) fn run_to(
    args: &[&str],
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    terminals: Terminals,
) -> (Exit, String) {
    let mut stderr = Vec::new();
    let mut console = Console {
        stdin,
        stdout,
        stderr: &mut stderr,
        is_stdout_terminal: terminals.stdout,
        is_stderr_terminal: terminals.stderr,
        ends_on_interrupt: false,
    };
    let exit = sseam_cli::run([&["sseam"], args].concat(), &mut console);
    let stderr = String::from_utf8(stderr).expect("messages are UTF-8");
    (exit, stderr)
}

/// A reader that gives one chunk per read; an empty one is an interruption.
pub(crate) struct Chunks<'s>(pub(crate) VecDeque<&'s [u8]>);

impl<'s> Chunks<'s> {
    pub(crate) fn new(chunks: &[&'s [u8]]) -> Chunks<'s> {
        Chunks(chunks.iter().copied().collect())
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(chunk) = self.0.pop_front() else {
            return Ok(0);
        };
        if chunk.is_empty() {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = chunk.len().min(buffer.len());
        let (now, later) = chunk.split_at(len);
        buffer[..len].copy_from_slice(now);
        if !later.is_empty() {
            self.0.push_front(later);
        }
        Ok(len)
    }
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

/// A path as an argument.
pub(crate) fn argument(path: &std::path::Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}
