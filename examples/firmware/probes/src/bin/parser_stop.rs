//! In: a chunk. Out: what a parser costs whose limits are known and which stops
//! at an event that passes them.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Limits, Parser};

const NEW: Parser<[u8; 832]> = Parser::with_array(Limits::SMALL);

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(parser: &mut Parser<[u8; 832]>, mut input: &[u8]) -> usize {
    *parser = NEW;
    let mut sum = 0;
    while let Ok(Some(event)) = parser.next_event(&mut input) {
        sum += event.event_type().len() + event.data().len() + event.last_event_id().len();
    }
    sum
}
