//! Stage 5, a chunk to steps of the parser, and each step to the turn: what is no
//! event stream stops it, as does what is too much.

use sseam_core::{Error, Item, Items, Memory, Step};

use super::{Answer, Document, Heard, Last, Next, Phase};
use crate::ends::{Close, Excess};
use crate::outcome::Place;
use crate::turn::{DRAIN_BYTES_MAX, Turn};

impl<M: Memory> Answer<M> {
    /// Whether the next bytes are those of an event stream.
    #[inline]
    pub(super) fn is_stream(&mut self, chunk: &[u8]) -> bool {
        if self.document == Document::Unknown && !chunk.is_empty() {
            self.document = self.document_of(chunk);
        }
        let is_document = matches!(self.document, Document::Yes { .. });
        matches!(self.phase, Phase::Reading | Phase::Draining(_)) && !is_document
    }

    /// Takes all of a document's chunk, or nothing.
    pub(super) fn read_document(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while !rest.is_empty() && self.phase == Phase::Reading {
            let used = self.read_document_line(rest);
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// One step of the parser, and what it means to the turn.
    pub(super) fn parse(&mut self, chunk: &[u8]) -> (usize, Next) {
        let mut input = chunk;
        let next = match self.hear::<true>(&mut input) {
            Some(_) => Next::Heard,
            None => Next::NeedInput,
        };
        (chunk.len() - input.len(), next)
    }

    /// The same, and what is heard. `IS_STEP` is for what may be heard once more,
    /// which costs the way from bytes to positions and back.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(super) fn hear<'a, 'c: 'a, const IS_STEP: bool>(
        &'a mut self,
        input: &mut &'c [u8],
    ) -> Option<Heard<'a>> {
        self.last = Last::Nothing;
        let chunk = *input;
        let window = self.window(chunk);
        let mut rest = window;
        let found = if IS_STEP {
            let (used, step) = self.parser.step(window, Items::ALL);
            rest = window.get(used..).unwrap_or_default();
            self.last = Last::Item(step);
            match step {
                Step::NeedMemory | Step::Failed => Err(self.parser.error_of(step)),
                step => Ok(self.parser.item(step, window)),
            }
        } else {
            self.parser.next_item(&mut rest)
        };
        // From here on the item borrows the parser.
        let used = match found {
            Ok(_) => window.len() - rest.len(),
            Err(_) => window.len(),
        };
        *input = chunk.get(used..).unwrap_or_default();
        self.looked = self.looked.saturating_sub(used);
        self.phase.pass(used);
        let is_foreign = self.foreign.is_some() && self.looked == 0;
        let item = match found {
            Ok(Some(item)) => item,
            Ok(None) => {
                self.phase.go_on(&mut self.close, false, is_foreign);
                return None;
            }
            Err(error) => {
                self.phase.stop(&mut self.close, close_of(error));
                return None;
            }
        };
        if self.is_strict
            && let Some(at) = invalid_place(&item, &self.turn)
        {
            self.invalid_at = Some(at);
            self.phase.stop(&mut self.close, Close::InvalidText);
            return None;
        }
        let mut is_terminal = false;
        let signals = self.turn.hear(&item, &mut is_terminal);
        self.phase.go_on(&mut self.close, is_terminal, is_foreign);
        let item = Some(item);
        Some(Heard { item, signals })
    }

    /// The part of a chunk that the parser may see in this step.
    #[inline]
    fn window<'c>(&mut self, chunk: &'c [u8]) -> &'c [u8] {
        if let Phase::Draining(left) = self.phase {
            return chunk.get(..left as usize).unwrap_or(chunk);
        }
        if let Document::Yes { .. } = self.document {
            return chunk;
        }
        self.look(chunk);
        // What is certain to be no stream is parsed up to the byte that made it so.
        match self.foreign {
            Some(_) => chunk.get(..self.looked).unwrap_or(chunk),
            None => chunk,
        }
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
}

impl Phase {
    /// Passes so many bytes, of which only so many are read after the API's own end.
    #[inline]
    fn pass(&mut self, used: usize) {
        if let Phase::Draining(left) = *self {
            *self = match left.saturating_sub(used as u32) {
                0 => Phase::Over,
                left => Phase::Draining(left),
            };
        }
    }

    /// Goes on after a step, in which the API's own end came, or the byte was taken
    /// that shows that the body is no event stream.
    #[inline]
    fn go_on(&mut self, close: &mut Close, is_terminal: bool, is_foreign: bool) {
        if *self == Phase::Reading && is_terminal {
            *self = Phase::Draining(DRAIN_BYTES_MAX as u32);
        }
        if *self == Phase::Reading && is_foreign {
            self.stop(close, Close::NotEventStream);
        }
    }

    /// What breaks after the end is a note, and the end of the drain.
    fn stop(&mut self, close: &mut Close, why: Close) {
        (*self, *close) = (Phase::Stopped, why);
    }
}

fn close_of(error: Error) -> Close {
    Close::Limit(match error {
        Error::LimitPassed { limit, .. } => Excess::Limit(limit),
        _ => Excess::Memory,
    })
}

/// Where the data of an event is not UTF-8; nothing for one that is only cut.
pub(super) fn invalid_place(item: &Item<'_>, turn: &Turn) -> Option<Place> {
    let Item::Event(event) = item else {
        return None;
    };
    let error = core::str::from_utf8(event.data().as_bytes()).err()?;
    let is_cut = error.error_len().is_none() && !event.is_complete();
    let number = turn.events.saturating_add(1);
    (!is_cut).then(|| Place::of(number, event, error.valid_up_to()))
}
