//! In: a turn and an event. Out: what reading the answer of an AI API costs,
//! besides the parser: its text, its outcome.
//!
//! Which APIs are in it, features say.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{End, Event, Skipped};
use sseam_llm::{Close, Signal, Turn};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(
    turn: &mut Turn,
    event: Result<&Event<'_>, &Skipped<'_>>,
    end: &End,
    close: Close,
) -> usize {
    let signals = match event {
        Ok(event) => turn.observe(event),
        Err(skipped) => turn.observe_skipped(skipped),
    };
    let mut sum = 0;
    for signal in signals {
        if let Signal::Text(piece) = signal {
            sum += piece.parts().map(|part| part.len()).sum::<usize>();
        }
    }
    if turn.is_over() {
        sum += usize::from(turn.finish_with(end, close).exit_code());
    }
    sum
}
