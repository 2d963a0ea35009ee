//! Stage 5, an engine and its memory: chunks in, events out.

mod memory; // Who holds the event memory.

use core::fmt;

use crate::counters::Counters;
use crate::engine::{Engine, Step};
use crate::error::{Error, SetupError};
use crate::item::{End, Event, Item, Items, LineView};
use crate::limits::{Limits, Overflow};
use crate::text::Text;

pub use memory::Memory;

/// Turns the chunks of one stream after the other into events.
///
/// After `Ok(None)` the chunk is used up; go on with the next, or call
/// [`finish`](Parser::finish) at the end of input. After an error, every further
/// call gives the same error until [`reset`](Parser::reset).
///
/// ```
/// use sseam_core::{Limits, Parser};
///
/// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
/// let mut seen = Vec::new();
/// for chunk in [&b"data: \xE4\xBD"[..], b"\xA0\xE5\xA5\xBD\r", b"\n\r\n"] {
///     let mut input = chunk;
///     while let Some(event) = parser.next_event(&mut input)? {
///         seen.push(event.data().to_str().unwrap().to_owned());
///     }
/// }
/// assert_eq!(seen, ["你好"]);
/// assert!(parser.finish().is_clean());
/// # Ok::<(), sseam_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Parser<M> {
    engine: Engine,
    memory: M,
}

impl<const N: usize> Parser<[u8; N]> {
    /// A parser that owns an array, for statics too.
    ///
    /// # Panics
    ///
    /// If the array is shorter than [`Limits::memory_len`]: as a constant or in
    /// a static it does not compile then.
    pub const fn with_array(limits: Limits) -> Self {
        assert!(N >= limits.memory_len(), "the limits need a longer array");
        Parser {
            engine: Engine::new(limits),
            memory: [0; N],
        }
    }
}

impl<'m> Parser<&'m mut [u8]> {
    /// A parser over lent memory, with the limits that its length allows: see
    /// [`Limits::fit`].
    pub const fn fit(memory: &'m mut [u8]) -> Self {
        Parser::fit_with_lines(memory, 0, Limits::SMALL.overflow)
    }

    /// The same, where so many bytes of a comment or of an ignored line are to be
    /// kept, or as many as there are, and what is too large is treated so.
    pub const fn fit_with_lines(
        memory: &'m mut [u8],
        comment_len_max: usize,
        overflow: Overflow,
    ) -> Self {
        let len = memory.len();
        let lines = if len < comment_len_max {
            len
        } else {
            comment_len_max
        };
        let limits = Limits {
            comment_len_max: lines,
            overflow,
            ..Limits::fit(len - lines)
        };
        Parser {
            engine: Engine::new(limits),
            memory,
        }
    }
}

/// Shows figures, and not the memory, which holds what the stream says.
impl<M> fmt::Debug for Parser<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser")
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}

impl<M: Memory> Parser<M> {
    /// A parser over memory of fixed length.
    ///
    /// # Errors
    ///
    /// Memory shorter than [`Limits::memory_len`] is refused, never clamped to.
    pub fn new(memory: M, limits: Limits) -> Result<Self, SetupError> {
        let (wanted, given) = (limits.memory_len(), memory.bytes().len());
        if given < wanted {
            return Err(SetupError::MemoryTooShort { wanted, given });
        }
        Ok(Parser {
            engine: Engine::new(limits),
            memory,
        })
    }

    /// A parser over memory that grows on demand, up to the limits.
    pub const fn growing(memory: M, limits: Limits) -> Self {
        Parser {
            engine: Engine::growing(limits),
            memory,
        }
    }

