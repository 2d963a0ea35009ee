//! In: a chunk's size line. Out: what httparse's function for it costs.

#![no_std]
#![no_main]

use neighbours as _;

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(input: &[u8]) -> u64 {
    match httparse::parse_chunk_size(input) {
        Ok(httparse::Status::Complete((_, size))) => size,
        _ => 0,
    }
}
