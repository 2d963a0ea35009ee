//! Stage 3, chunk to memory: what an unfinished block still needs of a chunk is
//! copied, once, before the chunk is let go.

use crate::block::{Halt, Lack, Lent, Place};
use crate::engine::Engine;
use crate::memory::{Slot, put, slice};

impl Engine {
    /// Copies into memory what the block holds in the chunk.
    pub(crate) fn park_block(&mut self, lent: &mut Lent<'_>) -> Result<(), Halt> {
        self.park_data(lent)?;
        self.park_type(lent)
    }

    /// Copies the type into memory, if it lies in the chunk.
    #[cfg_attr(feature = "wide-scan", inline(always))]
    pub(crate) fn park_type(&mut self, lent: &mut Lent<'_>) -> Result<(), Halt> {
        if let Some(at) = self.block.event_type.index_in_chunk() {
            let bytes = slice(lent.window, at, self.block.type_len);
            self.store(lent.memory, self.block.type_slot, 0, bytes)?;
            self.block.event_type = Place::MEMORY;
        }
        Ok(())
    }

    /// Copies the line's first bytes out of the chunk, up to index `end`, for a
    /// line that is shown or may be: at most `comment_len_max` of them.
    pub(crate) fn keep_line(
        &mut self,
        lent: &mut Lent<'_>,
        end: usize,
        is_comment: bool,
    ) -> Result<(), Halt> {
        let line_len = usize::try_from(self.tokenizer.line_len_with_bom()).unwrap_or(usize::MAX);
        let in_chunk = line_len.min(end);
        // The colon of a comment is its line's first byte and not of its text.
        let before = (line_len - in_chunk).saturating_sub(usize::from(is_comment));
        let colon_in_chunk = usize::from(is_comment && line_len == in_chunk).min(in_chunk);
        if before == 0 {
            self.line_is_unseen = false;
        }
        let room = self.limits.comment_len_max.saturating_sub(before);
        let begin = end - in_chunk + colon_in_chunk;
        let bytes = slice(lent.window, begin, (end - begin).min(room));
        // A line that has ended within one chunk is shown from there.
        let is_shown_from_chunk = line_len == in_chunk && !self.tokenizer.is_within_line();
        if bytes.is_empty() || is_shown_from_chunk {
            return Ok(());
        }
        self.store(lent.memory, Slot::COMMENT, before, bytes)
    }

    /// Copies the data into memory, if it lies in the chunk.
    pub(crate) fn park_data(&mut self, lent: &mut Lent<'_>) -> Result<(), Halt> {
        if let Some(at) = self.block.data.index_in_chunk() {
            let bytes = slice(lent.window, at, self.block.data_len);
            self.store(lent.memory, Slot::DATA, 0, bytes)?;
            self.block.data = Place::MEMORY;
        }
        Ok(())
    }

    /// Copies `bytes` to index `at` of a slot.
    #[cfg_attr(feature = "wide-scan", inline(always))]
    pub(crate) fn store(
        &mut self,
        memory: &mut [u8],
        slot: Slot,
        at: usize,
        bytes: &[u8],
    ) -> Result<(), Halt> {
        let begin = self.offset(slot);
        let room = memory.len().saturating_sub(begin);
        let len = at.saturating_add(bytes.len());
        if len > room.min(self.layout.len(slot)) {
            self.lack = Lack { slot, len };
            return Err(Halt::NeedMemory);
        }
        put(memory, begin + at, bytes);
        Ok(())
    }

    /// Offset of a slot in the event memory.
    #[cfg_attr(feature = "wide-scan", inline)]
    #[cfg_attr(not(feature = "wide-scan"), inline(never))]
    pub(crate) fn offset(&self, slot: Slot) -> usize {
        self.layout.offset(slot)
    }
}
