//! What every sseam engine is judged by.
//!
//! A [`Report`] says everything that one run over a stream gave. An [`Engine`]
//! makes one from a stream that was cut into chunks; the [`oracle`] makes one
//! from the whole stream, transcribed naively from the standard. [`vectors`]
//! and [`cases`] hold expected values, [`split`] cuts streams, [`generate`]
//! invents them, and [`run`] puts all of this in front of an engine. The same
//! for answers of AI APIs: [`field`] holds expected verdicts, and the
//! [`reader`] is the second opinion, and [`mangle`] makes streams worse. The
//! [`server`] plays scripts with faults to clients, and tells what they did.
//!
//! Nothing here depends on another crate of the workspace: a fault that the
//! oracle shared with the parser would be invisible.
//!
//! # Examples
//!
//! ```
//! use sseam_testkit::{oracle::Oracle, run};
//!
//! let tally = run::vectors(&Oracle);
//! assert!(tally.streams > 400);
//! ```

#![forbid(unsafe_code)]

mod report; // The common currency: what a run is asked, and what it gave.
mod render; // A report as short text, for messages and text-based checks.
mod engine; // What a crate implements to be run.
pub mod oracle; // What the standard and the limits say about a whole stream.
pub mod vectors; // Expected values, one rule each, and whole connections.
pub mod cases; // Faults that other people's parsers had.
pub mod field; // Streams of AI APIs as they are met, and the right verdicts.
pub mod reader; // A second opinion on what an AI answers.
pub mod split; // A stream -> its chunks.
pub mod generate; // A seed -> a stream, limits, or both.
pub mod mangle; // A seed and real streams -> a stream with something wrong.
pub mod run; // Everything above, in front of one engine.
pub mod server; // A script -> a loopback server, and what its clients did.

pub use engine::{Capabilities, Engine};
pub use report::{
    Counters, Failure, Item, Limit, Limits, Overflow, Pending, Report, Setup, Span, Unfinished,
};
