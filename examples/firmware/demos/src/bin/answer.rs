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
use sseam_core::{Item, Overflow};
use sseam_llm::{Answer, Close, Dialect, Heard, LINE_LEN_MIN, Signal, TransportEnd, Turn, Wants};

/// The one that this firmware is built with: the code of no other is in it.
const DIALECT: Dialect = Dialect::OpenAiResponses;

/// Bytes of an event, and of a line in which a server hides a failure.
const MEMORY_LEN: usize = 1024 + LINE_LEN_MIN;

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    let painted = board::paint(12288);
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
    // Lent, not given: what is given is copied each time its owner is moved.
    let mut memory = [0; MEMORY_LEN];
    let overflow = match order {
        [b'k'] => Overflow::Skip,
        _ => Overflow::Stop,
    };
    let mut answer = begin(&mut memory, overflow);
    let close = read(&mut uart, &mut answer, out);
    conclude(&mut answer, close, out)
}

/// An answer before its first byte. In a function of its own, whose stack is free
/// again when the answer is read.
#[inline(never)]
fn begin(memory: &mut [u8], overflow: Overflow) -> Answer<&mut [u8]> {
    Answer::fit(memory, overflow, Turn::new(DIALECT))
}

/// Prints what only the end tells, and says what became of the answer.
#[inline(never)]
fn conclude(answer: &mut Answer<&mut [u8]>, close: Close, out: &mut Uart) -> &'static str {
    answer.end(close);
    while let Some(heard) = answer.next(&mut &b""[..]) {
        print(out, heard);
    }
    answer.outcome().name()
}

/// Reads to the end of the answer, or to the end of what there is of it.
#[inline(never)]
fn read(uart: &mut Uart, answer: &mut Answer<&mut [u8]>, out: &mut Uart) -> Close {
    let mut buffer = [0; 64];
    while answer.wants() != Wants::Nothing {
        let Ok(len) = uart.read(&mut buffer);
        let mut chunk = buffer.get(..len).unwrap_or_default();
        while let Some(heard) = answer.next(&mut chunk) {
            // A UART never ends: this event stands for the end of a connection.
            if matches!(&heard.item, Some(Item::Event(event)) if event.event_type() == "quit") {
                return Close::Transport(TransportEnd::Clean);
            }
            print(out, heard);
        }
    }
    Close::Transport(TransportEnd::Clean)
}

/// Prints text as it comes; nothing is gathered.
fn print(out: &mut Uart, mut heard: Heard<'_>) {
    for signal in heard.signals.by_ref() {
        if let Signal::Text(piece) = signal {
            for part in piece.parts() {
                let _ = out.write(part.as_bytes());
            }
        }
    }
}
