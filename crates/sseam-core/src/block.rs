//! Stage 3, pieces to events: values come in, and at the blank line an event
//! stands ready, in the chunk if it can and in the event memory if it must.
//!
//! This file knows the dispatch rule and nothing of chunks' ends. A value that
//! lies whole in the chunk stays there. Everything else is appended to its
//! region once and never moved again, or a hostile stream of short pieces would
//! make the cost quadratic.

use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::limits::{Limit, Overflow};
use crate::memory::{Region, put, slice};
use crate::scan;
use crate::token::Field;

/// Why a token could not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Memory is short by what `Lack` says; nothing was changed that acting
    /// again would change twice.
    NeedMemory,
    /// A limit was passed by the byte at this index of the chunk.
    Over { limit: Limit, at: usize },
}

/// Which region has to hold how many bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lack {
    pub(crate) region: Region,
    pub(crate) len: usize,
}

impl Lack {
    pub(crate) const NONE: Lack = Lack {
        region: Region::Data,
        len: 0,
    };
}

/// A piece of the value of a field, and where it begins in the chunk.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'c> {
    pub(crate) field: Field,
    pub(crate) bytes: &'c [u8],
    pub(crate) at: usize,
    pub(crate) ends_line: bool,
}

/// Where gathered bytes lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Whole in the chunk, from this index.
    Chunk(usize),
    /// In the event memory, at the front of their slot.
    Memory,
}

/// One slot of ids and how much of it is the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id {
    /// < 3
    pub(crate) slot: u8,
    /// <= the slot's length
    pub(crate) len: usize,
}

/// The standard's last event ID and its last event ID buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids {
    /// What the last blank line set; told with events and on reconnecting.
    pub(crate) committed: Id,
    /// What the last `id` line set; committed at the next blank line.
    pub(crate) buffer: Id,
}

impl Ids {
    pub(crate) const EMPTY: Ids = Ids {
        committed: Id { slot: 0, len: 0 },
        buffer: Id { slot: 0, len: 0 },
    };

    /// The slot that neither of them uses: there a value may still turn out void.
    pub(crate) fn free_slot(&self) -> u8 {
        let is_used = |slot| slot == self.committed.slot || slot == self.buffer.slot;
        if !is_used(0) {
            0
        } else if !is_used(1) {
            1
        } else {
            2
        }
    }
}

/// What the value in progress will do at its line's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It sets its field.
    Acts,
    /// Nothing, and the line counts as ignored: an id with a NUL.
    Refused,
    /// Nothing, as it is too long and its event is skipped.
    Dropped,
}

/// The value of the line in progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value {
    /// The number that the digits of `retry` make so far; `None` if they make
    /// none, or one above `u64::MAX`.
    number: Option<u64>,
    /// Bytes of the value seen so far, of an id those before its NUL.
    pub(crate) len: usize,
    fate: Fate,
}

impl Value {
    /// The line goes on without effect, and is not counted as ignored.
    pub(crate) fn drop_it(&mut self) {
        self.fate = Fate::Dropped;
    }

    pub(crate) const EMPTY: Value = Value {
        number: Some(0),
        len: 0,
        fate: Fate::Acts,
    };
}

/// Why a block will be skipped at its blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skip {
    /// It will not.
    No,
    /// It passed a limit; `bytes` counts what the limit counts. `is_open` while
    /// the value or the line that passed it goes on.
    Over {
        limit: Limit,
        bytes: u64,
        is_open: bool,
    },
    /// Bytes of it were lost: nothing in it can be believed.
    Lost,
}

/// The block in progress: what was gathered since the last blank line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    /// Offset in the stream of its first line, once a line of it has ended.
    pub(crate) start: u64,
    skip: Skip,
    data: Place,
    /// <= `data_len_max`
    data_len: usize,
    event_type: Place,
    /// <= `event_type_len_max`
    type_len: usize,
    /// The slot of the type, < 2; a value in progress uses the other one.
    type_slot: u8,
    /// The last `event` value was too long, in a block that is skipped.
    pub(crate) type_is_unknown: bool,
    /// A `data` line has ended: the data buffer is not the empty string.
    pub(crate) has_data: bool,
    /// A line has ended, so that `start` is known.
    has_line: bool,
}

