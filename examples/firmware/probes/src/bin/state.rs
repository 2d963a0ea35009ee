//! In: nothing. Out: the sizes of the state, as lengths of symbols.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Engine, Event, Limits, Parser, Tokenizer};

#[unsafe(no_mangle)]
pub static size_of_engine: [u8; size_of::<Engine>()] = [1; size_of::<Engine>()];
#[unsafe(no_mangle)]
pub static size_of_parser: [u8; size_of::<Parser<&mut [u8]>>()] =
    [1; size_of::<Parser<&mut [u8]>>()];
#[unsafe(no_mangle)]
pub static size_of_tokenizer: [u8; size_of::<Tokenizer>()] = [1; size_of::<Tokenizer>()];
#[unsafe(no_mangle)]
pub static size_of_limits: [u8; size_of::<Limits>()] = [1; size_of::<Limits>()];
#[unsafe(no_mangle)]
pub static size_of_event: [u8; size_of::<Event<'static>>()] = [1; size_of::<Event<'static>>()];

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(index: usize) -> usize {
    let tables: [&[u8]; 5] = [
        &size_of_engine,
        &size_of_parser,
        &size_of_tokenizer,
        &size_of_limits,
        &size_of_event,
    ];
    tables
        .get(index)
        .map_or(0, |table| probes::hidden(*table).len())
}
