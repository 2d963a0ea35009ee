//! A codec of tokio-util: the bytes of a stream come in, its events go out, and the
//! other way round.

use std::fmt;
use std::io;

use bytes::{Buf, BytesMut};
use sseam::{
    Counters, EncodeError, GrowingMemory, GrowingParser, Limits, OwnedEvent, Parser, ReadError,
    SetupError, Text,
};
use tokio_util::codec::{Decoder, Encoder};

use crate::outgoing::Outgoing;

/// Events for `FramedRead`, and [`Outgoing`] for `FramedWrite`.
///
/// It takes all that it is given, so the buffer of the frame does not grow: an event
/// of several reads is gathered in here, up to the limits. Bytes after the last event
/// stay in that buffer.
///
/// ```
/// use futures::StreamExt;
/// use sseam_http::EventCodec;
/// use tokio_util::codec::FramedRead;
///
/// let pipe = &b"data: one\n\ndata: two\n\n"[..];
/// let mut events = FramedRead::new(pipe, EventCodec::new());
/// # futures::executor::block_on(async {
/// assert_eq!(events.next().await.unwrap()?.data(), "one");
/// # Ok::<(), sseam::ReadError>(())
/// # })?;
/// # Ok::<(), sseam::ReadError>(())
/// ```
///
/// # Errors
///
/// Every event before an error is given. An end within an event is
/// [`ReadError::Truncated`], once. A passed limit stays: each further call gives the
/// same error.
#[derive(Debug)]
pub struct EventCodec {
    parser: GrowingParser,
    has_ended: bool,
}

impl EventCodec {
    /// A codec with [`Limits::LARGE`].
    pub const fn new() -> Self {
        EventCodec::with_limits(Limits::LARGE)
    }

    /// A codec with other limits.
    pub const fn with_limits(limits: Limits) -> Self {
        let memory = GrowingMemory::with_len_max(limits.memory_len());
        EventCodec {
            parser: Parser::growing(memory, limits),
            has_ended: false,
        }
    }

    /// Sets the last event id that an earlier connection has left, before the first
    /// event.
    ///
    /// # Errors
    ///
    /// An id over its limit, or with CR, LF or NUL, changes nothing.
    pub fn set_last_event_id(&mut self, id: impl AsRef<[u8]>) -> Result<(), SetupError> {
        self.parser.set_last_event_id(id.as_ref())
    }

    /// The last event id: what to send as `Last-Event-ID` when connecting anew.
    pub fn last_event_id(&self) -> Text<'_> {
        self.parser.last_event_id()
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub const fn retry(&self) -> Option<u64> {
        self.parser.retry()
    }

    /// What was counted since the start.
    pub const fn counters(&self) -> Counters {
        self.parser.counters()
    }
}

/// A codec with [`Limits::LARGE`].
impl Default for EventCodec {
    fn default() -> Self {
        EventCodec::new()
    }
}

impl Decoder for EventCodec {
    type Item = OwnedEvent;
    type Error = ReadError;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<OwnedEvent>, ReadError> {
        if self.has_ended {
            return Ok(None);
        }
        let mut input = &buffer[..];
        let event = self.parser.next_event(&mut input);
        let event = event.map(|event| event.map(OwnedEvent::from));
        let unread_len = input.len();
        buffer.advance(buffer.len() - unread_len);
        Ok(event?)
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<OwnedEvent>, ReadError> {
        if let Some(event) = self.decode(buffer)? {
            return Ok(Some(event));
        }
        let end = self.parser.finish();
        if end.is_truncated() && !std::mem::replace(&mut self.has_ended, true) {
            return Err(ReadError::Truncated(end));
        }
        Ok(None)
    }
}

/// Why something was not sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum CodecError {
    /// The transport failed.
    Io(io::Error),
    /// A type or an id could have ended its line. Nothing of it was sent.
    Encode(EncodeError),
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::Io(_) => f.write_str("the transport failed"),
            CodecError::Encode(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CodecError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CodecError::Io(error) => Some(error),
            // Its text is this error's own, so it is not told twice.
            CodecError::Encode(_) => None,
        }
    }
}

impl From<io::Error> for CodecError {
    fn from(error: io::Error) -> Self {
        CodecError::Io(error)
    }
}

impl Encoder<Outgoing> for EventCodec {
    type Error = CodecError;

    fn encode(&mut self, item: Outgoing, wire: &mut BytesMut) -> Result<(), CodecError> {
        item.encode(wire).map_err(CodecError::Encode)
    }
}
