//! Stage 3, the dispatch rule: a blank line comes in, and the block is an event,
//! or a skipped one, or nothing.

use crate::block::{Halt, Skip};
use crate::engine::{Engine, Step};
use crate::item::Items;
use crate::limits::Limit;

impl Engine {
    /// The standard's steps for dispatching the event, at a blank line.
    pub(crate) fn blank(&mut self, end: usize, want: Items) -> Result<Option<Step>, Halt> {
        if self.block.has_data && !self.block.is_skipping() {
            if !self.may_dispatch() {
                return Err(Halt::Over {
                    limit: Limit::Events,
                    at: end - 1,
                });
            }
            return Ok(Some(self.dispatch()));
        }
        self.counters.lines += 1;
        match self.block.skip {
            Skip::Lost => self.ids.buffer = self.ids.committed,
            Skip::No | Skip::Over { .. } => self.commit_id(),
        }
        self.counters.skipped += u64::from(self.block.is_skipping());
        if self.block.skip_limit().is_some() && want.contains(Items::SKIPPED) {
            return Ok(Some(Step::Skipped));
        }
        // "If the data buffer is an empty string, set the data buffer and the
        // event type buffer to the empty string and return."
        self.block.clear();
        Ok(None)
    }

    /// Whether one more event is within the limit of events.
    #[inline(always)]
    pub(crate) fn may_dispatch(&self) -> bool {
        self.counters.events < self.limits.events_max
    }

    /// A block with data has come to its blank line.
    #[inline(always)]
    pub(crate) fn dispatch(&mut self) -> Step {
        self.counters.lines += 1;
        self.counters.events += 1;
        self.commit_id();
        Step::Event
    }

    /// "Set the last event ID string of the event source to the value of the
    /// last event ID buffer. The buffer does not get reset". This comes first in
    /// the standard, so that a block without data commits its id as well.
    #[inline(always)]
    pub(crate) fn commit_id(&mut self) {
        self.ids.committed = self.ids.buffer;
    }
}
