//! Stage 4, the events of one answer in their order: signals out, and in the end
//! the outcome. A turn holds no text and borrows nothing: it may be copied, kept
//! in a static, and sent anywhere.

use sseam_core::{End, Event, LineView, Skipped, Text};

use crate::auto;
use crate::body::{Body, Verdict};
use crate::dialect::{Dialect, Mode};
use crate::json::Json;
use crate::markers::{Markers, MarkersFull, RequestId};
use crate::outcome::{Close, Cursor, Excess, Outcome, TransportEnd};
use crate::piece::Piece;
use crate::reason::Reason;
use crate::short::Short;
use crate::signal::Signal;
use crate::signals::{self, Signals};
use crate::state::State;
use crate::unit::{Due, Failure, Unit};

/// How a field named `error` begins.
const ERROR_FIELD: &[u8] = b"error:";

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
    pub(crate) state: State,
    pub(crate) markers: Markers,
    pub(crate) body: Body,
    pub(crate) cursor: Cursor,
    /// Events, whole or skipped.
    pub(crate) events: u32,
    pub(crate) skipped: Option<Excess>,
    pub(crate) skipped_events: u32,
    /// A skipped event may have held output.
    pub(crate) is_lacking: bool,
    /// An ignored line was named `error`.
    pub(crate) has_error_line: bool,
    pub(crate) has_gap: bool,
    pub(crate) is_tool_error: bool,
    pub(crate) is_background: Option<bool>,
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
        self.state.track.mode = mode;
        self
    }

    /// Whose text is wanted, where an answer has several choices or candidates:
    /// 0 unless told. To wait for choice `n` is to expect `n + 1` of them.
    #[must_use]
    pub const fn with_choice(mut self, choice: u32) -> Self {
        self.state.track.choice = choice;
        let count = choice.saturating_add(1);
        if count > self.state.track.expected {
            self.state.track.expected = count;
        }
        self
    }

    /// How many choices were asked for. Without it, a choice that starts after
    /// all others have finished comes too late to be waited for.
    #[must_use]
    pub const fn with_expected_choices(mut self, count: u32) -> Self {
        if count > self.state.track.expected {
            self.state.track.expected = count;
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
        if self.body.is_open() {
            self.body = Body::NOTHING;
        }
        let mut signals = Signals::nothing(&self.state.track);
        let (data, event_type) = (event.data().as_bytes(), event.event_type().as_bytes());
        if let Err(fault) = self.read(data, event_type, &mut signals.unit) {
            signals.unit = Unit {
                fault,
                ..Unit::saying(Due::MALFORMED)
            };
        }
        self.take(&mut signals);
        signals
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
        if self.state.track.dialect == Dialect::Auto && cfg!(feature = "auto") {
            self.state.track.dialect = auto::of_type(event_type).unwrap_or(Dialect::Auto);
        }
        let unit = self.read_skipped(event_type, skipped.head().as_bytes());
        self.is_lacking |= unit.is_none() && !self.state.track.is_terminal;
        let mut signals = Signals::nothing(&self.state.track);
        signals.unit = unit.unwrap_or(Unit::NOTHING);
        self.take(&mut signals);
        signals
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
        let value = prefix.strip_prefix(ERROR_FIELD)?;
        self.has_error_line = true;
        let failure = Failure::read(&mut Json::new(value)).unwrap_or(Failure::UNKNOWN);
        if self.state.tally.code.is_empty() {
            self.state.tally.code = Short::of(failure.code);
        }
        Some(Signal::Error {
            code: failure.code,
            message: failure.message,
        })
    }

    /// Takes the first bytes of a body that ended without an event, and whether
    /// they are all of it: a bare error often has no line end, and a parser does
    /// not tell of a line without one. Gives the failure, if it is one.
    ///
    /// ```
    /// use sseam_core::{Limits, Parser};
    /// use sseam_llm::{Dialect, Ending, Turn};
    ///
    /// let body = br#"{"error":{"code":400,"message":"too long"}}"#;
    /// let mut parser = Parser::<[u8; 1024]>::with_array(Limits::SMALL);
    /// assert!(parser.next_event(&mut &body[..])?.is_none());
    /// let mut turn = Turn::new(Dialect::Anthropic);
    /// turn.observe_body(body, true);
    /// assert_eq!(turn.finish(&parser.finish()).ending, Ending::Failed);
    /// # Ok::<(), sseam_core::Error>(())
    /// ```
    pub fn observe_body<'e>(&mut self, head: &'e [u8], is_whole: bool) -> Option<Signal<'e>> {
        if self.events > 0 || !self.state.track.dialect.is_known_api() {
            return None;
        }
        let bom: &[u8] = b"\xEF\xBB\xBF";
        let head = head.strip_prefix(bom).unwrap_or(head);
        self.body = Body::NOTHING;
        self.body.take(head);
        self.body.end_line(is_whole);
        if self.body.verdict() != Verdict::Error {
            return None;
        }
        let failure = Failure::of_body(head);
        let (code, message) = (failure.code, failure.message);
        Some(Signal::Error { code, message })
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
        self.state.track.is_terminal
    }

    /// Whether the terminal was seen and nothing is known to follow it: who waits
    /// on a connection that stays open may stop at once.
    pub const fn is_over(&self) -> bool {
        let State { track, tally } = &self.state;
        let may_go_on = match track.dialect {
            // Usage and `[DONE]` come after the last finish reason.
            Dialect::OpenAiChat => !track.is_done,
            // Azure tells in a second event why the first one said "failed".
            Dialect::OpenAiResponses => {
                matches!(tally.reason, Some(Reason::Error)) && tally.code.is_empty()
            }
            _ => false,
        };
        track.is_terminal && !may_go_on
    }

    /// Whether text, reasoning, a refusal or a tool call was seen.
    pub const fn has_output(&self) -> bool {
        self.state.tally.has_output
    }

    /// Whether an unfinished last event is to be passed to
    /// [`observe`](Turn::observe) at the end: in lenient mode.
    pub const fn wants_unfinished(&self) -> bool {
        matches!(self.state.track.mode, Mode::Lenient)
    }

    /// The dialect: of `Auto`, the one that was recognised.
    pub const fn dialect(&self) -> Dialect {
        self.state.track.dialect
    }

    /// Where a new connection would go on.
    pub const fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Runs through the signals, for good, and leaves them at their start.
    #[inline]
    fn take(&mut self, signals: &mut Signals<'_>) {
        let State { track, tally } = &mut self.state;
        let due = signals.unit.due;
        if due == Due::TEXT && !track.is_terminal {
            // What most events are. Its one signal acts as the others do below,
            // and does not depend on what reading it has changed.
            tally.has_output = true;
            track.halves.text = signals.unit.text.last_half();
            return;
        }
        signals.track = *track;
        if due.has_more() {
            // What comes later overwrites what came first: on a copy.
            let mut unit = signals.unit;
            while signals::next(&mut unit, track, Some(tally)).is_some() {}
            return;
        }
        while signals::next(&mut signals.unit, track, Some(tally)).is_some() {}
        signals.unit.due = due;
        signals.unit.has_signalled = false;
    }
}

/// How many bytes to read after the terminal, at most.
pub const DRAIN_BYTES_MAX: usize = 64 * 1024;

/// How many milliseconds to read after the terminal, at most.
pub const DRAIN_MILLIS_MAX: u64 = 250;
