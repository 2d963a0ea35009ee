//! What was seen of a stream: items come in, what waiting depends on and what
//! reports show goes out.

use std::time::Duration;

use sseam_core::{Counters, Item};
use sseam_llm::{Dialect, Signals, TransportEnd, Turn};

use super::exchange::can_resume_after;
use super::failure::ClientError;

/// What an item was, as far as waiting for the next one depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SeenItem {
    pub(crate) is_event: bool,
    pub(crate) is_progress: bool,
    pub(crate) is_output: bool,
}

/// When something came first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Firsts {
    pub(crate) event: Option<Duration>,
    pub(crate) output: Option<Duration>,
}

impl Firsts {
    pub(crate) fn note(&mut self, seen: SeenItem, at: Duration) {
        if seen.is_event {
            self.event.get_or_insert(at);
        }
        if seen.is_output {
            self.output.get_or_insert(at);
        }
    }
}

impl SeenItem {
    pub(crate) fn of(item: Option<&Item<'_>>, signals: Option<Signals<'_>>, turn: &Turn) -> Self {
        let is_event = matches!(item, Some(Item::Event(_)));
        let is_output = match (item, turn.dialect()) {
            // Where no API is known, whatever has data is what was asked for.
            (Some(Item::Event(event)), Dialect::Plain | Dialect::Custom) => {
                !event.data().is_empty()
            }
            _ => turn.has_output(),
        };
        let is_progress = match turn.dialect() {
            Dialect::Plain | Dialect::Custom => is_event && is_output,
            _ => signals.is_some_and(|mut all| all.any(|signal| signal.is_progress())),
        };
        SeenItem {
            is_event,
            is_progress,
            is_output: is_output && is_progress,
        }
    }
}

/// Where another request would go on, and what it would get again.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The last event id after the last item.
    id: Vec<u8>,
    /// Events that were delivered.
    events: u64,
    /// Those since the id last changed; a server that is told the id sends them
    /// again.
    unmarked: u64,
}

impl Marks {
    pub(crate) fn new(id: &[u8]) -> Self {
        let id = id.to_vec();
        Marks {
            id,
            ..Marks::default()
        }
    }

    /// Takes note of an item, after which `id` is the last event id. An item that
    /// is no event may have one too: a block that was left out.
    pub(crate) fn note(&mut self, id: &[u8], is_event: bool) {
        let events = u64::from(is_event);
        self.events = self.events.saturating_add(events);
        self.unmarked = self.unmarked.saturating_add(events);
        if self.id != id {
            self.id.clear();
            self.id.extend_from_slice(id);
            self.unmarked = 0;
        }
    }

    /// Whether a request after `id` may give delivered events again.
    pub(crate) fn may_repeat(&self, id: &[u8]) -> bool {
        if can_resume_after(id) {
            // A block without data may have set an id since the last item.
            self.unmarked > 0 && self.id == id
        } else {
            self.events > 0
        }
    }
}

/// A body that ended as it should, without the answer.
pub(crate) fn is_clean_end(error: &ClientError) -> bool {
    match error {
        ClientError::Truncated(truncated) => {
            truncated.transport == TransportEnd::Clean && truncated.end.is_clean()
        }
        _ => false,
    }
}

pub(crate) const fn sum(a: Counters, b: Counters) -> Counters {
    Counters {
        bytes: a.bytes + b.bytes,
        lines: a.lines + b.lines,
        events: a.events + b.events,
        comments: a.comments + b.comments,
        ignored_lines: a.ignored_lines + b.ignored_lines,
        skipped: a.skipped + b.skipped,
    }
}
