//! Stage 3, pieces to fields: values come in, and at their lines' ends they have
//! set the data, the type, an id or the reconnection time.
//!
//! A value that lies whole in the chunk stays there. Everything else is appended
//! to its region once and never moved again, or a hostile stream of short pieces
//! would make the cost quadratic.

use crate::block::{Fate, Halt, Id, Piece, Place, Skip, Value};
use crate::engine::{Engine, Step};
use crate::limits::{Limit, Overflow};
use crate::memory::{Region, put, slice};
use crate::scan;
use crate::token::Field;

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

    /// Counts a line that ended and was not blank. `start` is its offset in the
    /// stream, which is the block's if it is its first.
    #[inline]
    pub(crate) fn count_line(&mut self, told: Step, start: u64) {
        self.counters.lines += 1;
        match told {
            Step::Comment => self.counters.comments += 1,
            Step::Ignored => self.counters.ignored_lines += 1,
            Step::Retry => self.retry = self.value.number,
            _ => {}
        }
        self.block.begin(start);
        self.value = Value::EMPTY;
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
}

fn append_digit(number: u64, byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    if digit > 9 {
        return None;
    }
    number.checked_mul(10)?.checked_add(u64::from(digit))
}
