//! In: streams in memory. Out: what defmt logs of them, to be decoded on the
//! host and held against `expected.txt`.

#![no_std]
#![no_main]

use board::{entry, exit};
use defmt_semihosting as _;
use sseam_core::{Limits, Overflow, Parser};
use sseam_embedded_io::{ChunkedDecoder, EventReader, HeadDecoder};

const STREAM: &[u8] = b"\xEF\xBB\xBFevent: secret\nid: 7\ndata: a\r\ndata: b\r\n\r\n: ping\n\n\
    unknown: x\nretry: 2500\ndata: 0123456789\n\ndata: cut";

#[entry]
fn main() -> ! {
    let limits = Limits {
        data_len_max: 8,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let mut parser = Parser::<[u8; 832]>::with_array(limits);
    defmt::info!("{}", parser.limits());
    let mut input = STREAM;
    while let Ok(Some(item)) = parser.next_item(&mut input) {
        defmt::info!("{}", item);
    }
    defmt::info!("{}", parser.counters());
    defmt::warn!("{}", parser.finish());
    defmt::info!("last event id: {}", parser.last_event_id());

    let limits = Limits {
        data_len_max: 8,
        ..Limits::SMALL
    };
    if let Ok(mut reader) = EventReader::new(STREAM, [0; 16], [0; 832], limits) {
        while let Ok(Some(event)) = reader.next_event() {
            defmt::info!("{}", event);
        }
        if let Err(error) = reader.next_event() {
            // The transport is a slice, whose error has no form for a log.
            defmt::error!("{}", Told(error));
        }
    }
    let mut head = HeadDecoder::new(100);
    defmt::info!(
        "{}",
        head.decode(&mut &b"HTTP/1.1 429 Slow\r\nRetry-After: 9\r\n\r\n"[..])
    );
    defmt::error!("{}", ChunkedDecoder::new().next_piece(&mut &b"x"[..]).err());
    exit(true)
}

/// The parser's error alone.
struct Told<E>(sseam_embedded_io::ReadError<E>);

impl<E> defmt::Format for Told<E> {
    fn format(&self, f: defmt::Formatter<'_>) {
        match &self.0 {
            sseam_embedded_io::ReadError::Parse(error) => defmt::write!(f, "{}", error),
            sseam_embedded_io::ReadError::Truncated(end) => defmt::write!(f, "{}", end),
            _ => defmt::write!(f, "another error"),
        }
    }
}
