//! What sseam gives of a body that is polled, beside the rivals that are polled.

use std::pin::Pin;

use sseam_benches::contender::{Contender, Kind, Sink};
use sseam_http::{BytesEvents, Events, bytes_events, events};

use crate::source::{Source, next};

/// Owned events of a body.
pub struct Owned {
    source: Source,
    events: Pin<Box<Events<Source>>>,
}

impl Contender for Owned {
    const NAME: &'static str = "sseam-http events";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        let source = Source::default();
        let events = Box::pin(events(source.clone()));
        Owned { source, events }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        while let Some(Ok(event)) = next(self.events.as_mut()) {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}

/// Events that share the body's chunks.
pub struct Shared {
    source: Source,
    events: Pin<Box<BytesEvents<Source>>>,
}

impl Contender for Shared {
    const NAME: &'static str = "sseam-http bytes_events";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        let source = Source::default();
        let events = Box::pin(bytes_events(source.clone()));
        Shared { source, events }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        while let Some(Ok(event)) = next(self.events.as_mut()) {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}
