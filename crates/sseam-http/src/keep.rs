//! An event that is lent comes in, one that can be kept goes out: what a stream of
//! events is made of.

use bytes::Bytes;
use sseam::{Event, OwnedEvent};

/// How a stream makes its events, which outlive the chunks that they came in.
///
/// [`Owning`] and [`Sharing`](crate::Sharing) are the two ways; there is no other.
pub trait Keep: Sealed {
    /// What the stream gives.
    type Event;

    /// Makes one of an event that was parsed from this chunk, among others.
    #[doc(hidden)]
    fn keep(&mut self, event: Event<'_>, chunk: &Bytes) -> Self::Event;
}

/// Keeps others from being added, so that the trait may change.
pub trait Sealed {}

/// Events in one allocation of their own, as [`OwnedEvent`]s: they can be compared,
/// hashed and serialized, and keep nothing else alive.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Owning;

impl Sealed for Owning {}

impl Keep for Owning {
    type Event = OwnedEvent;

    #[inline]
    fn keep(&mut self, event: Event<'_>, _: &Bytes) -> OwnedEvent {
        OwnedEvent::from(event)
    }
}
