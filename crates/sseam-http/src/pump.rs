//! Chunks come in one by one, and each event goes out as soon as its chunk is
//! there: a parser and how far it is in the chunk. It never waits; who has a body
//! asks it for more when this has nothing more to tell.

use bytes::Bytes;
use sseam::{End, Error, Event, GrowingMemory, GrowingParser, Item, Items, Limits, Parser, Step};

use crate::keep::Keep;

/// A parser and the chunk that it is in.
#[derive(Debug)]
pub(crate) struct Pump {
    pub(crate) parser: GrowingParser,
    /// Empty before the first one.
    chunk: Bytes,
    /// Where the last step began in the chunk; <= `used`
    viewed: usize,
    /// Bytes of the chunk that were taken; <= its length
    used: usize,
    /// Nothing more comes: its end or an error was told.
    pub(crate) has_ended: bool,
}

impl Pump {
    pub(crate) const fn new(limits: Limits) -> Self {
        let memory = GrowingMemory::with_len_max(limits.memory_len());
        Pump {
            parser: Parser::growing(memory, limits),
            chunk: Bytes::new(),
            viewed: 0,
            used: 0,
            has_ended: false,
        }
    }

    /// Goes on with another chunk. The one before it is used up.
    pub(crate) fn set_chunk(&mut self, chunk: Bytes) {
        self.chunk = chunk;
        (self.viewed, self.used) = (0, 0);
    }

    /// Lets go of the chunk, so that a body that waits keeps none alive.
    pub(crate) fn drop_chunk(&mut self) {
        self.set_chunk(Bytes::new());
    }

    /// Bytes of the chunk that were not parsed.
    pub(crate) fn unread(&self) -> Bytes {
        self.chunk.slice(self.used..)
    }

    /// The next event of the chunk, kept; `None` where that is used up.
    pub(crate) fn next<K: Keep>(&mut self, keep: &mut K) -> Result<Option<K::Event>, Error> {
        let rest = self.chunk.get(self.used..).unwrap_or_default();
        let mut input = rest;
        let event = self.parser.next_event(&mut input);
        self.viewed = self.used;
        self.used += rest.len() - input.len();
        Ok(event?.map(|event| keep.keep(event, &self.chunk)))
    }

    /// Goes on in the chunk until there is something to tell; `NeedInput` where
    /// that is used up.
    pub(crate) fn step(&mut self, want: Items) -> Result<Step, Error> {
        let rest = self.chunk.get(self.used..).unwrap_or_default();
        let (used, step) = self.parser.step(rest, want);
        self.viewed = self.used;
        self.used += used;
        match step {
            Step::Failed | Step::NeedMemory => Err(self.parser.error_of(step)),
            step => Ok(step),
        }
    }

    /// What the last step announced.
    pub(crate) fn item(&self, step: Step) -> Option<Item<'_>> {
        let viewed = self.chunk.get(self.viewed..).unwrap_or_default();
        self.parser.item(step, viewed)
    }

    /// Takes the end of the input; gives what that threw away.
    pub(crate) fn finish(&mut self) -> End {
        self.has_ended = true;
        self.parser.finish()
    }

    /// The event that the end of input threw away, once.
    pub(crate) fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        match self.has_ended {
            true => self.parser.take_unfinished(),
            false => Ok(None),
        }
    }
}
