//! In: a turn and an item of a parser. Out: what reading the answer of an AI API
//! costs, besides the parser: its text, its outcome.
//!
//! Which APIs are in it, features say.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{End, Event, Item, Skipped};
use sseam_llm::{Close, Signal, Turn};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe<'a>(
    turn: &'a mut Turn,
    event: Result<&Event<'a>, &Skipped<'a>>,
    end: &End,
    close: Close,
) -> usize {
    let signals = match event {
        Ok(event) => turn.observe(event), // tidy: a turn alone is what is measured.
        Err(skipped) => turn.observe_item(&Item::Skipped(*skipped)), // tidy: as above.
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
