//! Stage 4, the fast lane: what lies whole in the chunk acts without passing the
//! tokenizer.
//!
//! It does with a line what the general path in `general.rs` does with its pieces,
//! at one look instead of byte by byte. Byte by byte no line is whole, so every
//! test that compares a stream cut byte by byte with the stream in one piece
//! compares the two paths.

use crate::block::{Block, Halt, Lent, Place};
use crate::cut::Tail;
use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::line::{
    after_blank_line, after_lf_blank_line, after_line_end, data_value, event_value, known_piece,
    other_line, piece_of,
};
use crate::memory::Slot;
use crate::scan::{control, line_end, line_end_from};
use crate::token::{Field, Kind, Piece};

/// What is known of the next byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// It is the first of a block, or an LF that belongs to the CR before it.
    BlockStart,
    /// The same, once the event that was told last is forgotten.
    AfterEvent,
    /// Nothing, before it is looked at.
    Elsewhere,
    /// No line end was found in the value of the `event` line at the cursor, which
    /// begins at this index, and none need be looked for again.
    OpenType(usize),
    /// The same for a first `data` line.
    OpenData(usize),
    /// It goes on with a value.
    InValue(Tail),
}

pub(crate) const DATA: Kind = Kind::Value(Field::Data);
pub(crate) const TYPE: Kind = Kind::Value(Field::Event);

