//! Stage 4, chunk to steps: the one compiled body that every reader drives.
//!
//! A chunk and the event memory come in, and one step goes out: an item is
//! complete, or the chunk is used up, or more memory is needed, or a limit was
//! passed. The engine owns no bytes. It remembers positions, in the chunk for
//! what lies whole there and in the memory for what does not; before it lets go
//! of a chunk it copies what an unfinished block still needs from it.
//!
//! There are two ways for a line, which come to the same: `lane.rs` takes lines
//! that lie whole in the chunk, and `general.rs` takes one token of any other.

use crate::block::{Block, Halt, Ids, Lack, Lent, Value};
use crate::counters::Counters;
use crate::error::Error;
use crate::item::Items;
#[cfg(feature = "wide-scan")]
use crate::lane::Front;
use crate::limits::{Limit, Limits};
use crate::memory::{Layout, Slot, slice};
#[cfg(feature = "wide-scan")]
use crate::token::Field;
use crate::tokenizer::Tokenizer;

/// What one call of [`Engine::step`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Step {
    /// The chunk is used up, and nothing in it is needed any more.
    NeedInput,
    /// Nothing was taken: lend at least [`Engine::memory_wanted`] bytes and call
    /// again with the same chunk.
    NeedMemory,
    /// An event was dispatched: see [`Engine::event`].
    Event,
    /// A comment ended: see [`Engine::line`].
    Comment,
    /// A line without effect ended: see [`Engine::line`].
    Ignored,
    /// The reconnection time was set: see [`Engine::retry`].
    Retry,
    /// A block was left out: see [`Engine::skipped`].
    Skipped,
    /// The stream went wrong and stays so until a reset: see [`Engine::error`].
    Failed,
}

/// What the next call finds.
///
/// ```text
/// Open <--next call-- Block, Line <--item-- Open
/// Open --limit passed--> Failed        Open --finish--> Finished --take--> Taken
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Input is taken.
    Open,
    /// The block was announced and is still to be seen; then input is taken.
    Block,
    /// A line was announced and is still to be seen: it ends at the cursor.
    Line { is_comment: bool },
    /// This limit was passed by the byte at offset `Counters::bytes`.
    Failed(Limit),
    /// The end of input was told; an unfinished event may still be taken.
    Finished,
    /// The unfinished event was taken.
    Taken,
}

/// Bytes to events, over memory and chunks that are lent to each call.
///
/// This is what adapters are built on; [`Parser`](crate::Parser) is the engine
/// with its memory. Every call must be lent the same memory, or longer memory
/// that begins with the same bytes.
///
/// ```
/// use sseam_core::{Engine, Items, Limits, Step};
///
/// let mut memory = [0; Limits::SMALL.memory_len()];
/// let mut engine = Engine::new(Limits::SMALL);
/// let chunk = b"data: hello\n\n";
/// let (used, step) = engine.step(&mut memory, chunk, Items::EVENTS);
/// assert_eq!((used, step), (chunk.len(), Step::Event));
/// assert_eq!(engine.event(&memory, chunk).data(), "hello");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) limits: Limits,
    pub(crate) layout: Layout,
    pub(crate) counters: Counters,
    pub(crate) retry: u64,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) block: Block,
    pub(crate) value: Value,
    pub(crate) ids: Ids,
    pub(crate) lack: Lack,
    /// Index in the chunk of the next byte; <= its length. Between two steps it
    /// is 0 but after `NeedMemory`, when part of the chunk was dealt with, and
    /// in the phase `Line`.
    pub(crate) cursor: usize,
    #[cfg(feature = "wide-scan")]
    pub(crate) front: Front,
    /// Whether `retry` was set.
    pub(crate) has_retry: bool,
    /// The line in progress began in a call that did not want to see it: what was
    /// taken of it then was not kept.
    pub(crate) line_is_unseen: bool,
    pub(crate) phase: Phase,
}

impl Engine {
    /// An engine for memory of [`Limits::memory_len`] bytes, lent whole.
    pub const fn new(limits: Limits) -> Self {
        Engine::with_layout(limits, Layout::full(&limits))
    }

