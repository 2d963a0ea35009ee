//! Stage 4, what was taken last, to be heard: an item in, its signals out, from what
//! was read of it when it was taken, or from the event once more.

use sseam_core::{Event, Item};

use super::Turn;
use crate::due::Due;
use crate::piece::{Location, Piece};
use crate::reading::Known;
use crate::signals::Signals;
use crate::unit::Unit;

/// The one thing that an event said, and where it lies in the event's data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alone {
    due: Due,
    location: Location,
}

/// A piece of a call's arguments.
const CALL_ARGUMENTS: Due = Due::CALL.and(Due::ARGUMENTS);

impl Turn {
    /// Takes an item, gives what it says, and tells whether the answer is over.
    #[inline]
    pub(crate) fn hear<'a>(&'a mut self, item: &Item<'a>, is_over: &mut bool) -> Signals<'a> {
        match item {
            Item::Event(event) => self.hear_event(event, is_over),
            other => self.hear_other(other, is_over),
        }
    }

    // Apart from the other on small targets, so that neither has the stack of both.
    #[cfg_attr(target_os = "none", inline(never))]
    #[cfg_attr(not(target_os = "none"), inline)]
    fn hear_event<'a>(&'a mut self, event: &Event<'a>, is_over: &mut bool) -> Signals<'a> {
        let mut unit = Unit::NOTHING;
        self.take_event(event, &mut unit);
        self.alone = self.alone_in(&unit, event.data().as_bytes());
        *is_over = self.state.is_terminal;
        match self.alone {
            Some(Alone { due: Due::TEXT, .. }) => self.signals_of_one(Due::TEXT, unit.text),
            _ => self.signals_of(unit),
        }
    }

    #[inline(never)]
    fn hear_other<'a>(&'a mut self, item: &Item<'a>, is_over: &mut bool) -> Signals<'a> {
        let _ = self.observe_item(item);
        *is_over = self.state.is_terminal;
        self.signals_of_item(item)
    }

    /// What one thing alone says. It is written down in full, since to move signals
    /// costs more than to read most of them.
    #[inline(always)]
    fn signals_of_one<'a>(&'a self, due: Due, piece: Piece<'a>) -> Signals<'a> {
        let of = |kind| if due == kind { piece } else { Piece::EMPTY };
        Signals {
            unit: Unit {
                due,
                text: of(Due::TEXT),
                reasoning: of(Due::REASONING),
                arguments: of(CALL_ARGUMENTS),
                ..Unit::NOTHING
            },
            voice: self.before,
            dialect: self.state.dialect,
            choice: self.state.choice,
            log: &self.log,
            at: 0,
        }
    }

    /// Where the one thing lies that the unit taken last said, if it was one.
    #[inline]
    fn alone_in(&self, unit: &Unit<'_>, data: &[u8]) -> Option<Alone> {
        let is_simple = !(unit.is_repeat || unit.is_progress || self.before.mutes());
        let piece = match unit.due {
            Due::TEXT if is_simple => unit.text,
            Due::REASONING if is_simple => unit.reasoning,
            // Of a call that was open before.
            CALL_ARGUMENTS if is_simple && self.log.begins_with_known() => unit.arguments,
            _ => return None,
        };
        let location = piece.location_in(data)?;
        Some(Alone {
            due: unit.due,
            location,
        })
    }

    /// The signals of the end, once more.
    pub(crate) fn signals_of_end(&self) -> Signals<'_> {
        let mut unit = Unit::SILENT;
        (unit.is_at_end, unit.is_ending) = (true, true);
        unit.due.add_if(!self.log.is_empty(), Due::TERMINAL);
        self.signals_of(unit)
    }

    /// The signals of the event that was observed last, once more.
    pub(crate) fn signals<'a>(&'a self, event: &Event<'a>) -> Signals<'a> {
        let data = event.data().as_bytes();
        if let Some(alone) = self.alone
            && let Some(piece) = Piece::at(data, alone.location)
        {
            return self.signals_of_one(alone.due, piece);
        }
        let mut unit = Unit::NOTHING;
        self.read(event, Known::NOTHING, &mut unit);
        unit.due.add_if(self.sender_was_due, Due::SENDER);
        self.signals_of(unit)
    }

    /// The same for an event that was skipped, or a line that was ignored.
    pub(crate) fn signals_of_item<'a>(&'a self, item: &Item<'a>) -> Signals<'a> {
        match item {
            Item::Event(event) => self.signals(event),
            Item::Skipped(skipped) => self.signals_of(self.skipped_unit(skipped).0),
            Item::Ignored(line) => self.signals_of(self.line_unit(line).unwrap_or(Unit::SILENT)),
            _ => self.signals_of(Unit::SILENT),
        }
    }

    /// Nothing is said.
    pub(crate) fn silence(&mut self) -> Signals<'_> {
        self.log.clear();
        self.signals_of(Unit::SILENT)
    }

    #[inline]
    pub(crate) fn signals_of<'a>(&'a self, unit: Unit<'a>) -> Signals<'a> {
        Signals {
            unit,
            voice: self.before,
            dialect: self.state.dialect,
            choice: self.state.choice,
            log: &self.log,
            at: 0,
        }
    }
}
