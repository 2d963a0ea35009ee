//! Stage 5, a chunk to steps of the parser, and each step to the turn: what is no
//! event stream stops it, as does what is too much.

use sseam_core::{Error, Event, Item, Items, Memory, Step};

use super::{Answer, Document, Last, Next, Phase};
use crate::ends::{Close, Excess};
use crate::outcome::Place;
use crate::turn::DRAIN_BYTES_MAX;

impl<M: Memory> Answer<M> {
    pub(super) fn read(&mut self, chunk: &[u8]) -> (usize, Next) {
        if self.document == Document::Unknown && !chunk.is_empty() {
            self.document = self.document_of(chunk);
        }
        if let Document::Yes { .. } = self.document {
            let mut rest = chunk;
            while !rest.is_empty() {
                let used = self.read_document_line(rest);
                rest = rest.get(used..).unwrap_or_default();
            }
            return (chunk.len(), Next::NeedInput);
        }
        self.look(chunk);
        // What is certain to be none is parsed up to the byte that made it so.
        let window = match self.foreign {
            Some(_) => chunk.get(..self.looked).unwrap_or(chunk),
            None => chunk,
        };
        let (used, next) = self.parse(window);
        self.looked = self.looked.saturating_sub(used);
        if self.foreign.is_some() && self.looked == 0 && self.phase == Phase::Reading {
            self.stop(Close::NotEventStream);
        }
        (used, next)
    }

    /// Shows the inspector what of the chunk it has not seen, until it is certain.
    #[inline]
    fn look(&mut self, chunk: &[u8]) {
        if self.foreign.is_some() {
            return;
        }
        let unseen = chunk.get(self.looked..).unwrap_or_default();
        match self.inspector.look(unseen) {
            Some((len, foreign)) => {
                self.foreign = Some(foreign);
                self.looked += len;
            }
            None => self.looked = self.looked.max(chunk.len()),
        }
    }

    /// One step of the parser, and what it means to the turn.
    #[inline]
    pub(super) fn parse(&mut self, chunk: &[u8]) -> (usize, Next) {
        let (used, step) = self.parser.step(chunk, Items::ALL);
        match step {
            Step::NeedInput => return (used, Next::NeedInput),
            Step::NeedMemory | Step::Failed => {
                self.stop(close_of(self.parser.error_of(step)));
                return (chunk.len(), Next::NeedInput);
            }
            _ => {}
        }
        let Some(item) = self.parser.item(step, chunk) else {
            return (used, Next::NeedInput);
        };
        if self.is_strict
            && let Item::Event(event) = &item
            && let Some(at) = invalid_byte(event)
        {
            let number = self.turn.events.saturating_add(1);
            self.invalid_at = Some(Place::of(number, event, at));
            self.stop(Close::InvalidText);
            return (used, Next::NeedInput);
        }
        // Its signals are made when they are asked for.
        let _ = self.turn.observe_item(&item);
        self.last = Last::Item(step);
        if self.turn.is_terminal() && self.phase == Phase::Reading {
            self.phase = Phase::Draining(DRAIN_BYTES_MAX as u32);
        }
        (used, Next::Heard)
    }

    fn stop(&mut self, close: Close) {
        // What breaks after the end is a note, and the end of the drain.
        self.close = close;
        self.phase = Phase::Stopped;
    }
}

fn close_of(error: Error) -> Close {
    Close::Limit(match error {
        Error::LimitPassed { limit, .. } => Excess::Limit(limit),
        _ => Excess::Memory,
    })
}

/// The first byte of an event's data that is not UTF-8; nothing for one that is
/// only cut.
pub(super) fn invalid_byte(event: &Event<'_>) -> Option<usize> {
    let error = core::str::from_utf8(event.data().as_bytes()).err()?;
    let is_cut = error.error_len().is_none() && !event.is_complete();
    (!is_cut).then(|| error.valid_up_to())
}
