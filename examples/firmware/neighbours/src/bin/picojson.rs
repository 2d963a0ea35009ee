//! In: JSON in pieces. Out: what picojson's parser of streams costs, with 32-bit
//! integers and without floats.

#![no_std]
#![no_main]

use neighbours as _;
use picojson::{ChunkReader, Event, PullParser, StreamParser};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(input: &[u8], buffer: &mut [u8]) -> usize {
    let mut parser = StreamParser::new(ChunkReader::new(input, 8), buffer);
    let mut sum = 0;
    while let Ok(event) = parser.next_event() {
        sum += match event {
            Event::EndDocument => break,
            Event::Key(text) | Event::String(text) => text.as_str().len(),
            _ => 1,
        };
    }
    sum
}
