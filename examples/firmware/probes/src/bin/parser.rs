//! In: a parser and a chunk. Out: what `next_event` and its views cost.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::Parser;

/// The whole path of a firmware that reads events and nothing else.
#[unsafe(no_mangle)]
pub extern "Rust" fn probe(parser: &mut Parser<&mut [u8]>, mut input: &[u8]) -> usize {
    let mut sum = 0;
    while let Ok(Some(event)) = parser.next_event(&mut input) {
        sum += event.event_type().len() + event.data().len() + event.last_event_id().len();
    }
    sum
}
