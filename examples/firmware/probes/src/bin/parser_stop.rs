//! In: a chunk. Out: what a parser costs whose limits are known and which stops
//! at an event that passes them.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Limits, Parser};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(memory: &mut [u8], mut input: &[u8]) -> usize {
    let Ok(mut parser) = Parser::new(memory, Limits::SMALL) else {
        return 0;
    };
    let mut sum = 0;
    while let Ok(Some(event)) = parser.next_event(&mut input) {
        sum += event.event_type().len() + event.data().len() + event.last_event_id().len();
    }
    sum
}
