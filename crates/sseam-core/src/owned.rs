//! Owned events without a heap: a lent event comes in, a copy in fixed arrays
//! goes out, to be sent through a queue from one task to another.

use core::fmt;

use heapless::Vec;

use crate::item::Event;
use crate::limits::Limit;
use crate::text::Text;

/// A copy of an event, with room for so many bytes of data, type and id.
///
/// What does not fit is an error, never cut short.
///
/// ```
/// use sseam_core::{Limits, OwnedEvent, Parser};
///
/// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
/// let mut input: &[u8] = b"event: led\ndata: on\n\n";
/// let event = parser.next_event(&mut input)?.unwrap();
/// let owned: OwnedEvent<16> = event.try_into()?;
/// assert_eq!((owned.event_type(), owned.data()), ("led".into(), "on".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OwnedEvent<const DATA: usize, const TYPE: usize = 32, const ID: usize = 32> {
    event_type: Vec<u8, TYPE>,
    data: Vec<u8, DATA>,
    id: Vec<u8, ID>,
}

impl<const DATA: usize, const TYPE: usize, const ID: usize> OwnedEvent<DATA, TYPE, ID> {
    /// The event's type; `message` where the stream named none.
    pub fn event_type(&self) -> Text<'_> {
        if self.event_type.is_empty() {
            return Text::new(b"message");
        }
        Text::new(&self.event_type)
    }

    /// The values of its `data` lines, joined by LF.
    pub fn data(&self) -> Text<'_> {
        Text::new(&self.data)
    }

    /// The last event id at its dispatch.
    pub fn last_event_id(&self) -> Text<'_> {
        Text::new(&self.id)
    }
}

impl<const DATA: usize, const TYPE: usize, const ID: usize> TryFrom<Event<'_>>
    for OwnedEvent<DATA, TYPE, ID>
{
    type Error = TooLong;

    fn try_from(event: Event<'_>) -> Result<Self, TooLong> {
        Ok(OwnedEvent {
            // A type that the stream did not name takes no room.
            event_type: copied(event.event_type, Limit::EventType)?,
            data: copied(event.data, Limit::Data)?,
            id: copied(event.id, Limit::Id)?,
        })
    }
}

fn copied<const N: usize>(bytes: &[u8], limit: Limit) -> Result<Vec<u8, N>, TooLong> {
    let too_long = TooLong {
        limit,
        len: bytes.len(),
        max: N,
    };
    Vec::from_slice(bytes).map_err(|_| too_long)
}

/// Shows lengths, not content.
impl<const DATA: usize, const TYPE: usize, const ID: usize> fmt::Debug
    for OwnedEvent<DATA, TYPE, ID>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedEvent")
            .field("event_type", &self.event_type())
            .field("data", &self.data())
            .field("last_event_id", &self.last_event_id())
            .finish()
    }
}

/// Shows lengths, not content.
#[cfg(feature = "defmt")]
impl<const DATA: usize, const TYPE: usize, const ID: usize> defmt::Format
    for OwnedEvent<DATA, TYPE, ID>
{
    fn format(&self, f: defmt::Formatter<'_>) {
        let (event_type, data, id) = (self.event_type(), self.data(), self.last_event_id());
        defmt::write!(f, "OwnedEvent({}, {}, {})", event_type, data, id);
    }
}

/// A part of an event is longer than the copy has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TooLong {
    /// Which part: the type, the data or the id.
    pub limit: Limit,
    /// Its length in bytes.
    pub len: usize,
    /// The room for it.
    pub max: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLong { limit, len, max } = self;
        write!(
            f,
            "{} of the copy is {max}, the event has {len} bytes",
            limit.name()
        )
    }
}

impl core::error::Error for TooLong {}
