//! The way back: what a server sends comes in, its bytes go out, into which nothing
//! can be injected.

use std::fmt;

use bytes::{BufMut, Bytes, BytesMut};
use sseam::{EncodeError, Encoder, Text};

/// Something to be sent on a stream of events.
///
/// ```
/// use sseam_http::Outgoing;
///
/// let mut wire = bytes::BytesMut::new();
/// Outgoing::event("two\nlines").with_type("note").with_id("7").encode(&mut wire)?;
/// Outgoing::comment("ping").encode(&mut wire)?;
/// assert_eq!(wire, "event: note\nid: 7\ndata: two\ndata: lines\n\n: ping\n\n");
/// # Ok::<(), sseam::EncodeError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing(Kind);

#[derive(Clone, PartialEq, Eq)]
enum Kind {
    Event {
        event_type: Bytes,
        data: Bytes,
        id: Option<Bytes>,
    },
    Comment(Bytes),
    Retry(u64),
}

impl Outgoing {
    /// An event with this data, of no type and without an id.
    ///
    /// Data of several lines becomes several `data` lines. CR and CRLF in it arrive
    /// as LF.
    pub fn event(data: impl Into<Bytes>) -> Self {
        Outgoing(Kind::Event {
            event_type: Bytes::new(),
            data: data.into(),
            id: None,
        })
    }

    /// The same event with a type. Of a comment or a reconnection time it changes
    /// nothing.
    #[must_use]
    pub fn with_type(mut self, name: impl Into<Bytes>) -> Self {
        if let Kind::Event { event_type, .. } = &mut self.0 {
            *event_type = name.into();
        }
        self
    }

    /// The same event with an id, which an empty one resets. Of a comment or a
    /// reconnection time it changes nothing.
    #[must_use]
    pub fn with_id(mut self, new_id: impl Into<Bytes>) -> Self {
        if let Kind::Event { id, .. } = &mut self.0 {
            *id = Some(new_id.into());
        }
        self
    }

    /// A comment: a heartbeat, which no reader takes for an event.
    pub fn comment(text: impl Into<Bytes>) -> Self {
        Outgoing(Kind::Comment(text.into()))
    }

    /// A reconnection time in milliseconds.
    pub const fn retry(milliseconds: u64) -> Self {
        Outgoing(Kind::Retry(milliseconds))
    }

    /// Appends its bytes, up to and with a blank line.
    ///
    /// # Errors
    ///
    /// A type or an id with CR, LF or NUL is refused, and nothing is appended.
    pub fn encode(&self, wire: &mut BytesMut) -> Result<(), EncodeError> {
        let mut block = match &self.0 {
            Kind::Event {
                event_type,
                data,
                id,
            } => Encoder::event(event_type, data, id.as_deref())?,
            Kind::Comment(text) => Encoder::comment(text),
            Kind::Retry(milliseconds) => Encoder::retry(*milliseconds),
        };
        while let Some(piece) = block.next_piece() {
            wire.put_slice(piece);
        }
        // A blank line after a comment dispatches nothing, and proxies that hold
        // lines back let it go.
        if !matches!(self.0, Kind::Event { .. }) {
            wire.put_slice(b"\n");
        }
        Ok(())
    }
}

/// Shows lengths, not content.
impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Event {
                event_type,
                data,
                id,
            } => f
                .debug_struct("Event")
                .field("event_type", &Text::new(event_type))
                .field("data", &Text::new(data))
                .field("id", &id.as_deref().map(Text::new))
                .finish(),
            Kind::Comment(text) => f.debug_tuple("Comment").field(&Text::new(text)).finish(),
            Kind::Retry(milliseconds) => f.debug_tuple("Retry").field(milliseconds).finish(),
        }
    }
}
