//! In: a chunk. Out: what a parser costs that skips events which pass a limit,
//! and tells of them.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Item, Limits, Overflow, Parser};

const LIMITS: Limits = Limits {
    overflow: Overflow::Skip,
    ..Limits::SMALL
};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(memory: &mut [u8], mut input: &[u8]) -> usize {
    let Ok(mut parser) = Parser::new(memory, LIMITS) else {
        return 0;
    };
    let mut sum = 0;
    while let Ok(Some(item)) = parser.next_item(&mut input) {
        sum += match item {
            Item::Event(event) => {
                event.event_type().len() + event.data().len() + event.last_event_id().len()
            }
            Item::Skipped(skipped) => skipped.bytes() as usize + skipped.head().len(),
            _ => 1,
        };
    }
    sum
}
