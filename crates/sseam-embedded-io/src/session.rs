//! What all readers share: a read buffer, an engine and its memory come in, and
//! it is told what to do next: read, or hand something out.
//!
//! Nothing here waits. A reader asks [`Session::step`], and when that wants
//! bytes, the reader gets them its own way and says so. All positions change in
//! [`Session::step`] and [`Session::received`], which run between two waits and
//! never across one: a future that is dropped while it waits has changed nothing.

use core::ops::Range;

use sseam_core::{Counters, End, Engine, Error, Event, Item, Items, Limits, Memory, SetupError};
use sseam_core::{Step, Text};

use crate::error::ReadError;

/// What a reader was made of: nothing that was read is lost.
#[derive(Debug)]
#[non_exhaustive]
pub struct Parts<R, B, M> {
    /// Where the bytes came from; it stands after those in `unread`.
    pub source: R,
    /// The read buffer.
    pub buffer: B,
    /// Which bytes of the buffer were read and not parsed.
    pub unread: Range<usize>,
    /// The parser, in the middle of a block perhaps.
    pub engine: Engine,
    /// What the engine has gathered.
    pub memory: M,
}

/// A read buffer and a parser in the middle of a stream.
#[derive(Debug)]
pub(crate) struct Session<B, M> {
    pub(crate) engine: Engine,
    pub(crate) memory: M,
    pub(crate) buffer: B,
    window: Window,
}

/// Where a parser is in the buffer; viewed <= start <= end <= its length.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// Where the chunk of the last step began.
    viewed: usize,
    /// The first byte that was not taken.
    start: usize,
    /// One past the last byte that was read.
    end: usize,
}

/// What to do next.
pub(crate) enum Next {
    /// Hand out what this step announced.
    Tell(Step),
    /// Read into the whole buffer; nothing in it is needed any more.
    Read,
    /// Nothing: the stream has ended.
    Ended,
}

/// Refuses memory that is shorter than the limits need.
pub(crate) fn engine_for(memory: &[u8], limits: Limits) -> Result<Engine, SetupError> {
    let (wanted, given) = (limits.memory_len(), memory.len());
    if given < wanted {
        return Err(SetupError::MemoryTooShort { wanted, given });
    }
    Ok(Engine::new(limits))
}

impl<B: AsRef<[u8]> + AsMut<[u8]>, M: Memory> Session<B, M> {
    pub(crate) fn new(buffer: B, memory: M, limits: Limits) -> Result<Self, SetupError> {
        // Nothing could be read into it, and that would look like the end.
        if buffer.as_ref().is_empty() {
            let (wanted, given) = (1, 0);
            return Err(SetupError::MemoryTooShort { wanted, given });
        }
        let engine = engine_for(memory.bytes(), limits)?;
        Ok(Session {
            engine,
            memory,
            buffer,
            window: Window::EMPTY,
        })
    }

    pub(crate) fn step<E>(&mut self, want: Items) -> Result<Next, ReadError<E>> {
        let memory = self.memory.bytes_mut();
        let next = step(
            &mut self.engine,
            memory,
            self.buffer.as_ref(),
            &mut self.window,
            want,
        );
        next.map_err(ReadError::Parse)
    }

    /// Takes in that `len` bytes were read to the front of the buffer; none are
    /// the end of the stream.
    pub(crate) fn received<E>(&mut self, len: usize) -> Result<(), ReadError<E>> {
        // A transport that claims more than fits must not make us show it.
        let end = len.min(self.buffer.as_ref().len());
        self.window = Window {
            end,
            ..Window::EMPTY
        };
        if end > 0 {
            return Ok(());
        }
        finish(&mut self.engine, self.memory.bytes())
    }

    /// The bytes that the last step was given.
    fn chunk(&self) -> &[u8] {
        self.buffer
            .as_ref()
            .get(self.window.viewed..self.window.end)
            .unwrap_or_default()
    }

    pub(crate) fn event(&self) -> Event<'_> {
        self.engine.event(self.memory.bytes(), self.chunk())
    }

    pub(crate) fn item(&self, step: Step) -> Option<Item<'_>> {
        self.engine.item(step, self.memory.bytes(), self.chunk())
    }

    pub(crate) fn take_unfinished(&mut self) -> Option<Event<'_>> {
        let step = self.engine.take_unfinished(self.memory.bytes_mut());
        matches!(step, Step::Event).then(|| self.engine.event(self.memory.bytes(), &[]))
    }

    pub(crate) fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), SetupError> {
        self.engine.set_last_event_id(self.memory.bytes_mut(), id)
    }

    pub(crate) fn last_event_id(&self) -> Text<'_> {
        Text::new(self.engine.last_event_id(self.memory.bytes()))
    }

    pub(crate) fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// Begins a new connection.
    pub(crate) fn reset(&mut self) {
        self.engine.reset();
        self.window = Window::EMPTY;
    }

    pub(crate) fn into_parts<R>(self, source: R) -> Parts<R, B, M> {
        Parts {
            source,
            buffer: self.buffer,
            unread: self.window.start..self.window.end,
            engine: self.engine,
            memory: self.memory,
        }
    }
}

impl Window {
    const EMPTY: Window = Window {
        viewed: 0,
        start: 0,
        end: 0,
    };
}

/// Whether the engine was told the end of input.
pub(crate) fn has_ended(engine: &Engine) -> bool {
    matches!(engine.error(), Some(Error::Finished))
}

/// Tells the engine the end of input, and says once what that threw away.
pub(crate) fn finish<E>(engine: &mut Engine, memory: &[u8]) -> Result<(), ReadError<E>> {
    let end: End = engine.finish(memory);
    if end.is_truncated() {
        return Err(ReadError::Truncated(end));
    }
    Ok(())
}

/// One step; the same code for every kind of buffer and memory.
fn step(
    engine: &mut Engine,
    memory: &mut [u8],
    buffer: &[u8],
    window: &mut Window,
    want: Items,
) -> Result<Next, Error> {
    if has_ended(engine) {
        return Ok(Next::Ended);
    }
    let chunk = buffer.get(window.start..window.end).unwrap_or_default();
    let (used, step) = engine.step(memory, chunk, want);
    window.viewed = window.start;
    window.start += used;
    match step {
        Step::NeedInput => Ok(Next::Read),
        Step::Failed | Step::NeedMemory => Err(failure(engine, memory)),
        step => Ok(Next::Tell(step)),
    }
}

/// Why a step failed. Memory of the length that the limits ask for is never too
/// short, so that is the answer only to a `Memory` that has shrunk.
pub(crate) fn failure(engine: &Engine, memory: &[u8]) -> Error {
    let (wanted, given) = (engine.memory_wanted(), memory.len());
    engine
        .error()
        .unwrap_or(Error::MemoryTooShort { wanted, given })
}
