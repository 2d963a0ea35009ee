//! Stage 4, the fast lane for values that the end of a chunk cuts: the parts of a
//! value come in, and are appended in memory without a look at anything else.
//!
//! However small the chunks are, nearly all of them begin and end inside a value.

use crate::block::{Lent, Place};
use crate::engine::{Engine, Step};
use crate::lane::Front;
use crate::memory::Slot;
use crate::scan::{FEW, copy_few_without_line_end, line_end};
use crate::token::Field;

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
            Front::InData(end) => self.go_on_in_data(memory, chunk, end),
            Front::InType(end) => self.go_on_in_type(memory, chunk, end),
            Front::OpenData(begin) => self.enter_data(memory, chunk, begin),
            Front::OpenType(begin) => self.enter_type(memory, chunk, begin),
            _ => None,
        }?;
        Some((self.take(), step))
    }

    /// Takes a whole small chunk in which no line ends, where it goes on with a
    /// `data` value. `false` where it is anything else: nothing was taken.
    #[inline(always)]
    pub(crate) fn goes_on_in_data(&mut self, memory: &mut [u8], chunk: &[u8]) -> bool {
        match self.front {
            Front::InData(end) if chunk.len() <= FEW => self.take_few(memory, chunk, end),
            _ => false,
        }
    }

    /// The same, where the data ends at index `end` of the memory. It calls
    /// nothing, and so needs no registers but those that callers keep for it.
    #[inline(never)]
    fn take_few(&mut self, memory: &mut [u8], chunk: &[u8], end: usize) -> bool {
        let Some(place) = memory.get_mut(end..) else {
            return false;
        };
        let Some(place) = place.get_mut(..chunk.len()) else {
            return false;
        };
        let len = chunk.len() as u64;
        let data_len = self.block.data_len + chunk.len();
        let line_len = self.tokenizer.line_len_with_bom() + len;
        let bytes = self.counters.bytes + len;
        if data_len > self.limits.data_len_max
            || line_len > self.limits.line_len_max as u64
            || bytes > self.limits.bytes_max
            || !copy_few_without_line_end(chunk, place)
        {
            return false;
        }
        self.block.data_len = data_len;
        self.tokenizer.lengthen(chunk.len());
        self.counters.bytes = bytes;
        self.front = Front::InData(end + chunk.len());
        true
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
        if self.block.has_data || self.block.type_len > 0 {
            self.park_block(&mut Lent { memory, window }).ok()?;
        }
        let (len, joins) = (self.block.data_len, usize::from(self.block.has_data));
        let at = self.offset(Slot::DATA) + len;
        let room = (self.limits.data_len_max - len).checked_sub(joins)?;
        self.enter(memory, chunk, begin, at + joins, room)?;
        if let (1, Some(place)) = (joins, memory.get_mut(at)) {
            *place = b'\n';
        }
        self.value.len += joins;
        self.block.data = Place::MEMORY;
        self.block.data_len = len + self.value.len;
        self.tokenizer
            .enter_value(Field::Data, chunk.len() - self.cursor);
        self.cursor = chunk.len();
        self.front = Front::InData(at + self.value.len);
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
        let at = self.offset(self.block.type_slot.other_type());
        self.enter(memory, chunk, begin, at, self.layout.type_len())?;
        self.tokenizer
            .enter_value(Field::Event, chunk.len() - self.cursor);
        self.cursor = chunk.len();
        self.front = Front::InType(at + self.value.len);
        Some(Step::NeedInput)
    }

    /// Copies what there is of a value to index `at` of the memory.
    #[inline(always)]
    fn enter(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        begin: usize,
        at: usize,
        room: usize,
    ) -> Option<()> {
        let value = chunk.get(begin..)?;
        let line_len = chunk.len() - self.cursor;
        if value.is_empty()
            || value.len() > room
            || line_len > self.limits.line_len_max
            || !self.bytes_fit(chunk)
        {
            return None;
        }
        let place = memory.get_mut(at..)?.get_mut(..value.len())?;
        place.copy_from_slice(value);
        self.value.len = value.len();
        Some(())
    }

    /// Takes bytes of a `data` value that began in a chunk before, and where it
    /// ends its block, the blank line.
    #[inline(always)]
    fn go_on_in_data(&mut self, memory: &mut [u8], chunk: &[u8], end: usize) -> Option<Step> {
        let len = self.go_on(
            memory,
            chunk,
            end,
            self.block.data_len,
            self.limits.data_len_max,
        )?;
        self.block.data_len += len;
        if len == chunk.len() {
            self.front = Front::InData(end + len);
            return Some(Step::NeedInput);
        }
        self.end_cut_line(chunk, len);
        self.block.has_data = true;
        if self.may_dispatch() && self.takes_blank_line(chunk, len) {
            self.front = Front::AfterEvent;
            return Some(self.dispatch());
        }
        None
    }

    /// The same for the value of an `event` line.
    #[inline]
    fn go_on_in_type(&mut self, memory: &mut [u8], chunk: &[u8], end: usize) -> Option<Step> {
        let len_max = self.layout.type_len();
        let len = self.go_on(memory, chunk, end, self.value.len, len_max)?;
        self.value.len += len;
        if len == chunk.len() {
            self.front = Front::InType(end + len);
            return Some(Step::NeedInput);
        }
        self.block.event_type = Place::MEMORY;
        self.block.type_len = self.value.len;
        self.block.type_slot = self.block.type_slot.other_type();
        self.block.type_is_unknown = false;
        self.end_cut_line(chunk, len);
        None
    }

    /// Copies the bytes before the first line end to index `end` of the memory,
    /// and tells how many they are, if there were room for the whole chunk.
    #[inline(always)]
    fn go_on(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        end: usize,
        value_len: usize,
        len_max: usize,
    ) -> Option<usize> {
        let place = memory.get_mut(end..)?.get_mut(..chunk.len())?;
        let line_len = self.tokenizer.line_len_with_bom() + chunk.len() as u64;
        let bytes = self.counters.bytes + chunk.len() as u64;
        if value_len + chunk.len() > len_max
            || line_len > self.limits.line_len_max as u64
            || bytes > self.limits.bytes_max
        {
            return None;
        }
        let len = line_end(chunk);
        place.get_mut(..len)?.copy_from_slice(chunk.get(..len)?);
        self.tokenizer.lengthen(len);
        self.cursor = len;
        Some(len)
    }

    /// The line in progress, which began in a chunk before, ends at this index.
    #[inline(always)]
    fn end_cut_line(&mut self, chunk: &[u8], line_end: usize) {
        self.counters.lines += 1;
        self.block.begin(self.line_start(line_end));
        self.value.len = 0;
        self.cursor = line_end + 1;
        self.tokenizer
            .leave_line(chunk.get(line_end) == Some(&b'\r'));
        self.front = Front::Elsewhere;
    }
}
