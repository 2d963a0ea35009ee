//! An event that is lent comes in, one that shares its chunk goes out: no byte of
//! its data is copied, and the heap is not asked.
//!
//! A slice of a chunk keeps all of that chunk alive, and perhaps the whole buffer
//! that a connection reads into. For data of some length that is what one wants; a
//! short delta that is put into a history must not hold on to 64 KiB. So short data
//! is copied, into blocks that hold many events: with two heap calls for each block
//! it costs as little as a slice.
//!
//! Types and ids mostly are those of the event before. They are compared and then
//! shared, so that neither of them is copied for each event.

use std::fmt;

use bytes::{Bytes, BytesMut};
use sseam::{Event, Span, Text};

use crate::keep::{Keep, Sealed};

/// Data up to this length is copied, unless told otherwise: 128 bytes.
pub const COPIED_LEN_MAX: usize = 128;

/// Short data is copied into blocks of this length: a kept event keeps at most so
/// much alive beside its own.
const BLOCK_LEN: usize = 4096;

/// Data longer than this is copied by itself: it would waste the rest of a block.
const SHORT_LEN_MAX: usize = BLOCK_LEN / 4;

/// An event whose data is a slice of the chunk that it came in.
///
/// To clone it, and to send it to another task, costs no copy. It holds bytes, as
/// the stream sent them: [`Text`] says how to read them as text.
#[derive(Clone, PartialEq, Eq)]
pub struct BytesEvent {
    event_type: Bytes,
    data: Bytes,
    last_event_id: Bytes,
    span: (u64, u64),
}

impl BytesEvent {
    /// The event's type: `message` where the stream names none or an empty one.
    pub fn event_type(&self) -> Text<'_> {
        Text::new(&self.event_type)
    }

    /// The values of its `data` lines, joined by LF.
    pub fn data(&self) -> Text<'_> {
        Text::new(&self.data)
    }

    /// Its data as it is kept: cloning it copies nothing.
    pub const fn data_bytes(&self) -> &Bytes {
        &self.data
    }

    /// Its data alone, without copying it.
    pub fn into_data(self) -> Bytes {
        self.data
    }

    /// The last event id at its dispatch, be it set by an earlier event; empty
    /// where no id was ever set or the last one was reset.
    pub fn last_event_id(&self) -> Text<'_> {
        Text::new(&self.last_event_id)
    }

    /// The event's type as it is kept.
    pub const fn type_bytes(&self) -> &Bytes {
        &self.event_type
    }

    /// The last event id as it is kept.
    pub const fn id_bytes(&self) -> &Bytes {
        &self.last_event_id
    }

    /// Where its block stood in the stream.
    pub const fn span(&self) -> Span {
        let (start, end) = self.span;
        Span { start, end }
    }
}

/// Shows lengths, not content: logs must not leak what a stream says.
impl fmt::Debug for BytesEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BytesEvent")
            .field("event_type", &self.event_type())
            .field("data", &self.data())
            .field("last_event_id", &self.last_event_id())
            .field("span", &self.span())
            .finish()
    }
}

/// Events as [`BytesEvent`]s: data as slices of the chunks, or copied where it is
/// short or lay in several chunks or lines.
#[derive(Clone)]
pub struct Sharing {
    copied_len_max: usize,
    /// Room for short data; what was handed out of it is gone.
    block: BytesMut,
    /// The type and the id of the last event.
    event_type: Bytes,
    last_event_id: Bytes,
}

impl Sharing {
    pub(crate) fn new() -> Self {
        Sharing {
            copied_len_max: COPIED_LEN_MAX,
            block: BytesMut::new(),
            event_type: Bytes::from_static(b"message"),
            last_event_id: Bytes::new(),
        }
    }

    pub(crate) const fn set_copied_len_max(&mut self, len: usize) {
        self.copied_len_max = len;
    }

    fn data(&mut self, data: &[u8], chunk: &Bytes) -> Bytes {
        if data.len() > self.copied_len_max && is_within(data, chunk) {
            // Its panic is for a slice that lies elsewhere.
            return chunk.slice_ref(data);
        }
        self.copied(data)
    }

    fn copied(&mut self, bytes: &[u8]) -> Bytes {
        match bytes.len() {
            0 => Bytes::new(),
            1..=SHORT_LEN_MAX => {
                if self.block.capacity() < bytes.len() {
                    self.block = BytesMut::with_capacity(BLOCK_LEN);
                }
                self.block.extend_from_slice(bytes);
                self.block.split().freeze()
            }
            _ => Bytes::copy_from_slice(bytes),
        }
    }
}

/// Whether `part` lies in the chunk, and not in the memory of the parser. Two
/// allocations do not overlap, so the addresses tell.
fn is_within(part: &[u8], chunk: &Bytes) -> bool {
    let (part, chunk) = (part.as_ptr_range(), chunk.as_ptr_range());
    chunk.start <= part.start && part.end <= chunk.end
}

impl Sealed for Sharing {}

impl Keep for Sharing {
    type Event = BytesEvent;

    #[inline]
    fn keep(&mut self, event: Event<'_>, chunk: &Bytes) -> BytesEvent {
        let data = self.data(event.data().as_bytes(), chunk);
        let (event_type, id) = (event.event_type(), event.last_event_id());
        if self.event_type != event_type.as_bytes() {
            self.event_type = self.copied(event_type.as_bytes());
        }
        if self.last_event_id != id.as_bytes() {
            self.last_event_id = self.copied(id.as_bytes());
        }
        BytesEvent {
            event_type: self.event_type.clone(),
            data,
            last_event_id: self.last_event_id.clone(),
            span: (event.span().start, event.span().end),
        }
    }
}

/// Shows figures, not content.
impl fmt::Debug for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharing")
            .field("copied_len_max", &self.copied_len_max)
            .finish_non_exhaustive()
    }
}
