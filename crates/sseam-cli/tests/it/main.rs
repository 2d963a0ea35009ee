//! The command in process and as a process: arguments and bytes in, lines,
//! messages and exit codes out.

mod command; // Runs the command and keeps what it wrote.
mod engine;
mod faces; // The command as an engine of the testkit.
mod conformance; // Vectors, cases and random streams, at every cut.
mod print; // What is printed, and what each output flag changes.
mod limits; // Each limit at its edge, in both modes.
mod text; // Text that is not valid UTF-8.
mod ends; // Exit codes, messages, summaries, usage.
mod dialect; // Answers of AI APIs.
mod foreign; // Inputs that are no event streams, and near misses.
mod terminal; // What a terminal is not given.
mod follow; // Pipes: flushing, errors, progress.
mod generate; // Help, completions, man pages.
mod server; // `sseam serve` as a process, and a bare client.
mod serve; // What is served of a file, and its faults.
mod recording; // The recorder, and recordings replayed and served.
mod get; // What is asked of a server, printed and said.
mod secrets; // What a server repeats of a request within a stream.
mod course; // Timing, figures, connecting again.
mod cases; // The cases of clients.
#[cfg(unix)]
mod interrupt; // Ctrl-C in every state.
mod browser; // The same bytes to a browser, where there is one.
mod surroundings; // Pipes, proxies, terminals, loggers.
mod process; // The same as real processes.
