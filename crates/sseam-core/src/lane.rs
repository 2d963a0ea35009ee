//! Stage 4, the fast lane: what lies whole in the chunk acts without passing the
//! tokenizer.
//!
//! It does with a line what the general path in `engine.rs` does with its tokens,
//! at one look instead of byte by byte. Byte by byte no line is whole, so every
//! test that compares a stream cut byte by byte with the stream in one piece
//! compares the two paths.

use crate::block::{Block, Piece, Place};
use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::line::{
    Ending, Kind, after_blank_line, data_value, ending_at, event_value, is_lf_at, other_line,
};
use crate::memory::Region;
use crate::scan::line_end;
use crate::token::Field;

/// A value that was found in the chunk.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    /// Index of its first byte.
    pub(crate) at: usize,
    len: usize,
    ending: Ending,
}

impl Found {
    /// The value that begins where `value` does, in the same chunk.
    #[inline(always)]
    fn of(chunk: &[u8], value: &[u8]) -> Found {
        Found::known(chunk, value, line_end(value))
    }

    /// The same where its length is known.
    #[inline(always)]
    pub(crate) fn known(chunk: &[u8], value: &[u8], len: usize) -> Found {
        Found {
            at: chunk.len() - value.len(),
            len,
            ending: ending_at(value, len),
        }
    }

    #[inline(always)]
    pub(crate) const fn is_open(self) -> bool {
        matches!(self.ending, Ending::Open)
    }

    /// Index of the line end, or of the end of the chunk.
    #[inline(always)]
    const fn end(self) -> usize {
        self.at + self.len
    }
}

/// What is known of the next byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// It is the first of a block, or an LF that belongs to the CR before it.
    BlockStart,
    /// Nothing, before it is looked at.
    Elsewhere,
    /// No line end was found in the value that begins at this index of the chunk,
    /// and none need be looked for again.
    OpenValue(usize),
}

/// How the lane goes on after a line.
enum Way {
    /// With the next line.
    On,
    /// Not at all: what is at the cursor must go the general way.
    General,
    /// Not at all: there is something to tell.
    Tell(Step),
}

impl Engine {
    /// Takes whole lines until there is something to tell, or a line must go the
    /// general way. The cursor stands at the first byte that was not taken.
    #[inline(always)]
    pub(crate) fn lane(&mut self, memory: &mut [u8], window: &[u8], want: Items) -> Option<Step> {
        while self.begin_line(window) && !self.block.is_skipping() {
            let rest = window.get(self.cursor..)?;
            let (kind, found) = if let Some(value) = data_value(rest) {
                let found = self.found(window, value);
                if self.take_first_data(found) || self.take_more_data(memory, window, found) {
                    if self.may_dispatch() && self.takes_blank_line(window, found) {
                        return Some(self.dispatch());
                    }
                    continue;
                }
                (Kind::Value(Field::Data), found)
            } else if let Some(value) = event_value(rest) {
                let found = self.found(window, value);
                if self.take_type(found) {
                    continue;
                }
                (Kind::Value(Field::Event), found)
            } else {
                let (kind, value) = other_line(rest)?;
                let found = self.found(window, value);
                if matches!(kind, Kind::Comment) && self.take_heartbeat(window, want, found) {
                    continue;
                }
                (kind, found)
            };
            match self.take_line(memory, window, want, kind, found) {
                Way::On => {}
                Way::General => return None,
                Way::Tell(step) => return Some(step),
            }
        }
        None
    }

    /// The end of a value, unless `whole_event` has looked for it already.
    #[inline(always)]
    fn found(&self, window: &[u8], value: &[u8]) -> Found {
        let at = window.len() - value.len();
        if self.front == Front::OpenValue(at) {
            return Found {
                at,
                len: value.len(),
                ending: Ending::Open,
            };
        }
        Found::of(window, value)
    }

    /// Takes the blank line after a line that was found, if one follows.
    #[inline(always)]
    fn takes_blank_line(&mut self, window: &[u8], found: Found) -> bool {
        let after = window.get(found.end()..).and_then(after_blank_line);
        if let Some((rest, is_cr)) = after {
            self.cursor = window.len() - rest.len();
            self.tokenizer.leave_line(is_cr);
        }
        after.is_some()
    }

    /// Whether the first byte of a line stands at the cursor; swallows the LF of
    /// a CRLF before it.
    #[inline(always)]
    pub(crate) fn begin_line(&mut self, window: &[u8]) -> bool {
        if self.tokenizer.is_after_cr() && self.cursor < window.len() {
            self.cursor += usize::from(is_lf_at(window, self.cursor));
            self.tokenizer.begin_line();
        }
        self.tokenizer.is_at_line_start()
    }

    #[inline(always)]
    fn leave_line(&mut self, found: Found) {
        self.cursor = found.end() + 1;
        self.tokenizer
            .leave_line(matches!(found.ending, Ending::Cr));
    }

    /// Whether a value is whole, and neither it nor its line is too long.
    #[inline(always)]
    fn value_fits(&self, found: Found, line_start: usize, len_max: usize) -> bool {
        let line_len = found.end() - line_start;
        !found.is_open() && found.len <= len_max && line_len <= self.limits.line_len_max
    }

