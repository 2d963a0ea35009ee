//! Stage 3, an event's data to a unit: which dialect reads it, and what all of
//! them have in common.
//!
//! What only one API needs is behind its feature. `cfg!` is a constant, so the
//! code of an API that was left out is compiled, checked, and never linked.

use crate::dialect::Dialect;
use crate::fault::JsonError;
use crate::outcome::Cursor;
use crate::short::Short;
use crate::turn::Turn;
use crate::unit::{Due, Failure, Unit};
use crate::{anthropic, auto, chat, cohere, gemini, interactions, mcp, plain, responses};

impl Turn {
    /// What an event says in the terms of all APIs.
    #[inline]
    pub(crate) fn read<'e>(
        &mut self,
        data: &'e [u8],
        event_type: &[u8],
        unit: &mut Unit<'e>,
    ) -> Result<(), JsonError> {
        let first = data.iter().find(|byte| !byte.is_ascii_whitespace());
        let is_known = self.state.track.dialect.is_known_api();
        let is_error = is_known && event_type == b"error";
        match first {
            _ if !is_known => self.read_unknown(data, event_type, unit),
            None if is_error => unit.due.add(Due::ERROR),
            None => unit.due.add(Due::KEEP_ALIVE),
            // A gateway wrapped a comment as data.
            Some(&COMMENT) => unit.due.add(Due::KEEP_ALIVE),
            Some(b'[') if data.trim_ascii_start().starts_with(b"[DONE]") => self.read_done(unit),
            Some(_) if is_error => self.read_error(data, event_type, unit),
            Some(_) => return self.read_api(data, event_type, unit),
        }
        Ok(())
    }

    /// Reads an event of an API that only the caller knows.
    fn read_unknown<'e>(&mut self, data: &'e [u8], event_type: &[u8], unit: &mut Unit<'e>) {
        let dialect = self.state.track.dialect;
        if dialect == Dialect::Custom && cfg!(feature = "custom") {
            plain::read_custom(data, event_type, unit, &self.markers);
            self.state.tally.has_output |= unit.is_progress;
        } else if data.is_empty() {
            unit.due.add(Due::KEEP_ALIVE);
        } else if dialect == Dialect::Plain {
            plain::read(data, unit);
        }
    }

    /// `[DONE]` means something to Chat Completions alone. Others send it too.
    fn read_done(&mut self, unit: &mut Unit<'_>) {
        let track = &mut self.state.track;
        if track.dialect == Dialect::Auto && cfg!(feature = "auto") {
            track.dialect = Dialect::OpenAiChat;
        }
        if track.dialect == Dialect::OpenAiChat && cfg!(feature = "openai-chat") {
            track.is_done = true;
            unit.due.add(Due::CHECK);
        }
    }

    /// An event of the type `error` is a failure, whatever its data looks like.
    fn read_error<'e>(&mut self, data: &'e [u8], event_type: &[u8], unit: &mut Unit<'e>) {
        if self.read_api(data, event_type, unit).is_err() {
            *unit = Unit::NOTHING;
        }
        if !unit.due.has(Due::ERROR) {
            unit.announce_failure(Some(Failure::UNKNOWN));
        }
    }

    #[inline]
    fn read_api<'e>(
        &mut self,
        data: &'e [u8],
        event_type: &[u8],
        unit: &mut Unit<'e>,
    ) -> Result<(), JsonError> {
        if self.state.track.dialect == Dialect::Auto && cfg!(feature = "auto") {
            self.recognise(data, event_type, unit)?;
        }
        let track = &mut self.state.track;
        match track.dialect {
            Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read(data, unit, track),
            Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
                let notes = responses::read(data, event_type, unit, &mut self.state)?;
                self.is_background = notes.is_background.or(self.is_background);
                self.note_sequence(notes.sequence_number);
                Ok(())
            }
            Dialect::Anthropic if cfg!(feature = "anthropic") => {
                anthropic::read(data, event_type, unit, track)
            }
            Dialect::Gemini if cfg!(feature = "gemini") => gemini::read(data, unit, track),
            Dialect::GeminiInteractions if cfg!(feature = "gemini-interactions") => {
                let event_id = interactions::read(data, event_type, unit, track)?;
                if !event_id.is_empty() {
                    self.cursor = Short::whole(event_id).map_or(Cursor::TooLong, Cursor::EventId);
                }
                Ok(())
            }
            Dialect::Cohere if cfg!(feature = "cohere") => cohere::read(data, event_type, unit),
            Dialect::Mcp2025 | Dialect::Mcp2026 if cfg!(feature = "mcp") => {
                self.is_tool_error |= mcp::read(data, unit, &self.markers)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Decides for a dialect if the event's shape is known.
    #[cold]
    fn recognise<'e>(
        &mut self,
        data: &'e [u8],
        event_type: &[u8],
        unit: &mut Unit<'e>,
    ) -> Result<(), JsonError> {
        let has_id = !matches!(self.cursor, Cursor::Nowhere);
        let shape = auto::recognise(data, event_type, has_id)?;
        match shape.dialect {
            Some(dialect) => self.state.track.dialect = dialect,
            None => unit.announce_failure(shape.failure),
        }
        Ok(())
    }

    /// What the type of an event that was left out says, and of Chat, whose
    /// events have none, its first bytes. None if it may have held output.
    pub(crate) fn read_skipped(&self, event_type: &[u8], head: &[u8]) -> Option<Unit<'static>> {
        let dialect = self.state.track.dialect;
        if event_type == b"error" && dialect.is_known_api() {
            return Some(Unit::saying(Due::ERROR));
        }
        match dialect {
            Dialect::OpenAiResponses if cfg!(feature = "openai-responses") => {
                responses::read_skipped(event_type, &self.state.track)
            }
            Dialect::Anthropic if cfg!(feature = "anthropic") => {
                anthropic::read_skipped(event_type)
            }
            Dialect::Cohere if cfg!(feature = "cohere") => cohere::read_skipped(event_type),
            Dialect::GeminiInteractions if cfg!(feature = "gemini-interactions") => {
                interactions::read_skipped(event_type)
            }
            Dialect::OpenAiChat if cfg!(feature = "openai-chat") => chat::read_skipped(head),
            Dialect::Custom if cfg!(feature = "custom") => self.read_skipped_custom(event_type),
            _ => None,
        }
    }

    fn read_skipped_custom(&self, event_type: &[u8]) -> Option<Unit<'static>> {
        let is_error = self.markers.is_error_event(event_type);
        let is_end = self.markers.is_end_event(event_type);
        match (is_error, is_end) {
            (true, _) => Some(Unit::saying(Due::ERROR)),
            (_, true) => Some(Unit::saying(Due::TERMINAL)),
            _ => None,
        }
    }

    /// Notes a place in the stream, and whether places before it were missed.
    #[inline]
    fn note_sequence(&mut self, number: Option<u64>) {
        let Some(number) = number else { return };
        if let Cursor::Sequence(last) = self.cursor {
            self.has_gap |= number > last.saturating_add(1);
        }
        self.cursor = Cursor::Sequence(number);
    }
}

/// What a comment begins with.
const COMMENT: u8 = b':'; // tidy: a comment that a gateway sent as data.
