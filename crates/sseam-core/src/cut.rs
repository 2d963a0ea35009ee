//! Stage 4, the fast lane for values that the end of a chunk cuts: the parts of a
//! value come in, and are appended in memory without a look at anything else.
//!
//! However small the chunks are, nearly all of them begin and end inside a value.
//! So all that bounds it is brought down to one index when a chunk first ends
//! there, and what the next chunks add is counted when something else comes.

use crate::block::{Lent, Place};
use crate::engine::{Engine, Step};
use crate::lane::Front;
use crate::memory::Slot;
use crate::scan::{FEW, copy_few_without_line_end, line_end};
use crate::token::Field;

/// A value of which at least one byte has come, and which goes on with the next
/// byte; it is in memory, with all of its block before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    /// `data` or `event`.
    field: Field,
    /// Index in the memory of its first byte that no count includes; <= `end`
    counted: usize,
    /// Index in the memory of the next byte; <= `end_max`
    end: usize,
    /// How far every limit lets it go on.
    end_max: usize,
}

impl Tail {
    /// Bytes of it that no count includes yet.
    #[inline(always)]
    pub(crate) const fn uncounted(self) -> usize {
        self.end - self.counted
    }

    /// The same for a value of this field.
    pub(crate) fn uncounted_of(self, field: Field) -> usize {
        if self.field == field {
            self.uncounted()
        } else {
            0
        }
    }

    /// Where the chunk has its place in memory, if there is room for all of it.
    #[inline(always)]
    fn place<'m>(&self, memory: &'m mut [u8], chunk: &[u8]) -> Option<&'m mut [u8]> {
        let has_room = chunk.len() <= self.end_max - self.end;
        let rest = memory.get_mut(self.end..).filter(|_| has_room)?;
        rest.get_mut(..chunk.len())
    }
}

impl Engine {
    /// Takes a piece of a value that the end of the chunk cuts, or did cut before.
    /// `None` where more must be looked at than that: the cursor stands behind
    /// what was taken.
    #[inline(always)]
    pub(crate) fn take_cut_value(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
    ) -> Option<(usize, Step)> {
        let step = match self.front {
            Front::InValue(tail) => return self.go_on(memory, chunk, tail),
            Front::OpenData(begin) => self.enter_data(memory, chunk, begin)?,
            Front::OpenType(begin) => self.enter_type(memory, chunk, begin)?,
            _ => return None,
        };
        Some((self.take_value(), step))
    }

    /// Takes what is behind the cursor, where that is no line to be shown.
    #[inline(always)]
    fn take_value(&mut self) -> usize {
        let used = core::mem::take(&mut self.cursor);
        self.counters.bytes += used as u64;
        used
    }

    /// Takes a whole small chunk in which no line ends, where it goes on with a
    /// value. `false` where it is anything else: nothing was taken.
    ///
    /// It calls nothing, and so needs no registers but those that callers keep
    /// for it.
    #[inline(always)]
    pub(crate) fn take_few(&mut self, memory: &mut [u8], chunk: &[u8]) -> bool {
        let Front::InValue(tail) = &mut self.front else {
            return false;
        };
        if chunk.len() > FEW {
            return false;
        }
        let is_taken = match tail.place(memory, chunk) {
            Some(place) => copy_few_without_line_end(chunk, place),
            None => false,
        };
        if is_taken {
            tail.end += chunk.len();
        }
        is_taken
    }

    /// A value in progress of which `len` bytes are in memory, before the byte at
    /// this index of the chunk.
    #[inline]
    pub(crate) fn tail(&self, field: Field, len: usize, line_len: u64, index: usize) -> Tail {
        let (begin, len_max) = match field {
            Field::Event => (
                self.offset(self.block.type_slot.other_type()),
                self.layout.len(Slot::EVENT_TYPE),
            ),
            _ => (self.offset(Slot::DATA), self.limits.data_len_max),
        };
        let end = begin + len;
        let bytes = self.counters.bytes + index as u64;
        let line_room = (self.limits.line_len_max as u64).saturating_sub(line_len);
        let room = line_room.min(self.limits.bytes_max.saturating_sub(bytes));
        let room = usize::try_from(room)
            .unwrap_or(usize::MAX)
            .min(len_max.saturating_sub(len));
        Tail {
            field,
            counted: end,
            end,
            end_max: end.saturating_add(room),
        }
    }

