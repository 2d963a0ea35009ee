//! Rivals that are handed a stream of chunks and polled: chunks in, events out
//! to the sink.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use sseam_benches::contender::{Contender, Sink};

use crate::source::{Source, next};

/// sse-stream, by its stream of bytes, which is faster than its stream of frames.
pub struct SseStream {
    source: Source,
    stream: Pin<Box<sse_stream::SseByteStream<Source>>>,
}

impl Contender for SseStream {
    const NAME: &'static str = "sse-stream 0.3.0";

    fn new() -> Self {
        let source = Source::default();
        let stream = Box::pin(sse_stream::SseByteStream::new(source.clone()));
        SseStream { source, stream }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        while let Some(Ok(event)) = next(self.stream.as_mut()) {
            let event_type = event.event.as_deref().unwrap_or_default();
            if let Some(data) = &event.data {
                sink.event(event_type.as_bytes(), data.as_bytes());
            }
        }
    }
}

/// sseer, by its stream of bytes.
pub struct Sseer {
    source: Source,
    stream: Pin<Box<sseer::EventStream<Source>>>,
}

impl Contender for Sseer {
    const NAME: &'static str = "sseer 0.3.1";

    fn new() -> Self {
        let source = Source::default();
        let stream = Box::pin(sseer::EventStream::new(source.clone()));
        Sseer { source, stream }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        while let Some(Ok(event)) = next(self.stream.as_mut()) {
            sink.event(event.event.as_bytes(), event.data.as_bytes());
        }
    }
}

/// eventsource-stream.
pub struct EventsourceStream {
    source: Source,
    stream: Pin<Box<eventsource_stream::EventStream<Source>>>,
}

impl Contender for EventsourceStream {
    const NAME: &'static str = "eventsource-stream 0.2.3";
    const IS_QUADRATIC: bool = true;

    fn new() -> Self {
        let source = Source::default();
        let stream = Box::pin(eventsource_stream::EventStream::new(source.clone()));
        EventsourceStream { source, stream }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        while let Some(Ok(event)) = next(self.stream.as_mut()) {
            sink.event(event.event.as_bytes(), event.data.as_bytes());
        }
    }
}

/// http-body-server-sent-events, polled frame by frame.
pub struct HttpBody {
    source: Source,
    decode: Pin<Box<http_body_server_sent_events::Decode<Source>>>,
}

impl Contender for HttpBody {
    const NAME: &'static str = "http-body-server-sent-events 0.2.1";
    const IS_QUADRATIC: bool = true;

    fn new() -> Self {
        let source = Source::default();
        let decode = Box::pin(http_body_server_sent_events::decode(source.clone()));
        HttpBody { source, decode }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.source.put(chunk);
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(Ok(frame))) = self.decode.as_mut().poll_frame(&mut context) {
            let Ok(event) = frame.into_data() else {
                continue;
            };
            if let Some(data) = event.data {
                let event_type = event.event.as_deref().unwrap_or_default();
                sink.event(event_type.as_bytes(), data.as_bytes());
            }
        }
    }
}
