//! In: an event stream over a UART. Out: what `sseam replay` prints for it.
//!
//! A UART never ends, so the stream says when: an event of type `quit`.

#![no_std]
#![no_main]

use board::{Uart, entry, exit};
use demos::print_event;
use embedded_io::Write;
use sseam_core::Limits;
use sseam_embedded_io::EventReader;

const LIMITS: Limits = Limits {
    data_len_max: 1024,
    ..Limits::SMALL
};

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    // Lent, not given: what is given is copied each time its owner is moved.
    let (mut buffer, mut memory) = ([0; 64], [0; LIMITS.memory_len()]);
    let reader = EventReader::new(Uart::new(), &mut buffer[..], &mut memory[..], LIMITS);
    let Ok(mut reader) = reader else { exit(false) };
    let _ = writeln!(out, "ready");
    loop {
        match reader.next_event() {
            Ok(Some(event)) if event.event_type() == "quit" => break,
            Ok(Some(event)) => print_event(&mut out, &event),
            Ok(None) => exit(false),
            Err(error) => {
                let _ = writeln!(out, "{error}");
                exit(false)
            }
        }
    }
    let counters = reader.counters();
    let _ = writeln!(out, "{} events, {} bytes", counters.events, counters.bytes);
    exit(true)
}
