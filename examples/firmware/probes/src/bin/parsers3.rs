//! In: three parsers of three capacities. Out: what each further one costs.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Memory, Parser};

#[inline(never)]
fn run<M: Memory>(parser: &mut Parser<M>, mut input: &[u8]) -> usize {
    let mut sum = 0;
    while let Ok(Some(event)) = parser.next_event(&mut input) {
        sum += event.event_type().len() + event.data().len() + event.last_event_id().len();
    }
    sum
}

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(
    first: &mut Parser<[u8; 512]>,
    second: &mut Parser<[u8; 1024]>,
    third: &mut Parser<[u8; 4096]>,
    input: &[u8],
) -> usize {
    run(first, input) + run(second, input) + run(third, input)
}
