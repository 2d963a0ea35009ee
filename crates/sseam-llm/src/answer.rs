//! Stage 5, an answer from its first byte to its outcome: chunks in; items of the
//! stream with what they say, and in the end what became of it, out.
//!
//! ```text
//! Reading --the API's own end--> Draining --64 KiB more--> Over
//! Reading --a limit, too little memory, no UTF-8, no event stream--> Stopped
//! any of them --end--> Ending --what only the end tells--> Ended
//! Ended --reopen--> Reading
//! ```
//!
//! This is the one way from bytes to an outcome: whoever reads answers drives it,
//! and adds what is its own, sources and clocks, printing, pointers. What must be
//! shown to a turn is shown here, so that nobody can forget it: lines that are no
//! events, events that were left out, first bytes of a body that is no stream, the
//! line that the end cut.

mod feeding; // A chunk to steps of the parser, and those to the turn.
mod document; // A body that is one JSON document.
mod telling; // What only the end tells.
mod memory; // Who owns the event memory, and how much of it there is.
mod wants; // What a source should do next.

use sseam_core::{Counters, End, Error, Item, Memory, Parser, Step, Text};

use crate::ends::{Close, Excess};
use crate::foreign::Foreign;
use crate::inspect::Inspector;
use crate::outcome::{Outcome, Place};
use crate::signal::Signal;
use crate::signals::Signals;
use crate::turn::Turn;
use crate::unit::Unit;

use document::DOCUMENT_END;
pub use memory::LINE_LEN_MIN;
pub use wants::{SETTLE_DEFAULT, Wants};

/// An answer of an AI API: its stream in chunks in, text and calls and in the end
/// the outcome out.
///
/// Two lines do for its text, and one for what became of it:
///
/// ```
/// use sseam_core::Limits;
/// use sseam_llm::{Answer, Close, Dialect, TransportEnd, Turn};
///
/// let chunks = [
///     &b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel"[..],
///     b"lo\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
///     b"data: [DONE]\n\n",
/// ];
/// let turn = Turn::new(Dialect::Auto);
/// let mut answer = Answer::<[u8; 2048]>::with_array(Limits::SMALL, turn);
/// let mut text = String::new();
/// for chunk in chunks {
///     answer.feed(chunk, |part| text += part);
/// }
/// answer.end(Close::Transport(TransportEnd::Clean));
/// assert_eq!(text, "Hello");
/// assert!(answer.outcome().is_completed());
/// ```
///
/// Who wants more than text takes what was heard, item by item:
///
/// ```
/// use sseam_core::Limits;
/// use sseam_llm::{Answer, Close, Dialect, Signal, TransportEnd, Turn};
///
/// let stream = br#"data: {"choices":[{"delta":{"content":"Hi"}}]}"#;
/// let turn = Turn::new(Dialect::OpenAiChat);
/// let mut answer = Answer::<[u8; 2048]>::with_array(Limits::SMALL, turn);
/// let mut input = &stream[..];
/// while let Some(heard) = answer.next(&mut input) {
///     for signal in heard.signals {
///         println!("{signal:?}");
///     }
/// }
/// answer.end(Close::Transport(TransportEnd::Clean));
/// // Calls that only the end closes, and an error that had no line end.
/// while let Some(heard) = answer.next(&mut &b""[..]) {
///     heard.signals.for_each(|signal| println!("{signal:?}"));
/// }
/// assert_eq!(answer.outcome().exit_code(), 20); // broke off
/// ```
///
/// # At any time
///
/// [`outcome`](Answer::outcome) is true whenever it is asked: an answer that is
/// dropped or left alone before its end is as one that its reader cancelled, unless
/// the API's own end came. Errors of the stream are part of the outcome; after one,
/// all input is taken and ignored.
#[derive(Debug, Clone)]
pub struct Answer<M> {
    parser: Parser<M>,
    turn: Turn,
    inspector: Inspector,
    phase: Phase,
    /// What the last step announced.
    last: Last,
    /// Bytes at the front of the next chunk that the inspector saw.
    looked: usize,
    document: Document,
    settle: core::time::Duration,
    is_strict: bool,
    /// The event that the end cuts counts whatever the mode.
    takes_unfinished: bool,
    /// Where text was not UTF-8.
    invalid_at: Option<Place>,
    foreign: Option<Foreign>,
    /// How the stream ended, as far as the parser knows.
    end: End,
    close: Close,
}

