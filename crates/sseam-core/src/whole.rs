//! Stage 4, the fastest lane: an event that lies whole in the chunk is handed out
//! at one look, and the block is never touched.

use crate::counters::Span;
use crate::engine::{Engine, Phase};
use crate::item::Event;
use crate::lane::{DATA, Front, TYPE};
use crate::line::{
    after_blank_line, after_line_end, data_value, event_value, known_piece, without_lf,
};
use crate::scan::line_end;
use crate::text::Text;
use crate::token::Piece;

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
        let is_at_block_start = match self.front {
            Front::BlockStart => true,
            Front::Elsewhere => self.comes_to_block_start(),
            Front::OpenValue(_) | Front::InData(_) => false,
        };
        if !is_at_block_start || !self.bytes_fit(chunk) {
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
        let (data, after) = value.split_at_checked(line_end(value))?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            let piece = known_piece(chunk, DATA, value, data.len());
            self.leave_to_step(chunk, block, None, Some(piece));
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
        let name = event_value(block)?;
        let (event_type, after_type) = name.split_at_checked(line_end(name))?;
        let data_line = after_line_end(after_type).unwrap_or_default();
        let Some(value) = data_value(data_line) else {
            let name = known_piece(chunk, TYPE, name, event_type.len());
            self.leave_to_step(chunk, block, Some(name), None);
            return None;
        };
        let (data, after) = value.split_at_checked(line_end(value))?;
        let Some((rest, is_cr)) = after_blank_line(after) else {
            let piece = known_piece(chunk, DATA, value, data.len());
            let name = known_piece(chunk, TYPE, name, event_type.len());
            self.leave_to_step(chunk, block, Some(name), Some(piece));
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
        let (event_type, data) = (Text::new(event_type), Text::new(data));
        Some(WholeEvent {
            event_type,
            data,
            span,
            rest,
        })
    }

    /// Finds out whether the next byte is the first of a block, or an LF that
    /// belongs to the CR before it.
    #[inline(never)]
    fn comes_to_block_start(&mut self) -> bool {
        self.settle();
        matches!(self.phase, Phase::Open)
            && self.cursor == 0
            && self.block.is_empty()
            && (self.tokenizer.is_at_line_start() || self.tokenizer.is_after_cr())
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
        self.front = Front::BlockStart;
        Span { start, end }
    }

    /// A block turned out not to be whole, or not of one `data` line: keeps what
    /// was found of it, so that no byte is looked at twice for a line end.
    #[inline(never)]
    fn leave_to_step(
        &mut self,
        chunk: &[u8],
        block: &[u8],
        name: Option<Piece>,
        data: Option<Piece>,
    ) {
        self.front = Front::Elsewhere;
        self.cursor = chunk.len() - block.len();
        self.tokenizer.begin_line();
        if let Some(name) = name {
            if !self.take_type(chunk, name) {
                self.front = Front::of_value(name);
                return;
            }
            self.begin_line(chunk);
        }
        if let Some(data) = data
            && !self.take_first_data(chunk, data)
        {
            self.front = Front::of_value(data);
        }
    }
}

impl Front {
    /// What is known of a value that was looked at and could not be taken.
    fn of_value(piece: Piece) -> Front {
        if piece.ends_line {
            return Front::Elsewhere;
        }
        Front::OpenValue(piece.begin)
    }
}