    /// An engine for memory that begins empty and grows on demand, up to
    /// [`Limits::memory_len`]. See [`Engine::adopt_memory`].
    pub const fn growing(limits: Limits) -> Self {
        Engine::with_layout(limits, Layout::EMPTY)
    }

    const fn with_layout(limits: Limits, layout: Layout) -> Self {
        Engine {
            limits,
            layout,
            counters: Counters::ZERO,
            retry: 0,
            has_retry: false,
            tokenizer: Tokenizer::new(),
            block: Block::EMPTY,
            value: Value::EMPTY,
            ids: Ids::EMPTY,
            lack: Lack::NONE,
            cursor: 0,
            #[cfg(feature = "wide-scan")]
            front: Front::Elsewhere,
            line_is_unseen: false,
            phase: Phase::Open,
        }
    }

    /// Takes bytes off the front of `chunk` until there is something to tell.
    ///
    /// Returns how many bytes were taken. Besides events, it stops for the items
    /// in `want`; the others are counted and act all the same. What a step
    /// announced may be viewed until the next call, with the same chunk.
    pub fn step(&mut self, memory: &mut [u8], chunk: &[u8], want: Items) -> (usize, Step) {
        #[cfg(feature = "wide-scan")]
        if self.take_few(memory, chunk) {
            return (chunk.len(), Step::NeedInput);
        }
        self.step_of_any_form(memory, chunk, want)
    }

    /// A step with more than a few bytes of a value.
    #[inline(always)]
    pub(crate) fn step_of_any_form(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        want: Items,
    ) -> (usize, Step) {
        #[cfg(feature = "wide-scan")]
        if let Some(taken) = self.take_cut_value(memory, chunk) {
            return taken;
        }
        self.step_by_lines(memory, chunk, want)
    }

    /// A step with more than one value.
    #[cfg_attr(feature = "wide-scan", inline(never))]
    fn step_by_lines(&mut self, memory: &mut [u8], chunk: &[u8], want: Items) -> (usize, Step) {
        #[cfg(feature = "wide-scan")]
        self.leave_tail();
        self.settle();
        if !matches!(self.phase, Phase::Open) {
            let is_idle = chunk.is_empty() && !matches!(self.phase, Phase::Failed(_));
            return (
                0,
                if is_idle {
                    Step::NeedInput
                } else {
                    Step::Failed
                },
            );
        }
        let window = self.window(chunk);
        let mut lent = Lent { memory, window };
        let mut step = loop {
            match self.take_line_or_piece(&mut lent, want) {
                Ok(None) => {}
                Ok(Some(step)) => break step,
                Err(Halt::Failed) => break Step::Failed,
                Err(Halt::NeedMemory) => {
                    self.forget_front();
                    return (0, Step::NeedMemory);
                }
            }
        };
        if matches!(step, Step::NeedInput) && window.len() < chunk.len() {
            self.fail(Limit::Bytes, window.len());
            step = Step::Failed;
        }
        let used = self.take();
        #[cfg(feature = "wide-scan")]
        {
            self.front = self.front_after(step);
        }
        (used, step)
    }

