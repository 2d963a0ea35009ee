//! Stage 4, the fastest lane: an event that lies whole in the chunk is handed out
//! at one look, and the block is never touched.

use crate::counters::Span;
use crate::engine::{Engine, Phase};
use crate::item::Event;
use crate::lane::{DATA, Front, TYPE};
use crate::line::{
    after_blank_line, after_line_end, data_value, event_value, known_piece, without_lf,
};
use crate::scan::{control, line_end_from};
use crate::text::Text;
use crate::token::{Kind, Piece};

/// An event that lies whole in a chunk, before its id is known.
#[derive(Debug, Clone, Copy)]
pub struct WholeEvent<'c> {
    event_type: Text<'c>,
    data: Text<'c>,
    span: Span,
    rest: &'c [u8],
}

impl<'c> WholeEvent<'c> {
    /// What is left of the chunk.
    #[inline]
    pub const fn rest(&self) -> &'c [u8] {
        self.rest
    }

    /// The event, with the engine's last event id of that moment.
    #[inline]
    pub const fn with_id<'a>(self, last_event_id: &'a [u8]) -> Event<'a>
    where
        'c: 'a,
    {
        Event {
            event_type: self.event_type.as_bytes(),
            data: self.data.as_bytes(),
            id: last_event_id,
            span: self.span,
            is_complete: true,
        }
    }
}

/// What was looked at of a value, by lengths: they fit into registers.
#[derive(Clone, Copy)]
struct Seen {
    /// Bytes from the value's first byte to the end of the chunk; 0 for none.
    rest_len: usize,
    /// No line ends in so many bytes of it.
    len: usize,
}

impl Seen {
    const NOTHING: Seen = Seen {
        rest_len: 0,
        len: 0,
    };

    #[inline(always)]
    const fn of(value: &[u8], len: usize) -> Seen {
        Seen {
            rest_len: value.len(),
            len,
        }
    }

    /// Where it lies in the chunk, with the rest of its line; `None` for nothing.
    fn piece(self, chunk: &[u8], kind: Kind) -> Option<Piece> {
        let begin = chunk.len() - self.rest_len;
        let value = chunk.get(begin..).filter(|value| !value.is_empty())?;
        Some(known_piece(
            chunk,
            kind,
            value,
            line_end_from(value, self.len),
        ))
    }
}

