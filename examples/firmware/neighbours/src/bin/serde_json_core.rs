//! In: JSON. Out: what serde-json-core costs for a structure of three fields.

#![no_std]
#![no_main]

use neighbours as _;
use serde::Deserialize;

#[derive(Deserialize)]
struct Delta<'a> {
    index: u32,
    text: &'a str,
    done: bool,
}

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(input: &[u8]) -> usize {
    match serde_json_core::from_slice::<Delta<'_>>(input) {
        Ok((delta, len)) => len + delta.text.len() + delta.index as usize + usize::from(delta.done),
        Err(_) => 0,
    }
}
