//! Stage 4, how streams end and begin: what the end of input threw away, and
//! what a new connection keeps.

use crate::block::{Block, Fate, Halt, Lack, Value};
use crate::counters::Counters;
use crate::engine::{Engine, Phase, Step};
use crate::error::SetupError;
use crate::item::{End, LineView};
use crate::memory::{Slot, slice};
use crate::token::Field;
use crate::tokenizer::Tokenizer;

impl Engine {
    /// Tells that the input has ended, and what that threw away.
    ///
    /// Calling it again gives the same answer. Afterwards input is refused with
    /// [`Error::Finished`](crate::Error::Finished) until a reset.
    pub fn finish(&mut self, memory: &[u8]) -> End {
        self.settle();
        self.forget_front();
        if matches!(self.phase, Phase::Open) {
            self.phase = Phase::Finished;
        }
        End {
            line: self.tokenizer.is_within_line(),
            data: self.block.has_data,
            event: self.block.has_type(),
            id: self.buffered_id(memory) != self.last_event_id(memory),
            offset: self.counters.bytes,
            ignored: self.counters.ignored_lines + u64::from(self.has_unfinished_line()),
            skipped: self.counters.skipped,
        }
    }

    /// The line that the end of input left unterminated, after
    /// [`Engine::finish`], if it is one that would have been ignored for its
    /// name, like [`Item::Ignored`](crate::Item::Ignored).
    ///
    /// An error that a server sends in place of a stream is often one line
    /// without an end. The beginning of a known name is such a line too. `None`
    /// for a comment, a field whose name is whole, a byte-order mark, a line of
    /// which bytes were lost, and after an error.
    ///
    /// `memory` is that of the last step, unchanged. The prefix is empty if a step
    /// that took a part of the line wanted neither comments nor ignored lines:
    /// nobody pays for keeping what nobody wants.
    ///
    /// ```
    /// use sseam_core::{Engine, Items, Limits, Step};
    ///
    /// const LIMITS: Limits = Limits { comment_len_max: 64, ..Limits::SMALL };
    /// let mut memory = [0; LIMITS.memory_len()];
    /// let mut engine = Engine::new(LIMITS);
    /// let chunk = b"no stream";
    /// assert_eq!(engine.step(&mut memory, chunk, Items::ALL).1, Step::NeedInput);
    /// assert_eq!(engine.unfinished_line(&memory), None);
    /// engine.finish(&memory);
    /// let line = engine.unfinished_line(&memory).unwrap();
    /// assert_eq!(line.prefix(), "no stream");
    /// ```
    pub fn unfinished_line<'a>(&self, memory: &'a [u8]) -> Option<LineView<'a>> {
        if !self.has_unfinished_line() {
            return None;
        }
        let len = self.tokenizer.line_len();
        let prefix = if self.line_is_unseen {
            &[]
        } else {
            slice(memory, self.offset(Slot::COMMENT), self.shown_len(len))
        };
        Some(LineView { prefix, len })
    }

    /// Whether the end of input left a line unterminated that would have been
    /// ignored.
    ///
    /// Where the cursor stands in a chunk, memory was short for what is before it,
    /// and the line in progress was not taken.
    const fn has_unfinished_line(&self) -> bool {
        matches!(self.phase, Phase::Finished | Phase::Taken)
            && self.cursor == 0
            && !self.block.is_lost()
            && self.tokenizer.is_within_unknown_field()
    }

    /// Completes the unfinished event, once, after [`Engine::finish`].
    ///
    /// As if a line end and a blank line followed, except that an unterminated
    /// line counts only if it is `data` and its colon has been seen. Gives
    /// [`Step::Event`], to be viewed with an empty chunk, or `NeedInput` if there
    /// is no data or the block passed a limit, or `NeedMemory`. The event's id is
    /// the committed one; an id of its own is never committed.
    pub fn take_unfinished(&mut self, memory: &mut [u8]) -> Step {
        let is_in_data = matches!(self.tokenizer.field_in_progress(), Some(Field::Data));
        let may_be_taken = matches!(self.phase, Phase::Finished) && !self.block.is_skipping();
        if !may_be_taken || !(self.block.has_data || is_in_data) {
            return Step::NeedInput;
        }
        // A further `data` line without a byte of value yet: its LF is missing.
        if is_in_data && self.block.has_data && self.value.len == 0 {
            if !self.has_room_for_join() {
                return Step::NeedInput;
            }
            if let Err(Halt::NeedMemory) = self.append_lf(memory) {
                return Step::NeedMemory;
            }
        }
        if !self.block.has_line {
            self.block.start = self.line_start(self.cursor);
        }
        self.phase = Phase::Taken;
        Step::Event
    }

    /// Begins a new connection.
    ///
    /// The block, the error and the end are dropped, counters and offsets start
    /// at zero, and a byte-order mark may stand again. Limits, last event id and
    /// reconnection time stay, which is what a reconnect needs.
    pub fn reset(&mut self) {
        self.forget_front();
        self.tokenizer = Tokenizer::new();
        self.counters = Counters::ZERO;
        self.block = Block::EMPTY;
        self.value = Value::EMPTY;
        self.ids.revert();
        self.lack = Lack::NONE;
        self.cursor = 0;
        self.phase = Phase::Open;
    }

    /// Goes on after a loss of bytes, as of an overrun UART.
    ///
    /// What was lost may have held line ends, so the line in progress is taken
    /// for a line without effect, and everything up to the next blank line is
    /// dropped, ids and `retry` included; it is counted as one skipped block. An
    /// event is never put together from two.
    pub fn resync(&mut self) {
        self.settle();
        self.forget_front();
        self.block.lose();
        self.tokenizer.lose_line();
        self.value = Value::EMPTY;
        self.ids.revert();
        self.cursor = 0;
    }

    /// Sets the last event id, as a resumed session needs before its first byte.
    ///
    /// It also fills the ID buffer, so that the first blank line does not clear
    /// it again: browsers do so, though the standard's text does not say it.
    ///
    /// # Errors
    ///
    /// An id over `id_len_max`, or with CR, LF or NUL, is refused and nothing
    /// changes; likewise where memory is too short, for a growing memory until
    /// it was grown as after [`Step::NeedMemory`].
    pub fn set_last_event_id(&mut self, memory: &mut [u8], id: &[u8]) -> Result<(), SetupError> {
        let max = self.limits.id_len_max;
        if id.len() > max {
            return Err(SetupError::IdTooLong { len: id.len(), max });
        }
        if let Some(at) = id.iter().position(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
            return Err(SetupError::IdByte { at });
        }
        let slot = self.ids.free_slot;
        if self.store(memory, slot, 0, id).is_err() {
            let wanted = self.memory_wanted();
            return Err(SetupError::MemoryTooShort {
                wanted,
                given: memory.len(),
            });
        }
        // An `id` line in progress may have been gathered in that slot.
        if matches!(self.tokenizer.field_in_progress(), Some(Field::Id)) {
            self.value.fate = Fate::Dropped;
        }
        self.ids.buffer(id.len());
        self.ids.commit();
        Ok(())
    }

    fn buffered_id<'a>(&self, memory: &'a [u8]) -> &'a [u8] {
        self.view(memory, &[], self.ids.buffer_slot)
    }
}
