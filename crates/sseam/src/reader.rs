//! Any `Read` comes in, its events go out.

use std::fmt;
use std::io::{self, Read};

use sseam_core::{Counters, Engine, Error, Event, Item, Limits, SetupError, Text};

use crate::error::ReadError;
use crate::iter::ReaderEvents;
use crate::memory::GrowingMemory;
use crate::stream::{Holder, Source, Stream};

/// Length in bytes of a reader's buffer, where no other was asked for.
pub const BUFFER_LEN: usize = 16 * 1024;

/// Reads the events of a stream from a file, a socket, a response body.
///
/// [`next_event`](Self::next_event) lends each event, without a copy where its
/// `data` line lies whole in the buffer and without a heap call once the memory
/// has grown to what the stream needs. [`events`](Self::events) and `for` give
/// owned ones. An event is given as soon as its blank line was read; the source
/// is read only when the buffer holds no further event, so it needs no
/// `BufReader` around it.
///
/// ```
/// use sseam::{EventReader, ReadError};
///
/// let source = "data: one\n\nid: 7\ndata: two\n\ndata: no blank line".as_bytes();
/// let mut reader = EventReader::new(source);
/// let mut seen = Vec::new();
/// let end = loop {
///     match reader.next_event() {
///         Ok(Some(event)) => seen.push(event.data().to_str()?.to_owned()),
///         Ok(None) => panic!("the stream breaks off"),
///         Err(ReadError::Truncated(end)) => break end,
///         Err(error) => return Err(error.into()),
///     }
/// };
/// assert_eq!(seen, ["one", "two"]);
/// assert!(end.line);
/// assert_eq!(reader.last_event_id(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # After an error
///
/// All events before an error were given. After [`ReadError::Source`] nothing is
/// lost: call again, and reading goes on where the source does, so a timeout or
/// `WouldBlock` is no end. [`ReadError::Truncated`] is said once, then
/// `Ok(None)`; `Ok(None)` without it means a clean end. A passed limit stays
/// until [`reset`](Self::reset). Reads that were interrupted are repeated and
/// not told.
#[derive(Clone)]
pub struct EventReader<R> {
    stream: Stream<Buffered<R>>,
}

/// What an [`EventReader`] or [`Events`](crate::Events) is made of: nothing that
/// was read is lost.
///
/// Also the way to begin with bytes that were read before there was a reader, as
/// those that arrived together with the head of an HTTP response:
///
/// ```
/// use sseam::{Engine, EventReader, GrowingMemory, Limits, Parts};
///
/// let mut reader = EventReader::from_parts(Parts {
///     source: "ta: one\n\n".as_bytes(),
///     unread: b"da".to_vec(),
///     engine: Engine::growing(Limits::LARGE),
///     memory: GrowingMemory::new(),
/// });
/// assert_eq!(reader.next_event()?.unwrap().data(), "one");
/// # Ok::<(), sseam::ReadError>(())
/// ```
#[derive(Clone)]
pub struct Parts<R> {
    /// Where the bytes came from; it stands after those in `unread`.
    pub source: R,
    /// Bytes that were read and not parsed.
    pub unread: Vec<u8>,
    /// The parser, in the middle of a block perhaps.
    pub engine: Engine,
    /// What the engine has gathered. It belongs to that engine alone.
    pub memory: GrowingMemory,
}

impl<R> EventReader<R> {
    /// A reader with [`Limits::LARGE`] and a buffer of [`BUFFER_LEN`] bytes.
    pub fn new(source: R) -> Self {
        EventReader::with_limits(source, Limits::LARGE)
    }

    /// A reader with other limits.
    ///
    /// ```
    /// use sseam::{EventReader, Limits};
    ///
    /// let limits = Limits { data_len_max: 3, ..Limits::LARGE };
    /// let mut reader = EventReader::with_limits("data: 1234\n\n".as_bytes(), limits);
    /// let error = reader.next_event().unwrap_err();
    /// assert_eq!(error.to_string(), "data_len_max of 3 was passed at byte 9 of the stream");
    /// ```
    pub fn with_limits(source: R, limits: Limits) -> Self {
        EventReader {
            stream: Stream::new(Buffered::new(source), limits),
        }
    }

    /// The same reader, which reads at most `len` bytes at a time.
    ///
    /// Bytes that were read and not parsed are kept. A length of 0 is taken for
    /// 1: nothing could be read into it. The buffer comes to be with the first
    /// read, which fails with [`OutOfMemory`](io::ErrorKind::OutOfMemory) where
    /// there is no room for it.
    #[must_use]
    pub fn with_buffer_size(mut self, len: usize) -> Self {
        self.stream.source.read_len_max = len.max(1);
        self
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

    /// The last event id: what to send as `Last-Event-ID` when connecting anew.
    pub fn last_event_id(&self) -> Text<'_> {
        Text::new(self.stream.last_event_id())
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub const fn retry(&self) -> Option<u64> {
        self.stream.engine.retry()
    }

    /// What was counted since the start or the last reset.
    pub const fn counters(&self) -> Counters {
        self.stream.engine.counters()
    }

    /// The limits it was made with.
    pub const fn limits(&self) -> &Limits {
        self.stream.engine.limits()
    }

    /// The event memory, for figures.
    pub const fn memory(&self) -> &GrowingMemory {
        &self.stream.memory
    }

    /// Where the bytes come from.
    pub const fn source(&self) -> &R {
        &self.stream.source.read
    }

    /// Where the bytes come from. What is read from it here, no event will hold.
    pub const fn source_mut(&mut self) -> &mut R {
        &mut self.stream.source.read
    }

    /// Goes on with a new connection, and gives back the old one.
    ///
    /// The limits, the last event id and the reconnection time stay. Bytes that
    /// were read and not parsed, a block that was not complete, an error and the
    /// end are dropped; counters start at zero.
    ///
    /// ```
    /// let mut reader = sseam::EventReader::new("id: 7\ndata: one\n\ndata: cut".as_bytes());
    /// assert_eq!(reader.events().filter(Result::is_ok).count(), 1);
    ///
    /// reader.reset("data: two\n\n".as_bytes());
    /// let event = reader.next_event()?.unwrap();
    /// assert_eq!((event.data().to_str()?, event.last_event_id().to_str()?), ("two", "7"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self, source: R) -> R {
        self.stream.source.end = 0;
        self.stream.restart();
        std::mem::replace(self.source_mut(), source)
    }