    /// Counts what small chunks have added to a value; from here on nothing is
    /// known of the next byte.
    #[inline]
    pub(crate) fn leave_tail(&mut self) {
        if let Front::InValue(tail) = self.front {
            self.front = Front::Elsewhere;
            let len = tail.uncounted();
            self.counters.bytes += len as u64;
            self.tokenizer.lengthen(len);
            self.lengthen_value(tail.field, len);
        }
    }

    #[inline(always)]
    fn lengthen_value(&mut self, field: Field, len: usize) {
        match field {
            Field::Data => self.block.data_len += len,
            _ => self.value.len += len,
        }
    }

    /// Takes what there is of a `data` line, whose value begins at this index and
    /// goes on in the next chunk.
    #[inline]
    pub(crate) fn enter_data(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        begin: usize,
    ) -> Option<Step> {
        let window = chunk;
        // The LF is there already if memory ran short between it and the value.
        if self.value.len > 0 {
            return None;
        }
        if self.block.has_data {
            self.park_block(&mut Lent { memory, window }).ok()?;
        } else if self.block.type_len > 0 {
            self.park_type(&mut Lent { memory, window }).ok()?;
        }
        let (len, joins) = (self.block.data_len, usize::from(self.block.has_data));
        let line_len = (begin - self.cursor) as u64;
        let tail = self.tail(Field::Data, len + joins, line_len, begin);
        self.enter(memory, chunk, begin, tail)?;
        if let (1, Some(place)) = (joins, memory.get_mut(tail.end - joins)) {
            *place = b'\n';
        }
        self.value.len += joins;
        self.block.data = Place::MEMORY;
        self.block.data_len = len + self.value.len;
        Some(Step::NeedInput)
    }

    /// The same for an `event` line.
    #[inline]
    pub(crate) fn enter_type(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        begin: usize,
    ) -> Option<Step> {
        let window = chunk;
        self.park_block(&mut Lent { memory, window }).ok()?;
        let line_len = (begin - self.cursor) as u64;
        let tail = self.tail(Field::Event, 0, line_len, begin);
        self.enter(memory, chunk, begin, tail)?;
        Some(Step::NeedInput)
    }

    /// Copies what there is of a value that begins at this index of the chunk.
    #[inline(always)]
    fn enter(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        begin: usize,
        mut tail: Tail,
    ) -> Option<()> {
        let value = chunk.get(begin..).filter(|value| !value.is_empty())?;
        tail.place(memory, value)?.copy_from_slice(value);
        tail.end += value.len();
        tail.counted = tail.end;
        self.front = Front::InValue(tail);
        self.value.len = value.len();
        self.tokenizer
            .enter_value(tail.field, chunk.len() - self.cursor);
        self.cursor = chunk.len();
        Some(())
    }

    /// Takes bytes of a value that began in a chunk before, and where it ends the
    /// data of its block, the blank line.
    #[inline(always)]
    fn go_on(&mut self, memory: &mut [u8], chunk: &[u8], mut tail: Tail) -> Option<(usize, Step)> {
        let place = tail.place(memory, chunk)?;
        let len = line_end(chunk);
        place.get_mut(..len)?.copy_from_slice(chunk.get(..len)?);
        if len == chunk.len() {
            tail.end += len;
            self.front = Front::InValue(tail);
            return Some((len, Step::NeedInput));
        }
        self.end_tail(tail.field, chunk, len);
        if self.block.has_data && self.may_dispatch() && self.takes_blank_line(chunk, len) {
            self.front = Front::AfterEvent;
            return Some((self.take_value(), self.dispatch()));
        }
        None
    }

    /// The value in progress ends with its line, at this index of the chunk.
    #[inline(always)]
    fn end_tail(&mut self, field: Field, chunk: &[u8], line_end: usize) {
        self.leave_tail();
        // Of the line, what is in this chunk is not counted.
        self.block.begin(self.line_start(0));
        self.counters.lines += 1;
        self.lengthen_value(field, line_end);
        match field {
            Field::Data => self.block.has_data = true,
            _ => self.block.set_type_in_memory(self.value.len),
        }
        self.value.len = 0;
        self.cursor = line_end + 1;
        self.tokenizer
            .leave_line(chunk.get(line_end) == Some(&b'\r'));
    }
}
