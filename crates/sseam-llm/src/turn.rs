//! Stage 4, the events of one answer in their order: signals out, and in the end
//! the outcome. A turn holds no text and borrows nothing: it may be copied, kept
//! in a static, and sent anywhere.

use sseam_core::{End, Event, LineView, Skipped, Text};

use crate::body::{Body, Verdict};
use crate::dialect::{Dialect, Mode};
use crate::json::{Json, JsonError};
use crate::markers::{Markers, MarkersFull, RequestId};
use crate::outcome::{
    CancelledBy, Close, Cursor, Ending, Excess, Outcome, Seen, TransportEnd, Truncation,
};
use crate::piece::Piece;
use crate::reason::{Reason, Weight};
use crate::short::Short;
use crate::signal::Signal;
use crate::signals::Signals;
use crate::state::State;
use crate::unit::{Due, Failure, Unit};
use crate::{anthropic, auto, chat, cohere, gemini, interactions, mcp, plain, responses};

/// The answer to one request, from its first event to its outcome.
///
/// ```
/// use sseam_core::{Limits, Parser};
/// use sseam_llm::{Dialect, Ending, Reason, Signal, Turn};
///
/// let stream = b"data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
///     data: [DONE]\n\n";
/// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
/// let mut turn = Turn::new(Dialect::OpenAiChat);
/// let mut text = String::new();
/// let mut input = &stream[..];
/// while let Some(event) = parser.next_event(&mut input)? {
///     for signal in turn.observe(&event) {
///         if let Signal::Text(piece) = signal {
///             text.extend(piece.parts().map(|part| part.to_string()));
///         }
///     }
/// }
/// let outcome = turn.finish(&parser.finish());
/// assert_eq!(text, "hi");
/// assert_eq!(outcome.ending, Ending::Completed(Reason::Stop));
/// assert_eq!(outcome.exit_code(), 0);
/// # Ok::<(), sseam_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    state: State,
    markers: Markers,
    body: Body,
    cursor: Cursor,
    /// Events, whole or skipped.
    events: u32,
    skipped: Option<Excess>,
    skipped_events: u32,
    /// A skipped event may have held output.
    is_lacking: bool,
    /// An ignored line was named `error`.
    has_error_line: bool,
    has_gap: bool,
    is_tool_error: bool,
    is_background: Option<bool>,
}

impl Turn {
    /// A turn that has seen nothing, in the default mode of its dialect.
    pub const fn new(dialect: Dialect) -> Self {
        Turn {
            state: State::new(dialect),
            markers: Markers::NONE,
            body: Body::NOTHING,
            cursor: Cursor::Nowhere,
            events: 0,
            skipped: None,
            skipped_events: 0,
            is_lacking: false,
            has_error_line: false,
            has_gap: false,
            is_tool_error: false,
            is_background: None,
        }
    }

    /// A turn of an API that only the caller knows.
    pub const fn custom(markers: Markers) -> Self {
        Turn::new(Dialect::Custom).with_markers(markers)
    }

    /// What counts as the end of the answer.
    #[must_use]
    pub const fn with_mode(mut self, mode: Mode) -> Self {
        self.state.mode = mode;
        self
    }

    /// Whose text is wanted, where an answer has several choices or candidates:
    /// 0 unless told. To wait for choice `n` is to expect `n + 1` of them.
    #[must_use]
    pub const fn with_choice(mut self, choice: u32) -> Self {
        self.state.choice = choice;
        let count = choice.saturating_add(1);
        if count > self.state.expected {
            self.state.expected = count;
        }
        self
    }

    /// How many choices were asked for. Without it, a choice that starts after
    /// all others have finished comes too late to be waited for.
    #[must_use]
    pub const fn with_expected_choices(mut self, count: u32) -> Self {
        if count > self.state.expected {
            self.state.expected = count;
        }
        self
    }

    /// What explains a custom API's events; takes the place of earlier markers.
    #[must_use]
    pub const fn with_markers(mut self, markers: Markers) -> Self {
        self.markers = markers;
        self
    }

    /// Whose response an MCP stream is read for.
    ///
    /// # Errors
    ///
    /// [`MarkersFull`] if the id is too long to be kept.
    pub fn with_request_id(mut self, id: RequestId<'_>) -> Result<Self, MarkersFull> {
        self.markers = self.markers.with_request_id(id)?;
        Ok(self)
    }