    /// Takes the reader apart: the source, the bytes that were read from it and
    /// not parsed, and the parser as it stands.
    ///
    /// ```
    /// let mut reader = sseam::EventReader::new("data: one\n\nand more".as_bytes());
    /// assert!(reader.next_event()?.is_some());
    /// assert_eq!(reader.into_parts().unread, b"and more");
    /// # Ok::<(), sseam::ReadError>(())
    /// ```
    pub fn into_parts(self) -> Parts<R> {
        Parts {
            unread: self.stream.unread().to_vec(),
            source: self.stream.source.read,
            engine: self.stream.engine,
            memory: self.stream.memory,
        }
    }

    /// Puts a reader together again, perhaps around another source. It goes on
    /// in the middle of the block where the other one stopped.
    pub fn from_parts(parts: Parts<R>) -> Self {
        let mut source = Buffered::new(parts.source);
        source.end = parts.unread.len();
        source.buffer = parts.unread;
        EventReader {
            stream: Stream::from_parts(source, parts.engine, parts.memory),
        }
    }

    /// The event that the end of input threw away, once, after the reader has
    /// said that the stream is truncated. `None` at any other time, and if that
    /// event has no data.
    ///
    /// It is as if a line end and a blank line followed, except that an
    /// unterminated line counts only if it is `data` and its colon has been
    /// seen. Its id is the committed one.
    ///
    /// # Errors
    ///
    /// [`Error::MemoryTooShort`] where memory could not grow by one byte.
    pub fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.stream.take_unfinished()
    }
}

impl<R: Read> EventReader<R> {
    /// The next event, lent until the next call.
    ///
    /// Waits for the source where no event is complete yet. `Ok(None)` is the
    /// end of the stream: a clean one, unless it was said to be truncated.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], and [above](Self#after-an-error) for what follows it.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError> {
        self.stream.next_event()
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say:
    /// also comments, ignored lines, reconnection times and skipped blocks.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], and [above](Self#after-an-error) for what follows it.
    pub fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError> {
        self.stream.next_item()
    }

    /// An iterator of owned events that leaves the reader to the caller; `for`
    /// over the reader itself takes it. The iterator ends after an error.
    ///
    /// ```
    /// let mut reader = sseam::EventReader::new("retry: 5\ndata: 1\n\ndata: 2\n\n".as_bytes());
    /// let events = reader.events().collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(events.len(), 2);
    /// assert_eq!(reader.retry(), Some(5));
    /// # Ok::<(), sseam::ReadError>(())
    /// ```
    pub const fn events(&mut self) -> ReaderEvents<'_, R> {
        ReaderEvents::new(self)
    }
}

/// Shows figures, not content and not the source, which may be content.
impl<R> fmt::Debug for EventReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventReader")
            .field("counters", &self.counters())
            .field("memory", self.memory())
            .finish_non_exhaustive()
    }
}

/// Shows figures, not content and not the source, which may be content.
impl<R> fmt::Debug for Parts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("unread", &Text::new(&self.unread))
            .field("engine", &self.engine)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

/// A buffer in front of a `Read`.
#[derive(Clone)]
pub(crate) struct Buffered<R> {
    pub(crate) read: R,
    /// Empty before the first read.
    buffer: Vec<u8>,
    /// One past the last byte that was read; <= length of `buffer`
    end: usize,
    /// What the buffer's length becomes at the next read; >= 1
    pub(crate) read_len_max: usize,
}

impl<R> Buffered<R> {
    pub(crate) const fn new(read: R) -> Self {
        Buffered {
            read,
            buffer: Vec::new(),
            end: 0,
            read_len_max: BUFFER_LEN,
        }
    }
}

impl<R> Holder for Buffered<R> {
    #[inline]
    fn chunk(&self) -> &[u8] {
        self.buffer.get(..self.end).unwrap_or_default()
    }
}

impl<R: Read> Source for Buffered<R> {
    type Error = io::Error;

    fn fill(&mut self) -> io::Result<bool> {
        self.end = 0;
        if self.buffer.len() != self.read_len_max {
            self.buffer = Vec::new();
            self.buffer.try_reserve_exact(self.read_len_max)?;
            self.buffer.resize(self.read_len_max, 0);
        }
        loop {
            match self.read.read(&mut self.buffer) {
                // A source that claims more than it was given room for has
                // filled the room at most.
                Ok(len) => self.end = len.min(self.buffer.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(self.end > 0);
        }
    }
}
