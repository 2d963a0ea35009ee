//! Stage 4, what an event tells besides its signals: whose it is, where it stands,
//! and that it could not be read.

use sseam_core::Event;

use super::Turn;
use crate::auto;
use crate::dialect::Dialect;
use crate::due::Due;
use crate::fault::JsonError;
use crate::outcome::{Cursor, Place};
use crate::short::Short;
use crate::unit::Unit;

impl Turn {
    /// Decides for a dialect if the event's shape is known.
    #[cold]
    pub(super) fn recognise(&mut self, event: &Event<'_>) {
        let has_id = !matches!(self.cursor, Cursor::Nowhere);
        let (data, event_type) = (event.data().as_bytes(), event.event_type().as_bytes());
        let of_data = auto::recognise(data, event_type, has_id);
        self.adopt(of_data.or_else(|| auto::of_type(event_type)));
    }

    /// Takes the dialect that was recognised. Events that could not be read before
    /// may have been of it.
    pub(super) fn adopt(&mut self, dialect: Option<Dialect>) {
        if let Some(dialect) = dialect {
            self.state.dialect = dialect;
            self.unreadable = core::mem::take(&mut self.unrecognised);
        }
    }

    pub(super) fn take_unreadable(&mut self, event: &Event<'_>, fault: JsonError) {
        let is_typed = event.event_type().as_bytes() != b"message";
        if self.state.dialect == Dialect::Auto && is_typed || self.state.is_terminal {
            return;
        }
        let count = match self.state.dialect {
            Dialect::Auto => &mut self.unrecognised,
            _ => &mut self.unreadable,
        };
        *count = count.saturating_add(1);
        let place = Place::of(self.events, event, fault.offset);
        self.unreadable_at.get_or_insert(place);
    }

    /// What an event tells besides its signals.
    #[inline]
    pub(super) fn take_notes(&mut self, unit: &mut Unit<'_>) {
        self.sender_was_due = self.tells_sender(unit);
        unit.due.add_if(self.sender_was_due, Due::SENDER);
        if let Some(number) = unit.sequence_number {
            self.note_sequence(number);
        }
        if !unit.event_id.is_empty() {
            let id = Short::whole(unit.event_id);
            self.cursor = id.map_or(Cursor::TooLong, Cursor::EventId);
        }
        self.is_background = unit.is_background.or(self.is_background);
        self.is_tool_error |= unit.is_tool_error;
    }

    /// Whether something new is told of whose answer the event is, which most
    /// events do not.
    #[inline]
    fn tells_sender(&self, unit: &Unit<'_>) -> bool {
        let sender = &unit.sender;
        let is_told = sender.is_start || !sender.id.is_empty() || !sender.model.is_empty();
        is_told && !self.state.origin.is_settled(sender)
    }

    /// Notes a place in the stream, and whether places before it were missed.
    #[inline]
    fn note_sequence(&mut self, number: u64) {
        if let Cursor::Sequence(last) = self.cursor {
            self.has_gap |= number > last.saturating_add(1);
        }
        self.cursor = Cursor::Sequence(number);
    }
}
