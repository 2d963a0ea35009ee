//! In: the streamed answer of an AI API over a UART. Out: its text, and what
//! became of it.
//!
//! The events of such a stream that repeat the whole request or the whole answer
//! are larger than this memory; they are left out, and the answer is known to be
//! complete all the same. The first byte says what to do with an event that is
//! too large: `k` to skip it, `s` to stop.

#![no_std]
#![no_main]

use board::{Uart, entry, exit};
use embedded_io::{Read, Write};
use sseam_core::{End, Error, Item, Limits, Overflow};
use sseam_embedded_io::{EventReader, ReadError};
use sseam_llm::{Close, Dialect, Excess, Signal, TransportEnd, Turn};

/// The one that this firmware is built with: the code of no other is in it.
const DIALECT: Dialect = Dialect::OpenAiResponses;

const MEMORY_LEN: usize = 1024;

type Reader<'m> = EventReader<Uart, &'m mut [u8], &'m mut [u8]>;

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    let painted = board::paint(6144);
    let outcome = answer(&mut out);
    let stack = board::painted_over(&painted);
    let _ = writeln!(out, "\n# {outcome}, {stack} bytes of stack");
    exit(true)
}

/// Reads one answer and prints its text.
#[inline(never)]
fn answer(out: &mut Uart) -> &'static str {
    let mut uart = Uart::new();
    let _ = writeln!(out, "ready");
    let mut order = [0];
    let _ = uart.read(&mut order);
    let limits = Limits {
        overflow: if order == *b"k" {
            Overflow::Skip
        } else {
            Overflow::Stop
        },
        ..Limits::fit(MEMORY_LEN)
    };
    // Lent, not given: what is given is copied each time its owner is moved.
    let (mut buffer, mut memory) = ([0; 64], [0; MEMORY_LEN]);
    let reader = EventReader::new(uart, &mut buffer[..], &mut memory[..], limits);
    let Ok(mut reader) = reader else {
        return "the memory is too short";
    };
    let mut turn = Turn::new(DIALECT);
    let close = read(&mut reader, &mut turn, out);
    let end = End::at(reader.counters().bytes);
    turn.finish_with(&end, close).name()
}

/// Reads to the end of the answer, or to the end of what there is of it.
fn read(reader: &mut Reader<'_>, turn: &mut Turn, out: &mut Uart) -> Close {
    while !turn.is_over() {
        match reader.next_item() {
            // A UART never ends: this event stands for the end of a connection.
            Ok(Some(Item::Event(event))) if event.event_type() == "quit" => break,
            Ok(Some(Item::Event(event))) => {
                turn.observe(&event).for_each(|signal| print(out, signal));
            }
            Ok(Some(Item::Skipped(skipped))) => {
                let signals = turn.observe_skipped(&skipped);
                signals.for_each(|signal| print(out, signal));
            }
            Ok(Some(Item::Ignored(line))) => {
                turn.observe_ignored(&line);
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(ReadError::Parse(Error::LimitPassed { limit, .. })) => {
                return Close::Limit(Excess::Limit(limit));
            }
            Err(_) => return Close::Transport(TransportEnd::Cut),
        }
    }
    Close::Transport(TransportEnd::Clean)
}

/// Prints text as it comes; nothing is gathered.
fn print(out: &mut Uart, signal: Signal<'_>) {
    if let Signal::Text(piece) = signal {
        for part in piece.parts() {
            let _ = out.write(part.as_bytes());
        }
    }
}
