//! The way back: the events of a stream in, their bytes out, for each event into
//! the same slice.

use std::hint::black_box;

use sseam::OwnedEvent;
use sseam_core::Encoder;

use crate::contender::Kind;
use crate::digest::Digest;
use crate::entry::Entry;

/// The encoder. Reads have no meaning for it.
pub const ENTRY: Entry = Entry {
    name: "sseam-core encoder",
    kind: Kind::Own,
    is_quadratic: false,
    count,
    digest,
    streams: None,
};

fn count(bytes: &'static [u8], _: usize) -> u64 {
    let events = events(bytes);
    let mut wire = vec![0; bytes.len()];
    for event in &events {
        black_box(sseam_measured_feed_encoder(event, &mut wire));
    }
    events.len() as u64
}

fn digest(bytes: &'static [u8], _: usize) -> Digest {
    let mut wire = vec![0; bytes.len()];
    let mut digest = Digest::new();
    for event in events(bytes) {
        let len = sseam_measured_feed_encoder(&event, &mut wire);
        for event in self::events(&wire[..len]) {
            digest.add(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
    digest
}

fn events(mut bytes: &[u8]) -> Vec<OwnedEvent> {
    let mut parser = sseam::parser();
    let mut events = Vec::new();
    while let Some(event) = parser.next_event(&mut bytes).expect("within limits") {
        events.push(OwnedEvent::from(event));
    }
    events
}

/// Begins like the name that callgrind is told to collect in.
#[inline(never)]
fn sseam_measured_feed_encoder(event: &OwnedEvent, wire: &mut [u8]) -> usize {
    let (event_type, data) = (event.event_type().as_bytes(), event.data().as_bytes());
    let encoded = Encoder::event(event_type, data, None).expect("a type that was parsed");
    encoded.write_to(wire).expect("room for the whole stream")
}
