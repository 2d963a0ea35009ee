//! Treats an event that is larger than memory: a stream comes in on standard
//! input, and each event's data goes out as its length and its checksum.
//!
//! ```text
//! cargo run -p sseam-examples --bin larger_than_memory < examples/streams/demo.sse
//! ```
//!
//! The tokenizer has no buffer. It gives the data of an event piece by piece, as
//! the chunks come in; what must be remembered between them is up to the caller:
//! here three numbers, whatever the length of the event.

#![forbid(unsafe_code)]

use std::io::Read;

use sseam_core::{Field, Token, Tokenizer};

/// What is known of the data of the event in progress.
#[derive(Default)]
struct Summary {
    len: u64,
    /// Sum of the bytes, so that a reader of the example can check it by hand.
    sum: u64,
    /// Data lines that have ended: the next one is joined to them by an LF.
    lines: u64,
    is_within_line: bool,
}

impl Summary {
    fn take(&mut self, bytes: &[u8], ends_line: bool) {
        if !self.is_within_line && self.lines > 0 {
            self.add(b"\n");
        }
        self.add(bytes);
        self.is_within_line = !ends_line;
        self.lines += u64::from(ends_line);
    }

    fn add(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        self.sum += bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }
}

fn main() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut tokenizer = Tokenizer::new();
    let mut summary = Summary::default();
    // Smaller than most lines, to show that it does not matter.
    let mut buffer = [0; 32];
    loop {
        let len = input.read(&mut buffer)?;
        if len == 0 {
            break;
        }
        let mut chunk = &buffer[..len];
        while let Some(token) = tokenizer.next_token(&mut chunk) {
            match token {
                Token::Value {
                    field: Field::Data,
                    bytes,
                    ends_line,
                } => {
                    summary.take(bytes, ends_line);
                }
                Token::Blank => report(&std::mem::take(&mut summary)),
                _ => {}
            }
        }
    }
    // What is in `summary` now has no blank line: it is no event.
    Ok(())
}

fn report(summary: &Summary) {
    // A blank line after no data dispatches nothing.
    if summary.lines > 0 {
        println!("{} bytes, sum {}", summary.len, summary.sum);
    }
}
