//! sseam itself, in the ways it can be used: chunks in, events out to the sink.

use std::io::{self, Read};

use sseam::{EventReader, GrowingParser, OwnedEvent, ReadError};
use sseam_core::{Limits, Memory, Parser, Token, Tokenizer};

use crate::contender::{Contender, Kind, Sink};

/// Event memory whose length is chosen at run time and then fixed.
pub struct Fixed(Box<[u8]>);

impl Memory for Fixed {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// A core's parser over fixed memory, long enough for every corpus.
fn parser() -> Parser<Fixed> {
    let memory = vec![0; Limits::LARGE.memory_len()].into_boxed_slice();
    Parser::new(Fixed(memory), Limits::LARGE).expect("as long as the limits want")
}

/// `next_event` over fixed memory, data as bytes.
pub struct Core(Parser<Fixed>);

impl Contender for Core {
    const NAME: &'static str = "sseam-core";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        Core(parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}

/// `next_event`, then `to_str` on the data.
pub struct CoreText(Parser<Fixed>);

impl Contender for CoreText {
    const NAME: &'static str = "sseam-core to_str";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        CoreText(parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            let data = event.data().to_str().expect("the corpora are UTF-8");
            sink.event(event.event_type().as_bytes(), data.as_bytes());
        }
    }
}

/// `next_event`, then simdutf8 on the data.
pub struct CoreSimd(Parser<Fixed>);

impl Contender for CoreSimd {
    const NAME: &'static str = "sseam-core simdutf8";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        CoreSimd(parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            let data = simdutf8::basic::from_utf8(event.data().as_bytes());
            let data = data.expect("the corpora are UTF-8");
            sink.event(event.event_type().as_bytes(), data.as_bytes());
        }
    }
}

/// The tokenizer alone: pieces of lines.
pub struct CoreTokens(Tokenizer);

impl Contender for CoreTokens {
    const NAME: &'static str = "sseam-core tokenizer";
    const KIND: Kind = Kind::Part;

    fn new() -> Self {
        CoreTokens(Tokenizer::new())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(token) = self.0.next_token(&mut chunk) {
            if let Token::Value { bytes, .. } = token {
                sink.event(b"", bytes);
            }
        }
    }
}

/// `next_event` over memory that begins empty and grows on demand.
pub struct Growing(GrowingParser);

impl Contender for Growing {
    const NAME: &'static str = "sseam growing";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        Growing(sseam::parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}

/// Events that own their bytes.
pub struct Owned(GrowingParser);

impl Contender for Owned {
    const NAME: &'static str = "sseam owned";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        Owned(sseam::parser())
    }

    fn feed(&mut self, mut chunk: &'static [u8], sink: &mut impl Sink) {
        while let Some(event) = self.0.next_event(&mut chunk).expect("within limits") {
            let event = OwnedEvent::from(event);
            sink.event(event.event_type().as_bytes(), event.data().as_bytes());
        }
    }
}

/// A `Read` that has one chunk at a time, and would block after it.
#[derive(Default)]
pub struct OneChunk(&'static [u8]);

impl Read for OneChunk {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out) {
            Ok(0) => Err(io::ErrorKind::WouldBlock.into()),
            result => result,
        }
    }
}

/// The reader, which copies each chunk into its buffer.
pub struct Reader(EventReader<OneChunk>);

impl Contender for Reader {
    const NAME: &'static str = "sseam reader";
    const KIND: Kind = Kind::Own;

    fn new() -> Self {
        Reader(EventReader::new(OneChunk::default()))
    }

    fn feed(&mut self, chunk: &'static [u8], sink: &mut impl Sink) {
        self.0.source_mut().0 = chunk;
        loop {
            match self.0.next_event() {
                Ok(Some(event)) => {
                    sink.event(event.event_type().as_bytes(), event.data().as_bytes());
                }
                Err(ReadError::Source(_)) => break,
                other => panic!("no end, and within limits: {other:?}"),
            }
        }
    }
}
