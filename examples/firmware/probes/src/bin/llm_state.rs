//! In: nothing. Out: the size of a turn, as the length of a symbol.

#![no_std]
#![no_main]

use probes as _;
use sseam_llm::{Outcome, Signals, Turn};

#[unsafe(no_mangle)]
pub static size_of_turn: [u8; size_of::<Turn>()] = [1; size_of::<Turn>()];
#[unsafe(no_mangle)]
pub static size_of_signals: [u8; size_of::<Signals<'_>>()] = [1; size_of::<Signals<'_>>()];
#[unsafe(no_mangle)]
pub static size_of_outcome: [u8; size_of::<Outcome>()] = [1; size_of::<Outcome>()];

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(index: usize) -> usize {
    let tables: [&[u8]; 3] = [&size_of_turn, &size_of_signals, &size_of_outcome];
    tables
        .get(index)
        .map_or(0, |table| probes::hidden(*table).len())
}