    /// Takes the first `data` line of a block, if it is whole and not too long.
    #[inline(always)]
    pub(crate) fn take_first_data(&mut self, found: Found) -> bool {
        let fits = self.value_fits(found, self.cursor, self.limits.data_len_max);
        if !fits || self.block.has_data {
            return false;
        }
        self.block.set_data_in_chunk(found.at, found.len);
        self.count_line_at(self.cursor);
        self.leave_line(found);
        true
    }

    /// Takes a further `data` line, if it is whole, not too long, and memory has
    /// room for it.
    #[inline(always)]
    fn take_more_data(&mut self, memory: &mut [u8], window: &[u8], found: Found) -> bool {
        let fits = self.value_fits(found, self.cursor, self.limits.data_len_max);
        let value = window.get(found.at..found.end()).unwrap_or_default();
        if !fits || !self.append_line(memory, value) {
            return false;
        }
        self.count_line_at(self.cursor);
        self.leave_line(found);
        true
    }

    /// Takes an `event` line, if it is whole and not too long.
    #[inline(always)]
    pub(crate) fn take_type(&mut self, found: Found) -> bool {
        if !self.value_fits(found, self.cursor, self.limits.event_type_len_max) {
            return false;
        }
        self.block.set_type_in_chunk(found.at, found.len);
        self.count_line_at(self.cursor);
        self.leave_line(found);
        true
    }

    /// Takes a comment that nobody wants, with the blank line after it where it
    /// stands alone.
    #[inline(always)]
    fn take_heartbeat(&mut self, window: &[u8], want: Items, found: Found) -> bool {
        if want.contains(Items::COMMENTS) || !self.value_fits(found, self.cursor, usize::MAX) {
            return false;
        }
        self.counters.comments += 1;
        if self.block.is_empty() && self.takes_blank_line(window, found) {
            self.counters.lines += 2;
            self.commit_id();
            return true;
        }
        self.count_line_at(self.cursor);
        self.leave_line(found);
        true
    }

    /// Takes any other line. Where it may be wanted as an item it is not taken:
    /// it must be kept in a way that only the general path knows.
    #[inline(never)]
    fn take_line(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        want: Items,
        kind: Kind,
        found: Found,
    ) -> Way {
        if found.end() - self.cursor > self.limits.line_len_max {
            return Way::General;
        }
        if found.is_open() {
            return self.take_open_line(memory, window, kind, found);
        }
        let start = self.counters.bytes + self.cursor as u64;
        let told = match kind {
            Kind::Blank => match self.blank(found.end() + 1, want) {
                Ok(step) => {
                    self.leave_line(found);
                    return step.map_or(Way::On, Way::Tell);
                }
                Err(halt) => Err(halt),
            },
            Kind::Comment | Kind::Value(Field::Id) if want.contains(kind.items()) => {
                return Way::General;
            }
            Kind::Comment => Ok(Step::Comment),
            Kind::Value(field) => self.gather(memory, window, piece(window, found, field)),
        };
        match told {
            Ok(told) => {
                self.count_line(told, start);
                self.block.close_skipped((found.end() - self.cursor) as u64);
                self.leave_line(found);
                Way::On
            }
            Err(halt) => Way::Tell(self.halt(halt)),
        }
    }

    /// Takes what there is of a line that goes on in the next chunk.
    fn take_open_line(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        kind: Kind,
        found: Found,
    ) -> Way {
        let line_len = (found.end() - self.cursor) as u64;
        if let Kind::Value(field) = kind {
            let piece = piece(window, found, field);
            if !piece.bytes.is_empty()
                && let Err(halt) = self.gather(memory, window, piece)
            {
                return Way::Tell(self.halt(halt));
            }
            self.tokenizer.enter_value(field, line_len);
        } else {
            self.tokenizer.enter_comment(line_len);
        }
        self.cursor = found.end();
        Way::General
    }

    /// Counts a line that begins at this index of the chunk and has acted.
    #[inline(always)]
    pub(crate) fn count_line_at(&mut self, index: usize) {
        self.counters.lines += 1;
        self.block.begin(self.counters.bytes + index as u64);
    }

    /// Appends a further whole `data` line where nothing stands in the way: some
    /// data is in memory already, limit and memory have room.
    #[inline(always)]
    pub(crate) fn append_line(&mut self, memory: &mut [u8], value: &[u8]) -> bool {
        let len = self.block.data_len;
        let is_gathered = self.block.has_data && matches!(self.block.data, Place::Memory);
        if !is_gathered || value.len() >= self.limits.data_len_max - len {
            return false;
        }
        let at = self.layout.offset(Region::Data, 0) + len;
        let Some([lf, room @ ..]) = memory.get_mut(at..) else {
            return false;
        };
        let Some(room) = room.get_mut(..value.len()) else {
            return false;
        };
        *lf = b'\n';
        room.copy_from_slice(value);
        self.block.data_len = len + 1 + value.len();
        true
    }
}

fn piece(window: &[u8], found: Found, field: Field) -> Piece<'_> {
    Piece {
        field,
        bytes: window.get(found.at..found.end()).unwrap_or_default(),
        at: found.at,
        ends_line: !found.is_open(),
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
    pub(crate) fn set_data_in_chunk(&mut self, at: usize, len: usize) {
        self.data = Place::Chunk(at);
        self.data_len = len;
        self.has_data = true;
    }

    /// An `event` line lies whole in the chunk.
    #[inline(always)]
    pub(crate) fn set_type_in_chunk(&mut self, at: usize, len: usize) {
        self.event_type = Place::Chunk(at);
        self.type_len = len;
        self.type_is_unknown = false;
    }
}