impl Engine {
    /// Takes an event that lies whole at the front of the chunk: an `event` line
    /// or none, one `data` line, and the blank line.
    ///
    /// After `None`, [`Engine::step`] is to be called with the same chunk; it
    /// tells what it would have told without this call. A caller who can hand out
    /// a view at once saves the way from bytes to positions and back, which is
    /// half the cost of a small event.
    #[inline(always)]
    pub fn whole_event<'c>(&mut self, chunk: &'c [u8]) -> Option<WholeEvent<'c>> {
        if matches!(self.front, Front::AfterEvent | Front::Elsewhere) {
            self.find_block_start();
        }
        self.event_at_block_start(chunk)
    }

    /// The same, where a block is known to begin.
    #[inline(always)]
    pub(crate) fn event_at_block_start<'c>(&mut self, chunk: &'c [u8]) -> Option<WholeEvent<'c>> {
        if self.front != Front::BlockStart || !self.bytes_fit(chunk) {
            return None;
        }
        let block = if self.tokenizer.is_after_cr() {
            without_lf(chunk)
        } else {
            chunk
        };
        let Some(value) = data_value(block) else {
            return self.whole_typed_event(chunk, block);
        };
        let len = control(value);
        let (data, after) = value.split_at_checked(len)?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            if after.is_empty() {
                self.leave_open_data(chunk, block, value);
            } else {
                self.take_part(chunk, block, Seen::NOTHING, Seen::of(value, len));
            }
            return None;
        };
        if !self.may_take(block, rest) {
            return None;
        }
        let span = self.take_block(chunk, block, rest, 2, is_cr);
        Some(WholeEvent {
            event_type: Text::new(&[]),
            data: Text::new(data),
            span,
            rest,
        })
    }

    /// The same for a block that begins with an `event` line.
    #[inline(always)]
    fn whole_typed_event<'c>(
        &mut self,
        chunk: &'c [u8],
        block: &'c [u8],
    ) -> Option<WholeEvent<'c>> {
        let name = event_value(block)?;
        let name_len = control(name);
        let (event_type, after_type) = name.split_at_checked(name_len)?;
        let data_line = after_line_end(after_type).unwrap_or_default();
        let Some(value) = data_value(data_line) else {
            self.take_part(chunk, block, Seen::of(name, name_len), Seen::NOTHING);
            return None;
        };
        let len = control(value);
        let (data, after) = value.split_at_checked(len)?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            if !after.is_empty() {
                let (name, data) = (Seen::of(name, name_len), Seen::of(value, len));
                self.take_part(chunk, block, name, data);
            } else if self.leave_type(chunk, block, name, name_len) {
                self.leave_open_data(chunk, data_line, value);
            }
            return None;
        };
        if event_type.len() > self.limits.event_type_len_max || !self.may_take(block, rest) {
            return None;
        }
        let span = self.take_block(chunk, block, rest, 3, is_cr);
        Some(WholeEvent {
            event_type: Text::new(event_type),
            data: Text::new(data),
            span,
            rest,
        })
    }

    /// Whether the block up to `rest` is no longer than its data and each of its
    /// lines may be, and so neither are they. What comes near a limit is looked at
    /// line by line.
    #[inline(always)]
    fn may_take(&self, block: &[u8], rest: &[u8]) -> bool {
        let len = block.len() - rest.len();
        len <= self.limits.data_len_max && len <= self.limits.line_len_max && self.may_dispatch()
    }

    /// Counts a whole block of `lines` lines, from `block` on in the chunk up to
    /// `rest`. It has no id, and so commits none.
    #[inline(always)]
    fn take_block(
        &mut self,
        chunk: &[u8],
        block: &[u8],
        rest: &[u8],
        lines: u64,
        is_cr: bool,
    ) -> Span {
        let start = self.counters.bytes + (chunk.len() - block.len()) as u64;
        let end = self.counters.bytes + (chunk.len() - rest.len()) as u64;
        self.counters.bytes = end;
        self.counters.lines += lines;
        self.counters.events += 1;
        // At the start of a block the ID buffer holds the last event ID.
        self.tokenizer.leave_line(is_cr);
        Span { start, end }
    }

    /// No line ends in the value of the `data` line that begins here: so much need
    /// not be found out again.
    #[inline(always)]
    fn leave_open_data(&mut self, chunk: &[u8], data_line: &[u8], value: &[u8]) {
        self.cursor = chunk.len() - data_line.len();
        self.tokenizer.begin_line();
        self.front = Front::OpenData(chunk.len() - value.len());
    }

    /// Takes the `event` line that begins here, whose value has this length;
    /// whether no limit stands against it.
    #[inline(always)]
    fn leave_type(&mut self, chunk: &[u8], block: &[u8], name: &[u8], len: usize) -> bool {
        self.cursor = chunk.len() - block.len();
        self.tokenizer.begin_line();
        self.front = Front::Elsewhere;
        self.take_type(chunk, known_piece(chunk, TYPE, name, len))
    }

    /// Keeps what was found of an event that is not whole, so that no byte is
    /// looked at twice for a line end.
    #[inline(never)]
    fn take_part(&mut self, chunk: &[u8], block: &[u8], name: Seen, data: Seen) {
        self.front = Front::Elsewhere;
        self.cursor = chunk.len() - block.len();
        self.tokenizer.begin_line();
        if let Some(piece) = name.piece(chunk, TYPE) {
            if !piece.ends_line {
                self.front = Front::OpenType(piece.begin);
                return;
            }
            if !self.take_type(chunk, piece) {
                return;
            }
            self.begin_line(chunk);
        }
        if let Some(piece) = data.piece(chunk, DATA) {
            if !piece.ends_line {
                self.front = Front::OpenData(piece.begin);
                return;
            }
            self.take_first_data(chunk, piece);
        }
    }

    /// Finds out whether the next byte is the first of a block, or an LF that
    /// belongs to the CR before it.
    #[inline(never)]
    fn find_block_start(&mut self) {
        self.settle();
        if matches!(self.phase, Phase::Open)
            && self.cursor == 0
            && self.block.is_empty()
            && self.tokenizer.is_between_lines()
        {
            self.front = Front::BlockStart;
        }
    }

    /// The event that was dispatched last is forgotten, and a block begins.
    #[inline(always)]
    pub(crate) fn go_to_block_start(&mut self) {
        self.block.clear();
        self.phase = Phase::Open;
        self.front = Front::BlockStart;
    }
}
