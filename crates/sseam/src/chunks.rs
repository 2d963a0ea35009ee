//! Any iterator of chunks comes in, its events go out.

use std::convert::Infallible;
use std::fmt;
use std::iter::FusedIterator;

use sseam_core::{Counters, Error, Event, Item, Limits, SetupError, Text};

use crate::error::ReadError;
use crate::owned::OwnedEvent;
use crate::reader::Parts;
use crate::stream::{Holder, Source, Stream};

/// The events of a stream whose chunks an iterator gives.
///
/// Where the chunks may fail, as a response body's do, use [`try_events`].
///
/// ```
/// let chunks = ["data: on", "e\n\nda", "ta: two\n\n"];
/// let mut seen = Vec::new();
/// for event in sseam::events(chunks) {
///     seen.push(event?.into_data());
/// }
/// assert_eq!(seen, [b"one", b"two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn events<I>(chunks: I) -> Events<Infallibly<I::IntoIter>, I::Item>
where
    I: IntoIterator<Item: AsRef<[u8]>>,
{
    events_with_limits(chunks, Limits::LARGE)
}

/// Like [`events`], with other limits than [`Limits::LARGE`].
pub fn events_with_limits<I>(chunks: I, limits: Limits) -> Events<Infallibly<I::IntoIter>, I::Item>
where
    I: IntoIterator<Item: AsRef<[u8]>>,
{
    Events::new(Infallibly(chunks.into_iter()), limits)
}

/// The events of a stream whose chunks an iterator gives, or fails to.
///
/// ```
/// use std::io;
/// use sseam::ReadError;
///
/// let chunks = [Ok("data: one\n\nda"), Err(io::ErrorKind::ConnectionReset)];
/// let mut events = sseam::try_events(chunks);
/// assert_eq!(events.next().unwrap().unwrap().data(), "one");
/// let error = events.next().unwrap().unwrap_err();
/// assert_eq!(error, ReadError::Source(io::ErrorKind::ConnectionReset));
/// assert!(events.next().is_none());
/// ```
pub fn try_events<I, B, E>(chunks: I) -> Events<I::IntoIter, B>
where
    I: IntoIterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    try_events_with_limits(chunks, Limits::LARGE)
}

/// Like [`try_events`], with other limits than [`Limits::LARGE`].
pub fn try_events_with_limits<I, B, E>(chunks: I, limits: Limits) -> Events<I::IntoIter, B>
where
    I: IntoIterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    Events::new(chunks.into_iter(), limits)
}

/// Events out of chunks, owned as an iterator or lent by
/// [`next_event`](Self::next_event).
///
/// As an iterator it ends after an error. [`next_event`](Self::next_event) and
/// [`next_item`](Self::next_item) may be called again after an error of the
/// source, which is then asked for its next chunk; for the rest they behave as
/// those of an [`EventReader`](crate::EventReader#after-an-error).
#[derive(Clone)]
pub struct Events<I, B> {
    stream: Stream<Chunks<I, B>>,
    has_failed: bool,
}

/// An iterator of chunks that cannot fail, as one of chunks that can.
#[derive(Clone)]
pub struct Infallibly<I>(I);

impl<I, B> Events<I, B> {
    fn new(chunks: I, limits: Limits) -> Self {
        let source = Chunks {
            chunks,
            chunk: None,
        };
        Events {
            stream: Stream::new(source, limits),
            has_failed: false,
        }
    }
}

impl<I, B, E> Events<I, B>
where
    I: Iterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    /// The next event, lent until the next call.
    ///
    /// `Ok(None)` is the end of the stream: a clean one, unless it was said to
    /// be truncated.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<E>> {
        self.stream.next_event()
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<E>> {
        self.stream.next_item()
    }

    /// The event that the end of input threw away, once, after the end was said
    /// to be truncated: see [`EventReader::take_unfinished`].
    ///
    /// [`EventReader::take_unfinished`]: crate::EventReader::take_unfinished
    ///
    /// # Errors
    ///
    /// [`Error::MemoryTooShort`] where memory could not grow by one byte.
    pub fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.stream.take_unfinished()
    }

    /// Goes on with the chunks of a new connection.
    ///
    /// The limits, the last event id and the reconnection time stay; everything
    /// else starts anew, and the rest of the old chunks is dropped.
    pub fn reset(&mut self, chunks: I) {
        self.stream.source = Chunks {
            chunks,
            chunk: None,
        };
        self.stream.restart();
        self.has_failed = false;
    }

    /// Takes it apart: the iterator, the bytes of its last chunk that were not
    /// parsed, and the parser as it stands.
    ///
    /// ```
    /// let mut events = sseam::events(["data: one\n\nda", "ta: two\n\n"]);
    /// assert!(events.next().is_some());
    /// let parts = events.into_parts();
    /// assert_eq!(parts.unread, b"da");
    /// assert_eq!(parts.source.into_inner().next(), Some("ta: two\n\n"));
    /// ```
    pub fn into_parts(self) -> Parts<I> {
        Parts {
            unread: self.stream.unread().to_vec(),
            source: self.stream.source.chunks,
            engine: self.stream.engine,
            memory: self.stream.memory,
        }
    }

    /// Sets the last event id that an earlier connection has left, before the
    /// first event.
    ///
    /// # Errors
    ///
    /// An id over its limit, or with CR, LF or NUL, changes nothing.
    pub fn set_last_event_id(&mut self, id: impl AsRef<[u8]>) -> Result<(), SetupError> {
        self.stream.set_last_event_id(id.as_ref())
    }

    /// The last event id: that of the last block that ended.
    pub fn last_event_id(&self) -> Text<'_> {
        Text::new(self.stream.last_event_id())
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub fn retry(&self) -> Option<u64> {
        self.stream.engine.retry()
    }

    /// What was counted since the start or the last reset.
    pub fn counters(&self) -> Counters {
        self.stream.engine.counters()
    }

    /// The limits it was made with.
    pub fn limits(&self) -> &Limits {
        self.stream.engine.limits()
    }
}

impl<I, B, E> Iterator for Events<I, B>
where
    I: Iterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    type Item = Result<OwnedEvent, ReadError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let event = self.stream.next_event().transpose()?;
        self.has_failed = event.is_err();
        Some(event.map(OwnedEvent::from))
    }
}

impl<I, B, E> FusedIterator for Events<I, B>
where
    I: Iterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
}

/// Shows figures, not content and not the chunks.
impl<I, B> fmt::Debug for Events<I, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("counters", &self.stream.engine.counters())
            .field("memory", &self.stream.memory)
            .finish_non_exhaustive()
    }
}

/// Shows no chunk.
impl<I> fmt::Debug for Infallibly<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Infallibly").finish_non_exhaustive()
    }
}

impl<I> Infallibly<I> {
    /// The iterator within.
    pub fn into_inner(self) -> I {
        self.0
    }
}

impl<I: Iterator> Iterator for Infallibly<I> {
    type Item = Result<I::Item, Infallible>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Ok)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// An iterator and the chunk that it gave last.
#[derive(Clone)]
struct Chunks<I, B> {
    chunks: I,
    chunk: Option<B>,
}

impl<I, B: AsRef<[u8]>> Holder for Chunks<I, B> {
    #[inline]
    fn chunk(&self) -> &[u8] {
        self.chunk.as_ref().map_or(&[], B::as_ref)
    }
}

impl<I, B, E> Source for Chunks<I, B>
where
    I: Iterator<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    type Error = E;

    fn fill(&mut self) -> Result<bool, E> {
        self.chunk = None;
        self.chunk = self.chunks.next().transpose()?;
        Ok(self.chunk.is_some())
    }
}
