//! Stage 4, what a step announced: positions in chunk and memory come in, views
//! go out.

use crate::block::Place;
use crate::counters::Span;
use crate::engine::{Engine, Phase, Step};
use crate::item::{Event, Item, LineView, Skipped};
use crate::limits::Limit;
use crate::memory::{Slot, slice};

impl Engine {
    /// The event announced by [`Step::Event`].
    ///
    /// `memory` and `chunk` are those of that step, unchanged.
    #[cfg_attr(feature = "wide-scan", inline(always))]
    #[cfg_attr(not(feature = "wide-scan"), inline)]
    pub fn event<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> Event<'a> {
        Event {
            event_type: self.view(memory, chunk, self.block.type_slot),
            data: self.view(memory, chunk, Slot::DATA),
            id: self.last_event_id(memory),
            span: self.span(),
            is_complete: !matches!(self.phase, Phase::Taken),
        }
    }

    /// What `step` announced, as an item; `None` for steps that are none.
    pub fn item<'a>(&self, step: Step, memory: &'a [u8], chunk: &'a [u8]) -> Option<Item<'a>> {
        match step {
            Step::Event => Some(Item::Event(self.event(memory, chunk))),
            Step::Comment => Some(Item::Comment(self.line(memory, chunk))),
            Step::Ignored => Some(Item::Ignored(self.line(memory, chunk))),
            Step::Retry => self.retry().map(Item::Retry),
            Step::Skipped => Some(Item::Skipped(self.skipped(memory, chunk))),
            Step::NeedInput | Step::NeedMemory | Step::Failed => None,
        }
    }

    /// The line announced by [`Step::Comment`] or [`Step::Ignored`].
    pub fn line<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> LineView<'a> {
        let is_comment = matches!(self.phase, Phase::Line { is_comment: true });
        let len = self.tokenizer.line_len() - u64::from(is_comment);
        let kept = self.shown_len(len);
        let in_chunk = usize::try_from(len)
            .ok()
            .and_then(|len| self.cursor.checked_sub(len));
        let prefix = match in_chunk {
            Some(at) => slice(chunk, at, kept),
            None if self.line_is_unseen => &[],
            None => slice(memory, self.offset(Slot::COMMENT), kept),
        };
        LineView { prefix, len }
    }

    /// How much is shown of a line of this length.
    pub(crate) fn shown_len(&self, len: u64) -> usize {
        usize::try_from(len)
            .unwrap_or(usize::MAX)
            .min(self.limits.comment_len_max)
    }

    /// The block announced by [`Step::Skipped`].
    pub fn skipped<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> Skipped<'a> {
        let limit = self.block.skip_limit().unwrap_or(Limit::Data);
        Skipped {
            limit,
            max: self.limits.value(limit),
            bytes: self.block.skipped_len,
            span: self.span(),
            event_type: (!self.block.type_is_unknown)
                .then(|| self.view(memory, chunk, self.block.type_slot)),
            head: self.view(memory, chunk, Slot::DATA),
        }
    }

    /// The last event id: that of the last block that ended.
    #[inline]
    pub fn last_event_id<'a>(&self, memory: &'a [u8]) -> &'a [u8] {
        self.view(memory, &[], self.ids.committed_slot)
    }

    /// What was gathered for a slot, in the chunk or in memory: the data, the type
    /// or an id.
    #[cfg_attr(feature = "wide-scan", inline)]
    #[cfg_attr(not(feature = "wide-scan"), inline(never))]
    pub(crate) fn view<'a>(&self, memory: &'a [u8], chunk: &'a [u8], slot: Slot) -> &'a [u8] {
        let (place, len) = if slot.is_data() {
            (self.block.data, self.block.data_len)
        } else if slot == self.block.type_slot {
            (self.block.event_type, self.block.type_len)
        } else if slot == self.ids.committed_slot {
            (Place::MEMORY, self.ids.committed_len)
        } else {
            (Place::MEMORY, self.ids.buffer_len)
        };
        match place.index_in_chunk() {
            _ if len == 0 => &[],
            Some(at) => slice(chunk, at, len),
            None => slice(memory, self.offset(slot), len),
        }
    }

    pub(crate) const fn span(&self) -> Span {
        Span {
            start: self.block.start,
            end: self.counters.bytes,
        }
    }
}