    /// Takes a whole event and gives what it says.
    ///
    /// The signals borrow the event. To leave some of them unread changes
    /// nothing: the turn has taken all of the event before it returns. An
    /// unfinished event counts like any other, so pass one only if it shall.
    pub fn observe<'e>(&mut self, event: &Event<'e>) -> Signals<'e> {
        self.events = self.events.saturating_add(1);
        self.observe_last_event_id(event.last_event_id());
        if self.body.verdict() == Verdict::Nothing {
            self.body = Body::NOTHING;
        }
        let data = event.data().as_bytes();
        let unit = self.read(data, event.event_type().as_bytes());
        self.take(unit.unwrap_or_else(|fault| Unit {
            fault,
            ..Unit::saying(Due::MALFORMED)
        }))
    }

    /// Takes an event that passed a limit and was left out.
    ///
    /// Where its type alone says that the answer is over, it is; its usage and
    /// its reason are not known then. Where it may have held output, the turn is
    /// never complete.
    pub fn observe_skipped(&mut self, skipped: &Skipped<'_>) -> Signals<'static> {
        self.events = self.events.saturating_add(1);
        self.skipped_events = self.skipped_events.saturating_add(1);
        self.skipped = self.skipped.or(Some(Excess::Limit(skipped.limit())));
        if let Cursor::Sequence(_) = self.cursor {
            // The skipped event had a number too: a jump over it is no loss.
            self.cursor = Cursor::Nowhere;
        }
        let event_type = skipped.event_type().unwrap_or_default();
        let event_type = event_type.as_bytes();
        if self.state.dialect == Dialect::Auto {
            self.state.dialect = auto::of_type(event_type).unwrap_or(Dialect::Auto);
        }
        let unit = self.read_skipped(event_type, skipped.head().as_bytes());
        self.is_lacking |= unit.is_none() && !self.state.is_terminal;
        self.take(unit.unwrap_or(Unit::NOTHING))
    }

    /// Takes a line that the parser ignored: servers hide failures there.
    ///
    /// Gives a failure that stands in the line. The parser must keep enough of
    /// such lines to tell: see `comment_len_max` of its limits.
    pub fn observe_ignored<'e>(&mut self, line: &LineView<'e>) -> Option<Signal<'e>> {
        let prefix = line.prefix().as_bytes();
        let body = &mut self.body;
        body.take(prefix);
        body.end_line(line.is_whole());
        let after_name = prefix.strip_prefix(b"error")?;
        let value = after_name.strip_prefix(FIELD_COLON)?;
        self.has_error_line = true;
        let failure = Failure::read(&mut Json::new(value)).unwrap_or(Failure::UNKNOWN);
        if self.state.code.is_empty() {
            self.state.code = Short::of(failure.code);
        }
        Some(Signal::Error {
            code: failure.code,
            message: failure.message,
        })
    }

    /// Takes the last event id, where it may have been set without an event.
    pub fn observe_last_event_id(&mut self, id: Text<'_>) {
        let is_own = matches!(self.cursor, Cursor::Sequence(_) | Cursor::EventId(_));
        if !id.is_empty() && !is_own {
            let id = Short::whole(Piece::verbatim(id.as_bytes()));
            self.cursor = id.map_or(Cursor::TooLong, Cursor::LastEventId);
        }
    }

    /// What became of the answer, when the stream ended without a fault of the
    /// transport.
    pub fn finish(&mut self, end: &End) -> Outcome {
        self.finish_with(end, Close::Transport(TransportEnd::Clean))
    }

    /// What became of the answer, however its reading ended.
    ///
    /// A fault after the terminal does not undo the answer; it is noted.
    pub fn finish_with(&mut self, end: &End, close: Close) -> Outcome {
        Outcome {
            ending: self.ending(end, close),
            seen: self.seen(close),
            cursor: self.cursor,
        }
    }

    /// Whether the API's terminal was seen. Go on reading for a moment, at most
    /// [`DRAIN_BYTES_MAX`] bytes and [`DRAIN_MILLIS_MAX`] milliseconds: usage
    /// and late errors may follow.
    pub const fn is_terminal(&self) -> bool {
        self.state.is_terminal
    }

    /// Whether text, reasoning, a refusal or a tool call was seen.
    pub const fn has_output(&self) -> bool {
        self.state.has_output
    }

    /// Whether an unfinished last event is to be passed to
    /// [`observe`](Turn::observe) at the end: in lenient mode.
    pub const fn wants_unfinished(&self) -> bool {
        matches!(self.state.mode, Mode::Lenient)
    }

    /// The dialect: of `Auto`, the one that was recognised.
    pub const fn dialect(&self) -> Dialect {
        self.state.dialect
    }

    /// Where a new connection would go on.
    pub const fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Runs through the signals, for good, and gives them from their start.
    #[inline]
    fn take<'e>(&mut self, unit: Unit<'e>) -> Signals<'e> {
        let signals = Signals::new(self.state, unit);
        let mut run = signals;
        while run.next().is_some() {}
        self.state = run.state;
        signals
    }

    /// What an event says in the terms of all APIs.
    #[inline]
    fn read<'e>(&mut self, data: &'e [u8], event_type: &'e [u8]) -> Result<Unit<'e>, JsonError> {
        if self.state.dialect == Dialect::Custom {
            let state = &mut self.state;
            return Ok(plain::read_custom(data, event_type, &self.markers, state));
        }
        let is_error = event_type == b"error" && self.state.dialect.is_known_api();
        let first = data.iter().find(|byte| !byte.is_ascii_whitespace());
        if data.is_empty() || first.is_none() && self.state.dialect.is_known_api() {
            return Ok(Unit::saying(if is_error {
                Due::ERROR
            } else {
                Due::KEEP_ALIVE
            }));
        }
        if self.state.dialect == Dialect::Plain {
            return Ok(plain::read(data));
        }
        // A gateway wrapped a comment as data.
        if first == Some(&COMMENT) {
            return Ok(Unit::saying(Due::KEEP_ALIVE));
        }
        if data.trim_ascii_start().starts_with(b"[DONE]") {
            return Ok(self.read_done());
        }
        let unit = self.read_api(data, event_type);
        if !is_error {
            return unit;
        }
        let mut unit = unit.unwrap_or(Unit::NOTHING);
        if !unit.due.has(Due::ERROR) {
            unit.announce_failure(Some(Failure::UNKNOWN));
        }
        Ok(unit)
    }

    /// `[DONE]` means something to Chat Completions alone. Others send it too.
    fn read_done(&mut self) -> Unit<'static> {
        if self.state.dialect == Dialect::Auto {
            self.state.dialect = Dialect::OpenAiChat;
        }
        if self.state.dialect != Dialect::OpenAiChat {
            return Unit::NOTHING;
        }
        self.state.is_done = true;
        Unit::saying(Due::CHECK)
    }

    fn read_api<'e>(
        &mut self,
        data: &'e [u8],
        event_type: &'e [u8],
    ) -> Result<Unit<'e>, JsonError> {
        let state = &mut self.state;
        match state.dialect {
            Dialect::OpenAiChat => chat::read(data, state),
            Dialect::OpenAiResponses => {
                let (unit, notes) = responses::read(data, event_type, state)?;
                self.is_background = notes.is_background.or(self.is_background);
                self.note_sequence(notes.sequence_number);
                Ok(unit)
            }
            Dialect::Anthropic => anthropic::read(data, event_type, state),
            Dialect::Gemini => gemini::read(data, state),
            Dialect::GeminiInteractions => {
                let (unit, event_id) = interactions::read(data, event_type, state)?;
                if !event_id.is_empty() {
                    self.cursor = Short::whole(event_id).map_or(Cursor::TooLong, Cursor::EventId);
                }
                Ok(unit)
            }
            Dialect::Cohere => cohere::read(data, event_type),
            Dialect::Mcp2025 | Dialect::Mcp2026 => {
                let (unit, is_tool_error) = mcp::read(data, &self.markers)?;
                self.is_tool_error |= is_tool_error;
                Ok(unit)
            }
            _ => self.recognise(data, event_type),
        }
    }

    /// Decides for a dialect if the event's shape is known.
    fn recognise<'e>(
        &mut self,
        data: &'e [u8],
        event_type: &'e [u8],
    ) -> Result<Unit<'e>, JsonError> {
        let has_id = !matches!(self.cursor, Cursor::Nowhere);
        let shape = auto::recognise(data, event_type, has_id)?;
        if let Some(dialect) = shape.dialect {
            self.state.dialect = dialect;
            return self.read_api(data, event_type);
        }
        let mut unit = Unit::NOTHING;
        unit.announce_failure(shape.failure);
        Ok(unit)
    }

    /// What the type of an event that was left out says, and of Chat and Gemini,
    /// whose events have none, its first bytes. None if it may have held output.
    fn read_skipped(&mut self, event_type: &[u8], head: &[u8]) -> Option<Unit<'static>> {
        let dialect = self.state.dialect;
        if event_type == b"error" && dialect.is_known_api() {
            return Some(Unit::saying(Due::ERROR));
        }
        match dialect {
            Dialect::OpenAiResponses => responses::read_skipped(event_type, &self.state),
            Dialect::Anthropic => anthropic::read_skipped(event_type),
            Dialect::Cohere => cohere::read_skipped(event_type),
            Dialect::GeminiInteractions => interactions::read_skipped(event_type),
            Dialect::OpenAiChat => chat::read_skipped(head),
            Dialect::Custom if self.markers.is_error_event(event_type) => {
                Some(Unit::saying(Due::ERROR))
            }
            Dialect::Custom if self.markers.is_end_event(event_type) => {
                Some(Unit::saying(Due::TERMINAL))
            }
            _ => None,
        }
    }

    /// Notes a place in the stream, and whether places before it were missed.
    fn note_sequence(&mut self, number: Option<u64>) {
        let Some(number) = number else { return };
        if let Cursor::Sequence(last) = self.cursor {
            self.has_gap |= number > last.saturating_add(1);
        }
        self.cursor = Cursor::Sequence(number);
    }

    fn ending(&self, end: &End, close: Close) -> Ending {
        let weight = self.state.reason.map(Reason::weight);
        let is_failed = weight == Some(Weight::Failed);
        if is_failed || self.has_error_line && self.reads_error_lines() {
            return Ending::Failed;
        }
        if weight == Some(Weight::Cancelled) {
            return Ending::Cancelled(CancelledBy::Server);
        }
        if self.state.is_over_at_end() {
            return self.ending_of_answer();
        }
        match close {
            Close::Transport(transport) => self.ending_of_stream(end, transport),
            Close::Limit(excess) => Ending::LimitExceeded(excess),
            Close::TimedOut(timeout) => Ending::TimedOut(timeout),
            Close::InvalidText => Ending::InvalidText,
            Close::Cancelled => Ending::Cancelled(CancelledBy::User),
            Close::Status(status) => Ending::FailedStatus(status),
            Close::NotEventStream => Ending::NotEventStream,
            Close::NoResponse => Ending::TransportFailed,
        }
    }

    /// The ending of an answer that has its terminal.
    fn ending_of_answer(&self) -> Ending {
        let reason = self.state.reason.unwrap_or(Reason::Other);
        match reason.weight() {
            Weight::Refused => Ending::Refused(reason),
            Weight::Incomplete => Ending::Incomplete(reason),
            _ if self.state.is_overfull => Ending::LimitExceeded(Excess::Tracked),
            _ if self.is_lacking => Ending::LimitExceeded(self.skipped.unwrap_or(Excess::Memory)),
            _ => Ending::Completed(reason),
        }
    }

    /// The ending of a stream that ended before the answer had its terminal.
    fn ending_of_stream(&self, end: &End, transport: TransportEnd) -> Ending {
        if let Some(excess) = self.skipped {
            return Ending::LimitExceeded(excess);
        }
        let is_clean = end.is_clean() && transport == TransportEnd::Clean;
        let verdict = self.body.verdict();
        match self.state.dialect {
            Dialect::Plain if is_clean => Ending::Ended,
            Dialect::Custom if is_clean && !self.markers.has_end() => Ending::Ended,
            dialect if dialect.is_known_api() && verdict == Verdict::Error => Ending::Failed,
            dialect
                if dialect.is_known_api() && verdict == Verdict::OtherJson && self.events == 0 =>
            {
                Ending::NotEventStream
            }
            Dialect::Mcp2025 if !matches!(self.cursor, Cursor::Nowhere) => {
                Ending::Incomplete(Reason::Reconnect)
            }
            _ => Ending::Truncated(Truncation {
                is_inside_event: end.is_truncated(),
                transport,
            }),
        }
    }

    /// A field named `error` fails a turn of Chat Completions, where servers are
    /// known to send one, and one of which nothing better is known.
    fn reads_error_lines(&self) -> bool {
        matches!(self.state.dialect, Dialect::OpenAiChat | Dialect::Auto)
    }

    fn seen(&self, close: Close) -> Seen {
        let state = &self.state;
        let is_over = state.is_over_at_end();
        let is_fault = close != Close::Transport(TransportEnd::Clean);
        let code = match state.code.is_empty() && self.body.verdict() == Verdict::Error {
            true => Short::of(self.body.code()),
            false => state.code,
        };
        Seen {
            dialect: state.dialect,
            terminal: is_over,
            output: state.has_output,
            reason: state.reason,
            usage: state.usage,
            closed_calls: state.closed_calls,
            open_calls: u32::from(state.calls.len()),
            tool_error: self.is_tool_error,
            malformed: state.malformed,
            skipped: self.skipped_events,
            background: self.is_background,
            gap: self.has_gap,
            late_fault: is_over && is_fault,
            code,
        }
    }
}

/// How many bytes to read after the terminal, at most.
pub const DRAIN_BYTES_MAX: usize = 64 * 1024;

/// How many milliseconds to read after the terminal, at most.
pub const DRAIN_MILLIS_MAX: u64 = 250;

/// What a comment begins with.
const COMMENT: u8 = b':'; // tidy: a comment that a gateway sent as data.

/// What follows a field's name.
const FIELD_COLON: &[u8] = b":";