    /// Takes bytes off the front of `input` until an event is complete.
    ///
    /// `None` means that the input is used up. The event borrows the parser and
    /// the chunk that `input` points into.
    ///
    /// # Errors
    ///
    /// See [`Error`]. Bytes after the error are still in `input`.
    // Inlined where speed is asked for: an event that lies whole in the chunk is a
    // matter of some hundred instructions, and a call that returns an event costs
    // half as many again.
    #[cfg_attr(feature = "wide-scan", inline(always))]
    pub fn next_event<'p, 'c: 'p>(
        &'p mut self,
        input: &mut &'c [u8],
    ) -> Result<Option<Event<'p>>, Error> {
        let chunk = *input;
        #[cfg(feature = "wide-scan")]
        if let Some(whole) = self.engine.event_at_block_start(chunk) {
            *input = whole.rest();
            let id = self.engine.last_event_id(self.memory.bytes());
            return Ok(Some(whole.with_id(id)));
        }
        match self.next_event_step(input) {
            Step::Event => {
                let event = self.engine.event(self.memory.bytes(), chunk);
                // The event has its views, so the engine may forget it.
                #[cfg(feature = "wide-scan")]
                self.engine.go_to_block_start();
                Ok(Some(event))
            }
            Step::NeedInput => Ok(None),
            step => Err(self.error(step)),
        }
    }

    /// Steps until an event is complete. Most small chunks lie within a value, and
    /// then this calls nothing.
    #[cfg_attr(feature = "wide-scan", inline(never))]
    fn next_event_step(&mut self, input: &mut &[u8]) -> Step {
        #[cfg(feature = "wide-scan")]
        if self.engine.take_few(self.memory.bytes_mut(), input) {
            *input = &[];
            return Step::NeedInput;
        }
        self.run(input, Items::EVENTS)
    }

    /// Like [`next_event`](Parser::next_event), for everything a stream can say.
    ///
    /// # Errors
    ///
    /// See [`Error`]. Bytes after the error are still in `input`.
    pub fn next_item<'p, 'c: 'p>(
        &'p mut self,
        input: &mut &'c [u8],
    ) -> Result<Option<Item<'p>>, Error> {
        let chunk = *input;
        #[cfg(feature = "wide-scan")]
        if let Some(whole) = self.engine.event_at_block_start(chunk) {
            *input = whole.rest();
            let id = self.engine.last_event_id(self.memory.bytes());
            return Ok(Some(Item::Event(whole.with_id(id))));
        }
        match self.run(input, Items::ALL) {
            step @ (Step::NeedMemory | Step::Failed) => Err(self.error(step)),
            #[cfg(feature = "wide-scan")]
            Step::Event => {
                let event = self.engine.event(self.memory.bytes(), chunk);
                // The event has its views, so the engine may forget it.
                self.engine.go_to_block_start();
                Ok(Some(Item::Event(event)))
            }
            step => Ok(self.engine.item(step, self.memory.bytes(), chunk)),
        }
    }

    /// Takes bytes off the front of `chunk` until there is something to tell:
    /// [`Engine::step`], with the memory grown on the way.
    ///
    /// For those who own chunk and parser both, and so cannot return a view from
    /// within the loop that fills the chunk: they leave the loop with the step, and
    /// take the view from [`item`](Parser::item).
    ///
    /// ```
    /// use sseam_core::{Item, Items, Limits, Parser, Step};
    ///
    /// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    /// let chunk = b"data: hello\n\nda";
    /// let (used, step) = parser.step(chunk, Items::ALL);
    /// assert_eq!((used, step), (13, Step::Event));
    /// assert!(matches!(parser.item(step, chunk), Some(Item::Event(_))));
    /// ```
    #[cfg_attr(feature = "wide-scan", inline)]
    pub fn step(&mut self, chunk: &[u8], want: Items) -> (usize, Step) {
        let mut input = chunk;
        #[cfg(feature = "wide-scan")]
        if self.engine.take_few(self.memory.bytes_mut(), input) {
            return (chunk.len(), Step::NeedInput);
        }
        let step = self.run(&mut input, want);
        (chunk.len() - input.len(), step)
    }

    /// What the last [`step`](Parser::step) announced; `chunk` is the one that it
    /// was lent.
    pub fn item<'a>(&'a self, step: Step, chunk: &'a [u8]) -> Option<Item<'a>> {
        self.engine.item(step, self.memory.bytes(), chunk)
    }

    /// Why the parser takes nothing more, after [`Step::Failed`] or
    /// [`Step::NeedMemory`].
    #[cold]
    pub fn error_of(&self, step: Step) -> Error {
        self.error(step)
    }

    /// Tells that the input has ended, and what that threw away.
    ///
    /// Calling it again gives the same answer. Afterwards input is refused with
    /// [`Error::Finished`] until a [`reset`](Parser::reset).
    pub fn finish(&mut self) -> End {
        self.engine.finish(self.memory.bytes())
    }

    /// The event that the end of input threw away, once, after
    /// [`finish`](Parser::finish).
    ///
    /// As if a line end and a blank line followed, except that an unterminated
    /// line counts only if it is `data` and its colon has been seen. Its id is
    /// the committed one. `None` if there is no data.
    ///
    /// # Errors
    ///
    /// [`Error::MemoryTooShort`] where memory could not grow by one byte.
    pub fn take_unfinished(&mut self) -> Result<Option<Event<'_>>, Error> {
        let mut step = self.engine.take_unfinished(self.memory.bytes_mut());
        if matches!(step, Step::NeedMemory) {
            if !self.grow() {
                return Err(self.error(step));
            }
            step = self.engine.take_unfinished(self.memory.bytes_mut());
        }
        Ok(matches!(step, Step::Event).then(|| self.engine.event(self.memory.bytes(), &[])))
    }

    /// The line that the end of input left unterminated, after
    /// [`finish`](Parser::finish), if it is one that would have been ignored for
    /// its name. See [`Engine::unfinished_line`].
    ///
    /// Its prefix is empty after [`next_event`](Parser::next_event), which keeps
    /// no lines.
    ///
    /// ```
    /// use sseam_core::{Limits, Parser};
    ///
    /// const LIMITS: Limits = Limits { comment_len_max: 64, ..Limits::SMALL };
    /// let mut parser = Parser::<[u8; LIMITS.memory_len()]>::with_array(LIMITS);
    /// for mut input in [&b"{\"error\": \"over"[..], b"loaded\"}"] {
    ///     assert!(parser.next_item(&mut input)?.is_none());
    /// }
    /// assert!(parser.finish().line);
    /// let line = parser.unfinished_line().unwrap();
    /// assert_eq!(line.prefix(), "{\"error\": \"overloaded\"}");
    /// # Ok::<(), sseam_core::Error>(())
    /// ```
    pub fn unfinished_line(&self) -> Option<LineView<'_>> {
        self.engine.unfinished_line(self.memory.bytes())
    }

    /// Begins a new connection: keeps limits, last event id and reconnection
    /// time, and nothing else. See [`Engine::reset`].
    pub fn reset(&mut self) {
        self.engine.reset();
        self.memory.give_back(self.engine.memory_held());
    }

    /// Goes on after a loss of bytes, with the event after the next blank line.
    /// See [`Engine::resync`].
    pub fn resync(&mut self) {
        self.engine.resync();
    }

    /// Sets the last event id before the first byte of a resumed stream.
    ///
    /// # Errors
    ///
    /// See [`SetupError`]; nothing is changed.
    pub fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), SetupError> {
        match self.engine.set_last_event_id(self.memory.bytes_mut(), id) {
            Err(SetupError::MemoryTooShort { .. }) if self.grow() => {
                self.engine.set_last_event_id(self.memory.bytes_mut(), id)
            }
            result => result,
        }
    }

    /// The last event id: that of the last block that ended.
    pub fn last_event_id(&self) -> Text<'_> {
        Text::new(self.engine.last_event_id(self.memory.bytes()))
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub const fn retry(&self) -> Option<u64> {
        self.engine.retry()
    }

    /// What was counted since the start or the last reset.
    pub const fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// The limits it was made with.
    pub const fn limits(&self) -> &Limits {
        self.engine.limits()
    }

    /// The event memory, for figures.
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// Steps until there is something to tell, growing the memory on the way. With
    /// `NeedMemory` it cannot grow.
    #[cfg_attr(feature = "wide-scan", inline(never))]
    fn run(&mut self, input: &mut &[u8], want: Items) -> Step {
        loop {
            let chunk = *input;
            let (used, step) = self
                .engine
                .step_of_any_form(self.memory.bytes_mut(), chunk, want);
            *input = chunk.get(used..).unwrap_or_default();
            match step {
                Step::NeedMemory if self.grow() => {}
                Step::NeedInput => {
                    self.memory.give_back(self.engine.memory_held());
                    return step;
                }
                _ => return step,
            }
        }
    }

    fn grow(&mut self) -> bool {
        let (wanted, given) = (self.engine.memory_wanted(), self.memory.bytes().len());
        if !M::GROWS || given < wanted && !self.memory.grow(wanted) {
            return false;
        }
        self.engine.adopt_memory(self.memory.bytes_mut());
        true
    }

    /// Why this step did not come to anything.
    #[cold]
    fn error(&self, step: Step) -> Error {
        if matches!(step, Step::NeedMemory) {
            return Error::MemoryTooShort {
                wanted: self.engine.memory_wanted(),
                given: self.memory.bytes().len(),
            };
        }
        self.engine.error().unwrap_or(Error::Finished)
    }
}