impl Block {
    pub(crate) const EMPTY: Block = Block {
        start: 0,
        skip: Skip::No,
        data: Place::Memory,
        data_len: 0,
        event_type: Place::Memory,
        type_len: 0,
        type_slot: 0,
        type_is_unknown: false,
        has_data: false,
        has_line: false,
    };

    pub(crate) fn clear(&mut self) {
        *self = Block::EMPTY;
    }

    pub(crate) const fn is_skipping(&self) -> bool {
        !matches!(self.skip, Skip::No)
    }

    /// Whether bytes of it were lost, so that no line of it can be believed.
    pub(crate) const fn is_lost(&self) -> bool {
        matches!(self.skip, Skip::Lost)
    }

    pub(crate) const fn skip_limit(&self) -> Option<Limit> {
        match self.skip {
            Skip::Over { limit, .. } => Some(limit),
            Skip::No | Skip::Lost => None,
        }
    }

    pub(crate) const fn skip_bytes(&self) -> u64 {
        match self.skip {
            Skip::Over { bytes, .. } => bytes,
            Skip::No | Skip::Lost => 0,
        }
    }

    /// Whether a line of it has ended.
    pub(crate) const fn has_line(&self) -> bool {
        self.has_line
    }

    /// Whether the event type buffer is not empty.
    pub(crate) const fn has_type(&self) -> bool {
        self.type_len > 0 || self.type_is_unknown
    }

    pub(crate) fn lose(&mut self) {
        self.clear();
        self.skip = Skip::Lost;
    }

    pub(crate) const fn data_len_in_memory(&self) -> usize {
        match self.data {
            Place::Memory => self.data_len,
            Place::Chunk(_) => 0,
        }
    }

    /// Adds to the count that a skipped block reports, if it is of this limit.
    fn count_skipped(&mut self, of: Limit, more: usize) {
        if let Skip::Over {
            limit,
            bytes,
            is_open,
        } = &mut self.skip
        {
            let counts = *limit == of && (*is_open || of == Limit::Data);
            *bytes += if counts { more as u64 } else { 0 };
        }
    }

    fn close_skipped(&mut self, line_len: u64) {
        if let Skip::Over {
            limit,
            bytes,
            is_open,
        } = &mut self.skip
        {
            if *is_open && *limit == Limit::Line {
                *bytes = line_len;
            }
            *is_open = false;
        }
    }
}

impl Engine {
    /// Lets a piece of a value act, and tells what its line came to: `Retry` or
    /// `Ignored`, or `NeedInput` for a line that is no item of its own.
    pub(crate) fn gather(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        piece: Piece<'_>,
    ) -> Result<Step, Halt> {
        if self.block.is_lost() {
            return Ok(Step::NeedInput);
        }
        match piece.field {
            Field::Data => self.gather_data(memory, chunk, piece)?,
            Field::Event => self.gather_type(memory, piece)?,
            Field::Id => return self.gather_id(memory, piece),
            Field::Retry => return Ok(self.gather_retry(piece)),
        }
        Ok(Step::NeedInput)
    }

    /// Does what the line does at its end, when nothing can stop it any more.
    pub(crate) fn commit_line(&mut self, step: Step, line_end: usize) {
        self.counters.lines += 1;
        match step {
            Step::Comment => self.counters.comments += 1,
            Step::Ignored => self.counters.ignored_lines += 1,
            Step::Retry => self.retry = self.value.number,
            _ => {}
        }
        if !self.block.has_line {
            self.block.has_line = true;
            let line_end = self.counters.bytes + line_end as u64;
            self.block.start = line_end - self.tokenizer.line_len();
        }
        self.block.close_skipped(self.tokenizer.line_len());
        self.value = Value::EMPTY;
    }

