//! Stage 3, pieces to fields: values come in, and at their lines' ends they have
//! set the data, the type, an id or the reconnection time.
//!
//! A value that lies whole in the chunk stays there. Everything else is appended
//! to its region once and never moved again, or a hostile stream of short pieces
//! would make the cost quadratic.

use crate::block::{Fate, Halt, Lent, Place, Skip};
use crate::engine::{Engine, Step};
use crate::limits::{Limit, Overflow};
use crate::memory::Slot;
use crate::scan;
use crate::token::{Field, Piece};

impl Engine {
    /// Lets a piece of a value act, and tells what its line came to: `Retry` or
    /// `Ignored`, or `NeedInput` for a line that is no item of its own.
    pub(crate) fn gather(
        &mut self,
        lent: &mut Lent<'_>,
        field: Field,
        piece: &Piece,
    ) -> Result<Step, Halt> {
        let (at, mut bytes) = (piece.begin, piece.bytes(lent.window));
        let is_refused = matches!(self.value.fate, Fate::Refused);
        match field {
            Field::Retry => {
                self.gather_number(bytes);
                return Ok(if piece.ends_line {
                    self.set_retry()
                } else {
                    Step::NeedInput
                });
            }
            // "If the field value does not contain U+0000 NULL, then set the last
            // event ID buffer to the field value. Otherwise, ignore the field."
            Field::Id => {
                let len = if is_refused { 0 } else { scan::nul(bytes) };
                bytes = bytes.get(..len).unwrap_or(bytes);
            }
            // "Append the field value to the data buffer, then append a single
            // U+000A LINE FEED (LF) character". The last LF is removed on
            // dispatch, so here the LF comes before the next line, and counts
            // with its first byte.
            Field::Data if self.block.has_data && self.value.len == 0 => {
                self.park_data(lent)?;
                self.collect(lent, field, b"\n", at, false)?;
            }
            Field::Data | Field::Event => {}
        }
        self.collect(lent, field, bytes, at, piece.ends_line)?;
        if bytes.len() < piece.len() {
            self.value.fate = Fate::Refused;
        }
        Ok(if piece.ends_line {
            self.set_field(field, bytes.len(), at)
        } else {
            Step::NeedInput
        })
    }

    /// The value is whole, and its last `piece_len` bytes begin at index `at` of
    /// the chunk: sets its field.
    fn set_field(&mut self, field: Field, piece_len: usize, at: usize) -> Step {
        let (len, fate) = (self.value.len, self.value.fate);
        let is_in_chunk = len == piece_len;
        let place = if is_in_chunk {
            Place::chunk(at)
        } else {
            Place::MEMORY
        };
        match field {
            Field::Data => {
                if is_in_chunk && !self.block.is_skipping() {
                    self.block.data = place;
                    self.block.data_len = len;
                }
                self.block.has_data = true;
            }
            Field::Event => {
                let is_unknown = matches!(fate, Fate::Dropped);
                self.block.type_is_unknown = is_unknown;
                self.block.type_len = if is_unknown { 0 } else { len };
                self.block.event_type = place;
                self.block.type_slot = self.block.type_slot.other_type();
            }
            Field::Id => match fate {
                Fate::Acts => self.ids.buffer(len),
                Fate::Dropped => {}
                Fate::Refused => return Step::Ignored,
            },
            Field::Retry => {}
        }
        Step::NeedInput
    }