/// What the next byte does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Reading,
    /// The API's own end came: so many bytes more are read.
    Draining(u32),
    /// Enough was read.
    Over,
    /// Nothing more can be read, and [`Answer::close`] says why.
    Stopped,
    /// The end was told: what only it tells is next.
    Ending(Telling),
    Ended,
}

/// What only the end tells, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// The document that a body was, in place of a stream.
    Document,
    /// The line that the end cut.
    Line,
    /// In lenient mode, the event that the end cut.
    Event,
    /// Calls that only the end closes.
    Calls,
}

/// What is to be heard of the last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    /// What the parser announced, in the chunk that was lent.
    Item(Step),
    /// The same, with nothing of the chunk in it.
    ItemAtEnd(Step),
    Line,
    Calls,
}

/// A body that is one JSON document, which MCP allows in the place of a stream: it
/// is read as the data of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Document {
    /// Not a byte came.
    Unknown,
    No,
    /// It is, and the next byte begins a line of it or not.
    Yes {
        is_line_start: bool,
    },
}

/// Whether there is something to be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The chunk is used up.
    NeedInput,
    /// [`Answer::heard`] gives it.
    Heard,
}

/// An item of the stream, and what it says.
#[derive(Debug)]
pub struct Heard<'a> {
    /// The item; nothing where only the end of the stream says it.
    pub item: Option<Item<'a>>,
    /// What it says: nothing for most items that are no events.
    pub signals: Signals<'a>,
}

impl<M: Memory> Answer<M> {
    /// Takes bytes off the front of `input` until there is something to be heard;
    /// `None` when it is used up.
    ///
    /// After [`end`](Answer::end), with no input, it gives what only the end tells.
    pub fn next<'a, 'c: 'a>(&'a mut self, input: &mut &'c [u8]) -> Option<Heard<'a>> {
        if self.is_stream(input) {
            // On small targets one way does for both.
            return self.hear::<{ cfg!(target_os = "none") }>(input);
        }
        self.next_of_none(input)
    }

    /// The same before and behind the bytes of a stream.
    #[inline(never)]
    fn next_of_none<'a, 'c: 'a>(&'a mut self, input: &mut &'c [u8]) -> Option<Heard<'a>> {
        let chunk = *input;
        let (used, next) = self.step(chunk);
        *input = chunk.get(used..).unwrap_or_default();
        match next {
            Next::NeedInput => None,
            Next::Heard => Some(self.heard(chunk)),
        }
    }