    /// The standard's steps for dispatching the event, at a blank line.
    pub(crate) fn blank(&mut self, end: usize, want: Items) -> Result<Option<Step>, Halt> {
        let dispatches = self.block.has_data && !self.block.is_skipping();
        if dispatches && self.counters.events >= self.limits.events_max {
            return Err(Halt::Over {
                limit: Limit::Events,
                at: end - 1,
            });
        }
        self.counters.lines += 1;
        // "Set the last event ID string of the event source to the value of the
        // last event ID buffer. The buffer does not get reset". This comes first
        // in the standard, so that a block without data commits its id as well.
        match self.block.skip {
            Skip::Lost => self.ids.buffer = self.ids.committed,
            Skip::No | Skip::Over { .. } => self.ids.committed = self.ids.buffer,
        }
        if dispatches {
            self.counters.events += 1;
            return Ok(Some(Step::Event));
        }
        self.counters.skipped += u64::from(self.block.is_skipping());
        if self.block.skip_limit().is_some() && want.contains(Items::SKIPPED) {
            return Ok(Some(Step::Skipped));
        }
        // "If the data buffer is an empty string, set the data buffer and the
        // event type buffer to the empty string and return."
        self.block.clear();
        Ok(None)
    }

    /// A limit was passed: stops, or skips the block from here on.
    pub(crate) fn pass(&mut self, limit: Limit, at: usize, bytes: usize) -> Result<(), Halt> {
        if matches!(self.limits.overflow, Overflow::Stop) {
            return Err(Halt::Over { limit, at });
        }
        if !self.block.is_skipping() {
            self.block.skip = Skip::Over {
                limit,
                bytes: bytes as u64,
                is_open: true,
            };
        }
        Ok(())
    }

    /// Copies into memory what the block holds in the chunk.
    pub(crate) fn park_block(&mut self, memory: &mut [u8], chunk: &[u8]) -> Result<(), Halt> {
        self.park_data(memory, chunk)?;
        if let Place::Chunk(at) = self.block.event_type {
            let bytes = slice(chunk, at, self.block.type_len);
            self.store(memory, Region::EventType, self.block.type_slot, 0, bytes)?;
            self.block.event_type = Place::Memory;
        }
        Ok(())
    }

    /// Copies the line's first bytes out of the chunk, up to index `end`, for a
    /// line that is shown or may be: at most `comment_len_max` of them.
    pub(crate) fn keep_line(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        end: usize,
        is_comment: bool,
    ) -> Result<(), Halt> {
        let line_len = usize::try_from(self.tokenizer.line_len()).unwrap_or(usize::MAX);
        let in_chunk = line_len.min(end);
        // The colon of a comment is its line's first byte and not of its text.
        let before = (line_len - in_chunk).saturating_sub(usize::from(is_comment));
        let colon_in_chunk = usize::from(is_comment && line_len == in_chunk).min(in_chunk);
        let room = self.limits.comment_len_max.saturating_sub(before);
        let begin = end - in_chunk + colon_in_chunk;
        let bytes = slice(chunk, begin, (end - begin).min(room));
        // A line that has ended within one chunk is shown from there.
        let is_shown_from_chunk = line_len == in_chunk && !self.tokenizer.is_within_line();
        if bytes.is_empty() || is_shown_from_chunk {
            return Ok(());
        }
        self.store(memory, Region::Comment, 0, before, bytes)
    }

    /// Keeps the bytes that were no byte-order mark: they lay in chunks before,
    /// or lie at the very front of this one, where `keep_line` finds them again.
    pub(crate) fn keep_rejected(&mut self, memory: &mut [u8], bytes: &[u8]) -> Result<Step, Halt> {
        if self.tokenizer.has_rejected_bom() {
            let kept = bytes.get(..self.limits.comment_len_max).unwrap_or(bytes);
            self.store(memory, Region::Comment, 0, 0, kept)?;
        }
        Ok(Step::Ignored)
    }

