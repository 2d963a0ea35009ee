//! Stage 4, what a stream has besides events: events that were left out and lines
//! that were ignored in, what they say and whether they were output out.

use sseam_core::{LineView, Skipped};

use super::Turn;
use crate::auto;
use crate::dialect::Dialect;
use crate::due::Due;
use crate::ends::Excess;
use crate::failure::Failure;
use crate::outcome::Cursor;
use crate::reading::{self, Known};
use crate::signals::Signals;
use crate::unit::Unit;

impl Turn {
    pub(super) fn observe_skipped<'a>(&'a mut self, skipped: &Skipped<'a>) -> Signals<'a> {
        self.events = self.events.saturating_add(1);
        self.skipped_events = self.skipped_events.saturating_add(1);
        self.seen_skipped = self.seen_skipped.saturating_add(1);
        self.skipped = self.skipped.or(Some(Excess::Limit(skipped.limit())));
        if let Cursor::Sequence(_) = self.cursor {
            // The skipped event had a number too: a jump over it is no loss.
            self.cursor = Cursor::Nowhere;
        }
        let event_type = skipped.event_type().unwrap_or_default();
        if self.state.dialect == Dialect::Auto && cfg!(feature = "auto") {
            let dialect = auto::of_type(event_type.as_bytes());
            self.adopt(dialect);
        }
        let (unit, may_be_output) = self.skipped_unit(skipped);
        // What repeats output is output where none came before.
        let is_first = unit.is_progress && !self.state.has_output;
        self.is_lacking |= (may_be_output || is_first) && !self.state.is_terminal;
        self.take(&unit);
        self.signals_of(unit)
    }

    /// What a skipped event comes to, and whether it may have held output.
    pub(super) fn skipped_unit(&self, skipped: &Skipped<'_>) -> (Unit<'static>, bool) {
        let event_type = skipped.event_type().unwrap_or_default();
        let head = skipped.head().as_bytes();
        let unit =
            reading::read_skipped(&self.context(Known::NOTHING), event_type.as_bytes(), head);
        (unit.unwrap_or(Unit::NOTHING), unit.is_none())
    }

    /// Takes a line that the parser ignored.
    pub(crate) fn observe_ignored<'a>(&'a mut self, line: &LineView<'a>) -> Signals<'a> {
        self.seen_ignored = self.seen_ignored.saturating_add(1);
        let prefix = line.prefix().as_bytes();
        self.line_is_first = self.body.may_begin();
        self.body.take(prefix);
        self.body.end_line(line.is_whole());
        if self.line_is_first && !self.state.is_terminal && self.state.dialect.is_known_api() {
            self.state.is_lost |= self.may_be_output(line);
        }
        match self.line_unit(line) {
            Some(unit) => {
                self.take(&unit);
                self.signals_of(unit)
            }
            None => self.silence(),
        }
    }

    /// A failure that stands in a line.
    pub(super) fn line_unit<'e>(&self, line: &LineView<'e>) -> Option<Unit<'e>> {
        if !self.state.dialect.is_known_api() {
            return None;
        }
        let prefix = line.prefix().as_bytes();
        let failure = match prefix.strip_prefix(ERROR_FIELD) {
            Some(value) => {
                let value = value.trim_ascii();
                let is_none = matches!(value, b"" | b"null" | b"{}");
                (!is_none).then(|| Failure::of_error_event(value))
            }
            None if self.line_is_first && line.is_whole() && prefix.first() == Some(&b'{') => {
                let is_json = auto::check(prefix).is_ok() && !self.has_shape(prefix);
                Failure::of_event(prefix).filter(|_| is_json)
            }
            None => None,
        };
        let mut unit = Unit::SILENT;
        unit.announce_failure(Some(failure?));
        Some(unit)
    }

    /// Whether a line that is no field is an event all the same: one whose field
    /// has a wrong name, or none.
    fn may_be_output(&self, line: &LineView<'_>) -> bool {
        let prefix = line.prefix().as_bytes();
        let name = prefix
            .split(|byte| *byte == COLON)
            .next()
            .unwrap_or_default();
        if name.trim_ascii().eq_ignore_ascii_case(b"data") {
            return true;
        }
        match prefix.first() {
            Some(b'{') if line.is_whole() => self.has_shape(prefix),
            _ => false,
        }
    }

    /// Whether JSON is what the API's events are.
    fn has_shape(&self, data: &[u8]) -> bool {
        let mut unit = Unit::NOTHING;
        reading::read(&self.context(Known::NOTHING), data, b"message", &mut unit);
        unit.has_shape && (unit.has_output() || unit.due.has(Due::INNER) || unit.has_choice)
    }
}

/// How a field named `error` begins.
const ERROR_FIELD: &[u8] = b"error:";

/// What ends a field's name.
const COLON: u8 = b':'; // tidy: of lines that were no fields.
