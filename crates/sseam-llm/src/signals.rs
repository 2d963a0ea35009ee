//! Stage 3, units to signals: what an event says, for a caller who may ask or not.
//!
//! The turn took all of the event before the caller sees a signal. The signals
//! are read from the event once more: its texts as they stand there, and whatever
//! the turn decided, from the log.

use core::fmt;
use core::iter::FusedIterator;

use crate::dialect::Dialect;
use crate::due::Due;
use crate::fold::{NO_KEY, SPLICED};
use crate::json::Json;
use crate::log::{Entry, Log};
use crate::partial::{Argument, Passage};
use crate::reading::{read_inner, read_outer};
use crate::reason::Reason;
use crate::signal::Signal;
use crate::state::{Kind, Voice};
use crate::unit::Unit;

/// The signals of one event; at least one.
///
/// It borrows the event and the turn, and may be dropped freely: the turn has
/// taken the whole event already.
#[derive(Clone, Copy)]
pub struct Signals<'e> {
    pub(crate) unit: Unit<'e>,
    /// As it was before the event, as far as signals have been read.
    pub(crate) voice: Voice,
    pub(crate) dialect: Dialect,
    pub(crate) choice: u32,
    pub(crate) log: &'e Log,
    /// Entries of the log that were used.
    pub(crate) at: u8,
}

impl fmt::Debug for Signals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl<'e> Iterator for Signals<'e> {
    type Item = Signal<'e>;

    #[inline]
    fn next(&mut self) -> Option<Signal<'e>> {
        // What most events say, and nothing else.
        if self.unit.due == Due::TEXT && !self.unit.is_repeat && !self.voice.mutes() {
            self.unit.due = Due::NOTHING;
            self.unit.has_signalled = true;
            if let Some(piece) = self.voice.say(Kind::Text, self.unit.text, true) {
                return Some(Signal::Text(piece));
            }
        }
        if self.unit.due.is_nothing() && self.unit.has_signalled {
            return None;
        }
        self.next_of_many()
    }
}

impl FusedIterator for Signals<'_> {}