    #[inline]
    pub(crate) fn data_view<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> &'a [u8] {
        match self.block.data {
            Place::Chunk(at) => slice(chunk, at, self.block.data_len),
            Place::Memory => slice(
                memory,
                self.layout.offset(Region::Data, 0),
                self.block.data_len,
            ),
        }
    }

    #[inline]
    pub(crate) fn type_view<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> &'a [u8] {
        match self.block.event_type {
            Place::Chunk(at) => slice(chunk, at, self.block.type_len),
            Place::Memory => {
                let at = self.layout.offset(Region::EventType, self.block.type_slot);
                slice(memory, at, self.block.type_len)
            }
        }
    }

    /// "Append the field value to the data buffer, then append a single U+000A
    /// LINE FEED (LF) character". The last LF is removed on dispatch, so here
    /// the LF comes with the next line, and counts with its first byte.
    fn gather_data(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        piece: Piece<'_>,
    ) -> Result<(), Halt> {
        let joins = usize::from(self.block.has_data && self.value.len == 0);
        let added = piece.bytes.len() + joins;
        let room = self.limits.data_len_max - self.block.data_len;
        if self.block.is_skipping() {
            self.block.count_skipped(Limit::Data, added);
        } else if added > room {
            let total = self.block.data_len.saturating_add(added);
            let at = piece.at + room.saturating_sub(joins);
            if matches!(self.limits.overflow, Overflow::Skip) {
                let head = piece
                    .bytes
                    .get(..room.saturating_sub(joins))
                    .unwrap_or_default();
                self.append_data(memory, chunk, joins.min(room), head)?;
            }
            self.pass(Limit::Data, at, total)?;
        } else if piece.ends_line && !self.block.has_data && self.value.len == 0 {
            self.block.data = Place::Chunk(piece.at);
            self.block.data_len = piece.bytes.len();
        } else {
            self.append_data(memory, chunk, joins, piece.bytes)?;
        }
        self.block.has_data |= piece.ends_line;
        self.value.len = self.value.len.saturating_add(piece.bytes.len());
        Ok(())
    }

    /// Whether one more joining LF would still be within the limit of data.
    pub(crate) fn has_room_for_join(&self) -> bool {
        self.block.data_len < self.limits.data_len_max
    }

    /// Appends an LF, if lines are joined, and `bytes` to the data in memory.
    pub(crate) fn append_data(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        joins: usize,
        bytes: &[u8],
    ) -> Result<(), Halt> {
        self.park_data(memory, chunk)?;
        let len = self.block.data_len;
        let at = self.reserve(memory, Region::Data, 0, len + joins + bytes.len())? + len;
        put(memory, at, slice(b"\n", 0, joins));
        put(memory, at + joins, bytes);
        self.block.data_len = len + joins + bytes.len();
        Ok(())
    }

    fn park_data(&mut self, memory: &mut [u8], chunk: &[u8]) -> Result<(), Halt> {
        if let Place::Chunk(at) = self.block.data {
            let bytes = slice(chunk, at, self.block.data_len);
            self.store(memory, Region::Data, 0, 0, bytes)?;
            self.block.data = Place::Memory;
        }
        Ok(())
    }

    /// "Set the event type buffer to the field value."
    fn gather_type(&mut self, memory: &mut [u8], piece: Piece<'_>) -> Result<(), Halt> {
        let (seen, max) = (self.value.len, self.limits.event_type_len_max);
        let len = seen.saturating_add(piece.bytes.len());
        let slot = 1 - self.block.type_slot;
        let is_whole = piece.ends_line && seen == 0;
        if matches!(self.value.fate, Fate::Dropped) {
            self.block
                .count_skipped(Limit::EventType, piece.bytes.len());
        } else if len > max {
            self.pass(Limit::EventType, piece.at + (max - seen), len)?;
            self.value.fate = Fate::Dropped;
        } else if !is_whole {
            self.store(memory, Region::EventType, slot, seen, piece.bytes)?;
        }
        self.value.len = len;
        if piece.ends_line {
            self.block.type_is_unknown = matches!(self.value.fate, Fate::Dropped);
            self.block.type_len = if self.block.type_is_unknown { 0 } else { len };
            self.block.event_type = if is_whole {
                Place::Chunk(piece.at)
            } else {
                Place::Memory
            };
            self.block.type_slot = slot;
        }
        Ok(())
    }

    /// "If the field value does not contain U+0000 NULL, then set the last event
    /// ID buffer to the field value. Otherwise, ignore the field."
    fn gather_id(&mut self, memory: &mut [u8], piece: Piece<'_>) -> Result<Step, Halt> {
        let (seen, max) = (self.value.len, self.limits.id_len_max);
        let nul = scan::nul(piece.bytes);
        let bytes = nul
            .and_then(|at| piece.bytes.get(..at))
            .unwrap_or(piece.bytes);
        let len = seen.saturating_add(bytes.len());
        let slot = self.ids.free_slot();
        match self.value.fate {
            Fate::Refused => {}
            Fate::Dropped => self.block.count_skipped(Limit::Id, bytes.len()),
            Fate::Acts if len > max => {
                self.pass(Limit::Id, piece.at + (max - seen), len)?;
                self.value.fate = Fate::Dropped;
            }
            Fate::Acts => {
                self.store(memory, Region::Id, slot, seen, bytes)?;
                self.value.len = len;
            }
        }
        if nul.is_some() {
            self.value.fate = Fate::Refused;
        }
        let acts = matches!(self.value.fate, Fate::Acts);
        if piece.ends_line && acts {
            self.ids.buffer = Id { slot, len };
        }
        let is_refused = matches!(self.value.fate, Fate::Refused);
        Ok(if is_refused {
            Step::Ignored
        } else {
            Step::NeedInput
        })
    }

    /// Whether an `id` line that ends with these bytes is void.
    pub(crate) fn is_void_id(&self, bytes: &[u8]) -> bool {
        matches!(self.value.fate, Fate::Refused) || scan::nul(bytes).is_some()
    }

    /// "If the field value consists of only ASCII digits, then interpret the
    /// field value as an integer in base ten". Of no digits no integer can be
    /// made, and one above `u64::MAX` cannot be kept: both leave the old value.
    fn gather_retry(&mut self, piece: Piece<'_>) -> Step {
        for &byte in piece.bytes {
            self.value.number = self
                .value
                .number
                .and_then(|number| append_digit(number, byte));
        }
        self.value.len = self.value.len.saturating_add(piece.bytes.len());
        let is_number = self.value.len > 0 && self.value.number.is_some();
        if is_number {
            Step::Retry
        } else {
            Step::Ignored
        }
    }

    /// Copies `bytes` to index `at` of a slot.
    pub(crate) fn store(
        &mut self,
        memory: &mut [u8],
        region: Region,
        slot: u8,
        at: usize,
        bytes: &[u8],
    ) -> Result<(), Halt> {
        let begin = self.reserve(memory, region, slot, at.saturating_add(bytes.len()))?;
        put(memory, begin + at, bytes);
        Ok(())
    }

    /// The offset of a slot that can hold `len` bytes.
    fn reserve(
        &mut self,
        memory: &[u8],
        region: Region,
        slot: u8,
        len: usize,
    ) -> Result<usize, Halt> {
        let at = self.layout.offset(region, slot);
        let room = memory
            .len()
            .saturating_sub(at)
            .min(self.layout.slot_len(region));
        if len <= room {
            return Ok(at);
        }
        self.lack = Lack { region, len };
        Err(Halt::NeedMemory)
    }
}

fn append_digit(number: u64, byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    if digit > 9 {
        return None;
    }
    number.checked_mul(10)?.checked_add(u64::from(digit))
}
