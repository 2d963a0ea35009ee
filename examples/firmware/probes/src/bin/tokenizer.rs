//! In: a tokenizer and a chunk. Out: what the tokenizer alone costs.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::{Token, Tokenizer};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(tokenizer: &mut Tokenizer, mut input: &[u8]) -> usize {
    let mut sum = 0;
    while let Some(token) = tokenizer.next_token(&mut input) {
        sum += match token {
            Token::Value {
                field,
                bytes,
                ends_line,
            } => bytes.len() + field as usize + usize::from(ends_line),
            Token::Comment { bytes, .. } => bytes.len(),
            Token::Ignored { .. } => 3,
            Token::Blank => 1,
        };
    }
    sum
}
