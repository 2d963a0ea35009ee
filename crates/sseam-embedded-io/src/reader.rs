//! Blocking transports to events: `embedded_io::Read` comes in, events go out.

use core::task::Poll;

use embedded_io::{Read, ReadReady};
use sseam_core::{Counters, Event, Item, Items, Limits, Memory, SetupError, Step, Text};

use crate::error::ReadError;
use crate::session::{Next, Parts, Session};

/// Reads the events of a stream from a UART, a socket, a modem.
///
/// The caller lends, or gives, a read buffer and an event memory of
/// [`Limits::memory_len`] bytes; each may be an array or a slice. The transport
/// is read only when the buffer holds no further event, by its `read` alone and
/// never for more than there is, so an event is given as soon as its blank line
/// has come.
///
/// ```
/// use sseam_core::Limits;
/// use sseam_embedded_io::EventReader;
///
/// let uart: &[u8] = b"event: led\ndata: on\n\nevent: led\ndata: off\n\n";
/// let mut buffer = [0; 64];
/// let mut memory = [0; Limits::SMALL.memory_len()];
/// let mut reader = EventReader::new(uart, &mut buffer[..], &mut memory[..], Limits::SMALL)?;
/// let mut led = Vec::new();
/// while let Some(event) = reader.next_event().unwrap() {
///     assert_eq!(event.event_type(), "led");
///     led.push(event.data().to_str()?.to_owned());
/// }
/// assert_eq!(led, ["on", "off"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # The end, and errors
///
/// `Ok(0)` from the transport is the end of the stream: nothing is read again
/// until a [`reset`](Self::reset). An end inside an event is
/// [`ReadError::Truncated`], once, then `Ok(None)`; `Ok(None)` without it means
/// a clean end. After [`ReadError::Source`] nothing is lost and the reader may
/// be called again.
#[derive(Debug)]
pub struct EventReader<R, B, M> {
    source: R,
    session: Session<B, M>,
}

impl<R, B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> EventReader<R, B, M> {
    /// A reader of `source`.
    ///
    /// # Errors
    ///
    /// Memory shorter than [`Limits::memory_len`], or a read buffer without a
    /// byte, is refused.
    pub fn new(source: R, buffer: B, memory: M, limits: Limits) -> Result<Self, SetupError> {
        let session = Session::new(buffer, memory, limits)?;
        Ok(EventReader { source, session })
    }

    /// Sets the last event id that an earlier connection has left.
    ///
    /// # Errors
    ///
    /// An id over its limit, or with CR, LF or NUL, changes nothing.
    pub fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), SetupError> {
        self.session.set_last_event_id(id)
    }

    /// The last event id: what to send as `Last-Event-ID` when connecting anew.
    pub fn last_event_id(&self) -> Text<'_> {
        self.session.last_event_id()
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub fn retry(&self) -> Option<u64> {
        self.session.engine.retry()
    }

    /// What was counted since the start or the last reset.
    pub fn counters(&self) -> Counters {
        self.session.counters()
    }

    /// The limits it was made with.
    pub fn limits(&self) -> &Limits {
        self.session.engine.limits()
    }

    /// Where the bytes come from.
    pub const fn source(&self) -> &R {
        &self.source
    }

    /// Where the bytes come from. What is read from it here, no event will hold.
    pub const fn source_mut(&mut self) -> &mut R {
        &mut self.source
    }

    /// Goes on with a new connection, and gives back the old one.
    ///
    /// Limits, last event id and reconnection time stay. Bytes that were read
    /// and not parsed, a block that was not complete, an error and the end are
    /// dropped; counters start at zero.
    pub fn reset(&mut self, source: R) -> R {
        self.session.reset();
        core::mem::replace(&mut self.source, source)
    }

    /// Goes on after a loss of bytes, as after the error of an overrun UART.
    ///
    /// The block in progress is dropped up to the next blank line and counted
    /// as skipped: an event is never put together from two.
    pub fn resync(&mut self) {
        self.session.engine.resync();
    }

    /// The event that the end of input threw away, once, after
    /// [`ReadError::Truncated`]. `None` at any other time, and if that event
    /// has no data. Its id is the committed one.
    pub fn take_unfinished(&mut self) -> Option<Event<'_>> {
        self.session.take_unfinished()
    }

    /// Takes the reader apart.
    pub fn into_parts(self) -> Parts<R, B, M> {
        self.session.into_parts(self.source)
    }
}

