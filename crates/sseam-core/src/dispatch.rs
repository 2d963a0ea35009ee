//! Stage 3, the dispatch rule: a blank line comes in, and the block is an event,
//! or a skipped one, or nothing.

use crate::block::Halt;
use crate::engine::{Engine, Phase, Step};
use crate::item::Items;
use crate::limits::Limit;

impl Engine {
    /// The standard's steps for dispatching the event, at a blank line whose end
    /// is at this index of the chunk.
    pub(crate) fn blank(&mut self, at: usize, want: Items) -> Result<Option<Step>, Halt> {
        let is_skipping = self.block.is_skipping();
        if self.block.has_data && !is_skipping {
            if !self.may_dispatch() {
                return Err(self.fail(Limit::Events, at));
            }
            return Ok(Some(self.dispatch()));
        }
        self.counters.lines += 1;
        if self.block.is_lost() {
            self.ids.revert();
        }
        self.ids.commit();
        if is_skipping {
            self.counters.skipped += 1;
            if !self.block.is_lost() && want.contains(Items::SKIPPED) {
                self.phase = Phase::Block;
                return Ok(Some(Step::Skipped));
            }
        }
        // "If the data buffer is an empty string, set the data buffer and the
        // event type buffer to the empty string and return."
        self.block.clear();
        Ok(None)
    }

    /// Whether one more event is within the limit of events.
    #[inline(always)]
    pub(crate) const fn may_dispatch(&self) -> bool {
        self.counters.events < self.limits.events_max
    }

    /// A block with data has come to its blank line.
    ///
    /// The id is committed first in the standard, so that a block without data
    /// commits its id as well.
    #[inline(always)]
    pub(crate) const fn dispatch(&mut self) -> Step {
        self.counters.lines += 1;
        self.counters.events += 1;
        self.ids.commit();
        self.phase = Phase::Block;
        Step::Event
    }
}
