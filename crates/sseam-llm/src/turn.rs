//! Stage 4, the events of one answer in their order: signals out, and in the end
//! the outcome. A turn holds no text and borrows nothing: it may be copied, kept
//! in a static, and sent anywhere.

mod heard; // What was taken last, to be heard.
mod lost; // Items that are no events: left out, or ignored.
mod notes; // What an event tells besides its signals.

use sseam_core::{End, Event, Item, Text};

use crate::body::{Body, Verdict};
use crate::dialect::{Dialect, Mode};
use crate::due::Due;
use crate::ends::{Close, Excess, TransportEnd};
use crate::log::Log;
use crate::markers::{Markers, MarkersFull, RequestId};
use crate::outcome::{Cursor, Outcome, Place};
use crate::piece::Piece;
use crate::reading::{self, Context, Known};
use crate::reason::Reason;
use crate::short::Short;
use crate::signals::Signals;
use crate::state::{State, Voice};
use crate::unit::Unit;

/// The answer to one request, from events that a parser gave to its outcome.
///
/// Whoever has the bytes takes an [`Answer`](crate::Answer), which drives the
/// parser too and shows the turn all that it must see. A turn is for those whose
/// events come from elsewhere: a browser, another parser, a queue.
///
/// ```
/// use sseam_core::{End, Event};
/// use sseam_llm::{Dialect, Ending, Reason, Signal, Turn};
///
/// let events = [
///     r#"{"choices":[{"delta":{"content":"hi"}}]}"#,
///     r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
///     "[DONE]",
/// ];
/// let mut turn = Turn::new(Dialect::OpenAiChat);
/// let mut text = String::new();
/// for data in events {
///     for signal in turn.observe(&Event::new(b"", data.as_bytes(), b"")) {
///         if let Signal::Text(piece) = signal {
///             text.extend(piece.parts().map(|part| part.to_string()));
///         }
///     }
/// }
/// let outcome = turn.finish(&End::at(0));
/// assert_eq!(text, "hi");
/// assert_eq!(outcome.ending, Ending::Completed(Reason::Stop));
/// assert_eq!(outcome.exit_code(), 0);
/// ```
///
/// # What a turn was not shown
///
/// Servers hide failures in lines that are no events, and events that pass a limit
/// are left out: a parser counts both, and its [`End`] tells how many there were.
/// A turn that was shown fewer of them, by [`observe_item`](Turn::observe_item),
/// is at best [`Incomplete`](crate::Ending::Incomplete) with
/// [`Reason::Lost`].
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    pub(crate) state: State,
    pub(crate) log: Log,
    /// What the texts of the last event depended on.
    before: Voice,
    /// What the last event said, if it was one thing: what most events do.
    alone: Option<heard::Alone>,
    /// Whose answer it is was looked at for the last event.
    sender_was_due: bool,
    /// The last line that was ignored is not one of a document.
    line_is_first: bool,
    pub(crate) markers: Markers,
    pub(crate) body: Body,
    pub(crate) cursor: Cursor,
    /// Events, whole or skipped.
    pub(crate) events: u32,
    pub(crate) skipped: Option<Excess>,
    pub(crate) skipped_events: u32,
    /// What was shown since the last connection began: see [`End`].
    pub(crate) seen_ignored: u64,
    pub(crate) seen_skipped: u64,
    /// Events that could not be read and may have been output, and the first.
    pub(crate) unreadable: u32,
    pub(crate) unreadable_at: Option<Place>,
    /// The same before it was known whose events they are.
    unrecognised: u32,
    /// A skipped event may have held output.
    pub(crate) is_lacking: bool,
    pub(crate) has_gap: bool,
    pub(crate) is_tool_error: bool,
    pub(crate) is_background: Option<bool>,
}