impl<R: Read, B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> EventReader<R, B, M> {
    /// The next event, lent until the next call. `Ok(None)` is the end.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<R::Error>> {
        let step = self.advance(Items::EVENTS)?;
        Ok(step.map(|_| self.session.event()))
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say:
    /// also comments, ignored lines, reconnection times and skipped blocks.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        let step = self.advance(Items::ALL)?;
        Ok(step.and_then(|step| self.session.item(step)))
    }

    fn advance(&mut self, want: Items) -> Result<Option<Step>, ReadError<R::Error>> {
        loop {
            match self.session.step(want)? {
                Next::Tell(step) => return Ok(Some(step)),
                Next::Ended => return Ok(None),
                Next::Read => self.read()?,
            }
        }
    }

    fn read(&mut self) -> Result<(), ReadError<R::Error>> {
        let buffer = self.session.buffer.as_mut();
        let len = self.source.read(buffer).map_err(ReadError::Source)?;
        self.session.received(len)
    }
}

impl<R: Read + ReadReady, B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> EventReader<R, B, M> {
    /// The next event if it is complete or one read completes it; never waits.
    ///
    /// For a loop that has other work: `Pending` says that the transport has
    /// nothing now, or that its bytes completed no event. At most one read.
    ///
    /// ```
    /// use core::task::Poll;
    /// use embedded_io::{ErrorType, Read, ReadReady};
    /// use sseam_core::Limits;
    /// use sseam_embedded_io::EventReader;
    ///
    /// /// A UART that has received the first half of an event.
    /// struct Uart(&'static [u8]);
    /// impl ErrorType for Uart { type Error = core::convert::Infallible; }
    /// impl ReadReady for Uart {
    ///     fn read_ready(&mut self) -> Result<bool, Self::Error> { Ok(!self.0.is_empty()) }
    /// }
    /// impl Read for Uart {
    ///     fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> { self.0.read(buf) }
    /// }
    ///
    /// let mut reader = EventReader::new(Uart(b"data: he"), [0; 16], [0; 832], Limits::SMALL)?;
    /// assert!(reader.next_event_if_ready()?.is_pending());
    /// assert!(reader.next_event_if_ready()?.is_pending());
    /// reader.source_mut().0 = b"llo\n\n";
    /// let Poll::Ready(Some(event)) = reader.next_event_if_ready()? else { panic!() };
    /// assert_eq!(event.data(), "hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_event_if_ready(&mut self) -> Result<Poll<Option<Event<'_>>>, ReadError<R::Error>> {
        let step = self.advance_if_ready(Items::EVENTS)?;
        Ok(step.map(|step| step.map(|_| self.session.event())))
    }

    /// Like [`next_event_if_ready`](Self::next_event_if_ready), for everything
    /// a stream can say.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_item_if_ready(&mut self) -> Result<Poll<Option<Item<'_>>>, ReadError<R::Error>> {
        let step = self.advance_if_ready(Items::ALL)?;
        Ok(step.map(|step| step.and_then(|step| self.session.item(step))))
    }

    fn advance_if_ready(&mut self, want: Items) -> Result<Poll<Option<Step>>, ReadError<R::Error>> {
        let mut has_read = false;
        loop {
            match self.session.step(want)? {
                Next::Tell(step) => return Ok(Poll::Ready(Some(step))),
                Next::Ended => return Ok(Poll::Ready(None)),
                Next::Read if has_read => return Ok(Poll::Pending),
                Next::Read => {
                    if !self.source.read_ready().map_err(ReadError::Source)? {
                        return Ok(Poll::Pending);
                    }
                    self.read()?;
                    has_read = true;
                }
            }
        }
    }
}
