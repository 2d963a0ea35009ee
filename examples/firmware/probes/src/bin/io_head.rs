//! In: the head of an answer. Out: what reading it costs.

#![no_std]
#![no_main]

use probes as _;
use sseam_embedded_io::{HeadDecoder, ResponseHead};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(decoder: &mut HeadDecoder, mut input: &[u8]) -> Option<ResponseHead> {
    decoder.decode(&mut input).ok()?
}
