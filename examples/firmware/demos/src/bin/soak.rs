//! In: a hundred thousand events, made on the machine. Out: how many there were,
//! and whether the stack went deeper than for the first thousand.
//!
//! There is no heap that could break up into pieces, and nothing that grows.

#![no_std]
#![no_main]

use core::convert::Infallible;

use board::{Uart, entry, exit};
use embedded_io::{ErrorType, Read, Write};
use sseam_core::{Limits, Overflow};
use sseam_embedded_io::EventReader;

/// The second event is too large for the limits.
const BLOCK: &[u8] = b": ping\nid: 7\nevent: delta\ndata: a\ndata: b\n\ndata: 0123456789\n\n";

const LIMITS: Limits = Limits {
    data_len_max: 8,
    overflow: Overflow::Skip,
    ..Limits::SMALL
};

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    let painted = board::paint(6144);
    let few = run(1000);
    let first = board::painted_over(&painted);
    let many = run(100_000);
    let grown = board::painted_over(&painted) - first;
    let _ = writeln!(
        out,
        "{few} events, then {many}, {grown} bytes of stack more"
    );
    exit(true)
}

#[inline(never)]
fn run(blocks: u32) -> u64 {
    let source = Blocks {
        left: blocks,
        at: 0,
        read_len: 1,
    };
    let (mut buffer, mut memory) = ([0; 48], [0; LIMITS.memory_len()]);
    let reader = EventReader::new(source, &mut buffer[..], &mut memory[..], LIMITS);
    let Ok(mut reader) = reader else { return 0 };
    while let Ok(Some(event)) = reader.next_event() {
        if event.data() != "a\nb" {
            return 0;
        }
    }
    let counters = reader.counters();
    if counters.skipped == counters.events {
        counters.events
    } else {
        0
    }
}

/// So many blocks, in reads of changing lengths.
struct Blocks {
    left: u32,
    at: usize,
    read_len: usize,
}

impl ErrorType for Blocks {
    type Error = Infallible;
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        if self.left == 0 {
            return Ok(0);
        }
        self.read_len = self.read_len % 48 + 1;
        let rest = BLOCK.get(self.at..).unwrap_or_default();
        let len = rest.len().min(buffer.len()).min(self.read_len);
        for (place, byte) in buffer.iter_mut().zip(rest).take(len) {
            *place = *byte;
        }
        self.at += len;
        if self.at == BLOCK.len() {
            (self.at, self.left) = (0, self.left - 1);
        }
        Ok(len)
    }
}
