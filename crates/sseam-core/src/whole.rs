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

/// What was looked at of a value, from its first byte to the end of the chunk.
#[derive(Clone, Copy)]
struct Seen<'c> {
    value: &'c [u8],
    /// No line ends before this index; <= the length.
    len: usize,
}

impl<'c> Seen<'c> {
    const NOTHING: Seen<'static> = Seen { value: &[], len: 0 };

    #[inline(always)]
    fn of(value: &'c [u8]) -> Self {
        Seen {
            value,
            len: control(value),
        }
    }

    /// Where it lies in the chunk, with the rest of its line.
    fn piece(self, chunk: &[u8], kind: Kind) -> Piece {
        known_piece(chunk, kind, self.value, line_end_from(self.value, self.len))
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
    #[inline]
    pub fn whole_event<'c>(&mut self, chunk: &'c [u8]) -> Option<WholeEvent<'c>> {
        let is_block_start = match self.front {
            Front::BlockStart => true,
            Front::AfterEvent | Front::Elsewhere => self.comes_to_block_start(),
            _ => false,
        };
        if !is_block_start || !self.bytes_fit(chunk) {
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
        let seen = Seen::of(value);
        let (data, after) = value.split_at_checked(seen.len)?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            self.take_part(chunk, block, Seen::NOTHING, seen);
            return None;
        };
        let line_len = block.len() - after.len();
        if data.len() > self.limits.data_len_max
            || line_len > self.limits.line_len_max
            || !self.may_dispatch()
        {
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
    #[inline]
    fn whole_typed_event<'c>(
        &mut self,
        chunk: &'c [u8],
        block: &'c [u8],
    ) -> Option<WholeEvent<'c>> {
        let name = Seen::of(event_value(block)?);
        let (event_type, after_type) = name.value.split_at_checked(name.len)?;
        let data_line = after_line_end(after_type).unwrap_or_default();
        let Some(value) = data_value(data_line) else {
            self.take_part(chunk, block, name, Seen::NOTHING);
            return None;
        };
        let seen = Seen::of(value);
        let (data, after) = value.split_at_checked(seen.len)?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            self.take_part(chunk, block, name, seen);
            return None;
        };
        let type_line_len = block.len() - after_type.len();
        let data_line_len = data_line.len() - after.len();
        if event_type.len() > self.limits.event_type_len_max
            || data.len() > self.limits.data_len_max
            || type_line_len.max(data_line_len) > self.limits.line_len_max
            || !self.may_dispatch()
        {
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

    /// Counts a whole block of `lines` lines, from `block` on in the chunk up to
    /// `rest`, and commits its id.
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
        self.ids.commit();
        self.tokenizer.leave_line(is_cr);
        Span { start, end }
    }

    /// Keeps what was found of an event that is not whole, so that no byte is
    /// looked at twice for a line end.
    #[inline(never)]
    fn take_part(&mut self, chunk: &[u8], block: &[u8], name: Seen<'_>, data: Seen<'_>) {
        self.front = Front::Elsewhere;
        self.cursor = chunk.len() - block.len();
        self.tokenizer.begin_line();
        if !name.value.is_empty() {
            let piece = name.piece(chunk, TYPE);
            if !piece.ends_line {
                self.front = Front::OpenType(piece.begin);
                return;
            }
            if !self.take_type(chunk, piece) {
                return;
            }
            self.begin_line(chunk);
        }
        if !data.value.is_empty() {
            let piece = data.piece(chunk, DATA);
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
    fn comes_to_block_start(&mut self) -> bool {
        self.settle();
        let is_block_start = matches!(self.phase, Phase::Open)
            && self.cursor == 0
            && self.block.is_empty()
            && (self.tokenizer.is_at_line_start() || self.tokenizer.is_after_cr());
        if is_block_start {
            self.front = Front::BlockStart;
        }
        is_block_start
    }
}