    /// Takes all of a chunk, and hands its text, output and refusal, to `take`.
    pub fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(&str)) {
        let mut input = chunk;
        while let Some(mut heard) = self.next(&mut input) {
            // Where it lies: to move it costs more than to read it.
            for signal in heard.signals.by_ref() {
                if let Signal::Text(piece) | Signal::Refusal(piece) = signal {
                    piece.parts().for_each(|part| take(&part));
                }
            }
        }
    }

    /// Takes bytes off the front of `chunk` until there is something to be heard;
    /// gives how many. What was not taken comes first in the next chunk.
    ///
    /// For those who own chunk and answer both: [`next`](Answer::next) is this and
    /// [`heard`](Answer::heard). The answer has taken what was announced when this
    /// returns, be it heard or not.
    pub fn step(&mut self, chunk: &[u8]) -> (usize, Next) {
        self.last = Last::Nothing;
        if self.is_stream(chunk) {
            return self.parse(chunk);
        }
        match self.phase {
            Phase::Ending(telling) => (0, self.tell(telling)),
            _ => {
                self.read_document(chunk);
                (chunk.len(), Next::NeedInput)
            }
        }
    }

    /// What the last step announced, with the chunk that was lent to it, unchanged.
    pub fn heard<'a>(&'a self, chunk: &'a [u8]) -> Heard<'a> {
        let item = self.item(chunk);
        let signals = match &item {
            Some(item) => self.turn.signals_of_item(item),
            None if self.last == Last::Calls => self.turn.signals_of_end(),
            None => self.turn.signals_of(Unit::SILENT),
        };
        Heard { item, signals }
    }

    /// The item of [`heard`](Answer::heard) alone: for those who want no signals of
    /// it.
    pub fn item<'a>(&'a self, chunk: &'a [u8]) -> Option<Item<'a>> {
        match self.last {
            Last::Item(step) => self.parser.item(step, chunk),
            Last::ItemAtEnd(step) => self.parser.item(step, DOCUMENT_END),
            Last::Line => self.parser.unfinished_line().map(Item::Ignored),
            Last::Calls | Last::Nothing => None,
        }
    }

    /// Takes the end: no more input comes, and how that came about. Once; later
    /// calls change nothing until [`reopen`](Answer::reopen).
    pub fn end(&mut self, close: Close) {
        if matches!(self.phase, Phase::Ending(_) | Phase::Ended) {
            return;
        }
        if self.phase != Phase::Stopped {
            self.close = close;
        }
        let is_document = matches!(self.document, Document::Yes { .. });
        let first = match is_document && self.phase == Phase::Reading {
            true => Telling::Document,
            false => Telling::Line,
        };
        self.phase = Phase::Ending(first);
        if !is_document {
            self.finish();
        }
    }

    /// Whether the end was told, and all that only it tells was heard.
    pub fn is_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// What became of the answer. Before its end it is as if the caller had
    /// cancelled, unless the API's own end came, or something stopped the reading.
    ///
    /// What the end tells is counted, be it heard or not.
    pub fn outcome(&mut self) -> Outcome {
        while let Phase::Ending(telling) = self.phase {
            self.tell(telling);
        }
        let close = match self.phase {
            Phase::Stopped | Phase::Ended => self.close,
            _ => Close::Cancelled,
        };
        self.turn.finish_with(&self.end, close)
    }

    /// Another connection goes on with the same answer.
    pub fn reopen(&mut self) {
        self.parser.reset();
        self.turn.reopen();
        self.inspector = Inspector::new();
        (self.looked, self.foreign) = (0, None);
        self.document = Document::Unknown;
        self.last = Last::Nothing;
        self.end = End::at(0);
        self.phase = match self.turn.is_terminal() {
            true => Phase::Over,
            false => Phase::Reading,
        };
    }

    /// Sets the id that a first connection goes on after.
    ///
    /// # Errors
    ///
    /// Those of [`Parser::set_last_event_id`].
    pub fn set_last_event_id(&mut self, id: &[u8]) -> Result<(), sseam_core::SetupError> {
        self.parser.set_last_event_id(id)
    }

    /// The last event id of the stream.
    pub fn last_event_id(&self) -> Text<'_> {
        self.parser.last_event_id()
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    pub const fn retry(&self) -> Option<u64> {
        self.parser.retry()
    }

    /// What was counted since the connection began.
    pub const fn counters(&self) -> Counters {
        self.parser.counters()
    }

    /// The parser, to look at.
    pub const fn parser(&self) -> &Parser<M> {
        &self.parser
    }

    /// The turn as it stands.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// What the body is, if it is no event stream: known at the byte that makes it
    /// certain, or at the end.
    pub const fn foreign(&self) -> Option<Foreign> {
        self.foreign
    }

    /// The first bytes of the body, as long as none of its lines was one that only an
    /// event stream has: to be shown where the body is none, and never logged.
    pub fn head(&self) -> &[u8] {
        self.inspector.head()
    }

    /// Whether a line of the body was one that only an event stream has.
    pub const fn has_known_line(&self) -> bool {
        self.inspector.has_known_line()
    }

    /// Where text was not UTF-8, if that stopped the reading.
    pub const fn invalid_at(&self) -> Option<Place> {
        self.invalid_at
    }

    /// The limit or the memory that stopped the reading, if one did, until the end
    /// is told.
    pub fn error(&self) -> Option<Error> {
        match (self.phase, self.close) {
            (Phase::Stopped, Close::Limit(Excess::Limit(_))) => {
                Some(self.parser.error_of(Step::Failed))
            }
            (Phase::Stopped, Close::Limit(_)) => Some(self.parser.error_of(Step::NeedMemory)),
            _ => None,
        }
    }

    /// What the end of input threw away; nothing before it.
    pub const fn stream_end(&self) -> &End {
        &self.end
    }
}