    /// Takes bytes of data, of a type or of an id into their slot, as far as the
    /// limit allows. What lies whole in the chunk may stay there, but for an id.
    fn collect(
        &mut self,
        lent: &mut Lent<'_>,
        field: Field,
        bytes: &[u8],
        at: usize,
        ends_line: bool,
    ) -> Result<(), Halt> {
        let (len, max, limit) = match field {
            Field::Event => (
                self.value.len,
                self.limits.event_type_len_max,
                Limit::EventType,
            ),
            Field::Id => (self.value.len, self.limits.id_len_max, Limit::Id),
            _ => (self.block.data_len, self.limits.data_len_max, Limit::Data),
        };
        // Of a block that is skipped no more data is kept; its type and its id
        // are, unless they are what was too long.
        let is_dropped = match field {
            Field::Data => self.block.is_skipping(),
            _ => !matches!(self.value.fate, Fate::Acts),
        };
        if is_dropped {
            self.block.count_skipped(limit, bytes.len());
        } else {
            let room = max - len;
            let kept = bytes.get(..room).unwrap_or(bytes);
            let is_over = kept.len() < bytes.len();
            let is_whole = ends_line && self.value.len == 0 && !is_over;
            if !is_whole || matches!(field, Field::Id) {
                self.append(lent, field, len, kept)?;
            }
            if is_over {
                self.pass(limit, at + room, len.saturating_add(bytes.len()))?;
                self.value.fate = Fate::Dropped;
            }
        }
        self.value.len = self.value.len.saturating_add(bytes.len());
        Ok(())
    }

    /// Appends to a slot that holds `len` bytes; of the data, none lies in the
    /// chunk.
    fn append(
        &mut self,
        lent: &mut Lent<'_>,
        field: Field,
        len: usize,
        bytes: &[u8],
    ) -> Result<(), Halt> {
        let slot = match field {
            Field::Event => self.block.type_slot.other_type(),
            Field::Id => self.ids.free_slot,
            _ => Slot::DATA,
        };
        self.store(lent.memory, slot, len, bytes)?;
        if slot.is_data() {
            self.block.data = Place::MEMORY;
            self.block.data_len = len + bytes.len();
        }
        Ok(())
    }

    /// Appends the LF that joins two `data` lines to the data in memory.
    pub(crate) fn append_lf(&mut self, memory: &mut [u8]) -> Result<(), Halt> {
        let mut lent = Lent {
            memory,
            window: &[],
        };
        self.append(&mut lent, Field::Data, self.block.data_len, b"\n")
    }

    /// Whether one more joining LF would still be within the limit of data.
    pub(crate) const fn has_room_for_join(&self) -> bool {
        self.block.data_len < self.limits.data_len_max
    }

    /// A limit was passed by the byte at this index of the chunk: stops, or skips
    /// the block from here on, of which the limit counts `len` bytes so far.
    #[inline(never)]
    pub(crate) fn pass(&mut self, limit: Limit, at: usize, len: usize) -> Result<(), Halt> {
        if matches!(self.limits.overflow, Overflow::Stop) {
            return Err(self.fail(limit, at));
        }
        if !self.block.is_skipping() {
            self.block.skip = Skip::Over {
                limit,
                is_open: true,
            };
            self.block.skipped_len = len as u64;
        }
        Ok(())
    }

    /// "If the field value consists of only ASCII digits, then interpret the
    /// field value as an integer in base ten".
    fn gather_number(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match append_digit(self.value.number, byte) {
                Some(number) => self.value.number = number,
                None => self.value.fate = Fate::Refused,
            }
        }
        self.value.len = self.value.len.saturating_add(bytes.len());
    }

    /// Of no digits no integer can be made, and one above `u64::MAX` cannot be
    /// kept: both leave the old reconnection time.
    fn set_retry(&mut self) -> Step {
        if self.value.len == 0 || !matches!(self.value.fate, Fate::Acts) {
            return Step::Ignored;
        }
        self.retry = self.value.number;
        self.has_retry = true;
        Step::Retry
    }

    /// Whether an `id` line that ends with these bytes is void.
    pub(crate) fn is_void_id(&self, bytes: &[u8]) -> bool {
        matches!(self.value.fate, Fate::Refused) || scan::nul(bytes) < bytes.len()
    }
}

fn append_digit(number: u64, byte: u8) -> Option<u64> {
    const TENTH: u64 = u64::MAX / 10;
    const LAST: u8 = (u64::MAX % 10) as u8;
    let digit = byte.wrapping_sub(b'0');
    let fits = digit <= 9 && (number < TENTH || number == TENTH && digit <= LAST);
    fits.then(|| number.wrapping_mul(10).wrapping_add(u64::from(digit)))
}