impl Turn {
    /// A turn that has seen nothing, in the default mode of its dialect.
    pub const fn new(dialect: Dialect) -> Self {
        Turn {
            state: State::new(dialect),
            log: Log::EMPTY,
            before: Voice::NEW,
            alone: None,
            sender_was_due: false,
            line_is_first: true,
            markers: Markers::NONE,
            body: Body::NOTHING,
            cursor: Cursor::Nowhere,
            events: 0,
            skipped: None,
            skipped_events: 0,
            seen_ignored: 0,
            seen_skipped: 0,
            unreadable: 0,
            unreadable_at: None,
            unrecognised: 0,
            is_lacking: false,
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
        self.with_expected_choices(choice.saturating_add(1))
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
    /// The signals borrow the event and the turn. To leave some of them unread
    /// changes nothing: the turn has taken all of the event before it returns. An
    /// unfinished event counts like any other, so pass one only if it shall.
    pub fn observe<'a>(&'a mut self, event: &Event<'a>) -> Signals<'a> {
        // Made where it is given back: it is too large to be moved about.
        let mut signals = Signals::NOTHING;
        self.take_event(event, &mut signals.unit);
        signals.voice = self.before;
        (signals.dialect, signals.choice) = (self.state.dialect, self.state.choice);
        signals.log = &self.log;
        signals
    }

    /// Takes a whole event, for good.
    #[inline]
    fn take_event<'e>(&mut self, event: &Event<'e>, unit: &mut Unit<'e>) {
        self.events = self.events.saturating_add(1);
        self.observe_last_event_id(event.last_event_id());
        self.body.interrupt();
        if self.state.dialect == Dialect::Auto && cfg!(feature = "auto") {
            self.recognise(event);
        }
        self.read(event, self.known(), unit);
        self.take_notes(unit);
        if unit.due.has(Due::UNREADABLE) {
            self.take_unreadable(event, unit.fault);
        }
        self.take(unit);
    }

    /// Takes an item of a parser, whatever it is, and gives what it says: events;
    /// skipped ones, whose type alone may end the answer; and ignored lines, where
    /// servers hide failures. The parser must keep enough of such lines to tell:
    /// see `comment_len_max` of its limits.
    pub fn observe_item<'a>(&'a mut self, item: &Item<'a>) -> Signals<'a> {
        match item {
            Item::Event(event) => self.observe(event),
            Item::Skipped(skipped) => self.observe_skipped(skipped),
            Item::Ignored(line) => self.observe_ignored(line),
            _ => self.silence(),
        }
    }

    /// Takes the last event id, where it may have been set without an event.
    pub fn observe_last_event_id(&mut self, id: Text<'_>) {
        let is_own = matches!(self.cursor, Cursor::Sequence(_) | Cursor::EventId(_));
        if !id.is_empty() && !is_own {
            let id = Short::whole(Piece::verbatim(id.as_bytes()));
            self.cursor = id.map_or(Cursor::TooLong, Cursor::LastEventId);
        }
    }

    /// Another connection goes on with the same answer: what its parser counts
    /// begins anew.
    pub fn reopen(&mut self) {
        (self.seen_ignored, self.seen_skipped) = (0, 0);
        self.body = Body::NOTHING;
    }

    /// What became of the answer, when the stream ended without a fault of the
    /// transport.
    pub fn finish(&mut self, end: &End) -> Outcome {
        self.finish_with(end, Close::Transport(TransportEnd::Clean))
    }

    /// What became of the answer, however its reading ended.
    ///
    /// A fault after the terminal does not undo the answer; it is noted. Asking
    /// changes nothing: calls that only this end closes are counted as closed, and
    /// [`end`](Turn::end) says which they are.
    pub fn finish_with(&mut self, end: &End, close: Close) -> Outcome {
        let ended = match self.state.is_terminal || !self.is_ended_by(end, close) {
            true => 0,
            false => self.state.calls.closed_by_end(self.state.is_success()),
        };
        let open = self.state.calls.open_client_calls() - ended;
        Outcome {
            ending: self.ending(end, close, open),
            seen: self.seen(end, close, (self.state.tally.closed_calls + ended, open)),
            cursor: self.cursor,
        }
    }

    /// Takes the end, and gives what only that says: which calls it closes.
    pub fn end(&mut self, end: &End, close: Close) -> Signals<'_> {
        self.before = self.state.voice;
        self.log.clear();
        if !self.state.is_terminal && self.is_ended_by(end, close) {
            self.state.close_all(&mut self.log);
        }
        self.signals_of_end()
    }

    /// Whether the API's own end was seen. Go on reading for a moment, at most
    /// [`DRAIN_BYTES_MAX`] bytes and [`DRAIN_MILLIS_MAX`] milliseconds: usage
    /// and late errors may follow.
    pub const fn is_terminal(&self) -> bool {
        self.state.is_terminal
    }

    /// Whether the API's own end was seen and nothing is known to follow it: who
    /// waits on a connection that stays open may stop at once.
    pub const fn is_over(&self) -> bool {
        // Azure tells in a second event why the first one said "failed".
        let waits_for_code = matches!(self.state.dialect, Dialect::OpenAiResponses)
            && matches!(self.state.tally.reason, Some(Reason::Error))
            && self.state.tally.code.is_empty();
        self.state.is_terminal && !waits_for_code
    }

    /// Whether the answer needs nothing more than the end of its stream: all
    /// choices have finished, and the API's own end may come or not. Read on until
    /// that, or until nothing comes for a while.
    pub fn is_finished(&self) -> bool {
        !self.state.is_terminal && self.state.is_finished()
    }

    /// Whether text, reasoning, a refusal, media or a tool call was seen.
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

    /// What of the next event is known already.
    #[inline]
    fn known(&self) -> Known<'_> {
        Known {
            id: self.state.origin.steady_id(),
            model: self.state.origin.model.as_bytes(),
            item_id: self.state.item.id(),
            event_type: &[],
        }
    }

    fn context<'m>(&'m self, known: Known<'m>) -> Context<'m> {
        Context {
            dialect: self.state.dialect,
            choice: self.state.choice,
            markers: &self.markers,
            known,
        }
    }

    #[inline]
    fn read<'e>(&self, event: &Event<'e>, known: Known<'_>, unit: &mut Unit<'e>) {
        let (data, event_type) = (event.data().as_bytes(), event.event_type().as_bytes());
        reading::read(&self.context(known), data, event_type, unit);
        // What lenient mode adds is cut where the stream was.
        if !event.is_complete() && unit.due.has(Due::UNREADABLE) {
            *unit = Unit::NOTHING;
        }
    }

    /// Folds a unit, for good.
    #[inline]
    fn take(&mut self, unit: &Unit<'_>) {
        self.before = self.state.voice;
        self.state.fold(unit, &mut self.log);
    }

    pub(crate) fn has_bare_error(&self) -> bool {
        self.state.dialect.is_known_api() && self.body.verdict() == Verdict::Error
    }
}

/// How many bytes to read after the terminal, at most.
pub const DRAIN_BYTES_MAX: usize = 64 * 1024;

/// How many milliseconds to read after the terminal, at most.
pub const DRAIN_MILLIS_MAX: u64 = 250;
