//! A parser in a static, as firmware has it: a stream comes in on standard
//! input in reads of a UART's size, and a line for each event goes out.
//!
//! ```text
//! cargo run -p sseam-examples --bin static_parser < examples/streams/demo.sse
//! ```
//!
//! The parser with its memory is one constant; its length is known when the
//! program is built, and an array too short for the limits does not compile.

#![forbid(unsafe_code)]

use std::io::Read;
use std::process::ExitCode;
use std::sync::Mutex;

use sseam_core::{Limits, Overflow, Parser};

/// An event that does not fit is left out; the stream goes on after it.
const LIMITS: Limits = Limits {
    overflow: Overflow::Skip,
    ..Limits::SMALL
};

/// Firmware without threads would use a cell of its own kind here.
static PARSER: Mutex<Parser<[u8; LIMITS.memory_len()]>> = Mutex::new(Parser::with_array(LIMITS));

fn main() -> ExitCode {
    let mut fifo = [0; 16];
    let mut input = std::io::stdin().lock();
    loop {
        match input.read(&mut fifo) {
            Ok(0) => break,
            Ok(len) => on_receive(&fifo[..len]),
            Err(error) => {
                eprintln!("static_parser: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    on_end()
}

/// What an interrupt or a task does with the bytes that have come.
fn on_receive(mut bytes: &[u8]) {
    let Ok(mut parser) = PARSER.lock() else {
        return;
    };
    loop {
        match parser.next_event(&mut bytes) {
            Ok(Some(event)) => println!("{}: {}", event.event_type(), event.data()),
            Ok(None) => break,
            Err(error) => {
                eprintln!("static_parser: {error}");
                return;
            }
        }
    }
}

fn on_end() -> ExitCode {
    let Ok(mut parser) = PARSER.lock() else {
        return ExitCode::FAILURE;
    };
    let end = parser.finish();
    eprintln!("{end}, {} skipped", parser.counters().skipped);
    ExitCode::from(if end.is_clean() { 0 } else { 20 })
}