    /// Takes lines, or a piece of one.
    #[inline]
    fn take_line_or_piece(
        &mut self,
        lent: &mut Lent<'_>,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        #[cfg(feature = "wide-scan")]
        if let Some(step) = self.lane(lent, want)? {
            return Ok(Some(step));
        }
        self.advance(lent, want)
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    #[inline]
    pub const fn retry(&self) -> Option<u64> {
        if self.has_retry {
            Some(self.retry)
        } else {
            None
        }
    }

    /// What was counted since the start or the last reset.
    #[inline]
    pub const fn counters(&self) -> Counters {
        #[cfg(feature = "wide-scan")]
        if let Front::InValue(tail) = self.front {
            return self.counters.with_more_bytes(tail.uncounted() as u64);
        }
        self.counters
    }

    /// The limits it was made with.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Why the last step was [`Step::Failed`]; `None` while input is taken.
    pub const fn error(&self) -> Option<Error> {
        match self.phase {
            Phase::Open | Phase::Block | Phase::Line { .. } => None,
            Phase::Failed(limit) => Some(Error::LimitPassed {
                limit,
                max: self.limits.value(limit),
                offset: self.counters.bytes,
            }),
            Phase::Finished | Phase::Taken => Some(Error::Finished),
        }
    }

    /// Bytes of memory that the next step needs, after [`Step::NeedMemory`].
    pub fn memory_wanted(&self) -> usize {
        let layout = self
            .layout
            .widened(&self.limits, self.lack.slot, self.lack.len);
        let data_len = if self.lack.slot.is_data() {
            self.lack.len
        } else {
            self.data_len_in_memory()
        };
        let data_at = layout.offset(Slot::DATA);
        data_at.saturating_add(data_len)
    }

    /// Bytes at the front of the memory that are in use; a growing memory may
    /// give back the rest between two steps.
    pub fn memory_held(&self) -> usize {
        self.offset(Slot::DATA)
            .saturating_add(self.data_len_in_memory())
    }

    fn data_len_in_memory(&self) -> usize {
        #[cfg(feature = "wide-scan")]
        if let Front::InValue(tail) = self.front {
            return self.block.data_len_in_memory() + tail.uncounted_of(Field::Data);
        }
        self.block.data_len_in_memory()
    }

    /// Takes over longer memory that begins with the old bytes.
    ///
    /// To be called between [`Step::NeedMemory`] and the next step, for an engine
    /// made by [`Engine::growing`]. Memory that is shorter than
    /// [`Engine::memory_wanted`] changes nothing.
    pub fn adopt_memory(&mut self, memory: &mut [u8]) {
        if memory.len() < self.memory_wanted() {
            return;
        }
        let wider = self
            .layout
            .widened(&self.limits, self.lack.slot, self.lack.len);
        self.forget_front();
        let data_len = self.data_len_in_memory();
        self.layout.rearrange(wider, memory, data_len);
        self.layout = wider;
    }

    /// Whether the limit of all bytes allows the whole chunk.
    #[inline(always)]
    pub(crate) const fn bytes_fit(&self, chunk: &[u8]) -> bool {
        chunk.len() as u64 <= self.limits.bytes_max - self.counters.bytes
    }

    /// As much of the chunk as the limit of all bytes allows.
    #[inline(always)]
    fn window<'c>(&self, chunk: &'c [u8]) -> &'c [u8] {
        let room = self.limits.bytes_max - self.counters.bytes;
        if self.bytes_fit(chunk) {
            chunk
        } else {
            slice(chunk, 0, room as usize)
        }
    }

    /// Takes what is behind the cursor, and tells how much it is.
    #[inline]
    pub(crate) fn take(&mut self) -> usize {
        let used = self.cursor;
        self.counters.bytes += used as u64;
        self.cursor = match self.phase {
            Phase::Line { .. } => used - 1,
            _ => 0,
        };
        used
    }

    /// A limit was passed by the byte at this index of the chunk: the stream ends
    /// there, and all before it counts.
    pub(crate) fn fail(&mut self, limit: Limit, at: usize) -> Halt {
        self.cursor = at;
        self.phase = Phase::Failed(limit);
        Halt::Failed
    }

    /// Forgets what the last step announced.
    #[inline(always)]
    pub(crate) fn settle(&mut self) {
        match self.phase {
            Phase::Block => self.block.clear(),
            Phase::Line { .. } => self.cursor = 0,
            _ => return,
        }
        self.phase = Phase::Open;
    }

    /// What the fast lane knew of the next byte does not hold any more.
    #[inline(always)]
    pub(crate) fn forget_front(&mut self) {
        #[cfg(feature = "wide-scan")]
        {
            self.leave_tail();
            self.front = Front::Elsewhere;
        }
    }

    /// Offset in the stream of the first byte of the line in progress, which goes
    /// on to this index of the chunk.
    ///
    /// The line is longer than that only where the chunk is not the one that was
    /// to be lent again.
    #[inline(always)]
    pub(crate) const fn line_start(&self, index: usize) -> u64 {
        let offset = self.counters.bytes + index as u64;
        offset.saturating_sub(self.tokenizer.line_len_with_bom())
    }
}
