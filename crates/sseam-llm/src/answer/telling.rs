//! Stage 5, the end of the input: what only that tells, one after the other.

use sseam_core::{Counters, Item, Memory, Step};

use super::feeding::invalid_place;
use super::{Answer, Document, Last, Next, Phase, Telling};
use crate::ends::{Close, TransportEnd};

impl<M: Memory> Answer<M> {
    pub(super) fn finish(&mut self) {
        self.end = self.parser.finish();
        self.turn.observe_last_event_id(self.parser.last_event_id());
        if self.foreign.is_none() && self.close != Close::InvalidText {
            let Counters {
                events, skipped, ..
            } = self.parser.counters();
            self.foreign = self.inspector.verdict(events, skipped);
        }
        let is_clean = self.close == Close::Transport(TransportEnd::Clean);
        if self.foreign.is_some() && is_clean {
            self.close = Close::NotEventStream;
        }
    }

    /// Does the next thing that the end is there for.
    pub(super) fn tell(&mut self, telling: Telling) -> Next {
        let (next, then) = match telling {
            Telling::Document => (self.tell_document(), Phase::Ending(Telling::Line)),
            Telling::Line => (self.tell_line(), Phase::Ending(Telling::Event)),
            Telling::Event => (self.tell_event(), Phase::Ending(Telling::Calls)),
            Telling::Calls => (self.tell_calls(), Phase::Ended),
        };
        self.phase = then;
        match (next, then) {
            (Next::NeedInput, Phase::Ending(telling)) => self.tell(telling),
            _ => next,
        }
    }

    fn tell_line(&mut self) -> Next {
        if let Document::Yes { .. } = self.document {
            // Its event is lent until now.
            self.document = Document::No;
            self.finish();
        }
        let Some(line) = self.parser.unfinished_line() else {
            return Next::NeedInput;
        };
        let _ = self.turn.observe_ignored(&line);
        self.last = Last::Line;
        Next::Heard
    }

    fn tell_event(&mut self) -> Next {
        let is_lenient = self.turn.wants_unfinished() && !self.turn.is_terminal();
        if !is_lenient && !self.takes_unfinished {
            return Next::NeedInput;
        }
        // Without memory for one byte more the event stays unfinished.
        let Ok(Some(event)) = self.parser.take_unfinished() else {
            return Next::NeedInput;
        };
        let item = Item::Event(event);
        if self.is_strict
            && let Some(at) = invalid_place(&item, &self.turn)
        {
            self.invalid_at = Some(at);
            self.close = Close::InvalidText;
            return Next::NeedInput;
        }
        let _ = self.turn.hear(&item, &mut false);
        self.last = Last::ItemAtEnd(Step::Event);
        Next::Heard
    }

    fn tell_calls(&mut self) -> Next {
        let mut signals = self.turn.end(&self.end, self.close);
        if signals.next().is_none() {
            return Next::NeedInput;
        }
        self.last = Last::Calls;
        Next::Heard
    }
}
