//! In: an event. Out: what writing it costs.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::Encoder;

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(out: &mut [u8], event_type: &[u8], data: &[u8], id: &[u8]) -> usize {
    let block = Encoder::event(event_type, data, Some(id)).ok();
    block
        .and_then(|block| block.write_to(out).ok())
        .unwrap_or(0)
}
