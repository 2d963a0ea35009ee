//! Rivals that are called with bytes: chunks in, events out to the sink.

use bytes::{Bytes, BytesMut};
use sseam_benches::contender::{Contender, Sink};
use tokio_util::codec::Decoder as _;

/// sse-core, by its decoder, which is faster than its stream.
pub struct SseCore(sse_core::SseDecoder);

impl Contender for SseCore {
    const NAME: &'static str = "sse-core 0.2.3";

    fn new() -> Self {
        SseCore(sse_core::SseDecoder::with_limit(
            std::num::NonZeroUsize::MAX,
        ))
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        let mut chunk = Bytes::from_static(chunk);
        while let Some(event) = self.0.next(&mut chunk) {
            if let Ok(sse_core::SseEvent::Message(event)) = event {
                sink.event(event.event.as_bytes(), event.data.as_bytes());
            }
        }
    }
}

/// sse-parse, by its parser.
pub struct SseParse(sse_parse::SseParser);

impl Contender for SseParse {
    const NAME: &'static str = "sse-parse 0.1.0";

    fn new() -> Self {
        SseParse(sse_parse::SseParser::new())
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.0.feed(chunk);
        while let Some(event) = self.0.next_event() {
            sink.event(event.event.as_bytes(), event.data.as_bytes());
        }
    }
}

/// russe: the chunk is appended to the buffer, as tokio-util's reader does.
pub struct Russe {
    decoder: russe::Decoder,
    buffer: BytesMut,
}

impl Contender for Russe {
    const NAME: &'static str = "russe 0.3.1";
    const IS_QUADRATIC: bool = true;

    fn new() -> Self {
        Russe {
            decoder: russe::Decoder::default(),
            buffer: BytesMut::new(),
        }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.buffer.extend_from_slice(chunk);
        while let Ok(Some(event)) = self.decoder.decode(&mut self.buffer) {
            if let russe::Event::Message(message) = event {
                let event_type = message.event.as_deref().unwrap_or_default();
                sink.event(event_type.as_bytes(), message.data.as_bytes());
            }
        }
    }
}

/// tokio_sse_codec, with data as text that shares the buffer's bytes.
pub struct TokioSseCodec {
    decoder: tokio_sse_codec::SseDecoder<tokio_sse_codec::BytesStr>,
    buffer: BytesMut,
}

impl Contender for TokioSseCodec {
    const NAME: &'static str = "tokio_sse_codec 0.0.2";

    fn new() -> Self {
        TokioSseCodec {
            decoder: tokio_sse_codec::SseDecoder::new(),
            buffer: BytesMut::new(),
        }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.buffer.extend_from_slice(chunk);
        while let Ok(Some(frame)) = self.decoder.decode(&mut self.buffer) {
            if let tokio_sse_codec::Frame::Event(event) = frame {
                sink.event(event.name.as_bytes(), event.data.as_bytes());
            }
        }
    }
}

/// sse-codec, over the buffer of its own age.
pub struct SseCodec {
    decoder: sse_codec::SSECodec,
    buffer: futures_codec::BytesMut,
}

impl Contender for SseCodec {
    const NAME: &'static str = "sse-codec 0.3.3";
    const IS_QUADRATIC: bool = true;

    fn new() -> Self {
        SseCodec {
            decoder: sse_codec::SSECodec::default(),
            buffer: futures_codec::BytesMut::new(),
        }
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.buffer.extend_from_slice(chunk);
        while let Ok(Some(event)) =
            futures_codec::Decoder::decode(&mut self.decoder, &mut self.buffer)
        {
            if let sse_codec::Event::Message { event, data, .. } = event {
                sink.event(event.as_bytes(), data.as_bytes());
            }
        }
    }
}
