//! In: a chunked body. Out: what the decoder alone costs.

#![no_std]
#![no_main]

use probes as _;
use sseam_embedded_io::ChunkedDecoder;

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(decoder: &mut ChunkedDecoder, mut input: &[u8]) -> usize {
    let mut sum = 0;
    while let Ok(Some(piece)) = decoder.next_piece(&mut input) {
        sum += piece.len();
    }
    sum
}