impl<'e> Signals<'e> {
    #[inline(never)]
    fn next_of_many(&mut self) -> Option<Signal<'e>> {
        while !self.unit.due.is_nothing() {
            let due = self.unit.due.first();
            self.unit.due.remove(due);
            if let Some(signal) = self.signal(due) {
                self.unit.has_signalled = true;
                return Some(signal);
            }
        }
        if self.unit.has_signalled {
            return None;
        }
        self.unit.has_signalled = true;
        Some(Signal::Other {
            is_progress: self.unit.is_progress,
        })
    }

    /// Of no event.
    pub(crate) const NOTHING: Signals<'static> = Signals {
        unit: Unit::NOTHING,
        voice: Voice::NEW,
        dialect: Dialect::Auto,
        choice: 0,
        log: &Log::EMPTY,
        at: 0,
    };

    /// The next thing that was decided about the event.
    fn entry(&mut self) -> Entry {
        self.log.at(&mut self.at)
    }

    /// What the first thing that is due says.
    fn signal(&mut self, due: Due) -> Option<Signal<'e>> {
        let unit = &mut self.unit;
        match due {
            Due::TEXT => self.say(Kind::Text),
            Due::SENDER => self.sender(),
            Due::SPLICE => {
                self.voice.is_over = true;
                let (code, message) = (SPLICED.code, SPLICED.message);
                Some(Signal::Error { code, message })
            }
            Due::MESSAGE => {
                self.unit.is_repeat = self.entry() == Entry::Yes;
                None
            }
            Due::REASONING => self.say(Kind::Reasoning),
            Due::REFUSAL => self.say(Kind::Refusal),
            Due::CALL => self.open_call(),
            Due::ARGUMENTS => self.arguments(),
            Due::PARTIAL if cfg!(feature = "gemini") => self.partial(),
            Due::CLOSE => self.closed(),
            Due::INNER => {
                let has_more = read_inner(unit, self.dialect);
                unit.due.add_if(has_more, Due::INNER);
                None
            }
            Due::OTHER_CHOICE if !self.voice.is_over => {
                let choice = unit.choice;
                Some(Signal::OtherChoice { choice })
            }
            Due::FINISH | Due::LAST_FINISH => self.finish(due),
            Due::OUTER => {
                let has_more = read_outer(unit, self.dialect, self.choice);
                unit.due.add_if(has_more, Due::OUTER);
                None
            }
            Due::USAGE => Some(Signal::Usage(unit.usage.translated())),
            Due::ERROR => Some(Signal::Error {
                code: unit.failure.code,
                message: unit.failure.message,
            }),
            Due::DONE => {
                let is_end = self.entry() == Entry::Yes;
                self.unit.due.add_if(is_end, Due::TERMINAL);
                None
            }
            Due::TERMINAL => self.end(),
            Due::KEEP_ALIVE => Some(Signal::KeepAlive),
            Due::UNREADABLE => Some(Signal::Unreadable(unit.fault)),
            _ => None,
        }
    }

    fn sender(&mut self) -> Option<Signal<'e>> {
        let is_news = self.entry() == Entry::Yes;
        let is_splice = self.entry() == Entry::Yes;
        self.unit.due.add_if(is_splice, Due::SPLICE);
        let (id, model) = (self.unit.sender.id, self.unit.sender.model);
        is_news.then_some(Signal::Answer { id, model })
    }

    fn say(&mut self, kind: Kind) -> Option<Signal<'e>> {
        if self.voice.is_over {
            return None;
        }
        let unit = &self.unit;
        let piece = match kind {
            Kind::Reasoning => unit.reasoning,
            Kind::Text => unit.text,
            Kind::Refusal => unit.refusal,
        };
        let piece = if unit.is_repeat {
            (self.entry() == Entry::Yes).then_some(piece)?
        } else {
            let is_free = unit.is_free;
            self.voice.say(kind, piece, is_free)?
        };
        Some(said(kind, piece))
    }

    fn open_call(&mut self) -> Option<Signal<'e>> {
        let entry = self.entry();
        let unit = &mut self.unit;
        unit.key = match entry {
            Entry::Known(key) | Entry::Now(key) => key,
            Entry::No | Entry::Yes => NO_KEY,
        };
        let is_new = matches!(entry, Entry::Now(_));
        is_new.then_some(Signal::ToolOpened {
            key: unit.key,
            id: unit.call_id,
            name: unit.call_name,
            is_client: unit.kind.is_client,
        })
    }

    fn arguments(&mut self) -> Option<Signal<'e>> {
        if self.voice.is_over {
            return None;
        }
        let key = self.unit.key;
        let mut piece = self.unit.arguments;
        if !self.unit.is_repeat {
            piece = self.voice.say_arguments(key, piece);
        }
        let is_new = self.entry() == Entry::Yes;
        is_new.then_some(Signal::ToolArguments { key, piece })
    }

    /// The next piece of the text that paths and values are.
    fn partial(&mut self) -> Option<Signal<'e>> {
        if self.voice.is_over {
            return None;
        }
        loop {
            let unit = &mut self.unit;
            let Some(passage) = unit.passage else {
                if !self.next_passage() {
                    return None;
                }
                continue;
            };
            let argument = Argument::read(&mut Json::new(unit.partial));
            while let Some(piece) = passage.piece(usize::from(unit.piece_at), &argument) {
                unit.piece_at += 1;
                if !piece.is_empty() {
                    unit.due.add(Due::PARTIAL);
                    let key = unit.key;
                    return Some(Signal::ToolArguments { key, piece });
                }
            }
            unit.passage = None;
        }
    }

    /// Goes on to the next path, or to the end of the call; false behind that.
    fn next_passage(&mut self) -> bool {
        let unit = &mut self.unit;
        if let Some((_, argument)) = unit.partials.next() {
            unit.partial = argument;
        } else if unit.due.has(Due::CLOSE) && unit.is_partial {
            (unit.partial, unit.is_partial) = (&[], false);
        } else {
            return false;
        }
        unit.piece_at = 0;
        let passage = match self.entry() {
            Entry::Known(bits) => Passage(bits),
            _ => Passage::NOTHING,
        };
        self.unit.passage = Some(passage);
        true
    }

    fn closed(&mut self) -> Option<Signal<'e>> {
        match self.entry() {
            Entry::Now(key) => Some(Signal::ToolClosed { key }),
            _ => None,
        }
    }

    fn finish(&mut self, due: Due) -> Option<Signal<'e>> {
        if let Some((kind, piece)) = self.voice.flush() {
            self.unit.due.add(due);
            return Some(said(kind, piece));
        }
        let is_tools = self.entry() == Entry::Yes;
        let unit = &self.unit;
        Some(Signal::Finish {
            choice: unit.choice,
            reason: if is_tools {
                Reason::ToolCalls
            } else {
                unit.reason
            },
            word: unit.word,
        })
    }

    /// Calls that the end closes, halves that it leaves, and the end.
    fn end(&mut self) -> Option<Signal<'e>> {
        let is_first = !self.unit.is_ending;
        if is_first && self.entry() != Entry::Yes {
            return None;
        }
        self.unit.is_ending = true;
        let rest = match self.unit.is_closing {
            true => None,
            false => self.closed(),
        };
        // The log's mark behind the last one that was closed is not read again.
        self.unit.is_closing |= rest.is_none();
        let rest = rest.or_else(|| self.voice.flush().map(|(kind, piece)| said(kind, piece)));
        if rest.is_some() {
            self.unit.due.add(Due::TERMINAL);
            return rest;
        }
        self.voice.is_over = true;
        (!self.unit.is_at_end).then_some(Signal::Terminal)
    }
}

/// A text as the signal of its kind.
fn said<'e>(kind: Kind, piece: crate::piece::Piece<'e>) -> Signal<'e> {
    match kind {
        Kind::Reasoning => Signal::Reasoning(piece),
        Kind::Text => Signal::Text(piece),
        Kind::Refusal => Signal::Refusal(piece),
    }
}
