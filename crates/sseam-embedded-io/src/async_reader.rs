//! Transports of tasks to events: `embedded_io_async::Read` comes in, events
//! go out.

use core::future::poll_fn;
use core::task::Poll;

use embedded_io_async::Read;
use sseam_core::{Counters, Event, Item, Items, Limits, Memory, SetupError, Step, Text};

use crate::error::ReadError;
use crate::session::{Next, Parts, Session};

/// Reads the events of a stream in a task, as [`EventReader`] does in a loop.
///
/// ```
/// use sseam_core::Limits;
/// use sseam_embedded_io::AsyncEventReader;
///
/// # futures::executor::block_on(async {
/// let socket: &[u8] = b"data: one\n\ndata: two\n\n";
/// let mut reader = AsyncEventReader::new(socket, [0; 64], [0; 832], Limits::SMALL)?;
/// let mut seen = 0;
/// while let Some(event) = reader.next_event().await.unwrap() {
///     assert_eq!(event.data().len(), 3);
///     seen += 1;
/// }
/// assert_eq!(seen, 2);
/// # Ok::<(), sseam_core::SetupError>(())
/// # }).unwrap();
/// ```
///
/// # Cancel safety
///
/// A future of this reader may be dropped at any await, as `select` does, and
/// no byte that was read is lost: all that was read is in the reader, whose
/// state changes only between two awaits. What the transport does when its
/// `read` is dropped is the transport's own promise; `read` is the only method
/// that is called, never `read_exact`.
///
/// # Fairness
///
/// There is at most one read for each poll. After a read that completed no
/// event the task yields once, so that a fast stream of comments cannot starve
/// the tasks beside it.
///
/// [`EventReader`]: crate::EventReader
#[derive(Debug)]
pub struct AsyncEventReader<R, B, M> {
    source: R,
    session: Session<B, M>,
}

impl<R, B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> AsyncEventReader<R, B, M> {
    /// A reader of `source`.
    ///
    /// # Errors
    ///
    /// Memory shorter than [`Limits::memory_len`], or a read buffer without a
    /// byte, is refused.
    pub fn new(source: R, buffer: B, memory: M, limits: Limits) -> Result<Self, SetupError> {
        let session = Session::new(buffer, memory, limits)?;
        Ok(AsyncEventReader { source, session })
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

    /// Goes on with a new connection, and gives back the old one; see
    /// [`EventReader::reset`](crate::EventReader::reset).
    pub fn reset(&mut self, source: R) -> R {
        self.session.reset();
        core::mem::replace(&mut self.source, source)
    }

    /// Goes on after a loss of bytes; see
    /// [`EventReader::resync`](crate::EventReader::resync).
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

impl<R: Read, B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> AsyncEventReader<R, B, M> {
    /// The next event, lent until the next call. `Ok(None)` is the end.
    ///
    /// Cancel safe: see [above](Self#cancel-safety).
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub async fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<R::Error>> {
        let step = self.advance(Items::EVENTS).await?;
        Ok(step.map(|_| self.session.event()))
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say:
    /// also comments, ignored lines, reconnection times and skipped blocks.
    ///
    /// Cancel safe: see [above](Self#cancel-safety).
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub async fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        let step = self.advance(Items::ALL).await?;
        Ok(step.and_then(|step| self.session.item(step)))
    }

    async fn advance(&mut self, want: Items) -> Result<Option<Step>, ReadError<R::Error>> {
        let mut has_read = false;
        loop {
            match self.session.step(want)? {
                Next::Tell(step) => return Ok(Some(step)),
                Next::Ended => return Ok(None),
                Next::Read => {
                    if core::mem::replace(&mut has_read, true) {
                        yield_once().await;
                    }
                    let buffer = self.session.buffer.as_mut();
                    let len = self.source.read(buffer).await.map_err(ReadError::Source)?;
                    self.session.received(len)?;
                }
            }
        }
    }
}

/// Lets the other tasks run.
pub(crate) async fn yield_once() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if core::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
