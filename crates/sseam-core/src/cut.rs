//! Stage 4, the fast lane for values that the end of a chunk cuts: the parts of a
//! value come in, and are appended in memory without a look at anything else.
//!
//! However small the chunks are, nearly all of them begin and end inside a value.

use crate::block::{Lent, Place};
use crate::engine::{Engine, Step};
use crate::lane::Front;
use crate::memory::Slot;
use crate::scan::copy_to_line_end;
use crate::token::Field;

impl Engine {
    /// Takes a piece of a value that the end of the chunk cuts, or did cut before.
    /// `None` where more must be looked at than that: the cursor stands behind
    /// what was taken.
    #[inline(always)]
    pub(crate) fn take_cut_value(&mut self, memory: &mut [u8], chunk: &[u8]) -> Option<Step> {
        match self.front {
            Front::InData(end) => self.go_on_in_data(memory, chunk, end),
            Front::InType(_) | Front::OpenData(_) | Front::OpenType(_) => {
                self.take_other_cut_value(memory, chunk)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn take_other_cut_value(&mut self, memory: &mut [u8], chunk: &[u8]) -> Option<Step> {
        match self.front {
            Front::InType(end) => self.go_on_in_type(memory, chunk, end),
            Front::OpenData(begin) => self.enter_data(memory, chunk, begin),
            Front::OpenType(begin) => self.enter_type(memory, chunk, begin),
            _ => None,
        }
    }

    /// Takes what there is of a first `data` line, whose value begins at this
    /// index and goes on in the next chunk.
    #[inline]
    pub(crate) fn enter_data(
        &mut self,
        memory: &mut [u8],
        chunk: &[u8],
        begin: usize,
    ) -> Option<Step> {
        let window = chunk;
        if self.block.has_data {
            return None;
        }
        self.park_type(&mut Lent { memory, window }).ok()?;
        let at = self.offset(Slot::DATA);
        let len = self.enter(memory, chunk, begin, at, self.limits.data_len_max)?;
        self.block.data = Place::MEMORY;
        self.block.data_len = len;
        self.tokenizer
            .enter_value(Field::Data, chunk.len() - self.cursor);
        self.cursor = chunk.len();
        self.front = Front::InData(at + len);
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
        let len = self.enter(memory, chunk, begin, at, self.layout.type_len())?;
        self.tokenizer
            .enter_value(Field::Event, chunk.len() - self.cursor);
        self.cursor = chunk.len();
        self.front = Front::InType(at + len);
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
        len_max: usize,
    ) -> Option<usize> {
        let value = chunk.get(begin..)?;
        let line_len = chunk.len() - self.cursor;
        if value.is_empty() || value.len() > len_max || line_len > self.limits.line_len_max {
            return None;
        }
        memory
            .get_mut(at..)?
            .get_mut(..value.len())?
            .copy_from_slice(value);
        self.value.len = value.len();
        Some(value.len())
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
        let len = copy_to_line_end(chunk, place);
        self.tokenizer.lengthen(len);
        self.cursor = len;
        Some(len)
    }

    /// The line in progress, which began in a chunk before, ends at this index.
    #[inline(always)]
    fn end_cut_line(&mut self, chunk: &[u8], line_end: usize) {
        let line_len = self.tokenizer.line_len_with_bom();
        let end = self.counters.bytes + line_end as u64;
        self.counters.lines += 1;
        self.block.begin(end - line_len);
        self.value.len = 0;
        self.cursor = line_end + 1;
        self.tokenizer
            .leave_line(chunk.get(line_end) == Some(&b'\r'));
        self.front = Front::Elsewhere;
    }
}
