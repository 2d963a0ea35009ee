//! In: a parser and a chunk. Out: what `next_event` costs when defmt logs each
//! event; the logger itself does nothing.

#![no_std]
#![no_main]

use probes as _;
use sseam_core::Parser;

#[defmt::global_logger]
struct Silent;

// SAFETY: nothing is written, so nothing can be written at the wrong time.
unsafe impl defmt::Logger for Silent {
    fn acquire() {}
    unsafe fn flush() {}
    unsafe fn release() {}
    unsafe fn write(bytes: &[u8]) {
        probes::black_box(bytes);
    }
}

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(parser: &mut Parser<&mut [u8]>, mut input: &[u8]) -> usize {
    let mut sum = 0;
    loop {
        match parser.next_event(&mut input) {
            Ok(Some(event)) => {
                defmt::info!("{}", event);
                sum += event.event_type().len() + event.data().len() + event.last_event_id().len();
            }
            Ok(None) => return sum,
            Err(error) => {
                defmt::error!("{}", error);
                return sum;
            }
        }
    }
}
