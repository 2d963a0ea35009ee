//! Stage 3, chunk to memory: what an unfinished block still needs of a chunk is
//! copied, once, before the chunk is let go.

use crate::block::{Halt, Lack, Place};
use crate::engine::{Engine, Step};
use crate::memory::{Region, put, slice};

impl Engine {
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
            _ if self.block.type_len == 0 => &[],
            Place::Chunk(at) => slice(chunk, at, self.block.type_len),
            Place::Memory => {
                let at = self.layout.offset(Region::EventType, self.block.type_slot);
                slice(memory, at, self.block.type_len)
            }
        }
    }

    /// Copies the data into memory, if it lies in the chunk.
    pub(crate) fn park_data(&mut self, memory: &mut [u8], chunk: &[u8]) -> Result<(), Halt> {
        if let Place::Chunk(at) = self.block.data {
            let bytes = slice(chunk, at, self.block.data_len);
            self.store(memory, Region::Data, 0, 0, bytes)?;
            self.block.data = Place::Memory;
        }
        Ok(())
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
    pub(crate) fn reserve(
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
