//! An event that outlives its reader: a view comes in, one allocation goes out.

use std::fmt;

use sseam_core::{Event, Span, Text};

/// An event of the stream that owns its bytes.
///
/// It holds bytes, as the stream sent them, and has the accessors of the
/// borrowed [`Event`]: whether text that is not UTF-8 is an error or is shown
/// with U+FFFD stays the caller's choice, by [`Text::to_str`] or
/// [`to_string_lossy`](crate::TextExt::to_string_lossy). All of them lie in one
/// allocation.
///
/// With the feature `serde` it is serialized under the keys `event`, `data` and
/// `id`, in that order, as text with U+FFFD where it is not UTF-8. An event that
/// lacks its blank line has `unfinished: true` as well, so that it is never
/// taken for a whole one. The span stays behind: it says where in a stream, and
/// the stream is gone.
///
/// ```
/// use sseam::OwnedEvent;
///
/// let event = OwnedEvent::new("note", "text", "7");
/// assert_eq!(event.event_type(), "note");
/// assert_eq!(event.data(), "text");
/// assert_eq!(event.last_event_id(), "7");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OwnedEvent {
    /// Data, type and id, in this order.
    bytes: Vec<u8>,
    /// Index of the type's first byte; <= `id_at`
    type_at: usize,
    /// Index of the id's first byte; <= length of `bytes`
    id_at: usize,
    span: (u64, u64),
    is_complete: bool,
}

impl OwnedEvent {
    /// An event that no stream sent, for tests and for sources of another kind.
    ///
    /// An empty type is `message`, as in a stream. The span is empty.
    pub fn new(
        event_type: impl AsRef<[u8]>,
        data: impl AsRef<[u8]>,
        last_event_id: impl AsRef<[u8]>,
    ) -> Self {
        let event_type = match event_type.as_ref() {
            b"" => b"message",
            event_type => event_type,
        };
        let (data, last_event_id) = (data.as_ref(), last_event_id.as_ref());
        OwnedEvent {
            type_at: data.len(),
            id_at: data.len() + event_type.len(),
            bytes: [data, event_type, last_event_id].concat(),
            span: (0, 0),
            is_complete: true,
        }
    }

    /// The event's type: `message` where the stream names none or an empty one.
    pub fn event_type(&self) -> Text<'_> {
        self.part(self.type_at, self.id_at)
    }

    /// The values of its `data` lines, joined by LF.
    pub fn data(&self) -> Text<'_> {
        self.part(0, self.type_at)
    }

    /// The last event id at its dispatch, be it set by an earlier event; empty
    /// where no id was ever set or the last one was reset.
    pub fn last_event_id(&self) -> Text<'_> {
        self.part(self.id_at, self.bytes.len())
    }

    /// Where its block stood in the stream.
    pub const fn span(&self) -> Span {
        let (start, end) = self.span;
        Span { start, end }
    }

    /// Whether its blank line arrived. False only from `take_unfinished`.
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Its data alone, without copying it.
    ///
    /// ```
    /// let event = sseam::OwnedEvent::new("", "text", "");
    /// assert_eq!(event.into_data(), b"text");
    /// ```
    pub fn into_data(mut self) -> Vec<u8> {
        self.bytes.truncate(self.type_at);
        self.bytes
    }

    #[cfg(feature = "serde")]
    pub(crate) const fn with_is_complete(mut self, is_complete: bool) -> Self {
        self.is_complete = is_complete;
        self
    }

    fn part(&self, start: usize, end: usize) -> Text<'_> {
        Text::new(self.bytes.get(start..end).unwrap_or_default())
    }
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        OwnedEvent {
            span: (event.span().start, event.span().end),
            is_complete: event.is_complete(),
            ..OwnedEvent::new(event.event_type(), event.data(), event.last_event_id())
        }
    }
}

/// Shows lengths, not content: logs must not leak what a stream says.
impl fmt::Debug for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedEvent")
            .field("event_type", &self.event_type())
            .field("data", &self.data())
            .field("last_event_id", &self.last_event_id())
            .field("span", &self.span())
            .field("is_complete", &self.is_complete)
            .finish()
    }
}
