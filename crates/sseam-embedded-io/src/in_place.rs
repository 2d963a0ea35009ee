//! Transports that lend their own buffer to events, without a copy.
//!
//! The event points into the transport's buffer, so what it took there is given
//! back only with the next call: the reader owes it. Between the step that
//! completed an event and the view of it, the buffer is asked for once more;
//! should that fail, or its future be dropped, the event is not lost, because
//! the reader remembers that it is ready.

use embedded_io::BufRead;
use embedded_io_async::BufRead as AsyncBufRead;
use sseam_core::{Counters, Engine, Event, Item, Items, Limits, Memory, SetupError, Step, Text};

use crate::async_reader::yield_once;
use crate::error::ReadError;
use crate::session::{engine_for, failure, finish, has_ended};

/// Reads events in place from an `embedded_io::BufRead`.
///
/// ```
/// use sseam_core::Limits;
/// use sseam_embedded_io::InPlaceReader;
///
/// let ring: &[u8] = b"data: one\n\ndata: two\n\n";
/// let first = ring.as_ptr_range();
/// let mut reader = InPlaceReader::new(ring, [0; 832], Limits::SMALL)?;
/// while let Some(event) = reader.next_event().unwrap() {
///     assert!(first.contains(&event.data().as_bytes().as_ptr()));
/// }
/// # Ok::<(), sseam_core::SetupError>(())
/// ```
#[derive(Debug)]
pub struct InPlaceReader<R, M> {
    source: R,
    parser: Parser<M>,
}

/// Reads events in place from an `embedded_io_async::BufRead`.
///
/// # Cancel safety
///
/// As for [`AsyncEventReader`](crate::AsyncEventReader): a future may be dropped
/// at any await; an event that was complete then is given by the next call.
/// There is at most one `fill_buf` that gives new bytes for each poll.
#[derive(Debug)]
pub struct AsyncInPlaceReader<R, M> {
    source: R,
    parser: Parser<M>,
}

/// An engine over chunks that stay in the transport.
#[derive(Debug)]
struct Parser<M> {
    engine: Engine,
    memory: M,
    /// Bytes at the front of the transport's buffer that were taken.
    owed: usize,
    /// What was announced and not yet handed out.
    ready: Option<Step>,
}

impl<M: Memory> Parser<M> {
    fn new(memory: M, limits: Limits) -> Result<Self, SetupError> {
        let engine = engine_for(memory.bytes(), limits)?;
        Ok(Parser {
            engine,
            memory,
            owed: 0,
            ready: None,
        })
    }

    /// What is to be consumed before the next bytes are asked for.
    fn pay(&mut self) -> usize {
        core::mem::take(&mut self.owed)
    }

    fn step<E>(&mut self, chunk: &[u8], want: Items) -> Result<(), ReadError<E>> {
        if chunk.is_empty() {
            return finish(&mut self.engine, self.memory.bytes());
        }
        let memory = self.memory.bytes_mut();
        let (used, step) = self.engine.step(memory, chunk, want);
        self.owed = used;
        match step {
            Step::NeedInput => {}
            Step::Failed | Step::NeedMemory => {
                return Err(ReadError::Parse(failure(&self.engine, memory)));
            }
            step => self.ready = Some(step),
        }
        Ok(())
    }

    /// The error that stays, for a parser that stopped.
    fn refusal<E>(&self) -> Result<(), ReadError<E>> {
        match self.engine.error() {
            Some(error) if !has_ended(&self.engine) => Err(ReadError::Parse(error)),
            _ => Ok(()),
        }
    }

    fn reset(&mut self) {
        self.engine.reset();
        (self.owed, self.ready) = (0, None);
    }

    fn take_unfinished(&mut self) -> Option<Event<'_>> {
        let step = self.engine.take_unfinished(self.memory.bytes_mut());
        matches!(step, Step::Event).then(|| self.engine.event(self.memory.bytes(), &[]))
    }

    fn item<'a>(&'a self, step: Step, chunk: &'a [u8]) -> Option<Item<'a>> {
        self.engine.item(step, self.memory.bytes(), chunk)
    }
}