impl Engine {
    /// Takes whole lines until there is something to tell, or a line must go the
    /// general way. The cursor stands at the first byte that was not taken.
    #[inline]
    pub(crate) fn lane(&mut self, lent: &mut Lent<'_>, want: Items) -> Result<Option<Step>, Halt> {
        while self.begin_line(lent.window) && !self.block.is_skipping() {
            let window = lent.window;
            let Some(rest) = window.get(self.cursor..) else {
                break;
            };
            let piece = if let Some(value) = data_value(rest) {
                let piece = self.found(window, DATA, value);
                if self.take_first_data(window, piece) {
                    if self.may_dispatch() && self.takes_blank_line(window, piece.end) {
                        return Ok(Some(self.dispatch()));
                    }
                    continue;
                }
                if self.take_more_data(lent, piece) {
                    continue;
                }
                if !piece.ends_line
                    && let Some(step) = self.enter_data(lent.memory, window, piece.begin)
                {
                    return Ok(Some(step));
                }
                piece
            } else if let Some(value) = event_value(rest) {
                let piece = self.found(window, TYPE, value);
                if self.take_type(window, piece) {
                    continue;
                }
                if !piece.ends_line
                    && let Some(step) = self.enter_type(lent.memory, window, piece.begin)
                {
                    return Ok(Some(step));
                }
                piece
            } else if let [b':', text @ ..] = rest {
                let may_be_heartbeat = self.block.is_empty() && !want.contains(Items::COMMENTS);
                let (text, len) = if may_be_heartbeat {
                    match self.take_heartbeats(window, text) {
                        None => continue,
                        Some(other) => other,
                    }
                } else {
                    (text, line_end(text))
                };
                known_piece(window, Kind::Comment, text, len)
            } else if let Some((kind, value)) = other_line(rest) {
                self.found(window, kind, value)
            } else {
                break;
            };
            if !self.line_fits(piece) {
                break;
            }
            if let Some(step) = self.take_line(lent, piece, want)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// The end of a value, unless `whole_event` has looked for it already.
    #[inline(always)]
    fn found(&self, window: &[u8], kind: Kind, value: &[u8]) -> Piece {
        match self.front {
            Front::OpenType(begin) | Front::OpenData(begin)
                if begin == window.len() - value.len() =>
            {
                known_piece(window, kind, value, value.len())
            }
            _ => piece_of(window, kind, value),
        }
    }

    /// Whether the first byte of a line stands at the cursor; swallows the LF of
    /// a CRLF before it.
    #[inline(always)]
    pub(crate) fn begin_line(&mut self, window: &[u8]) -> bool {
        if self.tokenizer.is_after_cr() && self.cursor < window.len() {
            self.cursor += usize::from(window.get(self.cursor) == Some(&b'\n'));
            self.tokenizer.begin_line();
        }
        self.tokenizer.is_at_line_start()
    }

    /// Takes the blank line after a line that ends here, if one follows.
    #[inline(always)]
    pub(crate) fn takes_blank_line(&mut self, window: &[u8], line_end: usize) -> bool {
        let after = window.get(line_end..).and_then(after_blank_line);
        if let Some((rest, is_cr)) = after {
            self.cursor = window.len() - rest.len();
            self.tokenizer.leave_line(is_cr);
        }
        after.is_some()
    }

    /// Whether the line at the cursor is not too long up to the end of this piece.
    #[inline(always)]
    fn line_fits(&self, piece: Piece) -> bool {
        piece.end - self.cursor <= self.limits.line_len_max
    }

    /// Whether a value is whole, and neither it nor its line is too long.
    #[inline(always)]
    fn value_fits(&self, piece: Piece, len_max: usize) -> bool {
        piece.ends_line && piece.end - piece.begin <= len_max && self.line_fits(piece)
    }

    /// Counts a whole line, and goes behind it.
    #[inline(always)]
    fn count_whole_line(&mut self, window: &[u8], piece: Piece) {
        self.counters.lines += 1;
        self.block.begin(self.counters.bytes + self.cursor as u64);
        self.cursor = piece.end + 1;
        self.tokenizer
            .leave_line(window.get(piece.end) == Some(&b'\r'));
    }

    /// Takes the first `data` line of a block, if it is whole and not too long.
    #[inline(always)]
    pub(crate) fn take_first_data(&mut self, window: &[u8], piece: Piece) -> bool {
        if self.block.has_data || !self.value_fits(piece, self.limits.data_len_max) {
            return false;
        }
        self.block.set_data_in_chunk(piece);
        self.count_whole_line(window, piece);
        true
    }

    /// Takes an `event` line, if it is whole and not too long.
    #[inline(always)]
    pub(crate) fn take_type(&mut self, window: &[u8], piece: Piece) -> bool {
        if !self.value_fits(piece, self.limits.event_type_len_max) {
            return false;
        }
        self.block.set_type_in_chunk(piece);
        self.count_whole_line(window, piece);
        true
    }

    /// Takes comments that nobody wants and that stand alone between blank lines,
    /// from the text of one on. Gives back the text of the first comment that does
    /// not, and the length up to its line end.
    #[inline(never)]
    fn take_heartbeats<'c>(
        &mut self,
        window: &'c [u8],
        mut text: &'c [u8],
    ) -> Option<(&'c [u8], usize)> {
        let mut count = 0;
        let other = loop {
            let len = control(text);
            let next = text.get(len..).and_then(after_lf_blank_line);
            let Some(rest) = next.filter(|_| len < self.limits.line_len_max) else {
                break Some((text, line_end_from(text, len)));
            };
            count += 1;
            match rest {
                [b':', next @ ..] => text = next,
                _ => {
                    text = rest;
                    break None;
                }
            }
        };
        // Behind the colon of another comment, or behind the last blank line.
        self.cursor = window.len() - text.len() - usize::from(other.is_some());
        self.counters.comments += count;
        self.counters.lines += 2 * count;
        if count > 0 {
            self.ids.commit();
        }
        other
    }

    /// Takes any other line the way its pieces would be, but at once.
    #[inline(never)]
    fn take_line(
        &mut self,
        lent: &mut Lent<'_>,
        piece: Piece,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        self.tokenizer
            .pass_over(lent.window, piece, piece.end - self.cursor);
        let step = match piece.kind {
            Kind::Blank => self.blank(piece.end, want),
            // Nothing of the value has come yet.
            _ if piece.begin == piece.next() => Ok(None),
            _ => self.act(lent, &piece, want),
        };
        match step {
            Ok(_) => self.cursor = piece.next(),
            Err(Halt::NeedMemory) => self.tokenizer.begin_line(),
            Err(Halt::Failed) => {}
        }
        step
    }

    /// Takes further whole `data` lines into memory, as long as limits and memory
    /// have room; whether it has taken any.
    #[inline(never)]
    fn take_more_data(&mut self, lent: &mut Lent<'_>, first: Piece) -> bool {
        // The LF is there already if memory ran short between it and the value.
        let joins = self.block.has_data && self.value.len == 0;
        if !joins || !first.ends_line || self.park_data(lent).is_err() {
            return false;
        }
        let window = lent.window;
        let begin = self.offset(Slot::DATA) + self.block.data_len;
        let room = self.limits.data_len_max - self.block.data_len;
        let memory = lent.memory.get_mut(begin..).unwrap_or_default();
        // No longer than the limit allows, so that one comparison obeys both.
        let room = room.min(memory.len());
        let mut memory = memory.get_mut(..room).unwrap_or_default();
        let mut line = window.get(self.cursor..).unwrap_or_default();
        let mut value = window.get(first.begin..).unwrap_or_default();
        let (mut len, mut added, mut lines) = (first.end - first.begin, 0, 0);
        while let Some((bytes, after)) = value.split_at_checked(len)
            && let Some(rest) = after_line_end(after)
            && line.len() - after.len() <= self.limits.line_len_max
            && len < memory.len()
            && let Some((lf, places)) = core::mem::take(&mut memory).split_first_mut()
            && let Some((place, places)) = places.split_at_mut_checked(len)
        {
            *lf = b'\n';
            place.copy_from_slice(bytes);
            (memory, line) = (places, rest);
            added += 1 + len;
            lines += 1;
            let Some(next) = data_value(rest) else {
                break;
            };
            value = next;
            len = line_end(value);
        }
        if len == value.len() {
            self.front = Front::OpenData(window.len() - len);
        }
        self.cursor = window.len() - line.len();
        self.block.data_len += added;
        self.counters.lines += lines;
        lines > 0
    }

    /// What is known of the byte after this step.
    #[inline]
    pub(crate) fn front_after(&self, step: Step) -> Front {
        let field = match (step, self.front) {
            (Step::Event, _) => return Front::AfterEvent,
            (Step::NeedInput, Front::InValue(_)) => return self.front,
            (Step::NeedInput, _) if !self.block.is_skipping() => self.tokenizer.field_in_progress(),
            _ => return Front::Elsewhere,
        };
        let len = match field {
            _ if self.value.len == 0 => 0,
            Some(Field::Data) => self.block.data_len,
            Some(Field::Event) => self.value.len,
            _ => 0,
        };
        match field {
            Some(field) if len > 0 => {
                let line_len = self.tokenizer.line_len();
                Front::InValue(self.tail(field, len, line_len, 0))
            }
            None if self.block.is_empty() && self.tokenizer.is_between_lines() => Front::BlockStart,
            _ => Front::Elsewhere,
        }
    }
}

impl Block {
    /// Whether no line of it has ended yet.
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        !self.has_line && !self.is_skipping()
    }

    /// A first `data` line lies whole in the chunk.
    #[inline(always)]
    fn set_data_in_chunk(&mut self, piece: Piece) {
        self.data = Place::chunk(piece.begin);
        self.data_len = piece.end - piece.begin;
        self.has_data = true;
    }

    /// An `event` line lies whole in the chunk.
    #[inline(always)]
    fn set_type_in_chunk(&mut self, piece: Piece) {
        self.event_type = Place::chunk(piece.begin);
        self.type_len = piece.end - piece.begin;
        self.type_is_unknown = false;
    }

    /// The value of an `event` line is whole, in the slot for values in progress.
    #[inline(always)]
    pub(crate) fn set_type_in_memory(&mut self, len: usize) {
        self.event_type = Place::MEMORY;
        self.type_len = len;
        self.type_slot = self.type_slot.other_type();
        self.type_is_unknown = false;
    }
}
