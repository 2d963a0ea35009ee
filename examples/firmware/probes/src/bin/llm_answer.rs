//! In: an answer and bytes of its stream. Out: what all of it costs, from the
//! bytes to text and outcome, the parser included.
//!
//! Which APIs are in it, features say.

#![no_std]
#![no_main]

use probes as _;
use sseam_llm::{Answer, Close, Wants};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(answer: &mut Answer<&mut [u8]>, chunk: &[u8], close: Close) -> usize {
    let mut sum = 0;
    answer.feed(chunk, |text| sum += text.len());
    if answer.wants() == Wants::Nothing {
        answer.end(close);
        sum += usize::from(answer.outcome().exit_code());
    }
    sum
}
