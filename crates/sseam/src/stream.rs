//! A source of chunks and an engine: chunks come in one by one, steps go out.
//!
//! Every reader of this crate is this loop with a source of its own. The loop
//! ends with positions and not with an event: an event borrows chunk and memory
//! for as long as the caller keeps it, and could not be returned from within a
//! loop that fills the chunk anew. The caller of [`Stream::advance`] takes the
//! view from the positions.

use sseam_core::{Engine, Error, Event, Item, Items, Limits, Memory, SetupError, Step};

use crate::error::ReadError;
use crate::memory::GrowingMemory;

/// Who holds the chunk that is being parsed.
pub(crate) trait Holder {
    /// The chunk that was had last; empty before the first and after an error.
    fn chunk(&self) -> &[u8];
}

/// Where chunks come from, for those who wait for them.
pub(crate) trait Source: Holder {
    /// Why a chunk could not be had.
    type Error;

    /// Replaces the chunk, which is used up, by the next; says `false` at the
    /// end of input.
    fn fill(&mut self) -> Result<bool, Self::Error>;
}

/// A source, an engine, and how far the engine is in the source's chunk.
#[derive(Clone)]
pub(crate) struct Stream<S> {
    pub(crate) source: S,
    pub(crate) engine: Engine,
    pub(crate) memory: GrowingMemory,
    /// Where the last step began in the chunk; <= `used`
    viewed: usize,
    /// Bytes of the chunk that were taken; <= its length
    used: usize,
}

impl<S> Stream<S> {
    pub(crate) fn new(source: S, limits: Limits) -> Self {
        let memory = GrowingMemory::with_len_max(limits.memory_len());
        Stream::from_parts(source, Engine::growing(limits), memory)
    }

    pub(crate) fn from_parts(source: S, engine: Engine, memory: GrowingMemory) -> Self {
        Stream {
            source,
            engine,
            memory,
            viewed: 0,
            used: 0,
        }
    }

    pub(crate) fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        let step = self.unfinished()?;
        let event = || self.engine.event(self.memory.bytes(), &[]);
        Ok(matches!(step, Step::Event).then(event))
    }

    /// Makes the event that the end threw away one that can be viewed.
    pub(crate) fn unfinished(&mut self) -> Result<Step, Error> {
        let mut step = self.engine.take_unfinished(self.memory.bytes_mut());
        if matches!(step, Step::NeedMemory) {
            self.grow()?;
            step = self.engine.take_unfinished(self.memory.bytes_mut());
        }
        Ok(step)
    }

    pub(crate) fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), SetupError> {
        match self.engine.set_last_event_id(self.memory.bytes_mut(), id) {
            Err(SetupError::MemoryTooShort { .. }) if self.grow().is_ok() => {
                self.engine.set_last_event_id(self.memory.bytes_mut(), id)
            }
            result => result,
        }
    }

    pub(crate) fn last_event_id(&self) -> &[u8] {
        self.engine.last_event_id(self.memory.bytes())
    }

    /// Begins a new connection; the chunk is the new one's, or empty.
    pub(crate) fn restart(&mut self) {
        self.engine.reset();
        self.memory.give_back(self.engine.memory_held());
        (self.viewed, self.used) = (0, 0);
    }

    /// Says once what the end of input threw away.
    fn end<E>(&mut self) -> Result<Step, ReadError<E>> {
        if self.has_ended() {
            return Ok(Step::NeedInput);
        }
        let end = self.engine.finish(self.memory.bytes());
        if end.is_truncated() {
            return Err(ReadError::Truncated(end));
        }
        Ok(Step::NeedInput)
    }

    /// Whether the engine was told the end of input.
    fn has_ended(&self) -> bool {
        matches!(self.engine.error(), Some(Error::Finished))
    }

    fn grow(&mut self) -> Result<(), Error> {
        let (wanted, given) = (self.engine.memory_wanted(), self.memory.bytes().len());
        if given < wanted && !self.memory.grow(wanted) {
            return Err(Error::MemoryTooShort { wanted, given });
        }
        self.engine.adopt_memory(self.memory.bytes_mut());
        Ok(())
    }
}

impl<S: Holder> Stream<S> {
    /// Bytes of the chunk that were not taken yet.
    pub(crate) fn unread(&self) -> &[u8] {
        self.source.chunk().get(self.used..).unwrap_or_default()
    }

    /// Steps through the chunk until there is an item, growing the memory on the
    /// way; `NeedInput` where the chunk is used up.
    #[inline]
    pub(crate) fn step(&mut self, want: Items) -> Result<Step, Error> {
        loop {
            let chunk = self.source.chunk().get(self.used..).unwrap_or_default();
            let (used, step) = self.engine.step(self.memory.bytes_mut(), chunk, want);
            self.viewed = self.used;
            self.used += used;
            match step {
                Step::NeedMemory => self.grow()?,
                Step::Failed => return Err(self.engine.error().unwrap_or(Error::Finished)),
                step => return Ok(step),
            }
        }
    }

    /// The event that the last step announced.
    #[inline]
    pub(crate) fn event(&self) -> Event<'_> {
        self.engine.event(self.memory.bytes(), self.viewed())
    }

    /// What a step announced, if it was the last one.
    pub(crate) fn item(&self, step: Step) -> Option<Item<'_>> {
        self.engine.item(step, self.memory.bytes(), self.viewed())
    }

    /// The chunk as it was lent to the last step.
    #[inline]
    fn viewed(&self) -> &[u8] {
        self.source.chunk().get(self.viewed..).unwrap_or_default()
    }
}

impl<S: Source> Stream<S> {
    #[inline]
    pub(crate) fn next_event(&mut self) -> Result<Option<Event<'_>>, ReadError<S::Error>> {
        let step = self.advance(Items::EVENTS)?;
        Ok(matches!(step, Step::Event).then(|| self.event()))
    }

    pub(crate) fn next_item(&mut self) -> Result<Option<Item<'_>>, ReadError<S::Error>> {
        let step = self.advance(Items::ALL)?;
        Ok(self.item(step))
    }

    /// Steps until there is an item, filling the chunk on the way. `NeedInput`
    /// means that the stream has ended, cleanly or for the second time.
    #[inline]
    pub(crate) fn advance(&mut self, want: Items) -> Result<Step, ReadError<S::Error>> {
        loop {
            match self.step(want)? {
                Step::NeedInput => {
                    if !self.fill()? {
                        return self.end();
                    }
                }
                step => return Ok(step),
            }
        }
    }

    /// Has the next chunk; says `false` at the end of input.
    fn fill(&mut self) -> Result<bool, ReadError<S::Error>> {
        if self.has_ended() {
            return Ok(false);
        }
        // The source may wait for long: until then an idle stream holds little.
        self.memory.give_back(self.engine.memory_held());
        (self.viewed, self.used) = (0, 0);
        self.source.fill().map_err(ReadError::Source)
    }
}