impl<R: BufRead, M: Memory> InPlaceReader<R, M> {
    /// The next event, lent until the next call. `Ok(None)` is the end.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<R::Error>> {
        Ok(match self.next(Items::EVENTS)? {
            Some(Item::Event(event)) => Some(event),
            _ => None,
        })
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say.
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        self.next(Items::ALL)
    }

    fn next(&mut self, want: Items) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        while self.parser.ready.is_none() {
            self.parser.refusal()?;
            let owed = self.parser.pay();
            if has_ended(&self.parser.engine) {
                return Ok(None);
            }
            self.source.consume(owed);
            let chunk = self.source.fill_buf().map_err(ReadError::Source)?;
            self.parser.step(chunk, want)?;
        }
        let chunk = self.source.fill_buf().map_err(ReadError::Source)?;
        let step = self.parser.ready.take();
        Ok(step.and_then(|step| self.parser.item(step, chunk)))
    }

    /// Gives back the transport; what was parsed of its buffer is consumed.
    pub fn into_source(mut self) -> R {
        let owed = self.parser.pay();
        self.source.consume(owed);
        self.source
    }
}

impl<R: AsyncBufRead, M: Memory> AsyncInPlaceReader<R, M> {
    /// The next event, lent until the next call. `Ok(None)` is the end.
    ///
    /// Cancel safe: see [above](Self#cancel-safety).
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub async fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<R::Error>> {
        Ok(match self.next(Items::EVENTS).await? {
            Some(Item::Event(event)) => Some(event),
            _ => None,
        })
    }

    /// Like [`next_event`](Self::next_event), for everything a stream can say.
    ///
    /// Cancel safe: see [above](Self#cancel-safety).
    ///
    /// # Errors
    ///
    /// See [`ReadError`], which says what follows each.
    pub async fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        self.next(Items::ALL).await
    }

    async fn next(&mut self, want: Items) -> Result<Option<Item<'_>>, ReadError<R::Error>> {
        let mut has_read = false;
        while self.parser.ready.is_none() {
            self.parser.refusal()?;
            if has_ended(&self.parser.engine) {
                return Ok(None);
            }
            if core::mem::replace(&mut has_read, true) {
                yield_once().await;
            }
            self.source.consume(self.parser.pay());
            let chunk = self.source.fill_buf().await.map_err(ReadError::Source)?;
            self.parser.step(chunk, want)?;
        }
        let chunk = self.source.fill_buf().await.map_err(ReadError::Source)?;
        let step = self.parser.ready.take();
        Ok(step.and_then(|step| self.parser.item(step, chunk)))
    }

    /// Gives back the transport; what was parsed of its buffer is consumed.
    pub fn into_source(mut self) -> R {
        let owed = self.parser.pay();
        self.source.consume(owed);
        self.source
    }
}

/// What both readers offer besides reading.
macro_rules! common {
    ($reader:ident) => {
        impl<R, M: Memory> $reader<R, M> {
            /// A reader of `source`.
            ///
            /// # Errors
            ///
            /// Memory shorter than [`Limits::memory_len`] is refused.
            pub fn new(source: R, memory: M, limits: Limits) -> Result<Self, SetupError> {
                let parser = Parser::new(memory, limits)?;
                Ok($reader { source, parser })
            }

            /// Sets the last event id that an earlier connection has left.
            ///
            /// # Errors
            ///
            /// An id over its limit, or with CR, LF or NUL, changes nothing.
            pub fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), SetupError> {
                let Parser { engine, memory, .. } = &mut self.parser;
                engine.set_last_event_id(memory.bytes_mut(), id)
            }

            /// The last event id: what to send as `Last-Event-ID` when connecting
            /// anew.
            pub fn last_event_id(&self) -> Text<'_> {
                let Parser { engine, memory, .. } = &self.parser;
                Text::new(engine.last_event_id(memory.bytes()))
            }

            /// The reconnection time in milliseconds, as the stream set it last.
            pub fn retry(&self) -> Option<u64> {
                self.parser.engine.retry()
            }

            /// What was counted since the start or the last reset.
            pub fn counters(&self) -> Counters {
                self.parser.engine.counters()
            }

            /// Goes on with a new connection, and gives back the old one as it is.
            pub fn reset(&mut self, source: R) -> R {
                self.parser.reset();
                core::mem::replace(&mut self.source, source)
            }

            /// Goes on after a loss of bytes; see
            /// [`EventReader::resync`](crate::EventReader::resync).
            pub fn resync(&mut self) {
                self.parser.ready = None;
                self.parser.engine.resync();
            }

            /// The event that the end of input threw away, once, after
            /// [`ReadError::Truncated`]. Its id is the committed one.
            pub fn take_unfinished(&mut self) -> Option<Event<'_>> {
                self.parser.take_unfinished()
            }
        }
    };
}

common!(InPlaceReader);
common!(AsyncInPlaceReader);
