//! A source comes in, iterators of owned events go out.

use std::borrow::BorrowMut;
use std::iter::FusedIterator;

use sseam_core::Item;
use sseam_llm::Next;

use super::failure::ClientError;
use super::source::EventSource;
use crate::owned::OwnedEvent;

/// The owned events of a source, up to the end or an error. Made by
/// [`EventSource::events`], or by `for` over a source, which it then owns.
#[derive(Debug)]
pub struct SourceEvents<S> {
    source: S,
}

impl<S> SourceEvents<S> {
    pub(crate) const fn new(source: S) -> Self {
        SourceEvents { source }
    }

    /// The source, after the events that were taken.
    pub fn into_source(self) -> S {
        self.source
    }
}

impl<S: BorrowMut<EventSource>> Iterator for SourceEvents<S> {
    type Item = Result<OwnedEvent, ClientError>;

    /// A source gives nothing after an error, so this is a fuse by itself.
    fn next(&mut self) -> Option<Self::Item> {
        let event = self.source.borrow_mut().next_event().transpose()?;
        Some(event.map(OwnedEvent::from))
    }
}

impl<S: BorrowMut<EventSource>> FusedIterator for SourceEvents<S> {}

impl IntoIterator for EventSource {
    type Item = Result<OwnedEvent, ClientError>;
    type IntoIter = SourceEvents<EventSource>;

    fn into_iter(self) -> SourceEvents<EventSource> {
        SourceEvents::new(self)
    }
}

/// The complete events that were received and not given. Made by
/// [`EventSource::drain`].
#[derive(Debug)]
pub struct Drain<'s> {
    source: &'s mut EventSource,
}

impl<'s> Drain<'s> {
    pub(crate) const fn new(source: &'s mut EventSource) -> Self {
        Drain { source }
    }
}

impl Iterator for Drain<'_> {
    type Item = OwnedEvent;

    fn next(&mut self) -> Option<OwnedEvent> {
        loop {
            self.source.settle();
            if self.source.told.step() == Next::NeedInput {
                return None;
            }
            self.source.note_heard();
            if let Some(Item::Event(event)) = self.source.told.item() {
                return Some(OwnedEvent::from(event));
            }
        }
    }
}
